package privacy

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// PurgedResources reads a page of the purge list, and how many entries match (resources.md 24.12).
func (s *Service) PurgedResources(ctx context.Context, by admitto.Caller,
	q admitto.PageQuery) (list []admitto.PurgedResource, total int64, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return list, total, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, total, err = tx.PurgedResources(q)
		return err
	})
	return list, total, err
}
