package form_test

import (
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
			"profile/birth/country profile/birth/date profile/gender profile/name/family profile/name/given profile/nationality"},
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
		{"questions", func(*form.Content) {}, `{"extras":["17","18","19","20"]}`, "extras/18 extras/20"},
		{"a list of values", func(*form.Content) {}, `{"misc":["needs"],"visa":["required"]}`, "misc/needs visa/required"},
		{"a list and a no", func(c *form.Content) {
			c.Put("visa", form.Object{"required": false})
			c.Put("misc", form.Object{"needs": []string{"X"}})
		}, `{"misc":["needs"],"visa":["required"]}`, ""},
		{"optional rows", func(*form.Content) {}, `{"career":["employer"]}`, ""},
		{"what the table does not have", func(*form.Content) {}, `{"profile":["shoe"],"sports":["club"]}`,
			"profile/shoe sports/club"},
		{"a value that needs attention",
			func(c *form.Content) { c.Attention = map[string]string{"profile/passport/issue": "soon"} }, "",
			"profile/passport/issue"},
		{"attention in a section that is not required",
			func(c *form.Content) { c.Attention = map[string]string{"visa/expiry": "never"} }, "", ""},
	} {
		content := complete()
		c.change(content)
		required, err := form.ParseRequirements(c.form)
		got := strings.Join(content.Missing([]form.Requirements{required, required}), " ")
		if err != nil || got != c.want {
			t.Errorf("%s: %q, want %q, %v", c.name, got, c.want, err)
		}
	}
	if _, err := form.ParseRequirements("[]"); err == nil {
		t.Error("a list is a form")
	}
}
