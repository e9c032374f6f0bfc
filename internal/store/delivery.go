package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// QueuedMail reports whether this transaction queued a mail.
func (tx *Tx) QueuedMail() bool { return len(tx.mails) > 0 }

// QueuedMails returns the mails that this transaction queued.
func (tx *Tx) QueuedMails() []OutboxRow { return tx.mails }

// SetEmailDelivered notes when the mail server took a mail.
func (tx *Tx) SetEmailDelivered(id int64, at admitto.Time) error {
	_, err := tx.exec("UPDATE email SET delivered = $2, tried = $2, tries = tries + 1, reply = '' WHERE id = $1", id, at)
	return err
}

// SetEmailRefused notes a try that the mail server has refused, and what it said.
func (tx *Tx) SetEmailRefused(id int64, at admitto.Time, reply string) error {
	_, err := tx.exec("UPDATE email SET tried = $2, tries = tries + 1, reply = $3 WHERE id = $1", id, at, reply)
	return err
}

// SetEmailFailed notes when a mail was given up, or its blind copies were, and what the mail server said.
func (tx *Tx) SetEmailFailed(id int64, at admitto.Time, reply string) error {
	_, err := tx.exec("UPDATE email SET failed = $2, reply = $3 WHERE id = $1", id, at, reply)
	return err
}

// KeepFailedMail keeps a sealed mail that was given up, so that it can be sent again.
func (tx *Tx) KeepFailedMail(email int64, sealed []byte) error {
	_, err := tx.exec("INSERT INTO failed_mail (email_id, sealed) VALUES ($1, $2)", email, sealed)
	return err
}

// TakeFailedMail removes and returns a sealed mail that was given up; nil when it was not kept.
func (tx *Tx) TakeFailedMail(email int64) (sealed []byte, err error) {
	err = each(tx.query("DELETE FROM failed_mail WHERE email_id = $1 RETURNING sealed", email),
		func(r *db.Rows) { sealed = r.Bytes(0) })
	return sealed, err
}

// RepeatEmail notes that a mail that was given up is on its way again, to an address.
func (tx *Tx) RepeatEmail(id int64, recipient string) error {
	_, err := tx.exec("UPDATE email SET failed = NULL, recipient = $2 WHERE id = $1", id, recipient)
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
