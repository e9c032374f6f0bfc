package text

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// foldWidth bounds the words that Words returns, in bytes.
const foldWidth = 64

// letters are those that decomposing does not bring to plain ones. Never changed at run time.
var letters = strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "æ", "ae", "œ", "oe", "þ", "th",
	"ı", "i", "ħ", "h", "ŋ", "n", "ŧ", "t", "ə", "e")

// Fold returns a text as searching compares it: lower case, without accents, apostrophes and doubled white space.
func Fold(s string) string {
	var b strings.Builder
	space := false
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, " ")) {
		switch {
		case unicode.Is(unicode.Mn, r) || strings.ContainsRune("'’‘`´ʼʹ\u0000", r):
		case unicode.IsSpace(r):
			space = b.Len() > 0
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return letters.Replace(b.String())
}

// Words returns the words of a text as searching compares them, each once and in order: the folded pieces between white
// space, and of those with other signs inside their pieces, too.
func Words(s string) (words []string) {
	add := func(w string) {
		if w = cut(w); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	for _, whole := range strings.Fields(Fold(s)) {
		whole = strings.TrimFunc(whole, isSign)
		add(whole)
		for _, piece := range strings.FieldsFunc(whole, isSign) {
			add(piece)
		}
	}
	return words
}

// isSign reports whether a rune is neither letter, digit nor mark.
func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// cut shortens a word to foldWidth.
func cut(w string) string {
	if len(w) > foldWidth {
		w = strings.ToValidUTF8(w[:foldWidth], "")
	}
	return w
}

// EmailWords returns the words under which an address is found: its pieces before the at sign, all before it, and the
// domain.
func EmailWords(address string) []string {
	local, domain, _ := strings.Cut(Fold(address), "@")
	words := Words(local)
	if domain = cut(domain); domain != "" && !slices.Contains(words, domain) {
		words = append(words, domain)
	}
	return words
}

// PhoneKey returns the digits of a telephone number, "" when there are too few to tell people apart.
func PhoneKey(s string) string {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
	if digits = strings.TrimLeft(digits, "0"); len(digits) < 7 || strings.Trim(digits, digits[:1]) == "" {
		return ""
	}
	return cut(digits)
}

// shortestPart is how many digits of a telephone number are looked for at least.
const shortestPart = 3

// PhoneWords returns the words under which a key of PhoneKey is found by any part of its digits: all ends of it.
func PhoneWords(key string) (words []string) {
	for i := 0; i+shortestPart <= len(key) && i < mostEnds; i++ {
		words = append(words, key[i:])
	}
	return words
}

// mostEnds bounds the words of a number: none that can be called has more digits than 15.
const mostEnds = 15

// mostTerms is how many words of a query count.
const mostTerms = 8

// Terms returns what somebody looks for: the folded pieces between white space and at signs, each to be the beginning
// of a word. What consists of digits and the signs of telephone numbers is one term.
func Terms(s string) (terms []string) {
	if digits := PhoneKey(s); digits != "" && strings.Trim(s, "+-()/. 0123456789") == "" {
		return []string{digits}
	}
	for _, term := range strings.FieldsFunc(Fold(s), func(r rune) bool { return r == ' ' || r == '@' || r == ',' }) {
		if term = cut(strings.TrimFunc(term, isSign)); term != "" && !slices.Contains(terms, term) && len(terms) < mostTerms {
			terms = append(terms, term)
		}
	}
	return terms
}

// Begins reports whether the text has, for each of the terms, a word that begins with it.
func Begins(s string, terms []string) bool {
	words := Words(s)
	for _, term := range terms {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, term) }) {
			return false
		}
	}
	return len(terms) > 0
}
