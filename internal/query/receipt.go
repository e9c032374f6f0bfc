package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Receipts lists the receipts of an application, the oldest first; not-found without it.
func (s *Service) Receipts(ctx context.Context, by admitto.Caller, application int64) (list []admitto.Receipt,
	err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		list, err = tx.Receipts(application)
		return err
	})
	return list, err
}
