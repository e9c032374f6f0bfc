package imports

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/leads"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// show is an import: what would come of each row, how far it is, what became of each row.
func (p *pages) show(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	v, err := p.Leads.Show(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	if v.State == admitto.ImportUploaded {
		return r.To("import-options", id)
	}
	r.SetTitle(r.T("imports.page_title", "ID", id))
	page := site.CardPage{Head: ui.CardHead{Title: fileName(r, &v.LeadImport), ID: number(id), Initials: "CSV",
		Tags: []ui.Tag{stateTag(r, v.State)}, Actions: p.buttons(r, &v)}, Tabs: tabs(r, &v)}
	for _, n := range notices(r, &v) {
		page.Parts = append(page.Parts, n)
	}
	box, err := p.stateBox(r, &v)
	if err != nil {
		return err
	}
	page.Parts = append(page.Parts, box)
	if !v.State.AtWork() {
		r.Over()
	}
	table, err := p.table(r, &v)
	if err != nil {
		return err
	}
	page.Parts = append(page.Parts, table...)
	return page.Show(r)
}

// buttons are what can be done with the import now, but for what begins or stops it.
func (p *pages) buttons(r *site.Request, v *leads.View) (list []ui.Button) {
	switch v.State {
	case admitto.ImportReady:
		list = r.Buttons(site.Danger("import-discard", v.ID), site.Do("import-options", v.ID))
	case admitto.ImportStopped, admitto.ImportFinished:
		if v.MayUndo {
			list = r.Buttons(site.Danger("import-undo", v.ID))
		}
	case admitto.ImportUploaded, admitto.ImportChecking, admitto.ImportRunning, admitto.ImportUndoing,
		admitto.ImportUndone:
	}
	if v.Counts[admitto.LeadWrong]+v.Counts[admitto.LeadFailed] > 0 && !v.RowsGone {
		list = append(list, ui.Button{Text: r.T("action.import-bad"), Icon: "download", Href: r.At("import-bad", v.ID)})
	}
	for n := range list {
		list[n].Small = true
	}
	return list
}

// notices say what stands against the import, and what comes next.
func notices(r *site.Request, v *leads.View) (list []ui.Notice) {
	for _, why := range v.Why {
		list = append(list, ui.Notice{Tone: ui.Bad, Text: r.Say(why)})
	}
	due := v.Counts[admitto.LeadNew] + v.Counts[admitto.LeadKnown]
	bad := v.Counts[admitto.LeadWrong] + v.Counts[admitto.LeadFailed]
	switch {
	case v.State == admitto.ImportReady && due == 0:
		list = append(list, ui.Notice{Tone: ui.Warn, Text: r.T("imports.nothing")})
	case v.State == admitto.ImportReady:
		list = append(list, ui.Notice{Tone: ui.Info, Text: r.T("imports.dry")})
	case v.State == admitto.ImportFinished && bad > 0 && !v.RowsGone:
		list = append(list, ui.Notice{Tone: ui.Info, Text: r.Plural("imports.bad_left", int(bad))})
	}
	return list
}

// stateBox says how far the import is. While the service works on it, it is read again and again; without scripts by a
// button.
func (p *pages) stateBox(r *site.Request, v *leads.View) (box ui.Box, err error) {
	box = ui.Box{ID: "state", Title: r.T("imports.summary")}
	facts, err := p.facts(r, v)
	if err != nil {
		return box, err
	}
	press := func(route, words string) {
		box.Parts = append(box.Parts, ui.FormBox{Action: r.At(route, v.ID),
			Head:    ui.FormHead{Hidden: []ui.Option{{Text: "version", Value: number(v.RowVersion)}}},
			Buttons: []ui.Button{{ID: route, Text: words, Primary: true, Busy: r.T("form.saving")}}})
	}
	due := int(v.Counts[admitto.LeadNew] + v.Counts[admitto.LeadKnown])
	if v.State.AtWork() {
		done, of := v.Done()
		box.Again = r.At("import", v.ID)
		box.Parts = append(box.Parts, ui.Progress{Label: stateTag(r, v.State).Text, Done: int(done), Of: int(of),
			Text: progress(r, v, done, of)})
	}
	switch v.State {
	case admitto.ImportReady:
		if due > 0 {
			press("import-start", r.Plural("imports.press", due))
		}
	case admitto.ImportStopped:
		if due > 0 {
			press("import-start", r.T("action.import-resume"))
		}
	case admitto.ImportRunning:
		press("import-stop", r.T("action.import-stop"))
	case admitto.ImportUploaded, admitto.ImportChecking, admitto.ImportFinished, admitto.ImportUndoing,
		admitto.ImportUndone:
	}
	if v.State.AtWork() {
		box.Parts = append(box.Parts, ui.Button{ID: "state-again", Text: r.T("journal.look_again"),
			Href: r.At("import", v.ID), Small: true})
	}
	box.Parts = append(box.Parts, ui.KeyValues{Facts: facts})
	return box, nil
}

// progress says how far the work is, how quick, and how long it takes yet.
func progress(r *site.Request, v *leads.View, done, of int64) string {
	words := r.T("imports.progress", "Done", r.Number(int(done)), "Of", r.Number(int(of)))
	if v.Rate == 0 {
		return words
	}
	left := r.T("imports.left_short")
	if v.Left > admitto.Minute {
		left = r.Plural("imports.left", int((v.Left+admitto.Minute-1)/admitto.Minute))
	}
	return words + " " + r.T("imports.rate", "Rows", r.Number(int(v.Rate*60+0.5)), "Left", left)
}

// facts are what is known of the import.
func (p *pages) facts(r *site.Request, v *leads.View) (facts []ui.KeyValue, err error) {
	staff, err := p.staff(r)
	if err != nil {
		return nil, err
	}
	by := func(who int64, at admitto.Time) string {
		return r.T("imports.by_at", "Who", staff[who], "Time", r.Clock(at))
	}
	add := func(key, value string) { facts = append(facts, ui.KeyValue{Key: r.T("imports." + key), Value: value}) }
	for _, s := range admitto.LeadRowStates() {
		if n := v.Counts[s]; n > 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("lead_row." + string(s)), Value: r.Number(int(n))})
		}
	}
	add("uploaded", by(v.UploadedBy, v.Uploaded))
	add("format", r.T("imports.format_value", "Encoding", v.Encoding, "Separator", separator(r, v.Separator)))
	add("basis", v.Options.Basis)
	trackers, err := p.Query.Trackers(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	var codes []string
	for n := range trackers {
		if slices.Contains(v.Options.Trackers, trackers[n].ID) {
			codes = append(codes, trackers[n].Code)
		}
	}
	if codes != nil {
		add("trackers", strings.Join(codes, ", "))
	}
	if len(v.Options.Consents) > 0 {
		asked, err := p.Accounts.ConsentsAsked(r.Context())
		if err != nil {
			return nil, err
		}
		var texts []string
		for n := range asked {
			if slices.ContainsFunc(v.Options.Consents, func(c admitto.LeadConsent) bool { return c.Consent == asked[n].ID }) {
				texts = append(texts, short(asked[n].Text, 80))
			}
		}
		add("consents", strings.Join(texts, "; "))
	}
	answer := "imports.welcome_no"
	if v.Options.Welcome {
		answer = "imports.welcome_yes"
	}
	add("welcome", r.T(answer))
	if v.Started != 0 {
		add("started", by(v.StartedBy, v.Started))
	}
	if v.Ended != 0 {
		add("ended", r.Clock(v.Ended))
	}
	if v.MayUndo {
		add("undo_until", r.Clock(v.UndoUntil))
	}
	if v.Undone != 0 {
		add("undone", by(v.UndoneBy, v.Undone))
	}
	return facts, nil
}

// tabs lead to the rows by what comes of them.
func tabs(r *site.Request, v *leads.View) ui.Tabs {
	now := r.URL.Query().Get("state")
	tabs := ui.Tabs{Label: r.T("imports.rows"), Links: []ui.Link{{Text: r.T("imports.all_rows"),
		Href: r.At("import", v.ID), Count: r.Number(int(v.Rows)), Current: now == ""}}}
	for _, s := range admitto.LeadRowStates() {
		if n := v.Counts[s]; n > 0 || now == string(s) {
			tabs.Links = append(tabs.Links, ui.Link{Text: r.T("lead_row." + string(s)),
				Href: r.At("import", v.ID) + "?state=" + string(s), Count: r.Number(int(n)), Current: now == string(s)})
		}
	}
	return tabs
}

// table is a page of the rows.
func (p *pages) table(r *site.Request, v *leads.View) ([]ui.Component, error) {
	state, after := admitto.LeadRowState(r.URL.Query().Get("state")), behind(r, "after")
	lines, more, err := p.Leads.Lines(r.Context(), r.Reader(), v.ID, after, state, rows)
	if err != nil {
		return nil, err
	}
	t := ui.Table{Caption: r.T("imports.rows"), Cards: true, Columns: []ui.Column{
		{Title: r.T("csv_file.line"), Num: true, Place: "meta"}, {Title: r.T("imports.person"), Place: "main"},
		{Title: r.T("imports.email"), Place: "mail"}, {Title: r.T("csv_file.state")}, {Title: r.T("csv_file.what")}},
		Empty: ui.Empty{Icon: "inbox", Title: r.T("imports.no_rows"), Text: r.T("imports.no_rows_text")}}
	if v.RowsGone {
		t.Empty = ui.Empty{Icon: "shield", Title: r.T("imports.rows_gone"), Text: r.T("imports.rows_gone_text")}
	}
	for n := range lines {
		t.Rows = append(t.Rows, p.row(r, v, &lines[n]))
	}
	parts := []ui.Component{ui.Heading{Title: r.T("imports.rows")}, t}
	if more || after > 0 {
		pager := &ui.Pager{}
		if after > 0 {
			pager.Previous = at(r, v.ID, state, 0)
		}
		if more {
			pager.Next = at(r, v.ID, state, lines[len(lines)-1].Line)
		}
		parts = append(parts, pager)
	}
	return parts, nil
}

// at is the address of the rows of a state behind a line.
func at(r *site.Request, id int64, state admitto.LeadRowState, after int64) string {
	address := r.At("import", id)
	if state != "" {
		address = site.Add(address, "state", string(state))
	}
	if after > 0 {
		address = site.Add(address, "after", number(after))
	}
	return address
}

func (p *pages) row(r *site.Request, v *leads.View, line *leads.Line) ui.Row {
	person := ui.Cell{Text: line.Name}
	if line.Name == "" {
		person.Text = r.T("csv_file.no_name")
	}
	if line.Applicant != 0 && line.State != admitto.LeadTakenBack && r.May("applicant") {
		person.Href = r.At("applicant", line.Applicant)
	}
	var words []string
	switch line.State {
	case admitto.LeadWrong, admitto.LeadFailed:
		words = faults(r, &v.LeadImport, line)
	case admitto.LeadKnown, admitto.LeadMatched:
		words = []string{r.T("imports.known")}
		if line.Twin != 0 {
			words = []string{r.T("imports.twin", "Line", r.Number(int(line.Twin)))}
		}
	case admitto.LeadTakenBack:
		words = []string{r.T("imports.taken_back")}
	case admitto.LeadKept:
		words = []string{r.T("imports.kept")}
	case admitto.LeadUnchecked, admitto.LeadNew, admitto.LeadCreated:
	}
	var what ui.Cell
	for _, text := range words {
		what.Parts = append(what.Parts, ui.Words{Text: text})
	}
	return ui.Row{ID: number(line.Line), Label: r.T("csv_file.line") + " " + r.Number(int(line.Line)), Cells: []ui.Cell{
		{Text: r.Number(int(line.Line))}, person, {Text: line.Email}, {Tags: []ui.Tag{rowTag(r, line.State)}}, what}}
}
