package mail

import (
	"slices"
	"strings"
)

// markerAt returns the length of the marker that s begins with, 0 for none. It is wider than the names in the
// table (any letters and digits around one "-"), so that a misspelt marker is found by Check and does not
// reach an applicant as it stands.
func markerAt(s string) int {
	if len(s) < 5 || s[0] != '%' || !letter(s[1]) {
		return 0
	}
	dash := 0
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case letter(c) || (c >= '0' && c <= '9' && dash != i-1):
		case c == '-' && dash == 0:
			dash = i
		case c == '%' && dash > 0 && dash < i-1:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// findMarkers returns all markers of the texts with their percent signs, each once, in order of first use.
func findMarkers(texts ...string) []string {
	var found []string
	for _, s := range texts {
		for i := 0; i < len(s); {
			n := markerAt(s[i:])
			if n == 0 {
				i++
				continue
			}
			if m := s[i : i+n]; !slices.Contains(found, m) {
				found = append(found, m)
			}
			i += n
		}
	}
	return found
}

// bare takes the percent signs off a marker; a name without them stays.
func bare(marker string) string { return strings.TrimSuffix(strings.TrimPrefix(marker, "%"), "%") }
