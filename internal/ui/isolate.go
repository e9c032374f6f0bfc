package ui

import (
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// What stands between these marks of Unicode runs in the direction of its first letter and leaves the words around it
// where they are, as a bdi element does, but also where there are no elements: in titles, labels and options.
const (
	isolate  = "\u2068"
	isolated = "\u2069"
)

// Isolated is a name or a value as a sentence has it: one that has letters of the other direction than the language is
// isolated, so that an English course leaves an Arabic sentence as it is. So is a number of several parts, which would
// be read from its end.
func (l *Locale) Isolated(text string) string {
	if strings.HasPrefix(text, isolate) || !strings.ContainsFunc(text, l.runsAcross) &&
		(l.Dir() != "rtl" || !isTurned(text)) {
		return text
	}
	return isolate + text + isolated
}

// isTurned reports whether the digits of a text are shown in another order after Arabic letters: those of 2026-56 and
// +36 1 234, but not those of 12.50.
func isTurned(text string) bool {
	digit, space := false, false // before the rune, and between that digit and the rune
	for _, r := range text {
		switch properties, _ := bidi.LookupRune(r); properties.Class() {
		case bidi.EN:
			if digit && space {
				return true
			}
			digit, space = true, false
		case bidi.ES:
			return strings.ContainsAny(text, "0123456789")
		case bidi.WS:
			space = true
		default:
			digit = false
		}
	}
	return false
}

// runsAcross reports whether a letter runs against the language.
func (l *Locale) runsAcross(r rune) bool {
	properties, _ := bidi.LookupRune(r)
	switch properties.Class() {
	case bidi.L:
		return l.Dir() == "rtl"
	case bidi.R, bidi.AL:
		return l.Dir() == "ltr"
	}
	return false
}

// Unmarked is a text without the marks: for what is stored or goes into a file.
func Unmarked(text string) string {
	return strings.NewReplacer(isolate, "", isolated, "").Replace(text)
}

// Tag is the language, as sentences ask for it.
func (l *Locale) Tag() string { return l.Lang }
