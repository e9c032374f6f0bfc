package admintest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/ui"
)

// printed are the labels in the source of papers.
var printed = regexp.MustCompile(`(?:Label:\s*|\bOf\(|\bhead\()"([^"]+)"`)

// TestFormLabels wants every label of the application form and of papers in every language, and no other.
func TestFormLabels(t *testing.T) {
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
	// What papers say besides.
	for _, pattern := range []string{"../../query/printout.go", "../../query/invoice.go", "../../pdf/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range printed.FindAllSubmatch(text, -1) {
				english = append(english, string(found[1]))
			}
		}
	}
	for _, lang := range catalogue.Languages() {
		l := catalogue.Locale(lang)
		for _, label := range english {
			if translated := l.Label(label); lang != "en" && translated == label && label != "" {
				t.Errorf("locale/form/%s.toml or locale/print lacks %q", lang, label)
			}
		}
		for _, label := range l.Labels() {
			if !slices.Contains(english, label) {
				t.Errorf("locale/form/%s.toml or locale/print has %q, which neither the form nor a paper has", lang, label)
			}
		}
	}
}
