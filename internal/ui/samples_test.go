package ui

import (
	"net/url"
	"slices"
	"testing"
)

// TestSamplesAreTranslated wants every word of the samples in Arabic, and none that no sample says.
func TestSamplesAreTranslated(t *testing.T) {
	catalogue, err := NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	assets, err := NewAssets()
	if err != nil {
		t.Fatal(err)
	}
	handler, err := Styleguide(catalogue, assets, nil)
	if err != nil {
		t.Fatal(err)
	}
	words := handler.(*guide).words["ar"]
	unused := map[string]bool{}
	for english := range words {
		unused[english] = true
	}
	missing := map[string]bool{}
	for name, sample := range samples() {
		s := &sampleText{Locale: catalogue.Locale("ar"), words: words, query: url.Values{}, path: name,
			said: func(english string) {
				delete(unused, english)
				if _, ok := words[english]; !ok {
					missing[english] = true
				}
			}}
		sample(s)
	}
	for _, english := range sorted(missing) {
		t.Errorf("%q = \"\"", english)
	}
	for _, english := range sorted(unused) {
		if english != "University of Porto Alto" {
			t.Errorf("samples/ar.toml has %q, which no sample says", english)
		}
	}
}

func sorted(set map[string]bool) (list []string) {
	for item := range set {
		list = append(list, item)
	}
	slices.Sort(list)
	return list
}
