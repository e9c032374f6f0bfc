package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// The lists of pages are those of the API with more filters, from the other end, and with what they come to.

// stateSQL is the condition that an invoice which is not collected is in a state on day {today} (lifecycle.md 6.1).
func stateSQL(state admitto.InvoiceState) string {
	const open, over = "coalesce(i.lapsed, 0) = 0 AND ", "coalesce(i.deadline, '') < {today}"
	const unpaid = open + "NOT (" + over + ") AND i.paid <= 0 AND "
	switch state {
	case admitto.InvoiceIsLapsed:
		return "coalesce(i.lapsed, 0) <> 0"
	case admitto.InvoiceIsOverdue:
		return open + over
	case admitto.InvoiceIsPartlyCollected:
		return open + "NOT (" + over + ") AND i.paid > 0"
	case admitto.InvoiceIsReminded:
		return unpaid + "coalesce(i.reminded, 0) <> 0"
	case admitto.InvoiceIsDelivered:
		return unpaid + "coalesce(i.reminded, 0) = 0 AND coalesce(i.delivered, 0) <> 0"
	case admitto.InvoiceIsNotDelivered:
		return unpaid + "coalesce(i.reminded, 0) = 0 AND coalesce(i.delivered, 0) = 0"
	case admitto.InvoiceIsCollected:
	}
	return ""
}

// marked adds the conditions that few invoices meet: their indexes hold little else, so that they drive.
func (b *financeBuilder) marked(q *admitto.InvoiceQuery) {
	drive := func(is bool, condition, index, passive string) {
		switch {
		case !is:
		case b.drives():
			b.rest += " AND " + passive
		default:
			b.driver, b.hint = condition, b.tx.dialect.by(index)
		}
	}
	drive(q.Surplus, "i.paid > i.total", "invoice_surplus", "i.paid + 0 > i.total")
	drive(q.Detached, "i.applicant_id IS NULL", "invoice_applicant", "coalesce(i.applicant_id, 0) = 0")
	if q.States == nil {
		return
	}
	paid := slices.Contains(q.States, admitto.InvoiceIsCollected)
	drive(!paid, "i.collected IS NULL", "invoice_unpaid", "coalesce(i.collected, 0) = 0")
	var any []string
	for _, state := range q.States {
		condition := stateSQL(state)
		switch {
		case state == admitto.InvoiceIsCollected:
			condition = "coalesce(i.collected, 0) <> 0"
		case paid:
			condition = "coalesce(i.collected, 0) = 0 AND " + condition
		}
		any = append(any, "("+condition+")")
	}
	sql := " AND (" + strings.Join(any, " OR ") + ")"
	if strings.Contains(sql, "{today}") {
		sql = strings.ReplaceAll(sql, "{today}", fmt.Sprintf("$%d", b.arg(q.Today)))
	}
	b.rest += sql
}

// browse writes the statement for the IDs of a page of a list.
func (b *financeBuilder) browse(rows int, skip int64, newest bool) string {
	order := " ORDER BY "
	end := ""
	if newest {
		end = " DESC"
	}
	page := fmt.Sprintf("%s LIMIT $%d OFFSET $%d", end, b.arg(rows), b.arg(skip))
	if b.each == nil {
		return "SELECT " + b.alias + ".id" + b.from(b.driver) + order + b.id + page
	}
	stream := "SELECT " + b.alias + ".id" + b.from(b.column+" = v.value") + order + b.id + end +
		fmt.Sprintf(" LIMIT $%d", b.arg(skip+int64(rows)))
	return "SELECT id FROM (" + b.tx.dialect.forEach(b.arg(b.each), b.length, kindOf(b.each), stream) + ") u ORDER BY id" +
		page
}

// walks reports whether a list is walked along its IDs: it is of all from some time on and begins with the newest, or
// of all up to some time and begins with the oldest, so that its rows are found soon. To sort them may take long.
func walks(newest, from, to bool) bool { return newest && from && !to || !newest && to && !from }

// BrowsedInvoices returns a page of the invoices of a query, at most its limit after those that it skips, with their
// items and transactions.
func (tx *Tx) BrowsedInvoices(q admitto.InvoiceQuery) ([]admitto.Invoice, error) {
	first := q.FromTime != 0 && q.ToTime == 0 || q.CollectedSince != 0 && q.CollectedUntil == 0
	last := q.ToTime != 0 && q.FromTime == 0 || q.CollectedUntil != 0 && q.CollectedSince == 0
	q.Whole = q.Whole || walks(q.Newest, first, last)
	b := tx.invoiceBuilder(&q, 0)
	if b == nil {
		return nil, nil
	}
	sql := b.browse(q.Limit, q.Skip, q.Newest)
	ids, err := tx.ids(sql, b.args...)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	list, err := tx.InvoicesByID(ids)
	if q.Newest {
		slices.Reverse(list)
	}
	return list, err
}

// InvoiceSums returns what all invoices of a query come to, by currency. It reads an index that has all of it, or one
// of those few that the query is about.
func (tx *Tx) InvoiceSums(q admitto.InvoiceQuery) (sums []admitto.LedgerSum, err error) {
	q.Skip, q.Limit = 0, 0
	b := tx.invoiceBuilder(&q, 0)
	if b == nil {
		return nil, nil
	}
	few := q.Surplus || q.Detached || q.Overdue != nil && *q.Overdue || q.Applicants != nil || q.Applications != nil ||
		q.States != nil && !slices.Contains(q.States, admitto.InvoiceIsCollected)
	if !few {
		b = tx.financeBuilder("invoice", "i")
		b.driver, b.hint = "i.currency >= ''", tx.dialect.by("invoice_ledger")
		if q.Currencies != nil {
			b.driver = tx.dialect.in("i.currency", b.arg(q.Currencies))
			q.Currencies = nil
		}
		b.marked(&q)
		b.conditions(&q)
	}
	driver := b.driver
	if b.each != nil {
		driver = tx.dialect.in(b.column, b.arg(b.each))
	}
	err = each(tx.query(`SELECT i.currency, count(*), CAST(sum(i.total) AS bigint), CAST(sum(i.paid) AS bigint),
		CAST(sum(CASE WHEN coalesce(i.lapsed, 0) = 0 AND i.total > i.paid THEN i.total - i.paid ELSE 0 END) AS bigint)`+
		b.from(driver)+" GROUP BY i.currency ORDER BY i.currency", b.args...), func(r *db.Rows) {
		sums = append(sums, admitto.LedgerSum{Currency: r.Text(0), Count: r.Int64(1), Total: admitto.Hundredths(r.Int64(2)),
			Paid: admitto.Hundredths(r.Int64(3)), Open: admitto.Hundredths(r.Int64(4))})
	})
	return sums, err
}

// BrowsedTransactions returns a page of the transactions of a query, at most its limit after those that it skips.
func (tx *Tx) BrowsedTransactions(q admitto.TransactionQuery) ([]admitto.Transaction, error) {
	first := q.FromTime != 0 && q.ToTime == 0 || !q.CollectedSince.IsZero() && q.CollectedBefore.IsZero()
	last := q.ToTime != 0 && q.FromTime == 0 || !q.CollectedBefore.IsZero() && q.CollectedSince.IsZero()
	q.Whole = q.Whole || walks(q.Newest, first, last)
	b := tx.transactionBuilder(&q, 0)
	if b == nil {
		return nil, nil
	}
	sql := b.browse(q.Limit, q.Skip, q.Newest)
	ids, err := tx.ids(sql, b.args...)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	list, err := tx.transactions(tx.dialect.in("t.id", 1)+" ORDER BY t.id", ids)
	if q.Newest {
		slices.Reverse(list)
	}
	return list, err
}

// TransactionSums returns what the transactions of a query come to, by currency; more reports that there are more than
// limit of them, which are not summed up.
func (tx *Tx) TransactionSums(q admitto.TransactionQuery, limit int64) (sums []admitto.LedgerSum, more bool,
	err error) {
	b := tx.transactionBuilder(&q, 0)
	if b == nil {
		return nil, false, nil
	}
	var n int64
	found := "SELECT t.invoice_id, t.amount" + b.from(b.driver) + fmt.Sprintf(" LIMIT $%d", b.arg(limit+1))
	err = each(tx.query(`SELECT i.currency, count(*), CAST(sum(m.amount) AS bigint) FROM (`+found+
		`) m CROSS JOIN invoice i`+tx.dialect.byID()+" WHERE i.id = m.invoice_id GROUP BY i.currency ORDER BY i.currency",
		b.args...), func(r *db.Rows) {
		sum := admitto.LedgerSum{Currency: r.Text(0), Count: r.Int64(1), Paid: admitto.Hundredths(r.Int64(2))}
		sums, n = append(sums, sum), n+sum.Count
	})
	return sums, n > limit, err
}

// InvoicesNumbered returns the invoices with these numbers, by ID, with their items and transactions.
func (tx *Tx) InvoicesNumbered(numbers []string) ([]admitto.Invoice, error) {
	return tx.invoices("WHERE "+tx.dialect.in("i.nr", 1)+" ORDER BY i.id", numbers)
}

// LockInvoices is LockInvoice for several, by ID; those that are not there are left out.
func (tx *Tx) LockInvoices(ids []int64) (list []admitto.Invoice, err error) {
	err = each(tx.query("SELECT "+columns.WholeInvoice.Select("")+" FROM invoice WHERE "+tx.dialect.in("id", 1)+
		" ORDER BY id"+tx.forUpdate(lockInvoice, 0), ids), func(r *db.Rows) {
		var i admitto.Invoice
		columns.WholeInvoice.Scan(r, &i)
		list = append(list, i)
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	parts, err := tx.InvoicesByID(ids)
	for n := range parts { // both are in the order of their IDs
		list[n].Series, list[n].Items, list[n].Transactions = parts[n].Series, parts[n].Items, parts[n].Transactions
	}
	return list, err
}

// InvoiceVersions returns what invoices say in other languages, by ID.
func (tx *Tx) InvoiceVersions(ids []int64) (map[int64]admitto.Versions, error) {
	byID := map[int64]admitto.Versions{}
	err := each(tx.query("SELECT id, versions FROM invoice WHERE "+tx.dialect.in("id", 1), ids),
		func(r *db.Rows) { byID[r.Int64(0)] = readVersions(r, 1) })
	return byID, err
}

// SaveInvoice stores what may be changed of a locked invoice after it was issued.
func (tx *Tx) SaveInvoice(i *admitto.Invoice) error {
	_, err := tx.exec(`UPDATE invoice SET deadline = $2, instructions = $3, smallprint = $4, reminder = $5, lapsed = $6,
		versions = $7, row_version = row_version + 1 WHERE id = $1`, i.ID, i.Deadline, i.Instructions, i.Smallprint,
		i.Reminder, i.Lapsed, columns.OfVersions(i.Versions))
	return err
}

// NumbersOf returns a page of the register of a series, the newest first, and how many lines it has.
func (tx *Tx) NumbersOf(series int64, void bool, rows int, skip int64) (list []InvoiceNumber, total int64, err error) {
	where := " FROM invoice_number" + tx.dialect.by("invoice_number_given") + " WHERE series_id = $1"
	if void {
		where = " FROM invoice_number" + tx.dialect.by("invoice_number_void") + " WHERE series_id = $1 AND void"
	}
	if total, err = tx.number("SELECT count(*)"+where, series); err != nil {
		return nil, 0, err
	}
	err = each(tx.query("SELECT period, number, nr, issued, invoice_id, void"+where+
		" ORDER BY issued DESC, nr DESC LIMIT $2 OFFSET $3", series, rows, skip), func(r *db.Rows) {
		list = append(list, InvoiceNumber{Series: series, Period: r.Text(0), Number: r.Int64(1), Text: r.Text(2),
			Issued: r.Time(3), Invoice: r.Int64(4), Void: r.Bool(5)})
	})
	return list, total, err
}

// PayersOf returns number and payer of invoices, by ID.
func (tx *Tx) PayersOf(invoices []int64) (map[int64]admitto.Invoice, error) {
	found := map[int64]admitto.Invoice{}
	err := each(tx.query("SELECT id, nr, payer_name FROM invoice WHERE "+tx.dialect.in("id", 1), invoices),
		func(r *db.Rows) {
			found[r.Int64(0)] = admitto.Invoice{ID: r.Int64(0), Number: r.Text(1), PayerName: r.Text(2)}
		})
	return found, err
}

// mostCurrencies bounds the currencies that are looked up one after the other.
const mostCurrencies = 50

// InvoiceCurrencies returns the currencies that invoices are in. It steps from one to the next in an index.
func (tx *Tx) InvoiceCurrencies() (codes []string, err error) {
	for last := ""; len(codes) < mostCurrencies; {
		next := ""
		err := each(tx.query("SELECT currency FROM invoice WHERE currency > $1 ORDER BY currency LIMIT 1", last),
			func(r *db.Rows) { next = r.Text(0) })
		if err != nil || next == "" {
			return codes, err
		}
		codes, last = append(codes, next), next
	}
	return codes, nil
}
