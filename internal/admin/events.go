package admin

import (
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// historyAtOnce is how many events a page of a history has.
const historyAtOnce = 50

// applicantHistory is the tab with what happened to an applicant.
func (p *pages) applicantHistory(r *site.Request, a *accounts.ApplicantAccount) error {
	view := r.View(true)
	events, more, err := p.history(r, a.ID, view.ID("before"), historyAtOnce)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return p.applicantCard(r, a, "applicant-history", ui.Empty{Icon: "history", Title: r.T("history.none"),
			Text: r.T("history.none_text")})
	}
	parts := []ui.Component{ui.Timeline{Events: events}}
	if more != 0 {
		parts = append(parts, ui.Button{Text: r.T("history.older"), Href: view.With("before", strconv.FormatInt(more, 10))})
	}
	return p.applicantCard(r, a, "applicant-history", parts...)
}

// history says what happened to an applicant before a record (0: at last). more is the record that older ones are
// before, 0 when there are none.
func (p *pages) history(r *site.Request, applicant, before int64,
	limit int) (events []ui.Event, more int64, err error) {
	records, left, err := p.Query.History(r.Context(), r.Reader(), query.HistoryQuery{Applicant: applicant,
		Before: before, Limit: limit})
	if err != nil {
		return nil, 0, err
	}
	if left {
		more = records[len(records)-1].ID
	}
	events, err = show.Events(r, p.Query, records, admitto.Links{Applicant: applicant})
	return events, more, err
}
