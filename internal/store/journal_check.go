package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// JournalCheck reads how far the chain was checked, and the check that was asked for last.
func (tx *Tx) JournalCheck() (c admitto.JournalCheck, err error) {
	err = one(tx.query(`SELECT verified, verified_at, first, last, asked, reached, finished, broken, reason FROM journal_check
		WHERE one = 1`), func(r *db.Rows) {
		c = admitto.JournalCheck{Verified: r.Int64(0), VerifiedAt: r.Time(1), From: r.Int64(2), To: r.Int64(3),
			Asked: r.Time(4), Reached: r.Int64(5), Finished: r.Time(6), Broken: r.Int64(7), Reason: r.Text(8)}
	})
	return c, err
}

// AskJournalCheck asks for a check of the records from..to and reports whether it was taken: there is one at a time.
func (tx *Tx) AskJournalCheck(from, to int64) (bool, error) {
	n, err := tx.exec(`UPDATE journal_check SET first = $1, last = $2, asked = $3, reached = $4, finished = NULL, broken = 0,
		reason = '', lease_until = 0 WHERE one = 1 AND (last = 0 OR finished IS NOT NULL)`, from, to, tx.Now(), from-1)
	return n > 0, err
}

// ClaimJournalCheck takes the check that waits until the time given, and returns the number of the lease; 0 when none
// waits or another instance works on it.
func (tx *Tx) ClaimJournalCheck(until admitto.Time) (lease int64, err error) {
	return tx.number(`UPDATE journal_check SET lease = lease + 1, lease_until = $1
		WHERE one = 1 AND last <> 0 AND finished IS NULL AND lease_until <= $2 RETURNING lease`, until, tx.Now())
}

// JournalCheckAt notes how far a check is, and keeps the lease until the time given; false when it was lost.
func (tx *Tx) JournalCheckAt(lease, reached int64, until admitto.Time) (bool, error) {
	n, err := tx.exec(`UPDATE journal_check SET reached = $2, lease_until = $3 WHERE one = 1 AND lease = $1
		AND finished IS NULL`, lease, reached, until)
	return n > 0, err
}

// FinishJournalCheck notes what a check found.
func (tx *Tx) FinishJournalCheck(lease, broken int64, reason string) error {
	_, err := tx.exec(`UPDATE journal_check SET finished = $2, broken = $3, reason = $4, lease_until = 0
		WHERE one = 1 AND lease = $1 AND finished IS NULL`, lease, tx.Now(), broken, reason)
	return err
}

// Found notes what the nightly check found in the records from..to, as that of a check that was asked for: a broken
// record, or that the one found before fits again. One under way finds it itself.
func (tx *Tx) Found(from, to, broken int64, reason string) error {
	_, err := tx.exec(`UPDATE journal_check SET first = $1, last = $2, asked = $5, reached = $2, finished = $5, broken = $3,
		reason = $4, lease_until = 0 WHERE one = 1 AND (last = 0 OR finished IS NOT NULL)
		AND ($3 <> 0 OR broken BETWEEN $1 AND $2)`, from, to, broken, reason, tx.Now())
	return err
}

// Verified notes that the records from..to fit, or that one is broken (0: none). What is verified has no gap: a range
// counts only where it goes on from there.
func (tx *Tx) Verified(from, to, broken int64) error {
	if broken != 0 {
		_, err := tx.exec("UPDATE journal_check SET verified = $1 WHERE one = 1 AND verified > $1", broken-1)
		return err
	}
	_, err := tx.exec(`UPDATE journal_check SET verified = $2, verified_at = $3 WHERE one = 1 AND verified >= $1
		AND verified <= $2`, from-1, to, tx.Now())
	return err
}

// RecordByID reads a record of the journal with the hash of the one before; NotFound when there is none.
func (tx *Tx) RecordByID(id int64) (r admitto.Record, err error) {
	if err = one(tx.query("SELECT "+recordColumns+" FROM journal j WHERE j.id = $1", id), func(rows *db.Rows) {
		scanRecord(rows, &r)
	}); err != nil {
		return r, err
	}
	r.PrevHash, err = tx.JournalHash(id - 1)
	return r, err
}

// PresentApplicants returns which of the applicants are there: neither deleted nor erased.
func (tx *Tx) PresentApplicants(ids []int64) (map[int64]bool, error) {
	present := map[int64]bool{}
	if len(ids) == 0 {
		return present, nil
	}
	err := each(tx.query("SELECT id FROM applicant WHERE visible AND "+tx.dialect.in("id", 1), ids),
		func(r *db.Rows) { present[r.Int64(0)] = true })
	return present, err
}
