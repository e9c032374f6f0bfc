package admissions

import (
	"bytes"
	"context"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store"
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
		switch {
		case !bytes.Equal(k.BodyHash, bodyHash[:]):
			return admitto.Errorf(admitto.RepeatConflict, "This Idempotency-Key was used for a call with another body. Use a new key for a new call.")
		case k.Status == 0:
			return inProgress()
		}
		kept = &Answer{Status: k.Status, Location: k.Location}
		if k.HasBody {
			kept.Body = append([]byte{}, k.Body...)
		}
		return nil
	})
	return ticket, kept, err
}

func inProgress() error {
	return &admitto.Error{Kind: admitto.RepeatInProgress, RetryAfter: 2,
		Message: "The first call with this Idempotency-Key is still in progress. Send this call again in a moment."}
}

// EndRepeat keeps the answer of the call, or forgets the call when answer is nil.
func (o *Office) EndRepeat(ctx context.Context, t *Ticket, answer *Answer) error {
	return o.write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		if answer == nil {
			return tx.DropRepeat(t.Repeat, t.Lease)
		}
		body := answer.Body
		if body == nil {
			body = []byte{}
		}
		return tx.FinishRepeat(t.Repeat, t.Lease, answer.Status, answer.Location, body)
	})
}

// created keeps, in the transaction of a creation, that the call was answered 201 with this path, so that a
// crash before EndRepeat does not let a repetition create twice. The receiver may be nil.
func (t *Ticket) created(tx *store.Tx, path string) error {
	if t == nil {
		return nil
	}
	return tx.FinishRepeat(t.Repeat, t.Lease, 201, t.Prefix+path, nil)
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
