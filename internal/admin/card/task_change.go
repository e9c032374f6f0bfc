package card

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// taskNew makes a task of a template, of the application or of one of its courses.
func (p *pages) taskNew(r *site.Request, h *query.ApplicationHead) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	back := r.Within("application-tasks", h.ID)
	if why, is := noNewTasks(h); is && !r.Posted() {
		return notNow(r, "card.no_new_tasks", why, back)
	}
	templates, err := p.Query.ActiveTemplates(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	if len(templates) == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "clipboard-list", Title: r.T("card.no_templates"),
			Text: r.T("card.no_templates_text"), Actions: []ui.Button{r.Cancel(back)}}}}.Show(r)
	}
	o, err := p.Query.ApplicationOverview(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	courses := []string{""}
	for i := range o.Courses {
		courses = append(courses, strconv.FormatInt(o.Courses[i].Course, 10))
	}
	twice := false
	if r.Posted() && !goesBack(r, f) {
		f.Among("course", courses...)
		n := slices.IndexFunc(templates, func(t admitto.TaskTemplate) bool { return t.ID == f.Choice("template") })
		if n < 0 {
			f.FailText("template", message.Of("choose-one"))
		} else if twice, err = p.hasOpenTask(r, h, f.Choice("template"), f.Choice("course")); twice && !f.Has("another") {
			f.Fail("another", "card.task_twice")
		}
		asked := false
		if err == nil && !f.Failed() {
			asked, err = p.tell(r, f, &telling{application: h.ID, title: r.T("card.ask_new_task", "Title", templates[n].Title),
				send: r.T("card.send_new_task"), back: back, do: func(p *pages) error {
					_, err := p.Admissions.CreateTask(r.Context(), r.Caller(), h.ID, f.Choice("template"), f.Choice("course"))
					return err
				}})
		}
		if asked {
			return err
		}
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("card.task_added"))
			return r.Redirect(back)
		}
	}
	var options []ui.Option
	for i := range templates {
		t := &templates[i]
		text := t.Title
		if t.Mails {
			text = r.T("card.status_tells", "Status", t.Title)
		}
		options = append(options, ui.Option{Value: strconv.FormatInt(t.ID, 10), Text: text})
	}
	about := []ui.Option{{Text: r.T("card.whole_application")}}
	for i := range o.Courses {
		c := &o.Courses[i]
		about = append(about, ui.Option{Value: strconv.FormatInt(c.Course, 10), Text: courseName(c)})
	}
	fields := []ui.Component{f.Select("template", "card.template", options...),
		f.Select("course", "card.task_about", about...)}
	if twice {
		fields = append(fields, f.Tick("another", "card.task_another", "card.task_another_tick"))
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.application-task-new"), r.Cancel(back)},
		fields...)}}.Show(r)
}

// hasOpenTask reports whether the application has a task of the template that is not resolved, about the same.
func (p *pages) hasOpenTask(r *site.Request, h *query.ApplicationHead, template, course int64) (bool, error) {
	papers, err := p.Query.CardPapers(r.Context(), r.Reader(), h.ID)
	return slices.ContainsFunc(papers.Tasks, func(t query.CardTask) bool {
		return t.TaskCase.Template == template && t.Course == course && t.Trashed == 0 && t.Resolved == 0
	}), err
}

// taskMove puts a task into the trash, or takes it out.
func (p *pages) taskMove(r *site.Request, h *query.ApplicationHead) error {
	t, err := p.readTask(r, h)
	if err != nil {
		return err
	}
	if !r.Posted() {
		return r.To("application-task", h.ID, t.ID)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	said := "card.was_trashed"
	if f.Get("to") == "trash" {
		err = p.Admissions.TrashTask(r.Context(), r.Caller(), h.ID, t.ID)
	} else {
		said = "card.was_restored"
		err = p.Admissions.RestoreTask(r.Context(), r.Caller(), h.ID, t.ID)
	}
	if err != nil {
		return err
	}
	r.Notify(ui.OK, r.T(said))
	return r.To("application-tasks", h.ID)
}

// taskDelete removes a task for good.
func (p *pages) taskDelete(r *site.Request, h *query.ApplicationHead) error {
	t, err := p.readTask(r, h)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, t.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := p.refusedTask(r, h, t, f, p.Admissions.DeleteTask(r.Context(), r.Caller(), h.ID, t.ID),
			show.Stored{Version: t.RowVersion})
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("card.task_deleted"))
			return r.To("application-tasks", h.ID)
		}
	}
	return r.Ask(ui.Confirmation{Title: r.T("card.delete_task_title", "Title", t.Title),
		Effects: []ui.Effect{{Icon: "info", Text: r.T("card.delete_task_effect")}}, Undo: r.T("card.delete_task_undo"),
		Fields: []ui.Component{f.Head()}, Confirm: ui.Button{Text: r.T("action.application-task-delete"), Danger: true,
			Busy: r.T("form.saving")}, Back: ui.Link{Text: r.T("dialog.cancel"), Href: r.Within("application-task", h.ID,
			t.ID)}})
}

// handling is what the form of a task says.
func handling(f *site.Form) admissions.TaskHandling {
	return admissions.TaskHandling{Status: f.Get("status"), Comment: f.Typed("comment"), Shared: f.Has("shared")}
}
