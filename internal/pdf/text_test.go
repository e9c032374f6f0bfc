package pdf

import "testing"

func TestVisual(t *testing.T) {
	for line, want := range map[string]string{
		"abc":              "abc",
		"אבג":              "גבא",
		"אבג דהו":          "והד גבא",
		"abc אבג דהו xyz":  "abc והד גבא xyz",
		"abc (אבג) xyz":    "abc (גבא) xyz",
		"אבג (דה)":         "(הד) גבא",
		"אבג 12.5 דהו":     "והד 12.5 גבא",
		"אבג abc דהו":      "והד abc גבא",
		"Tel. אבג 12":      "Tel. 12 גבא",
		"ש\u05c1ל":         "לש\u05c1",
		"":                 "",
		"12 ()":            "12 ()",
		"abc 12 אבג 34 ab": "abc 12 34 גבא ab",
	} {
		if got := visual([]rune(line), baseOf([]rune(line))); got != want {
			t.Errorf("%q stands as %q, want %q", line, got, want)
		}
	}
}

func TestJoin(t *testing.T) {
	printer, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"abc":                "abc",
		"\u0628":             "\u0628",             // alone
		"\u0628\u0628":       "\uFE91\uFE90",       // first, last
		"\u0628\u0628\u0628": "\uFE91\uFE92\uFE90", // middle
		"\u0627\u0628":       "\u0627\u0628",       // alef joins to nothing after it
		"\u0628\u0627\u0628": "\uFE91\uFE8E\u0628",
		"\u0644\u0627":       "\uFEFB",
		"\u0628\u0644\u0627": "\uFE91\uFEFC",
		"\u0628\u200c\u0628": "\u0628\u200c\u0628",           // kept apart
		"\u0628\u064e\u0628": "\uFE91\u064e\uFE90",           // a vowel sign does not part them
		"\u064a\u0648\u0621": "\uFEF3\uFEEE\u0621",           // the end of the table
		"\u0628\u0640\u0628": "\uFE91\u0640\uFE90",           // drawn out
		"\u06cc\u06a9":       string([]rune{0xFBFE, 0xFB8F}), // Persian
	} {
		if got := string(join([]rune(text), printer.regular)); got != want {
			t.Errorf("%+q is drawn as %+q, want %+q", text, got, want)
		}
	}
}
