package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// journalInput is the query of GET /journal (resources.md 2.3).
type journalInput struct {
	Events         params.TitleList `name:"byEvents"`
	Since          params.Boundary  `name:"bySince"`
	Until          params.Boundary  `name:"byUntil" bound:"upper"`
	Years          params.YearList  `name:"byAcademicYear"`
	TermIDs        params.IDList    `name:"byAcademicTermID"`
	ApplicantIDs   params.IDList    `name:"byApplicantIDs"`
	ApplicationIDs params.IDList    `name:"byApplicationIDs"`
	Order          params.Order     `name:"order"`
	Limit          params.Limit     `name:"limit"`
	After          afterID          `name:"after"`
}

// maxRecords bounds a page of the journal; more counts as this.
const maxRecords = 1024

// listJournal answers GET /journal.
func (a *API) listJournal(c *call) error {
	var in journalInput
	list, err := c.queryArgs()
	if err != nil {
		return err
	}
	decoded := c.decode(list, &in)
	events, eventErr := c.eventFilters(in.Events)
	limit, limitErr := limits{max: maxRecords, otherwise: maxRecords, capped: true}.take(c, in.Limit)
	if err := faultsOf(decoded, eventErr, limitErr); err != nil {
		return err
	}
	q := admitto.JournalQuery{Events: events, FromID: in.Since.ID, FromTime: in.Since.At, ToID: in.Until.ID,
		ToTime: in.Until.At,
		Years:  in.Years, TermIDs: in.TermIDs, ApplicantIDs: in.ApplicantIDs, ApplicationIDs: in.ApplicationIDs,
		NewestFirst: in.Order.NewestFirst, After: int64(in.After), Limit: limit,
		OfferTitles: !c.version.Has(version.OfferTypesByID)}
	if in.Until.IsID && in.Until.ID == 0 {
		q.ToID = -1 // up to ID 0: nothing
	}
	found, err := a.services.Query.Journal(c.ctx, c.by(), q)
	return sendList(c, found, err, func(l *bigList) func(*admitto.Record) error {
		var w recordWire
		return elements(l, &w, w.set, func(r *admitto.Record) int64 { return r.ID })
	})
}

// eventFilters reads the items of byEvents. A name outside the catalogue matches nothing, and is a fault when
// the client asks for strictness; an offer type that is no ID is a fault. In versions in which offer types go by
// title, the use case finds them.
func (c *call) eventFilters(items []string) ([]admitto.EventFilter, error) {
	if items == nil {
		return nil, nil
	}
	filters := []admitto.EventFilter{}
	var faults []admitto.Fault
	for _, item := range items {
		pattern, bind, ok := admitto.ParseEvent(item)
		switch {
		case !ok && c.prefers("handling=strict"):
			faults = append(faults, params.FaultAt("byEvents", nil, message.Of("no-event", text.Quote(item))))
		case !ok:
			continue
		case admitto.BindsOfferType(pattern) && bind != nil && c.version.Has(version.OfferTypesByID):
			if _, err := text.ID(bind[0]); err != nil {
				faults = append(faults, params.FaultAt("byEvents", nil, message.Of("event-offer-type-id", text.Quote(item))))
				continue
			}
		}
		filters = append(filters, admitto.EventFilter{Pattern: pattern, Bind: bind})
	}
	if faults != nil {
		return nil, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return filters, nil
}

// recordWire is a journal record (resources.md 2.2).
type recordWire struct {
	ID            int64        `wire:"id"`
	Logged        admitto.Time `wire:"logged"`
	Event         string       `wire:"event"`
	Pattern       string       `wire:"pattern"`
	Bind          []string     `wire:"bind"`
	Administrator wire.Link    `wire:"administrator"`
	Applicant     wire.Link    `wire:"applicant"`
	Application   wire.Link    `wire:"application"`
	Course        wire.Link    `wire:"course"`
	Institution   wire.Link    `wire:"institution"`
	Invoice       wire.Link    `wire:"invoice"`
	Offer         wire.Link    `wire:"offer"`
	Document      wire.Link    `wire:"document"`
	Flag          wire.Link    `wire:"flag"`
	Tracker       wire.Link    `wire:"tracker"`
}

func (w *recordWire) set(r *admitto.Record) {
	l := &r.Links
	*w = recordWire{
		ID: r.ID, Logged: r.Logged, Event: r.Filled(), Pattern: string(r.Pattern), Bind: r.Bind,
		Administrator: wire.LinkTo("/administrators/{}", l.Administrator),
		Applicant:     wire.LinkTo("/applicants/{}", l.Applicant),
		Application:   wire.LinkTo("/applications/{}", l.Application),
		Course:        wire.LinkTo("/courses/{}", l.Course),
		Institution:   wire.LinkTo("/institutions/{}", l.Institution),
		Invoice:       wire.LinkTo("/invoices/{}", l.Invoice),
		Offer:         wire.LinkTo("/applications/{}/offers/{}", l.Application, l.Offer),
		Document:      wire.LinkTo("/applications/{}/documents/{}", l.Application, l.Document),
		Flag:          wire.LinkTo("/applications/flags/{}", l.Flag),
		Tracker:       wire.LinkTo("/applicants/trackers/{}", l.Tracker),
	}
}

// listLogins answers GET /logins (resources.md 24.15).
func (a *API) listLogins(c *call) error {
	return pagedList(c, a.services.Accounts.Logins, func(l *admitto.Login) int64 { return l.ID }, loginRecord)
}
