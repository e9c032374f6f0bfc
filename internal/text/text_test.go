package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		in       string
		min, max int
		want     string
		fault    string // part of the error; "" means accepted
	}{
		{"Mari Maasikas", 1, 64, "Mari Maasikas", ""},
		{"\u00a0\u3000 Mari\t\r\n\u2028", 1, 64, "Mari", ""},
		{"Zoe\u0308", 1, 4, "Zoë", ""},
		{"Zoe\u0308", 4, 4, "", `"Zoë" has 3 characters; exactly 4 are allowed`},
		{"\u212b", 1, 1, "\u00c5", ""},
		{"", 0, 10, "", ""},
		{"  ", 0, 10, "", ""},
		{"  ", 1, 10, "", `"" has 0 characters; 1 to 10 are allowed`},
		{"a", 2, 10, "", `"a" has 1 character; 2 to 10 are allowed`},
		{strings.Repeat("ä", 10), 1, 10, strings.Repeat("ä", 10), ""},
		{strings.Repeat("ä", 11), 1, 10, "", "has 11 characters; 1 to 10 are allowed"},
		{"😀😀", 2, 2, "😀😀", ""},
		{"a\tb", 1, 64, "", `"a\tb" holds the control character U+0009; only plain text on one line is allowed`},
		{"a\nb", 1, 64, "", "U+000A"},
		{"a\x00b", 1, 64, "", "U+0000"},
		{"a\x7fb", 1, 64, "", "U+007F"},
		{"a\u0085b", 1, 64, "", "U+0085"},
		{"a\u2028b", 1, 64, "", "U+2028"},
		{"a\u2029b", 1, 64, "", "U+2029"},
		{"a\u202eb", 1, 64, "a\u202eb", ""}, // only control characters of category Cc are refused
		{"a\u200db", 1, 64, "a\u200db", ""},
		{"a\xffb", 1, 64, "", `"a\xffb" is not text in UTF-8`},
		{"\xed\xa0\x80", 1, 64, "", "is not text in UTF-8"}, // half of a surrogate pair
	} {
		got, err := Line(c.in, c.min, c.max)
		check(t, "Line", c.in, got, err, c.want, c.fault)
	}
}

func TestMultiline(t *testing.T) {
	for _, c := range []struct {
		in       string
		min, max int
		want     string
		fault    string
	}{
		{"one\r\ntwo\n\tthree\rfour", 1, 64, "one\r\ntwo\n\tthree\rfour", ""},
		{"\n\n one \n\n", 1, 64, "one", ""},
		{"e\u0301\n", 1, 1, "é", ""},
		{"a\u2028b", 1, 64, "a\u2028b", ""},
		{"a\vb", 1, 64, "", "U+000B; only plain text, line breaks and tabs are allowed"},
		{"a\x1bb", 1, 64, "", "U+001B"},
		{"a\u0085b", 1, 64, "", "U+0085"},
		{"", 1, 64, "", "has 0 characters"},
		{"a\r\nb", 1, 3, "", "has 4 characters; 1 to 3 are allowed"},
		{"\xc3", 1, 64, "", "is not text in UTF-8"},
	} {
		got, err := Multiline(c.in, c.min, c.max)
		check(t, "Multiline", c.in, got, err, c.want, c.fault)
	}
}

// check compares one result with what a table wants.
func check(t *testing.T, name, in, got string, err error, want, fault string) {
	t.Helper()
	switch {
	case got != want:
		t.Errorf("%s(%q) = %q, want %q", name, in, got, want)
	case (err != nil) != (fault != ""):
		t.Errorf("%s(%q): error %v, want %q", name, in, err, fault)
	case err != nil && !strings.Contains(err.Error(), fault):
		t.Errorf("%s(%q): error %q lacks %q", name, in, err, fault)
	}
}

func TestLineIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		once, err := Line(in, 0, 100)
		if err != nil {
			return
		}
		twice, err := Line(once, 0, 100)
		if err != nil || twice != once {
			t.Fatalf("Line(%q) = %q, Line of that = %q, %v", in, once, twice, err)
		}
	})
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "Mari", " a\u0308 ", "a\nb", "\xff", "\u1100\u1161\u11a8",
		strings.Repeat("\u0301", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for name, parse := range map[string]func(string, int, int) (string, error){"Line": Line, "Multiline": Multiline} {
			got, err := parse(in, 1, 50)
			if err != nil {
				if !utf8.ValidString(err.Error()) || strings.IndexFunc(err.Error(), unicode.IsControl) >= 0 {
					t.Errorf("%s(%q): error %q", name, in, err)
				}
				continue
			}
			if n := utf8.RuneCountInString(got); n < 1 || n > 50 || !norm.NFC.IsNormalString(got) ||
				got != strings.TrimSpace(got) {
				t.Errorf("%s(%q) = %q", name, in, got)
			}
			if again, err := parse(got, 1, 50); err != nil || again != got {
				t.Errorf("%s(%q) = %q, and again %q, %v", name, in, got, again, err)
			}
		}
	})
}

func TestQuote(t *testing.T) {
	for _, c := range [][2]string{
		{"XX", `"XX"`},
		{"", `""`},
		{"Türkiye", `"Türkiye"`},
		{"a\"b\\c", `"a\"b\\c"`},
		{"a\r\n\x00\u202e", `"a\r\n\x00\u202e"`},
		{strings.Repeat("ä", 64), `"` + strings.Repeat("ä", 64) + `"`},
		{strings.Repeat("ä", 65), `"` + strings.Repeat("ä", 64) + `…"`},
	} {
		if got := Quote(c[0]); got != c[1] {
			t.Errorf("Quote(%q) = %s, want %s", c[0], got, c[1])
		}
	}
}

func TestID(t *testing.T) {
	for in, want := range map[string]int64{
		"1": 1, "4711": 4711, "999999999999999999": 999999999999999999,
		"": 0, "0": 0, "01": 0, "-1": 0, "+1": 0, "1.0": 0, "1e3": 0, " 1": 0, "0x1": 0, "1_000": 0, "abc": 0,
		"1000000000000000000": 0, "٣": 0, "１": 0,
	} {
		got, err := ID(in)
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("ID(%q) = %d, %v; want %d", in, got, err, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ in, list, titles []string }{
		{nil, nil, nil},
		{[]string{""}, nil, nil},
		{[]string{" , ,\t"}, nil, nil},
		{[]string{"1,2 3"}, []string{"1", "2", "3"}, []string{"1", "2 3"}},
		{[]string{"1,,2,", " 3"}, []string{"1", "2", "3"}, []string{"1", "2", "3"}},
		{[]string{"Positive feedback , Rejected"}, []string{"Positive", "feedback", "Rejected"},
			[]string{"Positive feedback", "Rejected"}},
		{[]string{"a\u00a0b\nc"}, []string{"a", "b", "c"}, []string{"a\u00a0b\nc"}},
	} {
		if got := SplitList(c.in); !slices.Equal(got, c.list) {
			t.Errorf("SplitList(%q) = %q, want %q", c.in, got, c.list)
		}
		if got := SplitTitles(c.in); !slices.Equal(got, c.titles) {
			t.Errorf("SplitTitles(%q) = %q, want %q", c.in, got, c.titles)
		}
	}
}
