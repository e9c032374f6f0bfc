package mail

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// needs are the markers one of which a text has to have: without it nobody gets in, or the mail says nothing.
func (k Kind) needs() []Marker {
	switch k {
	case KindApplicantWelcomeRegister, KindApplicantSigninLink:
		return []Marker{ApplicantSigninLink}
	case KindApplicantWelcomeImports, KindApplicantWelcomeAPI:
		return []Marker{ApplicantSigninLink, ApplicantPassword}
	case KindApplicantEmailChange:
		return []Marker{ApplicantEmailLink}
	case KindAdminInvite, KindAdminPasswordReset, KindAdminEmailChange:
		return []Marker{AdminLink}
	}
	return nil
}

// MayBeSilenced reports whether staff may switch the mails of the kind off. Not those that let somebody in or tell of
// a change of what lets them in, those that are themselves what staff send, and answers to requests about one's data.
func (k Kind) MayBeSilenced() bool {
	switch k {
	case Kind{}, KindApplicantWelcomeAPI, KindApplicantMessage, KindOfferLetter, KindInvoiceDelivery,
		KindPrivacyRequestReceived, KindPrivacyRequestDone, KindPrivacyDataReady:
		return false
	}
	return !k.isOfAccounts()
}

// mostMarkerFaults is how many unknown markers of a text are named at once.
const mostMarkerFaults = 5

// Check reports whether the template may be saved (screens.md A45). Markers that are unknown, or not for this kind of
// mail, give an *admitto.Error of kind InvalidParameter with a fault (code marker-unknown) for each, which says where
// it stands and which marker is nearest; so does a text without the link or password that the mail is sent for. An
// unknown template code is a fault of the code.
func (t Template) Check() error {
	allowed := t.Kind.Markers()
	if allowed == nil {
		return admitto.Refuse(admitto.InvalidParameter, "template.code", "template-unknown",
			message.Of("template-unknown", strconv.Quote(t.Kind.code)))
	}
	refusal := &admitto.Error{Kind: admitto.InvalidParameter}
	for _, field := range [...]struct {
		path admitto.Path
		text string
	}{{"template.subject", t.Subject}, {"template.body", t.Body}} {
		found := unknownMarkers(field.text, allowed)
		for _, u := range found[:min(len(found), mostMarkerFaults)] {
			refusal.Faults = append(refusal.Faults, admitto.Fault{Path: field.path, Code: "marker-unknown",
				Text: message.Of("marker-unknown-at", u.text, u.line, u.character, nearest(u.text, allowed))})
		}
	}
	body := Template{Body: t.Body}
	if needs := t.Kind.needs(); needs != nil && !slices.ContainsFunc(needs, body.Uses) {
		refusal.Faults = append(refusal.Faults, admitto.Fault{Path: "template.body",
			Text: message.Of("marker-missing", listed(needs))})
	}
	if len(refusal.Faults) > 0 {
		return refusal
	}
	return nil
}

func listed(markers []Marker) string {
	var names []string
	for _, m := range markers {
		names = append(names, m.String())
	}
	return strings.Join(names, " / ")
}

// unknownMarker is a marker that a template may not use, and where it stands, both counted from 1.
type unknownMarker struct {
	text            string
	line, character int
}

// unknownMarkers finds what is, or looks like, a marker and is none of those that are allowed.
func unknownMarkers(text string, allowed []Marker) (list []unknownMarker) {
	line, begin := 1, 0
	for i := 0; i < len(text); {
		n := markerAt(text[i:])
		if n == 0 {
			n = mistypedAt(text, i, allowed)
		}
		if n == 0 {
			if text[i] == '\n' {
				line, begin = line+1, i+1
			}
			i++
			continue
		}
		if m := text[i : i+n]; !slices.ContainsFunc(allowed, func(a Marker) bool { return a.String() == m }) {
			list = append(list, unknownMarker{m, line, utf8.RuneCountInString(text[begin:i]) + 1})
		}
		i += n
	}
	return list
}

// Mistyped returns what looks like a marker in subject or body and has not the form of one, such as %name%: nothing is
// put in its place.
func (t Template) Mistyped() (list []string) {
	allowed := t.Kind.Markers()
	for _, text := range []string{t.Subject, t.Body} {
		for _, u := range unknownMarkers(text, allowed) {
			if markerAt(u.text) == 0 && !slices.Contains(list, u.text) {
				list = append(list, u.text)
			}
		}
	}
	return list
}

// mostMistyped is how long a name between percent signs is at most that was meant for a marker.
const mostMistyped = 40

// mistypedAt returns the length of what stands at i when somebody meant it for a marker but it has not the form of one,
// such as %name% or %applicantName%, or the name of a marker without the percent sign behind it; 0 for none. A part of
// an address such as %C3%A4 is none.
func mistypedAt(text string, i int, allowed []Marker) int {
	s := text[i:]
	if len(s) < 2 || s[0] != '%' || !letter(s[1]) {
		return 0
	}
	n := 2
	for n < len(s) && n <= mostMistyped && inName(s[n]) {
		n++
	}
	name := s[1:n]
	if n < len(s) && s[n] == '%' {
		if escapes(name) && (len(name) == 2 || inAddress(text[:i])) {
			return 0
		}
		return n + 1
	}
	name = strings.TrimRight(name, "-_.")
	if slices.ContainsFunc(allowed, func(m Marker) bool { return strings.EqualFold(m.name, name) }) {
		return 1 + len(name)
	}
	return 0
}

func inName(c byte) bool {
	return letter(c) || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

// escapes reports whether a percent sign before s makes a byte of an address with it.
func escapes(s string) bool {
	_, err := hex.DecodeString(s[:min(len(s), 2)])
	return err == nil
}

// inAddress reports whether the word at the end of a text has the beginning of a web address.
func inAddress(text string) bool {
	return strings.Contains(text[strings.LastIndexAny(text, " \t\n")+1:], "://")
}

// nearest is the allowed marker that differs least from a text.
func nearest(text string, allowed []Marker) string {
	best, least := "", -1
	for _, a := range allowed {
		if d := distance(strings.ToLower(text), strings.ToLower(a.String())); least < 0 || d < least {
			best, least = a.String(), d
		}
	}
	return best
}

// distance is how many letters have to be put in, taken out or changed to make one text of the other (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
