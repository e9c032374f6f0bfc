package ui_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/ui"
)

// TestSentencesInLanguages wants every sentence in every language, but those that only calls of the API can be answered
// with, and programs that ask for plain text: nobody but internal/api and internal/web says them.
func TestSentencesInLanguages(t *testing.T) {
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	literal := regexp.MustCompile(`"([a-z0-9]+(?:-[a-z0-9]+)+)"`)
	err = filepath.WalkDir("..", func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{"../api", "../web", "../message", "../devdocs", "../archtest"}, filepath.ToSlash(name)) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, match := range literal.FindAllStringSubmatch(string(text), -1) {
			said[match[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for code, sentence := range message.English() {
		if !said[code] {
			continue
		}
		n++
		for _, lang := range catalogue.Languages() {
			if lang != "en" && catalogue.Locale(lang).Sentences()[code] == nil {
				t.Errorf("locale/sentences/%s.toml lacks %s: %s", lang, code, sentence.Text)
			}
		}
	}
	if n < 400 {
		t.Error("too few sentences are found: ", n)
	}
}

// TestSentences wants every sentence that a form can show in the words of pages in English: one that is a whole
// sentence and not one of the API.
func TestSentences(t *testing.T) {
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	compiled := message.English()
	for _, code := range shownByForms(t) {
		if compiled[code] == nil {
			continue // the code of something else
		}
		if catalogue.Locale("en").Sentences()[code] != nil || partOfAnother(code) {
			continue
		}
		said := compiled[code].Text
		if first := []rune(said)[0]; !unicode.IsUpper(first) || !strings.HasSuffix(said, ".") || ofAPI.MatchString(said) {
			t.Errorf("locale/sentences/en.toml lacks %s, which the API says so: %s", code, said)
		}
	}
}

// ofAPI finds words that are for programmers.
var ofAPI = regexp.MustCompile(`\b(Location|parameter|this call|bytes|ISO|UTF-8|ID)\b`)

// partOfAnother reports whether a sentence stands only inside of another, such as that about an e-mail address, or is
// the name of something.
func partOfAnother(code string) bool {
	return strings.HasPrefix(code, "email-") || strings.HasPrefix(code, "batch-") || // names of actions
		strings.HasPrefix(code, "format-") ||
		code == "invoice-reduction" || code == "mail-nothing-missing"
}

// shownByForms are the codes of what forms call: all of accounts, keys and single values, and what pages of staff
// change of applicants and applications.
func shownByForms(t *testing.T) (codes []string) {
	t.Helper()
	// No form calls these: they are said by the command line, by queues of mails, and about values that no page asks for.
	others := []string{"setup-link-dead", "set-up-already",
		"no-id", "id-too-long", "no-time", "no-day-of-calendar", "no-time-of-clock", "time-outside-years",
		"mail-to-address-refused", "mail-refused-for-good", "mail-deferred", "mail-server-not-to-blame", "mail-server-away",
		"mail-refused", "address-refused", "address-deferred", "welcome-not-taken", "demo-no-applicant",
		"first-call-in-progress", "idempotency-key-reused"}
	call := regexp.MustCompile(`message\.Of\(\s*"([a-z0-9-]+)"`)
	for _, pattern := range []string{"../accounts/*.go", "../apikey/*.go", "../text/*.go", "../site/*.go", "../admin/*.go",
		"../filekind/logo.go", "../maintenance/logo.go",
		"../scoring/*.go", "../catalogue/*.go", "../billing/*.go", "../mailtexts/*.go", "../automation/*.go",
		"../batch/*.go", "../leads/*.go", "../privacy/*.go", "../admitto/*.go",
		"../portal/*.go", "../admissions/at_once.go", "../admissions/apply.go", "../admissions/deadline.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range call.FindAllStringSubmatch(string(text), -1) {
				if !slices.Contains(others, match[1]) {
					codes = append(codes, match[1])
				}
			}
		}
	}
	slices.Sort(codes)
	if codes = slices.Compact(codes); len(codes) < 50 {
		t.Fatal("too few sentences are found: ", codes)
	}
	return codes
}
