package invoices

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// ofApplication are the invoices of an application, the newest first (screens.md A20).
func (p *pages) ofApplication(r *site.Request, h *query.ApplicationHead) error {
	list, err := p.Query.InvoicesOfApplication(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	table := ui.Table{Caption: r.T("card.invoices"), Columns: []ui.Column{{Title: r.T("applicant.number"), Place: "main"},
		{Title: r.T("card.status"), Place: "meta"}, {Title: r.T("card.series"), Place: "label"},
		{Title: r.T("invoice.items"), Place: "label"}, {Title: r.T("applicant.deadline"), Place: "label"},
		{Title: r.T("applicant.total"), Num: true, Place: "label"}, {Title: r.T("card.paid"), Num: true, Place: "label"},
		{Title: r.T("applicant.due"), Num: true, Place: "label"}},
		Empty: ui.Empty{Icon: "receipt", Title: r.T("applicant.no_invoices"), Text: r.T("invoice.none_text")}}
	today := p.Core.DayOf(r.Now())
	slices.SortFunc(list, func(a, b admitto.Invoice) int { return cmp.Compare(b.ID, a.ID) })
	for i := range list {
		v := &list[i]
		table.Rows = append(table.Rows, ui.Row{ID: strconv.FormatInt(v.ID, 10), Label: v.Number, Cells: []ui.Cell{
			{Text: numberOf(v), Href: r.Within(ofOne, v.ID)}, {Tags: tags(r, v, today)}, {Text: v.Series.Name},
			{Text: itemsOf(r, v)}, {Text: show.Date(r, v.Deadline)}, {Text: money(r, v, v.Total)}, {Text: money(r, v, v.Paid)},
			{Text: money(r, v, v.Open())}}})
	}
	buttons := newButton(r, h.ID)
	table.Empty.Actions = buttons
	if len(table.Rows) == 0 {
		buttons = nil // it is offered below
	}
	return p.card.Show(r, h, tab, buttons, table)
}

// newButton leads those who may issue invoices to a new one.
func newButton(r *site.Request, application int64) []ui.Button {
	buttons := show.Small(r.Buttons(site.Do(issuing)))
	for i := range buttons {
		b := &buttons[i]
		b.Href = r.Keeping(site.Add(b.Href, "application", strconv.FormatInt(application, 10)))
		b.Icon = "plus"
	}
	return buttons
}

// numberOf is what an invoice is called; those from before numbers were given have their ID.
func numberOf(v *admitto.Invoice) string { return cmp.Or(v.Number, strconv.FormatInt(v.ID, 10)) }

func money(r *site.Request, v *admitto.Invoice, amount admitto.Hundredths) string {
	return r.Money(int64(amount), v.Currency)
}

// mostItems is how many items are named in a list.
const mostItems = 3

// itemsOf names the first items.
func itemsOf(r *site.Request, v *admitto.Invoice) string {
	var names []string
	for i := range v.Items[:min(len(v.Items), mostItems)] {
		names = append(names, v.Items[i].Item)
	}
	if more := len(v.Items) - mostItems; more > 0 {
		names = append(names, r.Plural("invoice.more_items", more))
	}
	return strings.Join(names, "; ")
}

// tags are the state of an invoice, and what holds besides.
func tags(r *site.Request, v *admitto.Invoice, today admitto.Date) []ui.Tag {
	list := []ui.Tag{show.Invoice(r, v.State(today))}
	if v.Blocks() {
		list = append(list, ui.Tag{Text: r.T("card.blocks"), Icon: "ban", Tone: ui.Warn})
	}
	if v.Paid > v.Total {
		list = append(list, ui.Tag{Text: r.T("invoice.surplus", "Amount", money(r, v, v.Paid-v.Total)), Icon: "circle-alert",
			Tone: ui.Warn})
	}
	if v.Detached() {
		list = append(list, ui.Tag{Text: r.T("invoice.detached"), Icon: "user"})
	}
	return list
}
