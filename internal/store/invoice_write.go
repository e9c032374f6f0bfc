package store

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// BlockingInvoices returns the unpaid invoices of blocking series that stand in the way of a submission, by ID: those
// of the application, and those of the applicant without application (lifecycle.md 3.2, G8).
func (tx *Tx) BlockingInvoices(applicant, application int64) ([]admitto.Invoice, error) {
	return tx.invoices(`WHERE s.blocking AND i.collected IS NULL AND i.lapsed IS NULL
		AND (i.application_id = $2 OR i.application_id IS NULL AND i.applicant_id = $1) ORDER BY i.id`, applicant, application)
}

// LockInvoice reads an invoice with its items and transactions and keeps it from being changed by others until the
// transaction ends, or answers NotFound.
func (tx *Tx) LockInvoice(id int64) (i admitto.Invoice, err error) {
	err = one(tx.query("SELECT "+columns.WholeInvoice.Select("")+" FROM invoice WHERE id = $1"+tx.forUpdate(lockInvoice,
		id), id),
		func(r *db.Rows) { columns.WholeInvoice.Scan(r, &i) })
	if err == nil {
		var parts admitto.Invoice
		parts, err = tx.Invoice(id)
		i.Series, i.Items, i.Transactions = parts.Series, parts.Items, parts.Transactions
	}
	return i, err
}

var (
	insertInvoice     = columns.WholeInvoice.Insert() + " RETURNING id"
	insertTransaction = columns.Transaction.Insert() + " RETURNING id"
)

// InsertInvoice stores a new invoice with its items and returns its ID. Lists are read incrementally by it, so the
// order of commits must be locked (LockOrder).
func (tx *Tx) InsertInvoice(i *admitto.Invoice) (id int64, err error) {
	id, err = tx.insert(insertInvoice, columns.WholeInvoice.New(i)...)
	if err != nil {
		return 0, err
	}
	tx.countInvoice(id, 1)
	return id, insertRows(tx, columns.InvoiceItem, columns.Parts(id, i.Items))
}

const familyInvoice = "invoice"

func (tx *Tx) countInvoice(id, n int64) { tx.count(familyInvoice, facetAll, id/blockSize, id, n) }

// SetInvoiceMail notes which of the applicant's e-mails brought the invoice.
func (tx *Tx) SetInvoiceMail(invoice, email int64) error {
	_, err := tx.exec("UPDATE invoice SET email_id = $2, row_version = row_version + 1 WHERE id = $1", invoice, email)
	return err
}

// InvoiceOfMail returns the invoice that an e-mail of an applicant brought and its number, 0 for none.
func (tx *Tx) InvoiceOfMail(applicant, email int64) (id int64, nr string, err error) {
	err = each(tx.query("SELECT id, nr FROM invoice WHERE applicant_id = $1 AND email_id = $2", applicant, email),
		func(r *db.Rows) { id, nr = r.Int64(0), r.Text(1) })
	return id, nr, err
}

// MailOfInvoice returns which e-mail brought an invoice last, 0 for none that is kept.
func (tx *Tx) MailOfInvoice(invoice int64) (email int64, err error) {
	return tx.number("SELECT coalesce(email_id, 0) FROM invoice WHERE id = $1", invoice)
}

// DeleteInvoice removes a locked invoice without transactions; its number stays in the register and is void. One from
// before the register is written there as it stands, in the period numberedBefore, so that it is known when the
// numbers of its series are taken over.
func (tx *Tx) DeleteInvoice(id int64) error {
	series, err := tx.number("SELECT series_id FROM invoice WHERE id = $1", id)
	if err == nil {
		_, err = tx.LockSeries(series)
	}
	if err != nil {
		return err
	}
	n, err := tx.exec("UPDATE invoice_number SET void = TRUE WHERE invoice_id = $1", id)
	if err == nil && n == 0 {
		_, err = tx.exec(`INSERT INTO invoice_number (series_id, period, number, nr, issued, invoice_id, void)
			SELECT series_id, $2, id, nr, issued, id, TRUE FROM invoice WHERE id = $1`, id, numberedBefore)
	}
	if err == nil {
		n, err = tx.exec("DELETE FROM invoice WHERE id = $1", id)
		tx.countInvoice(id, -n)
	}
	return err
}

// InsertTransaction adds a payment to a locked invoice, which has the sums that it leads to, and returns its ID. Lists
// are read incrementally by it, so the order of commits must be locked (LockOrder).
func (tx *Tx) InsertTransaction(t *admitto.Transaction, paid admitto.Hundredths, collected admitto.Time) (id int64,
	err error) {
	id, err = tx.insert(insertTransaction, columns.Transaction.New(t)...)
	if err == nil {
		_, err = tx.exec("UPDATE invoice SET paid = $2, collected = $3, row_version = row_version + 1 WHERE id = $1",
			t.Invoice, paid, collected)
	}
	return id, err
}

// LapseInvoices lapses the automatic invoices of an application that are neither collected nor lapsed, and returns
// their IDs and courses, by ID.
func (tx *Tx) LapseInvoices(application int64, at admitto.Time) (list []admitto.Invoice, err error) {
	return tx.invoicesChanged(application, `UPDATE invoice SET lapsed = $2, row_version = row_version + 1
		WHERE application_id = $1 AND automatic AND collected IS NULL AND lapsed IS NULL RETURNING id, applicant_id, course_id`,
		application, at)
}

// ReviveInvoices makes those of the invoices of an application payable again that have lapsed, and returns their IDs
// and courses, by ID.
func (tx *Tx) ReviveInvoices(application int64, invoices []int64) (list []admitto.Invoice, err error) {
	return tx.invoicesChanged(application, `UPDATE invoice SET lapsed = NULL, row_version = row_version + 1
		WHERE application_id = $1 AND lapsed IS NOT NULL AND `+tx.dialect.in("id", 2)+
		` RETURNING id, applicant_id, course_id`,
		application, invoices)
}

func (tx *Tx) invoicesChanged(application int64, sql string, args ...any) (list []admitto.Invoice, err error) {
	err = each(tx.query(sql, args...), func(r *db.Rows) {
		list = append(list, admitto.Invoice{ID: r.Int64(0), Applicant: r.Int64(1), Application: application,
			Course: r.Int64(2)})
	})
	slices.SortFunc(list, func(a, b admitto.Invoice) int { return int(a.ID - b.ID) })
	return list, err
}

// ReviveInvoice makes a locked invoice payable again.
func (tx *Tx) ReviveInvoice(id int64) error {
	_, err := tx.exec("UPDATE invoice SET lapsed = NULL, row_version = row_version + 1 WHERE id = $1", id)
	return err
}

// HasFeeInvoice reports whether an application has an invoice of a fee that did not lapse, for a course or (0) as a
// whole.
func (tx *Tx) HasFeeInvoice(fee, application, course int64) (bool, error) {
	n, err := tx.number(`SELECT 1 FROM invoice WHERE fee_id = $1 AND application_id = $2 AND coalesce(course_id, 0) = $3 AND lapsed IS NULL`,
		fee, application, course)
	return n > 0, err
}

// KeyIssuer returns the administrator who issued an API key, 0 when nobody is known who is still there.
func (tx *Tx) KeyIssuer(key int64) (int64, error) {
	return tx.number(`SELECT a.id FROM api_key k JOIN administrator a ON a.id = k.administrator_id WHERE k.id = $1 AND NOT a.removed`, key)
}
