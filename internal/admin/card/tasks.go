package card

import (
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// taskRoutes are the tasks of an application (screens.md A17), and what is done with them.
func (p *pages) taskRoutes() []site.Route {
	view, edit := site.Needs(admitto.ApplicationsView), site.Needs(admitto.TasksEdit).And(admitto.ApplicationsView)
	const path = "/admin/applications/{id}/tasks"
	below := func(name, end string, access site.Access,
		handle func(*site.Request, *query.ApplicationHead) error) site.Route {
		return site.Route{Name: name, Path: path + end, Access: access, Form: true, Parent: "application-tasks",
			Handle: p.ofApplication(handle)}
	}
	return []site.Route{p.tab("application-tasks", "/tasks", view, p.tasks),
		below("application-task", "/{task}", view, p.task),
		below("application-task-new", "/new", edit, p.taskNew),
		below("application-task-move", "/{task}/move", edit, p.taskMove),
		below("application-task-delete", "/{task}/delete", edit, p.taskDelete)}
}

// tasks are the tasks of the application; those in the trash are folded.
func (p *pages) tasks(r *site.Request, h *query.ApplicationHead) error {
	papers, err := p.Query.CardPapers(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	open := taskTable(r, h)
	trash := open
	for i := range papers.Tasks {
		table := &open
		if papers.Tasks[i].Trashed != 0 {
			table = &trash
		}
		table.Rows = append(table.Rows, taskRow(r, h, &papers.Tasks[i]))
	}
	buttons := show.Small(r.Buttons(site.Do("application-task-new", h.ID)))
	var parts []ui.Component
	if why, is := noNewTasks(h); is && len(buttons) > 0 {
		buttons, open.Empty.Actions = nil, nil
		parts = append(parts, ui.Words{Text: r.T("card.no_new_tasks", "Reason", r.Say(why)), Muted: true})
	}
	parts = append(parts, open)
	if len(trash.Rows) > 0 {
		trash.Caption = r.T("card.trash")
		parts = append(parts, ui.Fold{Title: r.Plural("card.in_trash", len(trash.Rows)), Parts: []ui.Component{trash}})
	}
	return p.showWith(r, h, "application-tasks", buttons, parts...)
}

// noChanges says why the application stays as it is; is is false when staff may change it (lifecycle.md 3.4).
func noChanges(h *query.ApplicationHead) (why message.Text, is bool) {
	switch h.Status {
	case admitto.Closed:
		return message.Of("application-is-closed"), true
	case admitto.Withdrawn:
		return message.Of("application-is-withdrawn"), true
	case admitto.Blank, admitto.Draft, admitto.Inactive, admitto.Reopened, admitto.Submitted:
	}
	return message.Text{}, false
}

// noNewTasks says why the application gets no new tasks; is is false when it does (lifecycle.md K1).
func noNewTasks(h *query.ApplicationHead) (why message.Text, is bool) {
	if h.Expired {
		return message.Of("application-expired"), true
	}
	return noChanges(h)
}

func taskTable(r *site.Request, h *query.ApplicationHead) ui.Table {
	return ui.Table{Caption: r.T("card.tasks"), Columns: []ui.Column{{Title: r.T("card.task_title"), Place: "main"},
		{Title: r.T("card.status"), Place: "meta"}, {Title: r.T("card.task_deadline"), Place: "label"},
		{Title: r.T("card.created"), Place: "label"}, {Title: r.T("card.reminded"), Place: "label"},
		{Title: r.T("card.committed"), Place: "label"}, {Title: r.T("card.resolved"), Place: "label"},
		{Title: r.T("card.documents"), Num: true, Place: "label"}, {Title: r.T("card.notes")}},
		Empty: ui.Empty{Icon: "clipboard-list", Title: r.T("card.no_tasks"), Text: r.T("card.no_tasks_text"),
			Actions: r.Buttons(site.Do("application-task-new", h.ID))}}
}

func taskRow(r *site.Request, h *query.ApplicationHead, t *query.CardTask) ui.Row {
	return ui.Row{ID: strconv.FormatInt(t.ID, 10), Label: t.Title, Cells: []ui.Cell{
		{Text: t.Title, Href: taskAddress(r, h, t.ID), Note: t.Class}, {Tags: taskTags(r, t)}, {Text: show.Date(r,
			t.Deadline)},
		{Text: show.Day(r, t.Created)}, {Text: show.Day(r, t.Reminded)}, {Text: show.Day(r, t.Committed)},
		{Text: show.Day(r, t.Resolved)}, {Text: r.Number(len(t.Documents))},
		{Text: joined(" · ", ofWhom(r, "card.note_of_applicant", t.NotesApplicant), ofWhom(r, "card.comment",
			t.NotesAdministrator))}}}
}

// ofWhom says whose note it is, "" for none.
func ofWhom(r *site.Request, key, note string) string {
	if note == "" {
		return ""
	}
	return r.T("history.given", "Name", r.T(key), "Value", note)
}

func taskAddress(r *site.Request, h *query.ApplicationHead, task int64) string {
	return r.Within("application-task", h.ID, task)
}

// taskTags are the status of a task, and whether it stops the submission.
func taskTags(r *site.Request, t *query.CardTask) []ui.Tag {
	tags := []ui.Tag{statusTag(r, t)}
	if t.Blocks() {
		tags = append(tags, ui.Tag{Text: r.T("card.blocks"), Icon: "ban", Tone: ui.Warn})
	}
	if t.Trashed != 0 {
		tags = append(tags, ui.Tag{Text: r.T("card.trashed"), Icon: "trash-2"})
	}
	return tags
}

// taskLine is a task on a line: its title and its status.
func taskLine(r *site.Request, t *query.CardTask) string {
	return r.T("card.task", "Title", t.Title, "Status", r.TaskStatus(t.StatusTitle()))
}

func statusTag(r *site.Request, t *query.CardTask) ui.Tag {
	return show.Task(r, t.StatusTitle(), &t.Task, t.Tells())
}

// readTask reads the task that the page is about.
func (p *pages) readTask(r *site.Request, h *query.ApplicationHead) (*query.CardTask, error) {
	id, err := r.IDAt("task")
	if err != nil {
		return nil, err
	}
	papers, err := p.Query.CardPapers(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return nil, err
	}
	t := papers.Task(id)
	if t == nil {
		return nil, &admitto.Error{Kind: admitto.NotFound}
	}
	return t, nil
}

// task is one task with all that is known of it, and the form for those who may work on it.
func (p *pages) task(r *site.Request, h *query.ApplicationHead) error {
	t, err := p.readTask(r, h)
	if err != nil {
		return err
	}
	if err := p.leadThrough(r, h.ID, "application-tasks"); err != nil {
		return err
	}
	may := r.Reader().Has(admitto.TasksEdit)
	if r.Posted() && !may {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if r.Posted() && t.Trashed != 0 {
		return p.trashedMeanwhile(r, h, t)
	}
	var parts []ui.Component
	if may && t.Trashed == 0 {
		f, err := p.formOfTask(r, h, t)
		if err != nil {
			return err
		}
		if r.Posted() {
			saved, asked, err := p.saveTask(r, h, t, f, r.Within("application-tasks", h.ID))
			if asked || err != nil {
				return err
			}
			if saved {
				r.Notify(ui.OK, r.T("card.saved"))
				return r.Redirect(r.Within("application-tasks", h.ID))
			}
		}
		fields := taskFields(r, t, f)
		parts = append(parts, f.Box([]ui.Button{r.Save("action.save"), r.Cancel(r.Within("application-tasks", h.ID))},
			fields...))
	}
	r.SetTitle(t.Title)
	facts := ui.Box{Title: r.T("card.facts"), Parts: []ui.Component{ui.KeyValues{Facts: taskFacts(r, h, t)}}}
	if t.Trashed == 0 && r.May("application-document-upload") && allowed(admitto.ContentSaved, h) {
		facts.Actions = []ui.Button{{Text: r.T("action.application-document-upload"), Icon: "upload", Small: true,
			Href: site.Add(r.Within("application-document-upload", h.ID), "task", strconv.FormatInt(t.ID, 10))}}
	}
	parts = append(parts, facts)
	return site.Sheet{Parts: append(parts, moveTask(r, h, t)...)}.Show(r)
}

// moveTask puts the task into the trash or takes it out, and deletes it.
func moveTask(r *site.Request, h *query.ApplicationHead, t *query.CardTask) []ui.Component {
	if !r.May("application-task-move") {
		return nil
	}
	move := ui.Button{Text: r.T("card.to_trash"), Icon: "trash-2", Name: "to", Value: "trash"}
	if t.Trashed != 0 {
		move = ui.Button{Text: r.T("card.from_trash"), Icon: "rotate-ccw", Name: "to", Value: "card"}
	}
	return []ui.Component{ui.FormBox{Action: r.Within("application-task-move", h.ID, t.ID),
		Buttons: append([]ui.Button{move}, r.Buttons(site.Danger("application-task-delete", h.ID, t.ID))...)}}
}

// trashedMeanwhile says who has put a task into the trash that somebody saves.
func (p *pages) trashedMeanwhile(r *site.Request, h *query.ApplicationHead, t *query.CardTask) error {
	f, err := p.formOfTask(r, h, t)
	if err != nil {
		return err
	}
	last, err := p.lastOf(r, h.ID, func(record *admitto.Record) bool { return record.Links.Task == t.ID })
	if err != nil {
		return err
	}
	return p.goneMeanwhile(r, f, last, site.Sheet{Title: t.Title, Parts: moveTask(r, h, t)},
		r.Within("application-tasks", h.ID))
}

// goneMeanwhile says who has taken away what somebody saves a comment on, and keeps the comment to be copied.
func (p *pages) goneMeanwhile(r *site.Request, f *site.Form, last *admitto.Record, page site.Sheet, back string) error {
	who, when, what, err := show.SaidOfLast(r, p.Query, last)
	if err != nil {
		return err
	}
	f.FailWords("", r.T("card.not_any_more", "Why", r.T("card.overtaken", "Who", who, "When", when, "What", what)))
	typed := f.Long("comment", "card.comment", 2, 0)
	typed.ReadOnly = true
	page.Parts = append([]ui.Component{f.Box([]ui.Button{{Text: r.T("card.back"), Href: back}}, typed)}, page.Parts...)
	return page.Show(r)
}

// taskFacts are what is known of a task.
func taskFacts(r *site.Request, h *query.ApplicationHead, t *query.CardTask) []ui.KeyValue {
	facts := []ui.KeyValue{{Key: r.T("card.status"), Tags: taskTags(r, t)}}
	add := func(key, value string) {
		if value != "" {
			facts = append(facts, ui.KeyValue{Key: r.T(key), Value: value})
		}
	}
	add("card.instructions", t.Template.Instructions)
	add("card.instructions_staff", t.Template.ForStaff)
	add("card.note_of_applicant", t.NotesApplicant)
	if !r.Reader().Has(admitto.TasksEdit) || t.Trashed != 0 {
		add("card.comment", t.NotesAdministrator)
	}
	var links []ui.Link
	for i := range t.Documents {
		d := &t.Documents[i]
		links = append(links, ui.Link{Text: d.Name,
			Href: site.Add(r.Within("application-documents", h.ID), "document", strconv.FormatInt(d.ID, 10))})
	}
	if len(links) > 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("card.documents"), Parts: []ui.Component{ui.Links{Links: links}}})
	}
	add("card.task_deadline", show.Date(r, t.Deadline))
	for _, e := range []struct {
		key string
		at  admitto.Time
	}{{"card.created", t.Created}, {"card.reminded", t.Reminded}, {"card.committed", t.Committed}, {"card.resolved",
		t.Resolved}} {
		if e.at != 0 {
			add(e.key, r.Clock(e.at))
		}
	}
	return facts
}
