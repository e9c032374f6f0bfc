package notify

import (
	"strconv"
	"strings"
)

// mailKey names a mail by its template, the record it is about and the occurrence (lifecycle.md 8.1). Databases hold these
// keys and several releases may run on one, so the key of a mail never changes, or it would be sent twice: what stands
// between the parts is what it was when the template was first used.
func mailKey(template string, record int64, occurrence string) string {
	between := "/"
	switch template {
	case "application-submitted", "application-resubmitted", "application-reopened", "application-withdrawn",
		"application-withdrawal-reverted", "application-closed":
		between = ":"
	case "invoice-delivery", "invoice-collected":
		between = " "
	}
	parts := []string{template, strconv.FormatInt(record, 10)}
	if occurrence != "" {
		parts = append(parts, occurrence)
	}
	return strings.Join(parts, between)
}
