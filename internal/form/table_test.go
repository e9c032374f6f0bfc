package form_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

// Every row of the table is complete, and has what its kind needs and nothing else.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range form.Fields() {
		section := form.SectionOf(strings.Split(f.Path, "/")[0])
		hasClass, hasWords := f.Kind == form.Code || f.Kind == form.Codes, f.Kind == form.Word
		hasBounds := f.Kind == form.Number || f.Kind == form.Lines
		switch {
		case section == nil:
			t.Errorf("%s is in no section", f.Path)
		case seen[f.Path]:
			t.Errorf("%s is there twice", f.Path)
		case f.Label == "" || f.Data == "":
			t.Errorf("%s has no label or no class of personal data", f.Path)
		case hasClass != (f.Class != "") || hasWords != (f.Words != nil) || hasBounds != (f.Max != 0):
			t.Errorf("%s has not what its kind needs: %+v", f.Path, *f)
		case f.Max < f.Min || f.Until != 0 && f.Until < f.Since:
			t.Errorf("%s has empty bounds: %+v", f.Path, *f)
		case f.Unless != "" && (section.Field(f.Unless) == nil || section.Field(f.Unless).Kind != form.YesNo):
			t.Errorf("%s looks at %s, which is no field of yes and no", f.Path, f.Unless)
		case (f.Data == form.Sensitive) != (f.Needs == admitto.ApplicationsSensitive):
			t.Errorf("%s is %s, and is seen by %v", f.Path, f.Data, f.Needs)
		case f.Kind == form.Group || f.Fields != nil:
			t.Errorf("%s is a group by its kind instead of its path", f.Path)
		case section.Rows && f.Column != "" && section.Columns == form.PickNone:
			t.Errorf("%s has a column, and its section says of which row", f.Path)
		case section.Columns == form.PickFirst && f.Column != "" && !strings.Contains(f.Column, " n"):
			t.Errorf("the column of %s does not say which row: %q", f.Path, f.Column)
		}
		seen[f.Path] = true
	}
	if len(seen) < 100 {
		t.Errorf("only %d fields", len(seen))
	}
}

// Sections name fields that they have, and objects of one name in the API's documents have the same fields.
func TestSections(t *testing.T) {
	shapes := map[string]string{}
	var compare func(name, path string, fields []*form.Field)
	compare = func(name, path string, fields []*form.Field) {
		shape := ""
		for _, f := range fields {
			shape += fmt.Sprintln(f.Name, f.Component, f.Since, f.Until)
			if f.Kind == form.Group {
				compare(f.Component, f.Path, f.Fields)
			}
		}
		if known, again := shapes[name]; name == "" || again && known != shape {
			t.Errorf("%s is %q in the documents, which has other fields elsewhere", path, name)
		}
		shapes[name] = shape
	}
	for _, s := range form.Sections() {
		if s.Title == "" || s.Data == "" || (len(s.Fields) == 0) != (s.Key == form.Questions) {
			t.Errorf("%s is not complete", s.Key)
		}
		if s.Rows != (s.Heading != "") || s.Heading != "" && s.Field(s.Heading) == nil {
			t.Errorf("the rows of %s are named by %q", s.Key, s.Heading)
		}
		for _, name := range s.First {
			if s.Field(name) == nil || s.Field(name).Kind == form.Group {
				t.Errorf("%s has no field %s", s.Key, name)
			}
		}
		if s.Key != form.Questions {
			compare(s.Component, s.Key, s.Fields)
		}
	}
	if f := form.FieldAt("education/diploma/issue/date"); f == nil || f.Below() != "diploma/issue/date" ||
		f.Name != "date" || f.Data != form.Studies {
		t.Errorf("%+v", f)
	}
	if g := form.FieldAt("profile/passport"); g == nil || g.Kind != form.Group ||
		form.FieldAt("profile/passport/issuer") == nil || form.FieldAt("profile/passport/shoe") != nil {
		t.Errorf("%+v", g)
	}
}

// What is required by default is what screens.md P09 says.
func TestDefaultRequirements(t *testing.T) {
	want := map[string][]string{
		"profile":    {"name/given", "name/family", "birth/date", "birth/country", "citizenship"},
		"contact":    {"telephone/mobile", "address/street", "address/city", "address/country"},
		"education":  {"level", "institution", "country", "enrolment"},
		"languages":  {"name", "proficiency"},
		"career":     {"employer", "position", "period/from"},
		"activities": {"organization", "nature", "period/from"},
		"residences": {"country", "period/from"},
		"motivation": {"general"},
	}
	asks := form.Together([]form.Settings{{}})
	for _, s := range form.Sections() {
		if one := asks.Requires(s.Key); one != (s.Key == "education") {
			t.Errorf("%s requires a row: %t", s.Key, one)
		}
		var got []string
		for _, f := range s.Leaves() {
			if asks.Requires(f.Path) {
				got = append(got, f.Below())
			}
		}
		if !slices.Equal(got, want[s.Key]) {
			t.Errorf("%s requires %q, want %q", s.Key, got, want[s.Key])
		}
	}
}
