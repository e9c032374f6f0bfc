package form

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// Requirements say which fields of which sections a course requires (lifecycle.md 3.5): paths below the section. In a
// section of rows they hold for each row, and "*" asks for at least one. In extras they are IDs of questions.
type Requirements map[string][]string

// oneRow stands among requirements for at least one row of the section.
const oneRow = "*"

// DefaultRequirements are those of courses that have none of their own: the table of screens.md, P09.
func DefaultRequirements() Requirements {
	r := Requirements{}
	for _, s := range sections {
		if s.OneRow {
			r[s.Key] = append(r[s.Key], oneRow)
		}
		for _, f := range s.Leaves() {
			if f.Show == Required {
				r[s.Key] = append(r[s.Key], f.Below())
			}
		}
	}
	return r
}

// ParseRequirements reads the form of a course as it is stored; "" is the default.
func ParseRequirements(stored string) (Requirements, error) {
	if stored == "" {
		return DefaultRequirements(), nil
	}
	var r Requirements
	if err := json.Unmarshal([]byte(stored), &r); err != nil {
		return nil, fmt.Errorf("the form of a course: %w", err)
	}
	return r, nil
}

// RequiredSet has the fields that at least one of several courses requires, by their paths in the table; questions by
// extras and their IDs.
type RequiredSet map[string]bool

// RequiredBy are the fields that the courses require.
func RequiredBy(courses []Requirements) RequiredSet {
	r := RequiredSet{}
	for _, course := range courses {
		for section, required := range course {
			for _, path := range required {
				r[section+"/"+path] = true
			}
		}
	}
	return r
}

// Questions are the IDs of the questions that have to be answered.
func (r RequiredSet) Questions() (ids []int64) {
	for path := range r {
		if text, ok := strings.CutPrefix(path, Questions+"/"); ok {
			if id, err := strconv.ParseInt(text, 10, 64); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Missing lists what the courses require and the content does not have, as section and field: profile/birth/date,
// education/0/level, education/* for no row at all; and what needs attention in a section that they require. It is
// sorted, and nothing is in it twice.
func (c *Content) Missing(courses []Requirements) []string {
	missing := map[string]bool{}
	for _, course := range courses {
		for section, required := range course {
			c.missing(missing, section, required)
			for path := range c.Attention {
				if strings.HasPrefix(path, section+"/") {
					missing[path] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

// missing adds what a section lacks.
func (c *Content) missing(missing map[string]bool, section string, required []string) {
	s, rows := SectionOf(section), c.Rows(section)
	switch {
	case section == Questions:
		for _, id := range required {
			answered := slices.ContainsFunc(c.Extras, func(e admitto.Extra) bool {
				return strconv.FormatInt(e.ID, 10) == id && e.IsAnswered()
			})
			if !answered {
				missing[section+"/"+id] = true
			}
		}
	case len(rows) > 0:
		for i, row := range rows {
			for _, path := range required {
				if path != oneRow && !isFilled(row, path) && !isExempt(row, section+"/"+path) {
					missing[fmt.Sprintf("%s/%d/%s", section, i, path)] = true
				}
			}
		}
	case slices.Contains(required, oneRow):
		missing[section+"/"+oneRow] = true
	case s == nil || !s.Rows:
		for _, path := range required {
			if !isFilled(c.Section(section), path) {
				missing[section+"/"+path] = true
			}
		}
	}
}

// isExempt reports whether a row does not need the field: the proficiency in one's own language, say.
func isExempt(row Object, path string) bool {
	f := FieldAt(path)
	return f != nil && f.Unless != "" && row[f.Unless] == true
}

// isFilled reports whether the path below an object leads to something.
func isFilled(o Object, path string) bool {
	value := At(o, path)
	if text, ok := value.(string); ok {
		return strings.TrimSpace(text) != ""
	}
	return !isUnset(value)
}
