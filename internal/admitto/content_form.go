package admitto

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Form says which fields of which sections a course requires (lifecycle.md 3.5): paths below the section with / in
// them. In a section of rows they hold for each row, and "*" asks for at least one. In extras they are IDs of questions.
type Form map[string][]string

// oneRow stands in a form for at least one row of the section.
const oneRow = "*"

// DefaultForm is the form of courses that have none of their own: the table of screens.md, P09.
func DefaultForm() Form {
	return Form{
		"profile":    {"name/given", "name/family", "birth/date", "birth/country", "gender", "nationality", "citizenship"},
		"contact":    {"address/street", "address/city", "address/country", "telephone/mobile"},
		"education":  {oneRow, "level", "institution", "country", "enrolment"},
		"languages":  {"name", "proficiency"},
		"career":     {"employer", "position", "period/from"},
		"activities": {"organization", "nature", "period/from"},
		"residences": {"country", "period/from"},
		"motivation": {"general"},
	}
}

// ParseForm reads the form of a course as it is stored; "" is the default.
func ParseForm(stored string) (Form, error) {
	if stored == "" {
		return DefaultForm(), nil
	}
	var f Form
	if err := json.Unmarshal([]byte(stored), &f); err != nil {
		return nil, fmt.Errorf("the form of a course: %w", err)
	}
	return f, nil
}

// Missing lists what the forms require and the content does not have, as section and field: profile/birth/date,
// education/0/level, education/* for no row at all. It is sorted, and nothing is in it twice.
func (c *Content) Missing(forms []Form) []string {
	raw, err := json.Marshal(c)
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(raw, &tree)
	}
	if err != nil {
		panic(err) // texts, numbers and lists always encode, and read back
	}
	missing := map[string]bool{}
	for _, form := range forms {
		for section, fields := range form {
			for _, at := range missingOf(section, tree[section], fields, c.Extras) {
				missing[at] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

func missingOf(section string, value any, fields []string, extras []Extra) (missing []string) {
	rows, isList := value.([]any)
	switch {
	case section == "extras":
		for _, id := range fields {
			answered := slices.ContainsFunc(extras, func(e Extra) bool { return strconv.FormatInt(e.ID, 10) == id && e.answered() })
			if !answered {
				missing = append(missing, section+"/"+id)
			}
		}
	case isList:
		for i, row := range rows {
			for _, field := range fields {
				if field != oneRow && !filledAt(row, field) && !isMotherTongue(section, field, row) {
					missing = append(missing, fmt.Sprintf("%s/%d/%s", section, i, field))
				}
			}
		}
	case slices.Contains(fields, oneRow):
		missing = append(missing, section+"/"+oneRow)
	case !isListSection(section):
		for _, field := range fields {
			if !filledAt(value, field) {
				missing = append(missing, section+"/"+field)
			}
		}
	}
	return missing
}

func isListSection(section string) bool {
	switch section {
	case "education", "grades", "languages", "career", "activities", "residences":
		return true
	}
	return false
}

// isMotherTongue tells that a language needs no proficiency, since it is the applicant's own.
func isMotherTongue(section, field string, row any) bool {
	if section != "languages" || field != "proficiency" {
		return false
	}
	language, _ := row.(map[string]any)
	return language["native"] == true
}

// filledAt tells whether the path below the value leads to something.
func filledAt(value any, path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	switch v := value.(type) {
	case nil:
		return false
	case string:
		return strings.TrimSpace(v) != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

// answered tells whether the question has a value.
func (e *Extra) answered() bool {
	return e.Text != "" || e.Number != "" || e.YesNo != nil || len(e.Choices) > 0 || e.Money != nil || e.Document != 0 ||
		slices.ContainsFunc(e.Entries, func(inner Extra) bool { return inner.answered() })
}
