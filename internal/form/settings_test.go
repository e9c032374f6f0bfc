package form_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

// complete is a content that has what is required by default, and answers to questions.
func complete() *form.Content {
	c := &form.Content{}
	c.Put("profile", form.Object{"name/given": "I", "name/family": "V", "birth/date": "2004-05-17", "birth/country": "HU",
		"gender": "F", "nationality": "HU", "citizenship": "HU"})
	c.Put("contact", form.Object{"telephone/mobile": "1", "address/street": "S", "address/city": "C",
		"address/country": "HU"})
	c.AddRow("education", form.Object{"level": "SE", "institution": "G", "country": "HU", "enrolment": "2018-09"})
	c.AddRow("languages", form.Object{"name": "hu", "native": true})
	c.AddRow("languages", form.Object{"name": "en", "proficiency": "C1"})
	c.Put("motivation", form.Object{"general": "I want"})
	c.Extras = []admitto.Extra{{ID: 17, Text: "x"}, {ID: 18}, {ID: 19, Entries: []admitto.Extra{{ID: 1, Number: "1"}}}}
	return c
}

// Which fields count as missing.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*form.Content)
		form   string
		want   string
	}{
		{"nothing", func(*form.Content) {}, "", ""},
		{"no education", func(c *form.Content) { delete(c.Sections, "education") }, "", "education/*"},
		{"a row without a level", func(c *form.Content) {
			c.AddRow("education", form.Object{"institution": "G", "country": "HU", "enrolment": "2018"})
		},
			"", "education/1/level"},
		{"no profile", func(c *form.Content) { c.SetSection("profile", form.Object{"citizenship": "HU"}) }, "",
			"profile/birth/country profile/birth/date profile/name/family profile/name/given"},
		{"blanks", func(c *form.Content) { c.Put("motivation", form.Object{"general": "  "}) }, "", "motivation/general"},
		{"a language", func(c *form.Content) { delete(c.Rows("languages")[1], "proficiency") }, "",
			"languages/1/proficiency"},
		{"a language that is not native", func(c *form.Content) {
			c.AddRow("languages",
				form.Object{"name": "en", "native": false})
		}, "",
			"languages/2/proficiency"},
		{"a job", func(c *form.Content) { c.AddRow("career", form.Object{"employer": "E"}) }, "",
			"career/0/period/from career/0/position"},
		{"questions", func(*form.Content) {}, `{"questions":[{"id":17,"required":true},{"id":18,"required":true},
			{"id":19,"required":true},{"id":20,"required":true},{"id":21}]}`, "extras/18 extras/20"},
		{"a list of values", func(*form.Content) {},
			`{"sections":{"visa":"shown"},"fields":{"misc/needs":"required","visa/required":"required"}}`,
			"misc/needs visa/required"},
		{"a list and a no", func(c *form.Content) {
			c.Put("visa", form.Object{"required": false})
			c.Put("misc", form.Object{"needs": []string{"X"}})
		}, `{"sections":{"visa":"shown"},"fields":{"misc/needs":"required","visa/required":"required"}}`, ""},
		{"a field of a hidden section", func(*form.Content) {}, `{"fields":{"visa/required":"required"}}`, ""},
		{"a hidden section", func(c *form.Content) { delete(c.Sections, "motivation") },
			`{"sections":{"motivation":"hidden"}}`, ""},
		{"a hidden field", func(c *form.Content) { c.Put("profile", form.Object{"birth/date": nil}) },
			`{"fields":{"profile/birth/date":"hidden"}}`, ""},
		{"optional rows", func(*form.Content) {}, `{"fields":{"career/country":"required"}}`, ""},
		{"rows that are required", func(*form.Content) {}, `{"sections":{"career":"required"}}`, "career/*"},
		{"what the table does not have", func(*form.Content) {},
			`{"sections":{"sports":"required"},"fields":{"profile/shoe":"required"}}`, ""},
		{"a value that needs attention",
			func(c *form.Content) { c.Attention = map[string]string{"profile/passport/issue": "soon"} }, "",
			"profile/passport/issue"},
		{"attention in a section that is hidden",
			func(c *form.Content) { c.Attention = map[string]string{"visa/expiry": "never"} }, "", ""},
		{"attention in a section where nothing is required",
			func(c *form.Content) { c.Attention = map[string]string{"misc/additional": "long"} }, "", "misc/additional"},
		{"attention in an answer", func(c *form.Content) {
			c.Attention = map[string]string{"extras/21": "x", "extras/22/1": "y", "extras/23": "no longer asked"}
		}, `{"questions":[{"id":21},{"id":22}]}`, "extras/21 extras/22/1"},
	} {
		content := complete()
		c.change(content)
		settings, err := form.ParseSettings(c.form)
		asked := form.Together([]form.Settings{settings, settings})
		got := strings.Join(content.Missing(&asked), " ")
		if err != nil || got != c.want {
			t.Errorf("%s: %q, want %q, %v", c.name, got, c.want, err)
		}
	}
	for _, wrong := range []string{"[]", `{"fields":{"profile/gender":"seen"}}`} {
		if _, err := form.ParseSettings(wrong); err == nil {
			t.Error(wrong, "is a form")
		}
	}
}

// TestTogether puts forms of courses together: required beats shown, shown beats hidden (lifecycle.md 3.5).
func TestTogether(t *testing.T) {
	const family, salutation, visa = "profile/name/family", "profile/salutation", "visa/number"
	of := func(stored string) form.Settings {
		s, err := form.ParseSettings(stored)
		if err != nil {
			t.Fatal(err)
		}
		if again := s.Stored(); len(stored) > 2 && again != stored {
			t.Errorf("%s became %s", stored, again)
		}
		return s
	}
	hides := of(`{"sections":{"motivation":"hidden","visa":"shown"},"fields":{"profile/name/family":"hidden"},"questions":[{"id":9}]}`)
	wants := of(`{"fields":{"profile/salutation":"required"},"questions":[{"id":8},{"id":9,"required":true}]}`)
	shows := of(`{"fields":{"profile/name/family":"shown"}}`)
	for _, c := range []struct {
		name                           string
		courses                        []form.Settings
		shown, hidden, required, asked string
	}{
		{"none", nil, family + " motivation", salutation + " visa", "", "[]"},
		{"the default", []form.Settings{{}}, family + " motivation", salutation + " visa", family + " education", "[]"},
		{"one that hides", []form.Settings{hides}, "visa " + visa, family + " motivation motivation/general", "", "[9]"},
		{"a second that requires", []form.Settings{hides, wants}, "motivation " + visa, "", family + " " + salutation +
			" motivation/general extras/9", "[9 8]"},
		{"a second that shows", []form.Settings{hides, shows}, family, "", "motivation/general", "[9]"},
	} {
		a := form.Together(c.courses)
		for _, path := range strings.Fields(c.shown) {
			if !a.Shows(path) || a.Requires(path) && !strings.Contains(c.required, path) {
				t.Errorf("%s: %s is shown %t, required %t", c.name, path, a.Shows(path), a.Requires(path))
			}
		}
		for _, path := range strings.Fields(c.hidden) {
			if a.Shows(path) || a.Requires(path) {
				t.Errorf("%s: %s is not hidden", c.name, path)
			}
		}
		for _, path := range strings.Fields(c.required) {
			if !a.Shows(path) || !a.Requires(path) {
				t.Errorf("%s: %s is not required", c.name, path)
			}
		}
		if got := fmt.Sprint(append([]int64{}, a.Questions()...)); got != c.asked {
			t.Errorf("%s: asks %s", c.name, got)
		}
	}
	// A section of which nothing is left is hidden.
	empty := of(`{"fields":{"motivation/general":"hidden"}}`)
	if a := form.Together([]form.Settings{empty}); a.Shows("motivation") {
		t.Error("a section without fields is shown")
	}
}
