package admissions

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

// testMerger takes the codes A and B in every class and has one question of each type.
func testMerger(patch *ContentPatch, content *form.Content) *merger {
	m := &merger{patch: patch, application: 1, codes: map[string]map[string]bool{}, documents: map[int64]bool{5: true}}
	for _, class := range []string{"Salutation", "Gender", "Marital status", "Special needs", "Education level",
		"Home institution", "Host institution"} {
		m.allow(class, "A")
		m.allow(class, "B")
	}
	m.allowPresent(content)
	types := []admitto.ExtraType{admitto.ExtraText, admitto.ExtraLongText, admitto.ExtraNumber, admitto.ExtraDate,
		admitto.ExtraCountry, admitto.ExtraLanguage,
		admitto.ExtraChoice, admitto.ExtraChoices, admitto.ExtraYesNo, admitto.ExtraMoney, admitto.ExtraFile,
		admitto.ExtraSection}
	for i, kind := range types {
		m.questions = append(m.questions, admitto.Question{ID: int64(i + 1), Name: string(kind), Type: kind,
			Options: []string{"A", "B"},
			Fields:  []admitto.Question{{ID: 90, Name: "inner", Type: admitto.ExtraNumber}}})
	}
	patch.Document = func(link string) (int64, int64, bool) { return 1, 5, link == "/documents/5" }
	return m
}

func FuzzMergeContent(f *testing.F) {
	for _, seed := range []struct{ body, faults string }{
		{`{"profile":{"name":{"given":"Ilse"},"gender":"A"}}`, ""}, {`{"profile":null,"education":null,"extras":null}`, ""},
		{`{"education":[{"level":"A","enrolment":"2018-09"},{}]}`,
			""}, {`{"extras":[{"id":1,"value":"x"},{"id":3,"value":-0.50},{"id":11,"value":"/documents/5"}]}`, ""},
		{`{"extras":[{"id":12,"value":[{"id":90,"value":1}]},{"id":10,"value":{"amount":"1","currency":"EUR"}}]}`, ""},
		{`{"profile":{"nationalidcode":{"a":"1","b":null}}}`, ""}, {`{"misc":{"needs":["A","A"]},"grades":[{"year":2000}]}`,
			""},
		{`{"x":1}`, "/x"}, {`{"profile":5}`, "/profile"}, {`{"profile":{"gender":"C","x~/y":1}}`,
			"/profile/gender /profile/x~0~1y"},
		{`{"education":[1,{"level":"C"}]}`, "/education/0 /education/1/level"}, {`{"grades":[{"year":1.5}]}`,
			"/grades/0/year"},
		{`{"education":[{"enrolment":{"yy":"2018","mm":"1"}}]}`, "/education/0/enrolment"}, {`{"misc":{"needs":{}}}`,
			"/misc/needs"},
		{`{"extras":[{"id":3,"value":"x"},{"id":4,"value":"2026-02-30"},{"id":8,"value":["C"]},{"id":11,"value":"/documents/6"}]}`, "/extras/0/value /extras/1/value /extras/2/value/0 /extras/3/value"},
		{`{"extras":[{"id":12,"value":[{"id":12,"value":[]}]}]}`, "/extras/0/value/0/id"}, {`{"extras":[{}]}`,
			"/extras/0 /extras/0"},
		{`{"contact":{"address":{"correspondence":{"country":"XX"}}}}`, "/contact/address/correspondence/country"},
	} {
		var members map[string]any
		decoder := json.NewDecoder(strings.NewReader(seed.body))
		decoder.UseNumber()
		if err := decoder.Decode(&members); err != nil {
			f.Fatal(err)
		}
		patch := ContentPatch{Members: members}
		m := testMerger(&patch, &form.Content{})
		m.object(&form.Content{}, members)
		pointers := []string{}
		for _, fault := range m.faults {
			pointers = append(pointers, strings.TrimPrefix(string(fault.Path), "content"))
		}
		if got := strings.Join(pointers, " "); got != seed.faults {
			f.Errorf("%s: faults %q, want %q", seed.body, got, seed.faults)
		}
		f.Add(seed.body, false)
		f.Add(seed.body, true)
	}
	f.Fuzz(func(t *testing.T, body string, named bool) {
		var members map[string]any
		decoder := json.NewDecoder(strings.NewReader(body))
		decoder.UseNumber()
		if decoder.Decode(&members) != nil {
			return
		}
		patch := ContentPatch{Members: members, DatesInParts: named, QuestionsByText: named}
		merge := func(content *form.Content) []admitto.Fault {
			m := testMerger(&patch, content)
			m.object(content, members)
			content.Tidy()
			return m.faults
		}
		var content form.Content
		if faults := merge(&content); len(faults) > 0 {
			return // nothing is stored
		}
		stored, err := json.Marshal(&content)
		if err != nil {
			t.Fatal(err)
		}
		var read form.Content
		if err := json.Unmarshal(stored, &read); err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		read.Tidy()
		before := contentPaths(&read)
		if faults := merge(&read); len(faults) > 0 {
			t.Fatalf("the second time there are faults: %v", faults)
		}
		if details := contentDetails(before, contentPaths(&read)); len(details) > 0 {
			t.Fatalf("the second time it changes %v", details)
		}
	})
}
