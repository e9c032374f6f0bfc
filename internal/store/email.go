package store

import (
	"fmt"

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

// EmailQuery selects mails to an applicant: all of them, or those About an application and, with General, those about
// none or about one that is not known.
type EmailQuery struct {
	Applicant, About int64 // About 0: all
	General          bool
	Seen             admitto.MailsSeen
	Limit, Offset    int
}

// mailsSeen is the condition that mails e are among those that somebody may read, as admitto.MailsSeen says.
func mailsSeen(m admitto.MailsSeen) (condition string) {
	none := func(of string) { condition += " AND e.template NOT LIKE '" + of + "%'" }
	if !m.Invoices {
		none(admitto.MailsOfInvoices)
	}
	if !m.Offers {
		none(admitto.MailsOfOffers)
	}
	if !m.Applications {
		none(admitto.MailsOfApplications)
		none(admitto.MailsOfTasks)
		condition += " AND (e.application_id IS NULL OR e.template LIKE '" + admitto.MailsOfInvoices + "%')"
	}
	return condition
}

// where is the condition of the query on the mails e.
func (q *EmailQuery) where() (condition string, args []any) {
	condition, args = "e.applicant_id = $1"+mailsSeen(q.Seen), []any{q.Applicant}
	switch {
	case q.About == 0:
	case q.General:
		condition, args = condition+" AND (e.application_id = $2 OR e.application_id IS NULL)", append(args, q.About)
	default:
		condition, args = condition+" AND e.application_id = $2", append(args, q.About)
	}
	return condition, args
}

// EmailPage returns the mails that the query selects, the newest first, and how many there are in all.
func (tx *Tx) EmailPage(q EmailQuery) (list []admitto.Email, total int64, err error) {
	condition, args := q.where()
	if total, err = tx.number("SELECT count(*) FROM email e WHERE "+condition, args...); err != nil {
		return nil, 0, err
	}
	n := len(args)
	err = each(tx.query(fmt.Sprintf("SELECT %s FROM email e WHERE %s ORDER BY e.id DESC LIMIT $%d OFFSET $%d",
		emailColumns, condition,
		n+1, n+2), append(args, q.Limit, q.Offset)...), func(r *db.Rows) { list = append(list, scanEmail(r)) })
	return list, total, err
}

// UnreadEmails counts the mails that an applicant has not read in the portal.
func (tx *Tx) UnreadEmails(applicant int64) (int64, error) {
	return tx.number("SELECT count(*) FROM email WHERE applicant_id = $1 AND read_at IS NULL", applicant)
}

// MarkEmailRead notes that an applicant has read a mail to them, unless that is known.
func (tx *Tx) MarkEmailRead(applicant, id int64) error {
	_, err := tx.exec("UPDATE email SET read_at = $1 WHERE id = $2 AND applicant_id = $3 AND read_at IS NULL", tx.Now(), id,
		applicant)
	return err
}

// FailedEmailPage returns mails to visible applicants that were given up, the last of them first.
func (tx *Tx) FailedEmailPage(seen admitto.MailsSeen, limit, offset int) (list []admitto.Email, err error) {
	err = each(tx.query("SELECT "+emailColumns+` FROM email e JOIN applicant p ON p.id = e.applicant_id
		WHERE e.failed IS NOT NULL AND e.delivered IS NULL AND p.visible`+mailsSeen(seen)+`
		ORDER BY e.failed DESC, e.id DESC LIMIT $1 OFFSET $2`, limit, offset),
		func(r *db.Rows) { list = append(list, scanEmail(r)) })
	return list, err
}

// EmailByID reads one mail, or answers NotFound. Whether its applicant is visible is not asked.
func (tx *Tx) EmailByID(id int64) (e admitto.Email, err error) {
	err = one(tx.query("SELECT "+emailColumns+" FROM email e WHERE e.id = $1", id), func(r *db.Rows) { e = scanEmail(r) })
	return e, err
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
