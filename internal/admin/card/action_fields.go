package card

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
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
	day, _ := f.Day("day", "card.no_day")
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
	day, ok := f.Day("day", "card.no_day")
	if ok && day.IsZero() {
		f.Fail("day", "card.no_day")
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
