package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// RowVersion reads the row version of what a caller may change afterwards; 0 when it is not there. It tells staff and
// keys that something was changed, and not what.
func (s *Service) RowVersion(ctx context.Context, by admitto.Caller, row admitto.Row) (version int64, err error) {
	if err := by.Staff(); err != nil {
		return 0, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (int64, error) { return tx.RowVersion(row) })
}
