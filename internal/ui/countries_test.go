package ui

import (
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/text"
)

// TestCountries has each country once, named and sorted as the language does.
func TestCountries(t *testing.T) {
	t.Parallel()
	c, err := NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	english, arabic := c.Locale("en"), c.Locale("ar")
	if got := english.Country("PT"); got != text.CountryName("PT") || arabic.Country("PT") != "البرتغال" ||
		arabic.Country("ZZ") != "" {
		t.Errorf("Portugal is %q and %q", got, arabic.Country("PT"))
	}
	for _, l := range []*Locale{english, arabic} {
		options := l.Countries()
		codes := map[string]bool{}
		for _, o := range options {
			codes[o.Value] = o.Text != "" && o.Text != o.Value
		}
		if len(options) != len(text.Countries()) || len(codes) != len(options) {
			t.Errorf("%s has %d countries", l.Lang, len(options))
		}
		for code, named := range codes {
			if !named {
				t.Errorf("%s has no name for %s", l.Lang, code)
			}
		}
	}
	place := func(l *Locale, code string) int {
		return slices.IndexFunc(l.Countries(), func(o Option) bool { return o.Value == code })
	}
	if place(english, "AX") > place(english, "AL") { // Åland Islands, Albania
		t.Error("an accent counts as a letter of its own")
	}
	if place(arabic, "AL") > place(arabic, "YE") || place(arabic, "AL") == place(english, "AL") {
		t.Error("Arabic names are not in their order")
	}
}
