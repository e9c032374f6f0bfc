package form_test

import (
	"encoding/json"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ stored, want string }{
		{`{}`, `{}`},
		{`null`, `{}`},
		{`{"profile":null,"education":null,"extras":null,"attention":null}`, `{}`},
		{`{"profile":{"name":{"given":"","middle":""},"gender":"","nationalidcode":{},"birth":null},"misc":{"needs":[]}}`,
			`{}`},
		{`{"profile":{"name":{"given":"I","middle":""},"gender":"F"}}`, `{"profile":{"gender":"F","name":{"given":"I"}}}`},
		{`{"education":[{"level":"SE","diploma":{"issue":{"date":""}}},{},null]}`, `{"education":[{"level":"SE"},{},{}]}`},
		{`{"education":[],"extras":[]}`, `{}`},
		{`{"grades":[{"year":2020}],"languages":[{"native":false,"experience":0}]}`,
			`{"grades":[{"year":2020}],"languages":[{"experience":0,"native":false}]}`},
		{`{"profile":{"nationalidcode":{"b":"2","a":"1"}},"misc":{"needs":["B","A"]}}`,
			`{"misc":{"needs":["B","A"]},"profile":{"nationalidcode":{"a":"1","b":"2"}}}`},
		{`{"profile":{"later":{"x":[1]}}}`, `{"profile":{"later":{"x":[1]}}}`}, // of a newer release
		{`{"attention":{"profile/birth/date":"31.2.2004"}}`, `{"attention":{"profile/birth/date":"31.2.2004"}}`},
		{`{"extras":[{"id":7,"name":"Q","type":"money","money":{"amount":8000,"currency":"EUR"}}]}`,
			`{"extras":[{"id":7,"name":"Q","type":"money","money":{"amount":8000,"currency":"EUR"}}]}`},
	} {
		content, err := form.Read([]byte(c.stored))
		stored, marshalErr := json.Marshal(content)
		if err != nil || marshalErr != nil || string(stored) != c.want {
			t.Errorf("%s: %s, %v, %v; want %s", c.stored, stored, err, marshalErr, c.want)
		}
	}
	for _, broken := range []string{``, `[]`, `"x"`, `{`, `{"profile":5}`, `{"profile":[]}`, `{"education":{}}`,
		`{"education":["x"]}`, `{"profile":{"gender":5}}`,
		`{"profile":{"name":"Ilse"}}`, `{"profile":{"name":{"given":{}}}}`, `{"grades":[{"year":"2020"}]}`,
		`{"grades":[{"year":20.5}]}`,
		`{"languages":[{"native":"yes"}]}`, `{"misc":{"needs":"A"}}`, `{"misc":{"needs":[1]}}`,
		`{"profile":{"nationalidcode":[]}}`,
		`{"profile":{"nationalidcode":{"a":1}}}`, `{"extras":{}}`, `{"attention":[]}`} {
		if content, err := form.Read([]byte(broken)); err == nil {
			t.Errorf("%s: %v", broken, content)
		}
	}
}

func TestContent(t *testing.T) {
	c := &form.Content{}
	if !c.IsBlank() || c.Text("profile/birth/date") != "" || c.Rows("education") != nil || c.Section("profile") != nil {
		t.Errorf("%+v", c)
	}
	c.Put("profile", form.Object{"birth/date": "2004-05-17", "birth/place": ""})
	c.AddRow("education", form.Object{"diploma/number": "D-1", "level": ""})
	want := &form.Content{Sections: map[string]any{"profile": form.Object{"birth": form.Object{"date": "2004-05-17"}},
		"education": []form.Object{{"diploma": form.Object{"number": "D-1"}}}}}
	if diff := cmp.Diff(want, c); diff != "" || c.IsBlank() || c.Text("profile/birth/date") != "2004-05-17" {
		t.Error(diff)
	}
	if got := form.TextAt(c.Rows("education")[0], "diploma/number"); got != "D-1" {
		t.Errorf("%q", got)
	}
	c.Put("profile", form.Object{"birth/date": ""})
	if c.Section("profile") != nil {
		t.Errorf("%+v", c.Sections)
	}
	c.SetSection("visa", form.Object{"required": nil, "type": "", "plan": form.Object{}})
	c.SetSection("languages", []form.Object{{"name": ""}})
	c.Tidy()
	if len(c.Sections) != 2 || len(c.Rows("languages")) != 1 || len(c.Rows("languages")[0]) != 0 {
		t.Errorf("%+v", c.Sections)
	}
	defer func() {
		if recover() == nil {
			t.Error("a field that is not in the table was set")
		}
	}()
	c.Put("profile", form.Object{"shoe": "43"})
}

func TestVisibleTo(t *testing.T) {
	c := &form.Content{}
	c.Put("misc", form.Object{"medical": "asthma", "needs": []string{"HEA"}, "additional": "By train."})
	c.Put("profile", form.Object{"birth/date": "2004-05-17"})
	c.AddRow("grades", form.Object{"year": 2022})
	c.Attention = map[string]string{"misc/needs/0": "a ramp", "misc/medical": "\x00", "grades/0/year": "last"}
	want := &form.Content{}
	want.Put("misc", form.Object{"additional": "By train."})
	want.Put("profile", form.Object{"birth/date": "2004-05-17"})
	want.AddRow("grades", form.Object{"year": 2022})
	want.Attention = map[string]string{"grades/0/year": "last"}
	less := c.VisibleTo(admitto.KeyCaller(1, 0, "r"))
	if diff := cmp.Diff(want, &less); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(*c, c.VisibleTo(admitto.SystemCaller())); diff != "" || c.Text("misc/medical") != "asthma" {
		t.Error(diff)
	}
}

// What is read is stored as it is, and is then in its shortest form.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"profile":{"gender":"F","name":{"given":""}}}`, `{"education":[{"level":"SE"},{}]}`,
		`{"misc":{"needs":["A",""]}}`,
		`{"grades":[{"year":1e3}]}`, `{"extras":[{"id":1,"text":"x"}],"attention":{"a":"b"}}`,
		`{"profile":{"x":{"y":[{}]}}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		content, err := form.Read(text)
		if err != nil {
			return
		}
		stored, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		again, err := form.Read(stored)
		if err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		if second, err := json.Marshal(again); err != nil || string(second) != string(stored) {
			t.Fatalf("%s became %s, %v", stored, second, err)
		}
		asked := form.Together([]form.Settings{{}})
		_ = content.Missing(&asked)
	})
}
