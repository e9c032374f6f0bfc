package card

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// dayField asks for the last day.
func dayField(_ *pages, _ *site.Request, _ *query.ApplicationHead, f *site.Form) ([]ui.Component, error) {
	return []ui.Component{f.Date("day", "card.until")}, nil
}

// tellField asks whether the applicant is told.
func tellField(_ *pages, r *site.Request, _ *query.ApplicationHead, f *site.Form) ([]ui.Component, error) {
	return []ui.Component{tickedAtFirst(r, f, "card.tell_closed")}, nil
}

// tickedAtFirst asks whether the applicant is told; it is ticked until somebody takes the tick away.
func tickedAtFirst(r *site.Request, f *site.Form, words string) ui.Choices {
	tick := f.Tick("tell", "card.tell", words)
	if !r.Posted() && !f.Restored {
		tick.Options[0].Selected = true
	}
	return tick
}

// told is what staff write to the applicant; the fault is noted for what is too long, and for nothing.
func told(f *site.Form) string {
	words, wrong := text.Multiline(f.Typed("text"), 1, admissions.MostTold)
	if wrong != nil {
		f.FailText("text", message.From(wrong))
	}
	return words
}

// reopenFields ask what the applicant shall change, and by when.
func reopenFields(_ *pages, _ *site.Request, _ *query.ApplicationHead, f *site.Form) ([]ui.Component, error) {
	day := f.Date("day", "card.reopen_day")
	day.Optional = true
	return []ui.Component{f.Long("text", "card.reopen_text", 4, admissions.MostTold), day}, nil
}

func (p *pages) reopen(r *site.Request, h *query.ApplicationHead, f *site.Form) error {
	day, _ := f.Day("day")
	in := admissions.Reopening{Text: told(f), Until: day}
	if f.Failed() {
		return nil
	}
	return p.Admissions.ReopenApplication(r.Context(), r.Caller(), h.ID, in)
}

// extendFields ask for the intake and the last day, and whether the applicant is told.
func (p *pages) extendFields(r *site.Request, h *query.ApplicationHead, f *site.Form) ([]ui.Component, error) {
	o, err := p.Query.ApplicationOverview(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return nil, err
	}
	var options []ui.Option
	for i := range o.Courses {
		c := &o.Courses[i]
		value := strconv.FormatInt(c.Intake, 10)
		if c.Intake != 0 && !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == value }) {
			options = append(options, ui.Option{Value: value, Text: joined(": ", c.In.Name, deadline(r, c))})
		}
	}
	words := f.Long("text", "card.told_text", 3, admissions.MostTold)
	words.Optional = true
	return []ui.Component{f.Select("intake", "card.intake", options...), f.Date("day", "card.until"),
		tickedAtFirst(r, f, "card.tell_extended"), words}, nil
}

// untilEnd is the end of the day that was typed; 0, and the fault noted, without one.
func untilEnd(r *site.Request, f *site.Form) admitto.Time {
	day, ok := f.Day("day")
	if ok && day.IsZero() {
		f.Fail("day", "form.day_missing")
	}
	if day.IsZero() {
		return 0
	}
	return day.End(r.Zone())
}

func (p *pages) extend(r *site.Request, h *query.ApplicationHead, f *site.Form) error {
	e := admissions.Extension{Intake: f.Choice("intake"), Until: untilEnd(r, f), Reason: f.Get("reason"),
		Tell: f.Has("tell"), Text: f.Typed("text")}
	// Without a day it is refused in any case, with all that is wrong besides.
	return p.Admissions.ExtendDeadline(r.Context(), r.Caller(), h.ID, e)
}

func (p *pages) liftExpiry(r *site.Request, h *query.ApplicationHead, f *site.Form) error {
	until := untilEnd(r, f)
	if f.Failed() {
		return nil
	}
	return p.Admissions.LiftExpiry(r.Context(), r.Caller(), h.ID, until, f.Get("reason"))
}

// The fields of the page that asks before a mail leaves.
const (
	fieldSure = "sure"
	fieldBack = "back"
)

// telling is something that may tell the applicant.
type telling struct {
	application int64
	title       string // of the page that asks
	effects     []ui.Effect
	send        string // what the button that sends says
	danger      bool
	back        string // where one goes who does nothing of it
	// do must change nothing but by the services of the pages that it is called with: it is rehearsed first.
	do func(*pages) error
}

// goesBack reports whether the reader wants the form back that was typed, as the page that asks offers it.
func goesBack(r *site.Request, f *site.Form) bool {
	if !r.Posted() || !f.Has(fieldBack) {
		return false
	}
	if f.Version != 0 {
		f.Version = r.Caller().Version // what was shown when it was typed
	}
	return true
}

// tell does what a form asks for. Where a mail would leave with it, it asks first, with all that would be sent, and
// does nothing; an error is that which doing it would have.
func (p *pages) tell(r *site.Request, f *site.Form, t *telling) (asked bool, err error) {
	if f.Failed() {
		return false, nil
	}
	if !f.Has(fieldSure) {
		unsaid := f.Unsaid()
		mails, err := p.Admissions.Rehearse(r.Context(), r.Caller(), t.application, func(s *admissions.Service) error {
			unsaid() // by a run that was in the way of others
			services := *p.Services
			services.Admissions = s
			return t.do(&pages{Services: &services, lists: p.lists, rehearsing: true})
		})
		if err != nil || f.Failed() {
			return false, err
		}
		if len(mails) > 0 {
			return true, askTelling(r, f, t, mails)
		}
	}
	return false, t.do(p)
}

// askTelling shows recipient, subject and first lines of the mails that leave; what was typed goes along.
func askTelling(r *site.Request, f *site.Form, t *telling, mails []mail.Message) error {
	if f.Version != 0 {
		f.Version = r.Caller().Version
	}
	head := f.Head()
	head.Hidden = append(append(head.Hidden, f.Carried(fieldSure, fieldBack)...), ui.Option{Text: fieldSure, Value: "yes"})
	fields := []ui.Component{head, ui.Words{Text: r.Plural("card.mails_leave", len(mails))}}
	for i := range mails {
		m := &mails[i]
		fields = append(fields, ui.KeyValues{Facts: []ui.KeyValue{
			{Key: r.T("offer.recipient"), Value: r.Listed(m.To.Name, m.To.Email)},
			{Key: r.T("offer.subject"), Value: m.Subject}, {Key: r.T("offer.begins"), Value: beginning(m.Text)}}})
	}
	return r.Ask(ui.Confirmation{Title: t.title, Effects: t.effects, Fields: fields,
		Confirm: ui.Button{Text: t.send, Primary: !t.danger, Danger: t.danger,
			Busy: r.T("form.saving")},
		Change: &ui.Button{Text: r.T("card.change_typed"), Name: fieldBack, Value: "yes", Plain: true},
		Back:   ui.Link{Text: r.T("dialog.cancel"), Href: t.back}})
}
