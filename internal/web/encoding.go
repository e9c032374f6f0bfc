package web

import (
	"net/http"
	"strings"
)

// Encoding negotiates how the answer to r is compressed (conventions.md 5): "zstd", "gzip", or "" for
// not at all. The coding with the higher q-value wins, zstd at equal ones since it is both faster and
// smaller here. It never refuses: where Accept-Encoding leaves nothing, identity;q=0 included, the
// answer is sent uncompressed. "*" is taken as gzip only, for a client that can really read zstd names
// it. The caller says Vary: Accept-Encoding whatever comes out.
func Encoding(r *http.Request) string {
	zstd, gzip, any, identity := -1, -1, -1, 0
	for _, line := range r.Header["Accept-Encoding"] {
		for item := range strings.SplitSeq(line, ",") {
			name, q, ok := codingOf(item)
			if !ok {
				continue
			}
			switch name {
			case "zstd":
				zstd = max(zstd, q)
			case "gzip", "x-gzip":
				gzip = max(gzip, q)
			case "*":
				any = max(any, q)
			case "identity":
				identity = max(identity, q)
			}
		}
	}
	if gzip < 0 {
		gzip = any
	}
	switch {
	case zstd > 0 && zstd >= gzip && zstd >= identity:
		return "zstd"
	case gzip > 0 && gzip >= identity:
		return "gzip"
	}
	return ""
}

// codingOf reads one item of Accept-Encoding; q is in thousandths. A malformed item is not ok and
// counts as if it were not there.
func codingOf(item string) (name string, q int, ok bool) {
	name, params, weighted := strings.Cut(item, ";")
	name = strings.ToLower(strings.Trim(name, " \t"))
	if !weighted {
		return name, 1000, true
	}
	key, value, found := strings.Cut(params, "=")
	if !found || !strings.EqualFold(strings.Trim(key, " \t"), "q") {
		return "", 0, false
	}
	q, ok = QValue(strings.Trim(value, " \t"))
	return name, q, ok
}

// QValue reads a qvalue of RFC 9110 12.4.2 ("0.5", "1", "1.000") in thousandths; false for anything else.
func QValue(s string) (q int, ok bool) {
	whole, digits, _ := strings.Cut(s, ".")
	if len(digits) > 3 || (whole != "0" && whole != "1") {
		return 0, false
	}
	q = int(whole[0]-'0') * 1000
	unit := 100
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' {
			return 0, false
		}
		q += int(d-'0') * unit
		unit /= 10
	}
	return q, q <= 1000
}
