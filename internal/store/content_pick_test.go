package store

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// pickedTexts are paths of texts.
var pickedTexts = []string{"profile/gender", "profile/birth/place", "profile/passport/country",
	"contact/address/street"}

// pickFrom reads the paths from a content.
func pickFrom(t *testing.T, content []byte, texts, lists []string) (ContentValues, error) {
	t.Helper()
	picker := contentPicker{root: contentParts(texts, lists)}
	return picker.values(content, make([]string, len(texts)))
}

func TestContentValues(t *testing.T) {
	texts := []string{"profile/birth/place", "profile/gender", "contact/address/street"}
	lists := []string{"languages", "extras"}
	english := map[string]any{"languages": []form.Object{{"name": "en"}}}
	for _, row := range []struct {
		content string
		texts   []string
		lists   *form.Content
	}{
		{`{}`, []string{"", "", ""}, nil},
		{`{"profile":null,"languages":null}`, []string{"", "", ""}, nil},
		{`{"profile":{"gender":"F","birth":null}}`, []string{"", "F", ""}, nil},
		{`{"profile":{"name":{"gender":"M"},"gender":"F"},"gender":"X"}`, []string{"", "F", ""}, nil},
		{`{"home":{"a":[{"profile":{"gender":"M"}},"}"]},"profile":{"gender":"F","birth":{"date":"","place":"\u00c9}\"{\\"}}}`, []string{`É}"{\`, "F", ""}, nil},
		{" {\n\t\"contact\" : { \"address\" : { \"house\" : 1.5e3 , \"x\" : [ ] , \"street\" : \"A 1\" } } , \"languages\" : [ { \"name\" : \"en\" } ] } ",
			[]string{"", "", "A 1"}, &form.Content{Sections: english}},
		{`{"languages":[{"name":"en"}],"extras":[{"id":7,"text":"]"}]}`, []string{"", "", ""},
			&form.Content{Sections: english, Extras: []admitto.Extra{{ID: 7, Text: "]"}}}},
	} {
		got, err := pickFrom(t, []byte(row.content), texts, lists)
		if diff := cmp.Diff(ContentValues{row.texts, row.lists}, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", row.content, err, diff)
		}
	}
	for _, broken := range []string{``, `null`, `[]`, `"profile"`, `{`, `{"profile"`, `{"profile":`,
		`{"profile":{"gender":5}}`, `{"profile":{"gender":"F}}`,
		`{"profile":{"gender":"\q"}}`, `{"profile":"x"}`, `{"languages":[}`, `{"languages":{"name":"en"}}`,
		`{"profile":{"birth":{"place":"x"`} {
		if got, err := pickFrom(t, []byte(broken), texts, lists); err == nil {
			t.Errorf("%s: %v", broken, got)
		}
	}
}

// What is picked from a content is what the whole of it holds; and no text at all ends the program.
func FuzzContentValues(f *testing.F) {
	for _, text := range []string{`{"profile":{"gender":"F","birth":{"place":"P\u0000\"\\"}},"languages":[{"name":"et"}]}`,
		`{"contact":{"address":{"street":"a\nb"}},"extras":[{"id":1}],"misc":{"needs":["}"]}}`, `{"profile":{"gender":"\`,
		`{"a":"\`, `{,`, `{"a"::`} {
		f.Add([]byte(text))
	}
	lists := []string{"education", "languages", "extras"}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = pickFrom(t, text, pickedTexts, lists)
		content, err := form.Read(text)
		if err != nil {
			return
		}
		stored, err := json.Marshal(content) // as all contents are stored
		if err != nil {
			return
		}
		if content, err = form.Read(stored); err != nil {
			t.Fatal(err)
		}
		got, err := pickFrom(t, stored, pickedTexts, lists)
		if err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		for i, path := range pickedTexts {
			if want := content.Text(path); got.Texts[i] != want {
				t.Errorf("%s of %s: %q, want %q", path, stored, got.Texts[i], want)
			}
		}
		want := &form.Content{Sections: map[string]any{}, Extras: content.Extras}
		for _, list := range lists[:2] {
			if rows := content.Rows(list); rows != nil {
				want.Sections[list] = rows
			}
		}
		if got.Lists == nil {
			got.Lists = &form.Content{Sections: map[string]any{}}
		}
		if diff := cmp.Diff(want, got.Lists, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s\n%s", stored, diff)
		}
	})
}

// A long content that is not needed to its end is not read to its end.
func TestContentValuesEarly(t *testing.T) {
	content := `{"profile":{"gender":"F"},"motivation":` + strings.Repeat("x", 3)
	got, err := pickFrom(t, []byte(content), []string{"profile/gender"}, nil)
	if err != nil || got.Texts[0] != "F" {
		t.Errorf("%v %v", got, err)
	}
}
