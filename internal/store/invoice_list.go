package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// A list of invoices first finds the IDs of all it will answer, in one statement that reads little next to an
// index, and then reads the invoices in pages, each with its items and transactions. What finds the IDs is the
// narrowest thing that the query names:
//
//	applicants, applications  their few invoices
//	times                     the index of the time, from where the range begins
//	series, currencies        one stream of (series, ID) for each, every stream cut at the limit
//	collected, overdue        the IDs of the invoices that are collected, or that are not
//	anything else             the primary key, from the lowest ID that can match

// financeBuilder writes the statements of one query of invoices (alias i) or transactions (alias t). The
// conditions drive or are checked row by row; those end in + 0 and the like, so that no planner uses their index.
type financeBuilder struct {
	listBuilder
	table, alias, id string // id is the column while it is in the order of the driver
	hint             string // the index that SQLite must use
	driver           string // a condition on the index that drives
	each             any    // a list of values, each of which is a stream,
	length           int    // how many there are,
	column           string // and what has them
	rest             string
}

func (tx *Tx) financeBuilder(table, alias string) *financeBuilder {
	return &financeBuilder{listBuilder: listBuilder{tx: tx}, table: table, alias: alias, id: alias + ".id"}
}

// drives reports whether something drives already.
func (b *financeBuilder) drives() bool { return b.driver != "" || b.each != nil }

// sorted makes the condition drive by its index; the matches are sorted by ID afterwards.
func (b *financeBuilder) sorted(condition, index string) {
	b.driver, b.hint = condition, b.tx.dialect.by(index)
	b.id = b.alias + ".id + 0"
}

// parents adds a condition on the column of a parent, whose children are few.
func (b *financeBuilder) parents(column, index string, ids []int64) {
	switch column = b.alias + "." + column; {
	case ids == nil:
	case !b.drives():
		b.sorted(b.tx.dialect.in(column, b.arg(ids)), index)
	default:
		b.rest += " AND " + b.tx.dialect.in(column+" + 0", b.arg(ids))
	}
}

// bound is an end of a range; op is how the column compares to it.
type bound struct {
	op    string
	given bool
	value any
}

func notBefore(t admitto.Time) bound { return bound{">=", t != 0, t} }
func notAfter(t admitto.Time) bound  { return bound{"<=", t != 0, t} }

// span adds a condition on a range of a column; passive is the form that keeps it from driving.
func (b *financeBuilder) span(column, index, passive string, bounds ...bound) {
	drives := b.drives()
	name := b.alias + "." + column
	if drives {
		name = fmt.Sprintf(passive, name)
	}
	var ends []string
	for _, end := range bounds {
		if end.given {
			ends = append(ends, fmt.Sprintf("%s %s $%d", name, end.op, b.arg(end.value)))
		}
	}
	switch condition := strings.Join(ends, " AND "); {
	case ends == nil:
	case drives:
		b.rest += " AND " + condition
	default:
		b.sorted(condition, index)
	}
}

// The forms of a column that no index has, for numbers and texts.
const (
	passiveNumber = "%s + 0"
	passiveText   = "coalesce(%s, '')"
)

// values adds a condition on a column, with the index that is in the order of (value, ID).
func values[T any](b *financeBuilder, column, index, passive string, list []T) {
	name := b.alias + "." + column
	switch {
	case list == nil:
	case b.drives():
		b.rest += " AND " + b.tx.dialect.in(fmt.Sprintf(passive, name), b.arg(list))
	case len(list) > maxStreams:
		b.sorted(b.tx.dialect.in(name, b.arg(list)), index)
	case len(list) == 1:
		b.hint, b.driver = b.tx.dialect.by(index), fmt.Sprintf("%s = $%d", name, b.arg(list[0]))
	default:
		b.hint, b.each, b.length, b.column = b.tx.dialect.by(index), list, len(list), name
	}
}

// ids adds the bounds of IDs; after is the last ID of the page before.
func (b *financeBuilder) ids(from, to, after int64) {
	if from = max(from, min(after, maxID)+1); from > 1 {
		b.rest += fmt.Sprintf(" AND %s >= $%d", b.id, b.arg(from))
	}
	if to != 0 {
		b.rest += fmt.Sprintf(" AND %s <= $%d", b.id, b.arg(to))
	}
}

// from writes what stands behind the columns: the table and its conditions.
func (b *financeBuilder) from(driver string) string {
	if driver == "" {
		driver = "TRUE"
	}
	return " FROM " + b.table + " " + b.alias + b.hint + " WHERE " + driver + b.rest
}

// list writes the statement for the first IDs, in order.
func (b *financeBuilder) list(limit int) string {
	end := fmt.Sprintf(" LIMIT $%d", b.arg(limit))
	if b.each == nil {
		return "SELECT " + b.alias + ".id" + b.from(b.driver) + " ORDER BY " + b.id + end
	}
	stream := "SELECT " + b.alias + ".id" + b.from(b.column+" = v.value") + " ORDER BY " + b.id + end
	return "SELECT id FROM (" + b.tx.dialect.forEach(b.arg(b.each), b.length, kindOf(b.each),
		stream) + ") u ORDER BY id" + end
}

// count writes the counting statement.
func (b *financeBuilder) count() string {
	driver := b.driver
	if b.each != nil {
		driver = b.tx.dialect.in(b.column, b.arg(b.each))
	}
	return "SELECT count(*)" + b.from(driver)
}

// end finds the last ID of a page, 0 when it leaves nothing out. A nil builder has nothing.
func (b *financeBuilder) end(limit int) (int64, error) {
	if b == nil {
		return 0, nil
	}
	sql := b.list(limit + 1)
	return b.tx.pageEnd(sql, "ASC", limit, b.args)
}

// pages finds the IDs of a list of at most limit objects and calls fn for pages of them.
func (b *financeBuilder) pages(limit int, fn func(page []int64) error) (more bool, err error) {
	var ids []int64
	sql := b.list(limit + 1)
	if err := each(b.tx.query(sql, b.args...), func(r *db.Rows) { ids = append(ids, r.Int64(0)) }); err != nil {
		return false, err
	}
	if more = len(ids) > limit; more {
		ids = ids[:limit]
	}
	for page := range slices.Chunk(ids, pageSize) {
		if err := fn(page); err != nil {
			return false, err
		}
	}
	return more, nil
}

// invoiceBuilder writes the conditions of a query; nil when nothing can match.
func (tx *Tx) invoiceBuilder(q *admitto.InvoiceQuery, after int64) *financeBuilder {
	if q.Applicants != nil && len(q.Applicants) == 0 || q.Applications != nil && len(q.Applications) == 0 ||
		q.SerieIDs != nil && len(q.SerieIDs) == 0 || q.Currencies != nil && len(q.Currencies) == 0 ||
		q.States != nil && len(q.States) == 0 {
		return nil
	}
	b := tx.financeBuilder("invoice", "i")
	b.marked(q)
	b.conditions(q)
	b.ids(q.FromID, q.ToID, after)
	return b
}

// conditions adds those on columns of the invoice.
func (b *financeBuilder) conditions(q *admitto.InvoiceQuery) {
	b.parents("applicant_id", "invoice_applicant", q.Applicants)
	b.parents("application_id", "invoice_application", q.Applications)
	if q.Whole {
		b.kinds(q)
		b.walk()
	}
	b.span("collected", "invoice_collected", passiveNumber, notBefore(q.CollectedSince),
		notAfter(q.CollectedUntil))
	b.span("deadline", "invoice_due", passiveText, bound{">=", !q.DueFrom.IsZero(), q.DueFrom},
		bound{"<=", !q.DueTo.IsZero(), q.DueTo})
	b.span("issued", "invoice_issued", passiveNumber, notBefore(q.FromTime), notAfter(q.ToTime))
	if !q.Whole {
		b.kinds(q)
	}
	b.states(q)
}

// kinds adds the conditions whose indexes are in the order of IDs.
func (b *financeBuilder) kinds(q *admitto.InvoiceQuery) {
	values(b, "series_id", "invoice_series_id", passiveNumber, q.SerieIDs)
	values(b, "currency", "invoice_currency", passiveText, q.Currencies)
}

// walk lets the primary key drive unless something does.
func (b *financeBuilder) walk() {
	if !b.drives() {
		b.driver = b.id + " > 0"
	}
}

// states adds the conditions on what became of the invoice.
func (b *financeBuilder) states(q *admitto.InvoiceQuery) {
	is := func(state *bool, yes bool) bool { return state != nil && *state == yes }
	paid, open := is(q.Collected, true), is(q.Collected, false) || is(q.Overdue, true)
	switch {
	case open && !b.drives():
		b.driver, b.hint, open = "i.collected IS NULL", b.tx.dialect.by("invoice_open"), false
	case paid && !b.drives():
		b.driver, b.hint, paid = "i.collected IS NOT NULL", b.tx.dialect.by("invoice_paid"), false
	}
	if open {
		b.rest += " AND coalesce(i.collected, 0) = 0"
	}
	if paid {
		b.rest += " AND coalesce(i.collected, 0) <> 0"
	}
	switch {
	case is(q.Overdue, true):
		b.rest += fmt.Sprintf(" AND coalesce(i.lapsed, 0) = 0 AND coalesce(i.deadline, '') < $%d", b.arg(q.Today))
	case is(q.Overdue, false):
		b.rest += fmt.Sprintf(" AND (coalesce(i.collected, 0) <> 0 OR coalesce(i.lapsed, 0) <> 0 OR coalesce(i.deadline, '') >= $%d)", b.arg(q.Today))
	}
}

// EachInvoice calls fn for pages of the invoices of the query, by ascending ID, at most q.Limit together, with
// their items and transactions, and reports whether there are more (resources.md 13.3). It costs one statement and
// three a page.
func (tx *Tx) EachInvoice(q admitto.InvoiceQuery, fn func([]admitto.Invoice) error) (more bool, err error) {
	b := tx.invoiceBuilder(&q, q.After)
	if b == nil {
		return false, nil
	}
	return b.pages(q.Limit, func(ids []int64) error {
		page, err := tx.InvoicesByID(ids)
		if err != nil {
			return err
		}
		return fn(page)
	})
}

// InvoicesEnd returns the last ID of the page of the query, 0 when it leaves no match out.
func (tx *Tx) InvoicesEnd(q admitto.InvoiceQuery) (int64, error) {
	return tx.invoiceBuilder(&q, q.After).end(q.Limit)
}

// CountInvoices counts all matches of the query, whatever its limit and After say. Those that are not overdue,
// which are most, are counted as all but the overdue ones, since both are counted in an index.
func (tx *Tx) CountInvoices(q admitto.InvoiceQuery) (int64, error) {
	if q.Overdue != nil && !*q.Overdue {
		q.Overdue = nil
		all, err := tx.CountInvoices(q)
		if err != nil {
			return 0, err
		}
		overdue := true
		q.Overdue = &overdue
		n, err := tx.CountInvoices(q)
		return all - n, err
	}
	b := tx.invoiceBuilder(&q, 0)
	switch {
	case b == nil:
		return 0, nil
	case b.drives():
		return tx.number(b.count(), b.args...)
	}
	return tx.countRange(familyInvoice, []string{facetAll}, max(q.FromID, 1), lastID(q.ToID),
		func(from, to int64) (int64, error) {
			return tx.number("SELECT count(*) FROM invoice i WHERE i.id >= $1 AND i.id <= $2", from, to)
		})
}

// transactionBuilder writes the conditions of a query; nil when nothing can match.
func (tx *Tx) transactionBuilder(q *admitto.TransactionQuery, after int64) *financeBuilder {
	if q.Invoices != nil && len(q.Invoices) == 0 {
		return nil
	}
	b := tx.financeBuilder("invoice_transaction", "t")
	b.parents("invoice_id", "invoice_transaction_invoice", q.Invoices)
	if q.Whole {
		b.walk()
	}
	b.span("inserted", "invoice_transaction_inserted", passiveNumber, notBefore(q.FromTime), notAfter(q.ToTime))
	b.span("collected", "invoice_transaction_collected", passiveText, bound{">=", !q.CollectedSince.IsZero(),
		q.CollectedSince},
		bound{"<", !q.CollectedBefore.IsZero(), q.CollectedBefore})
	b.ids(q.FromID, q.ToID, after)
	return b
}

// EachTransaction calls fn for pages of the transactions of the query, by ascending ID, at most q.Limit together,
// and reports whether there are more (resources.md 13.6). It costs one statement and one a page.
func (tx *Tx) EachTransaction(q admitto.TransactionQuery, fn func([]admitto.Transaction) error) (more bool, err error) {
	b := tx.transactionBuilder(&q, q.After)
	if b == nil {
		return false, nil
	}
	return b.pages(q.Limit, func(ids []int64) error {
		page, err := tx.transactions(tx.dialect.in("t.id", 1)+" ORDER BY t.id", ids)
		if err != nil {
			return err
		}
		return fn(page)
	})
}

// TransactionsEnd returns the last ID of the page of the query, 0 when it leaves no match out.
func (tx *Tx) TransactionsEnd(q admitto.TransactionQuery) (int64, error) {
	return tx.transactionBuilder(&q, q.After).end(q.Limit)
}

// CountTransactions counts all matches of the query, whatever its limit and After say.
func (tx *Tx) CountTransactions(q admitto.TransactionQuery) (int64, error) {
	if b := tx.transactionBuilder(&q, 0); b != nil {
		return tx.number(b.count(), b.args...)
	}
	return 0, nil
}
