package maintenance

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// VerifyJournal recomputes the chain of records from..to (0: the end). brokenID is the first record that does
// not fit, 0 when all do. progress is called now and then with the ID reached.
func (s *Service) VerifyJournal(ctx context.Context, by admitto.Caller, from, to int64,
	progress func(int64)) (brokenID int64, reason string, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return brokenID, reason, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		brokenID, reason, err = tx.VerifyJournal(from, to, progress)
		return err
	})
	return brokenID, reason, err
}

// JournalAnchor returns ID and hash of the last record, for safe keeping elsewhere.
func (s *Service) JournalAnchor(ctx context.Context, by admitto.Caller) (id int64, hash string, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return id, hash, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		id, hash, err = tx.JournalHead()
		return err
	})
	return id, hash, err
}

// JournalHash returns the hash of a record, "" when there is none; ID 0 stands before the first record.
func (s *Service) JournalHash(ctx context.Context, by admitto.Caller, id int64) (hash string, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return hash, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (string, error) { return tx.JournalHash(id) })
}
