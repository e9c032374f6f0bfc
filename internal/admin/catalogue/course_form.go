package catalogue

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// formRoutes are screens.md A39.
func (p *pages) formRoutes(access site.Access) []site.Route {
	const path = "/admin/courses/{id}/form"
	of := func(name, below, parent string, handle func(*site.Request, *query.CourseForm) error) site.Route {
		return site.Route{Name: name, Path: path + below, Access: access, Form: true, Parent: parent,
			Handle: p.ofForm(handle)}
	}
	preview := of("course-form-preview", "/preview/{section}", "course-form", p.preview)
	preview.Form = false
	return []site.Route{of("course-form", "", "course", p.courseForm),
		of("course-form-copy", "/copy", "course-form", p.copyForm), preview,
		of("course-question-new", "/questions/new", "course-form", p.newQuestion),
		of("course-questions", "/questions", "course-form", p.takeQuestions),
		of("course-question", "/questions/{question}", "course-form", p.editQuestion)}
}

// ofForm reads the form of the course of a page.
func (p *pages) ofForm(handle func(*site.Request, *query.CourseForm) error) func(*site.Request) error {
	return func(r *site.Request) error {
		f, err := p.readForm(r)
		if err != nil {
			return err
		}
		r.NameCrumb("course", f.Course.Name)
		return handle(r, &f)
	}
}

func (p *pages) readForm(r *site.Request) (query.CourseForm, error) {
	id, err := r.ID()
	if err != nil {
		return query.CourseForm{}, err
	}
	return p.Query.CourseForm(r.Context(), r.Reader(), id)
}

// formRecord is what the pages of the form of a course have in common.
func (p *pages) formRecord(r *site.Request, course int64) records.Form[query.CourseForm] {
	return records.Form[query.CourseForm]{
		Query: p.Query, Kind: admitto.CourseRow, ID: course, Back: r.At("course-form", course),
		Events: []admitto.Pattern{admitto.CourseEdited, admitto.CourseStatusSet},
		About:  func(_ *query.CourseForm, links admitto.Links) bool { return links.Course == course },
		Name:   func(f *query.CourseForm) string { return r.T("course_form.of", "Name", f.Course.Name) },
		Saved:  "course_form.saved",
		Read:   func() (query.CourseForm, error) { return p.readForm(r) },
	}
}

// courseForm says of each field whether the course hides, shows or requires it, and which questions it asks.
func (p *pages) courseForm(r *site.Request, f *query.CourseForm) error {
	page := p.formRecord(r, f.Course.ID)
	page.Back, page.Intro = r.At("course", f.Course.ID), "course_form.intro"
	page.Name = func(*query.CourseForm) string { return r.T("title.course-form") }
	page.Fields = formFields
	page.Save = func(f query.CourseForm) (string, error) {
		return r.At("course-form", f.Course.ID), p.Catalogue.SaveCourseForm(r.Context(), r.Caller(), f.Course.ID, f.Settings)
	}
	page.Buttons = func(f *query.CourseForm) []ui.Button {
		return r.Buttons(site.Do("course-form-preview", f.Course.ID, firstSection), site.Do("course-form-copy", f.Course.ID))
	}
	page.Below = func(f *query.CourseForm) ([]ui.Component, error) { return []ui.Component{formTasks(r, f)}, nil }
	return page.Show(r)
}

// firstSection is the section that a preview begins with.
const firstSection = "profile"

// formFields are the fields of a course's form: a fold for each section, and one for each question.
func formFields(m records.Maker[query.CourseForm],
	f *query.CourseForm) (fields []records.Field[query.CourseForm], err error) {
	var all records.Field[query.CourseForm]
	var each []records.Field[query.CourseForm]
	for _, s := range form.Sections() {
		if s.Key != form.Questions {
			each = append(each, sectionField(m, s))
			all.Inputs = append(all.Inputs, each[len(each)-1].Inputs...)
		}
	}
	all.Put = func(v site.Values, of *query.CourseForm) {
		for _, field := range each {
			field.Put(v, of)
		}
	}
	all.Take = func(f *site.Form, into *query.CourseForm) {
		for _, field := range each {
			field.Take(f, into)
		}
	}
	all.Draw = func(f *site.Form) []ui.Component {
		var folds []ui.Component
		for _, field := range each {
			folds = append(folds, field.Draw(f)...)
		}
		return []ui.Component{ui.Stack{Tight: true, Parts: folds}}
	}
	return append(fields, all, m.Head("course_form.questions", "course_form.questions_text"), questionsField(m, f)), nil
}

// showName is the name of the field that says whether a section or a field is shown.
func showName(path string) string { return "show-" + strings.ReplaceAll(path, "/", "_") }

// sectionField is a section with its fields, folded. Its title says how many there are.
func sectionField(m records.Maker[query.CourseForm], s *form.Section) records.Field[query.CourseForm] {
	r, at := m.R, showName(s.Key)
	leaves := s.Leaves()
	field := records.Field[query.CourseForm]{Inputs: [][2]string{{at, "course_form.section"}},
		Put: func(v site.Values, of *query.CourseForm) {
			v[at] = site.One(of.Settings.Section(s).String())
			for _, l := range leaves {
				v[showName(l.Path)] = site.One(of.Settings.Field(l).String())
			}
		},
		Take: func(f *site.Form, into *query.CourseForm) {
			labelShown(r, f, s)
			sections, shows := map[string]form.Show{}, map[string]form.Show{}
			for key, show := range into.Settings.Sections {
				sections[key] = show
			}
			for path, show := range into.Settings.Fields {
				shows[path] = show
			}
			into.Settings.Sections, into.Settings.Fields = sections, shows
			sections[s.Key] = typedShow(r, f, at, into.Settings.Section(s))
			if sections[s.Key] == form.Required && !s.Rows {
				f.Fail(at, "course_form.choose")
			}
			for _, l := range leaves {
				shows[l.Path] = typedShow(r, f, showName(l.Path), into.Settings.Field(l))
			}
		},
	}
	field.Draw = func(f *site.Form) []ui.Component { return []ui.Component{sectionFold(r, f, s)} }
	for _, l := range leaves {
		field.Inputs = append(field.Inputs, [2]string{showName(l.Path), "course_form.field"})
	}
	return field
}

// labelShown names the fields of a section for those who read of them apart from it.
func labelShown(r *site.Request, f *site.Form, s *form.Section) {
	section := formpage.SectionName(r, s)
	f.SetLabel(showName(s.Key), section)
	for _, l := range s.Leaves() {
		f.SetLabel(showName(l.Path), r.T("course_form.part", "Whole", section, "Part", r.Label(l.Label)))
	}
}

// typedShow reads whether something is shown; what is none of the words is wrong, and nothing changes.
func typedShow(_ *site.Request, f *site.Form, name string, before form.Show) (show form.Show) {
	if err := show.UnmarshalText([]byte(f.Get(name))); err != nil {
		f.Fail(name, "course_form.choose")
		return before
	}
	return show
}

// sectionFold is a section of the form with its fields.
func sectionFold(r *site.Request, f *site.Form, s *form.Section) ui.Component {
	at := showName(s.Key)
	options := showOptions(r, "course_section.", form.Shown, form.Hidden)
	if s.Rows {
		options = showOptions(r, "course_section.", form.Required, form.Shown, form.Hidden)
	}
	f.SetLabel(at, r.T("course_form.section"))
	whole := f.Choices(at, "", false, options...)
	wrong := f.Wrong(at)
	count := map[string]int{}
	var grid []ui.Component
	for _, l := range s.Leaves() {
		name := showName(l.Path)
		f.SetLabel(name, r.Label(l.Label))
		choice := f.Select(name, "", showOptions(r, "course_field.", form.Required, form.Shown, form.Hidden)...)
		if l.Unless != "" {
			choice.Hint = r.T("course_form.unless", "Field", r.Label(s.Field(l.Unless).Label))
		}
		grid = append(grid, choice)
		wrong = wrong || f.Wrong(name)
		count[f.Get(name)]++
	}
	title := r.T("course_form.fold", "Section", formpage.SectionName(r, s), "Required",
		r.Number(count[form.Required.String()]), "Shown", r.Number(count[form.Shown.String()]), "Hidden",
		r.Number(count[form.Hidden.String()]))
	if f.Get(at) == form.Hidden.String() {
		title = r.T("course_form.fold_hidden", "Section", formpage.SectionName(r, s))
	}
	return ui.Fold{Title: title, Open: wrong, Parts: []ui.Component{whole, ui.Columns{Parts: grid}}}
}

func showOptions(r *site.Request, key string, shows ...form.Show) (options []ui.Option) {
	for _, show := range shows {
		options = append(options, ui.Option{Value: show.String(), Text: r.T(key + show.String())})
	}
	return options
}

// notAsked stands for a question that is taken out.
const notAsked = "removed"

// questionsField are the questions that the course asks, with their places. One that is taken out stays in the answers
// that were given.
func questionsField(m records.Maker[query.CourseForm], stored *query.CourseForm) records.Field[query.CourseForm] {
	r := m.R
	asks := func(id int64) string { return "question-" + number(id) }
	place := func(id int64) string { return "place-" + number(id) }
	var field records.Field[query.CourseForm]
	for i := range stored.Questions {
		field.Inputs = append(field.Inputs, [2]string{asks(stored.Questions[i].ID), "course_form.question"},
			[2]string{place(stored.Questions[i].ID), "course_form.place"})
	}
	field.Put = func(v site.Values, of *query.CourseForm) {
		for n, q := range of.Settings.Questions {
			v[asks(q.ID)], v[place(q.ID)] = site.One(form.Shown.String()), site.One(strconv.Itoa(n+1))
			if q.Required {
				v[asks(q.ID)] = site.One(form.Required.String())
			}
		}
	}
	field.Take = func(f *site.Form, into *query.CourseForm) {
		type placed struct {
			form.Ask
			at int64
		}
		var list []placed
		for i := range stored.Questions {
			q := &stored.Questions[i]
			f.SetLabel(asks(q.ID), q.Name)
			f.SetLabel(place(q.ID), r.T("course_form.part", "Whole", q.Name, "Part", r.T("course_form.place")))
		}
		for _, q := range into.Settings.Questions {
			f.Among(asks(q.ID), form.Required.String(), form.Shown.String(), notAsked)
			q.Required = f.Get(asks(q.ID)) == form.Required.String()
			if f.Get(asks(q.ID)) != notAsked {
				list = append(list, placed{q, f.Number(place(q.ID), "record.no_number")})
			}
		}
		slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
		into.Settings.Questions = nil
		for _, q := range list {
			into.Settings.Questions = append(into.Settings.Questions, q.Ask)
		}
	}
	field.Draw = func(f *site.Form) (parts []ui.Component) {
		for i := range stored.Questions {
			q := &stored.Questions[i]
			f.SetLabel(asks(q.ID), r.T("course_form.question"))
			f.SetLabel(place(q.ID), r.T("course_form.place"))
			choice := f.Select(asks(q.ID), "", append(showOptions(r, "course_question.", form.Required, form.Shown),
				ui.Option{Value: notAsked, Text: r.T("course_question.removed")})...)
			choice.Hint = questionFacts(r, stored, q)
			at := f.Text(place(q.ID), "course_form.place")
			at.InputMode, at.Width, at.Autocomplete = "numeric", "w4", "off"
			parts = append(parts, ui.Box{Title: q.Name, Parts: []ui.Component{ui.Columns{Parts: []ui.Component{choice, at}}},
				Actions: []ui.Button{{Text: r.T("action.course-question"), About: q.Name, Icon: "pencil", Small: true,
					Href: r.At("course-question", stored.Course.ID, q.ID)}}})
		}
		if len(parts) == 0 {
			parts = []ui.Component{ui.Words{Text: r.T("course_form.no_questions"), Muted: true}}
		}
		acts := ui.Acts{{Text: r.T("action.course-question-new"), Icon: "plus",
			Href: r.At("course-question-new", stored.Course.ID)}}
		if len(stored.Others) > 0 {
			acts = append(acts, ui.Button{Text: r.T("action.course-questions"), Icon: "copy",
				Href: r.At("course-questions", stored.Course.ID)})
		}
		return append(parts, acts)
	}
	return field
}

// questionFacts are the type of a question, and how many courses ask it where there are several.
func questionFacts(r *site.Request, f *query.CourseForm, q *admitto.Question) string {
	facts := r.T("question_type." + string(q.Type))
	if others := f.Use[q.ID] - 1; others > 0 {
		facts += ". " + r.Plural("course_form.others", others)
	}
	return facts
}

// formTasks are the task templates that make tasks for the course, with what they ask for.
func formTasks(r *site.Request, f *query.CourseForm) ui.Component {
	table := ui.Table{Caption: r.T("course_form.tasks"), Cards: true, Columns: []ui.Column{
		{Title: r.T("task_template.title"), Place: "main"}, {Title: r.T("task_template.cause"), Place: "label"},
		{Title: r.T("course_form.asks_for"), Place: "label"}},
		Empty: ui.Empty{Icon: "list-checks", Title: r.T("course_form.no_tasks"), Text: r.T("course_form.no_tasks_text")}}
	for _, t := range f.Templates {
		cell := ui.Cell{Text: t.Title}
		if r.May("task-template") {
			cell.Href = r.At("task-template", t.ID)
		}
		asks := r.T("course_form.no_documents")
		if t.AllowsDocument {
			asks = r.Plural("course_form.documents", t.MaxDocuments)
		}
		table.Rows = append(table.Rows, ui.Row{Label: t.Title, Cells: []ui.Cell{cell, {Text: r.T("task_cause." + t.Cause)},
			{Text: asks}}})
	}
	return ui.Stack{Parts: []ui.Component{ui.Heading{Title: r.T("course_form.tasks"), Text: r.T("course_form.tasks_text")},
		table}}
}

// copyForm puts the form of another course in place of that of the course.
func (p *pages) copyForm(r *site.Request, f *query.CourseForm) error {
	type copied struct{ from int64 }
	course := f.Course.ID
	all, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return err
	}
	options := []ui.Option{{Text: r.T("value.none")}}
	for i := range all {
		if all[i].ID != course {
			options = append(options, ui.Option{Value: number(all[i].ID),
				Text: strings.TrimSpace(all[i].Name + " " + all[i].Code)})
		}
	}
	page := records.Form[copied]{
		Query: p.Query, Kind: admitto.CourseRow, ID: course, Back: r.At("course-form", course),
		Events: []admitto.Pattern{admitto.CourseEdited},
		About:  func(_ *copied, links admitto.Links) bool { return links.Course == course },
		Intro:  "course_form.copy_intro", Saved: "course_form.copied",
		Name: func(*copied) string { return r.T("course_form.of", "Name", f.Course.Name) },
		Read: func() (copied, error) { return copied{}, nil },
		Fields: func(m records.Maker[copied], _ *copied) ([]records.Field[copied], error) {
			return []records.Field[copied]{m.ChooseID("from", "course_form.from", options,
				func(c *copied) *int64 { return &c.from })}, nil
		},
		Save: func(c copied) (string, error) {
			return r.At("course-form", course), p.Catalogue.CopyCourseForm(r.Context(), r.Caller(), c.from, course)
		},
	}
	return page.Show(r)
}

// preview shows a section as applicants of the course see it; nothing is stored.
func (p *pages) preview(r *site.Request, f *query.CourseForm) error {
	asks := form.Together([]form.Settings{f.Settings})
	section := form.SectionOf(r.Part("section"))
	if section == nil {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	words, err := r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	if err != nil {
		return err
	}
	typed, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	var links []ui.Link
	for _, s := range form.Sections() {
		if !asks.Shows(s.Key) {
			continue
		}
		link := ui.Link{Text: formpage.SectionName(r, s)}
		if s != section {
			link.Href = r.At("course-form-preview", f.Course.ID, s.Key)
		}
		links = append(links, link)
	}
	parts := []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("course_form.preview_text"), Link: &ui.Link{
		Text: r.T("course_form.back"), Href: r.At("course-form", f.Course.ID)}}, ui.Links{Links: links}}
	if !asks.Shows(section.Key) {
		parts = append(parts, ui.Empty{Icon: "list", Title: r.T("course_form.is_hidden"),
			Text: r.T("course_form.is_hidden_text")})
		return site.Sheet{Title: formpage.SectionName(r, section), Parts: parts}.Show(r)
	}
	s := formpage.Section{Section: section, Content: &form.Content{}, Asked: &asks, Questions: f.Questions,
		Words: words, Own: true}
	box := s.Box(r, typed)
	sheet := site.Sheet{Title: formpage.SectionName(r, section), Intro: []string{r.T("my_form_intro." + section.Key)}}
	sheet.Parts = append(parts, ui.Box{Title: formpage.SectionName(r, section), Parts: box.Parts})
	return sheet.Show(r)
}
