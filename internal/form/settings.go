package form

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// Settings are the form of a course (lifecycle.md 3.5, screens.md A39): what of the table it changes, and the questions
// that it asks. The zero one is the default form.
type Settings struct {
	Sections  map[string]Show `json:"sections,omitempty"` // by key; Required asks for at least one row
	Fields    map[string]Show `json:"fields,omitempty"`   // by path
	Questions []Ask           `json:"questions,omitempty"`
}

// Ask is a question that a course asks.
type Ask struct {
	ID       int64 `json:"id"`
	Required bool  `json:"required,omitempty"`
}

// ParseSettings reads the form of a course as it is stored; "" is the default.
func ParseSettings(stored string) (s Settings, err error) {
	if stored == "" {
		return s, nil
	}
	if err := json.Unmarshal([]byte(stored), &s); err != nil {
		return s, fmt.Errorf("the form of a course: %w", err)
	}
	return s, nil
}

// Stored is how the settings are stored: "" for the default form. What stands as in the table is left out.
func (s *Settings) Stored() string {
	kept := Settings{Sections: map[string]Show{}, Fields: map[string]Show{}, Questions: s.Questions}
	for _, section := range sections {
		if show := s.Section(section); show != section.show() {
			kept.Sections[section.Key] = show
		}
	}
	for _, f := range fields {
		if show := s.Field(f); show != f.Show {
			kept.Fields[f.Path] = show
		}
	}
	if len(kept.Sections)+len(kept.Fields)+len(kept.Questions) == 0 {
		return ""
	}
	out, err := json.Marshal(kept)
	if err != nil {
		panic(err) // words and numbers always encode
	}
	return string(out)
}

// show is how the default form has the section.
func (s *Section) show() Show {
	switch {
	case s.Hidden:
		return Hidden
	case s.OneRow:
		return Required
	}
	return Shown
}

// Section says whether the course has a section; Required is one that asks for at least one row.
func (s *Settings) Section(section *Section) Show {
	if show, set := s.Sections[section.Key]; set {
		return show
	}
	return section.show()
}

// Field says whether the course has a field, where it has the section of it.
func (s *Settings) Field(f *Field) Show {
	if show, set := s.Fields[f.Path]; set {
		return show
	}
	return f.Show
}

// Has reports whether the course asks a question.
func (s *Settings) Has(question int64) bool {
	return slices.ContainsFunc(s.Questions, func(a Ask) bool { return a.ID == question })
}

// Asked is what the courses of an application ask for together (lifecycle.md 3.5): required beats shown, and shown
// beats hidden. Sections are named by their keys, fields by their paths, and questions by "extras/" and their IDs.
type Asked struct {
	shows, requires map[string]bool
	questions       []int64       // each once, those of the first course first
	askedBy         map[int64]int // which course asks a question first
}

// Together puts the forms of several courses together; the first is the one that the applicant wants most. Without any
// it has what the default form shows, and requires nothing.
func Together(courses []Settings) Asked {
	a := Asked{map[string]bool{}, map[string]bool{}, nil, map[int64]int{}}
	if len(courses) == 0 {
		a.add(0, &Settings{})
		a.requires = map[string]bool{}
	}
	for i := range courses {
		a.add(i, &courses[i])
	}
	return a
}

func (a *Asked) add(n int, course *Settings) {
	for _, section := range sections {
		of := course.Section(section)
		if of == Hidden || section.Key == Questions {
			continue
		}
		for _, f := range section.Leaves() {
			if show := course.Field(f); show != Hidden {
				a.shows[section.Key], a.shows[f.Path] = true, true
				a.requires[f.Path] = a.requires[f.Path] || show == Required
			}
		}
		a.requires[section.Key] = a.requires[section.Key] || of == Required && a.shows[section.Key]
	}
	for _, q := range course.Questions {
		path := questionPath(q.ID)
		a.requires[path] = a.requires[path] || q.Required
		if !a.shows[path] {
			a.shows[Questions], a.shows[path] = true, true
			a.questions, a.askedBy[q.ID] = append(a.questions, q.ID), n
		}
	}
}

func questionPath(id int64) string { return fmt.Sprintf("%s/%d", Questions, id) }

// Shows reports whether a course has a section, a field or a question.
func (a *Asked) Shows(path string) bool { return a.shows[path] }

// Requires reports whether a course requires a field or an answer, or at least one row of a section.
func (a *Asked) Requires(path string) bool { return a.requires[path] }

// RequiresOf reports whether a course requires anything of a section.
func (a *Asked) RequiresOf(s *Section) bool {
	if s.Key == Questions {
		return slices.ContainsFunc(a.questions, func(id int64) bool { return a.requires[questionPath(id)] })
	}
	return a.requires[s.Key] || slices.ContainsFunc(s.Leaves(), func(f *Field) bool { return a.requires[f.Path] })
}

// Questions are the IDs of the questions that are asked, in their order. Callers do not change them.
func (a *Asked) Questions() []int64 { return a.questions }

// AskedBy is the number from 0 of the course that asks a question; without ok no course does.
func (a *Asked) AskedBy(question int64) (course int, ok bool) {
	course, ok = a.askedBy[question]
	return course, ok
}

// missing collects what the content lacks.
func (a *Asked) missing(c *Content, add func(path string)) {
	for _, s := range sections {
		rows := c.Rows(s.Key)
		switch {
		case s.Key == Questions:
			for _, id := range a.questions {
				if a.requires[questionPath(id)] && !c.answers(id) {
					add(questionPath(id))
				}
			}
		case !a.shows[s.Key]:
		case !s.Rows:
			a.missingOf(s, c.Section(s.Key), s.Key, add)
		case len(rows) == 0 && a.requires[s.Key]:
			add(s.Key + "/" + oneRow)
		default:
			for i, row := range rows {
				a.missingOf(s, row, fmt.Sprintf("%s/%d", s.Key, i), add)
			}
		}
	}
	for path := range c.Attention {
		if a.attends(path) {
			add(path)
		}
	}
}

// missingOf collects what a section or a row lacks, which stands at a path of the content.
func (a *Asked) missingOf(s *Section, o Object, at string, add func(path string)) {
	for _, f := range s.Leaves() {
		exempt := f.Unless != "" && o[f.Unless] == true // the proficiency in one's own language, say
		if a.requires[f.Path] && !exempt && !isFilled(o, f.Below()) {
			add(at + "/" + f.Below())
		}
	}
}

// attends reports whether a value that needs attention stands where a course asks for one.
func (a *Asked) attends(path string) bool {
	if f := FieldOf(path); f != nil {
		return a.shows[f.Path]
	}
	id, _ := QuestionOf(path)
	return a.shows[questionPath(id)]
}

// answers reports whether a question is answered.
func (c *Content) answers(question int64) bool {
	return slices.ContainsFunc(c.Extras, func(e admitto.Extra) bool { return e.ID == question && e.IsAnswered() })
}
