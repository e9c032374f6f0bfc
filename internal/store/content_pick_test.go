package store

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/google/go-cmp/cmp"
)

// pickedTexts are paths of texts, with what they stand for.
var pickedTexts = map[string]func(*admitto.Content) admitto.Optional{
	"profile.gender":           func(c *admitto.Content) admitto.Optional { return c.Profile.Gender },
	"profile.birth.place":      func(c *admitto.Content) admitto.Optional { return c.Profile.Birth.Place },
	"profile.passport.country": func(c *admitto.Content) admitto.Optional { return c.Profile.Passport.Country },
	"contact.address.street":   func(c *admitto.Content) admitto.Optional { return c.Contact.Address.Street },
}

// pickFrom reads the paths from a content.
func pickFrom(t *testing.T, content []byte, texts, lists []string) (ContentValues, error) {
	t.Helper()
	picker := contentPicker{root: contentParts(texts, lists)}
	return picker.values(content, make([]string, len(texts)))
}

func TestContentValues(t *testing.T) {
	texts := []string{"profile.birth.place", "profile.gender", "contact.address.street"}
	lists := []string{"languages", "extras"}
	english := []admitto.Language{{Name: "en"}}
	for _, row := range []struct {
		content string
		texts   []string
		lists   *admitto.Content
	}{
		{`{}`, []string{"", "", ""}, nil},
		{`{"profile":null,"languages":null}`, []string{"", "", ""}, nil},
		{`{"profile":{"gender":"F","birth":null}}`, []string{"", "F", ""}, nil},
		{`{"profile":{"name":{"gender":"M"},"gender":"F"},"gender":"X"}`, []string{"", "F", ""}, nil},
		{`{"home":{"a":[{"profile":{"gender":"M"}},"}"]},"profile":{"gender":"F","birth":{"date":"","place":"\u00c9}\"{\\"}}}`, []string{`É}"{\`, "F", ""}, nil},
		{" {\n\t\"contact\" : { \"address\" : { \"house\" : 1.5e3 , \"x\" : [ ] , \"street\" : \"A 1\" } } , \"languages\" : [ { \"name\" : \"en\" } ] } ",
			[]string{"", "", "A 1"}, &admitto.Content{Languages: english}},
		{`{"languages":[{"name":"en"}],"extras":[{"id":7,"text":"]"}]}`, []string{"", "", ""},
			&admitto.Content{Languages: english, Extras: []admitto.Extra{{ID: 7, Text: "]"}}}},
	} {
		got, err := pickFrom(t, []byte(row.content), texts, lists)
		if diff := cmp.Diff(ContentValues{row.texts, row.lists}, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", row.content, err, diff)
		}
	}
	for _, broken := range []string{``, `null`, `[]`, `"profile"`, `{`, `{"profile"`, `{"profile":`, `{"profile":{"gender":5}}`, `{"profile":{"gender":"F}}`,
		`{"profile":{"gender":"\q"}}`, `{"profile":"x"}`, `{"languages":[}`, `{"languages":{"name":"en"}}`, `{"profile":{"birth":{"place":"x"`} {
		if got, err := pickFrom(t, []byte(broken), texts, lists); err == nil {
			t.Errorf("%s: %v", broken, got)
		}
	}
}

// What is picked from a content is what the whole of it holds; and no text at all ends the program.
func FuzzContentValues(f *testing.F) {
	for _, text := range []string{`{"profile":{"gender":"F","birth":{"place":"P\u0000\"\\"}},"languages":[{"name":"et"}]}`,
		`{"contact":{"address":{"street":"a\nb"}},"extras":[{"id":1}],"misc":{"needs":["}"]}}`, `{"profile":{"gender":"\`, `{"a":"\`, `{,`, `{"a"::`} {
		f.Add([]byte(text))
	}
	var texts []string
	for path := range pickedTexts {
		texts = append(texts, path)
	}
	lists := []string{"education", "languages", "extras"}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = pickFrom(t, text, texts, lists)
		var content admitto.Content
		if json.Unmarshal(text, &content) != nil {
			return
		}
		stored, err := json.Marshal(content) // as all contents are stored
		if err != nil {
			return
		}
		content = admitto.Content{}
		if err := json.Unmarshal(stored, &content); err != nil {
			t.Fatal(err)
		}
		got, err := pickFrom(t, stored, texts, lists)
		if err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		fill(&content)
		for i, path := range texts {
			if want := string(pickedTexts[path](&content)); got.Texts[i] != want {
				t.Errorf("%s of %s: %q, want %q", path, stored, got.Texts[i], want)
			}
		}
		want := &admitto.Content{Education: content.Education, Languages: content.Languages, Extras: content.Extras}
		if got.Lists == nil {
			got.Lists = &admitto.Content{}
		}
		if diff := cmp.Diff(want, got.Lists); diff != "" {
			t.Errorf("%s\n%s", stored, diff)
		}
	})
}

// fill puts empty sections where the paths lead through nothing.
func fill(c *admitto.Content) {
	if c.Profile == nil {
		c.Profile = &admitto.Profile{}
	}
	if c.Profile.Birth == nil {
		c.Profile.Birth = &admitto.Birth{}
	}
	if c.Profile.Passport == nil {
		c.Profile.Passport = &admitto.Passport{}
	}
	if c.Contact == nil {
		c.Contact = &admitto.Contact{}
	}
	if c.Contact.Address == nil {
		c.Contact.Address = &admitto.ContactAddress{}
	}
}

// A long content that is not needed to its end is not read to its end.
func TestContentValuesEarly(t *testing.T) {
	content := `{"profile":{"gender":"F"},"motivation":` + strings.Repeat("x", 3)
	got, err := pickFrom(t, []byte(content), []string{"profile.gender"}, nil)
	if err != nil || got.Texts[0] != "F" {
		t.Errorf("%v %v", got, err)
	}
}
