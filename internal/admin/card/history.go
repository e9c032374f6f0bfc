package card

import (
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// historyAtOnce is how many events a page of the history has.
const historyAtOnce = 50

// history is everything that the journal has about the application (screens.md A22).
func (p *pages) history(r *site.Request, h *query.ApplicationHead) error {
	view := r.View(true)
	records, more, err := p.Query.History(r.Context(), r.Reader(), query.HistoryQuery{Application: h.ID,
		Before: view.ID("before"), Limit: historyAtOnce})
	if err != nil {
		return err
	}
	events, err := show.Events(r, p.Query, records, admitto.Links{Applicant: h.Person.ID, Application: h.ID})
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return p.show(r, h, "application-history", ui.Empty{Icon: "history", Title: r.T("history.none"),
			Text: r.T("history.none_text")})
	}
	parts := []ui.Component{ui.Timeline{Events: events}}
	if more {
		parts = append(parts, ui.Button{Text: r.T("history.older"),
			Href: view.With("before", strconv.FormatInt(records[len(records)-1].ID, 10))})
	}
	return p.show(r, h, "application-history", parts...)
}
