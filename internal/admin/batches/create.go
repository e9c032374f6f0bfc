package batches

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// Bounds of what is typed.
const (
	mostSubject = 200
	mostText    = 10_000
	mostReason  = 1000
)

// creating is a batch that is about to be prepared.
type creating struct {
	*pages
	r      *site.Request
	f      *site.Form
	action batch.Action
	plan   batch.Plan
}

// create takes the selection of a list, asks what the action needs besides, and seals the list. Nothing changes before
// the batch is released, but for what is done at once and can be taken back (lifecycle.md 11.3).
func (p *pages) create(r *site.Request) error {
	f, err := r.Form(site.Values(r.URL.Query()), 0)
	if err != nil {
		return err
	}
	c := creating{pages: p, r: r, f: f}
	var known bool
	if c.action, known = batch.ActionNamed(f.Get("action")); !known {
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "zap", Title: r.T("batches.nothing"),
			Text: r.T("batches.nothing_text"), Actions: c.listButtons()}}}.Show(r)
	}
	any, err := c.selected()
	if err != nil {
		return err
	}
	for _, needed := range c.action.NeededFor(c.plan.Source) {
		if err := r.Reader().Needs(needed); err != nil {
			return err
		}
	}
	if !any {
		r.Notify(ui.Warn, r.T("batches.none_selected"))
		return r.Redirect(c.back())
	}
	if c.action.Name == "matriculate" && r.Settings().Matriculation.Format == "" {
		notice := ui.Notice{Tone: ui.Warn, Text: r.T("batches.no_format")}
		if r.May("settings-group") {
			notice.Link = &ui.Link{Text: r.T("batches.to_format"), Href: r.At("settings-group", "numbers")}
		}
		return site.Sheet{Title: r.Say(c.action.Title), Parts: []ui.Component{notice, r.Cancel(c.back())}}.Show(r)
	}
	c.params()
	if r.Posted() && c.whole() {
		done, err := c.prepare()
		if done || err != nil {
			return err
		}
	}
	return c.show()
}

// back is the list, or the batch, that the selection is from.
func (c *creating) back() string {
	if of := c.plan.Selection.DoneIn; of != 0 {
		return c.r.Next(c.r.At("batch", of))
	}
	list := c.r.At("browse")
	switch c.plan.Source {
	case admitto.OfApplications:
	case admitto.OfApplicants:
		list = c.r.At("applicants")
	case admitto.OfTasks:
		list = c.r.At("tasks")
	case admitto.OfOffers: // which have no list
	}
	if query := c.f.Get("query"); query != "" {
		list += "?" + query
	}
	return c.r.Next(list)
}

// listButtons lead to the lists that batches are made of.
func (c *creating) listButtons() (buttons []ui.Button) {
	for _, name := range []string{"browse", "applicants", "tasks"} {
		if link, ok := c.r.Link(name); ok {
			buttons = append(buttons, ui.Button{Text: link.Text, Href: link.Href, Small: true})
		}
	}
	return buttons
}

// selected reads what was selected; any is false for nothing.
func (c *creating) selected() (any bool, err error) {
	c.plan.Action, c.plan.Source = c.action.Name, admitto.BatchSource(c.f.Get("source"))
	if !slices.Contains(c.action.Sources, c.plan.Source) {
		c.plan.Source = c.action.Sources[0]
	}
	s := &c.plan.Selection
	if of, err := strconv.ParseInt(c.f.Get("of-batch"), 10, 64); err == nil && of > 0 {
		v, err := c.Batches.Show(c.r.Context(), c.r.Reader(), of)
		s.DoneIn, c.plan.Source = of, v.Source
		return true, err
	}
	if c.f.Has("all") {
		read := c.lists.Applications
		switch c.plan.Source {
		case admitto.OfApplications:
		case admitto.OfApplicants:
			read = c.lists.Applicants
		case admitto.OfTasks:
			read = c.lists.Tasks
		case admitto.OfOffers:
		}
		*s, err = read(c.r, c.f.Get("query"))
		return true, err
	}
	for _, one := range c.f.All("id") {
		if id, err := strconv.ParseInt(one, 10, 64); err == nil && id > 0 {
			s.IDs = append(s.IDs, id)
		}
	}
	return len(s.IDs) > 0, nil
}

// has reports whether the action has a field of its own.
func (c *creating) has(field string) bool { return slices.Contains(c.action.Fields, field) }

// params reads the action's own fields.
func (c *creating) params() {
	f, p := c.f, &c.plan.Params
	if c.has("flag") {
		p.Flag = f.Choice("flag")
	}
	if c.has("tracker") {
		p.Tracker = f.Choice("tracker")
	}
	if c.has("officer") {
		p.Officer = OfficerChosen(c.r, f)
	}
	if c.has("subject") {
		p.Subject = c.text("subject", text.Line, mostSubject)
		p.Text = c.text("text", text.Multiline, mostText)
	}
	if c.has("consent") {
		p.Consent = f.Choice("consent")
	}
	if c.has("tell") {
		p.Tell = f.Has("tell")
	}
	if c.has("course") {
		p.Course = f.Choice("course")
	}
	if c.has("type") {
		p.Type = f.Choice("type")
	}
	if c.has("task") {
		p.Task = f.Choice("task")
	}
	if c.has("sheet") {
		p.Sheet = f.Choice("sheet")
	}
	if c.has("status") {
		p.Status = f.Get("status")
	}
	if c.has("intake") {
		p.Intake = f.Choice("intake")
		p.Reason = c.text("reason", text.Multiline, mostReason)
		p.Text = c.text("text", text.Multiline, mostText)
		p.Until, _ = f.Day("until")
	}
}

// OfficerChosen is the officer that a field is set to: the reader, nobody, or who has the number.
func OfficerChosen(r *site.Request, f *site.Form) int64 {
	switch f.Get("officer") {
	case "me":
		return r.Person.Account
	case "nobody":
		return 0
	}
	return f.Choice("officer")
}

// text is what was typed, clean; "", and the fault noted, for what cannot be sent or is too long.
func (c *creating) text(name string, clean func(string, int, int) (string, error), most int) string {
	value, wrong := clean(c.f.Typed(name), 0, most)
	if wrong != nil && c.r.Posted() {
		c.f.FailText(name, message.From(wrong))
	}
	return value
}

// whole reports whether the form says all that the action needs: what lists send may lack it, and is asked for then.
func (c *creating) whole() bool {
	if c.f.Has("prepare") {
		return true
	}
	for _, field := range c.action.Fields {
		if c.f.Get(field) == "" {
			return false
		}
	}
	return !slices.Contains(c.action.Fields, "subject") && !slices.Contains(c.action.Fields, "intake")
}

// prepare seals the list, or does what may be done at once.
func (c *creating) prepare() (done bool, err error) {
	r := c.r
	fields := map[admitto.Path]string{}
	if c.f.Failed() {
		_, err := c.f.Refused(c.Batches.CheckPlan(r.Context(), r.Reader(), c.plan), fields)
		return false, err
	}
	if c.atOnce() {
		b, err := c.Batches.DoAtOnce(r.Context(), r.Reader(), c.plan)
		if refused, err := c.f.Refused(err, fields); refused || err != nil {
			return false, err
		}
		switch {
		case b.Done == 0:
			r.Notify(ui.Info, r.T("at_once.unchanged"))
		default:
			r.NotifyUndo(r.Plural("batches.done_at_once", int(b.Done)), r.T("at_once.undo"),
				r.At("batch-undo", b.ID)+"?"+url.Values{"next": {c.back()}}.Encode())
		}
		return true, r.Redirect(c.back())
	}
	id, err := c.Batches.Prepare(r.Context(), r.Reader(), c.plan)
	if refused, err := c.f.Refused(err, fields); refused || err != nil {
		return false, err
	}
	return true, r.To("batch", id)
}

// atOnce reports whether it is done without a preview.
func (c *creating) atOnce() bool {
	ids := c.plan.Selection.IDs
	return c.action.AtOnce && ids != nil && len(ids) <= batch.AtOnce
}

// show asks for what the action needs.
func (c *creating) show() error {
	r, f := c.r, c.f
	title := r.Say(c.action.Title)
	r.SetTitle(title)
	intro := r.Plural("batches.of_selected", len(c.plan.Selection.IDs))
	switch {
	case c.plan.Selection.DoneIn != 0:
		intro = r.T("batches.of_batch", "ID", c.plan.Selection.DoneIn)
	case f.Has("all"):
		intro = r.T("batches.of_all")
	}
	var parts []ui.Component
	for _, field := range c.action.Fields {
		made, err := c.field(field)
		if err != nil {
			return err
		}
		parts = append(parts, made...)
	}
	key, text := "action.batch-prepare", "batches.prepare_text"
	if c.atOnce() {
		key, text = "batches.do_now", "batches.at_once_text"
	}
	save := r.Save(key)
	save.Name, save.Value = "prepare", "1"
	box := f.Box([]ui.Button{save, r.Cancel(c.back())}, parts...)
	for _, name := range []string{"action", "source", "all", "query", "of-batch", "next"} {
		if value := f.Get(name); value != "" {
			box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: name, Value: value})
		}
	}
	for _, id := range f.All("id") {
		box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "id", Value: id})
	}
	return site.Sheet{Title: title, Intro: []string{intro, r.T(text)},
		Parts: []ui.Component{box}}.Show(r)
}

// options are those of a list of words with one that asks to choose.
func (c *creating) options(names map[int64]string) []ui.Option {
	list, same := []ui.Option{}, map[string]int{}
	for _, name := range names {
		same[name]++
	}
	for id, name := range names {
		if same[name] > 1 {
			name = c.r.T("batches.of_number", "Name", name, "ID", id)
		}
		list = append(list, ui.Option{Value: number(id), Text: name})
	}
	return append([]ui.Option{{Text: c.r.T("start.choose")}}, c.r.ByText(list)...)
}

// asksToTell reports whether an action asks whether the applicants are told.
func asksToTell(a *batch.Action) bool { return slices.Contains(a.Fields, "tell") }

// field makes a field of the action.
func (c *creating) field(name string) (parts []ui.Component, err error) {
	w, err := c.words(c.r)
	if err != nil {
		return nil, err
	}
	f := c.f
	switch name {
	case "flag":
		return []ui.Component{f.Select("flag", "batches.flag", c.options(w.flags)...)}, nil
	case "tracker":
		return []ui.Component{f.Select("tracker", "batches.tracker", c.options(w.trackers)...)}, nil
	case "type":
		return []ui.Component{f.Select("type", "batches.type", c.options(w.types)...)}, nil
	case "sheet":
		return []ui.Component{f.Select("sheet", "batches.sheet", c.options(w.sheets)...)}, nil
	case "officer":
		staff, err := c.Query.Officers(c.r.Context(), c.r.Reader())
		if err != nil {
			return nil, err
		}
		names := map[int64]string{}
		for i := range staff {
			names[staff[i].ID] = staff[i].Name
		}
		options := append([]ui.Option{{Value: "me", Text: c.r.T("browse.me")}, {Value: "nobody",
			Text: c.r.T("browse.nobody")}}, c.options(names)[1:]...)
		return []ui.Component{f.Select("officer", "batches.officer", options...)}, nil
	case "course":
		courses, err := c.Query.Courses(c.r.Context(), c.r.Reader(), admitto.CourseQuery{})
		names := map[int64]string{}
		for i := range courses {
			names[courses[i].ID] = courseName(&courses[i])
		}
		return []ui.Component{f.Select("course", "batches.course", c.options(names)...)}, err
	case "task":
		templates, err := c.Query.ActiveTemplates(c.r.Context(), c.r.Reader())
		names := map[int64]string{}
		for i := range templates {
			names[templates[i].ID] = templates[i].Title
			if templates[i].Mails {
				names[templates[i].ID] = c.r.T("card.status_tells", "Status", templates[i].Title)
			}
		}
		return []ui.Component{f.Select("task", "batches.task", c.options(names)...)}, err
	case "status":
		options, err := c.taskStatuses()
		return []ui.Component{f.Select("status", "batches.task_status", options...)}, err
	case "intake":
		intakes, err := c.Query.Intakes(c.r.Context(), c.r.Reader())
		names := map[int64]string{}
		for i := range intakes {
			names[intakes[i].ID] = intakes[i].Name
		}
		return []ui.Component{f.Select("intake", "batches.intake", c.options(names)...)}, err
	case "until":
		return []ui.Component{f.Date("until", "card.until")}, nil
	case "reason":
		return []ui.Component{f.Long("reason", "card.reason", 2, mostReason)}, nil
	case "told":
		told := f.Long("text", "batches.told", 3, mostText)
		told.Optional = true
		return []ui.Component{told}, nil
	case "subject":
		return []ui.Component{f.Text("subject", "batches.subject"), f.Long("text", "batches.text", 12, mostText)}, nil
	case "consent":
		asked, err := c.Batches.NewsConsents(c.r.Context(), c.r.Reader())
		options := []ui.Option{{Text: c.r.T("batches.no_news")}}
		for i := range asked {
			options = append(options, ui.Option{Value: number(asked[i].ID), Text: short(asked[i].Text)})
		}
		return []ui.Component{f.Select("consent", "batches.news", options...)}, err
	case "tell":
		tick := f.Tick("tell", "batches.tell", "batches.tell_words")
		if !f.Has("prepare") && !f.Restored { // they are told, unless somebody takes the tick away (lifecycle.md T12)
			tick.Options[0].Selected = true
		}
		return []ui.Component{tick}, nil
	}
	return nil, nil
}

// short is the beginning of a text that is too long for a line.
func short(text string) string {
	const most = 80
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return string(line)
	}
	return string(line[:most-1]) + "…"
}

// taskStatuses are the statuses of all task templates, each once.
func (c *creating) taskStatuses() (options []ui.Option, err error) {
	classes, err := c.Query.TaskClasses(c.r.Context(), c.r.Reader())
	options = []ui.Option{{Text: c.r.T("start.choose")}}
	tells := map[string]bool{} // with the tasks of some class at least
	for i := range classes {
		for _, s := range classes[i].Statuses {
			tells[s.Name] = tells[s.Name] || s.Tells
			if !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == s.Name }) {
				options = append(options, ui.Option{Value: s.Name, Text: c.r.TaskStatus(s.Title)})
			}
		}
	}
	for i := range options {
		if o := &options[i]; tells[o.Value] {
			o.Text = c.r.T("card.status_tells", "Status", o.Text)
		}
	}
	asked := c.f.Get("status") // one that only some tasks have
	if asked != "" && !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == asked }) {
		options = append(options, ui.Option{Value: asked, Text: c.r.TaskStatus(asked)})
	}
	return options, err
}
