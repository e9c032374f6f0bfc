package ui_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/admitto/admitto/internal/ui"
)

// TestCatalogues wants every message that a template or the code of pages names in every language, and none that nobody
// names.
func TestCatalogues(t *testing.T) {
	english, err := ui.Keys("en")
	if err != nil || len(english) == 0 {
		t.Fatal(err)
	}
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range catalogue.Languages() {
		keys, err := ui.Keys(lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range english {
			if !slices.Contains(keys, key) {
				t.Errorf("locale/%s.toml lacks %s", lang, key)
			}
		}
		for _, key := range keys {
			if !slices.Contains(english, key) && !saidByTables(key) {
				t.Errorf("locale/%s.toml has %s, which English lacks", lang, key)
			}
		}
	}
	named := map[string]bool{}
	for n := 1; n <= 12; n++ {
		named["month."+time.Date(2027, time.Month(n), 1, 0, 0, 0, 0, time.UTC).Format("01")] = true
	}
	group := regexp.MustCompile(`Group: "([a-z_]+)"`) // of words in sentences
	for _, pattern := range []string{"../admitto/*.go", "../admissions/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range group.FindAllStringSubmatch(string(text), -1) {
				named[match[1]+"."] = true
			}
		}
	}
	// A page names messages by literals; those of routes and permissions are named by what they are of.
	literal := regexp.MustCompile(`"([a-z][a-z_0-9-]*(?:\.[a-z_0-9-]*)?)"`)
	for _, pattern := range []string{"components/*.html", "layouts/*.html", "*.go", "../site/*.go", "../site/*/*.go",
		"../site/pages/*.html",
		"../admin/*.go", "../admin/*/*.go", "../admin/pages/*.html", "../portal/*.go", "../portal/*/*.go",
		"../portal/pages/*.html",
		"../admitto/permission.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, match := range literal.FindAllStringSubmatch(string(text), -1) {
				named[match[1]] = true
			}
			for _, match := range call.FindAllStringSubmatch(string(text), -1) {
				if !slices.Contains(english, match[1]) {
					t.Errorf("%s names %s, which is not in locale/en.toml", name, match[1])
				}
			}
		}
	}
	for _, key := range english {
		group, name, _ := strings.Cut(key, ".")
		switch group {
		case "own_status", "own_decision": // of the file with one's own data, by the words of its groups
			continue
		case "title", "action", "nav", "role", "permission", "permission_text", "refusal", "scheme":
			if named[name] || named[strings.ReplaceAll(name, "_", "-")] || named[strings.TrimSuffix(name, "_text")] {
				continue
			}
		}
		if !named[key] && !named[strings.TrimSuffix(key, "_hint")] && !named[group+"."] {
			t.Errorf("nobody says %s of locale/en.toml", key)
		}
	}
}

// TestTanwin wants Arabic written in one way: the mark of an indefinite accusative before its alef.
func TestTanwin(t *testing.T) {
	files := 0
	err := fs.WalkDir(os.DirFS("locale"), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "ar.toml") {
			return err
		}
		files++
		text, err := os.ReadFile(filepath.Join("locale", name))
		if at := strings.Index(string(text), "\u0627\u064b"); at >= 0 {
			t.Errorf("locale/%s, line %d: the mark stands after its alef", name, 1+strings.Count(string(text[:at]), "\n"))
		}
		return err
	})
	if err != nil || files < 2 {
		t.Errorf("%d files: %v", files, err)
	}
}

// saidByTables reports whether tables of the code may say a message in English. TestEnglish of internal/admin looks at
// those.
func saidByTables(key string) bool {
	return strings.HasPrefix(key, "setting.") || strings.HasPrefix(key, "event.")
}

// call finds what is named where a message must be.
var call = regexp.MustCompile(`(?:\bt|\bplural|\.Text|\.Plural|\.T|\.Fail)[ (]"([a-z_0-9-]+\.[a-z_0-9-]+)"`)

func TestLocale(t *testing.T) {
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	english, arabic := catalogue.Locale("en"), catalogue.Locale("ar")
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	kolkata := time.FixedZone("Asia/Kolkata", 19800)
	at := time.Date(2027, 5, 15, 23, 59, 0, 0, lisbon)
	for _, c := range []struct{ got, want string }{
		{english.Number(0), "0"}, {english.Number(999), "999"}, {english.Number(1284), "1,284"}, {english.Number(-1234567),
			"−1,234,567"},
		{english.Money(4500, "EUR"), "45.00 EUR"}, {english.Money(-5, "EUR"), "−0.05 EUR"}, {english.Money(123456789, "EUR"),
			"1,234,567.89 EUR"},
		{english.Date(at), "15 May 2027"}, {english.ShortDate(at), "15 May"}, {english.Time(at),
			"15 May 2027, 23:59 (Europe/Lisbon, UTC+1)"},
		{english.Time(at.In(kolkata)), "16 May 2027, 04:29 (Asia/Kolkata, UTC+5:30)"}, {english.Time(at.UTC()),
			"15 May 2027, 22:59 (UTC)"},
		{arabic.Date(at), "15 مايو 2027"}, {arabic.Number(1284), "1,284"}, {arabic.Dir(), "rtl"}, {english.Dir(), "ltr"},
		{arabic.Listed("a", "", "b"), "a، b"}, {english.Listed("a", "b"), "a, b"},
		{catalogue.Locale("xx").Lang, "en"}, {english.Text("no.such"), "no.such"}, {english.Text("bulk.selected", "Count", 3),
			"3 selected"},
		{catalogue.Match("", "ar"), "ar"}, {catalogue.Match("fr, ar;q=0.5, en;q=0.4"), "ar"}, {catalogue.Match("ar-EG"),
			"ar"}, {catalogue.Match("ar", "xx", "en"), "en"},
		{catalogue.Match("\x00;;q=,"), "en"}, {catalogue.Match(strings.Repeat("ar,", 1000)), "en"}, {catalogue.Match(""),
			"en"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestNumbersInArabic wants days such as 2027-05-15 and telephone numbers to stand behind a left-to-right mark in
// Arabic, or behind Latin letters: behind Arabic ones their parts would be shown in the reverse order. Markers such as
// %incYearly:4% have to be isolated for the same reason.
func TestNumbersInArabic(t *testing.T) {
	names, err := filepath.Glob("locale/*.ar.toml")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	parts := regexp.MustCompile(`\d-\d|\+\d`)
	marker := regexp.MustCompile(`(\\u2068|-)?%[a-zA-Z-]+(:\d+)?%`)
	for _, name := range append(names, "locale/sentences/ar.toml") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			key, said, _ := strings.Cut(line, " = ")
			for _, found := range marker.FindAllStringSubmatch(said, -1) {
				if found[1] == "" && !strings.HasPrefix(key, "correction_") { // which a person changes, and a mail is
					t.Errorf("%s: %s does not isolate %s", name, key, found[0])
				}
			}
			for _, at := range parts.FindAllStringIndex(said, -1) {
				before := []rune(said[:at[0]])
				n := len(before) - 1
				for n >= 0 && !unicode.IsLetter(before[n]) && before[n] != '\u200E' {
					n--
				}
				if n >= 0 && unicode.Is(unicode.Arabic, before[n]) {
					t.Errorf("%s: %s shows %q in the reverse order", name, key, said[at[0]:])
				}
			}
		}
	}
}
