package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/web"
)

// conditional is the row whose version stands for what GET of a path shows, for every path that can be changed with
// If-Match: path is that of the route, or the beginning of it.
type conditional struct {
	path string
	row  func(ids []int64) admitto.Row
}

// rowOf is the row of a kind whose ID is the one at the place among the IDs of the path.
func rowOf(kind admitto.RowKind, place int) func([]int64) admitto.Row {
	return func(ids []int64) admitto.Row { return admitto.Row{Kind: kind, ID: ids[place]} }
}

// ofFirst is the row of a kind whose ID is the second of the path and that is of the first.
func ofFirst(kind admitto.RowKind) func([]int64) admitto.Row {
	return func(ids []int64) admitto.Row { return admitto.Row{Kind: kind, ID: ids[1], Of: ids[0]} }
}

// conditionals is the table of all of them; the first one that fits counts.
var conditionals = []conditional{
	{"/applicants/{id}/trackers/{id}", ofFirst(admitto.AssignedTrackerRow)},
	{"/applicants/{id}/notes/{id}", rowOf(admitto.NoteRow, 1)},
	{"/applicants/{id}/notes", rowOf(admitto.ApplicantNotesRow, 0)},
	{"/applicants/{id}", rowOf(admitto.ApplicantRow, 0)},
	{"/applicants/trackers/{id}", rowOf(admitto.TrackerRow, 0)},
	{"/applications/{id}/flags/{id}", ofFirst(admitto.AssignedFlagRow)},
	{"/applications/{id}/offers/{id}/notes/{id}", rowOf(admitto.NoteRow, 2)},
	{"/applications/{id}/offers/{id}/notes", rowOf(admitto.OfferNotesRow, 1)},
	{"/applications/{id}/offers/{id}", rowOf(admitto.OfferRow, 1)},
	{"/applications/{id}/tasks/{id}", rowOf(admitto.TaskRow, 1)},
	{"/applications/{id}", rowOf(admitto.ApplicationRow, 0)},
	{"/applications/flags/{id}", rowOf(admitto.FlagRow, 0)},
	{"/invoices/{id}", rowOf(admitto.InvoiceRow, 0)},
	{"/scoresheets/{id}/scores/{id}", rowOf(admitto.ScoreRow, 1)},
}

// conditionalOf finds the row of the table for the path of a route; nil without.
func conditionalOf(path string) *conditional {
	for i := range conditionals {
		rest, below := strings.CutPrefix(path, conditionals[i].path)
		if below && (rest == "" || rest[0] == '/') {
			return &conditionals[i]
		}
	}
	return nil
}

// checkMatch compares If-Match with the ETag that GET of the same path has now, and keeps the row version of what that
// shows for the use case, which compares it once what it changes is locked. The row version is read first: when the one
// under the lock is the same, nothing has changed since, and so GET has read what is there. What does not match gets a
// row version that nothing has, since that something in the path is missing counts more.
func (c *call) checkMatch() error {
	get := c.node.row(http.MethodGet, c.version)
	if get == nil {
		return nil
	}
	var seen int64
	if of := conditionalOf(c.row.path); of != nil {
		var err error
		if seen, err = c.api.services.Query.RowVersion(c.ctx, c.by(), of.row(c.ids)); err != nil {
			return err
		}
	}
	probe := &probe{header: http.Header{}}
	request := c.r.Clone(c.ctx)
	request.Method, request.Body, request.Header, request.URL.RawQuery = http.MethodGet, http.NoBody, http.Header{}, ""
	sub := *c
	sub.w, sub.r, sub.row = probe, request, get.route
	sub.may = c.may.Union(get.needs) // nothing of the answer leaves, so the scope does not matter
	err := get.serve(c.api, &sub)
	lists := c.r.Header.Values("If-Match")
	var e *admitto.Error
	switch {
	case err == nil && web.MatchesTag(lists, "", true): // * asks only that it exists
		seen = 0
	case err == nil && web.MatchesTag(lists, probe.header.Get("ETag"), true):
	case err == nil, errors.As(err, &e) && e.Kind == admitto.NotFound:
		seen = admitto.NoRowVersion
	default:
		return err
	}
	c.seen = seen
	return nil
}

// isConditional reports whether the call is a change with If-Match.
func (c *call) isConditional() bool {
	return len(c.r.Header.Values("If-Match")) > 0 && c.row != nil && c.row.method != http.MethodGet &&
		c.row.method != http.MethodPost
}

// probe takes an answer of which only the header matters.
type probe struct{ header http.Header }

func (p *probe) Header() http.Header         { return p.header }
func (p *probe) Write(b []byte) (int, error) { return len(b), nil }
func (p *probe) WriteHeader(int)             {}
