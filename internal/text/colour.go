package text

import (
	"regexp"
	"strings"

	"github.com/admitto/admitto/internal/message"
)

var colour = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// Colour checks a colour as #RRGGBB, which it returns in capitals.
func Colour(s string) (string, error) {
	if s = strings.TrimSpace(s); !colour.MatchString(s) {
		return "", message.Of("no-colour")
	}
	return strings.ToUpper(s), nil
}
