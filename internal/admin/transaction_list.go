package admin

import (
	"cmp"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// transactionSorts are the orders of the list of transactions: they are recorded in the order of their IDs.
var transactionSorts = []string{"recorded"}

// transactionList is the list of transactions that an address asks for.
type transactionList struct {
	ledgerView
	find admitto.TransactionQuery
}

func (p *pages) readTransactions(r *site.Request, view *site.View) (l *transactionList, err error) {
	l = &transactionList{ledgerView: ledgerView{View: view, r: r}}
	l.fields = []ledgerFilter{{name: "invoice"}, {name: "paid_from", day: true}, {name: "paid_to", day: true},
		{name: "recorded_from", day: true}, {name: "recorded_to", day: true}}
	return l, p.readTransactionFilters(l)
}

// readTransactionFilters reads the filters.
func (p *pages) readTransactionFilters(l *transactionList) (err error) {
	l.faults = map[string]string{}
	l.find = admitto.TransactionQuery{Newest: l.Desc, Limit: l.Size, Skip: int64(l.Offset())}
	q := &l.find
	if nr := strings.TrimSpace(l.Get("invoice")); nr != "" {
		if q.Invoices, err = p.Query.InvoicesNumbered(l.r.Context(), l.r.Reader(), nr); err != nil {
			return err
		}
	}
	q.FromTime, q.ToTime = l.begin("recorded_from"), l.end("recorded_to")
	q.CollectedSince = l.day("paid_from")
	if to := l.day("paid_to"); !to.IsZero() {
		q.CollectedBefore = to.AddDays(1)
	}
	return nil
}

// transactions is screens.md A32.
func (p *pages) transactions(r *site.Request) error {
	l, err := p.readTransactions(r, r.View(true, transactionSorts...))
	if err != nil {
		return err
	}
	if short, changed := withoutUsual(r.URL.Query(), l.columns()); changed {
		return r.Redirect(strings.TrimSuffix(r.URL.Path+"?"+short.Encode(), "?"))
	}
	var page query.TransactionPage
	if len(l.faults) == 0 {
		if page, err = p.Query.BrowseTransactions(r.Context(), r.Reader(), l.find); err != nil {
			return err
		}
	}
	if last, beyond := l.Beyond(len(page.Rows), int(page.Total)); beyond {
		return r.Redirect(last)
	}
	count := r.Plural("ledger.transactions", int(page.Total))
	if page.More {
		count = r.T("ledger.more_transactions", "Count", r.Number(int(page.Total)))
	}
	record := show.Small(r.Buttons(site.Primary("transactions-record")))
	list := site.ListPage{Filters: l.pane(), Above: l.above(page.Sums, false), Table: l.table(&page),
		Head: l.head("transactions", count, record...), Pager: l.PagerOver(int(page.Total), page.More)}
	if page.More {
		list.Above = append(list.Above, ui.Notice{Tone: ui.Info, Text: r.T("ledger.no_sums")})
	}
	if list.Filters.Kept, err = p.keptViews(r, "transactions", l.Query()); err != nil {
		return err
	}
	list.Head.Columns = chooseColumns(r, l.View, l.columns())
	list.Chips.Clear = r.URL.Path
	list.Chips.Chips = nil
	for _, c := range l.chips() {
		list.Chips.Chips = append(list.Chips.Chips, c.Chip)
	}
	if len(page.Rows) == 0 {
		list.Table.Empty = ui.Empty{Icon: "receipt", Title: r.T("ledger.no_transactions"),
			Text: r.T("ledger.no_transactions_text"), Actions: record}
		if len(l.chips()) > 0 {
			if list.Table.Empty, err = l.nothing(func(other *site.View) (int64, bool, error) {
				without := *l
				without.View = other
				if err := p.readTransactionFilters(&without); err != nil || len(without.faults) > 0 {
					return -1, false, err
				}
				found, err := p.Query.BrowseTransactions(r.Context(), r.Reader(), without.find)
				return found.Total, found.More, err
			}); err != nil {
				return err
			}
		}
	}
	return list.Show(r)
}

// transactionsCSV is the list as a file: the same rows in the same order, all pages, with the columns that are shown.
func (p *pages) transactionsCSV(r *site.Request) error {
	l, err := p.readTransactions(r, r.View(true, transactionSorts...))
	if err != nil {
		return err
	}
	if len(l.faults) > 0 {
		return r.Redirect(strings.Replace(l.With(), r.URL.Path, r.At("transactions"), 1)) // which says so
	}
	rows, err := p.Query.EachBrowsedTransaction(r.Context(), r.Reader(), l.find)
	if err != nil {
		return err
	}
	return listCSV(r, "transactions", fileColumns(l.View, l.columns()), rows)
}

func (l *transactionList) table(page *query.TransactionPage) ui.Table {
	shown := shownColumns(l.View, l.columns())
	t := ui.Table{Caption: l.r.Title(), Columns: tableColumns(l.r, l.View, shown)}
	for i := range page.Rows {
		v := &page.Rows[i]
		t.Rows = append(t.Rows, ui.Row{ID: number(v.ID), Label: number(v.ID), Cells: tableCells(l.r, v, shown)})
	}
	return t
}

// columns are those that the list may show.
func (l *transactionList) columns() []column[query.TransactionRow] {
	type row = query.TransactionRow
	r := l.r
	return []column[row]{
		{name: "id", title: "ledger.nr", place: "meta", muted: true, fixed: true,
			cell: func(t *row) ui.Cell { return ui.Cell{Text: number(t.ID)} }},
		{name: "invoice", title: "ledger.invoice", place: "main", fixed: true, cell: func(t *row) ui.Cell {
			return ui.Cell{Text: cmp.Or(t.Number, number(t.Invoice)), Href: r.At("invoice", t.Invoice)}
		}},
		{name: "payer", title: "invoice.payer", note: "invoice", below: true,
			cell: func(t *row) ui.Cell { return ui.Cell{Text: t.Payer} }},
		{name: "amount", title: "invoice.amount", num: true, place: "label", fixed: true,
			cell: func(t *row) ui.Cell { return ui.Cell{Text: r.Money(int64(t.Amount), t.Currency)} },
			text: func(t *row) string { return t.Amount.String() }},
		{name: "currency", title: "ledger.currency", off: true,
			cell: func(t *row) ui.Cell { return ui.Cell{Text: t.Currency} }},
		{name: "paid", title: "invoice.paid_on", place: "label",
			cell: func(t *row) ui.Cell { return ui.Cell{Text: t.Collected.String()} }},
		{name: "recorded", title: "invoice.recorded", sort: "recorded", place: "label",
			cell: func(t *row) ui.Cell { return ui.Cell{Text: t.Inserted.Std().In(r.Zone()).Format(time.DateTime)} },
			text: func(t *row) string { return t.Inserted.Std().In(r.Zone()).Format(time.RFC3339) }},
		{name: "who", title: "ledger.who", muted: true, cell: func(t *row) ui.Cell {
			return ui.Cell{Text: cmp.Or(t.By, l.way(t))}
		}},
		{name: "payment", title: "ledger.payment", note: "who", below: true, cell: func(t *row) (cell ui.Cell) {
			switch {
			case t.Reverses != 0:
				cell.Text = r.T("ledger.reverses", "ID", number(t.Reverses))
			case t.Payment != nil:
				cell.Text = cmp.Or(t.Payment.ExternalID, t.Payment.Payment)
			}
			return cell
		}},
	}
}

// way is how a transaction got here that nobody has recorded.
func (l *transactionList) way(t *query.TransactionRow) string {
	if t.Payment != nil {
		return cmp.Or(t.Payment.Gateway.Name, l.r.T("ledger.by_gateway"))
	}
	return l.r.T("ledger.by_api")
}

func (p *pages) transactionChips(r *site.Request, query string) (chips []ui.Chip, err error) {
	l, err := p.readTransactions(r, r.ViewAt(r.At("transactions"), query, true, transactionSorts...))
	if err != nil {
		return nil, err
	}
	return fixed(l.chips()), nil
}
