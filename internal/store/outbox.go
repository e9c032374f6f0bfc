package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// OutboxRow is a mail on its way. Sealed is the rendered message, readable with the instance key only.
type OutboxRow struct {
	ID, Applicant, Email int64
	Kind, Template       string
	Created              admitto.Time
	Sealed               []byte
	Lease                int64
	LeaseUntil           admitto.Time
	// the same for all mails to one address, which leave in their order; 0: the row waits for none
	Recipient int64
}

// The kinds of mails on their way: welcome mails that a caller waits for (lifecycle.md 8.2), and all others (8.1).
// MailRequest is what somebody who is not signed in asked for by an address; which mail that is comes later.
const (
	WelcomeSync  = "welcome-sync"
	OrdinaryMail = "mail"
	MailRequest  = "request"
)

// InsertOutbox stores a mail on its way and returns its ID; the row is worked on under its lease 1.
func (tx *Tx) InsertOutbox(o *OutboxRow) (int64, error) {
	return tx.insert(`INSERT INTO outbox (kind, template, applicant_id, email_id, created, sealed, lease, lease_until)
		VALUES ($1, $2, $3, $4, $5, $6, 1, $7) RETURNING id`,
		o.Kind, o.Template, columns.OrNull(o.Applicant), columns.OrNull(o.Email), o.Created, o.Sealed, o.LeaseUntil)
}

// lookAt is how many rows that are due LeaseOutbox looks at.
const lookAt = 16

// LeaseOutbox takes over at most n rows of a kind whose lease ends by the time expired, until the time given. A row
// waits while an earlier one to the same recipient is there (lifecycle.md 8.1), leased or between two tries, and then
// at least as long as that one, so that nobody looks at it again and again; DeleteOutbox ends its wait. When nothing
// was taken and more is set, all that was looked at waits now, and what is behind it may be due.
//
// The rows are locked before the earlier ones are looked for: an earlier row that leaves after that ends their wait
// after this transaction, and one that left before is seen to be gone.
func (tx *Tx) LeaseOutbox(kind string, n int, expired, until admitto.Time) (list []OutboxRow, more bool, err error) {
	var due []int64
	err = each(tx.query("SELECT id FROM outbox WHERE kind = $1 AND lease_until <= $2 ORDER BY lease_until, id LIMIT $3"+
		tx.dialect.skipLocked, kind, expired, max(n, lookAt)), func(r *db.Rows) { due = append(due, r.Int64(0)) })
	if err != nil || len(due) == 0 {
		return nil, false, err
	}
	// MATERIALIZED: the rows are chosen once; PostgreSQL might run a mere sub-select again and again.
	rows := tx.query(`WITH first AS MATERIALIZED (SELECT o.id FROM outbox o WHERE `+tx.dialect.in("o.id", 1)+`
			AND NOT EXISTS (SELECT 1 FROM outbox e WHERE e.recipient = o.recipient AND e.id < o.id) ORDER BY o.lease_until, o.id LIMIT $3)
		UPDATE outbox SET lease = lease + 1, lease_until = $2 WHERE id IN (SELECT id FROM first)
		RETURNING id, kind, template, applicant_id, email_id, created, sealed, lease, lease_until`, due, until, n)
	err = each(rows, func(r *db.Rows) {
		list = append(list, OutboxRow{ID: r.Int64(0), Kind: r.Text(1), Template: r.Text(2), Applicant: r.Int64(3),
			Email:   r.Int64(4),
			Created: r.Time(5), Sealed: r.Bytes(6), Lease: r.Int64(7), LeaseUntil: r.Time(8)})
	})
	if err != nil || len(list) == n || len(list) == len(due) {
		return list, true, err
	}
	_, err = tx.exec(`UPDATE outbox AS o SET lease_until = coalesce((SELECT e.lease_until FROM outbox e WHERE e.lease_until > $2
			AND e.id = (SELECT min(f.id) FROM outbox f WHERE f.recipient = o.recipient)), $2)
		WHERE `+tx.dialect.in("o.id", 1)+" AND lease_until <= $3", due, until, expired)
	return list, true, err
}

// FreeOutbox ends every lease that runs out by the time given, so that the rows can be taken at once.
func (tx *Tx) FreeOutbox(by admitto.Time) error {
	_, err := tx.exec("UPDATE outbox SET lease_until = $1 WHERE lease_until > $1 AND lease_until <= $2", tx.Now(), by)
	return err
}

// HoldsLease locks an outbox row and reports whether it is still under the lease.
func (tx *Tx) HoldsLease(id, lease int64) (bool, error) {
	n, err := tx.number("SELECT id FROM outbox WHERE id = $1 AND lease = $2"+tx.forUpdate(lockOutbox, id), id, lease)
	return n != 0, err
}

// NextTryOf returns when a mail that waits is taken again at the earliest, 0 for one that does not wait.
func (tx *Tx) NextTryOf(email int64) (at admitto.Time, err error) {
	err = each(tx.query("SELECT lease_until FROM outbox WHERE email_id = $1", email),
		func(r *db.Rows) { at = r.Time(0) })
	return at, err
}

// PostponeOutbox ends the lease early or late: the row is taken again at the time given.
func (tx *Tx) PostponeOutbox(id int64, until admitto.Time) error {
	_, err := tx.exec("UPDATE outbox SET lease_until = $2 WHERE id = $1", id, until)
	return err
}

// DeleteOutbox removes a row that has left or failed, and with it the sealed text. The next one to the same recipient
// is free from then on, if it was never tried; one that was tried has its own time.
func (tx *Tx) DeleteOutbox(id int64) error {
	err := tx.queue(`UPDATE outbox SET lease_until = 0 WHERE lease = 0 AND id = (SELECT min(n.id) FROM outbox n
		JOIN outbox o ON n.recipient = o.recipient AND n.id > o.id WHERE o.id = $1)`, id)
	if err != nil {
		return err
	}
	return tx.queue("DELETE FROM outbox WHERE id = $1", id)
}

// InsertEmail stores the copy of a mail and returns its ID.
func (tx *Tx) InsertEmail(e *admitto.Email) (int64, error) {
	return tx.insert(insertEmail+" RETURNING id", columns.Email.New(e)...)
}

// KeepEmail is InsertEmail for those who do not ask for the ID.
func (tx *Tx) KeepEmail(e *admitto.Email) error {
	return tx.queue(insertEmail, columns.Email.New(e)...)
}

var (
	insertEmail           = columns.Email.Insert()
	insertEmailAttachment = columns.EmailAttachment.Insert()
)

// ClaimMailKey reports whether this is the first mail with the key, which names its template, its subject and the
// occurrence (lifecycle.md 8.1).
func (tx *Tx) ClaimMailKey(key string) (bool, error) {
	n, err := tx.exec("INSERT INTO mail_key (key, queued) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING", key, tx.Now())
	return n == 1, err
}

// QueueMail stores an ordinary mail, free to be taken at once, and returns its ID.
func (tx *Tx) QueueMail(o *OutboxRow) (int64, error) {
	tx.mails = append(tx.mails, *o)
	return tx.insert(`INSERT INTO outbox (kind, template, applicant_id, email_id, created, sealed, recipient, lease, lease_until)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0) RETURNING id`,
		o.Kind, o.Template, columns.OrNull(o.Applicant), columns.OrNull(o.Email), o.Created, o.Sealed,
		columns.OrNull(o.Recipient))
}

// AttachToEmail stores what is known of a file that goes with a mail.
func (tx *Tx) AttachToEmail(email int64, f *admitto.File) error {
	file := admitto.File{Owner: email, Uploaded: tx.Now(), Name: f.Name, MIME: f.MIME, Size: f.Size, Hash: f.Hash}
	_, err := tx.exec(insertEmailAttachment, columns.EmailAttachment.New(&file)...)
	return err
}
