package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// RowVersion reads the row version of what a caller may change afterwards; 0 when it is not there. It tells staff and keys
// that something was changed, and not what.
func (s *Service) RowVersion(ctx context.Context, by admitto.Caller, row admitto.Row) (version int64, err error) {
	if err := by.Staff(); err != nil {
		return 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		version, err = tx.RowVersion(row)
		return err
	})
	return version, err
}
