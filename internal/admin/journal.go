package admin

import (
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// journalRoutes are the pages of the journal (screens.md A49). None of them changes a record.
func (p *pages) journalRoutes() []site.Route {
	view := site.Needs(admitto.JournalView)
	return []site.Route{
		{Name: "journal", Path: "/admin/journal", Access: view, Handle: p.journal},
		{Name: "journal-csv", Path: "/admin/journal.csv", Access: view, Handle: p.journalCSV},
		{Name: "journal-query", Path: "/admin/journal/query", On: hasAPI, Access: view, Parent: "journal",
			Handle: p.journalQuery},
		{Name: "journal-verify", Path: "/admin/journal/verify", Access: view, Form: true, Parent: "journal",
			Handle: p.journalVerify},
		{Name: "journal-record", Path: "/admin/journal/{id}", Access: view, Parent: "journal", Handle: p.journalRecord},
	}
}

// journal is the list, the newest events first. Its pages follow one another by ID.
func (p *pages) journal(r *site.Request) error {
	j, err := p.readJournal(r)
	if err != nil {
		return err
	}
	var page query.JournalPage
	if len(j.faults) == 0 {
		if page, err = p.Query.BrowseJournal(r.Context(), r.Reader(), j.find); err != nil {
			return err
		}
	}
	check, err := p.Maintenance.JournalCheck(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	list := site.ListPage{Filters: j.pane(), Chips: j.chips(&page), Pager: j.pager(&page),
		Head: ui.ListHead{Title: r.Title(), FilterDrawer: "filters", Strong: r.T("journal.newest_first"),
			Count: "· " + verifiedWords(r, &check), Actions: []ui.Button{{Text: "CSV", Icon: "download", Small: true,
				Href: j.elsewhere("journal-csv")}}}}
	if page.Matches > 0 {
		list.Head.Strong = r.Plural("journal.count", int(page.Matches))
	}
	if r.May("journal-query") {
		list.Head.Actions = append(list.Head.Actions, ui.Button{Text: r.T("action.journal-query"), Small: true,
			Href: j.elsewhere("journal-query")})
	}
	list.Head.Actions = append(list.Head.Actions, show.Small(r.Buttons(site.Do("journal-verify")))...)
	if list.Table, err = p.journalTable(r, &page); err != nil {
		return err
	}
	switch {
	case len(page.Records) > 0:
	case page.Older != 0:
		list.Table.Empty = ui.Empty{Icon: "search", Title: r.T("journal.none_here"), Text: r.T("journal.none_here_text"),
			Actions: []ui.Button{{Text: r.T("journal.look_back"), Primary: true, Href: j.page("before", page.Older)}}}
	case j.filtered() || len(j.faults) > 0:
		list.Table.Empty = ui.Empty{Icon: "search", Title: r.T("journal.no_match"), Text: r.T("journal.no_match_text"),
			Actions: []ui.Button{{Text: r.T("filters.clear"), Href: r.URL.Path}}}
	default:
		list.Table.Empty = ui.Empty{Icon: "history", Title: r.T("history.none"), Text: r.T("history.none_text")}
	}
	if len(j.faults) > 0 {
		list.Above = append(list.Above, ui.Notice{Tone: ui.Bad, Text: r.T("ledger.unread"),
			Link: &ui.Link{Text: r.T("filters.clear"), Href: r.URL.Path}})
	}
	return list.Show(r)
}

// verifiedWords say how far the chain was checked.
func verifiedWords(r *site.Request, c *admitto.JournalCheck) string {
	if c.Never() {
		return r.T("journal.unverified")
	}
	return r.T("journal.verified", "ID", number(c.Verified), "Time", r.Clock(c.VerifiedAt))
}

func (p *pages) journalTable(r *site.Request, page *query.JournalPage) (t ui.Table, err error) {
	t = ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("journal.nr"), Num: true, Place: "meta"},
		{Title: r.T("journal.time"), Place: "label", Muted: true}, {Title: r.T("journal.event"), Place: "main"},
		{Title: r.T("journal.actor"), Place: "label"}, {Title: r.T("journal.about"), Place: "label"}}}
	if len(page.Records) == 0 {
		return t, nil
	}
	words, err := show.ReadWords(r, p.Query)
	if err != nil {
		return t, err
	}
	batches, err := p.Query.OpenBatches(r.Context(), r.Reader(), page.Records)
	if err != nil {
		return t, err
	}
	names, err := p.Query.EventNames(r.Context(), r.Reader(), page.Records)
	if err != nil {
		return t, err
	}
	for i := range page.Records {
		record := &page.Records[i]
		t.Rows = append(t.Rows, ui.Row{ID: number(record.ID), Label: number(record.ID), Cells: []ui.Cell{
			{Text: number(record.ID)}, {Text: r.Clock(record.Logged)},
			{Text: words.Sentence(r, &record.Event), Href: r.At("journal-record", record.ID)},
			{Text: words.Who(r, record)}, aboutCell(r, record, page.Present[record.Links.Applicant], &names, batches)}})
	}
	return t, nil
}

// aboutCell leads to what an event concerns, and to its batch; present says that its applicant is there.
func aboutCell(r *site.Request, record *admitto.Record, present bool, names *query.EventNames,
	batches map[int64]bool) (c ui.Cell) {
	links := concerned(r, record, present)
	if present {
		links = append(links, show.PapersOf(r, names, record)...)
	}
	if link, is := show.Batch(r, record, batches); is {
		links = append(links, link)
	}
	if len(links) > 0 {
		c.Parts = []ui.Component{ui.Links{Links: links}}
	}
	return c
}

// concerned are links to what an event concerns. What belongs to an applicant who is not there leads nowhere.
func concerned(r *site.Request, record *admitto.Record, present bool) (links []ui.Link) {
	for _, object := range show.ObjectsOf(&record.Links, &admitto.Links{}) {
		link := ui.Link{Text: r.T(object.Key, "ID", object.ID)}
		if r.May(object.Route) && (record.Links.Applicant == 0 || present) {
			link.Href = r.At(object.Route, object.ID)
		}
		links = append(links, link)
	}
	return links
}

// journalCSV is the list as a file: all its pages.
func (p *pages) journalCSV(r *site.Request) error {
	j, err := p.readJournal(r)
	if err != nil {
		return err
	}
	if len(j.faults) > 0 {
		return r.Redirect(j.elsewhere("journal")) // which says so
	}
	records, err := p.Query.JournalRecords(r.Context(), r.Reader(), j.find.JournalQuery)
	if err != nil {
		return err
	}
	words, err := show.ReadWords(r, p.Query)
	if err != nil {
		return err
	}
	var heads []string
	for _, name := range []string{"nr", "time", "sentence", "event", "actor", "request", "applicant", "application",
		"course", "institution", "invoice", "offer", "document", "flag", "tracker", "own_hash", "batch", "task", "scoresheet",
		"email"} {
		heads = append(heads, r.T("journal."+name))
	}
	return r.CSV("journal", heads, func(row func(cells ...string) error) error {
		id := func(n int64) string {
			if n == 0 {
				return ""
			}
			return number(n)
		}
		for record, err := range records {
			if err != nil {
				return err
			}
			l := &record.Links
			if err := row(number(record.ID), record.Logged.Std().UTC().Format(time.RFC3339),
				words.Sentence(r, &record.Event), record.Filled(), words.Who(r, record), record.Actor.RequestID, id(l.Applicant),
				id(l.Application), id(l.Course), id(l.Institution), id(l.Invoice), id(l.Offer), id(l.Document), id(l.Flag),
				id(l.Tracker), record.Hash, id(record.Actor.Batch), id(l.Task), id(l.Scoresheet), id(l.Email)); err != nil {
				return err
			}
		}
		return nil
	})
}

// journalQuery shows the address of the API that answers the same records.
func (p *pages) journalQuery(r *site.Request) error {
	j, err := p.readJournal(r)
	if err != nil {
		return err
	}
	address := r.Settings().BaseURL + config.NewestAPI() + "/journal?" + j.apiQuery().Encode()
	parts := []ui.Component{ui.Secret{ID: "query", Label: r.T("journal.api_query"), Code: address}}
	if j.find.ActorKind != "" {
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("journal.api_no_actor")})
	}
	back := ui.Button{Text: r.T("journal.back"), Href: j.elsewhere("journal")}
	return site.Sheet{Intro: []string{r.T("journal.api_text")}, Parts: parts, Buttons: []ui.Button{back}}.Show(r)
}

// journalRecord is one event with all that is known of it.
func (p *pages) journalRecord(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	e, err := p.Query.JournalRecord(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	words, err := show.ReadWords(r, p.Query)
	if err != nil {
		return err
	}
	check, err := p.Maintenance.JournalCheck(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	r.SetTitle(r.T("journal.record", "ID", id))
	verified := r.T("journal.not_this")
	if check.Verified >= id {
		verified = r.T("journal.this_too")
	}
	facts := []ui.KeyValue{{Key: r.T("journal.time"), Value: r.Clock(e.Logged)},
		{Key: r.T("journal.actor"), Value: words.Who(r, &e.Record)},
		{Key: r.T("journal.event"), Value: e.Filled()}}
	links := concerned(r, &e.Record, !e.Gone)
	if names, err := p.Query.EventNames(r.Context(), r.Reader(), []admitto.Record{e.Record}); err != nil {
		return err
	} else if !e.Gone {
		links = append(links, show.PapersOf(r, &names, &e.Record)...)
	}
	if len(links) > 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("journal.about"), Parts: []ui.Component{ui.Links{Links: links}}})
	}
	batches, err := p.Query.OpenBatches(r.Context(), r.Reader(), []admitto.Record{e.Record})
	if err != nil {
		return err
	}
	if link, is := show.Batch(r, &e.Record, batches); is {
		facts = append(facts, ui.KeyValue{Key: r.T("journal.batch"), Parts: []ui.Component{ui.Links{Links: []ui.Link{link}}}})
	}
	facts = append(facts, ui.KeyValue{Key: r.T("journal.request"), Value: e.Actor.RequestID},
		ui.KeyValue{Key: r.T("journal.own_hash"), Value: e.Hash}, ui.KeyValue{Key: r.T("journal.previous_hash"),
			Value: e.PrevHash},
		ui.KeyValue{Key: r.T("journal.chain"), Value: verifiedWords(r, &check) + " " + verified})
	var buttons []ui.Button
	if id > 1 {
		buttons = append(buttons, ui.Button{Text: r.T("journal.older"), Small: true, Href: r.At("journal-record", id-1)})
	}
	if id < e.Last {
		buttons = append(buttons, ui.Button{Text: r.T("journal.newer"), Small: true, Href: r.At("journal-record", id+1)})
	}
	return site.Sheet{Title: words.Sentence(r, &e.Event), Buttons: buttons,
		Parts: append([]ui.Component{ui.KeyValues{Facts: facts}}, changes(r, &e)...)}.Show(r)
}

// changes are the values that changed with an event.
func changes(r *site.Request, e *query.JournalEntry) (parts []ui.Component) {
	var diffs []ui.Component
	for _, d := range e.Details {
		diff := ui.Diff{Title: show.DetailName(r, d.Path)}
		for _, side := range []struct{ op, text string }{{"-", d.Old}, {"+", d.New}} {
			if side.text != "" {
				for line := range strings.SplitSeq(side.text, "\n") {
					diff.Lines = append(diff.Lines, ui.DiffLine{Op: side.op, Text: line})
				}
			}
		}
		diffs = append(diffs, diff)
	}
	if len(diffs) > 0 {
		parts = append(parts, ui.Box{Title: r.T("journal.changed"), Parts: diffs})
	}
	switch {
	case e.Erased:
		parts = append(parts, ui.Words{Muted: true, Text: r.T("journal.erased")})
	case e.Hidden:
		parts = append(parts, ui.Words{Muted: true, Text: r.T("journal.hidden")})
	case e.DetailHash == "":
		parts = append(parts, ui.Words{Muted: true, Text: r.T("journal.no_details")})
	}
	return parts
}
