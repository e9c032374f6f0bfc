package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// QueuedMail reports whether this transaction queued a mail.
func (tx *Tx) QueuedMail() bool { return tx.mails }

// SetEmailFailed notes when a mail was given up.
func (tx *Tx) SetEmailFailed(id int64, at admitto.Time) error {
	_, err := tx.exec("UPDATE email SET failed = $2 WHERE id = $1", id, at)
	return err
}

// DeliverInvoice notes when an invoice reached its payer, unless that is known, and returns what a journal event
// about it links to; first is false when the invoice was delivered before or is gone.
func (tx *Tx) DeliverInvoice(id int64) (links admitto.Links, first bool, err error) {
	err = each(tx.query(`UPDATE invoice SET delivered = $2, row_version = row_version + 1 WHERE id = $1 AND delivered IS NULL
		RETURNING applicant_id, application_id, course_id`, id, tx.Now()), func(r *db.Rows) {
		links = admitto.Links{Applicant: r.Int64(0), Application: r.Int64(1), Course: r.Int64(2), Invoice: id}
		first = true
	})
	return links, first, err
}

// LockInvoiceRow keeps an invoice from being changed by others until the transaction ends, if there is one.
func (tx *Tx) LockInvoiceRow(id int64) error {
	_, err := tx.number("SELECT id FROM invoice WHERE id = $1"+tx.forUpdate(lockInvoice, id), id)
	return err
}
