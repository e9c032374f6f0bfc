package card

import (
	"slices"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Bounds of what changed: records of the journal read at once, and in all.
const (
	changesAtOnce = 200
	mostChanges   = 2000
)

// lastSubmitted is when an application was submitted last, 0 for never.
func lastSubmitted(h *query.ApplicationHead) admitto.Time { return max(h.Submitted, h.Resubmitted) }

// formChanges shows what of the form has changed since it was submitted: each value then and now.
func (p *pages) formChanges(r *site.Request, h *query.ApplicationHead) error {
	since := lastSubmitted(h)
	if since == 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	changes, err := p.changesSince(r, h, since)
	if err != nil {
		return err
	}
	words := show.ReadFormWords(r, p.Query)
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("card.field"), Place: "main"},
		{Title: r.T("card.then"), Place: "label"}, {Title: r.T("card.now"), Place: "label"}},
		Empty: ui.Empty{Icon: "check", Title: r.T("card.no_changes"), Text: r.T("card.no_changes_text")}}
	value := func(d *admitto.Detail, text string) ui.Cell {
		said, _ := words.Value(r, d.Path, text)
		if said == "" {
			return ui.Cell{Note: r.T("value.none")}
		}
		return ui.Cell{Text: said}
	}
	for i := range changes {
		d := &changes[i]
		table.Rows = append(table.Rows, ui.Row{Cells: []ui.Cell{{Text: words.Name(r, d.Path)}, value(d, d.Old),
			value(d, d.New)}})
	}
	return site.Sheet{Intro: []string{r.T("card.changes_intro", "Name", titleOf(r, h), "Time", r.Clock(since))},
		Buttons: []ui.Button{{Text: r.T("card.to_form"), Icon: "chevron-left", Plain: true,
			Href: r.Within("application-form", h.ID, wholeForm)}}, Parts: []ui.Component{table}}.Show(r)
}

// changesSince are the values that are not what they were at a time, each once, sections together.
func (p *pages) changesSince(r *site.Request, h *query.ApplicationHead,
	since admitto.Time) (list []admitto.Detail, err error) {
	q := query.HistoryQuery{Application: h.ID, Limit: changesAtOnce,
		Events: []admitto.EventFilter{{Pattern: admitto.ApplicationEdited}}}
	at := map[string]int{}
	for read, more := 0, true; more && read < mostChanges; read += changesAtOnce {
		var records []admitto.Record
		if records, more, err = p.Query.History(r.Context(), r.Reader(), q); err != nil {
			return nil, err
		}
		for i := range records {
			q.Before = records[i].ID
			if records[i].Logged <= since {
				more = false
				break
			}
			for _, d := range records[i].Details {
				if n, known := at[d.Path]; known {
					list[n].Old = d.Old
				} else if len(d.Path) > 1 {
					at[d.Path] = len(list)
					list = append(list, d)
				}
			}
		}
	}
	list = slices.DeleteFunc(list, func(d admitto.Detail) bool { return d.Old == d.New })
	slices.SortStableFunc(list, func(a, b admitto.Detail) int { return form.ComparePaths(a.Path, b.Path) })
	return list, nil
}
