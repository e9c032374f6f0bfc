package admissions

import (
	"context"
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// welcomeGivenUp is how long a welcome mail that the upstream refuses for now is tried again (lifecycle.md
// 8.2, W6), and retryAfter how long the pauses between are, the last one again and again (8.1).
const welcomeGivenUp = 24 * admitto.Hour

var retryAfter = [...]admitto.Time{1 * admitto.Minute, 5 * admitto.Minute, 15 * admitto.Minute, 1 * admitto.Hour}

// aboutUpstream are the steps at which the upstream has heard nothing of the mail yet: whatever it refuses
// there, for good or not, says that something is wrong with it or with the settings, and nothing about the
// person.
var aboutUpstream = [...]string{"connect", "greeting", "TLS", "EHLO", "STARTTLS", "AUTH", "outbox"}

// leaseTime is how long a mail that is being sent now belongs to the one who sends it.
func (o *Office) leaseTime() admitto.Time {
	return admitto.Time(o.Settings().Mail.SyncTimeout.Microseconds()) + leaseSlack
}

// EndOrphans ends the leases of a process that died, on mails and on calls that were in progress. At the start of an instance that is alone on its
// database, before it takes requests, every lease is such a one; where there are others nothing can be told
// from outside, so the leases must run out.
func (o *Office) EndOrphans(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	if o.store.Shared() {
		return nil
	}
	return o.write(ctx, func(tx *store.Tx) error {
		if err := tx.FreeOutbox(tx.Now() + o.leaseTime()); err != nil {
			return err
		}
		return tx.FreeIdempotencyRecords()
	})
}

// ResumeWelcomes takes over creations whose process died between W2 and W4: the same mail is sent again, and
// the applicant appears when it has left. Each instance calls it at start-up and every 30 seconds. It answers
// how many were decided.
func (o *Office) ResumeWelcomes(ctx context.Context, by admitto.Caller) (decided int, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return decided, err
	}
	for {
		var rows []store.OutboxRow
		err := o.write(ctx, func(tx *store.Tx) (err error) {
			rows, _, err = tx.LeaseOutbox(store.WelcomeSync, 1, tx.Now(), tx.Now()+o.leaseTime())
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
	r := reserved{mailLease: mailLease{outbox: row.ID, lease: row.Lease}, applicant: row.Applicant}
	plain, err := o.key.Open(sealedMail, row.Sealed)
	if err == nil {
		err = json.Unmarshal(plain, &r.waiting)
	}
	if err != nil {
		// Cannot happen while the instance key is the one the database remembers; leave the row alone.
		o.log.Error("a waiting mail cannot be opened", "outbox", row.ID, "cause", err)
		return false, o.postpone(ctx, r.mailLease, retryAfter[len(retryAfter)-1])
	}
	lasting := context.WithoutCancel(ctx) // what the upstream said must be kept, no matter who hangs up
	sendCtx, cancel := context.WithTimeout(ctx, o.Settings().Mail.SyncTimeout)
	defer cancel()
	refused := o.upstream.Send(sendCtx, &r.waiting.Message)
	if refused == nil {
		_, held, err := o.welcomeLeft(lasting, r)
		return held, err
	}
	if ctx.Err() != nil {
		return false, o.postpone(lasting, r.mailLease, 0) // stopping: the next start goes on at once
	}
	temporary := isTemporary(refused)
	decided, err = o.welcomeRefusedLater(lasting, r, row, temporary)
	o.log.Warn("a waiting welcome mail was refused", "outbox", row.ID, "temporary", temporary, "abandoned", decided, "cause", refused)
	return decided, err
}

// welcomeRefusedLater lets a refused mail wait for its next try, or gives it up. The clock is the database's.
func (o *Office) welcomeRefusedLater(ctx context.Context, r reserved, row *store.OutboxRow, temporary bool) (abandoned bool, err error) {
	err = o.write(ctx, func(tx *store.Tx) error {
		abandoned = false
		held, err := tx.HoldsLease(r.outbox, r.lease)
		if err != nil || !held {
			return err
		}
		if temporary && tx.Now() < row.Created+welcomeGivenUp {
			return tx.PostponeOutbox(r.outbox, tx.Now()+retryAfter[min(max(int(row.Lease)-2, 0), len(retryAfter)-1)])
		}
		if _, err := tx.RemovePendingApplicant(r.applicant); err != nil {
			return err
		}
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.ApplicantCreationAbandoned})
		abandoned = true
		return nil
	})
	return abandoned, err
}

// postpone ends the lease after the pause.
func (o *Office) postpone(ctx context.Context, r mailLease, pause admitto.Time) error {
	return o.write(ctx, func(tx *store.Tx) error {
		held, err := tx.HoldsLease(r.outbox, r.lease)
		if err != nil || !held {
			return err
		}
		return tx.PostponeOutbox(r.outbox, tx.Now()+pause)
	})
}
