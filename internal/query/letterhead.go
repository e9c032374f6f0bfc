package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Letterheads lists all letterheads by ascending ID (resources.md 24.10).
func (s *Service) Letterheads(ctx context.Context, by admitto.Caller) (list []admitto.Letterhead, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err = tx.Letterheads()
		return err
	})
	return list, err
}

// Letterhead reads one letterhead, or answers not-found.
func (s *Service) Letterhead(ctx context.Context, by admitto.Caller, id int64) (l admitto.Letterhead, err error) {
	if err := by.Staff(); err != nil {
		return l, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		l, err = tx.Letterhead(id)
		return err
	})
	return l, err
}
