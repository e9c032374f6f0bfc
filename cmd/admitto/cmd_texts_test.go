package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTextsOfTheOperator corrects a text and adds a language without a build: the files come from `admitto texts`, the
// pages say what the folder locale says, and check names what cannot be used.
func TestTextsOfTheOperator(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	written := filepath.Join(t.TempDir(), "texts")
	p.must("texts", written)
	if _, err := os.Stat(filepath.Join(written, "sentences", "en.toml")); err != nil {
		t.Error(err)
	}
	if code, _, stderr := p.command("texts", written); code != 1 || !strings.Contains(stderr, "name a new folder") {
		t.Errorf("status %d: %s", code, stderr)
	}
	folder := filepath.Join(p.folder, "locale")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"pages.pl.toml": "[frame]\nskip = \"Do treści\"\n",
		"en.toml": "[frame]\nskip = \"To the page\"\nskpi = \"x\"\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, stdout, _ := p.command("check"); code != 1 || !strings.Contains(stdout, "en.toml: frame.skpi: no page says") {
		t.Errorf("status %d: %s", code, stdout)
	}
	s := p.serve("--instance.languages=pl,en")
	for lang, want := range map[string]string{"pl": "Do treści", "en": "To the page"} {
		r, err := http.NewRequest(http.MethodGet, s.url+"/help", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Language", lang)
		answer, err := ask(s.client, r)
		if err != nil {
			t.Fatal(err)
		}
		page := answer.body
		if !strings.Contains(page, want) || !strings.Contains(page, `<html lang="`+lang+`"`) ||
			!strings.Contains(page, "polski") {
			t.Errorf("%s: %.900s", lang, page)
		}
	}
}
