package ui_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/ui"
)

func folderOf(files map[string]string) fstest.MapFS {
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

// TestOwnTexts fills the folder of an operator: one text corrected, and a language of their own.
func TestOwnTexts(t *testing.T) {
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	wrong := catalogue.Own(folderOf(map[string]string{
		"en.toml":        "[frame]\nskip = \"To the page\"\n",
		"portal.ar.toml": "[frame]\nskip = \"إلى الصفحة\"\n",
		"pages.pl.toml": "[frame]\nskip = \"Do treści\"\n" +
			"[bulk.selected]\none = \"{{.Count}} wiersz\"\nother = \"{{ .Count }} wierszy\"\n",
		"sentences/pl.toml":  "no-country = \"Wybierz kraj.\"\n",
		"form/pl.toml":       "\"Family name\" = \"Nazwisko\"\n",
		"words/pl.toml":      "[\"Education level\"]\n\"Doctorate (EQF 8)\" = \"Doktorat\"\n",
		"words/ar.toml":      "[\"Education level\"]\n\"Doctorate (EQF 8)\" = \"درجة\"\n",
		"README.md":          "for us",
		"sentences/notes.md": "for us",
	}))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	english, arabic, polish := catalogue.Locale("en"), catalogue.Locale("ar"), catalogue.Locale("pl")
	refusal := message.Of("no-country", "XX")
	for _, c := range []struct{ got, want string }{
		{strings.Join(catalogue.Languages(), " "), "ar en pl"},
		{english.Text("frame.skip"), "To the page"}, {english.Text("frame.stay"), "Stay signed in"},
		{arabic.Text("frame.skip"), "إلى الصفحة"}, {arabic.Word("Education level", "Doctorate (EQF 8)"), "درجة"},
		{arabic.Label("Family name"), "اسم العائلة"},
		{polish.Lang, "pl"}, {polish.Text("lang.name"), "polski"}, {polish.Text("frame.skip"), "Do treści"},
		{polish.Text("frame.stay"), "Stay signed in"}, {polish.Plural("bulk.selected", 1), "1 wiersz"},
		{polish.Plural("bulk.selected", 3), "3 wierszy"}, {polish.Plural("bulk.selected", 5), "5 wierszy"},
		{polish.Label("Family name"), "Nazwisko"}, {polish.Word("Education level", "Doctorate (EQF 8)"), "Doktorat"},
		{polish.Say(refusal), "Wybierz kraj."}, {catalogue.Match("pl-PL"), "pl"},
		{strings.Join(catalogue.Offered([]string{"pl", "en"}), " "), "pl en"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestOwnTextsWrong leaves out what cannot be used, says why, and takes the rest of the file.
func TestOwnTextsWrong(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"pages.toml", "", "the code of a language"}, {"en-US.toml", "", "the code of a language"},
		{"xx.toml", "", "the code of a language"}, {"de/de.toml", "", "nothing is read from a folder de"},
		{"de.toml", "[frame\n", "expected"}, {"sentences/de.toml", "x =", "expected"},
		{"words/de.toml", "[a]\nb = 1", "toml"},
		{"form/de.toml", "\"City\" = 3", "toml"}, {"data/de.toml", "=", "expected"},
		{"de.toml", "[frame]\nskpi = \"x\"", "frame.skpi: no page says this"},
		{"de.toml", "[frame]\nskip = \"\"", "frame.skip: there is no text"},
		{"de.toml", "[bulk.selected]\none = \"{{.Count}}\"", "bulk.selected: there is no text"},
		{"de.toml", "[bulk]\nselected = \"{{.Cuont}}\"", "{{.Cuont}} is not known here: Count"},
		{"de.toml", "[frame]\nskip = \"{{.Count}}\"", "nothing is put in"},
		{"de.toml", "[bulk]\nselected = \"{{printf .Count}}\"", "a dot and a name"},
		{"de.toml", "[bulk]\nselected = \"{{.Count\"", "a dot and a name"},
		{"sentences/de.toml", "no-contry = \"x\"", "no-contry"},
		{"sentences/de.toml", "no-country = \"{nothing} {\"", "no-country"},
		{"de.toml", strings.Repeat("#", 1<<20+1), "too many"},
	} {
		catalogue, err := ui.NewCatalogue()
		if err != nil {
			t.Fatal(err)
		}
		good := "\n[lang]\nname = \"Deutsch\"\n"
		wrong := catalogue.Own(folderOf(map[string]string{c.name: c.text, "good.de.toml": good}))
		if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), c.want) || !strings.HasPrefix(wrong[0].Error(), c.name) {
			t.Errorf("%s %.40q: %v, want %q", c.name, c.text, wrong, c.want)
		}
		german := catalogue.Locale("de")
		for key, want := range map[string]string{"lang.name": "Deutsch", "frame.skip": "Skip to content"} {
			if got := german.Text(key); got != want {
				t.Errorf("%s %.40q: %s is %q, want %q", c.name, c.text, key, got, want)
			}
		}
	}
}

// TestFiles wants what is written out to be what may be read again.
func TestFiles(t *testing.T) {
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	files, err := ui.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range catalogue.Own(files) {
		if !strings.Contains(wrong.Error(), "no page says this") { // tables say it, which this catalogue has not read
			t.Error(wrong)
		}
	}
}

func FuzzOwnTexts(f *testing.F) {
	f.Add("de.toml", "[frame]\nskip = \"x\"")
	f.Add("words/de.toml", "[\"Education level\"]\n\"x\" = \"y\"")
	f.Add("sentences/de.toml", "no-country = \"{x}\"")
	f.Add("form/de.toml", "\"City\" = \"Ort\"")
	f.Fuzz(func(t *testing.T, name, text string) {
		catalogue, err := ui.NewCatalogue()
		if err != nil {
			t.Fatal(err)
		}
		folder := fstest.MapFS{}
		if name = strings.Trim(name, "/"); name != "" {
			folder[name] = &fstest.MapFile{Data: []byte(text)}
		}
		catalogue.Own(folder)
		for _, lang := range catalogue.Languages() {
			l := catalogue.Locale(lang)
			if l.Text("frame.skip") == "frame.skip" || strings.Contains(l.Plural("bulk.selected", 3), "<no value>") {
				t.Errorf("%s: %q", name, text)
			}
		}
	})
}
