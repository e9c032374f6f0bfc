package catalogue

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	catalog "github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// question is a question as a course asks it.
type question struct {
	admitto.Question
	required bool
	typed    string // the type
}

// moreFields is how many empty lines the form has for further questions of a custom section.
const moreFields = 3

// newQuestion makes a question that the course asks.
func (p *pages) newQuestion(r *site.Request, f *query.CourseForm) error {
	page := p.questionForm(r, f, 0)
	page.Read = func() (question, error) { return question{typed: string(admitto.ExtraText)}, nil }
	return page.Show(r)
}

// editQuestion changes a question that the course asks.
func (p *pages) editQuestion(r *site.Request, f *query.CourseForm) error {
	id, err := r.IDAt("question")
	if err != nil {
		return err
	}
	page := p.questionForm(r, f, id)
	page.Read = func() (question, error) {
		q, required, err := p.Query.Question(r.Context(), r.Reader(), f.Course.ID, id)
		return question{q, required, string(q.Type)}, err
	}
	if others := f.Use[id] - 1; others > 0 {
		page.Intro = "question.shared"
	}
	return page.Show(r)
}

func (p *pages) questionForm(r *site.Request, f *query.CourseForm, id int64) *records.Form[question] {
	course := f.Course.ID
	return &records.Form[question]{
		Query: p.Query, Kind: admitto.QuestionRow, ID: id, Back: r.At("course-form", course),
		Events: []admitto.Pattern{admitto.CourseEdited},
		About:  func(_ *question, links admitto.Links) bool { return links.Course == course },
		Saved:  "question.saved", Press: "action.course-question-new", Intro: "question.intro",
		Name:   func(q *question) string { return q.Name },
		Fields: questionFields,
		Save: func(q question) (string, error) {
			q.Type = admitto.ExtraType(q.typed)
			_, err := p.Catalogue.SaveQuestion(r.Context(), r.Caller(), course, q.Question, q.required)
			return r.At("course-form", course), err
		},
	}
}

// questionFields are the fields of a question. Its type is chosen once.
func questionFields(m records.Maker[question], q *question) ([]records.Field[question], error) {
	r := m.R
	var types []ui.Option
	for _, t := range catalog.QuestionTypes() {
		types = append(types, ui.Option{Value: string(t), Text: r.T("question_type." + string(t))})
	}
	fields := []records.Field[question]{
		m.Text("name", "question.name", func(q *question) *string { return &q.Name }),
		m.Long("help", "question.help", 2, 500, func(q *question) *string { return &q.Help }, records.Optional,
			records.Hint("question.help_hint")),
		m.Tick("required", "question.required", "question.required_text", func(q *question) *bool { return &q.required }),
	}
	if q.ID == 0 {
		fields = append(fields, m.Choose("type", "question.type", types, func(q *question) *string { return &q.typed },
			records.Hint("question.type_hint")))
	}
	if q.ID == 0 || q.Type == admitto.ExtraChoice || q.Type == admitto.ExtraChoices {
		fields = append(fields, m.Lines("options", "question.options", 5, func(q *question) []string { return q.Options },
			func(q *question, lines []string) { q.Options = lines }, records.Optional, records.Hint("question.options_hint")))
	}
	if q.ID == 0 || q.Type == admitto.ExtraSection {
		fields = append(fields, innerField(m, q))
	}
	return append(fields, m.Versions(questionTexts(r, q), func(q *question) *admitto.Versions { return &q.Versions })), nil
}

// questionTexts are the texts of a question that can be there in several languages.
func questionTexts(r *site.Request, q *question) []records.Version {
	list := []records.Version{{Name: "name", Label: r.T("question.name"), First: q.Name},
		{Name: "help", Label: r.T("question.help"), First: q.Help, Rows: 2}}
	for _, option := range q.Options {
		list = append(list, records.Version{Name: admitto.OptionVersion(option), Label: option})
	}
	for i := range q.Fields {
		list = append(list, records.Version{Name: admitto.FieldVersion(q.Fields[i].ID), Label: q.Fields[i].Name})
	}
	return list
}

// innerField has the questions of a custom section, a line each; the types of those that are there stay.
func innerField(m records.Maker[question], stored *question) records.Field[question] {
	r := m.R
	name := func(n int) string { return "field-" + strconv.Itoa(n) }
	kind := func(n int) string { return "type-" + strconv.Itoa(n) }
	known := slices.Clone(stored.Fields)
	var types []ui.Option
	for _, t := range catalog.InnerTypes() {
		types = append(types, ui.Option{Value: string(t), Text: r.T("question_type." + string(t))})
	}
	field := records.Field[question]{
		Put: func(v site.Values, q *question) {
			for n := range q.Fields {
				v[name(n)] = site.One(q.Fields[n].Name)
			}
		},
		Take: func(f *site.Form, q *question) {
			q.Fields = nil
			for n := range len(known) + moreFields {
				inner := admitto.Question{Name: f.Get(name(n)), Type: admitto.ExtraType(f.Get(kind(n)))}
				if n < len(known) {
					if inner.Name == "" {
						continue // it is taken out; answers that were given keep it
					}
					inner.ID, inner.Type = known[n].ID, known[n].Type
				}
				q.Fields = append(q.Fields, inner)
			}
		},
	}
	for n := range len(known) + moreFields {
		field.Inputs = append(field.Inputs, [2]string{name(n), "question.inner"}, [2]string{kind(n), "question.type"})
	}
	field.Draw = func(f *site.Form) []ui.Component {
		var parts []ui.Component
		wrong := stored.ID != 0
		for n := range len(known) + moreFields {
			wrong = wrong || f.Wrong(name(n), kind(n)) || f.Get(name(n)) != ""
			text := f.Text(name(n), "question.inner")
			text.Optional, text.Autocomplete = true, "off"
			if n < len(known) {
				text.Hint = r.T("question_type." + string(known[n].Type))
				parts = append(parts, text)
				continue
			}
			parts = append(parts, ui.Columns{Parts: []ui.Component{text, f.Select(kind(n), "question.type", types...)}})
		}
		return []ui.Component{ui.Fold{Title: r.T("question.section"), Open: wrong,
			Parts: append([]ui.Component{ui.Words{Text: r.T("question.section_text"), Muted: true}}, parts...)}}
	}
	return field
}

// takeQuestions lets a course ask questions of other courses, so that applicants of both answer once.
func (p *pages) takeQuestions(r *site.Request, f *query.CourseForm) error {
	type taken struct{ ids []int64 }
	course := f.Course.ID
	page := records.Form[taken]{
		Query: p.Query, Kind: admitto.CourseRow, ID: course, Back: r.At("course-form", course),
		Events: []admitto.Pattern{admitto.CourseEdited},
		About:  func(_ *taken, links admitto.Links) bool { return links.Course == course },
		Intro:  "course_form.take_intro", Saved: "course_form.saved",
		Name: func(*taken) string { return r.T("course_form.of", "Name", f.Course.Name) },
		Read: func() (taken, error) { return taken{}, nil },
		Fields: func(m records.Maker[taken], _ *taken) ([]records.Field[taken], error) {
			var options []ui.Option
			for i := range f.Others {
				q := &f.Others[i]
				options = append(options, ui.Option{Value: number(q.ID), Text: q.Name,
					Hint: r.T("question_type." + string(q.Type))})
			}
			return []records.Field[taken]{m.IDs("questions", "course_form.questions", options,
				func(t *taken) *[]int64 { return &t.ids })}, nil
		},
		Save: func(t taken) (string, error) {
			return r.At("course-form", course), p.Catalogue.AskQuestions(r.Context(), r.Caller(), course, t.ids)
		},
	}
	return page.Show(r)
}
