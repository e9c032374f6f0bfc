package batches

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

const rows = 50

// list is screens.md A54, the newest batch first.
func (p *pages) list(r *site.Request) error {
	q := admitto.BatchQuery{Rows: rows}
	query := r.URL.Query()
	if before, err := strconv.ParseInt(query.Get("before"), 10, 64); err == nil && before > 0 {
		q.Before = before
	}
	page := site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.T("batches.newest_first")}}
	if state := admitto.BatchState(query.Get("state")); slices.Contains(admitto.BatchStates(), state) {
		q.States = []admitto.BatchState{state}
		page.Chips = ui.Chips{Chips: []ui.Chip{{Name: r.T("batches.state"), Value: stateTag(r, state).Text,
			Remove: r.At("batches")}}, Clear: r.At("batches")}
	}
	page.Above = []ui.Component{states(r, q.States)}
	found, count, more, err := p.Batches.List(r.Context(), r.Reader(), q)
	if err != nil {
		return err
	}
	page.Head.Strong = r.Plural("batches.how_many", int(count))
	w, err := p.words(r)
	if err != nil {
		return err
	}
	page.Table = ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("batches.nr"), Num: true, Place: "meta"},
		{Title: r.T("batches.kind"), Place: "main"}, {Title: r.T("batches.state")},
		{Title: r.T("batches.size"), Num: true, Place: "label"}, {Title: r.T("batches.results"), Place: "label"},
		{Title: r.T("batches.prepared"), Place: "label", Muted: true},
		{Title: r.T("batches.released"), Place: "label", Muted: true},
		{Title: r.T("batches.ended"), Place: "label", Muted: true}},
		Empty: ui.Empty{Icon: "zap", Title: r.T("batches.none"), Text: r.T("batches.none_text")}}
	if len(q.States) > 0 {
		page.Table.Empty = ui.Empty{Icon: "search", Title: r.T("batches.no_match"), Text: r.T("batches.none_text")}
	}
	for i := range found {
		b := &found[i]
		released := ui.Cell{}
		if b.Released != 0 {
			released = ui.Cell{Text: w.who(r, b.ReleasedBy), Note: r.Clock(b.Released)}
		}
		ended := ui.Cell{}
		if b.Undone != 0 {
			ended = ui.Cell{Text: w.who(r, b.UndoneBy), Note: r.Clock(b.Undone)}
		} else if b.Ended != 0 {
			ended = ui.Cell{Note: r.Clock(b.Ended)}
		}
		page.Table.Rows = append(page.Table.Rows, ui.Row{ID: number(b.ID), Label: number(b.ID), Cells: []ui.Cell{
			{Text: number(b.ID)}, {Text: w.title(r, b), Href: r.At("batch", b.ID), Note: sourceName(r, b.Source)},
			{Tags: []ui.Tag{stateTag(r, b.State)}},
			{Text: r.Number(int(b.Size))}, {Text: r.T("batches.counts", "Done", r.Number(int(b.Done)), "Skipped",
				r.Number(int(b.Skipped)), "Failed", r.Number(int(b.Failed)))},
			{Text: w.who(r, b.PreparedBy), Note: r.Clock(b.Prepared)}, released, ended}})
	}
	if more {
		query.Set("before", number(found[len(found)-1].ID))
		page.Pager = &ui.Pager{Next: r.At("batches") + "?" + query.Encode()}
	}
	return page.Show(r)
}

// states lead to the batches of each state.
func states(r *site.Request, chosen []admitto.BatchState) ui.Links {
	all := ui.Link{Text: r.T("batches.all_states"), Href: r.At("batches")}
	if len(chosen) == 0 {
		all.Href = ""
	}
	links := []ui.Link{all}
	for _, s := range admitto.BatchStates() {
		link := ui.Link{Text: stateTag(r, s).Text, Href: site.Add(r.At("batches"), "state", string(s))}
		if slices.Contains(chosen, s) {
			link.Href = ""
		}
		links = append(links, link)
	}
	return ui.Links{Links: links}
}

// sourceName says what the records of a batch are.
func sourceName(r *site.Request, s admitto.BatchSource) string {
	switch s {
	case admitto.OfApplicants:
		return r.T("title.applicants")
	case admitto.OfTasks:
		return r.T("title.tasks")
	case admitto.OfOffers:
		return r.T("batches.offers")
	case admitto.OfApplications:
	}
	return r.T("title.browse")
}

// stateTag shows the state of a batch.
func stateTag(r *site.Request, s admitto.BatchState) ui.Tag {
	tag := ui.Tag{Text: r.T("batch_state." + string(s)), Icon: "clock"}
	switch s {
	case admitto.BatchPreparing, admitto.BatchPrepared:
	case admitto.BatchWaiting, admitto.BatchStopped:
		tag.Icon, tag.Tone = "triangle-alert", ui.Warn
	case admitto.BatchRunning, admitto.BatchUndoing:
		tag.Icon, tag.Tone = "circle-dot", ui.Info
	case admitto.BatchFinished:
		tag.Icon, tag.Tone = "check", ui.OK
	case admitto.BatchUndone:
		tag.Icon = "undo-2"
	case admitto.BatchDiscarded:
		tag.Icon = "ban"
	}
	return tag
}

// recordTag shows what became of a record.
func recordTag(r *site.Request, b *admitto.Batch, s admitto.BatchRecordState) ui.Tag {
	ended := b.State == admitto.BatchDiscarded || b.State == admitto.BatchUndone || b.State == admitto.BatchUndoing
	if s == admitto.RecordSealed && ended { // and so will never be done
		return ui.Tag{Text: r.T("batches.not_done"), Icon: "ban"}
	}
	tag := ui.Tag{Text: r.T("batch_record." + string(s)), Icon: "circle"}
	switch s {
	case admitto.RecordSealed:
	case admitto.RecordDone:
		tag.Icon, tag.Tone = "check", ui.OK
	case admitto.RecordSkipped, admitto.RecordLeft:
		tag.Icon, tag.Tone = "triangle-alert", ui.Warn
	case admitto.RecordFailed:
		tag.Icon, tag.Tone = "circle-x", ui.Bad
	case admitto.RecordPutBack:
		tag.Icon = "undo-2"
	case admitto.RecordExcluded:
		tag.Icon = "ban"
	}
	return tag
}

// words are the names that batches show.
type words struct {
	staff, flags, trackers, types, sheets, consents map[int64]string
	course                                          func(id int64) string    // "" for none
	status                                          func(name string) string // of tasks
}

func (p *pages) words(r *site.Request) (w words, err error) {
	ctx, by := r.Context(), r.Reader()
	w = words{map[int64]string{}, map[int64]string{}, map[int64]string{}, map[int64]string{}, map[int64]string{},
		map[int64]string{}, p.courseNames(r), r.TaskStatus}
	if by.Has(admitto.ApplicationsView) {
		classes, err := p.Query.TaskClasses(ctx, by)
		if err != nil {
			return w, err
		}
		w.status = func(name string) string { return r.TaskStatus(classes.StatusTitle(name)) }
	}
	staff, err := p.Query.Administrators(ctx, by)
	if err != nil {
		return w, err
	}
	for i := range staff {
		w.staff[staff[i].ID] = staff[i].Name
	}
	flags, err := p.Query.Flags(ctx, by)
	if err != nil {
		return w, err
	}
	for i := range flags {
		w.flags[flags[i].ID] = flags[i].Name
	}
	trackers, err := p.Query.Trackers(ctx, by)
	if err != nil {
		return w, err
	}
	for i := range trackers {
		w.trackers[trackers[i].ID] = trackers[i].Code
	}
	consents, err := p.Query.Consents(ctx, by)
	if err != nil {
		return w, err
	}
	for i := range consents {
		w.consents[consents[i].ID] = consents[i].Text
	}
	types, err := p.Query.OfferTypes(ctx, by)
	for i := range types {
		w.types[types[i].ID] = types[i].Title
	}
	if err != nil || !by.Has(admitto.ApplicationsScore) && !by.Has(admitto.ScorersEdit) {
		return w, err
	}
	sheets, err := p.Query.Scoresheets(ctx, by)
	for i := range sheets {
		w.sheets[sheets[i].ID] = sheets[i].Name
	}
	return w, err
}

// courseNames finds the code and the name of a course, each course once; "" for none.
func (p *pages) courseNames(r *site.Request) func(id int64) string {
	known := map[int64]string{0: ""}
	return func(id int64) string {
		name, ok := known[id]
		if !ok {
			c, err := p.Query.Course(r.Context(), r.Reader(), id)
			if name = courseName(&c); err != nil {
				name = r.T("history.course", "ID", id)
			}
			known[id] = name
		}
		return name
	}
}

// courseName is what tells a course from others with its name.
func courseName(c *admitto.Course) string { return strings.TrimSpace(c.Code + " " + c.Name) }

// who is the name of an administrator; without an ID it was a time rule.
func (w *words) who(r *site.Request, id int64) string {
	if id == 0 {
		return r.T("batches.rule")
	}
	if name := w.staff[id]; name != "" {
		return name
	}
	return r.T("batches.somebody", "ID", id)
}

// title is what a batch does, with the name of what it does it with.
func (w *words) title(r *site.Request, b *admitto.Batch) string {
	a, _ := batch.ActionNamed(b.Action)
	title := r.Say(a.Title)
	with := ""
	switch {
	case b.Params.Flag != 0:
		with = w.flags[b.Params.Flag]
	case b.Params.Tracker != 0:
		with = w.trackers[b.Params.Tracker]
	case b.Params.Sheet != 0:
		with = w.sheets[b.Params.Sheet]
	case b.Params.Type != 0:
		with = w.types[b.Params.Type]
	case b.Action == "officer":
		with = w.officer(r, b.Params.Officer)
	case b.Params.Status != "":
		with = w.status(b.Params.Status)
	case b.Params.Subject != "":
		with = batch.SubjectOf(b)
	case b.Params.Course != 0:
		with = w.course(b.Params.Course)
	}
	if with == "" {
		return title
	}
	return r.T("batches.title_with", "Title", title, "With", with)
}

func (w *words) officer(r *site.Request, id int64) string {
	if id == 0 {
		return r.T("browse.nobody")
	}
	return w.who(r, id)
}

// value is how a batch shows what was, or what is to be.
func (w *words) value(r *site.Request, b *admitto.Batch, kept string) string {
	switch b.Action {
	case "officer":
		id, _ := strconv.ParseInt(kept, 10, 64)
		return w.officer(r, id)
	case "offer-type", "confirm":
		if kept == "0" {
			return r.T("batches.no_letter")
		}
		id, _ := strconv.ParseInt(kept, 10, 64)
		return w.types[id]
	}
	if b.Action == "task-status" {
		status, _, _ := strings.Cut(kept, "\n") // what follows is for undoing
		return w.status(status)
	}
	if b.Action == "sheet" && kept != "no" { // the offers that are put on it, 0 for the application itself
		if n := len(strings.Fields(kept)); kept != "0" {
			return r.Plural("batches.offers_on_sheet", n)
		}
		return r.T("batches.on_sheet")
	}
	if b.Action == "extend" {
		until, err := strconv.ParseInt(kept, 10, 64)
		if err != nil {
			return r.T("batches.no_extension")
		}
		return r.Day(admitto.Time(until) - 1)
	}
	switch kept {
	case "yes", "no":
		return r.T("batch_value." + b.Action + "_" + kept)
	}
	return kept
}
