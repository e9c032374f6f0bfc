package admissions

import (
	"context"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store"
)

// Journal answers a list of records: count is called with the number of all matches, each for the matches in
// the order of the query, at most q.Limit (nil: they are not read). more tells whether matches are left out.
func (o *Office) Journal(ctx context.Context, q admitto.JournalQuery, count func(int64),
	each func(*admitto.Record) error) (more bool, err error) {
	err = o.read(ctx, func(tx *store.Tx) error {
		n, err := tx.CountRecords(q)
		if err != nil {
			return err
		}
		count(n)
		if each == nil {
			return nil
		}
		more, err = tx.EachRecord(q, each)
		return err
	})
	return more, err
}

// VerifyJournal recomputes the chain of records from..to (0: the end). brokenID is the first record that does
// not fit, 0 when all do. progress is called now and then with the ID reached.
func (o *Office) VerifyJournal(ctx context.Context, from, to int64, progress func(int64)) (brokenID int64, reason string, err error) {
	err = o.store.Read(ctx, func(tx *store.Tx) error {
		brokenID, reason, err = tx.VerifyJournal(from, to, progress)
		return err
	})
	return brokenID, reason, err
}

// JournalAnchor gives ID and hash of the last record, for safe keeping elsewhere.
func (o *Office) JournalAnchor(ctx context.Context) (id int64, hash string, err error) {
	err = o.store.Read(ctx, func(tx *store.Tx) error {
		id, hash, err = tx.JournalHead()
		return err
	})
	return id, hash, err
}

// JournalHash gives the hash of a record, "" when there is none; ID 0 stands before the first record.
func (o *Office) JournalHash(ctx context.Context, id int64) (hash string, err error) {
	err = o.store.Read(ctx, func(tx *store.Tx) error {
		hash, err = tx.JournalHash(id)
		return err
	})
	return hash, err
}
