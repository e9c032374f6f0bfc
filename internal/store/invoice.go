package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// invoiceSelect reads what scanInvoice takes.
var invoiceSelect = "SELECT " + columns.Invoice.Select("i") +
	", s.name, s.blocking FROM invoice i JOIN invoice_series s ON s.id = i.series_id"

func scanInvoice(r *db.Rows, i *admitto.Invoice) {
	columns.Invoice.Scan(r, i)
	i.Series.Name, i.Series.Blocking = r.Text(columns.Invoice.Width()), r.Bool(columns.Invoice.Width()+1)
}

// invoices reads invoices with their items and transactions; rest follows invoiceSelect. It costs three statements, or
// one when there are none.
func (tx *Tx) invoices(rest string, args ...any) (list []admitto.Invoice, err error) {
	err = each(tx.query(invoiceSelect+" "+rest, args...), func(r *db.Rows) {
		list = append(list, admitto.Invoice{})
		scanInvoice(r, &list[len(list)-1])
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	var item columns.Part[admitto.InvoiceItem]
	items, err := grouped(tx.query("SELECT "+columns.InvoiceItem.Select("")+" FROM invoice_item WHERE "+
		tx.dialect.in("invoice_id", 1)+" ORDER BY invoice_id, n", ids), func(r *db.Rows, it *admitto.InvoiceItem) int64 {
		columns.InvoiceItem.Scan(r, &item)
		*it = item.Value
		return item.Owner
	})
	if err != nil {
		return nil, err
	}
	// The currency is that of the invoice, which is known: a join for it would cost as much as all else.
	payments, err := grouped(tx.query("SELECT "+columns.Transaction.Select("")+" FROM invoice_transaction WHERE "+
		tx.dialect.in("invoice_id", 1)+" ORDER BY invoice_id, id", ids), func(r *db.Rows, t *admitto.Transaction) int64 {
		columns.Transaction.Scan(r, t)
		return t.Invoice
	})
	for n := range list {
		i := &list[n]
		i.Items, i.Transactions = items[i.ID], payments[i.ID]
		for p := range i.Transactions {
			i.Transactions[p].Currency = i.Currency
		}
	}
	return list, err
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

// IssuersOf returns which institution and which administrator issued an invoice, 0 for none, or answers NotFound.
func (tx *Tx) IssuersOf(invoice int64) (institution, administrator int64, err error) {
	err = one(tx.query(`SELECT coalesce(issuer_institution_id, 0), coalesce(issuer_administrator_id, 0) FROM invoice WHERE id = $1`,
		invoice), func(r *db.Rows) { institution, administrator = r.Int64(0), r.Int64(1) })
	return institution, administrator, err
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

// PaidBefore returns the number and the application of the first paid invoice of an applicant for the same fee as
// another one, of an application of the same term that is closed; 0 for none.
func (tx *Tx) PaidBefore(applicant, invoice int64) (nr string, application int64, err error) {
	err = each(tx.query(`SELECT o.nr, o.application_id FROM invoice i JOIN application a ON a.id = i.application_id
		JOIN invoice o ON o.applicant_id = i.applicant_id AND o.fee_id = i.fee_id AND o.collected IS NOT NULL AND o.id <> i.id
		JOIN application b ON b.id = o.application_id AND b.status = 'Closed' AND b.academic_term_id = a.academic_term_id
		WHERE i.id = $2 AND i.applicant_id = $1 ORDER BY o.id LIMIT 1`, applicant, invoice), func(r *db.Rows) {
		nr, application = r.Text(0), r.Int64(1)
	})
	return nr, application, err
}

// InvoiceSeries returns all series of invoices, by ID.
func (tx *Tx) InvoiceSeries() (list []admitto.Series, err error) {
	err = each(tx.query(seriesSelect+" ORDER BY id"),
		func(r *db.Rows) { list = append(list, scanned(columns.Series, r)) })
	return list, err
}

// transactions reads transactions; where may end in an order.
func (tx *Tx) transactions(where string, args ...any) (list []admitto.Transaction, err error) {
	own := columns.Transaction.Width()
	err = each(tx.query("SELECT "+columns.Transaction.Select("t")+
		", i.currency FROM invoice_transaction t JOIN invoice i ON i.id = t.invoice_id WHERE "+
		where, args...), func(r *db.Rows) {
		t := scanned(columns.Transaction, r)
		t.Currency = r.Text(own)
		list = append(list, t)
	})
	return list, err
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
