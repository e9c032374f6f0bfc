package notify

import (
	"testing"

	"github.com/admitto/admitto/internal/mail"
)

// The keys are in databases: another string for the same mail would send it a second time.
func TestMailKey(t *testing.T) {
	keys := map[string][2]string{ // template: the occurrence, the key for record 7
		"applicant-message":               {"1", "applicant-message/7/1"},
		"application-submitted":           {"3", "application-submitted:7:3"},
		"application-resubmitted":         {"3", "application-resubmitted:7:3"},
		"application-reopened":            {"3", "application-reopened:7:3"},
		"application-withdrawn":           {"3", "application-withdrawn:7:3"},
		"application-withdrawal-reverted": {"3", "application-withdrawal-reverted:7:3"},
		"application-closed":              {"3", "application-closed:7:3"},
		"application-draft-reminder":      {"2026-06-27", "application-draft-reminder/7/2026-06-27"},
		"application-inactive-reminder":   {"once", "application-inactive-reminder/7/once"},
		"application-reopened-reminder":   {"2026-06-27", "application-reopened-reminder/7/2026-06-27"},
		"offer-letter":                    {"12", "offer-letter/7/12"},
		"offer-decision-reminder":         {"2026-06-27", "offer-decision-reminder/7/2026-06-27"},
		"offer-decision-confirmation":     {"5", "offer-decision-confirmation/7/5"},
		"invoice-delivery":                {"", "invoice-delivery 7"},
		"invoice-collected":               {"", "invoice-collected 7"},
		"invoice-reminder":                {"once", "invoice-reminder/7/once"},
		"task-created":                    {"once", "task-created/7/once"},
		"task-reminder":                   {"1771200000000000", "task-reminder/7/1771200000000000"},
		"admin-key-expiring":              {"1771200000000000/14/3", "admin-key-expiring/7/1771200000000000/14/3"},
	}
	for template, k := range keys {
		if got := mailKey(template, 7, k[0]); got != k[1] {
			t.Errorf("%s, %q: %q, want %q", template, k[0], got, k[1])
		}
		if _, known := mail.Default(template); !known {
			t.Errorf("no template %s", template)
		}
	}
	if got := mailKey("invoice-collected", 7, "issuer"); got != "invoice-collected 7 issuer" {
		t.Errorf("for the issuer: %q", got)
	}
}
