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
// isolated, so that an English course leaves an Arabic sentence as it is.
func (l *Locale) Isolated(text string) string {
	if strings.HasPrefix(text, isolate) || !strings.ContainsFunc(text, l.runsAcross) {
		return text
	}
	return isolate + text + isolated
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
