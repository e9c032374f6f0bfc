package text

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/message"
)

// maxWebAddress is the longest web address in characters.
const maxWebAddress = 2048

// WebAddress checks an absolute http or https address of up to 2048 characters.
func WebAddress(s string) (string, error) {
	s, err := Line(s, 1, maxWebAddress)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		strings.ContainsFunc(s, unicode.IsSpace) {
		return "", message.Of("no-web-address", Quote(s))
	}
	return s, nil
}
