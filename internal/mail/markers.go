package mail

import (
	"maps"
	"slices"
	"strings"
)

// rules is the table of lifecycle.md 8.3: which template may use which markers. Words of one letter stand
// for the groups below. It is never written to.
var rules = map[string]string{
	"applicant-welcome-register":      "a z applicant-SigninLink applicant-SigninExpires",
	"applicant-welcome-imports":       "a z applicant-SigninLink applicant-SigninExpires applicant-Password",
	"applicant-welcome-api":           "a z applicant-SigninLink applicant-SigninExpires applicant-Password",
	"applicant-signin-link":           "a z applicant-SigninLink",
	"applicant-email-change":          "a z applicant-EmailLink",
	"applicant-password-changed":      "a z",
	"applicant-message":               "a z p",
	"application-submitted":           "a z p receipt-Number receipt-Time",
	"application-resubmitted":         "a z p receipt-Number receipt-Time",
	"application-reopened":            "a z p",
	"application-withdrawn":           "a z p withdrawal-UndoUntil",
	"application-withdrawal-reverted": "a z p",
	"application-closed":              "a z p",
	"application-draft-reminder":      "a z p intake-Deadline",
	"application-inactive-reminder":   "a z p",
	"application-reopened-reminder":   "a z p",
	"offer-letter":                    "a z p o",
	"offer-decision-reminder":         "a z p o",
	"offer-decision-confirmation":     "a z p o",
	"invoice-delivery":                "a z i",
	"invoice-reminder":                "a z i",
	"invoice-collected":               "a z i",
	"task-created":                    "a z p t",
	"task-reminder":                   "a z p t",
	"privacy-request-received":        "a z privacy-Link",
	"privacy-request-done":            "a z privacy-Link",
	"privacy-data-ready":              "a z privacy-Link",
	"admin-invite":                    "admin-Name admin-Link z",
	"admin-password-reset":            "admin-Name admin-Link z",
	"admin-key-expiring":              "key-Label key-Expires z",
	"admin-release-waiting":           "batch-ID batch-Title batch-Size batch-Link z",
}

// groups are the sets of markers that rules names by one letter (lifecycle.md 8.3).
var groups = map[string]string{
	"a": "applicant-ID applicant-Name applicant-GivenName applicant-FamilyName applicant-Email applicant-Login applicant-Reference",
	"z": "instance-Name instance-Link institution-Name institution-WWW date-Today",
	"p": "application-ID application-Link application-Status application-Missing term-Name course-FullName course-List",
	"o": "offer-Type offer-Link offer-Reason offer-DecisionDeadline intake-Name",
	"i": "invoice-Number invoice-Total invoice-Rest invoice-Deadline invoice-Link",
	"t": "task-Title task-Instructions task-Deadline task-Link",
}

// allowed returns the names of all markers of a template, without percent signs; false for an unknown code.
func allowed(code string) ([]string, bool) {
	rule, known := rules[code]
	var names []string
	for _, word := range strings.Fields(rule) {
		if group, isGroup := groups[word]; isGroup {
			names = append(names, strings.Fields(group)...)
			continue
		}
		names = append(names, word)
	}
	return names, known
}

// markerAt returns the length of the marker that s begins with, 0 for none. It is wider than the names in the
// table (any letters and digits around one "-"), so that a misspelt marker is found by Check and does not
// reach an applicant as it stands.
func markerAt(s string) int {
	if len(s) < 5 || s[0] != '%' || !letter(s[1]) {
		return 0
	}
	dash := 0
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case letter(c) || (c >= '0' && c <= '9' && dash != i-1):
		case c == '-' && dash == 0:
			dash = i
		case c == '%' && dash > 0 && dash < i-1:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// findMarkers returns all markers of the texts with their percent signs, each once, in order of first use.
func findMarkers(texts ...string) []string {
	var found []string
	for _, s := range texts {
		for i := 0; i < len(s); {
			n := markerAt(s[i:])
			if n == 0 {
				i++
				continue
			}
			if m := s[i : i+n]; !slices.Contains(found, m) {
				found = append(found, m)
			}
			i += n
		}
	}
	return found
}

// bare takes the percent signs off a marker; a name without them stays.
func bare(marker string) string { return strings.TrimSuffix(strings.TrimPrefix(marker, "%"), "%") }

// Codes returns the codes of all templates, sorted.
func Codes() []string { return slices.Sorted(maps.Keys(rules)) }

// Allowed returns the markers that the template may use, with their percent signs; nil for an unknown code.
func (t Template) Allowed() (markers []string) {
	names, _ := allowed(t.Code)
	for _, name := range names {
		markers = append(markers, "%"+name+"%")
	}
	return markers
}
