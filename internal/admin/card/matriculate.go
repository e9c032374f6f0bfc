package card

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// mostMatriculation is how many characters a matriculation number may have.
const mostMatriculation = 64

// fieldSoFar is the number that the applicant had when the form was shown.
const fieldSoFar = "so_far"

// accepted reports whether an offer lets its applicant be matriculated: it is Final, or its confirmed type In quota.
func accepted(o *admitto.OfferCase, confirmed *admitto.OfferType) bool {
	return o.Decision == admitto.DecisionFinal || o.TypeConfirmed != 0 && confirmed.Ranking == admitto.RankedInQuota
}

// matriculate gives the applicant a number, and confirms a letter with it where one is chosen (screens.md A16). What
// sends something, and a number that somebody else has, is asked for once more.
func (p *pages) matriculate(r *site.Request, c *onOffer) error {
	ctx, by := r.Context(), r.Caller()
	now, err := p.Admissions.MatriculationNow(ctx, by, c.Application, c.OfferCase.ID)
	if err != nil {
		return err
	}
	r.SetTitle(r.T("matriculate.title", "Name", show.Name(r, &c.head.Person)))
	back := r.Within("offer", c.OfferCase.ID)
	if len(now.Faults) > 0 && !r.Posted() {
		return p.cannot(r, now.Faults, back)
	}
	stored := site.Values{fieldSoFar: site.One(now.Old)}
	f, err := p.formOfOffer(r, c, stored)
	if err != nil {
		return err
	}
	if f.Watch(fieldSoFar) {
		last, err := p.lastNumber(r, c.head.Person.ID)
		if err != nil {
			return err
		}
		if err := show.Overtaken(r, p.Query, f, last, show.Stored{Values: stored, Version: c.RowVersion}); err != nil {
			return err
		}
	} else if r.Posted() {
		in := p.typedMatriculation(r, f, c, &now)
		var sure []ui.Component
		var press string
		if !f.Failed() && !f.Has("sure") {
			sure, press, err = p.matriculationDoubts(r, f, c, &in)
		}
		if err == nil && !f.Failed() && len(sure) > 0 {
			return p.askMatriculation(r, f, c, sure, press)
		}
		given := ""
		if err == nil && !f.Failed() {
			given, err = p.Admissions.Matriculate(ctx, by, c.Application, c.OfferCase.ID, in)
		}
		refused, err := p.refusedOffer(r, f, err, map[admitto.Path]string{"applicant.matriculation": "number",
			"application.reason": "reason"}, c, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("matriculate.done", "Name", show.Name(r, &c.head.Person), "Number", given))
			if r.May("application") {
				return r.To("application", c.Application)
			}
			return r.Redirect(back)
		}
	}
	return site.Sheet{Parts: []ui.Component{ui.KeyValues{Facts: p.matriculationFacts(r, c, &now)},
		f.Box([]ui.Button{r.Save("action.offer-matriculate"), r.Cancel(back)},
			p.matriculationFields(r, f, c, &now)...)}}.Show(r)
}

// lastNumber is the last change of the matriculation number of an applicant; nil for those who see no histories.
func (p *pages) lastNumber(r *site.Request, applicant int64) (*admitto.Record, error) {
	if !r.Reader().Has(admitto.ApplicationsView) {
		return nil, nil
	}
	records, _, err := p.Query.History(r.Context(), r.Reader(), query.HistoryQuery{Applicant: applicant, Limit: 1,
		Events: []admitto.EventFilter{{Pattern: admitto.ApplicantMatriculationSet},
			{Pattern: admitto.ApplicantMatriculationGone}}})
	return show.NewestOf(records, anything), err
}

// typedMatriculation is what the form says; what is wrong with it is noted in the form.
func (p *pages) typedMatriculation(r *site.Request, f *site.Form, c *onOffer,
	now *admissions.MatriculationNow) (in admissions.Matriculation) {
	var wrong error
	if in.Number, wrong = text.Line(f.Typed("number"), 0, mostMatriculation); wrong != nil {
		f.FailText("number", message.From(wrong))
	} else if in.Number == "" && now.Next == "" {
		f.Fail("number", "matriculate.no_number")
	} else if in.Number != "" && !p.Core.Settings().Applicants.MatriculationPattern.MatchString(in.Number) {
		f.FailWords("number", p.numberForm(r))
	}
	in.Again = now.Old != "" && in.Number == ""
	if in.Reason, wrong = text.Multiline(f.Typed("reason"), 0, mostReason); wrong != nil {
		f.FailText("reason", message.From(wrong))
	} else if in.Reason == "" && now.Old != "" && in.Number != now.Old {
		f.Fail("reason", "matriculate.no_reason")
	}
	if id := f.Choice("type"); id != 0 {
		in.Type = id
		if !slices.ContainsFunc(p.lettersToConfirm(r, c), func(t admitto.OfferType) bool { return t.ID == id }) {
			f.FailText("type", message.Of("choose-one"))
		}
	}
	return in
}

// matriculationDoubts are what is asked for once more: a number of somebody else, and the letter that goes out. Press
// is what the button says.
func (p *pages) matriculationDoubts(r *site.Request, f *site.Form, c *onOffer,
	in *admissions.Matriculation) (parts []ui.Component, press string, err error) {
	press = r.T("action.offer-matriculate")
	others, err := p.Admissions.MatriculatedAs(r.Context(), r.Caller(), in.Number, c.head.Person.ID)
	if err != nil {
		return nil, "", err
	}
	for _, id := range others {
		parts = append(parts, ui.Notice{Tone: ui.Warn, Text: r.T("matriculate.also", "Number", in.Number, "ID",
			strconv.FormatInt(id, 10))})
	}
	if in.Type == 0 {
		return parts, press, nil
	}
	v, err := p.Admissions.PreviewOffer(r.Context(), r.Reader(), c.OfferCase.ID, admissions.OfferEdit{Type: &in.Type})
	if err != nil {
		return nil, "", err
	}
	for i := range v.Faults {
		f.FailText("type", v.Faults[i].Text)
	}
	if v.Same {
		return append(parts, ui.Notice{Tone: ui.Info, Text: r.T("offer.same")}), press, nil
	}
	parts = append(parts, ui.KeyValues{Facts: letterFacts(r, &v)}, p.offerEffects(r, &v, false))
	return parts, r.T("matriculate.send"), nil
}

// askMatriculation asks with everything that was typed.
func (p *pages) askMatriculation(r *site.Request, f *site.Form, c *onOffer, doubts []ui.Component,
	press string) error {
	head := f.Head()
	for _, name := range []string{"number", "reason", "type"} {
		head.Hidden = append(head.Hidden, ui.Option{Text: name, Value: f.Typed(name)})
	}
	head.Hidden = append(head.Hidden, ui.Option{Text: "sure", Value: "yes"})
	return r.Ask(ui.Confirmation{Title: r.T("matriculate.sure", "Name", show.Name(r, &c.head.Person)),
		Fields:  append([]ui.Component{head}, doubts...),
		Confirm: ui.Button{Text: press, Primary: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.Within("offer-matriculate", c.OfferCase.ID)}})
}

// matriculationFacts say who it is, and for what.
func (p *pages) matriculationFacts(r *site.Request, c *onOffer, now *admissions.MatriculationNow) []ui.KeyValue {
	facts := []ui.KeyValue{{Key: r.T("card.applicant", "ID", c.head.Person.ID), Value: show.Name(r, &c.head.Person)},
		{Key: r.T("matriculate.course"), Value: joined(" ", c.Course.Code, c.Course.Name)}}
	if c.TypeConfirmed != 0 {
		t := c.TypeOf(c.TypeConfirmed)
		facts = append(facts, ui.KeyValue{Key: r.T("card.offer"),
			Parts: []ui.Component{ui.Dot{Text: t.Title, Colour: t.Colour}}})
	}
	decision := show.Decision(r, c.Decision)
	if c.Decided != 0 {
		decision = joined(" · ", decision, r.Clock(c.Decided))
	}
	facts = append(facts, ui.KeyValue{Key: r.T("card.decision"), Value: decision})
	if now.Old != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("matriculate.old"), Value: now.Old})
	}
	return facts
}

// matriculationFields ask for the number, the reason of another one, and the letter.
func (p *pages) matriculationFields(r *site.Request, f *site.Form, c *onOffer,
	now *admissions.MatriculationNow) []ui.Component {
	number := f.Text("number", "matriculate.number")
	number.Hint = p.numberForm(r)
	if now.Next != "" {
		number.Optional, number.Hint = true, r.T("matriculate.next", "Number", now.Next)+" "+number.Hint
	}
	fields := []ui.Component{number}
	if now.Old != "" {
		fields = append(fields, f.Long("reason", "card.reason", 2, mostReason))
	}
	if types := p.lettersToConfirm(r, c); len(types) > 0 {
		options := []ui.Option{{Text: r.T("matriculate.no_letter")}}
		for i := range types {
			options = append(options, ui.Option{Value: strconv.FormatInt(types[i].ID, 10), Text: types[i].Title})
		}
		fields = append(fields, f.Select("type", "matriculate.type", options...))
	}
	return fields
}

// numberForm says which form numbers have.
func (p *pages) numberForm(r *site.Request) string {
	return show.CodeForm(r, p.Core.Settings().Applicants.MatriculationPattern)
}

// lettersToConfirm are the types with a letter, for those who may send it.
func (p *pages) lettersToConfirm(r *site.Request, c *onOffer) []admitto.OfferType {
	if !r.May("offer-confirm") || !r.Reader().Has(admitto.OffersEdit) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Types), func(t admitto.OfferType) bool {
		return !t.Confirm || t.Archived || t.ID == admitto.InitialOfferType
	})
}
