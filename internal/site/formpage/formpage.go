// Package formpage draws a section of the application form as fields that can be filled in, and reads what was typed
// into them (screens.md A13, P09). Pages of staff and of applicants show the same fields, from the table of package
// form.
package formpage

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Section is a section of the form of an application, or one of its rows, that somebody fills in.
type Section struct {
	*form.Section
	Row       int    // of a section of rows; as many as it has is one that is added
	Add       string // the address of the form of a row that is added
	Gone      bool   // the row of the form was removed meanwhile: it is added again
	Content   *form.Content
	Asked     *form.Asked
	Questions []admitto.Question
	// Groups are the titles above questions, by the first question below each; nil: none.
	Groups    map[int64]string
	Documents []admitto.File // of the application, for questions that ask for one
	Words     []admitto.Classificator
	Own       bool                                // it is about the person who fills it in
	Sees      func(needs admitto.Permission) bool // nil: everything
	Locked    func(path string) bool              // nil: nothing
}

// at is the path of the section or row.
func (s *Section) at() string {
	if s.Rows {
		return s.Key + "/" + strconv.Itoa(s.Row)
	}
	return s.Key
}

// object is what is filled in of the section or row.
func (s *Section) object() form.Object {
	if !s.Rows {
		return s.Content.Section(s.Key)
	}
	if rows := s.Content.Rows(s.Key); s.Row < len(rows) {
		return rows[s.Row]
	}
	return nil
}

// fields are those that the reader may see.
func (s *Section) fields() []*form.Field {
	return slices.DeleteFunc(s.AsWritten(), func(f *form.Field) bool {
		return f.Needs != 0 && s.Sees != nil &&
			!s.Sees(f.Needs)
	})
}

// isLocked reports whether the value of a path below the section or row cannot be changed.
func (s *Section) isLocked(below string) bool { return s.Locked != nil && s.Locked(s.at()+"/"+below) }

// nameOf is the name of the field of a path below the section or row.
func nameOf(below string) string { return site.OfForm + strings.ReplaceAll(below, "/", ".") }

// answer is the field for the answer to a question, or to one of a custom section.
type answer struct {
	*admitto.Question
	path  string // of the answer below extras: 17, or 17/3
	given *admitto.Extra
}

// outer is the path of the question that a course asks: that of the custom section, where it is one of it.
func (a *answer) outer() string {
	outer, _, _ := strings.Cut(a.path, "/")
	return outer
}

// answers are the fields for answers, those of custom sections one by one.
func (s *Section) answers() (list []answer) {
	for i := range s.Questions {
		q := &s.Questions[i]
		at := slices.IndexFunc(s.Content.Extras, func(e admitto.Extra) bool { return e.ID == q.ID })
		given := &admitto.Extra{}
		if at >= 0 {
			given = &s.Content.Extras[at]
		}
		list = append(list, s.answersTo(q, given)...)
	}
	return list
}

func (s *Section) answersTo(q *admitto.Question, given *admitto.Extra) (list []answer) {
	path := strconv.FormatInt(q.ID, 10)
	if q.Type != admitto.ExtraSection {
		return []answer{{q, path, given}}
	}
	for i := range q.Fields {
		inner := answer{&q.Fields[i], path + "/" + strconv.FormatInt(q.Fields[i].ID, 10), &admitto.Extra{}}
		for n := range given.Entries {
			if given.Entries[n].ID == inner.ID {
				inner.given = &given.Entries[n]
			}
		}
		list = append(list, inner)
	}
	return list
}

// baseField carries the mark of what was shown.
const baseField = "shown"

// Base is the mark of what is filled in: it differs once somebody else has changed a value of it.
func (s *Section) Base() string {
	var parts []any
	if s.Key == form.Questions {
		parts = []any{s.Content.Extras}
	} else {
		parts = []any{s.object()}
	}
	for _, path := range slices.Sorted(maps.Keys(s.Content.Attention)) {
		if below, ok := strings.CutPrefix(path, s.at()+"/"); ok {
			parts = append(parts, below, s.Content.Attention[path])
		}
	}
	return markOf(parts)
}

// markOf is a mark of values: it differs where one of them does.
func markOf(values any) string {
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // texts, numbers and lists always encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// IsShown reports whether the form was made from what is filled in now: what else of the application has changed does
// not matter.
func (s *Section) IsShown(f *site.Form) bool { return f.Get(baseField) == s.Base() }

// Values are what is filled in, by name of the field; what needs attention as it was typed.
func (s *Section) Values() site.Values {
	v := site.Values{}
	if s.Key == form.Questions {
		for _, a := range s.answers() {
			s.answerValues(v, a)
		}
		return v
	}
	for _, f := range s.fields() {
		below := f.Below()
		texts := textsOf(form.At(s.object(), below))
		if raw, wrong := s.Content.Attention[s.at()+"/"+below]; wrong {
			texts = site.One(raw)
			if f.Kind == form.Codes {
				texts = strings.Split(raw, "\n")
			}
		}
		put(v, nameOf(below), f.Kind == form.Day || f.Kind == form.Month, texts)
	}
	return v
}

// put puts texts into the values of a form; a date into its parts.
func put(v site.Values, name string, date bool, texts []string) {
	if !date || len(texts) == 0 {
		v[name] = texts
		return
	}
	parts := dateFields(texts[0])
	for i, part := range []string{"-year", "-month", "-day"} {
		if i < len(parts) {
			v[name+part] = site.One(parts[i])
		}
	}
}

// dateFields are what the fields of a date had, year first, from what textsIn has made of them.
func dateFields(text string) []string {
	parts := strings.SplitN(text, "-", 3)
	for i := range parts {
		if i > 0 && len(parts[i]) == 2 {
			parts[i] = strings.TrimPrefix(parts[i], "0") // most people type days and months without it
		}
	}
	return parts
}

// AsTyped is what was typed into a field that needs attention: of a date in the order of its fields.
func AsTyped(f *form.Field, raw string) string {
	if f.Kind != form.Day && f.Kind != form.Month {
		return raw
	}
	parts := slices.DeleteFunc(dateFields(raw), func(part string) bool { return part == "" })
	slices.Reverse(parts)
	return strings.Join(parts, " ")
}

// textsOf are the texts that stand for a value in a form.
func textsOf(value any) []string {
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		return site.One(v)
	case bool:
		return site.One(yesNo(v))
	case []string:
		return slices.Clone(v)
	case map[string]string:
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			lines = append(lines, name+": "+v[name])
		}
		return site.One(strings.Join(lines, "\n"))
	}
	return site.One(fmt.Sprint(value))
}

// Texts are the values of a row that the courses ask for, by the paths of fields below it, as they would be typed.
func Texts(s *form.Section, asked *form.Asked, row form.Object) map[string][]string {
	texts := map[string][]string{}
	for _, f := range s.Leaves() {
		if given := textsOf(form.At(row, f.Below())); given != nil && asked.Shows(f.Path) {
			texts[f.Below()] = given
		}
	}
	return texts
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// Typed is what was typed, by the paths of fields below the section or row. Fields that are locked are not in it.
func (s *Section) Typed(f *site.Form) map[string][]string {
	typed := map[string][]string{}
	if s.Key == form.Questions {
		for _, a := range s.answers() {
			s.typedAnswer(f, a, typed)
		}
		return typed
	}
	for _, field := range s.fields() {
		if below := field.Below(); !s.isLocked(below) {
			typed[below] = textsIn(f, nameOf(below), field.Kind == form.Day || field.Kind == form.Month)
		}
	}
	return typed
}

// textsIn are the texts of a field; of a date one, which is 2026-03-01 for three numbers, and what was typed otherwise.
func textsIn(f *site.Form, name string, date bool) []string {
	if !date {
		return f.All(name)
	}
	var parts []string
	for _, part := range []string{"-year", "-month", "-day"} {
		text := f.Get(name + part)
		if part != "-year" && len(text) == 1 && text >= "0" && text <= "9" {
			text = "0" + text
		}
		parts = append(parts, text)
	}
	text := strings.TrimRight(strings.Join(parts, "-"), "-")
	if text == "" {
		return nil
	}
	return site.One(text)
}

// Labels are the fields with what they are called, as a conflict asks about them.
func (s *Section) Labels(r *site.Request, f *site.Form) (labels [][2]string) {
	add := func(name, words string) {
		f.SetLabel(name, words)
		labels = append(labels, [2]string{name, ""})
	}
	if s.Key == form.Questions {
		for i := range s.Questions {
			said := s.Questions[i].In(r.Lang)
			for _, a := range s.answersTo(&said, &admitto.Extra{}) {
				add(nameOf(a.path), a.Name)
			}
		}
		return labels
	}
	for _, field := range s.fields() {
		if below := field.Below(); !s.isLocked(below) { // there is nothing to choose between
			add(nameOf(below), r.Label(field.Label))
		}
	}
	return labels
}

// Box is the form with its fields and buttons.
func (s *Section) Box(r *site.Request, f *site.Form, buttons ...ui.Button) ui.FormBox {
	s.attend(r, f)
	box := f.Box(buttons, s.parts(r, f)...)
	carried := s.Carried()
	switch {
	case s.Gone:
		box.Action = s.Add
	case f.Restored && f.Has(baseField) && f.Conflict() == nil:
		carried = carriedAgain(f)
	}
	box.Head.Hidden = append(box.Head.Hidden, carried...)
	return box
}

// Saving is how a section is stored.
type Saving struct {
	// Store stores what was typed. A version that is not 0 is that of what the form was made from now, whatever it says.
	Store func(version int64) error
	Again func() (now *Section, version int64, err error) // reads the section again
	Who   func() (who, when string, err error)            // who changed it last
}

// Save stores what was typed; false where the form has to be shown again. What else of the application has changed
// since the form was made does not matter; what has changed of the section is asked about (screens.md U10).
func (s *Section) Save(r *site.Request, f *site.Form, version int64, do Saving) (saved bool, err error) {
	for {
		if s.Find(f) {
			f.Fail("", "formpage.row_gone")
			return false, nil
		}
		same, seen := s.IsShown(f), int64(0)
		if same || !f.Differs(s.Values(), s.Labels(r, f)...) {
			seen = version
		}
		err = do.Store(seen)
		changed := site.Changed(err)
		if changed && seen != 0 { // between reading and saving: look again
			var now *Section
			if now, version, err = do.Again(); err != nil {
				return false, err
			}
			*s = *now
			continue
		}
		refused, err := f.Refused(err, nil)
		if err != nil || !refused {
			return err == nil, err
		}
		if changed {
			who, when, err := do.Who()
			if err != nil {
				return false, err
			}
			f.Meanwhile(s.Values(), version, who, when, s.Labels(r, f)...)
		}
		return false, nil
	}
}

// NeedsAttention is how many values of the section or row are outside of the rules, of those that the page shows.
func (s *Section) NeedsAttention() (n int) {
	for path := range s.Content.Attention {
		if strings.HasPrefix(path, s.at()+"/") {
			n++
		}
	}
	return n
}
