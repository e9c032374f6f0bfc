package card

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// courses are the courses by priority, each with its offer: the type that staff work on next to the confirmed one
// (screens.md A14).
func (p *pages) courses(r *site.Request, h *query.ApplicationHead) error {
	ctx, by := r.Context(), r.Reader()
	list, err := p.Query.ApplicationCourses(ctx, by, h.ID)
	if err != nil {
		return err
	}
	all, err := p.Query.OfferTypes(ctx, by)
	types, err := usecase.Named(all, err, func(t *admitto.OfferType) (int64, admitto.OfferType) { return t.ID, *t })
	if err != nil {
		return err
	}
	institutions, err := p.Query.Institutions(ctx, by, admitto.InstitutionQuery{})
	names, err := usecase.Named(institutions, err, func(i *admitto.Institution) (int64, string) { return i.ID, i.Name })
	if err != nil {
		return err
	}
	var parts []ui.Component
	if len(list) == 0 {
		parts = append(parts, ui.Empty{Icon: "graduation-cap", Title: r.T("card.no_courses")})
	}
	for i := range list {
		c := &list[i]
		facts := []ui.KeyValue{{Key: r.T("card.institution"), Value: names[c.Institution]}}
		if c.Intake != 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("card.intake"), Value: c.In.Name},
				ui.KeyValue{Key: r.T("card.deadlines"), Value: deadline(r, c)})
		}
		facts = append(facts, ui.KeyValue{Key: r.T("card.added"), Value: r.Clock(c.Added)})
		if c.Submitted != 0 {
			facts = append(facts, ui.KeyValue{Key: r.T("card.submitted"), Value: r.Clock(c.Submitted)})
		}
		parts = append(parts, ui.Box{Title: r.T("card.course", "Priority", c.Priority, "Course", courseName(c)),
			Parts: []ui.Component{ui.KeyValues{Facts: append(facts, offerFacts(r, c.Offer, types)...)}}})
	}
	return p.show(r, h, "application-courses", parts...)
}

// offerFacts say how the offer stands: both types where they differ, and what the applicant answered.
func offerFacts(r *site.Request, o *admitto.Offer, types map[int64]admitto.OfferType) (facts []ui.KeyValue) {
	if o == nil {
		return []ui.KeyValue{{Key: r.T("card.offer"), Value: r.T("card.no_offer")}}
	}
	dot := func(id int64) []ui.Component {
		return []ui.Component{ui.Dot{Text: types[id].Title, Colour: types[id].Colour}}
	}
	facts = []ui.KeyValue{{Key: r.T("card.offer"), Parts: dot(o.Type)}}
	if o.TypeConfirmed != 0 && o.TypeConfirmed != o.Type {
		facts[0].Key = r.T("card.working_type")
		facts = append(facts, ui.KeyValue{Key: r.T("card.confirmed_type"), Parts: dot(o.TypeConfirmed)})
	}
	if o.Confirmed != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("card.confirmed"), Value: r.Clock(o.Confirmed)})
	}
	if o.Decided != 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("card.decision"), Value: joined(" · ", show.Decision(r, o.Decision),
			r.Clock(o.Decided))})
	}
	if !o.DecisionDeadline.IsZero() {
		facts = append(facts, ui.KeyValue{Key: r.T("card.answer_by"), Value: show.Date(r, o.DecisionDeadline)})
	}
	for _, score := range []struct {
		key   string
		value *admitto.Hundredths
	}{{"card.score_auto", o.ScoreAuto}, {"card.score_extra", o.ScoreExtra}} {
		if score.value != nil {
			facts = append(facts, ui.KeyValue{Key: r.T(score.key), Value: score.value.String()})
		}
	}
	return facts
}

// invoices are those of the application (screens.md A20).
func (p *pages) invoices(r *site.Request, h *query.ApplicationHead) error {
	list, err := p.Query.InvoicesOfApplication(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	table := ui.Table{Caption: r.T("card.invoices"), Columns: []ui.Column{{Title: r.T("applicant.number"), Place: "main"},
		{Title: r.T("card.status"), Place: "meta"}, {Title: r.T("card.series"), Place: "label"},
		{Title: r.T("applicant.issued"), Place: "label"}, {Title: r.T("applicant.deadline"), Place: "label"},
		{Title: r.T("applicant.total"), Num: true, Place: "label"}, {Title: r.T("card.paid"), Num: true, Place: "label"},
		{Title: r.T("applicant.due"), Num: true, Place: "label"}},
		Empty: ui.Empty{Icon: "receipt", Title: r.T("applicant.no_invoices"), Text: r.T("applicant.no_invoices_text")}}
	today := p.Core.DayOf(r.Now())
	slices.SortFunc(list, func(a, b admitto.Invoice) int { return cmp.Compare(b.ID, a.ID) })
	for i := range list {
		v := &list[i]
		id := strconv.FormatInt(v.ID, 10)
		first := ui.Cell{Text: cmp.Or(v.Number, id)}
		if r.May("invoice") {
			first.Href = r.At("invoice", v.ID)
		}
		money := func(m admitto.Hundredths) ui.Cell { return ui.Cell{Text: r.Money(int64(m), v.Currency)} }
		table.Rows = append(table.Rows, ui.Row{ID: id, Label: v.Number, Cells: []ui.Cell{first,
			{Tags: []ui.Tag{show.Invoice(r, v.State(today))}}, {Text: v.Series.Name}, {Text: show.Day(r, v.Issued)},
			{Text: show.Date(r, v.Deadline)}, money(v.Total), money(v.Paid), money(v.Due())}})
	}
	return p.show(r, h, "application-invoices", table)
}
