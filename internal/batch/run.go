package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// leaseTime is how long a batch belongs to the instance that works on it without a sign of life; every record is one.
const leaseTime = 30 * admitto.Second

// Run works on the batches that are to be worked on now, one after the other, until there is none: it seals lists that
// are large, does what was released, and undoes. After a crash another instance goes on when the lease is over; what
// was done is marked in the transaction that did it.
func (s *Service) Run(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return usecase.Drain(ctx, s.core, (*store.Tx).BatchesAtWork,
		func(id int64) (bool, error) { return s.hold(ctx, by, id) })
}

// runHere works on a small batch while somebody waits for it. What keeps it from its end is left to Run.
func (s *Service) runHere(ctx context.Context, id int64) error {
	held, err := s.hold(ctx, admitto.Caller{}, id)
	if err != nil || !held {
		s.wake()
	}
	return err
}

// hold works on a batch under a lease, as long as there is something to do; held is false when somebody else does. What
// a time rule has prepared is done by the caller.
func (s *Service) hold(ctx context.Context, by admitto.Caller, id int64) (held bool, err error) {
	var lease int64
	err = s.core.Write(ctx, func(tx *store.Tx) (err error) {
		lease, err = tx.ClaimBatch(id, tx.Now()+leaseTime)
		return err
	})
	if err != nil || lease == 0 {
		return false, err
	}
	defer func() {
		lasting := context.WithoutCancel(ctx)
		err = errors.Join(err, s.core.Write(lasting, func(tx *store.Tx) error { return tx.ReleaseBatchLease(id, lease) }))
	}()
	for more := true; more && err == nil && ctx.Err() == nil; {
		more, err = s.next(ctx, by, id, lease)
	}
	return true, err
}

// next does the next piece of work on a batch under a lease, and reports whether there may be more to do now.
func (s *Service) next(ctx context.Context, job admitto.Caller, id, lease int64) (more bool, err error) {
	var b admitto.Batch
	var by admitto.Caller
	var active bool
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if b, err = tx.Batch(id); err == nil && b.State == admitto.BatchPreparing {
			by, active, err = s.actorOf(tx, job, &b)
		}
		return err
	})
	switch {
	case err != nil:
		return false, err
	case b.State == admitto.BatchPreparing && !active:
		return false, s.giveUp(ctx, id)
	case b.State == admitto.BatchPreparing:
		whole, err := s.sealPage(ctx, by, id, false)
		if _, is := refusal(err); is { // the list shows what its reader may not see any more
			return false, s.giveUp(ctx, id)
		}
		return !whole, err
	case !b.State.AtWork():
		return false, nil
	}
	step := &step{Service: s, Context: ctx, job: job, id: id, lease: lease}
	for range 2 { // a fault may be over at once
		if more, err = step.do(); err == nil || step.place == 0 || ctx.Err() != nil {
			return more, err
		}
		if why, is := refusal(err); is {
			return step.mark(admitto.RecordFailed, why)
		}
	}
	s.log.Error("a record of a batch failed", "batch", id, "place", step.place, "cause", err)
	return step.mark(admitto.RecordFailed, []message.Text{message.Of("batch-fault")})
}

// giveUp discards a list that cannot be sealed: who prepared it may not do it any more.
func (s *Service) giveUp(ctx context.Context, id int64) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		b, _, err := tx.LockBatch(id)
		if err != nil || b.State != admitto.BatchPreparing {
			return err
		}
		b.State, b.Ended, b.Why = admitto.BatchDiscarded, tx.Now(), []message.Text{message.Of("batch-not-permitted")}
		record(tx, admitto.System(), admitto.BatchDiscardedEvent, id)
		return errors.Join(tx.SetSealedTo(id, 0, true), tx.SaveBatch(&b))
	})
}

// step is the work on one record of a batch.
type step struct {
	*Service
	context.Context
	job       admitto.Caller
	id, lease int64
	place     int64 // of the record that is worked on, 0 for none
	undoing   bool
}

// actorOf is who acts in a batch now: who undoes it, or who has prepared it. For a time rule that is the job.
func (s *Service) actorOf(tx *store.Tx, job admitto.Caller, b *admitto.Batch) (by admitto.Caller, active bool,
	err error) {
	switch {
	case b.State == admitto.BatchUndoing:
		return s.core.Administrator(tx, b.UndoneBy)
	case b.PreparedBy == 0:
		return job, true, nil
	}
	return s.core.Administrator(tx, b.PreparedBy)
}

// stateOf is what the next record of a batch is in.
func stateOf(b *admitto.Batch) admitto.BatchRecordState {
	if b.State == admitto.BatchUndoing {
		return admitto.RecordDone
	}
	return admitto.RecordSealed
}

// errStop stops a batch: what a letter would say to whom is not what somebody released.
var errStop = errors.New("the recipient is another one than in the sealed list")

// do changes the next record, together with its mark.
func (p *step) do() (more bool, err error) {
	err = p.core.Write(p, func(tx *store.Tx) (err error) {
		p.place, more = 0, false
		b, lease, err := tx.LockBatch(p.id)
		if err != nil || lease != p.lease || b.State != admitto.BatchRunning && b.State != admitto.BatchUndoing {
			return err
		}
		p.undoing = b.State == admitto.BatchUndoing
		c, found, err := tx.NextBatchRecord(p.id, stateOf(&b))
		if err != nil {
			return err
		}
		if !found {
			end(tx, &b)
			return tx.SaveBatch(&b)
		}
		by, active, err := p.actorOf(tx, p.job, &b)
		if err != nil {
			return err
		}
		a, known := actionOf(b.Action)
		if !known || !active || a.permitted(by, b.Source) != nil {
			stop(tx, admitto.System(), &b, message.Of("batch-not-permitted"))
			return tx.SaveBatch(&b)
		}
		p.place = c.Place
		outcome, why, err := p.change(tx, by, &a, &b, &c)
		if errors.Is(err, errStop) {
			c.State, c.Reasons = admitto.RecordSkipped, []message.Text{message.Of("batch-other-recipient")}
			b.Skipped++
			stop(tx, admitto.System(), &b, message.Of("batch-other-recipient"))
			return errors.Join(tx.SetBatchRecord(p.id, &c), tx.SaveBatch(&b))
		}
		if err != nil {
			return err
		}
		more, err = p.settle(tx, &a, &b, &c, outcome, why)
		return err
	})
	return more, err
}

// end finishes a locked batch of which every record is settled.
func end(tx *store.Tx, b *admitto.Batch) {
	if b.State == admitto.BatchUndoing {
		b.State, b.Undone = admitto.BatchUndone, tx.Now()
		record(tx, admitto.Actor{Kind: admitto.ByAdministrator, ID: b.UndoneBy}, admitto.BatchUndoneEvent, b.ID)
		return
	}
	b.State, b.Ended, b.NotBefore = admitto.BatchFinished, tx.Now(), 0
	record(tx, admitto.System(), admitto.BatchFinishedEvent, b.ID)
}

// change does with a record what the list says, if that is still so, or puts it back.
func (p *step) change(tx *store.Tx, by admitto.Caller, a *action, b *admitto.Batch,
	c *admitto.BatchRecord) (outcome admitto.BatchRecordState, why []message.Text, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	w := p.work(p, tx, by, b)
	if p.undoing {
		if a.undo == nil {
			return admitto.RecordLeft, []message.Text{message.Of("batch-no-undo")}, nil
		}
		return admitto.RecordPutBack, nil, a.undo(w, c)
	}
	now, err := a.change(w, c.Record)
	if refused, is := refusal(err); is {
		return admitto.RecordSkipped, refused, nil
	}
	if err != nil {
		return "", nil, err
	}
	if a.letters && now.Recipient != c.Recipient {
		return "", nil, errStop
	}
	if !now.SameChange(c) {
		return admitto.RecordSkipped, []message.Text{message.Of("batch-changed")}, nil
	}
	return admitto.RecordDone, nil, a.apply(w, c)
}

// settle marks the record, counts it, and begins a pause at the end of a wave.
func (p *step) settle(tx *store.Tx, a *action, b *admitto.Batch, c *admitto.BatchRecord,
	outcome admitto.BatchRecordState, why []message.Text) (more bool, err error) {
	c.State, c.Reasons = outcome, why
	if err := tx.SetBatchRecord(p.id, c); err != nil {
		return false, err
	}
	switch outcome {
	case admitto.RecordDone:
		b.Done++
	case admitto.RecordSkipped:
		b.Skipped++
	case admitto.RecordFailed:
		b.Failed++
	case admitto.RecordPutBack:
		b.PutBack++
	case admitto.RecordLeft:
		b.LeftAsIs++
	}
	wave, err := tx.BatchWave(p.id)
	if err != nil {
		return false, err
	}
	wave++
	more = true
	set := p.core.Settings().Batch
	if a.reaches && !p.undoing && wave >= int64(set.WaveSize) {
		wave = 0
		if set.WavePauseSeconds > 0 {
			b.NotBefore, more = tx.Now()+admitto.Time(set.WavePauseSeconds)*admitto.Second, false
		}
	}
	if err := tx.KeepBatchLease(p.id, tx.Now()+leaseTime, wave); err != nil {
		return false, err
	}
	return more, tx.SaveBatch(b)
}

// mark settles the record that could not be changed, in a transaction of its own.
func (p *step) mark(state admitto.BatchRecordState, why []message.Text) (more bool, err error) {
	if p.undoing {
		state = admitto.RecordLeft
	}
	err = p.core.Write(p, func(tx *store.Tx) error {
		more = false
		b, lease, err := tx.LockBatch(p.id)
		if err != nil || lease != p.lease || b.State != admitto.BatchRunning && b.State != admitto.BatchUndoing {
			return err
		}
		c, err := tx.BatchRecord(p.id, p.place)
		if err != nil || c.State != stateOf(&b) {
			return err
		}
		a, _ := actionOf(b.Action)
		more, err = p.settle(tx, &a, &b, &c, state, why)
		return err
	})
	return more, err
}
