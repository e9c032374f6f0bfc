package apikey

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// repeatKept is how long an answer is kept for Idempotency-Key (conventions.md 3).
const repeatKept = 24 * admitto.Hour

// repeatLease is how long a call may be in progress before a repetition may start over. The longest wait in it is that
// for the mail server.
func (s *Service) repeatLease() admitto.Time { return s.notify.LeaseTime() + 20*admitto.Second }

// IdempotencyRecord stands for one call that carries an Idempotency-Key. It is the hook of the call, which keeps, in
// the transaction of what the call does, how it is answered: a crash before EndIdempotent does not let a repetition do
// it again. A call that took longer than its lease and was taken over gets an error, which undoes the transaction: the
// one that took it over does it.
type IdempotencyRecord struct {
	store.IdempotentCall
	Lease int64
	Answers
	renew admitto.Time // how long the lease is
}

// Answers say how an interface answers a call that has succeeded.
type Answers struct {
	Made, Found, Done int    // the statuses after something was made, was found made already, was done
	Place             string // of what was made or found, with {id} for its ID
	Prefix            string // of the places of applicants; earlier binaries read it of a waiting mail instead of Place
}

// KeptAnswer is what a repeated call gets again. Body nil means that it was lost in a crash: the answer is then
// the current representation of Location.
type KeptAnswer struct {
	Status   int
	Location string
	Body     []byte
}

// BeginIdempotent claims the call. It returns either a record, which must be ended by EndIdempotent, or the kept
// answer of an earlier call with the same body. Errors: idempotency-conflict, idempotency-in-progress.
func (s *Service) BeginIdempotent(ctx context.Context, call store.IdempotentCall, answers Answers,
	bodyHash [32]byte) (record *IdempotencyRecord, kept *KeptAnswer, err error) {
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		record, kept = nil, nil
		k, found, err := tx.IdempotencyRecord(call)
		if err != nil {
			return err
		}
		stale := found && (k.Expires <= tx.Now() || k.Status == 0 && k.LeaseUntil <= tx.Now())
		if stale {
			if err := tx.ForgetIdempotencyRecord(call); err != nil {
				return err
			}
		}
		if !found || stale {
			// Above every lease this call ever had, also when its row was dropped in between: the one who comes
			// back late must not find their number on somebody else's row.
			lease := max(k.Lease+1, int64(tx.Now()))
			claimed, err := tx.ClaimIdempotencyRecord(call, bodyHash[:], lease, tx.Now()+s.repeatLease(), tx.Now()+repeatKept)
			if err != nil {
				return err
			}
			if !claimed {
				return inProgress()
			}
			record = &IdempotencyRecord{IdempotentCall: call, Lease: lease, Answers: answers, renew: s.repeatLease()}
			return nil
		}
		kept, err = answerOf(&k, bodyHash)
		return err
	})
	return record, kept, err
}

// answerOf returns the kept answer for a call with the body.
func answerOf(k *store.IdempotencyRecord, bodyHash [32]byte) (*KeptAnswer, error) {
	switch {
	case !bytes.Equal(k.BodyHash, bodyHash[:]):
		return nil, admitto.Refused(admitto.RepeatConflict, message.Of("idempotency-key-reused"))
	case k.Status == 0:
		return nil, inProgress()
	}
	kept := &KeptAnswer{Status: k.Status, Location: k.Location}
	if k.HasBody {
		kept.Body = append([]byte{}, k.Body...)
	}
	return kept, nil
}

// IdempotentOutcome returns the kept answer of a call that was taken over from the record; nil when nothing is known of
// it any more. Errors: idempotency-in-progress, idempotency-conflict.
func (s *Service) IdempotentOutcome(ctx context.Context, r *IdempotencyRecord, bodyHash [32]byte) (kept *KeptAnswer,
	err error) {
	err = s.core.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		k, found, err := tx.IdempotencyRecord(r.IdempotentCall)
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
		Text: message.Of("first-call-in-progress")}
}

// EndIdempotent keeps the answer of the call, or forgets the call when answer is nil and none was kept. held is false
// when the call was taken over meanwhile, or has its answer already.
func (s *Service) EndIdempotent(ctx context.Context, r *IdempotencyRecord, answer *KeptAnswer) (held bool, err error) {
	err = s.core.Write(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		if answer == nil {
			held, err = tx.DropIdempotencyRecord(r.IdempotentCall, r.Lease)
			return err
		}
		body := answer.Body
		if body == nil {
			body = []byte{}
		}
		held, err = tx.FinishIdempotencyRecord(r.IdempotentCall, r.Lease, answer.Status, answer.Location, body)
		return err
	})
	return held, err
}

// Made keeps the answer of a call that has made something.
func (r *IdempotencyRecord) Made(tx *store.Tx, id int64) error {
	return r.finish(tx, r.Answers.Made, id)
}

// Found keeps the answer of a call that has found what it was to make.
func (r *IdempotencyRecord) Found(tx *store.Tx, id int64) error {
	return r.finish(tx, r.Answers.Found, id)
}

// Done keeps the answer of a call that has nothing to show.
func (r *IdempotencyRecord) Done(tx *store.Tx) error { return r.finish(tx, r.Answers.Done, 0) }

func (r *IdempotencyRecord) finish(tx *store.Tx, status int, id int64) error {
	place := ""
	if id != 0 {
		place = strings.Replace(r.Place, "{id}", strconv.FormatInt(id, 10), 1)
	}
	held, err := tx.FinishIdempotencyRecord(r.IdempotentCall, r.Lease, status, place, nil)
	if err == nil && !held {
		err = inProgress()
	}
	return err
}

// Waits begins the lease again and refuses as Made does. It keeps the record.
func (r *IdempotencyRecord) Waits(tx *store.Tx) (kept []byte, err error) {
	held, err := tx.RenewIdempotencyRecord(r.IdempotentCall, r.Lease, tx.Now()+r.renew)
	if err == nil && !held {
		err = inProgress()
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// resumed is the hook of a call that has waited for what can no longer be undone. Who took the call over meanwhile
// learns of what it made as of any other that is there.
type resumed struct{ *IdempotencyRecord }

// Resume returns what makes the hook of a call from what Waits has kept; nil when the call had none.
func Resume(paths Paths) func(kept []byte) (usecase.Hook, error) {
	return func(kept []byte) (usecase.Hook, error) {
		var r *IdempotencyRecord
		if len(kept) == 0 {
			return nil, nil
		}
		if err := json.Unmarshal(kept, &r); err != nil || r == nil {
			return nil, err
		}
		if r.Place == "" { // an earlier binary has kept it, which knew no Place
			r.Answers = paths.Creation(r.Path)
		}
		return resumed{r}, nil
	}
}

// Made keeps the answer unless the call was taken over.
func (r resumed) Made(tx *store.Tx, id int64) error {
	err := r.IdempotencyRecord.Made(tx, id)
	if admitto.KindOf(err) == admitto.RepeatInProgress {
		return nil
	}
	return err
}

// ForgetAnswersAbout forgets the kept answers of calls about an applicant and what hangs on them.
func (s *Service) ForgetAnswersAbout(tx *store.Tx, applicant int64) error {
	records, err := tx.RecordsOf(applicant)
	if err != nil {
		return err
	}
	for _, r := range records {
		if err := tx.ForgetIdempotencyRecordsAt(s.paths.Part(r)); err != nil {
			return err
		}
	}
	return nil
}

// TidyIdempotencyRecords forgets kept answers whose time is over.
func (s *Service) TidyIdempotencyRecords(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	for {
		var n int64
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			n, err = tx.TidyIdempotencyRecords()
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// IdempotentCall identifies a call by API key, method, path and the client's token.
func IdempotentCall(apiKey int64, method, path, token string) store.IdempotentCall {
	return store.IdempotentCall{APIKey: apiKey, Method: method, Path: path, Token: token}
}
