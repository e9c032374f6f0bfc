package text

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fileNameMax bounds the name of a file, in characters.
const fileNameMax = 255

// FileName returns the normal form of the name of a file that somebody sent: NFC, without the folders before it and
// without control characters and those that turn the order of writing, cut to 255 characters so that the extension
// stays; "" when nothing is left of it.
func FileName(s string) string {
	s = trimNFC(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || turnsOrder(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
	s = strings.TrimSpace(s[strings.LastIndexAny(s, `/\`)+1:])
	if strings.Trim(s, ". ") == "" {
		return ""
	}
	over := utf8.RuneCountInString(s) - fileNameMax
	if over <= 0 {
		return s
	}
	extension := path.Ext(s)
	if utf8.RuneCountInString(extension) > 16 {
		extension = ""
	}
	stem := []rune(strings.TrimSuffix(s, extension))
	return strings.TrimSpace(string(stem[:len(stem)-over]) + extension)
}

// turnsOrder reports whether a character begins or ends an order of writing: with one, gpj.exe reads as exe.jpg.
func turnsOrder(r rune) bool { return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' }

// SafeName is a name for a file in an archive or a header: what could end the name, lead out of a folder, or show it in
// another order is replaced.
func SafeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`;"\/`, r), unicode.IsControl(r), r == utf8.RuneError, turnsOrder(r):
			return '_'
		}
		return r
	}, name)
	if strings.Trim(name, " .") == "" {
		return "file"
	}
	return name
}
