package accounts

import (
	_ "embed" // the list of common passwords
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// minPassword is how many characters a password has at least (lifecycle.md 2.3).
const minPassword = 10

//go:embed common_passwords.txt
var commonPasswords string

// commonPassword is the list of passwords that are tried first, and of what they are made from, in lower case.
var commonPassword = sync.OnceValue(func() map[string]bool {
	list := map[string]bool{}
	for line := range strings.Lines(commonPasswords) {
		list[strings.TrimSpace(line)] = true
	}
	return list
})

// passwordFault is what speaks against a password that somebody chooses; none for a good one. own is what an attacker
// tries first: names and addresses of the person.
func passwordFault(password string, own ...string) message.Text {
	password = text.Password(password)
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword:
		return message.Of("password-short", minPassword)
	case len(password) > maxPassword || !utf8.ValidString(password):
		return message.Of("password-long", maxPassword)
	case isCommon(password, own):
		return message.Of("password-common")
	}
	return message.Text{}
}

// isCommon reports whether a password is one of the common ones, one with digits and signs around it, one character
// again and again, or something that everybody knows of the person.
func isCommon(password string, own []string) bool {
	lower := strings.ToLower(password)
	core := strings.TrimFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) })
	first, _ := utf8.DecodeRuneInString(lower)
	if commonPassword()[lower] || commonPassword()[core] || strings.Trim(lower, string(first)) == "" {
		return true
	}
	return isOwn(core, own) || isOwn(lower, own)
}

// isOwn reports whether nothing is left of a password without the names and addresses of the person, whatever their
// order, accents and signs.
func isOwn(password string, own []string) bool {
	joined := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, text.Fold(s))
	}
	var known []string
	for _, o := range own {
		local, _, _ := strings.Cut(o, "@")
		for _, k := range append(text.Words(o), o, local) {
			if k = joined(k); utf8.RuneCountInString(k) >= 3 {
				known = append(known, k)
			}
		}
	}
	slices.SortFunc(known, func(a, b string) int { return len(b) - len(a) })
	rest := joined(password)
	for _, k := range known {
		rest = strings.ReplaceAll(rest, k, "")
	}
	return rest == "" && password != ""
}

// choosePassword refuses a password that is not good enough.
func choosePassword(path admitto.Path, password string, own ...string) error {
	if fault := passwordFault(password, own...); !fault.IsZero() {
		return admitto.Refuse(admitto.InvalidParameter, path, "", fault)
	}
	return nil
}

// Strength says how good a password is, as a code that pages have words for.
type Strength string

// The strengths. The first three are refused.
const (
	TooShort Strength = "too-short"
	TooLong  Strength = "too-long"
	Common   Strength = "common"
	Weak     Strength = "weak"
	Good     Strength = "good"
	Strong   Strength = "strong"
)

// StrengthOf says how good a password is for somebody whose names and addresses are given.
func StrengthOf(password string, own ...string) Strength {
	password = text.Password(password)
	length := utf8.RuneCountInString(password)
	switch {
	case length < minPassword:
		return TooShort
	case len(password) > maxPassword || !utf8.ValidString(password):
		return TooLong
	case isCommon(password, own):
		return Common
	}
	kinds, different := map[int]bool{}, map[rune]bool{}
	for _, r := range password {
		different[r] = true
		kinds[kindOf(r)] = true
	}
	switch score := length + 2*len(kinds); {
	case len(different) < 6 || score < 15:
		return Weak
	case score < 20:
		return Good
	}
	return Strong
}

func kindOf(r rune) int {
	switch {
	case unicode.IsLower(r):
		return 0
	case unicode.IsUpper(r):
		return 1
	case unicode.IsDigit(r):
		return 2
	}
	return 3
}

// checkPassword refuses a password of staff that is not good enough.
func checkPassword(path admitto.Path, password string, own ...string) error {
	if fault := passwordFault(password, own...); !fault.IsZero() {
		return admitto.Refuse(admitto.InvalidParameter, path, "password-refused", fault)
	}
	return nil
}
