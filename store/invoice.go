package store

import (
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store/db"
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

// invoices reads invoices with their items and transactions, by ID; where follows invoiceSelect. It costs three
// statements, or one when there are none.
func (tx *Tx) invoices(where string, args ...any) (list []admitto.Invoice, err error) {
	err = each(tx.Query(invoiceSelect+" WHERE "+where+" ORDER BY i.id", args...), func(r *db.Rows) { list = append(list, scanInvoice(r)) })
	if err != nil || len(list) == 0 {
		return nil, err
	}
	ids, at := make([]int64, len(list)), make(map[int64]*admitto.Invoice, len(list))
	for i := range list {
		ids[i], at[list[i].ID] = list[i].ID, &list[i]
	}
	err = each(tx.Query(`SELECT invoice_id, item, price, qty, unit, inventory_item_id FROM invoice_item WHERE `+
		tx.dialect.in("invoice_id", 1)+" ORDER BY invoice_id, n", ids), func(r *db.Rows) {
		i := at[r.Int64(0)]
		item := admitto.InvoiceItem{Item: r.Text(1), Price: admitto.Hundredths(r.Int64(2)), Qty: admitto.Hundredths(r.Int64(3)), Unit: r.Text(4)}
		if !r.Null(5) {
			inventory := r.Int64(5)
			item.InventoryItem = &inventory
		}
		i.Items = append(i.Items, item)
	})
	if err != nil {
		return nil, err
	}
	payments, err := tx.transactions(tx.dialect.in("t.invoice_id", 1)+" ORDER BY t.invoice_id, t.id", ids)
	for _, t := range payments {
		at[t.Invoice].Transactions = append(at[t.Invoice].Transactions, t)
	}
	return list, err
}

// Invoice reads one invoice with its items and transactions, or answers NotFound.
func (tx *Tx) Invoice(id int64) (admitto.Invoice, error) {
	list, err := tx.invoices("i.id = $1", id)
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
	return one(tx.Query("SELECT 1 FROM invoice WHERE id = $1", id), func(*db.Rows) {})
}

// InvoicesByID gives the invoices with these IDs, by ID, with their items and transactions.
func (tx *Tx) InvoicesByID(ids []int64) ([]admitto.Invoice, error) {
	return tx.invoices(tx.dialect.in("i.id", 1), ids)
}

// InvoicesOf gives the invoices of each applicant, by ID, with their items and transactions.
func (tx *Tx) InvoicesOf(applicants []int64) (map[int64][]admitto.Invoice, error) {
	list, err := tx.invoices(tx.dialect.in("i.applicant_id", 1), applicants)
	byApplicant := map[int64][]admitto.Invoice{}
	for _, i := range list {
		byApplicant[i.Applicant] = append(byApplicant[i.Applicant], i)
	}
	return byApplicant, err
}

// InvoicesOfApplication gives the invoices of an application, by ID, with their items and transactions.
func (tx *Tx) InvoicesOfApplication(application int64) ([]admitto.Invoice, error) {
	return tx.invoices("i.application_id = $1", application)
}

// InvoiceSeries gives all series of invoices, by ID.
func (tx *Tx) InvoiceSeries() (list []admitto.Series, err error) {
	err = each(tx.Query("SELECT id, name, format, blocking, permanent, is_default, last_issued, last_number FROM invoice_series ORDER BY id"),
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
	rows := tx.Query("SELECT "+transactionColumns+" FROM invoice_transaction t JOIN invoice i ON i.id = t.invoice_id WHERE "+where, args...)
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

// TransactionsOfInvoice gives the transactions of an invoice, by ID.
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
