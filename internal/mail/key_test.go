package mail

import "testing"

// The keys are in databases: another string for the same mail would send it a second time.
func TestKey(t *testing.T) {
	keys := map[Kind][2]string{ // kind: the occurrence, the key for record 7
		KindApplicantMessage:              {"1", "applicant-message/7/1"},
		KindApplicationSubmitted:          {"3", "application-submitted:7:3"},
		KindApplicationResubmitted:        {"3", "application-resubmitted:7:3"},
		KindApplicationReopened:           {"3", "application-reopened:7:3"},
		KindApplicationWithdrawn:          {"3", "application-withdrawn:7:3"},
		KindApplicationWithdrawalReverted: {"3", "application-withdrawal-reverted:7:3"},
		KindApplicationClosed:             {"3", "application-closed:7:3"},
		KindApplicationDraftReminder:      {"2026-06-27", "application-draft-reminder/7/2026-06-27"},
		KindApplicationInactiveReminder:   {"once", "application-inactive-reminder/7/once"},
		KindApplicationReopenedReminder:   {"2026-06-27", "application-reopened-reminder/7/2026-06-27"},
		KindOfferLetter:                   {"12", "offer-letter/7/12"},
		KindOfferDecisionReminder:         {"2026-06-27", "offer-decision-reminder/7/2026-06-27"},
		KindOfferDecisionConfirmation:     {"5", "offer-decision-confirmation/7/5"},
		KindInvoiceDelivery:               {"", "invoice-delivery 7"},
		KindInvoiceCollected:              {"", "invoice-collected 7"},
		KindInvoiceReminder:               {"once", "invoice-reminder/7/once"},
		KindTaskCreated:                   {"once", "task-created/7/once"},
		KindTaskReminder:                  {"1771200000000000", "task-reminder/7/1771200000000000"},
		KindAdminKeyUsage:                 {"1771200000000000/3", "admin-key-usage/7/1771200000000000/3"},
		KindAdminKeyExpiring:              {"1771200000000000/14/3", "admin-key-expiring/7/1771200000000000/14/3"},
	}
	for kind, k := range keys {
		if got := kind.Key(7, k[0]); got != k[1] {
			t.Errorf("%s, %q: %q, want %q", kind.Code(), k[0], got, k[1])
		}
	}
	if got := KindInvoiceCollected.Key(7, "issuer"); got != "invoice-collected 7 issuer" {
		t.Errorf("for the issuer: %q", got)
	}
}
