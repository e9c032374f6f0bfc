package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPhone(t *testing.T) {
	for _, good := range []string{"", "112", "+351 21 000 00 00", "(021) 555-0100", "021/555.0100 ext. 12", "٠٢١٥٥٥٠١٠٠",
		"1 2 3",
		"+351 21 000 00 00 or Mrs Lind"} {
		if got, err := Phone("", 30)(good); err != nil || got != good {
			t.Errorf("%q: %q %v", good, got, err)
		}
	}
	for _, bad := range []string{"abc", "12", "+", "()", "call 112", "-112", "a1b2c3", "1a23", "<script>112", "\x01123",
		"\xff112",
		strings.Repeat("1", 31), "²³¹", "@112"} {
		if got, err := Phone("", 30)(bad); err == nil {
			t.Errorf("%q is taken as %q", bad, got)
		}
	}
	if got, err := Phone("see notes", 30)("see notes"); err != nil || got != "see notes" {
		t.Errorf("what is stored: %q %v", got, err)
	}
}

// FuzzPhone: what is taken is taken again, is short enough and has digits.
func FuzzPhone(f *testing.F) {
	for _, seed := range []string{"", "+351 1", "abc", "(1) 23", "\u202e123", "123 ext. 4", "\xff", "１２３"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Phone("", 30)(s)
		if err != nil {
			return
		}
		again, err := Phone("", 30)(got)
		if err != nil || again != got || utf8.RuneCountInString(got) > 30 || got != "" && !isPhone(got) {
			t.Fatalf("%q: %q, and that %q %v", s, got, again, err)
		}
	})
}
