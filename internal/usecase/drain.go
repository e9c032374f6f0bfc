package usecase

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/store"
)

// Drain works on the records that open names, one after the other, until there is none or none can be worked on. hold
// works on one under a lease; it returns false when somebody else does.
func Drain(ctx context.Context, core *Core, open func(tx *store.Tx) ([]int64, error),
	hold func(id int64) (held bool, err error)) error {
	for {
		ids, err := Get(ctx, core, open)
		if err != nil || len(ids) == 0 {
			return err
		}
		worked := false
		var failed error
		for _, id := range ids {
			held, err := hold(id)
			worked = worked || held && err == nil
			failed = errors.Join(failed, err)
		}
		if !worked || ctx.Err() != nil {
			return failed
		}
	}
}
