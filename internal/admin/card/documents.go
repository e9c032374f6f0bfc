package card

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// fieldTask says which task the form next to a document is about.
const fieldTask = "task"

// mostComment is how many characters a note on a task may have.
const mostComment = 2048

// documentRoutes are the documents of an application (screens.md A18), and what is done with them.
func (p *pages) documentRoutes() []site.Route {
	view, edit := site.Needs(admitto.ApplicationsView),
		site.Needs(admitto.ApplicationsEdit).And(admitto.ApplicationsView)
	const path = "/admin/applications/{id}/documents"
	tab := p.tab("application-documents", "/documents", view, p.documents)
	tab.Form = true
	one := func(name, end string, inline bool) site.Route {
		return site.Route{Name: name, Path: path + "/{document}" + end, Access: view, Parent: "application-documents",
			Handle: p.ofApplication(func(r *site.Request, h *query.ApplicationHead) error {
				return p.file(r, h,
					inline)
			})}
	}
	return []site.Route{tab, one("application-document", "", true),
		one("application-document-download", "/download", false),
		{Name: "application-documents-zip", Path: path + "/zip", Access: view, Parent: "application-documents",
			Handle: p.ofApplication(p.documentsZip)},
		{Name: "application-document-upload", Path: path + "/upload", Access: edit, Form: true, Files: true,
			Parent: "application-documents", Handle: p.ofApplication(p.documentUpload)},
		{Name: "application-document-remove", Path: path + "/{document}/remove", Access: edit, Form: true,
			Parent: "application-documents", Handle: p.ofApplication(p.documentRemove)}}
}

// viewing is the page of the documents: which of them is shown, and how.
type viewing struct {
	r      *site.Request
	h      *query.ApplicationHead
	papers *query.CardPapers
	named  int64 // the document that the address names, 0 for none
	at     int   // of the document that is shown: the first one unless one is named, -1 where that one is not there
	turn   int   // in degrees to the right
	zoom   int   // in percent
}

// zooms are how large pictures are shown, in percent of the room.
var zooms = []int{100, 150, 200, 300}

// documents are the list of documents next to the one that is shown.
func (p *pages) documents(r *site.Request, h *query.ApplicationHead) error {
	papers, err := p.Query.CardPapers(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	v := viewingOf(r, h, &papers)
	task := v.task()
	if gone, err := p.documentGone(v, task); gone || err != nil {
		return err
	}
	var form *site.Form
	may := r.Reader().Has(admitto.TasksEdit) && task != nil
	if may && task.Trashed != 0 && r.Posted() {
		return p.trashedMeanwhile(r, h, task)
	}
	if may && task.Trashed == 0 {
		if form, err = p.formOfTask(r, h, task); err != nil {
			return err
		}
	}
	if r.Posted() {
		if form == nil {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		saved, asked, err := p.saveTask(r, h, task, form, v.address(papers.Documents[v.at].ID))
		if asked || err != nil {
			return err
		}
		if saved {
			return r.Redirect(v.afterSaving(form.Has("next")))
		}
	}
	parts := fixed(r, h, "card.fixed_documents", "application-document-upload")
	var buttons []ui.Button
	if len(parts) == 0 {
		buttons = show.Small(r.Buttons(site.Do("application-document-upload", h.ID)))
	}
	if len(papers.Documents) > 0 {
		buttons = append(buttons, show.Small(r.Buttons(site.Do("application-documents-zip", h.ID)))...)
	}
	parts = append(parts, v.viewer(task, form))
	if len(papers.Documents) == 0 {
		parts = append(parts, asking(r, h, &papers)...)
	}
	return p.showWith(r, h, "application-documents", buttons, parts...)
}

// documentGone answers where the document that the address names is not there any more, or where the form is about the
// task of another document than the one that is shown now. It says who was quicker, and keeps what was typed to be
// copied: the task of another document must not get it.
func (p *pages) documentGone(v *viewing, task *query.CardTask) (gone bool, err error) {
	r, back := v.r, v.r.Within("application-documents", v.h.ID)
	if v.at >= 0 && !r.Posted() {
		return false, nil
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return false, err
	}
	about := func(record *admitto.Record) bool { return record.Links.Document == v.named }
	if v.at >= 0 {
		of := f.Choice(fieldTask)
		if task != nil && task.ID == of {
			return false, nil
		}
		about = func(record *admitto.Record) bool { return record.Links.Task == of }
	}
	last, err := p.lastOf(r, v.h.ID, about)
	switch {
	case err != nil:
		return true, err
	case r.Posted():
		return true, p.goneMeanwhile(r, f, last, site.Sheet{}, back)
	case last == nil:
		return true, &admitto.Error{Kind: admitto.NotFound}
	}
	return true, p.tellOvertaken(r, last, back)
}

// task is the one that the document was handed in for, nil for none.
func (v *viewing) task() *query.CardTask {
	if v.at < 0 || len(v.papers.Documents) == 0 {
		return nil
	}
	return v.papers.Task(v.papers.Documents[v.at].Task)
}

func viewingOf(r *site.Request, h *query.ApplicationHead, papers *query.CardPapers) *viewing {
	v, view := &viewing{r: r, h: h, papers: papers, zoom: zooms[0]}, r.View(false)
	if v.named = view.ID("document"); v.named != 0 {
		v.at = slices.IndexFunc(papers.Documents, func(d query.CardDocument) bool { return d.ID == v.named })
	}
	if turn := view.ID("turn"); turn < 360 && turn%90 == 0 {
		v.turn = int(turn)
	}
	if zoom := int(view.ID("zoom")); slices.Contains(zooms, zoom) {
		v.zoom = zoom
	}
	return v
}

// address is the page with a document.
func (v *viewing) address(document int64, more ...string) string {
	q := url.Values{"document": {strconv.FormatInt(document, 10)}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return v.r.Keeping(v.r.At("application-documents", v.h.ID) + "?" + q.Encode())
}

// afterSaving is the page after a task was saved: with the next document, if there is one and it was asked for.
func (v *viewing) afterSaving(next bool) string {
	at, said := v.at, "card.saved"
	switch {
	case next && at+1 < len(v.papers.Documents):
		at++
	case next:
		said = "card.saved_last"
	}
	v.r.Notify(ui.OK, v.r.T(said))
	return v.address(v.papers.Documents[at].ID)
}

// viewer is the list next to the document that is shown.
func (v *viewing) viewer(task *query.CardTask, form *site.Form) ui.Viewer {
	r := v.r
	out := ui.Viewer{Empty: ui.Empty{Icon: "files", Title: r.T("card.no_documents"),
		Text: r.T("card.no_documents_text")}}
	if len(v.papers.Documents) == 0 {
		return out
	}
	for i := range v.papers.Documents {
		d := &v.papers.Documents[i]
		out.Documents = append(out.Documents, ui.Document{Name: d.Name, Meta: v.about(d), Href: v.address(d.ID),
			Current: i == v.at})
	}
	d := &v.papers.Documents[v.at]
	address := r.At("application-document", v.h.ID, d.ID)
	out.Name, out.Alt, out.Download = d.Name, d.Name, r.At("application-document-download", v.h.ID, d.ID)
	switch {
	case d.MIME == site.PDF, d.MIME == site.PlainText:
		out.Frame, out.Sandbox, out.Open = address, d.MIME != site.PDF, address
	case site.IsPicture(d.MIME):
		out.Image, out.Turn, out.Zoom, out.Open = address, v.turn, v.zoom, address
		out.Actions = v.picture(d.ID)
	default:
		out.Reason = r.T("card.not_shown", "Kind", show.FileKind(r, d.MIME))
	}
	out.Actions = append(v.steps(), out.Actions...)
	if allowed(admitto.ContentSaved, v.h) {
		out.Actions = append(out.Actions, show.Small(r.Buttons(site.Danger("application-document-remove", v.h.ID,
			d.ID)))...)
	}
	if task != nil {
		out.Aside = taskAside(r, v.h, task, form)
	}
	return out
}

// steps lead to the document before and the one after.
func (v *viewing) steps() (buttons []ui.Button) {
	for _, step := range []struct {
		key string
		at  int
	}{{"card.previous", v.at - 1}, {"card.next", v.at + 1}} {
		if step.at < 0 || step.at >= len(v.papers.Documents) {
			continue
		}
		d := &v.papers.Documents[step.at]
		buttons = append(buttons, ui.Button{Text: v.r.T(step.key), About: d.Name, Small: true, Href: v.address(d.ID)})
	}
	return buttons
}

// picture are the buttons that enlarge and turn a picture.
func (v *viewing) picture(document int64) (buttons []ui.Button) {
	add := func(key, icon string, turn, zoom int) {
		buttons = append(buttons, ui.Button{Text: v.r.T(key), Icon: icon, Small: true,
			Href: v.address(document, "turn", strconv.Itoa(turn), "zoom", strconv.Itoa(zoom))})
	}
	at := slices.Index(zooms, v.zoom)
	if at+1 < len(zooms) {
		add("card.zoom_in", "zoom-in", v.turn, zooms[at+1])
	}
	if at > 0 {
		add("card.zoom_out", "zoom-out", v.turn, zooms[at-1])
	}
	add("card.turn", "rotate-cw", (v.turn+90)%360, v.zoom)
	return buttons
}

// about says of a document what kind it is, how large, when and by whom it was sent, and for which task.
func (v *viewing) about(d *query.CardDocument) string {
	r := v.r
	by := ""
	switch d.By.Kind {
	case admitto.ByApplicant:
		by = r.T("card.by_applicant")
	case admitto.ByAdministrator:
		by = cmp.Or(v.papers.Staff[d.By.ID], r.T("card.by_staff"))
	case admitto.ByKey:
		by = r.T("card.by_key")
	case admitto.BySystem:
	}
	title := ""
	if t := v.papers.Task(d.Task); t != nil {
		title = t.Title
	}
	unread := ""
	if d.Unread {
		unread = r.T("card.unread")
	}
	return joined(" · ", unread, r.Listed(show.FileKind(r, d.MIME), r.Size(d.Size)), show.Day(r, d.Uploaded), by, title)
}

// asking are the tasks that wait for documents, where there are none yet.
func asking(r *site.Request, h *query.ApplicationHead, papers *query.CardPapers) []ui.Component {
	var links ui.Links
	for i := range papers.Tasks {
		t := &papers.Tasks[i]
		if t.Trashed == 0 && t.Resolved == 0 && t.Template.AllowsDocument {
			links.Links = append(links.Links, ui.Link{Text: taskLine(r, t), Href: taskAddress(r, h, t.ID)})
		}
	}
	if len(links.Links) == 0 {
		return nil
	}
	return []ui.Component{ui.Box{Title: r.T("card.tasks_asking"), Parts: []ui.Component{links}}}
}

// taskAside is the task of the document that is shown, with its form for those who may work on it.
func taskAside(r *site.Request, h *query.ApplicationHead, t *query.CardTask, form *site.Form) []ui.Component {
	parts := []ui.Component{ui.Links{Links: []ui.Link{{Text: t.Title, Href: taskAddress(r, h, t.ID)}}}}
	if t.NotesApplicant != "" {
		parts = append(parts, ui.Words{Text: r.T("card.note_applicant", "Text", t.NotesApplicant), Muted: true})
	}
	if form == nil {
		for _, tag := range taskTags(r, t) {
			parts = append(parts, tag)
		}
		return append(parts, ui.Words{Text: t.NotesAdministrator, Muted: true})
	}
	next := r.Save("card.save_next")
	next.Name, next.Value, next.Small = "next", "yes", true
	box := form.Box([]ui.Button{next, {Text: r.T("action.save"), Small: true, Busy: r.T("form.saving")}},
		taskFields(r, t, form)...)
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: fieldTask, Value: strconv.FormatInt(t.ID, 10)})
	return append(parts, box)
}

// taskFields are what staff save of a task.
func taskFields(r *site.Request, t *query.CardTask, f *site.Form) []ui.Component {
	var options []ui.Option
	for _, s := range t.Statuses {
		text := r.TaskStatus(cmp.Or(s.Title, s.Name))
		if s.Tells {
			text = r.T("card.status_tells", "Status", text)
		}
		options = append(options, ui.Option{Value: s.Name, Text: text})
	}
	if !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == t.Status }) {
		options = append(options, ui.Option{Value: t.Status, Text: r.TaskStatus(t.Status)})
	}
	return []ui.Component{f.Select("status", "card.status", options...), f.Long("comment", "card.comment", 2,
		mostComment),
		f.Tick("shared", "card.shared", "card.shared_tick")}
}

// taskValues are what is stored of a task.
func taskValues(t *query.CardTask) site.Values {
	v := site.Values{"status": site.One(t.Status), "comment": site.One(t.NotesAdministrator)}
	if t.Shared {
		v["shared"] = site.One("yes")
	}
	return v
}

// saveTask saves what staff typed about a task, or asks before the applicant is told.
func (p *pages) saveTask(r *site.Request, h *query.ApplicationHead, t *query.CardTask,
	f *site.Form, back string) (saved, asked bool, err error) {
	if goesBack(r, f) {
		return false, false, nil
	}
	asked, err = p.tell(r, f, &telling{application: h.ID, title: r.T("card.ask_tell", "Title", t.Title),
		send: r.T("card.send_task"), back: back, do: func(p *pages) error {
			return p.Admissions.HandleTask(r.Context(), r.Caller(), h.ID, t.ID, handling(f))
		}})
	if asked {
		return false, true, err
	}
	refused, err := p.refusedTask(r, h, t, f, err, show.Stored{Values: taskValues(t), Version: t.RowVersion,
		Labels: [][2]string{{"status", "card.status"}, {"comment", "card.comment"}, {"shared", "card.shared"}}})
	return !refused, false, err
}
