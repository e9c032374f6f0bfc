package admissions

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/mail"
	"github.com/admitto/admitto/store"
)

// welcomeGivenUp is how long a welcome mail that the upstream refuses for now is tried again (lifecycle.md
// 8.2, W6), and retryAfter how long the pauses between are, the last one again and again (8.1).
const welcomeGivenUp = 24 * admitto.Hour

var retryAfter = [...]admitto.Time{1 * admitto.Minute, 5 * admitto.Minute, 15 * admitto.Minute, 1 * admitto.Hour}

// ResumeWelcomes takes over creations whose process died between W2 and W4: the same mail is sent again, and
// the applicant appears when it has left. Each instance calls it at start-up and every 30 seconds. At the
// start of an instance that is alone on its database every waiting row is an orphan, whatever its lease
// says; atStart takes those too. It answers how many were decided.
func (o *Office) ResumeWelcomes(ctx context.Context, atStart bool) (decided int, err error) {
	for {
		var rows []store.OutboxRow
		err := o.write(ctx, func(tx *store.Tx) error {
			until := tx.Now() + admitto.Time(o.Settings.SyncTimeout.Microseconds()) + leaseSlack
			expiredAt := tx.Now()
			if atStart && !o.store.Shared() {
				expiredAt = until
			}
			rows, err = tx.LeaseOutbox(1, expiredAt, until+1)
			return err
		})
		if err != nil || len(rows) == 0 {
			return decided, err
		}
		done, err := o.resumeWelcome(ctx, &rows[0])
		if err != nil {
			return decided, err
		}
		if done {
			decided++
		}
	}
}

func (o *Office) resumeWelcome(ctx context.Context, row *store.OutboxRow) (decided bool, err error) {
	defer o.creating.decided()
	r := reserved{applicant: row.Applicant, outbox: row.ID, lease: row.Lease}
	plain, err := o.key.Open(sealedMail, row.Sealed)
	if err == nil {
		err = json.Unmarshal(plain, &r.waiting)
	}
	if err != nil {
		// Cannot happen while the instance key is the one the database remembers; leave the row alone.
		o.log.Error("a waiting mail cannot be opened", "outbox", row.ID, "cause", err)
		return false, o.postpone(ctx, r, retryAfter[len(retryAfter)-1])
	}
	sendCtx, cancel := context.WithTimeout(ctx, o.Settings.SyncTimeout)
	defer cancel()
	refused := o.upstream.Send(sendCtx, &r.waiting.Message)
	if refused == nil {
		_, held, err := o.welcomeLeft(ctx, r)
		return held, err
	}
	if ctx.Err() != nil {
		return false, o.postpone(context.WithoutCancel(ctx), r, 0) // stopping: the next start goes on at once
	}
	var refusal *mail.Refusal
	temporary := !errors.As(refused, &refusal) || refusal.Temporary
	o.log.Warn("a welcome mail was refused", "outbox", row.ID, "temporary", temporary, "cause", refused)
	if temporary && o.now() < row.Created+welcomeGivenUp {
		return false, o.postpone(ctx, r, retryAfter[min(int(row.Lease)-2, len(retryAfter)-1)])
	}
	return true, o.abandonWelcome(ctx, r)
}

// postpone ends the lease after the pause.
func (o *Office) postpone(ctx context.Context, r reserved, pause admitto.Time) error {
	return o.write(ctx, func(tx *store.Tx) error {
		held, err := tx.HoldsLease(r.outbox, r.lease)
		if err != nil || !held {
			return err
		}
		return tx.PostponeOutbox(r.outbox, tx.Now()+pause)
	})
}

// abandonWelcome removes an applicant who could not be told.
func (o *Office) abandonWelcome(ctx context.Context, r reserved) error {
	return o.write(ctx, func(tx *store.Tx) error {
		held, err := tx.HoldsLease(r.outbox, r.lease)
		if err != nil || !held {
			return err
		}
		if _, err := tx.RemovePendingApplicant(r.applicant); err != nil {
			return err
		}
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.ApplicantCreationAbandoned})
		return nil
	})
}
