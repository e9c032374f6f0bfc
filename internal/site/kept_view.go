package site

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the query of an address that is kept: its bytes, its values, and the bytes of a name.
const (
	longestView      = 4000
	mostViewValues   = 200
	longestParameter = 60
)

// ViewQuery is the normal form of the query of a list's address: values by name, without the page; ok is false for one
// that no list has.
func ViewQuery(query string) (normal string, ok bool) {
	if len(query) > longestView || !utf8.ValidString(query) {
		return "", false
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", false
	}
	delete(values, "page")
	n := 0
	for name, list := range values {
		if name == "" || len(name) > longestParameter || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return "", false
		}
		for _, v := range list {
			if n++; !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl) {
				return "", false
			}
		}
	}
	normal = values.Encode()
	return normal, n <= mostViewValues && len(normal) <= longestView
}
