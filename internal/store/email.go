package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// emailColumns are those of columns.Email, and whether files went with it.
var emailColumns = columns.Email.Select("e") + ", EXISTS (SELECT 1 FROM email_attachment x WHERE x.email_id = e.id)"

func scanEmail(r *db.Rows) (e admitto.Email) {
	columns.Email.Scan(r, &e)
	e.HasAttachments = r.Bool(columns.Email.Width())
	return e
}

// EmailsOf returns the mails to an applicant, by ID.
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

var emailFileColumns = columns.EmailAttachment.Select("")

// EmailAttachments returns what is known of the files that went with a mail, by ID.
func (tx *Tx) EmailAttachments(email int64) (list []admitto.File, err error) {
	err = each(tx.query("SELECT "+emailFileColumns+" FROM email_attachment WHERE email_id = $1 ORDER BY id", email),
		func(r *db.Rows) { list = append(list, scanned(columns.EmailAttachment, r)) })
	return list, err
}

// EmailAttachment reads what is known of one file that went with a mail, or answers NotFound.
func (tx *Tx) EmailAttachment(email, id int64) (f admitto.File, err error) {
	err = one(tx.query("SELECT "+emailFileColumns+" FROM email_attachment WHERE id = $2 AND email_id = $1", email, id),
		func(r *db.Rows) { f = scanned(columns.EmailAttachment, r) })
	return f, err
}
