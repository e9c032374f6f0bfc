package text

import (
	"strconv"
	"strings"
	"testing"
)

// FuzzID: an ID is written in one way only.
func FuzzID(f *testing.F) {
	for _, seed := range []string{"1", "0", "-1", "+1", "01", "9223372036854775807", "9223372036854775808", "1e3", "١",
		" 1", "1\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if id, err := ID(s); err == nil && (id < 1 || strconv.FormatInt(id, 10) != s) {
			t.Fatalf("%q became %d", s, id)
		}
	})
}

// FuzzCodes: a code that is taken is a known one in its normal form, and lists have no empty items.
func FuzzCodes(f *testing.F) {
	for _, seed := range []string{"EE", "ee", "ı", "ſs", "EUR", "de", "xx", "ＥＥ", "a,b", ",", " a , b", "a: b, c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, read := range map[string]func(string) (string, error){"Country": Country, "Language": Language,
			"Currency": Currency} {
			code, err := read(s)
			if err != nil {
				continue
			}
			if again, err := read(code); err != nil || again != code || !strings.EqualFold(strings.TrimSpace(s), code) ||
				len(code) > 3 {
				t.Fatalf("%s(%q) = %q, and that %q, %v", name, s, code, again, err)
			}
		}
		for _, list := range [][]string{SplitList([]string{s}), SplitTitles([]string{s})} {
			for _, item := range list {
				if item == "" {
					t.Fatalf("%q: %q", s, list)
				}
			}
		}
	})
}
