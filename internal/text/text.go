// Package text brings text from outside into normal form: lines and paragraphs, e-mail addresses, codes of
// countries, languages and currencies, times, IDs and lists. Every function is pure, and every error is a
// fragment of a sentence for the client, which quotes the value and says what would be right.
//
// It is a leaf: it may import package admitto, the standard library, golang.org/x/text,
// golang.org/x/net/idna and github.com/bojanz/currency, nothing else.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/admitto/admitto/internal/message"
)

// quoted is how many characters of a refused value are repeated in the error.
const quoted = 64

// Line returns the normal form of single-line text (resources.md 0.4): NFC, white space at the ends cut off.
// It refuses control characters, line and paragraph separators, text that is not UTF-8, and a length
// outside min to max, counted in code points of the normal form.
func Line(s string, min, max int) (string, error) {
	return normal(s, min, max, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	}, func(value, character string) message.Text { return message.Of("control-character", value, character) })
}

// Multiline returns the normal form of text with line breaks (resources.md 0.4): NFC, white space at the ends
// cut off, line breaks as they were sent. It refuses control characters other than TAB, LF and CR, text
// that is not UTF-8, and a length outside min to max, counted in code points of the normal form.
func Multiline(s string, min, max int) (string, error) {
	return normal(s, min, max, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r'
	}, func(value, character string) message.Text {
		return message.Of("control-character-in-lines", value, character)
	})
}

func normal(s string, min, max int, forbidden func(rune) bool,
	refuse func(value, character string) message.Text) (string, error) {
	if !utf8.ValidString(s) {
		return "", message.Of("text-not-utf8", Quote(s))
	}
	s = trimNFC(s)
	if i := strings.IndexFunc(s, forbidden); i >= 0 {
		r, _ := utf8.DecodeRuneInString(s[i:])
		return "", refuse(Quote(s), fmt.Sprintf("%U", r))
	}
	if n := utf8.RuneCountInString(s); n < min || n > max {
		return "", wrongLength(s, n, min, max)
	}
	return s, nil
}

// wrongLength says that a text has n characters, and how many are allowed.
func wrongLength(s string, n, min, max int) error {
	switch {
	case min == max && n == 1:
		return message.Of("character-count-exact", Quote(s), max)
	case min == max:
		return message.Of("characters-count-exact", Quote(s), n, max)
	case n == 1:
		return message.Of("character-count", Quote(s), min, max)
	case n == 0:
		return message.Of("text-missing", Quote(s), min, max)
	}
	return message.Of("characters-count", Quote(s), n, min, max)
}

// trimNFC composes before it trims: a combining mark behind a trailing space stays, as it would in a text
// that was sent composed.
func trimNFC(s string) string { return strings.TrimSpace(norm.NFC.String(s)) }

// Quote repeats a refused value in an error for the client: in quotation marks, cut to 64 characters, with
// everything that does not print escaped, so that no value can disturb a log or a page.
func Quote(s string) string {
	n := 0
	for i := range s {
		if n == quoted {
			return strconv.Quote(s[:i] + "…")
		}
		n++
	}
	return strconv.Quote(s)
}

// ID reads the ID of an object: 1 to 18 digits, the first one not zero (resources.md 0.3). Unlike the other
// parsers it takes no white space around the value, since an ID is also a segment of a path.
func ID(s string) (int64, error) {
	id, ok := digits(s)
	if !ok || s[0] == '0' {
		return 0, message.Of("no-id", Quote(s))
	}
	return id, nil
}

// digits reads 1 to 18 ASCII digits, which is what fits an int64 whatever the digits are.
func digits(s string) (int64, bool) {
	if s == "" || len(s) > 18 {
		return 0, false
	}
	var n int64
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

// SplitList splits the values of a list filter at commas and white space and drops empty items
// (conventions.md 4). It returns nil when nothing is left; whether that is an error is for the caller.
func SplitList(values []string) []string {
	var items []string
	for _, v := range values {
		items = append(items, strings.FieldsFunc(v, func(r rune) bool {
			return r == ',' || unicode.IsSpace(r)
		})...)
	}
	return items
}

// SplitTitles splits the values of a list of titles at commas only, since the items may contain spaces,
// trims the items and drops empty ones (resources.md 0.3, titleList).
func SplitTitles(values []string) []string {
	var items []string
	for _, v := range values {
		for item := range strings.SplitSeq(v, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
	}
	return items
}

// Password is the form in which a password is hashed and compared: the same characters are the same bytes, whatever
// keyboard they come from. Nothing is cut off.
func Password(s string) string { return norm.NFC.String(s) }
