package kinds

import (
	"strconv"
	"time"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// template is a task template as it is typed.
type template struct {
	admitto.TaskTemplate
	scope    string   // all or listed
	days     *int64   // of the deadline; nil: none
	most     int64    // documents
	statuses int      // which are stored: their names stay
	gone     []string // those of them that go
}

const (
	allCourses    = "all"
	listedCourses = "listed"
)

func templateOf(t admitto.TaskTemplate) template {
	typed := template{TaskTemplate: t, scope: listedCourses, most: int64(t.MaxDocuments), statuses: len(t.Statuses)}
	if t.AllCourses {
		typed.scope = allCourses
	}
	if t.DeadlineDays >= 0 {
		typed.days = &t.DeadlineDays
	}
	return typed
}

// typed is the template that was typed.
func (t *template) typed() admitto.TaskTemplate {
	v := t.TaskTemplate
	v.AllCourses, v.MaxDocuments, v.DeadlineDays = t.scope == allCourses, int(t.most), -1
	if t.days != nil {
		v.DeadlineDays = *t.days
	}
	return v
}

// causes are what makes tasks of a template by itself.
func causes() []string { return []string{"none", "created", "submitted", "confirmed"} }

// templates are screens.md A44.
func (p *pages) templates() *records.Family[template] {
	type of = template
	return &records.Family[of]{
		Query: p.Query, List: "task-templates", New: "task-template-new", One: "task-template",
		Kind:   admitto.TaskTemplateRow,
		Events: []admitto.Pattern{admitto.TemplateCreated, admitto.TemplateEdited, admitto.TemplateDeleted},
		Texts: records.Texts{Count: "task_template.count", None: "task_template.none",
			NoneText: "task_template.none_text",
			NewIntro: "task_template.new_intro", Intro: "task_template.intro", Saved: "task_template.saved"},
		ID: func(t *of) int64 { return t.ID }, Name: func(t *of) string { return t.Title },
		All: func(r *site.Request) (list []of, err error) {
			all, err := p.Query.TaskTemplates(r.Context(), r.Reader())
			for i := range all {
				list = append(list, templateOf(all[i]))
			}
			return list, err
		},
		Columns: p.templateColumns,
		Read: func(r *site.Request, id int64) (of, error) {
			t, err := p.Query.TaskTemplate(r.Context(), r.Reader(), id)
			return templateOf(t), err
		},
		Blank:  blankTemplate,
		Fields: p.templateFields,
		Save: func(r *site.Request, t of) (int64, error) {
			return p.Catalogue.SaveTaskTemplate(r.Context(), r.Caller(), t.typed(), t.gone...)
		},
		Below: asApplicant,
		Buttons: func(r *site.Request, t *of) []ui.Button {
			return r.Buttons(site.Danger("task-template-delete",
				t.ID))
		},
	}
}

// blankTemplate has the usual statuses of a checklist (resources.md 25.4), none of which is stored yet.
func blankTemplate(*site.Request) (template, error) {
	t := templateOf(admitto.TaskTemplate{Cause: "none", Active: true, AllowsComments: true, AllowsDocument: true,
		MaxDocuments: 20, DeadlineDays: -1, AllCourses: true, Statuses: []admitto.TaskStatus{
			{Name: "Pending", Title: "Pending", Default: true}, {Name: "Submitted", Title: "Submitted", Public: true},
			{Name: "Returned", Title: "Returned", Tells: true},
			{Name: "Accepted", Title: "Accepted", Resolves: true, Closes: true},
			{Name: "Rejected", Title: "Rejected", Resolves: true, Closes: true, Tells: true}}})
	t.statuses = 0
	return t, nil
}

func (p *pages) templateColumns(r *site.Request, _ []template) ([]records.Column[template], error) {
	type of = template
	use, err := p.Query.TaskTemplateUse(r.Context(), r.Reader())
	return []records.Column[of]{
		{Title: "task_template.title", Place: "main", Cell: func(t *of) ui.Cell {
			return ui.Cell{Text: t.Title, Below: t.Class, Note: words(r, state{!t.Active, "task_template.inactive"})}
		}},
		{Title: "task_template.cause", Place: "label", Cell: func(t *of) ui.Cell {
			return ui.Cell{Text: r.T("task_cause." + t.Cause)}
		}},
		{Title: "task_template.scope", Place: "label", Cell: func(t *of) ui.Cell {
			return ui.Cell{Text: r.T("task_scope." + t.scope)}
		}},
		{Title: "task_template.tasks", Place: "label", Num: true, Cell: func(t *of) ui.Cell {
			return ui.Cell{Text: r.Number(int(use[t.ID]))}
		}},
	}, err
}

func (p *pages) templateFields(m records.Maker[template], t *template) ([]records.Field[template], error) {
	type of = template
	r := m.R
	types, err := p.Query.OfferTypes(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return nil, err
	}
	var typeOptions, courseOptions, causeOptions []ui.Option
	for i := range types {
		if types[i].Confirm && !types[i].Archived {
			typeOptions = append(typeOptions, ui.Option{Value: number(types[i].ID), Text: types[i].Title})
		}
	}
	for i := range courses {
		courseOptions = append(courseOptions, ui.Option{Value: number(courses[i].ID), Text: courses[i].Name,
			Hint: courses[i].Code})
	}
	for _, cause := range causes() {
		causeOptions = append(causeOptions, ui.Option{Value: cause, Text: r.T("task_cause." + cause)})
	}
	fields := []records.Field[of]{
		m.Text("title", "task_template.title", func(t *of) *string { return &t.Title },
			records.Hint("task_template.title_hint")),
	}
	if t.ID == 0 {
		fields = append(fields, m.Text("class", "task_template.class", func(t *of) *string { return &t.Class },
			records.Hint("task_template.class_hint")))
	} else { // it never changes
		fields = append(fields, records.Field[of]{Put: func(site.Values, *of) {}, Take: func(*site.Form, *of) {},
			Draw: func(*site.Form) []ui.Component {
				return []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("task_template.class"), Value: t.Class}}}}
			}})
	}
	fields = append(fields,
		m.Tick("active", "task_template.active", "task_template.active_text", func(t *of) *bool { return &t.Active }),
		m.Long("instructions", "task_template.instructions", 6, 4000, func(t *of) *string { return &t.Instructions },
			records.Optional, records.Hint("task_template.instructions_hint")),
		m.Long("staff_instructions", "task_template.for_staff", 3, 4000, func(t *of) *string { return &t.ForStaff },
			records.Optional),
		m.Head("task_template.when", "task_template.when_text"),
		m.Radio("cause", "task_template.cause", causeOptions, func(t *of) *string { return &t.Cause }),
		folded(r, "task_template.offer_types", false, m.IDs("offer_types", "task_template.offer_types", typeOptions,
			func(t *of) *[]int64 { return &t.OfferTypes }, records.Optional,
			records.Hint("task_template.offer_types_hint"))),
		m.Radio("scope", "task_template.scope", []ui.Option{{Value: allCourses, Text: r.T("task_scope.all")},
			{Value: listedCourses, Text: r.T("task_scope.listed"), Hint: r.T("task_template.listed_hint")}},
			func(t *of) *string { return &t.scope }),
		folded(r, "task_template.courses", t.scope == listedCourses, m.IDs("courses", "task_template.courses",
			courseOptions,
			func(t *of) *[]int64 { return &t.Courses }, records.Optional)),
		m.Tick("per_course", "task_template.per_course", "task_template.per_course_text",
			func(t *of) *bool { return &t.PerCourse }),
		m.Number("deadline_days", "task_template.days", func(t *of) **int64 { return &t.days }, records.Optional,
			records.Hint("task_template.days_hint")),
		m.Tick("mails", "task_template.mails", "task_template.mails_text", func(t *of) *bool { return &t.Mails }),
		m.Head("task_template.answer", "task_template.answer_text"),
		m.Tick("comments", "task_template.comments", "task_template.comments_text",
			func(t *of) *bool { return &t.AllowsComments }),
		m.Tick("documents", "task_template.documents", "task_template.documents_text",
			func(t *of) *bool { return &t.AllowsDocument }),
		m.Words("document_kinds", "task_template.kinds", documentKinds(r),
			func(t *of) *[]string { return &t.DocumentKinds },
			records.Optional, records.Hint("task_template.kinds_hint")),
		m.Whole("max_documents", "task_template.most", func(t *of) *int64 { return &t.most },
			records.Hint("task_template.most_hint")),
		m.Tick("freezable", "task_template.freezable", "task_template.freezable_text",
			func(t *of) *bool { return &t.Freezable }),
		m.Head("task_template.statuses", "task_template.statuses_text"),
		statusField(m, t), m.Versions(templateTexts(r, t), func(t *of) *admitto.Versions { return &t.Versions }))
	return fields, nil
}

// documentKinds are the kinds of documents that a task may ask for.
func documentKinds(r *site.Request) (options []ui.Option) {
	for _, kind := range filekind.Groups() {
		options = append(options, ui.Option{Value: kind, Text: r.T("document_kind." + kind)})
	}
	return options
}

// templateTexts are the texts of a template that can be there in several languages; those of statuses once they are
// stored.
func templateTexts(r *site.Request, t *template) []records.Version {
	list := []records.Version{{Name: "title", Label: r.T("task_template.title"), First: t.Title},
		{Name: "instructions", Label: r.T("task_template.instructions"), First: t.Instructions, Rows: 5}}
	for _, s := range t.Statuses[:t.statuses] {
		list = append(list, records.Version{Name: admitto.StatusVersion(s.Name), Label: r.T("task_template.status_n",
			"Status",
			s.Name), First: s.Title})
		if s.Description != "" {
			list = append(list, records.Version{Name: admitto.AboutVersion(s.Name), Label: r.T("task_template.about_n",
				"Status", s.Name), First: s.Description, Rows: 2})
		}
	}
	return list
}

// deleteTemplate asks before a template is deleted that has made no tasks.
func (p *pages) deleteTemplate(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	t, err := p.Query.TaskTemplate(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	return records.Removal{Query: p.Query, Name: t.Title, Row: admitto.Row{Kind: admitto.TaskTemplateRow, ID: id},
		List: r.At("task-templates"), One: r.At("task-template", id), Effect: r.T("task_template.delete_effect"),
		Press: "action.task-template-delete",
		Act:   func() error { return p.Catalogue.DeleteTaskTemplate(r.Context(), r.Caller(), id) }}.Show(r)
}

// folded draws a field where it is opened.
func folded(r *site.Request, title string, open bool, field records.Field[template]) records.Field[template] {
	draw := field.Draw
	field.Draw = func(f *site.Form) []ui.Component {
		wrong := f.Wrong(field.Inputs[0][0])
		return []ui.Component{ui.Fold{Title: r.T(title), Open: open || wrong, Parts: draw(f)}}
	}
	return field
}

// asApplicant shows a new task as applicants see it. Its fields cannot be filled in.
func asApplicant(r *site.Request, t *template) ([]ui.Component, error) {
	f, err := r.Form(nil, 0)
	if err != nil {
		return nil, err
	}
	said := r.TaskTemplate(&t.TaskTemplate)
	status, _ := said.DefaultStatus()
	facts := ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("my_task.state"), Value: status.Title}}}
	if t.days != nil {
		due := admitto.DateOf(r.Now().Std().In(r.Zone())).AddDays(int(*t.days))
		facts.Facts = append(facts.Facts, ui.KeyValue{Key: r.T("my_view.deadline"), Value: r.Date(due.In(time.UTC))})
	}
	parts := append([]ui.Component{facts}, formpage.TaskAbout(r, &t.TaskTemplate, status)...)
	var file *ui.FileField
	if t.AllowsDocument {
		file = &ui.FileField{Field: ui.Field{ID: "preview-file", Label: r.T("my_document.file"), Disabled: true}}
	}
	fields, press := formpage.TaskFields(r, f, &t.TaskTemplate, file, true)
	for i := range fields {
		switch field := fields[i].(type) {
		case ui.LongText:
			field.Disabled = true
			fields[i] = field
		case ui.Choices:
			field.Disabled = true
			fields[i] = field
		}
	}
	if parts = append(parts, fields...); press == "" {
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("my_task.nothing")})
	}
	return []ui.Component{ui.Heading{Title: r.T("task_template.preview"), Text: r.T("task_template.preview_text")},
		ui.Box{Title: said.Title, Parts: parts}}, nil
}

// line is the name of an input of a line of the form.
func line(field string, n int) string { return field + "-" + strconv.Itoa(n) }
