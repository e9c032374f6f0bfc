package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Letterheads lists all letterheads by ascending ID (resources.md 24.10).
func (s *Service) Letterheads(ctx context.Context, by admitto.Caller) (list []admitto.Letterhead, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Letterheads)
}

// Letterhead reads one letterhead, or answers not-found.
func (s *Service) Letterhead(ctx context.Context, by admitto.Caller, id int64) (l admitto.Letterhead, err error) {
	if err := by.Staff(); err != nil {
		return l, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Letterhead, error) { return tx.Letterhead(id) })
}
