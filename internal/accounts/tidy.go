package accounts

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// tokensKept is how long links that have ended are remembered.
const tokensKept = 30 * admitto.Day

// TidyAccounts removes what has served its time: sessions, kept forms, failed sign-ins, links of staff.
func (s *Service) TidyAccounts(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	inPortions := func(remove func(*store.Tx) (int64, error)) error {
		for {
			var n int64
			err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
				n, err = remove(tx)
				return err
			})
			if err != nil || n == 0 {
				return err
			}
		}
	}
	sessions := func(area Area) func(*store.Tx) (int64, error) {
		return func(tx *store.Tx) (int64, error) {
			idle, total := sessionLimits(s.core, area)
			begun := admitto.Time(0)
			if total != 0 {
				begun = tx.Now() - total
			}
			return tx.TidySessions(string(area), tx.Now()-idle, begun)
		}
	}
	return errors.Join(
		inPortions(sessions(Administration)),
		inPortions(sessions(Portal)),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyStash(tx.Now() - stashKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidySignInFailures(tx.Now() - failuresCount) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyAccountTokens(tx.Now() - tokensKept) }),
	)
}
