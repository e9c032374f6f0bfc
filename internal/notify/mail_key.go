package notify

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/mail"
)

// mailKey names a mail by its template, the record it is about and the occurrence (lifecycle.md 8.1). Databases hold
// these keys and several releases may run on one, so the key of a mail never changes, or it would be sent twice: what
// stands between the parts is what it was when the template was first used.
func mailKey(template mail.Kind, record int64, occurrence string) string {
	between := "/"
	switch template {
	case mail.KindApplicationSubmitted, mail.KindApplicationResubmitted, mail.KindApplicationReopened,
		mail.KindApplicationWithdrawn,
		mail.KindApplicationWithdrawalReverted, mail.KindApplicationClosed:
		between = ":"
	case mail.KindInvoiceDelivery, mail.KindInvoiceCollected:
		between = " "
	}
	parts := []string{template.Code(), strconv.FormatInt(record, 10)}
	if occurrence != "" {
		parts = append(parts, occurrence)
	}
	return strings.Join(parts, between)
}
