package notify

import (
	"testing"

	"github.com/admitto/admitto/internal/mail"
)

// The keys are in databases: another string for the same mail would send it a second time.
func TestMailKey(t *testing.T) {
	keys := map[mail.Kind][2]string{ // template: the occurrence, the key for record 7
		mail.KindApplicantMessage:              {"1", "applicant-message/7/1"},
		mail.KindApplicationSubmitted:          {"3", "application-submitted:7:3"},
		mail.KindApplicationResubmitted:        {"3", "application-resubmitted:7:3"},
		mail.KindApplicationReopened:           {"3", "application-reopened:7:3"},
		mail.KindApplicationWithdrawn:          {"3", "application-withdrawn:7:3"},
		mail.KindApplicationWithdrawalReverted: {"3", "application-withdrawal-reverted:7:3"},
		mail.KindApplicationClosed:             {"3", "application-closed:7:3"},
		mail.KindApplicationDraftReminder:      {"2026-06-27", "application-draft-reminder/7/2026-06-27"},
		mail.KindApplicationInactiveReminder:   {"once", "application-inactive-reminder/7/once"},
		mail.KindApplicationReopenedReminder:   {"2026-06-27", "application-reopened-reminder/7/2026-06-27"},
		mail.KindOfferLetter:                   {"12", "offer-letter/7/12"},
		mail.KindOfferDecisionReminder:         {"2026-06-27", "offer-decision-reminder/7/2026-06-27"},
		mail.KindOfferDecisionConfirmation:     {"5", "offer-decision-confirmation/7/5"},
		mail.KindInvoiceDelivery:               {"", "invoice-delivery 7"},
		mail.KindInvoiceCollected:              {"", "invoice-collected 7"},
		mail.KindInvoiceReminder:               {"once", "invoice-reminder/7/once"},
		mail.KindTaskCreated:                   {"once", "task-created/7/once"},
		mail.KindTaskReminder:                  {"1771200000000000", "task-reminder/7/1771200000000000"},
		mail.KindAdminKeyUsage:                 {"1771200000000000/3", "admin-key-usage/7/1771200000000000/3"},
		mail.KindAdminKeyExpiring:              {"1771200000000000/14/3", "admin-key-expiring/7/1771200000000000/14/3"},
	}
	for template, k := range keys {
		if got := mailKey(template, 7, k[0]); got != k[1] {
			t.Errorf("%s, %q: %q, want %q", template.Code(), k[0], got, k[1])
		}
	}
	if got := mailKey(mail.KindInvoiceCollected, 7, "issuer"); got != "invoice-collected 7 issuer" {
		t.Errorf("for the issuer: %q", got)
	}
}
