package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// emailColumns are read by scanEmail, in this order.
const emailColumns = `e.id, e.applicant_id, e.inserted, e.delivered, e.failed, e.opened, e.from_name, e.from_email, e.subject, e.message,
	EXISTS (SELECT 1 FROM email_attachment x WHERE x.email_id = e.id)`

func scanEmail(r *db.Rows) admitto.Email {
	return admitto.Email{ID: r.Int64(0), Applicant: r.Int64(1), Inserted: r.Time(2), Delivered: r.Time(3), Failed: r.Time(4), Opened: r.Time(5),
		FromName: r.Text(6), FromEmail: r.Text(7), Subject: r.Text(8), Message: r.Text(9), HasAttachments: r.Bool(10)}
}

// EmailsOf gives the mails to an applicant, by ID.
func (tx *Tx) EmailsOf(applicant int64) (list []admitto.Email, err error) {
	err = each(tx.query("SELECT "+emailColumns+" FROM email e WHERE e.applicant_id = $1 ORDER BY e.id", applicant),
		func(r *db.Rows) { list = append(list, scanEmail(r)) })
	return list, err
}

// Email reads one mail to an applicant, or answers NotFound. Whether the applicant is visible is not asked.
func (tx *Tx) Email(applicant, id int64) (e admitto.Email, err error) {
	err = one(tx.query("SELECT "+emailColumns+" FROM email e WHERE e.id = $2 AND e.applicant_id = $1", applicant, id),
		func(r *db.Rows) { e = scanEmail(r) })
	return e, err
}

// emailFileColumns are read by scanFile, in this order.
const emailFileColumns = "id, email_id, uploaded, name, mime, size, hash, expires"

// EmailAttachments gives what is known of the files that went with a mail, by ID.
func (tx *Tx) EmailAttachments(email int64) (list []admitto.File, err error) {
	err = each(tx.query("SELECT "+emailFileColumns+" FROM email_attachment WHERE email_id = $1 ORDER BY id", email),
		func(r *db.Rows) { list = append(list, scanFile(r)) })
	return list, err
}

// EmailAttachment reads what is known of one file that went with a mail, or answers NotFound.
func (tx *Tx) EmailAttachment(email, id int64) (f admitto.File, err error) {
	err = one(tx.query("SELECT "+emailFileColumns+" FROM email_attachment WHERE id = $2 AND email_id = $1", email, id),
		func(r *db.Rows) { f = scanFile(r) })
	return f, err
}
