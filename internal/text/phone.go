package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/message"
)

// leastDigits is how many digits a telephone number has at least.
const leastDigits = 3

// Phone makes the rule for the form of a telephone number that people type, which may be empty. What is stored stays as
// it is: the API takes every line, and some are older than the rule.
func Phone(stored string, most int) func(string) (string, error) {
	return func(value string) (string, error) {
		value, err := Line(value, 0, most)
		if err == nil && value != stored && value != "" && !isPhone(value) {
			return "", message.Of("no-phone")
		}
		return value, err
	}
}

// isPhone reports whether a line can be dialled: digits of any script with what people write between them. Words may
// follow the digits, such as those of an extension.
func isPhone(line string) bool {
	if first, _ := utf8.DecodeRuneInString(line); first != '+' && first != '(' && !unicode.IsDigit(first) {
		return false
	}
	digits := 0
	for _, c := range line {
		switch {
		case unicode.IsDigit(c):
			digits++
		case unicode.IsLetter(c) && digits < leastDigits:
			return false
		}
	}
	return digits >= leastDigits
}
