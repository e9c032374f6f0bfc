package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"":                  "",
		"  Zoë  VON\tÜnal ": "zoe von unal",
		"O'Brien":           "obrien",
		"Łukasz Strauß":     "lukasz strauss",
		"Ørsted ÆON":        "orsted aeon",
		"İpek Işık":         "ipek isik",
		"ﬁne\xff!":          "fine !",
		"中文 Ли":             "中文 ли",
	} {
		if got := Fold(in); got != want {
			t.Errorf("%q is folded to %q, not %q", in, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		read     func(string) []string
		in       string
		expected []string
	}{
		{Words, "", nil},
		{Words, " - . ", nil},
		{Words, "Anna-Maria d'Árco", []string{"anna-maria", "anna", "maria", "darco"}},
		{EmailWords, "Ilse.Varga@Example.org", []string{"ilse.varga", "ilse", "varga", "example.org"}},
		{EmailWords, "nobody", []string{"nobody"}},
		{EmailWords, "@x", []string{"x"}},
		{Terms, "Varga  ILSE varga", []string{"varga", "ilse"}},
		{Terms, "varga@exa", []string{"varga", "exa"}},
		{Terms, "+36 20 555-0000", []string{"36205550000"}},
		{Terms, "4711", []string{"4711"}},
		{Terms, " @ , ", nil},
	} {
		if got := c.read(c.in); !slices.Equal(got, c.expected) {
			t.Errorf("words of %q: %q, not %q", c.in, got, c.expected)
		}
	}
	for in, want := range map[string]string{"": "", "+372 1": "", "0000000000": "", "1111111": "",
		"+36 (20) 555-0000": "36205550000", "0036 20 555 0000": "36205550000"} {
		if got := PhoneKey(in); got != want {
			t.Errorf("the key of %q is %q, not %q", in, got, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", "Zoë", "a@b", "\xff", "İ", "ﬁ", "+36 20"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := Fold(s); Fold(got) != got || !utf8.ValidString(got) {
			t.Errorf("%q is folded to %q, and that to %q", s, got, Fold(got))
		}
		for _, w := range slices.Concat(Words(s), EmailWords(s), Terms(s), []string{PhoneKey(s)}) {
			if len(w) > foldWidth || !utf8.ValidString(w) {
				t.Errorf("%q has the word %q", s, w)
			}
		}
	})
}

// TestPhoneWords finds a number by any part of it, with and without its beginning.
func TestPhoneWords(t *testing.T) {
	t.Parallel()
	words := PhoneWords(PhoneKey("+351 912 345 678"))
	for _, part := range []string{"351912", "912345678", "0912 345 678", "345", "345 678", "678", "912 345"} {
		for _, term := range Terms(part) {
			if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, term) }) {
				t.Errorf("%q is not found by %q", words, part)
			}
		}
	}
	if got := PhoneWords(""); got != nil {
		t.Error(got)
	}
	if got := PhoneWords(strings.Repeat("12345", 12)); len(got) > 15 {
		t.Error(len(got), " words")
	}
}
