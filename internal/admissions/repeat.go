package admissions

import (
	"bytes"
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// repeatKept is how long an answer is kept for Idempotency-Key (conventions.md 3).
const repeatKept = 24 * admitto.Hour

// repeatLease is how long a call may be in progress before a repetition may start over. The longest wait in it is that
// for the mail upstream.
func (o *Office) repeatLease() admitto.Time { return o.leaseTime() + 20*admitto.Second }

// Ticket stands for one call that carries an Idempotency-Key.
type Ticket struct {
	store.Repeat
	Lease  int64
	Prefix string // of Location: "/api/v9"
}

// Answer is what a repeated call gets again. Body nil means that it was lost in a crash: the answer is then
// the present representation of Location.
type Answer struct {
	Status   int
	Location string
	Body     []byte
}

// BeginRepeat claims the call. It answers either a ticket, which must be ended by EndRepeat, or the kept
// answer of an earlier call with the same body. Errors: idempotency-conflict, idempotency-in-progress.
func (o *Office) BeginRepeat(ctx context.Context, call store.Repeat, prefix string, bodyHash [32]byte) (ticket *Ticket, kept *Answer, err error) {
	err = o.write(ctx, func(tx *store.Tx) error {
		ticket, kept = nil, nil
		k, found, err := tx.KeptAnswer(call)
		if err != nil {
			return err
		}
		stale := found && (k.Expires <= tx.Now() || k.Status == 0 && k.LeaseUntil <= tx.Now())
		if stale {
			if err := tx.ForgetRepeat(call); err != nil {
				return err
			}
		}
		if !found || stale {
			// Above every lease this call ever had, also when its row was dropped in between: whoever comes
			// back late must not find their number on somebody else's row.
			lease := max(k.Lease+1, int64(tx.Now()))
			claimed, err := tx.ClaimRepeat(call, bodyHash[:], lease, tx.Now()+o.repeatLease(), tx.Now()+repeatKept)
			if err != nil {
				return err
			}
			if !claimed {
				return inProgress()
			}
			ticket = &Ticket{Repeat: call, Lease: lease, Prefix: prefix}
			return nil
		}
		kept, err = answerOf(&k, bodyHash)
		return err
	})
	return ticket, kept, err
}

// answerOf is the kept answer for a call with the body.
func answerOf(k *store.Kept, bodyHash [32]byte) (*Answer, error) {
	switch {
	case !bytes.Equal(k.BodyHash, bodyHash[:]):
		return nil, admitto.Errorf(admitto.RepeatConflict, "This Idempotency-Key was used for a call with another body. Use a new key for a new call.")
	case k.Status == 0:
		return nil, inProgress()
	}
	kept := &Answer{Status: k.Status, Location: k.Location}
	if k.HasBody {
		kept.Body = append([]byte{}, k.Body...)
	}
	return kept, nil
}

// RepeatOutcome gives the kept answer of a call that was taken over from the ticket; nil when nothing is known of it
// any more. Errors: idempotency-in-progress, idempotency-conflict.
func (o *Office) RepeatOutcome(ctx context.Context, t *Ticket, bodyHash [32]byte) (kept *Answer, err error) {
	err = o.write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		k, found, err := tx.KeptAnswer(t.Repeat)
		if kept = nil; err != nil || !found {
			return err
		}
		kept, err = answerOf(&k, bodyHash)
		return err
	})
	return kept, err
}

func inProgress() error {
	return &admitto.Error{Kind: admitto.RepeatInProgress, RetryAfter: 2,
		Message: "The first call with this Idempotency-Key is still in progress. Send this call again in a moment."}
}

// EndRepeat keeps the answer of the call, or forgets the call when answer is nil and none was kept. held is false when
// the call was taken over meanwhile, or has its answer already.
func (o *Office) EndRepeat(ctx context.Context, t *Ticket, answer *Answer) (held bool, err error) {
	err = o.write(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		if answer == nil {
			held, err = tx.DropRepeat(t.Repeat, t.Lease)
			return err
		}
		body := answer.Body
		if body == nil {
			body = []byte{}
		}
		held, err = tx.FinishRepeat(t.Repeat, t.Lease, answer.Status, answer.Location, body)
		return err
	})
	return held, err
}

// answered keeps, in the transaction of what the call does, how it is answered: a crash before EndRepeat does not let a
// repetition do it again. A call that took longer than its lease and was taken over gets an error, which undoes the
// transaction: the one that took it over does it. path is empty for an answer without Location; the receiver may be nil.
func (t *Ticket) answered(tx *store.Tx, status int, path string) error {
	if t == nil {
		return nil
	}
	if path != "" {
		path = t.Prefix + path
	}
	held, err := tx.FinishRepeat(t.Repeat, t.Lease, status, path, nil)
	if err == nil && !held {
		err = inProgress()
	}
	return err
}

// created is answered for a creation.
func (t *Ticket) created(tx *store.Tx, path string) error { return t.answered(tx, 201, path) }

// done is answered for an action, which has nothing to show.
func (t *Ticket) done(tx *store.Tx) error { return t.answered(tx, 204, "") }

// renewed begins the lease again, in the transaction before a wait, and refuses as answered does.
func (t *Ticket) renewed(tx *store.Tx, until admitto.Time) error {
	if t == nil {
		return nil
	}
	held, err := tx.RenewRepeat(t.Repeat, t.Lease, until)
	if err == nil && !held {
		err = inProgress()
	}
	return err
}

// settled is created for what can no longer be undone. Who took the call over learns of it as of any other that is there.
func (t *Ticket) settled(tx *store.Tx, path string) error {
	err := t.created(tx, path)
	if admitto.KindOf(err) == admitto.RepeatInProgress {
		return nil
	}
	return err
}

// TidyRepeats forgets kept answers whose time is over.
func (o *Office) TidyRepeats(ctx context.Context) error {
	for {
		var n int64
		err := o.write(ctx, func(tx *store.Tx) (err error) {
			n, err = tx.TidyRepeats()
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// RepeatOf identifies a call by API key, method, path and the client's token.
func RepeatOf(apiKey int64, method, path, token string) store.Repeat {
	return store.Repeat{APIKey: apiKey, Method: method, Path: path, Token: token}
}
