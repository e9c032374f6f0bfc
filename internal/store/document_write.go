package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// CountDocuments tells how many documents an application has, without those in the trash.
func (tx *Tx) CountDocuments(application int64) (int64, error) {
	return tx.number("SELECT count(*) FROM document WHERE application_id = $1 AND trashed IS NULL", application)
}

// InsertDocument stores what is known of a document of the application f.Owner, attached to a task or not (0), and
// returns its ID.
func (tx *Tx) InsertDocument(f *admitto.File, task int64) (int64, error) {
	return tx.insert(insertDocument, columns.Document.New(f, columns.OrNull(task), nil)...)
}

// TaskOfDocument returns the task that a document is attached to, 0 for none.
func (tx *Tx) TaskOfDocument(document int64) (int64, error) {
	return tx.number("SELECT coalesce(task_id, 0) FROM document WHERE id = $1", document)
}

// SetUnread notes whether a document waits to be opened by staff for the first time.
func (tx *Tx) SetUnread(document int64, unread bool) error {
	_, err := tx.exec("UPDATE document SET unread = $2 WHERE id = $1", document, unread)
	return err
}

// IsUnread reports whether a document of an application waits to be opened by staff for the first time.
func (tx *Tx) IsUnread(application, document int64) (bool, error) {
	n, err := tx.number("SELECT count(*) FROM document WHERE id = $1 AND application_id = $2 AND unread AND trashed IS NULL",
		document, application)
	return n > 0, err
}

// TrashDocument makes a document as if it were not there.
func (tx *Tx) TrashDocument(id int64) error {
	_, err := tx.exec("UPDATE document SET trashed = $2 WHERE id = $1", id, tx.Now())
	return err
}

// Who stores bytes holds their row of loose_file meanwhile.

// HoldFile notes that the bytes with the hash are being stored, before they are. held is false, and nothing is noted,
// while somebody removes the same bytes.
func (tx *Tx) HoldFile(hash string) (held bool, err error) {
	n, err := tx.exec(`INSERT INTO loose_file (hash, since, holders) VALUES ($1, $2, 1)
		ON CONFLICT (hash) DO UPDATE SET since = excluded.since, holders = loose_file.holders + 1, removing = NULL
		WHERE loose_file.removing IS NULL OR loose_file.removing <= $2`, hash, tx.Now())
	return n > 0, err
}

// ClaimRemoval notes that the bytes with the hash are being removed until the time given, unless somebody does so
// already.
func (tx *Tx) ClaimRemoval(hash string, until admitto.Time) (claimed bool, err error) {
	n, err := tx.exec("UPDATE loose_file SET removing = $2 WHERE hash = $1 AND (removing IS NULL OR removing <= $3)", hash,
		until, tx.Now())
	return n > 0, err
}

// EndRemoval ends what ClaimRemoval began, if it is still under that claim: removed bytes are known no longer, others
// stay loose.
func (tx *Tx) EndRemoval(hash string, until admitto.Time, removed bool) error {
	change := "UPDATE loose_file SET removing = NULL"
	if removed {
		change = "DELETE FROM loose_file"
	}
	_, err := tx.exec(change+" WHERE hash = $1 AND removing = $2", hash, until)
	return err
}

// LoosenFile notes that a reference to the bytes with the hash is gone.
func (tx *Tx) LoosenFile(hash string) error {
	_, err := tx.exec(`INSERT INTO loose_file (hash, since) VALUES ($1, $2) ON CONFLICT (hash) DO UPDATE SET since = excluded.since`,
		hash, tx.Now())
	return err
}

// FileKept notes that something refers to the bytes with the hash from now on.
func (tx *Tx) FileKept(hash string) error {
	_, err := tx.exec("DELETE FROM loose_file WHERE hash = $1", hash)
	return err
}

// HoldsFile reports whether the bytes with the hash are loose and stay for now.
func (tx *Tx) HoldsFile(hash string) (is bool, err error) {
	err = each(tx.query("SELECT hash FROM loose_file WHERE hash = $1 AND removing IS NULL"+tx.forUpdate(lockFile, 0),
		hash),
		func(*db.Rows) { is = true })
	return is, err
}

// LetFileGo ends one hold and reports whether it was the last; the row stays locked, and the one who wants to store the
// same bytes waits.
func (tx *Tx) LetFileGo(hash string) (last bool, err error) {
	err = each(tx.query("UPDATE loose_file SET holders = holders - 1 WHERE hash = $1 AND holders > 0 RETURNING holders",
		hash),
		func(r *db.Rows) { last = r.Int64(0) == 0 })
	return last, err
}

// LooseFiles returns at most n hashes behind after, by hash, that have been loose since the time or longer.
func (tx *Tx) LooseFiles(since admitto.Time, after string, n int) (list []string, err error) {
	err = each(tx.query("SELECT hash FROM loose_file WHERE since <= $1 AND hash > $2 ORDER BY hash LIMIT $3", since, after,
		n),
		func(r *db.Rows) { list = append(list, r.Text(0)) })
	return list, err
}

// LockLooseFile locks the row of the hash and reports whether it has been loose since the time or longer. The one who
// wants to store the same bytes waits until the transaction ends.
func (tx *Tx) LockLooseFile(hash string, since admitto.Time) (is bool, err error) {
	err = each(tx.query("SELECT hash FROM loose_file WHERE hash = $1 AND since <= $2"+tx.forUpdate(lockFile, 0), hash,
		since),
		func(*db.Rows) { is = true })
	return is, err
}

// RefersToFile reports whether anything that is kept refers to the bytes with the hash, the letters as they were sent
// among it.
func (tx *Tx) RefersToFile(hash string) (bool, error) {
	n, err := tx.number(`SELECT CASE WHEN EXISTS (SELECT 1 FROM document WHERE hash = $1)
		OR EXISTS (SELECT 1 FROM offer_attachment WHERE hash = $1) OR EXISTS (SELECT 1 FROM email_attachment WHERE hash = $1)
		OR EXISTS (SELECT 1 FROM applicant_photo WHERE hash = $1) OR EXISTS (SELECT 1 FROM export_blob WHERE hash = $1)
		OR EXISTS (SELECT 1 FROM data_export WHERE hash = $1 AND hash <> '')
		OR EXISTS (SELECT 1 FROM own_data_export WHERE hash = $1 AND hash <> '')
		OR EXISTS (SELECT 1 FROM setting WHERE name = 'portal.logo' AND value LIKE $1 || '.%')
		OR EXISTS (SELECT 1 FROM offer_confirmation WHERE attachments <> '[]' AND attachments LIKE '%' || $1 || '%')
		THEN 1 ELSE 0 END`, hash)
	return n == 1, err
}

// HasMailToOthers reports whether a mail is on its way that is not among anybody's e-mails. What it is sealed in may
// refer to any file.
func (tx *Tx) HasMailToOthers() (bool, error) {
	n, err := tx.number("SELECT CASE WHEN EXISTS (SELECT 1 FROM outbox WHERE kind = $1 AND email_id IS NULL) THEN 1 ELSE 0 END", OrdinaryMail)
	return n == 1, err
}
