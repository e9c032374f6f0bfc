package admitto

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/message"
)

// Hundredths is an exact decimal with two places: money in any currency, percentages, offer scores.
type Hundredths int64

// ParseHundredths reads a decimal by resources.md 0.4: up to nine digits before the point, at most two
// after it, not counting zeros at the end.
func ParseHundredths(s string) (Hundredths, error) {
	n, err := parseFixed(s, 2)
	return Hundredths(n), err
}

// String returns the form of the API, two decimals always.
func (h Hundredths) String() string { return string(h.Append(nil)) }

// Append appends the form of the API to dst, such as 12.00.
func (h Hundredths) Append(dst []byte) []byte {
	n := int64(h)
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = strconv.AppendInt(dst, n/100, 10)
	return append(dst, '.', byte('0'+n/10%10), byte('0'+n%10))
}

// parseFixed reads -?[0-9]{1,9}(\.[0-9]+)? as an integer count of 10^-places.
func parseFixed(s string, places int) (int64, error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if len(whole) < 1 || len(whole) > 9 || !allDigits(whole) || point && (fraction == "" || !allDigits(fraction)) {
		return 0, message.Of("no-decimal", strconv.Quote(s))
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > places {
		return 0, message.Of("too-many-decimals", strconv.Quote(s), places)
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", places-len(fraction)), 10, 64)
	if negative {
		n = -n
	}
	return n, err
}

func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}
