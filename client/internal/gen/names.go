package main

import (
	"strings"
	"unicode"
)

// goName makes an exported name of one of the document's: decision-deadline, tracker_ID, byOfferTypes.
func goName(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!unicode.IsDigit(r)
	}) {
		switch word {
		case "id", "uri", "url", "pdf", "ip", "vat", "iban", "mime", "bcc", "www":
			b.WriteString(strings.ToUpper(word))
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// argumentName makes the name of a function's argument: applicant_id is applicantID.
func argumentName(name string) string {
	exported := goName(name)
	if exported == strings.ToUpper(exported) {
		return strings.ToLower(exported)
	}
	return strings.ToLower(exported[:1]) + exported[1:]
}

// oneLine makes a comment of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
