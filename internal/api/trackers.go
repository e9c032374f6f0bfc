package api

import (
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// listApplicantTrackers answers GET /applicants/{id}/trackers (resources.md 3.5).
func (a *API) listApplicantTrackers(c *call) error {
	list, err := a.services.Query.TrackersOf(c.ctx, c.by(), c.ids[0])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return smallList(c, list, func(t *admitto.TrackerAssociation) int64 { return t.Tracker }, trackerAssociation)
}

// getApplicantTracker answers GET /applicants/{id}/trackers/{id}.
func (a *API) getApplicantTracker(c *call) error {
	t, err := a.services.Query.TrackerOf(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(trackerAssociation(&t))
}

// setApplicantTracker answers PUT /applicants/{id}/trackers/{id}.
func (a *API) setApplicantTracker(c *call) error {
	err := c.noParametersOf(func() (err error) {
		if _, err = a.services.Query.Applicant(c.ctx, c.by(), c.ids[0], nil); err == nil {
			_, err = a.services.Query.Tracker(c.ctx, c.by(), c.ids[1])
		}
		return err
	})
	if err == nil {
		err = a.services.Admissions.AssignTracker(c.ctx, c.caller(), c.ids[0], c.ids[1])
	}
	return c.done(err)
}

// deleteApplicantTracker answers DELETE /applicants/{id}/trackers/{id}.
func (a *API) deleteApplicantTracker(c *call) error {
	err := c.noParametersOf(func() error {
		_, err := a.services.Query.TrackerOf(c.ctx, c.by(), c.ids[0], c.ids[1])
		return err
	})
	if err == nil {
		err = a.services.Admissions.UnassignTracker(c.ctx, c.caller(), c.ids[0], c.ids[1])
	}
	return c.done(err)
}

// noParametersOf is noParameters for a change of something; whether that exists comes before the parameters.
func (c *call) noParametersOf(something func() error) error {
	err := c.noParameters()
	if err == nil {
		return nil
	}
	if missing := something(); missing != nil {
		return missing
	}
	return err
}

// listApplicantsTrackers answers GET /applicants/trackers (resources.md 4).
func (a *API) listApplicantsTrackers(c *call) error {
	if err := c.noParameters(); err != nil {
		return err
	}
	list, err := a.services.Query.Trackers(c.ctx, c.by())
	if err != nil {
		return err
	}
	return smallList(c, list, func(t *admitto.Tracker) int64 { return t.ID }, trackerRecord)
}

// getApplicantsTracker answers GET /applicants/trackers/{id}.
func (a *API) getApplicantsTracker(c *call) error {
	t, err := a.services.Query.Tracker(c.ctx, c.by(), c.ids[0])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(trackerRecord(&t))
}

// deleteApplicantsTracker answers DELETE /applicants/trackers/{id}.
func (a *API) deleteApplicantsTracker(c *call) error {
	err := c.noParametersOf(func() error {
		_, err := a.services.Query.Tracker(c.ctx, c.by(), c.ids[0])
		return err
	})
	if err == nil {
		err = a.services.Admissions.DeleteTracker(c.ctx, c.caller(), c.ids[0])
	}
	return c.done(err)
}

// newTrackerInput is what POST /applicants/trackers takes (resources.md 4).
type newTrackerInput struct {
	Code     trackerCode         `name:"code" required:"true"`
	Notes    params.Lines        `name:"notes" len:"1-2048"`
	Kind     params.Line         `name:"reduction[reduction]" len:"1-16"`
	Percent  params.Decimal      `name:"reduction[percent]"`
	Amount   params.Decimal      `name:"reduction[amount]"`
	Currency params.CurrencyCode `name:"reduction[currency]"`
	Cents    params.Ignored      `name:"reduction[cents]"`
}

// trackerCode is 2 to 16 characters without white space and comma.
type trackerCode string

func (t *trackerCode) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := params.Checked(a, func(s string) (string, error) { return text.Line(s, 2, 16) })
	if err == nil && (strings.ContainsFunc(s, unicode.IsSpace) || strings.Contains(s, ",")) {
		err = message.Of("code-separated")
	}
	*t = trackerCode(s)
	return err
}

func (trackerCode) Describe(*params.Place, *params.Field) *schema.Schema {
	return &schema.Schema{Type: "string", Pattern: `^[^\s,]+$`, MinLength: new(2), MaxLength: new(16)}
}

// createApplicantsTracker answers POST /applicants/trackers.
func (a *API) createApplicantsTracker(c *call) error {
	list, err := c.creationArgs()
	if err != nil {
		return err
	}
	var in newTrackerInput
	if err := faultsOf(c.decode(list, &in), c.checkReduction(list, &in)); err != nil {
		return err
	}
	t := admitto.Tracker{Code: string(in.Code), Notes: string(in.Notes)}
	if in.Kind != "" {
		t.Reduction = &admitto.Reduction{Percent: in.Percent.Value, Amount: in.Amount.Value, Currency: string(in.Currency)}
	}
	t, err = a.services.Admissions.CreateTracker(c.ctx, c.caller(), t)
	if err != nil {
		return err
	}
	return c.created(t.ID, trackerRecord(&t))
}

// checkReduction demands that the parts of a reduction fit together, or are all absent.
func (c *call) checkReduction(list params.Args, in *newTrackerInput) error {
	var faults []admitto.Fault
	fault := func(name string, why error) {
		faults = append(faults, params.FaultAt("reduction["+name+"]", list["reduction["+name+"]"], why))
	}
	given := func(name string) bool { return list["reduction["+name+"]"] != nil }
	required := func(name string) {
		if !given(name) {
			fault(name, message.Of("reduction-parameter-required"))
		}
	}
	absent := func(names ...string) {
		for _, name := range names {
			if given(name) {
				fault(name, message.Of("reduction-parameter-foreign"))
			}
		}
	}
	switch in.Kind {
	case "Percent":
		required("percent")
		absent("amount", "currency")
		if in.Percent.Given && (in.Percent.Value < 1 || in.Percent.Value > 100_00) {
			fault("percent", message.Of("percentage-range"))
		}
	case "Amount":
		required("amount")
		required("currency")
		absent("percent")
		if in.Amount.Given && in.Amount.Value <= 0 {
			fault("amount", message.Of("amount-positive"))
		}
	case "":
		if !given("reduction") && (given("percent") || given("amount") || given("currency")) {
			fault("reduction", message.Of("reduction-kind-required"))
		}
	default:
		fault("reduction", message.Of("no-reduction-kind"))
	}
	if faults == nil {
		return nil
	}
	return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
}
