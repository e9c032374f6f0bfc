package admin_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admin"
	"github.com/admitto/admitto/internal/ui"
)

// TestEnglish wants every message that a table says in English in every other language, in English only where a page
// says it otherwise, and no others of settings and events.
func TestEnglish(t *testing.T) {
	said := admin.English()
	catalogue, err := ui.NewCatalogue(said)
	if err != nil {
		t.Fatal(err)
	}
	english, err := ui.Keys("en")
	if err != nil {
		t.Fatal(err)
	}
	files, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	for key, text := range said {
		if text == "" {
			t.Errorf("the table says nothing for %s", key)
		}
		if slices.Contains(english, key) && files.Locale("en").Text(key, "Value", "{{.Value}}") == text {
			t.Errorf("a file says %s in English as the table does", key)
		}
	}
	for _, lang := range catalogue.Languages() {
		keys, err := ui.Keys(lang)
		if err != nil {
			t.Fatal(err)
		}
		for key := range said {
			if lang != "en" && !slices.Contains(keys, key) {
				t.Errorf("the files of %s lack %s: %s", lang, key, said[key])
			}
		}
		for _, key := range keys {
			if group, _, _ := strings.Cut(key, "."); (group == "setting" || group == "event") && said[key] == "" &&
				!slices.Contains(english, key) {
				t.Errorf("the files of %s have %s, which nothing says in English", lang, key)
			}
		}
	}
}
