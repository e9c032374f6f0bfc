package admin

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// invoiceSorts are the orders of the list of invoices: they are issued in the order of their IDs.
var invoiceSorts = []string{"issued"}

// invoiceStates are the states that the list filters by, as addresses name them.
var invoiceStates = []admitto.InvoiceState{admitto.InvoiceIsNotDelivered, admitto.InvoiceIsDelivered,
	admitto.InvoiceIsReminded, admitto.InvoiceIsOverdue, admitto.InvoiceIsPartlyCollected, admitto.InvoiceIsCollected,
	admitto.InvoiceIsLapsed}

// stateName is a state in an address.
func stateName(s admitto.InvoiceState) string { return strings.ReplaceAll(string(s), " ", "-") }

// invoiceList is the list of invoices that an address asks for.
type invoiceList struct {
	ledgerView
	find  admitto.InvoiceQuery
	today admitto.Date
}

// readInvoices reads what the address of a list says.
func (p *pages) readInvoices(r *site.Request, view *site.View) (l *invoiceList, err error) {
	l = &invoiceList{ledgerView: ledgerView{View: view, r: r}, today: p.Core.DayOf(r.Now())}
	if l.series, err = p.Query.InvoiceSeries(r.Context(), r.Reader()); err != nil {
		return nil, err
	}
	currencies, err := p.Query.InvoiceCurrencies(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	var states, series, codes []ui.Option
	for _, s := range invoiceStates {
		states = append(states, ui.Option{Value: stateName(s), Text: show.Invoice(r, s).Text})
	}
	for i := range l.series {
		series = append(series, ui.Option{Value: number(l.series[i].ID), Text: l.series[i].Name})
	}
	for _, code := range currencies {
		codes = append(codes, ui.Option{Value: code, Text: code})
	}
	marks := []ui.Option{{Value: "overdue", Text: r.T("ledger.is_overdue")},
		{Value: "surplus", Text: r.T("ledger.is_surplus")}, {Value: "detached", Text: r.T("ledger.is_detached")}}
	l.fields = []ledgerFilter{{name: "state", several: true, options: states},
		{name: "series", options: r.ByText(series)}, {name: "currency", options: codes},
		{name: "issued_from", day: true}, {name: "issued_to", day: true}, {name: "collected_from", day: true},
		{name: "collected_to", day: true}, {name: "due_from", day: true},
		{name: "due_to", day: true}, {name: "mark", several: true, options: marks}}
	l.read()
	return l, nil
}

// read reads the filters.
func (l *invoiceList) read() {
	l.faults, l.find = map[string]string{}, admitto.InvoiceQuery{Newest: l.Desc, Limit: l.Size, Skip: int64(l.Offset())}
	q := &l.find
	for _, name := range l.All("state") {
		at := slices.IndexFunc(invoiceStates, func(s admitto.InvoiceState) bool { return stateName(s) == name })
		if at < 0 {
			l.unread("state")
			continue
		}
		q.States = append(q.States, invoiceStates[at])
	}
	q.SerieIDs = l.ids("series")
	for _, code := range l.All("currency") {
		known, err := text.Currency(code)
		if err != nil {
			l.unread("currency")
		}
		q.Currencies = append(q.Currencies, known)
	}
	q.FromTime, q.ToTime = l.begin("issued_from"), l.end("issued_to")
	q.CollectedSince, q.CollectedUntil = l.begin("collected_from"), l.end("collected_to")
	q.DueFrom, q.DueTo = l.day("due_from"), l.day("due_to")
	for _, mark := range l.All("mark") {
		switch mark {
		case "overdue":
			q.Overdue = new(true)
		case "surplus":
			q.Surplus = true
		case "detached":
			q.Detached = true
		default:
			l.unread("mark")
		}
	}
}

// invoices is screens.md A29.
func (p *pages) invoices(r *site.Request) error {
	l, err := p.readInvoices(r, r.View(true, invoiceSorts...))
	if err != nil {
		return err
	}
	if short, changed := withoutUsual(r.URL.Query(), l.columns()); changed {
		return r.Redirect(strings.TrimSuffix(r.URL.Path+"?"+short.Encode(), "?"))
	}
	var page query.InvoicePage
	if len(l.faults) == 0 {
		if page, err = p.Query.BrowseInvoices(r.Context(), r.Reader(), l.find); err != nil {
			return err
		}
	}
	if last, beyond := l.Beyond(len(page.Rows), int(page.Total)); beyond {
		return r.Redirect(last)
	}
	list := site.ListPage{Filters: l.pane(), Above: l.above(page.Sums, true), Table: l.table(&page),
		Head: l.head("invoices", r.Plural("ledger.invoices", int(page.Total))), Pager: l.Pager(int(page.Total))}
	if list.Filters.Kept, err = p.keptViews(r, "invoices", l.Query()); err != nil {
		return err
	}
	list.Head.Columns = chooseColumns(r, l.View, l.columns())
	list.Chips.Clear = r.URL.Path
	for _, c := range l.chips() {
		list.Chips.Chips = append(list.Chips.Chips, c.Chip)
	}
	if len(page.Rows) == 0 {
		list.Table.Empty = ui.Empty{Icon: "receipt", Title: r.T("ledger.none"), Text: r.T("ledger.none_text"),
			Actions: show.Lists(r, "fees", "browse")}
		if len(l.chips()) > 0 {
			if list.Table.Empty, err = l.nothing(func(other *site.View) (int64, bool, error) {
				without := *l
				without.View = other
				if without.read(); len(without.faults) > 0 {
					return -1, false, nil
				}
				n, err := p.Query.CountBrowsedInvoices(r.Context(), r.Reader(), without.find)
				return n, false, err
			}); err != nil {
				return err
			}
		}
	}
	return list.Show(r)
}

// invoicesCSV is the list as a file: the same rows in the same order, all pages, with the columns that are shown.
func (p *pages) invoicesCSV(r *site.Request) error {
	l, err := p.readInvoices(r, r.View(true, invoiceSorts...))
	if err != nil {
		return err
	}
	if len(l.faults) > 0 {
		return r.Redirect(strings.Replace(l.With(), r.URL.Path, r.At("invoices"), 1)) // which says so
	}
	rows, err := p.Query.EachBrowsedInvoice(r.Context(), r.Reader(), l.find)
	if err != nil {
		return err
	}
	return listCSV(r, "invoices", fileColumns(l.View, l.columns()), rows)
}

func (l *invoiceList) table(page *query.InvoicePage) ui.Table {
	shown := shownColumns(l.View, l.columns())
	t := ui.Table{Caption: l.r.Title(), Columns: tableColumns(l.r, l.View, shown)}
	for i := range page.Rows {
		v := &page.Rows[i]
		t.Rows = append(t.Rows, ui.Row{ID: number(v.ID), Label: v.Number, Cells: tableCells(l.r, v, shown)})
	}
	return t
}

// columns are those that the list may show.
func (l *invoiceList) columns() []column[query.InvoiceRow] {
	type row = query.InvoiceRow
	r := l.r
	amount := func(name, title string, value func(*row) admitto.Hundredths) column[row] {
		return column[row]{name: name, title: title, num: true, place: "label",
			cell: func(v *row) ui.Cell { return ui.Cell{Text: r.Money(int64(value(v)), v.Currency)} },
			text: func(v *row) string { return value(v).String() }}
	}
	return []column[row]{
		{name: "number", title: "applicant.number", place: "main", fixed: true, cell: func(v *row) ui.Cell {
			return ui.Cell{Text: cmp.Or(v.Number, number(v.ID)), Href: r.At("invoice", v.ID)}
		}},
		{name: "state", title: "card.status", place: "meta", fixed: true,
			cell: func(v *row) ui.Cell { return ui.Cell{Tags: l.tags(v)} },
			text: func(v *row) string {
				var words []string
				for _, t := range l.tags(v) {
					words = append(words, t.Text)
				}
				return strings.Join(words, ", ")
			}},
		{name: "payer", title: "invoice.payer", cell: func(v *row) ui.Cell { return ui.Cell{Text: v.PayerName} }},
		{name: "applicant", title: "invoice.applicant", note: "payer", below: true, cell: func(v *row) (cell ui.Cell) {
			if v.Applicant != v.PayerName {
				cell.Text = v.Applicant
			}
			return cell
		}, text: func(v *row) string { return v.Applicant }},
		{name: "application", title: "invoice.application", note: "payer", below: true,
			cell: func(v *row) (cell ui.Cell) {
				if v.Application != 0 {
					cell.Text = r.T("invoice.of_application", "ID", number(v.Application))
				}
				return cell
			}, text: func(v *row) string {
				if v.Application == 0 {
					return ""
				}
				return number(v.Application)
			}},
		{name: "series", title: "card.series", note: "number", below: true,
			cell: func(v *row) ui.Cell { return ui.Cell{Text: v.Series.Name} }},
		{name: "issued", title: "applicant.issued", sort: "issued", place: "label",
			cell: func(v *row) ui.Cell { return ui.Cell{Text: v.Issued.Std().In(r.Zone()).Format(time.DateOnly)} }},
		{name: "deadline", title: "applicant.deadline", place: "label",
			cell: func(v *row) ui.Cell { return ui.Cell{Text: v.Deadline.String()} }},
		amount("total", "applicant.total", func(v *row) admitto.Hundredths { return v.Total }),
		amount("paid", "card.paid", func(v *row) admitto.Hundredths { return v.Paid }),
		{name: "due", title: "applicant.due", num: true, place: "label", off: true,
			cell: func(v *row) ui.Cell { return ui.Cell{Text: r.Money(int64(v.Open()), v.Currency)} },
			text: func(v *row) string { return v.Open().String() }},
		{name: "currency", title: "ledger.currency", off: true,
			cell: func(v *row) ui.Cell { return ui.Cell{Text: v.Currency} }},
	}
}

// tags are the state of an invoice, and what holds besides.
func (l *invoiceList) tags(v *query.InvoiceRow) []ui.Tag {
	list := []ui.Tag{show.Invoice(l.r, v.State(l.today))}
	if v.Paid > v.Total {
		list = append(list, ui.Tag{Text: l.r.T("ledger.surplus_tag"), Icon: "circle-alert", Tone: ui.Warn})
	}
	if v.Detached() {
		list = append(list, ui.Tag{Text: l.r.T("ledger.detached_tag"), Icon: "user"})
	}
	return list
}

func (p *pages) invoiceChips(r *site.Request, query string) (chips []ui.Chip, err error) {
	l, err := p.readInvoices(r, r.ViewAt(r.At("invoices"), query, true, invoiceSorts...))
	if err != nil {
		return nil, err
	}
	return fixed(l.chips()), nil
}

// fixed are chips that cannot be taken out.
func fixed(list []active) (chips []ui.Chip) {
	for _, c := range list {
		chips = append(chips, ui.Chip{Name: c.Name, Value: c.Value})
	}
	return chips
}
