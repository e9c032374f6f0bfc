package maintenance

import (
	"cmp"
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

const (
	// checkedAtOnce is how many records one transaction verifies, after which it is noted how far the check is.
	checkedAtOnce = 20_000
	// checkLease is how long a check belongs to the instance that works on it.
	checkLease = 1 * admitto.Minute
)

// JournalCheck is how far the chain was checked, and the check that was asked for last.
func (s *Service) JournalCheck(ctx context.Context, by admitto.Caller) (c admitto.JournalCheck, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return c, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).JournalCheck)
}

// AskJournalCheck asks for a check of the records from..to (to 0: the last one). A job does it: there is one at a time,
// and asking for another while it runs changes nothing.
func (s *Service) AskJournalCheck(ctx context.Context, by admitto.Caller, from, to int64) error {
	if err := by.Needs(admitto.JournalView); err != nil {
		return err
	}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		last, _, err := tx.JournalHead()
		if err != nil {
			return err
		}
		from := max(from, 1)
		if to == 0 || to > last {
			to = last
		}
		if from > to {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{{Path: "check.from",
				Text: message.Of("journal-no-range", from, to)}}}
		}
		_, err = tx.AskJournalCheck(from, to)
		return err
	})
	select {
	case s.checkAsked <- struct{}{}:
	default:
	}
	return err
}

// ChecksWaiting can be read from when a check of the journal was asked for.
func (s *Service) ChecksWaiting() <-chan struct{} { return s.checkAsked }

// RunJournalCheck does the check that was asked for, or goes on with one that another instance left; none is waiting
// most of the time.
func (s *Service) RunJournalCheck(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	var c admitto.JournalCheck
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		c, err = tx.JournalCheck()
		return err
	})
	if err != nil || !c.Running() {
		return err
	}
	var lease int64
	err = s.core.Write(ctx, func(tx *store.Tx) (err error) {
		if lease, err = tx.ClaimJournalCheck(tx.Now() + checkLease); err != nil {
			return err
		}
		c, err = tx.JournalCheck()
		return err
	})
	if err != nil || lease == 0 {
		return err
	}
	reached := max(c.Reached, c.From-1)
	broken, reason, err := s.verifyRange(ctx, reached+1, c.To, func(id int64) (bool, error) {
		reached = id
		kept := false
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			kept, err = tx.JournalCheckAt(lease, id, tx.Now()+checkLease)
			return err
		})
		return kept, err
	})
	lasting := context.WithoutCancel(ctx)
	if err != nil { // another instance, or the next start, goes on
		return s.core.Write(lasting, func(tx *store.Tx) error {
			_, failed := tx.JournalCheckAt(lease, reached, tx.Now())
			return failed
		})
	}
	if broken == 0 && reached < c.To {
		return nil // the lease was lost
	}
	s.logBroken(broken, reason)
	return s.core.Write(lasting, func(tx *store.Tx) error {
		if err := tx.FinishJournalCheck(lease, broken, reason); err != nil {
			return err
		}
		return tx.Verified(c.From, c.To, broken)
	})
}

// verifyRange verifies records in portions, so that no transaction lasts, and calls at after each; it stops at the
// first record that does not fit, or when at says so.
func (s *Service) verifyRange(ctx context.Context, from, to int64, at func(id int64) (bool, error)) (broken int64,
	reason string, err error) {
	for from <= to {
		end := min(from+checkedAtOnce-1, to)
		err = s.core.Read(ctx, func(tx *store.Tx) error {
			broken, reason, err = tx.VerifyJournal(from, end, func(int64) {})
			return err
		})
		if err != nil || broken != 0 {
			return broken, reason, err
		}
		if goOn, err := at(end); err != nil || !goOn {
			return 0, "", err
		}
		from = end + 1
	}
	return 0, "", nil
}

func (s *Service) logBroken(broken int64, reason string) {
	if broken != 0 {
		s.log.Error("the chain of the journal is broken", "record", broken, "reason", reason)
	}
}

// verifiedDays is how far back the nightly check of the journal goes at least.
const verifiedDays = 1*admitto.Day + 1*admitto.Hour

// CheckJournal verifies the chain of the last day's records (lifecycle.md 10.1), and what was never verified before
// them. A broken chain is logged as an error; trying again would not mend it, so it is not given back as one.
func (s *Service) CheckJournal(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	var from, last, first int64 // first is the first record that is broken
	var c admitto.JournalCheck
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if c, err = tx.JournalCheck(); err != nil {
			return err
		}
		if last, _, err = tx.JournalHead(); err != nil {
			return err
		}
		from, err = tx.FirstRecordSince(tx.Now() - verifiedDays)
		return err
	})
	if err != nil {
		return err
	}
	if from == 0 {
		from = last + 1
	}
	goOn := func(int64) (bool, error) { return true, nil }
	for _, r := range []struct{ from, to int64 }{{c.Verified + 1, from - 1}, {from, last}} {
		if r.from > r.to {
			continue
		}
		broken, reason, err := s.verifyRange(ctx, r.from, r.to, goOn)
		if err != nil {
			return err
		}
		s.logBroken(broken, reason)
		if err := s.core.Write(ctx, func(tx *store.Tx) error {
			err := tx.Verified(r.from, r.to, broken)
			if first == 0 {
				err = errors.Join(err, tx.Found(r.from, r.to, broken, reason))
			}
			return err
		}); err != nil {
			return err
		}
		first = cmp.Or(first, broken)
	}
	return nil
}
