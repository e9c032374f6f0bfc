package store

import (
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// invoiceSelect reads what scanInvoice takes, in this order.
const invoiceSelect = `SELECT i.id, i.type, i.nr, i.series_id, s.name, i.applicant_id, i.application_id, i.course_id, i.issued,
	i.deadline, i.delivered, i.reminder, i.reminded, i.collected, i.lapsed, i.currency, i.total, i.paid, i.instructions,
	i.smallprint, i.payer_name, i.payer_email FROM invoice i JOIN invoice_series s ON s.id = i.series_id`

func scanInvoice(r *db.Rows) admitto.Invoice {
	return admitto.Invoice{
		ID: r.Int64(0), Type: r.Text(1), Number: r.Text(2), Series: admitto.Series{ID: r.Int64(3), Name: r.Text(4)},
		Applicant: r.Int64(5), Application: r.Int64(6), Course: r.Int64(7), Issued: r.Time(8), Deadline: r.Date(9), Delivered: r.Time(10),
		Reminder: r.Bool(11), Reminded: r.Time(12), Collected: r.Time(13), Lapsed: r.Time(14), Currency: r.Text(15),
		Total: admitto.Hundredths(r.Int64(16)), Paid: admitto.Hundredths(r.Int64(17)), Instructions: r.Text(18), Smallprint: r.Text(19),
		PayerName: r.Text(20), PayerEmail: r.Text(21),
	}
}

// invoices reads invoices with their items and transactions; rest follows invoiceSelect. It costs three statements, or one
// when there are none.
func (tx *Tx) invoices(rest string, args ...any) (list []admitto.Invoice, err error) {
	err = each(tx.query(invoiceSelect+" "+rest, args...), func(r *db.Rows) { list = append(list, scanInvoice(r)) })
	if err != nil || len(list) == 0 {
		return nil, err
	}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	items, err := grouped(tx.query("SELECT invoice_id, item, price, qty, unit, inventory_item_id FROM invoice_item WHERE "+
		tx.dialect.in("invoice_id", 1)+" ORDER BY invoice_id, n", ids), scanItem)
	if err != nil {
		return nil, err
	}
	var broken error
	// The currency is that of the invoice, which is known: a join for it would cost as much as all else.
	payments, err := grouped(tx.query("SELECT id, invoice_id, amount, '', inserted, collected, administrator_id, payment FROM invoice_transaction WHERE "+
		tx.dialect.in("invoice_id", 1)+" ORDER BY invoice_id, id", ids), func(r *db.Rows, t *admitto.Transaction) int64 {
		var fault error
		if *t, fault = scanTransaction(r); fault != nil {
			broken = fault
		}
		return t.Invoice
	})
	if err == nil {
		err = broken
	}
	for n := range list {
		i := &list[n]
		i.Items, i.Transactions = items[i.ID], payments[i.ID]
		for p := range i.Transactions {
			i.Transactions[p].Currency = i.Currency
		}
	}
	return list, err
}

func scanItem(r *db.Rows, it *admitto.InvoiceItem) (invoice int64) {
	*it = admitto.InvoiceItem{Item: r.Text(1), Price: admitto.Hundredths(r.Int64(2)), Qty: admitto.Hundredths(r.Int64(3)), Unit: r.Text(4)}
	if !r.Null(5) {
		inventory := r.Int64(5)
		it.InventoryItem = &inventory
	}
	return r.Int64(0)
}

// Invoice reads one invoice with its items and transactions, or answers NotFound.
func (tx *Tx) Invoice(id int64) (admitto.Invoice, error) {
	list, err := tx.invoices("WHERE i.id = $1", id)
	if err == nil && len(list) == 0 {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return admitto.Invoice{}, err
	}
	return list[0], nil
}

// HasInvoice answers NotFound when no invoice has the ID.
func (tx *Tx) HasInvoice(id int64) error {
	return one(tx.query("SELECT 1 FROM invoice WHERE id = $1", id), func(*db.Rows) {})
}

// InvoicesByID returns the invoices with these IDs, by ID, with their items and transactions.
func (tx *Tx) InvoicesByID(ids []int64) ([]admitto.Invoice, error) {
	return tx.invoices("WHERE "+tx.dialect.in("i.id", 1)+" ORDER BY i.id", ids)
}

// InvoicesOf returns the invoices of each applicant, by ID, with their items and transactions.
func (tx *Tx) InvoicesOf(applicants []int64) (map[int64][]admitto.Invoice, error) {
	condition, args := tx.among("i.applicant_id", applicants)
	list, err := tx.invoices("WHERE "+condition+" ORDER BY i.applicant_id, i.id", args...)
	owners := make([]int64, len(list))
	for i := range list {
		owners[i] = list[i].Applicant
	}
	return split(list, owners), err
}

// InvoicesOfApplication returns the invoices of an application, by ID, with their items and transactions.
func (tx *Tx) InvoicesOfApplication(application int64) ([]admitto.Invoice, error) {
	return tx.invoices("WHERE i.application_id = $1 ORDER BY i.id", application)
}

// InvoiceSeries returns all series of invoices, by ID.
func (tx *Tx) InvoiceSeries() (list []admitto.Series, err error) {
	err = each(tx.query("SELECT id, name, format, blocking, permanent, is_default, last_issued, last_number FROM invoice_series ORDER BY id"),
		func(r *db.Rows) {
			list = append(list, admitto.Series{ID: r.Int64(0), Name: r.Text(1), Format: r.Text(2), Blocking: r.Bool(3), Permanent: r.Bool(4),
				Default: r.Bool(5), LastIssued: r.Time(6), LastNumber: r.Text(7)})
		})
	return list, err
}

// transactionColumns are read by scanTransaction, in this order.
const transactionColumns = "t.id, t.invoice_id, t.amount, i.currency, t.inserted, t.collected, t.administrator_id, t.payment"

func scanTransaction(r *db.Rows) (t admitto.Transaction, err error) {
	t = admitto.Transaction{ID: r.Int64(0), Invoice: r.Int64(1), Amount: admitto.Hundredths(r.Int64(2)), Currency: r.Text(3),
		Inserted: r.Time(4), Collected: r.Date(5), Administrator: r.Int64(6)}
	if raw := r.Raw(7); len(raw) > 0 {
		if err = json.Unmarshal(raw, &t.Payment); err != nil {
			err = fmt.Errorf("payment of transaction %d: %w", t.ID, err)
		}
	}
	return t, err
}

// transactions reads transactions; where may end in an order.
func (tx *Tx) transactions(where string, args ...any) (list []admitto.Transaction, err error) {
	rows := tx.query("SELECT "+transactionColumns+" FROM invoice_transaction t JOIN invoice i ON i.id = t.invoice_id WHERE "+where, args...)
	defer rows.Close()
	for rows.Next() {
		t, err := scanTransaction(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, rows.Close()
}

// TransactionsOfInvoice returns the transactions of an invoice, by ID.
func (tx *Tx) TransactionsOfInvoice(invoice int64) ([]admitto.Transaction, error) {
	return tx.transactions("t.invoice_id = $1 ORDER BY t.id", invoice)
}

// Transaction reads one transaction, or answers NotFound.
func (tx *Tx) Transaction(id int64) (admitto.Transaction, error) {
	list, err := tx.transactions("t.id = $1", id)
	if err == nil && len(list) == 0 {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return admitto.Transaction{}, err
	}
	return list[0], nil
}
