package maintenance

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// TakeWaiting takes into the journal what an instance has left that died between its commit and the number of its
// events, so that nobody has to write for it to be read.
func (s *Service) TakeWaiting(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.db.TakeWaiting(ctx)
}

// EndOrphans ends the leases of a process that died, on mails and on calls that were in progress, and forgets it. At
// the start of an instance that is alone on its database, before it takes requests, every lease is such a one; where
// there are others nothing can be told from outside, so the leases must run out.
func (s *Service) EndOrphans(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	if err := s.db.TakeWaiting(ctx); err != nil || s.db.Shared() {
		return err
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
