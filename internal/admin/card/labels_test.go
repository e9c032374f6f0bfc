package card

import (
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/ui"
)

// TestLabels wants every label of the application form in every language, and no label of a field that there is not.
func TestLabels(t *testing.T) {
	t.Parallel()
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	var english []string
	for _, s := range form.Sections() {
		english = append(english, s.Title)
	}
	for _, f := range form.Fields() {
		english = append(english, f.Label)
		for _, w := range f.Words {
			english = append(english, w.Label)
		}
	}
	for _, lang := range catalogue.Languages() {
		l := catalogue.Locale(lang)
		for _, label := range english {
			if translated := l.Label(label); lang != "en" && translated == label && label != "" {
				t.Errorf("locale/form/%s.toml lacks %q", lang, label)
			}
		}
		for _, label := range l.Labels() {
			if !slices.Contains(english, label) {
				t.Errorf("locale/form/%s.toml has %q, which the form does not have", lang, label)
			}
		}
	}
}
