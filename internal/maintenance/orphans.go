package maintenance

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// EndOrphans ends the leases of a process that died, on mails and on calls that were in progress, and forgets it. At
// the start of an instance that is alone on its database, before it takes requests, every lease is such a one; where
// there are others nothing can be told from outside, so the leases must run out.
func (s *Service) EndOrphans(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	if s.db.Shared() {
		return nil
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.FreeOutbox(tx.Now() + s.notify.LeaseTime()); err != nil {
			return err
		}
		if err := tx.TidyReports(tx.Now() + 1); err != nil { // those who said so are dead
			return err
		}
		return tx.FreeIdempotencyRecords()
	})
}
