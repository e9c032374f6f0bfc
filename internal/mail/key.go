package mail

import (
	"strconv"
	"strings"
)

// Key names a mail of the kind by the record it is about and the occurrence (lifecycle.md 8.1). Databases hold these
// keys and several releases may run on one, so the key of a mail never changes, or it would be sent twice: what stands
// between the parts is what it was when the kind was first used.
func (k Kind) Key(record int64, occurrence string) string {
	between := "/"
	switch k {
	case KindApplicationSubmitted, KindApplicationResubmitted, KindApplicationReopened, KindApplicationWithdrawn,
		KindApplicationWithdrawalReverted, KindApplicationClosed:
		between = ":"
	case KindInvoiceDelivery, KindInvoiceCollected:
		between = " "
	}
	parts := []string{k.Code(), strconv.FormatInt(record, 10)}
	if occurrence != "" {
		parts = append(parts, occurrence)
	}
	return strings.Join(parts, between)
}
