package card

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// How many events a page of the history has, and how many are read at once for the file.
const (
	historyAtOnce = 50
	historyInFile = 500
)

// historyRoutes are the history of an application (screens.md A22) as a page and as a file.
func (p *pages) historyRoutes() []site.Route {
	view := site.Needs(admitto.ApplicationsView)
	return []site.Route{p.tab("application-history", "/history", view, p.history),
		{Name: "application-history-csv", Path: "/admin/applications/{id}/history.csv", Access: view,
			Parent: "application-history",
			Handle: p.ofApplication(p.historyCSV)}}
}

// eventGroups are the groups of events that there can be about an application.
var eventGroups = []string{"Application", "Offers", "Tasks", "Documents", "Notes", "Flags", "Scores", "Finance",
	"E-mail", "Exports"}

// inHistory is what the address of a history asks for.
func inHistory(h *query.ApplicationHead, view *site.View) (q query.HistoryQuery, group string) {
	q = query.HistoryQuery{Application: h.ID, Before: view.ID("before"), Limit: historyAtOnce}
	if group = view.Get("group"); !slices.Contains(eventGroups, group) {
		return q, ""
	}
	for _, kind := range admitto.EventKinds() {
		if kind.Group == group {
			q.Events = append(q.Events, admitto.EventFilter{Pattern: kind.Pattern})
		}
	}
	return q, group
}

// history is everything that the journal has about the application, or what is of one group.
func (p *pages) history(r *site.Request, h *query.ApplicationHead) error {
	view := r.View(true)
	q, group := inHistory(h, view)
	records, more, err := p.Query.History(r.Context(), r.Reader(), q)
	if err != nil {
		return err
	}
	events, err := show.Events(r, p.Query, records, admitto.Links{Applicant: h.Person.ID, Application: h.ID})
	if err != nil {
		return err
	}
	buttons := []ui.Button{{Text: "CSV", Icon: "download", Small: true, Href: r.At("application-history-csv", h.ID) +
		afterPath(view.With("before", "", site.ListName, ""))}}
	groups := ui.Links{Links: []ui.Link{{Text: r.T("card.all_events"), Href: view.With("group", "", "before", "")}}}
	if group == "" {
		groups.Links[0].Href = ""
	}
	for _, g := range eventGroups {
		link := ui.Link{Text: r.T("event_group." + strings.ReplaceAll(strings.ToLower(g), "-", "_"))}
		if g != group {
			link.Href = view.With("group", g, "before", "")
		}
		groups.Links = append(groups.Links, link)
	}
	parts := []ui.Component{groups}
	if len(events) == 0 {
		parts = append(parts, ui.Empty{Icon: "history", Title: r.T("history.none"), Text: r.T("history.none_text")})
	} else {
		parts = append(parts, ui.Timeline{Events: events})
	}
	if more {
		parts = append(parts, ui.Button{Text: r.T("history.older"),
			Href: view.With("before", strconv.FormatInt(records[len(records)-1].ID, 10))})
	}
	return p.showWith(r, h, "application-history", buttons, parts...)
}

// afterPath is what an address has after its path.
func afterPath(address string) string {
	if _, query, ok := strings.Cut(address, "?"); ok {
		return "?" + query
	}
	return ""
}

// historyCSV is the history as a file, all of it.
func (p *pages) historyCSV(r *site.Request, h *query.ApplicationHead) error {
	words, err := show.ReadWords(r, p.Query)
	if err != nil {
		return err
	}
	q, _ := inHistory(h, r.View(true))
	q.Before, q.Limit = 0, historyInFile
	heads := []string{r.T("journal.nr"), r.T("journal.time"), r.T("journal.sentence"), r.T("journal.event"),
		r.T("journal.actor"),
		r.T("card.changes"), r.T("journal.batch"), r.T("journal.about")}
	name := "application-" + strconv.FormatInt(h.ID, 10) + "-history"
	return r.CSV(name, heads, func(row func(cells ...string) error) error {
		for more := true; more; {
			var records []admitto.Record
			if records, more, err = p.Query.History(r.Context(), r.Reader(), q); err != nil {
				return err
			}
			names, err := p.Query.EventNames(r.Context(), r.Reader(), records)
			if err != nil {
				return err
			}
			for i := range records {
				record := &records[i]
				var changes, papers []string
				batch := ""
				if id := record.Actor.Batch; id != 0 {
					batch = strconv.FormatInt(id, 10)
				}
				for _, d := range record.Details {
					changes = append(changes, words.Line(r, record, d))
				}
				for _, link := range show.PapersOf(r, &names, record) {
					papers = append(papers, link.Text)
				}
				if err := row(strconv.FormatInt(record.ID, 10), record.Logged.Std().UTC().Format(time.RFC3339),
					words.Sentence(r, &record.Event), record.Filled(), words.Who(r, record), strings.Join(changes,
						"; "), batch, strings.Join(papers, "; ")); err != nil {
					return err
				}
				q.Before = record.ID
			}
		}
		return nil
	})
}
