package card

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// lookedThrough is how many events are looked through for the last one about something.
const lookedThrough = 50

// changing are the groups of events that raise the row version of an application.
var changing = []string{"Application", "Offers", "Documents", "Flags", "Tasks"}

// lastOf is the last change of an application that is about something; nil where that is long ago.
func (p *pages) lastOf(r *site.Request, application int64, of func(*admitto.Record) bool) (*admitto.Record, error) {
	q := query.HistoryQuery{Application: application, Limit: lookedThrough}
	for _, kind := range admitto.EventKinds() {
		if slices.Contains(changing, kind.Group) {
			q.Events = append(q.Events, admitto.EventFilter{Pattern: kind.Pattern})
		}
	}
	records, _, err := p.Query.History(r.Context(), r.Reader(), q)
	last := show.NewestOf(records, of)
	if last == nil || last.Pattern != admitto.OfferDecisionSet {
		return last, err
	}
	// A withdrawal declines the offers, and undoing it brings the answers back.
	cause := show.NewestOf(records, func(record *admitto.Record) bool {
		return of(record) && record.Logged == last.Logged && record.Actor == last.Actor &&
			(record.Pattern == admitto.ApplicationWithdrawn || record.Pattern == admitto.ApplicationWithdrawalReverted)
	})
	return cmp.Or(cause, last), err
}

// lastOfOffer is the last change of an offer, nil where none is known.
func (p *pages) lastOfOffer(r *site.Request, c *onOffer) (*admitto.Record, error) {
	records, err := p.Query.OfferHistory(r.Context(), r.Reader(), c.Application, c.OfferCase.ID)
	if len(records) == 0 {
		return nil, err
	}
	return &records[len(records)-1], err
}

// refused is f.Refused, and where somebody else was quicker, it says who that was and what was changed.
func (p *pages) refused(r *site.Request, f *site.Form, err error, fields map[admitto.Path]string, now show.Stored,
	last func() (*admitto.Record, error)) (bool, error) {
	overtaken := site.Changed(err)
	refused, err := f.Refused(err, fields)
	if err != nil || !overtaken {
		return refused, err
	}
	record, err := last()
	if err != nil {
		return true, err
	}
	return true, show.Overtaken(r, p.Query, f, record, now)
}

// refusedFor is refused of what is done with an application.
func (p *pages) refusedFor(r *site.Request, f *site.Form, err error, fields map[admitto.Path]string,
	h *query.ApplicationHead) (bool, error) {
	return p.refused(r, f, err, fields, show.Stored{Version: h.RowVersion}, func() (*admitto.Record, error) {
		return p.lastOf(r, h.ID, anything)
	})
}

// refusedOffer is refused of what is done with an offer, whose form shows the values.
func (p *pages) refusedOffer(r *site.Request, f *site.Form, err error, fields map[admitto.Path]string, c *onOffer,
	values site.Values, labels ...[2]string) (bool, error) {
	return p.refused(r, f, err, fields, show.Stored{Values: values, Version: c.RowVersion, Labels: labels},
		func() (*admitto.Record, error) { return p.lastOfOffer(r, c) })
}

// formOfOffer is the form of what is done with an offer.
func (p *pages) formOfOffer(r *site.Request, c *onOffer, stored site.Values) (*site.Form, error) {
	return p.formWith(r, stored, c.RowVersion, func() (*admitto.Record, error) { return p.lastOfOffer(r, c) })
}

// formFor is the form of what is done with an application.
func (p *pages) formFor(r *site.Request, h *query.ApplicationHead) (*site.Form, error) {
	return p.formWith(r, nil, h.RowVersion, func() (*admitto.Record, error) { return p.lastOf(r, h.ID, anything) })
}

// formOfTask is the form of what is done with a task.
func (p *pages) formOfTask(r *site.Request, h *query.ApplicationHead, t *query.CardTask) (*site.Form, error) {
	return p.formWith(r, taskValues(t), t.RowVersion, func() (*admitto.Record, error) {
		return p.lastOf(r, h.ID, func(record *admitto.Record) bool { return record.Links.Task == t.ID })
	})
}

// formWith is the form of a page. What was typed before comes back with what was changed since.
func (p *pages) formWith(r *site.Request, stored site.Values, version int64,
	last func() (*admitto.Record, error)) (*site.Form, error) {
	f, err := r.Form(stored, version)
	if err == nil {
		err = show.Since(r, p.Query, f, last)
	}
	return f, err
}

func anything(*admitto.Record) bool { return true }

// refusedTask is refused of what is done with a task.
func (p *pages) refusedTask(r *site.Request, h *query.ApplicationHead, t *query.CardTask, f *site.Form, err error,
	now show.Stored) (bool, error) {
	fields := map[admitto.Path]string{"task.status": "status", "task.comment": "comment"}
	return p.refused(r, f, err, fields, now, func() (*admitto.Record, error) {
		return p.lastOf(r, h.ID, func(record *admitto.Record) bool { return record.Links.Task == t.ID })
	})
}

// overtakenMark says who has set what a field shows that has no row version.
func (p *pages) overtakenMark(r *site.Request, f *site.Form, h *query.ApplicationHead, stored site.Values,
	label [2]string, by ...admitto.Pattern) error {
	last, err := p.lastOf(r, h.ID, func(record *admitto.Record) bool { return slices.Contains(by, record.Pattern) })
	if err != nil {
		return err
	}
	return show.Overtaken(r, p.Query, f, last, show.Stored{Values: stored, Labels: [][2]string{label}})
}

// tellOvertaken leads to a page as it is now, and says who has changed it.
func (p *pages) tellOvertaken(r *site.Request, last *admitto.Record, back string) error {
	who, when, what, err := show.SaidOfLast(r, p.Query, last)
	if err != nil {
		return err
	}
	r.Notify(ui.Warn, r.T("card.overtaken", "Who", who, "When", when, "What", what))
	return r.Redirect(back)
}
