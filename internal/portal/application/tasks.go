package application

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// taskRoutes are the tasks of an applicant (screens.md P18).
func (p *pages) taskRoutes() []site.Route {
	const path = "/my/tasks/{id}"
	return []site.Route{
		{Name: "tasks", Path: "/my/tasks", Access: site.SignedIn(), Handle: p.tasks},
		{Name: "my-task", Path: path, Access: site.SignedIn(), Form: true, Files: true, Parent: "tasks", Handle: p.task},
	}
}

// mine are the latest applications of the reader.
func (p *pages) mine(r *site.Request) (list []*own, older []int64, err error) {
	found, err := p.Query.ApplicationsOf(r.Context(), r.Reader(), r.Person.Account,
		admitto.ApplicationQuery{Limit: most}, &query.ApplicationParts{})
	if err != nil {
		return nil, nil, err
	}
	var ids []int64
	for a, err := range found.All() {
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, a.ID)
	}
	slices.Reverse(ids)
	for n, id := range ids {
		if n >= told {
			return list, ids[n:], nil
		}
		a, err := p.read(r, id)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, a)
	}
	return list, nil, nil
}

// tasks are all tasks, open ones first, a page at a time.
func (p *pages) tasks(r *site.Request) error {
	view := r.View(false)
	found, total, err := p.Query.TasksOfApplicant(r.Context(), r.Reader(), r.Person.Account, view.Size, view.Offset())
	if err != nil {
		return err
	}
	if last, beyond := view.Beyond(len(found), int(total)); beyond {
		return r.Redirect(last)
	}
	var open, done, over ui.KeyValues
	for i := range found {
		t := &found[i]
		title, lang := titleOf(r, t.Template)
		t.Template = r.TaskTemplate(t.Template)
		term, _ := t.Term.NameIn(r.Lang)
		fact := ui.KeyValue{Key: title, KeyLang: lang, KeyHref: r.At("my-task", t.ID),
			Value: r.TaskStatus(t.StatusTitle()) + ". " + r.T("applications.title", "ID", number(t.Application)) + " · " +
				term}
		if t.Over && t.Resolved == 0 && !t.IsHandedIn() {
			over.Facts = append(over.Facts, fact)
			continue
		}
		if !t.Open {
			done.Facts = append(done.Facts, fact)
			continue
		}
		if !t.Deadline.IsZero() {
			fact.Value += ". " + r.T("my_task.by", "Day", day(r, t.Deadline))
		}
		open.Facts = append(open.Facts, fact)
	}
	page := site.Sheet{}
	switch {
	case open.Facts != nil:
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_task.open"), Parts: []ui.Component{open}})
	case view.Page == 1:
		page.Parts = append(page.Parts, ui.Empty{Icon: "list-checks", Title: r.T("my_task.none"),
			Text: r.T("my_task.none_text"), Actions: r.Buttons(site.Do("applications"))})
	}
	if done.Facts != nil {
		page.Parts = append(page.Parts, ui.Fold{Title: r.T("my_task.done"), Open: view.Page > 1,
			Parts: []ui.Component{done}})
	}
	if over.Facts != nil {
		page.Parts = append(page.Parts, ui.Fold{Title: r.T("my_task.not_any_more"), Open: view.Page > 1,
			Parts: []ui.Component{ui.Words{Text: r.T("my_task.not_any_more_text"), Muted: true}, over}})
	}
	if pager := view.Pager(int(total)); pager != nil {
		page.Parts = append(page.Parts, *pager)
	}
	return page.Show(r)
}

// titleOf is the title of tasks of a template, with the language that it is in where that is not the reader's.
func titleOf(r *site.Request, t *admitto.TaskTemplate) (title, lang string) {
	return r.Version(t.Versions, "title", t.Title)
}

// wrote is what staff wrote about a task for its applicant, "" for nothing.
func wrote(t *query.CardTask) string {
	if !t.Shared {
		return ""
	}
	return t.NotesAdministrator
}

// task is one task: what is asked, and what the applicant does about it.
func (p *pages) task(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	application, err := p.Query.ApplicationWith(r.Context(), r.Reader(), admitto.Row{Kind: admitto.TaskRow, ID: id})
	if err != nil {
		return err
	}
	a, err := p.read(r, application)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(a.Tasks, func(t query.CardTask) bool { return t.ID == id })
	if at < 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	t := &a.Tasks[at]
	r.SetTitleIn(t.Template.Title, a.langs[t.Template.Title])
	f, err := r.Form(site.Values{"comment": site.One(t.NotesApplicant), "status": site.One(t.Status)}, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		saved, err := p.saveTask(r, a, t, f)
		if err != nil || saved {
			return err
		}
	}
	facts := []ui.KeyValue{{Key: r.T("my_task.state"), Value: r.TaskStatus(t.StatusTitle())},
		{Key: r.T("my_task.application"), Value: r.T("applications.title", "ID", number(a.ID)) + " · " + a.InTerm.Name,
			Href: r.At("my-application", a.ID)}}
	if !t.Deadline.IsZero() {
		facts = append(facts, ui.KeyValue{Key: r.T("my_view.deadline"), Value: day(r, t.Deadline)})
	}
	box, written, err := p.taskBox(r, a, t, f)
	if err != nil {
		return err
	}
	if !written && t.NotesApplicant != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("my_task.comment"), Value: t.NotesApplicant})
	}
	page := site.Sheet{Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
	if text := wrote(t); text != "" {
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_view.wrote"), Parts: []ui.Component{ui.Prose{Text: text}}})
	}
	status, _ := t.Template.Status(t.Status)
	if !a.isOpen() { // nothing is submitted that the task could stop
		status.Blocks = false
	}
	page.Parts = append(page.Parts, formpage.TaskAbout(r, t.Template, status)...)
	files := ui.KeyValues{}
	for i := range t.Documents {
		d := &t.Documents[i]
		files.Facts = append(files.Facts, ui.KeyValue{Key: d.Name, KeyHref: r.At("my-document", a.ID, d.ID),
			Value: r.Clock(d.Uploaded)})
	}
	if files.Facts != nil {
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_view.documents"), Parts: []ui.Component{files}})
	}
	page.Parts = append(page.Parts, box)
	return page.Show(r)
}

// chosen are the statuses that the applicant may set.
func chosen(t *query.CardTask) (list []admitto.TaskStatus) {
	for _, s := range t.Template.Statuses {
		if s.Public {
			list = append(list, s)
		}
	}
	return list
}

// taskBox is the form of a task, or why there is none; written is whether the comment can be written in it.
func (p *pages) taskBox(r *site.Request, a *own, t *query.CardTask, f *site.Form) (box ui.Component, written bool,
	err error) {
	if t.Closed || a.isOver() {
		closed := ui.Notice{Tone: ui.Info, Text: r.T("my_task.closed"), Link: a.help(r, "application")}
		if a.isOver() {
			state, _ := a.state(r)
			closed.Text = r.T("my_task.over", "ID", number(a.ID), "State", state)
		}
		if !r.Posted() {
			closed.Link = nil
			return closed, false, nil
		}
		return f.Box(nil, append(notTaken(r, f), closed)...), false, nil
	}
	var file *ui.FileField
	if t.Template.AllowsDocument && (t.Template.MaxDocuments == 0 || len(t.Documents) < t.Template.MaxDocuments) {
		field, err := p.fileField(r, f)
		if err != nil {
			return nil, false, err
		}
		file = &field
	}
	parts, press := formpage.TaskFields(r, f, t.Template, file, isFresh(t))
	if press == "" {
		return ui.Notice{Tone: ui.Info, Text: r.T("my_task.nothing")}, false, nil
	}
	return f.Box([]ui.Button{r.Save(press)}, parts...), t.Template.AllowsComments, nil
}

// notTaken are the fields with what was handed in and is not taken any more, to be copied (screens.md U8).
func notTaken(r *site.Request, f *site.Form) (parts []ui.Component) {
	if file := f.SentFile("file"); file != nil {
		parts = append(parts, ui.Notice{Tone: ui.Warn, Text: r.T("my_task.file_not_kept", "Name", file.Name)})
	}
	if f.Get("comment") != "" {
		comment := f.Long("comment", "my_task.comment", 4, 0)
		comment.ReadOnly = true
		parts = append(parts, comment)
	}
	return parts
}

// isFresh reports whether the one status that an applicant can choose is still to be set, without a file so far.
func isFresh(t *query.CardTask) bool {
	public := chosen(t)
	return len(public) == 1 && public[0].Name != t.Status && len(t.Documents) == 0
}

// handsInNothing reports whether a press would hand in a task without a word or a file: neither came with it, and no
// file was there (lifecycle.md K2).
func handsInNothing(t *query.CardTask, in *admissions.TaskSaving) bool {
	if !isFresh(t) || in.Content != nil {
		return false
	}
	return (t.Template.AllowsDocument || t.Template.AllowsComments) &&
		(in.Comment == nil || strings.TrimSpace(*in.Comment) == "")
}

// saveTask saves what the applicant did; false where the form has to be shown again.
func (p *pages) saveTask(r *site.Request, a *own, t *query.CardTask, f *site.Form) (bool, error) {
	in := admissions.TaskSaving{}
	if t.Template.AllowsComments {
		comment := f.Typed("comment")
		in.Comment = &comment
	}
	switch public := chosen(t); {
	case len(public) > 1 && f.Get("status") != "":
		status := f.Get("status")
		in.Status = &status
	case len(public) == 1:
		in.Status = &public[0].Name
	}
	if t.Template.AllowsDocument {
		file, err := f.File("file")
		if err != nil {
			return false, err
		}
		if file != nil {
			content, err := file.Open()
			if err != nil {
				return false, err
			}
			defer content.Close() //nolint:errcheck // it was only read
			in.Name, in.Content, in.Size = file.Name, content, file.Size
		}
	}
	if handsInNothing(t, &in) {
		switch {
		case !t.Template.AllowsDocument:
			f.Fail("comment", "my_task.empty_comment")
		case !t.Template.AllowsComments, chosen(t)[0].RequiresDocument:
			f.Fail("file", "my_document.no_file")
		default:
			f.Fail("file", "my_task.empty")
		}
		return false, nil
	}
	f.Guard("document-missing", "file")
	f.Guard("too-many-documents", "file")
	refused, err := f.Refused(f.FileRefused("file", p.Admissions.SaveTask(r.Context(), r.Caller(), a.ID, t.ID, in)),
		map[admitto.Path]string{"document.file": "file", "task.comment": "comment"})
	if err != nil || refused {
		return false, err
	}
	r.Notify(ui.OK, r.T("my_task.saved", "Time", r.TimeOfDay(r.Now())))
	return true, r.To("my-task", t.ID)
}
