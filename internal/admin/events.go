package admin

import (
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// eventKey is the message that says an event: event.application_was_submitted.
func eventKey(p admitto.Pattern) string {
	words := strings.FieldsFunc(strings.ToLower(string(p)), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	return "event." + strings.Join(words, "_")
}

// eventWords are the names that sentences about events need, read once for a page of them.
type eventWords struct {
	staff      map[int64]string
	offerTypes map[int64]string
}

func (p *pages) eventWords(r *site.Request) (w eventWords, err error) {
	staff, err := p.Query.Administrators(r.Context(), r.Reader())
	if err != nil {
		return w, err
	}
	w.staff, _ = usecase.Named(staff, nil, func(a *admitto.Administrator) (int64, string) { return a.ID, a.Name })
	types, err := p.Query.OfferTypes(r.Context(), r.Reader())
	w.offerTypes, err = usecase.Named(types, err, func(t *admitto.OfferType) (int64, string) { return t.ID, t.Title })
	return w, err
}

// sayEvents says what happened in plain sentences: who did it, when, and links to what it concerns but to what the page
// is about.
func (p *pages) sayEvents(r *site.Request, records []admitto.Record, about admitto.Links) ([]ui.Event, error) {
	if len(records) == 0 {
		return nil, nil
	}
	words, err := p.eventWords(r)
	if err != nil {
		return nil, err
	}
	events := make([]ui.Event, len(records))
	for i := range records {
		record := &records[i]
		e := ui.Event{Title: words.sentence(r, &record.Event), Text: words.actor(r, record),
			Time: r.Clock(record.Logged), Machine: record.Logged.Std().UTC().Format(time.RFC3339)}
		for _, object := range objectsOf(&record.Links, &about) {
			text := r.T(object.key, "ID", object.id)
			if r.May(object.route) {
				e.Links = append(e.Links, ui.Link{Text: text, Href: r.At(object.route, object.id)})
			} else {
				e.Text += " · " + text
			}
		}
		for _, d := range record.Details {
			e.Lines = append(e.Lines, saidDetail(r, d))
		}
		events[i] = e
	}
	return events, nil
}

// sentence says an event; one that has no message is said as the journal names it.
func (w *eventWords) sentence(r *site.Request, e *admitto.Event) string {
	key := eventKey(e.Pattern)
	if !r.Has(key) {
		return e.Filled()
	}
	value := strings.Join(e.Bind, ", ")
	if admitto.BindsOfferType(e.Pattern) {
		id, _ := strconv.ParseInt(value, 10, 64) // the journal holds IDs; anything else is shown as it is
		if title := w.offerTypes[id]; title != "" {
			value = title
		}
	}
	switch e.Pattern {
	case admitto.ApplicationStatusChanged:
		value = statusTag(r, admitto.ApplicationStatus(value)).Text
	case admitto.ApplicationOfficerSet:
		id, err := strconv.ParseInt(value, 10, 64) // else there is no officer any more
		if name := w.staff[id]; name != "" {
			value = name
		} else if err != nil {
			value = r.T("browse.nobody")
		}
	case admitto.ApplicantDecision, admitto.OfferDecisionSet:
		value = decisionText(r, admitto.Decision(value))
	}
	return r.T(key, "Value", value)
}

func decisionText(r *site.Request, d admitto.Decision) string {
	switch d {
	case admitto.DecisionFinal:
		return r.T("decision.final")
	case admitto.DecisionDeclined:
		return r.T("decision.declined")
	case admitto.DecisionNone:
		return r.T("decision.none")
	}
	return string(d)
}

// actor is who did it.
func (w *eventWords) actor(r *site.Request, record *admitto.Record) string {
	id := record.Actor.ID
	switch record.Actor.Kind {
	case admitto.ByAdministrator:
		if name := w.staff[id]; name != "" {
			return r.T("history.by", "Name", name)
		}
		return r.T("history.by_staff", "ID", id)
	case admitto.ByApplicant:
		return r.T("history.by_applicant")
	case admitto.ByKey:
		return r.T("history.by_key", "ID", id)
	case admitto.BySystem:
	}
	return r.T("history.by_system")
}

type eventObject struct {
	key, route string
	id         int64
}

// objectsOf are what an event concerns, without what the page is about.
func objectsOf(l, about *admitto.Links) (list []eventObject) {
	add := func(key, route string, id, same int64) {
		if id != 0 && id != same {
			list = append(list, eventObject{key, route, id})
		}
	}
	add("history.applicant", "applicant", l.Applicant, about.Applicant)
	add("history.application", "application", l.Application, about.Application)
	add("history.offer", "offer", l.Offer, about.Offer)
	add("history.invoice", "invoice", l.Invoice, about.Invoice)
	add("history.course", "course", l.Course, about.Course)
	if l.Course == 0 {
		add("history.institution", "institution", l.Institution, about.Institution)
	}
	add("history.tracker", "tracker", l.Tracker, about.Tracker)
	add("history.flag", "flag", l.Flag, about.Flag)
	return list
}

// saidDetail says one changed value.
func saidDetail(r *site.Request, d admitto.Detail) string {
	value := func(text string) string {
		if text == "" {
			return r.T("value.none")
		}
		return text
	}
	return r.T("history.detail", "Name", detailName(r, d.Path), "Old", value(d.Old), "New", value(d.New))
}

// detailName is what a value that changed is called; the path itself where no message names it.
func detailName(r *site.Request, path string) string {
	if key := "applicant." + path; r.Has(key) {
		return r.T(key)
	}
	if strings.HasPrefix(path, "notes/") {
		return r.T("note.text")
	}
	return path
}

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
func (p *pages) history(r *site.Request, applicant, before int64, limit int) (events []ui.Event, more int64, err error) {
	records, left, err := p.Query.History(r.Context(), r.Reader(), query.HistoryQuery{Applicant: applicant,
		Before: before, Limit: limit})
	if err != nil {
		return nil, 0, err
	}
	if left {
		more = records[len(records)-1].ID
	}
	events, err = p.sayEvents(r, records, admitto.Links{Applicant: applicant})
	return events, more, err
}
