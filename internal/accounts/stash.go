package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// What is kept of forms that could not be saved (screens.md U8): for how long, how many of an account, and how large.
const (
	stashKept  = 24 * admitto.Hour
	stashCount = 20
	// MaxStash is the most bytes that are kept of one form.
	MaxStash = 1 << 20
)

// KeepForm keeps what an account has typed into the form at a path, in the place of what was kept of it. The page that
// calls it knows from a signed field whose form it was: often nobody is signed in any more.
func (s *Service) KeepForm(ctx context.Context, area Area, account int64, path string, form []byte) error {
	if len(form) > MaxStash {
		return admitto.Refused(admitto.TooLarge, message.Of("form-too-large", MaxStash))
	}
	sealed := s.key.Seal(stashPurpose(area, account), form)
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.KeepStash(string(area), account, path, sealed); err != nil {
			return err
		}
		return tx.TrimStash(string(area), account, stashCount)
	})
}

// stashPurpose seals what is kept for one account alone.
func stashPurpose(area Area, account int64) string { return fmt.Sprintf("stash %s %d", area, account) }

// KeptForm returns what was kept of the form at a path; nil when there is nothing.
func (s *Service) KeptForm(ctx context.Context, area Area, account int64, path string) (form []byte, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		form, err = tx.Stash(string(area), account, path, tx.Now()-stashKept)
		return err
	})
	if err != nil || form == nil {
		return nil, err
	}
	return s.key.Open(stashPurpose(area, account), form)
}

// DropForm forgets what was kept of the form at a path.
func (s *Service) DropForm(ctx context.Context, area Area, account int64, path string) error {
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.DropStash(string(area), account, path) })
}

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
