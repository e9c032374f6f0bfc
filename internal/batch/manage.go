package batch

import (
	"context"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
)

// waitAlone is how long the only administrator who may release batches waits after typing the count.
const waitAlone = 10 * admitto.Minute

// ofState refuses what the state of a batch does not allow.
func ofState(b *admitto.Batch, states ...admitto.BatchState) error {
	if slices.Contains(states, b.State) {
		return nil
	}
	return left(message.Of("batch-not-now"))
}

// Release lets a sealed batch run (lifecycle.md 11.3). typed is its size as the administrator typed it, which more than
// AtOnce records need, and 0 otherwise. A batch that needs a second person begins to wait when the one who prepared it
// releases it; if nobody else may release batches, that person releases it alone, after typing the count and waiting.
//
// Errors: not-found; not-permitted; invalid-parameter (batch.count); not-allowed-now for another state, an empty list,
// and while the batch waits for somebody else.
func (s *Service) Release(ctx context.Context, by admitto.Caller, id, typed int64) (b admitto.Batch, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return b, err
	}
	return s.changing(ctx, by, id, func(tx *store.Tx, b *admitto.Batch) error {
		if err := ofState(b, admitto.BatchPrepared, admitto.BatchWaiting); err != nil {
			return err
		}
		a, known := actionOf(b.Action)
		if !known || b.Size == 0 {
			return left(message.Of("batch-empty"))
		}
		own := b.IsOf(by.Actor.ID)
		if own {
			if err := a.permitted(by, b.Source); err != nil {
				return err
			}
		}
		if b.Size > AtOnce && typed != b.Size {
			return admitto.Refuse(admitto.InvalidParameter, "batch.count", "", message.Of("batch-count", b.Size))
		}
		second, _, err := s.needsSecond(tx, &a, b)
		if err != nil {
			return err
		}
		if own && second {
			return s.releaseOwn(tx, by, &a, b, typed)
		}
		release(tx, by.Actor, b)
		return nil
	})
}

// release lets a locked batch run.
func release(tx *store.Tx, actor admitto.Actor, b *admitto.Batch) {
	b.State, b.Released, b.ReleasedBy = admitto.BatchRunning, tx.Now(), actor.ID
	record(tx, actor, admitto.BatchReleasedEvent, b.ID)
}

// releaseOwn is what happens when the one who prepared a batch releases it, and a second person is needed.
func (s *Service) releaseOwn(tx *store.Tx, by admitto.Caller, a *action, b *admitto.Batch, typed int64) error {
	others, err := s.otherReleasers(tx, b)
	if err != nil {
		return err
	}
	alone := len(others) == 0 && by.Has(admitto.BatchesRelease)
	switch {
	case alone && b.Counted == 0:
		if typed != b.Size {
			return admitto.Refuse(admitto.InvalidParameter, "batch.count", "", message.Of("batch-count", b.Size))
		}
		b.State, b.Counted = admitto.BatchWaiting, tx.Now()
		return nil
	case alone:
		if err := waited(tx, b.Counted); err != nil {
			return err
		}
		b.Alone = true
		release(tx, by.Actor, b)
		return nil
	case b.State == admitto.BatchWaiting:
		return left(message.Of("batch-second-person"))
	}
	b.State = admitto.BatchWaiting
	return s.tellReleasers(tx, a, b, others)
}

// tellReleasers writes to those who may release a batch that waits.
func (s *Service) tellReleasers(tx *store.Tx, a *action, b *admitto.Batch, others []admitto.Administrator) error {
	for _, other := range others {
		title := a.title.String()
		if _, err := s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindAdminReleaseWaiting,
			To: &mail.Address{Name: other.Name, Email: other.Email}, Record: b.ID,
			Occurrence: strconv.FormatInt(other.ID, 10), Values: mail.Values{
				mail.BatchID: strconv.FormatInt(b.ID, 10), mail.BatchTitle: title,
				mail.BatchSize: strconv.FormatInt(b.Size, 10), mail.BatchLink: s.core.Links().Batch(b.ID)}}); err != nil {
			return err
		}
	}
	return nil
}

// otherReleasers are the active administrators who may release a batch that is not theirs.
func (s *Service) otherReleasers(tx *store.Tx, b *admitto.Batch) (list []admitto.Administrator, err error) {
	list, err = s.core.Administrators(tx, admitto.BatchesRelease)
	return slices.DeleteFunc(list, func(a admitto.Administrator) bool { return b.IsOf(a.ID) }), err
}

// Discard ends a batch that was not released: nothing has changed. Errors: not-found, not-permitted, not-allowed-now.
func (s *Service) Discard(ctx context.Context, by admitto.Caller, id int64) (b admitto.Batch, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return b, err
	}
	return s.changing(ctx, by, id, func(tx *store.Tx, b *admitto.Batch) error {
		if err := ofState(b, admitto.BatchPreparing, admitto.BatchPrepared, admitto.BatchWaiting); err != nil {
			return err
		}
		b.State, b.Ended = admitto.BatchDiscarded, tx.Now()
		record(tx, by.Actor, admitto.BatchDiscardedEvent, id)
		return tx.SetSealedTo(id, 0, true)
	})
}

// Stop ends the work on a running batch before its next record. Errors: not-found, not-permitted, not-allowed-now.
func (s *Service) Stop(ctx context.Context, by admitto.Caller, id int64) (b admitto.Batch, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return b, err
	}
	return s.changing(ctx, by, id, func(tx *store.Tx, b *admitto.Batch) error {
		if err := ofState(b, admitto.BatchRunning); err != nil {
			return err
		}
		stop(tx, by.Actor, b)
		return nil
	})
}

// stop stops a locked batch, with why where nobody has asked for it.
func stop(tx *store.Tx, actor admitto.Actor, b *admitto.Batch, why ...message.Text) {
	b.State, b.Ended, b.Why, b.NotBefore = admitto.BatchStopped, tx.Now(), why, 0
	record(tx, actor, admitto.BatchStoppedEvent, b.ID)
}

// Resume goes on with a batch that was stopped. One that needs a second person goes on by such a one, as it was
// released; who alone may release batches goes on with what was released alone, or waits after the stop. Errors:
// not-found, not-permitted, not-allowed-now.
func (s *Service) Resume(ctx context.Context, by admitto.Caller, id int64) (b admitto.Batch, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return b, err
	}
	return s.changing(ctx, by, id, func(tx *store.Tx, b *admitto.Batch) error {
		if err := ofState(b, admitto.BatchStopped); err != nil {
			return err
		}
		if err := s.mayResume(tx, by, b); err != nil {
			return err
		}
		b.State, b.Ended, b.Why = admitto.BatchRunning, 0, nil
		record(tx, by.Actor, admitto.BatchResumedEvent, id)
		return nil
	})
}

// mayResume refuses to go on with a stopped batch that needs a second person to the one who prepared it.
func (s *Service) mayResume(tx *store.Tx, by admitto.Caller, b *admitto.Batch) error {
	a, _ := actionOf(b.Action)
	second, _, err := s.needsSecond(tx, &a, b)
	if err != nil || !second || !b.IsOf(by.Actor.ID) {
		return err
	}
	others, err := s.otherReleasers(tx, b)
	switch {
	case err != nil:
		return err
	case len(others) > 0 || !by.Has(admitto.BatchesRelease):
		return left(message.Of("batch-second-person"))
	case b.Alone:
		return nil
	}
	if err := waited(tx, b.Ended); err != nil {
		return err
	}
	b.Alone = true
	return nil
}

// waited refuses who releases a batch alone before the time is over that must pass since then.
func waited(tx *store.Tx, since admitto.Time) error {
	rest := since + waitAlone - tx.Now()
	if rest <= 0 {
		return nil
	}
	return left(message.Of("batch-wait", int64((rest+admitto.Minute-1)/admitto.Minute)))
}

// Undo begins to put back what a batch has changed, where nobody has changed it since. Errors: not-found,
// not-permitted, not-allowed-now when it cannot be undone (any more).
func (s *Service) Undo(ctx context.Context, by admitto.Caller, id int64) (b admitto.Batch, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return b, err
	}
	b, err = s.changing(ctx, by, id, func(tx *store.Tx, b *admitto.Batch) error {
		if err := s.mayUndo(tx, by, b); err != nil {
			return err
		}
		b.State, b.UndoneBy, b.Why = admitto.BatchUndoing, by.Actor.ID, nil
		return nil
	})
	if err == nil && b.Done <= AtOnce {
		err = s.runHere(ctx, id)
	}
	return b, err
}

func (s *Service) mayUndo(tx *store.Tx, by admitto.Caller, b *admitto.Batch) error {
	if err := ofState(b, admitto.BatchStopped, admitto.BatchFinished); err != nil {
		return err
	}
	a, known := actionOf(b.Action)
	switch {
	case !known || a.undo == nil:
		return left(message.Of("batch-no-undo"))
	case b.Done == 0:
		return left(message.Of("batch-nothing-done"))
	case tx.Now() > b.Ended+admitto.Time(s.core.Settings().Batch.UndoDays)*admitto.Day:
		return left(message.Of("batch-undo-over", s.core.Settings().Batch.UndoDays))
	}
	if err := a.permitted(by, b.Source); err != nil {
		return err
	}
	for _, p := range a.undoing {
		if err := by.Needs(p); err != nil {
			return err
		}
	}
	return nil
}
