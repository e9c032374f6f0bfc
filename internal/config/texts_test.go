package config

import (
	"os"
	"strings"
	"testing"
)

// TestTextsIn picks the text of a language, and else that of the first of the instance.
func TestTextsIn(t *testing.T) {
	for _, c := range []struct{ saved, lang, text, of string }{
		{"", "en", "", ""},
		{"plain", "ar", "plain", "en"},
		{"plain", "en", "plain", "en"},
		{`{"en": "a", "ar": "b"}`, "ar", "b", "ar"},
		{`{"en": "a", "ar": " "}`, "ar", "a", "en"},
		{`{"": "a", "ar": "b"}`, "en", "a", "en"},
		{`{"pt": "c"}`, "ar", "c", "pt"},
		{`{"pt": null}`, "ar", "", ""},
	} {
		texts, err := ParseTexts(c.saved)
		if err != nil {
			t.Errorf("%s: %v", c.saved, err)
			continue
		}
		if text, of := texts.In(c.lang, []string{"en", "ar"}); text != c.text || of != c.of {
			t.Errorf("%s in %s: %q, %q", c.saved, c.lang, text, of)
		}
		again, err := ParseTexts(texts.Saved())
		if err != nil || again.Saved() != texts.Saved() {
			t.Errorf("%s is read again as %s: %v", c.saved, again.Saved(), err)
		}
	}
}

func FuzzTexts(f *testing.F) {
	for _, seed := range []string{"", "a", "{", `{"en":"a","pt":"b\n\nc"}`, `{"":"a"}`, `{"xx":"a"}`, "{}{}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, saved string) {
		texts, err := ParseTexts(saved)
		if err != nil {
			return
		}
		again, err := ParseTexts(texts.Saved())
		if err != nil || again.Saved() != texts.Saved() {
			t.Errorf("%q became %q: %v", saved, texts.Saved(), err)
		}
	})
}

// TestAccent measures colours, and makes those of the dark scheme so that they can be read.
func TestAccent(t *testing.T) {
	for text, measured := range map[string]string{"#FFFFFF": "1.00", "#7CB8F2": "1.84", "#FF0000": "3.50",
		"#777777": "3.92"} {
		_, err := ParseAccent(text)
		if err == nil || !strings.Contains(err.Error(), measured+":1") {
			t.Errorf("%s: %v", text, err)
		}
	}
	styles, err := os.ReadFile("../ui/css/00-tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, ground := range append(lightGrounds(), darkGrounds()...) {
		if !strings.Contains(string(styles), ": "+ground) {
			t.Errorf("no background of the styles is %s", ground)
		}
	}
}

func FuzzAccent(f *testing.F) {
	for _, seed := range []string{"", "#0B5FA5", "#000000", "#ffffff", "#12345", "red", "#-00001"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAccent(text)
		if err != nil || text == "" {
			return
		}
		light, ok := parseColour(a.Light)
		dark, fine := parseColour(a.Dark)
		if !ok || !fine || contrast(light, lightGrounds()) < leastContrast || contrast(dark, darkGrounds()) < leastContrast {
			t.Errorf("%q became %+v", text, a)
		}
		for _, over := range []string{a.LightOver, a.DarkOver} {
			if _, ok := parseColour(over); !ok {
				t.Errorf("%q became %+v", text, a)
			}
		}
	})
}
