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
)

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
