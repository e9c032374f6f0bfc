package batches

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// batch is screens.md A11: what would change, how far it is, what became of each record.
func (p *pages) batch(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	v, err := p.Batches.Show(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	w, err := p.words(r)
	if err != nil {
		return err
	}
	title := w.title(r, &v.Batch)
	r.SetTitle(r.T("batches.page_title", "ID", id, "Title", title))
	page := site.CardPage{Head: ui.CardHead{Title: title, ID: number(id), Initials: "B",
		Tags:    []ui.Tag{stateTag(r, v.State)},
		Actions: buttons(r, &v)}, Tabs: stateTabs(r, &v)}
	for _, n := range notices(r, &v) {
		page.Parts = append(page.Parts, n)
	}
	box, err := p.stateBox(r, &v, &w)
	if err != nil {
		return err
	}
	page.Parts = append(page.Parts, box)
	if !v.State.AtWork() {
		r.Over()
	}
	table, err := p.table(r, &v, &w)
	if err != nil {
		return err
	}
	page.Parts = append(page.Parts, table...)
	return page.Show(r)
}

// buttons are what can be done with the batch now.
func buttons(r *site.Request, v *batch.View) (list []ui.Button) {
	small := func(b []ui.Button) {
		for _, one := range b {
			one.Small = true
			list = append(list, one)
		}
	}
	switch v.State {
	case admitto.BatchPrepared, admitto.BatchWaiting:
		small(r.Buttons(site.Danger("batch-discard", v.ID)))
		if v.Size > 0 && !v.WaitsForOther(r.Person.Account) {
			small(r.Buttons(site.Primary("batch-release", v.ID)))
		}
	case admitto.BatchPreparing:
		small(r.Buttons(site.Danger("batch-discard", v.ID)))
	case admitto.BatchFinished, admitto.BatchStopped:
		if v.MayUndo {
			small(r.Buttons(site.Danger("batch-undo", v.ID)))
		}
	case admitto.BatchRunning, admitto.BatchUndoing, admitto.BatchUndone, admitto.BatchDiscarded:
	}
	if v.Mails && v.Done > 0 {
		list = append(list, correction(r, v))
	}
	return append(list, ui.Button{Text: "CSV", Icon: "download", Small: true, Href: r.At("batch-csv", v.ID)})
}

// notices say what stands against the batch, or what it waits for.
func notices(r *site.Request, v *batch.View) (list []ui.Notice) {
	for _, why := range v.Why {
		list = append(list, ui.Notice{Tone: ui.Bad, Text: r.Say(why)})
	}
	open := v.State == admitto.BatchPrepared || v.State == admitto.BatchWaiting
	mine := v.IsOf(r.Person.Account)
	switch {
	case open && v.Unusual:
		list = append(list, ui.Notice{Tone: ui.Warn, Text: r.T("batches.unusual", "Size", r.Number(int(v.Size)), "Median",
			r.Number(int(v.Median)))})
	case open && v.Size == 0:
		list = append(list, ui.Notice{Tone: ui.Info, Text: r.T("batches.empty")})
	}
	switch {
	case v.WaitsForOther(r.Person.Account):
		list = append(list, waitsNotice(r, v))
	case !open || !v.NeedsSecond:
	case mine && v.NobodyElse:
		list = append(list, ui.Notice{Tone: ui.Warn, Text: r.T("batches.alone")})
	case mine:
		list = append(list, ui.Notice{Tone: ui.Info, Text: r.T("batches.will_wait")})
	}
	return list
}

// waitsNotice says that somebody else must let the batch run or go on, and who may.
func waitsNotice(r *site.Request, v *batch.View) ui.Notice {
	key := "batches.waits"
	if v.State == admitto.BatchStopped {
		key = "batches.waits_on"
	}
	if len(v.Releasers) == 0 {
		return ui.Notice{Tone: ui.Warn, Text: r.T(key) + " " + r.T("batches.waits_nobody")}
	}
	return ui.Notice{Tone: ui.Warn, Text: r.T(key) + " " + r.T("batches.waits_who", "Names", r.Listed(v.Releasers...))}
}

// stateBox says how far the batch is. While the service works on it, it is read again and again; without scripts by a
// button.
func (p *pages) stateBox(r *site.Request, v *batch.View, w *words) (ui.Box, error) {
	box := ui.Box{ID: "state", Title: r.T("batches.summary")}
	count := func(n int64) string { return r.Number(int(n)) }
	facts, err := p.planFacts(r, &v.Batch, w)
	if err != nil {
		return box, err
	}
	facts = append(facts, ui.KeyValue{Key: r.T("batches.prepared"),
		Value: r.T("batches.by_at", "Who", w.who(r, v.PreparedBy), "Time", r.Clock(v.Prepared))})
	if v.Released != 0 {
		key := "batches.by_at"
		if v.Alone {
			key = "batches.by_alone_at"
		}
		facts = append(facts, ui.KeyValue{Key: r.T("batches.released"), Value: r.T(key, "Who", w.who(r, v.ReleasedBy),
			"Time", r.Clock(v.Released))})
	}
	if v.RuleVersion != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("batches.rule_version"), Value: number(v.RuleVersion)})
	}
	facts = append(facts, ui.KeyValue{Key: r.T("batches.size"), Value: count(v.Size)},
		ui.KeyValue{Key: r.T("batches.excluded"), Value: count(v.Excluded)})
	if v.Reached > 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("batches.reached"), Value: count(v.Reached)})
	}
	if v.Released != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("batches.results"), Value: r.T("batches.counts", "Done", count(v.Done),
			"Skipped", count(v.Skipped), "Failed", count(v.Failed))})
	}
	if v.Ended != 0 && v.StoppedBy != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("batches.stopped"), Value: r.T("batches.by_at", "Who",
			w.who(r, v.StoppedBy), "Time", r.Clock(v.Ended))})
	} else if v.Ended != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("batches.ended"), Value: r.Clock(v.Ended)})
	}
	if v.MayUndo {
		facts = append(facts, ui.KeyValue{Key: r.T("batches.undo_until"), Value: r.Clock(v.UndoUntil)})
	}
	if v.UndoneBy != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("batches.undone"), Value: r.T("batches.undone_counts", "Who",
			w.who(r, v.UndoneBy), "Back", count(v.PutBack), "Left", count(v.LeftAsIs))})
	}
	box.Parts = append(box.Parts, ui.KeyValues{Facts: facts})
	if v.State.AtWork() {
		settled, of := v.Done+v.Skipped+v.Failed, v.Size
		if v.State == admitto.BatchUndoing {
			settled, of = v.PutBack+v.LeftAsIs, v.Done
		}
		if v.State == admitto.BatchPreparing {
			settled, of = v.Size+v.Excluded, 0
		}
		words := r.T("batches.progress", "Done", count(settled), "Of", count(of))
		if of == 0 {
			words = r.T("batches.sealing", "Done", count(settled))
		}
		box.Again = r.At("batch", v.ID)
		box.Parts = append(box.Parts, ui.Progress{Label: stateTag(r, v.State).Text, Done: int(settled), Of: int(of),
			Text: words})
		if v.NotBefore > r.Now() {
			box.Parts = append(box.Parts, ui.Words{Text: r.T("batches.next_wave", "Time", r.Clock(v.NotBefore)), Muted: true})
		}
		box.Parts = append(box.Parts, ui.Button{ID: "state-again", Text: r.T("journal.look_again"),
			Href: r.At("batch", v.ID), Small: true})
	}
	if v.State == admitto.BatchRunning && r.May("batch-stop") {
		box.Parts = append(box.Parts, ui.FormBox{Action: r.At("batch-stop", v.ID),
			Buttons: []ui.Button{{ID: "batch-stop", Text: r.T("action.batch-stop"), Primary: true}}})
	}
	if v.State == admitto.BatchStopped && !v.WaitsForOther(r.Person.Account) && r.May("batch-resume") {
		box.Parts = append(box.Parts, ui.Button{ID: "batch-resume", Text: r.T("action.batch-resume"), Primary: true,
			Href: r.Within("batch-resume", v.ID)})
	}
	return box, nil
}

// stateTabs lead to the records by what became of them.
func stateTabs(r *site.Request, v *batch.View) ui.Tabs {
	now := r.URL.Query().Get("state")
	counts := map[admitto.BatchRecordState]int64{admitto.RecordExcluded: v.Excluded, admitto.RecordSkipped: v.Skipped,
		admitto.RecordFailed: v.Failed, admitto.RecordPutBack: v.PutBack, admitto.RecordLeft: v.LeftAsIs,
		admitto.RecordDone:   v.Done - v.PutBack - v.LeftAsIs,
		admitto.RecordSealed: v.Size - v.Done - v.Skipped - v.Failed}
	tabs := ui.Tabs{Label: r.T("batches.records"),
		Links: []ui.Link{{Text: r.T("batches.all_records"), Href: r.At("batch", v.ID),
			Count: r.Number(int(v.Size + v.Excluded)), Current: now == ""}}}
	for _, s := range admitto.BatchRecordStates() {
		if n := counts[s]; n > 0 || now == string(s) {
			tabs.Links = append(tabs.Links, ui.Link{Text: recordTag(r, &v.Batch, s).Text,
				Href: r.At("batch", v.ID) + "?state=" + string(s), Count: r.Number(int(n)), Current: now == string(s)})
		}
	}
	return tabs
}

// table is a page of the records.
func (p *pages) table(r *site.Request, v *batch.View, w *words) ([]ui.Component, error) {
	query := r.URL.Query()
	after, _ := strconv.ParseInt(query.Get("after"), 10, 64)
	lines, more, err := p.Batches.Lines(r.Context(), r.Reader(), v.ID, max(after, 0),
		admitto.BatchRecordState(query.Get("state")), rows)
	if err != nil {
		return nil, err
	}
	t := ui.Table{Caption: r.T("batches.records"), Columns: []ui.Column{{Title: recordTitle(r, v), Place: "main"}},
		Empty: ui.Empty{Icon: "inbox", Title: r.T("batches.no_records"), Text: r.T("batches.no_records_text")}}
	people := r.Reader().Has(admitto.ApplicantsView)
	if people {
		t.Columns = append(t.Columns, ui.Column{Title: r.T("batches.person")})
	}
	if v.Mails && people {
		t.Columns = append(t.Columns, ui.Column{Title: r.T("batches.mail"), Place: "label"})
	}
	t.Columns = append(t.Columns, ui.Column{Title: r.T("batches.change"), Place: "label"},
		ui.Column{Title: r.T("batches.state")})
	for i := range lines {
		t.Rows = append(t.Rows, p.row(r, v, w, &lines[i], people))
	}
	parts := []ui.Component{t}
	if more || after > 0 {
		pager := &ui.Pager{Range: r.T("batches.lines", "From", r.Number(int(after)+1))}
		if after > 0 {
			query.Del("after")
			pager.Previous = r.At("batch", v.ID) + "?" + query.Encode()
		}
		if more {
			query.Set("after", number(lines[len(lines)-1].Place))
			pager.Next = r.At("batch", v.ID) + "?" + query.Encode()
		}
		parts = append(parts, pager)
	}
	return parts, nil
}

// recordTitle says what the records of a batch are.
func recordTitle(r *site.Request, v *batch.View) string {
	switch v.Source {
	case admitto.OfApplications:
	case admitto.OfApplicants:
		return r.T("batches.applicant")
	case admitto.OfTasks:
		return r.T("batches.task_record")
	case admitto.OfOffers:
		return r.T("batches.offer_record")
	}
	return r.T("batches.application")
}

// recordCell leads to the record of a line.
func recordCell(r *site.Request, v *batch.View, c *batch.Line) ui.Cell {
	cell := ui.Cell{Text: number(c.Record)}
	route := "application"
	switch v.Source {
	case admitto.OfApplications:
	case admitto.OfApplicants:
		route = "applicant"
	case admitto.OfTasks:
		route = "task"
	case admitto.OfOffers:
		route = "offer"
	}
	if r.May(route) && c.Applicant != 0 {
		cell.Href = r.At(route, c.Record)
	}
	return cell
}

func (p *pages) row(r *site.Request, v *batch.View, w *words, c *batch.Line, people bool) ui.Row {
	row := ui.Row{ID: number(c.Place), Label: number(c.Record), Cells: []ui.Cell{recordCell(r, v, c)}}
	if people {
		row.Cells = append(row.Cells, ui.Cell{Text: c.Name})
	}
	if v.Mails && people {
		mail := ui.Cell{Note: c.Recipient}
		if c.Subject != "" { // who is left out may have none
			mail.Text, mail.Href = c.Subject, r.At("batch-line", v.ID, c.Place)
		}
		row.Cells = append(row.Cells, mail)
	}
	change := ui.Cell{}
	if c.State != admitto.RecordExcluded && (c.Was != "" || c.Becomes != "") {
		change.Text = r.T("batches.from_to", "Was", w.value(r, &v.Batch, c.Was), "Becomes", w.value(r, &v.Batch, c.Becomes))
	}
	state := ui.Cell{Tags: []ui.Tag{recordTag(r, &v.Batch, c.State)}, Note: whyOf(r, c)}
	row.Cells = append(row.Cells, change, state)
	return row
}

// whyOf is why a record was not done, "" for one that was or will be.
func whyOf(r *site.Request, c *batch.Line) string {
	var list []string
	for _, why := range c.Reasons {
		list = append(list, r.Say(why))
	}
	return strings.Join(list, " ")
}

// line is one record with the whole text of its mail.
func (p *pages) line(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	place, err := r.IDAt("place")
	if err != nil {
		return err
	}
	c, err := p.Batches.Line(r.Context(), r.Reader(), id, place)
	if err != nil {
		return err
	}
	v, _, err := p.shown(r) // which names the page above
	if err != nil {
		return err
	}
	facts := []ui.KeyValue{{Key: r.T("batches.person"), Value: c.Name},
		{Key: r.T("batches.recipient"), Value: c.Recipient},
		{Key: r.T("batches.subject"), Value: c.Subject},
		{Key: r.T("batches.state"), Tags: []ui.Tag{recordTag(r, &v.Batch, c.State)}}}
	if why := whyOf(r, &c); why != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("batches.why"), Value: why})
	}
	parts := []ui.Component{ui.KeyValues{Facts: facts}}
	if c.Body != "" {
		parts = append(parts, ui.Preview{Label: r.T("batches.text"), Blocks: blocks(c.Body)})
	}
	return site.Sheet{Parts: []ui.Component{ui.Box{ID: "mail", Title: r.T("batches.mail"), Parts: parts}}}.Show(r)
}
