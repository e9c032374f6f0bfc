package accounts

import (
	"context"
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
)

// welcomeGivenUp is how long a welcome mail that the mail server refuses for now is tried again (lifecycle.md
// 8.2, W6), and retryAfter how long the pauses between are, the last one again and again (8.1).
const welcomeGivenUp = 24 * admitto.Hour

// ResumeWelcomes takes over creations whose process died between W2 and W4: the same mail is sent again, and
// the applicant appears when it has left. Each instance calls it at start-up and every 30 seconds. It answers
// how many were decided.
func (s *Service) ResumeWelcomes(ctx context.Context, by admitto.Caller) (decided int, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return decided, err
	}
	for {
		var rows []store.OutboxRow
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			rows, _, err = tx.LeaseOutbox(store.WelcomeSync, 1, tx.Now(), tx.Now()+s.notify.LeaseTime())
			return err
		})
		if err != nil || len(rows) == 0 {
			return decided, err
		}
		done, err := s.resumeWelcome(ctx, &rows[0])
		if err != nil {
			return decided, err
		}
		if done {
			decided++
		}
	}
}

func (s *Service) resumeWelcome(ctx context.Context, row *store.OutboxRow) (decided bool, err error) {
	defer s.creating.Decided()
	r := pendingApplicant{MailLease: notify.MailLease{Outbox: row.ID, Lease: row.Lease}, applicant: row.Applicant}
	plain, err := s.key.Open(notify.SealedMail, row.Sealed)
	if err == nil {
		err = json.Unmarshal(plain, &r.waiting)
	}
	if err != nil {
		// Cannot happen while the instance key is the one the database remembers; leave the row alone.
		s.log.Error("a waiting mail cannot be opened", "outbox", row.ID, "cause", err)
		return false, s.notify.Postpone(ctx, r.MailLease, notify.RetryAfter[len(notify.RetryAfter)-1])
	}
	lasting := context.WithoutCancel(ctx) // what the mail server said must be kept, no matter who hangs up
	sendCtx, cancel := context.WithTimeout(ctx, s.core.Settings().Mail.SyncTimeout)
	defer cancel()
	refused := s.notify.SendNow(sendCtx, &r.waiting.Message)
	if refused == nil {
		_, held, err := s.welcomeLeft(lasting, r)
		return held, err
	}
	if ctx.Err() != nil {
		return false, s.notify.Postpone(lasting, r.MailLease, 0) // stopping: the next start goes on at once
	}
	temporary := notify.IsTemporary(refused)
	decided, err = s.welcomeRefusedLater(lasting, r, row, temporary)
	s.log.Warn("a waiting welcome mail was refused", "outbox", row.ID, "temporary", temporary, "abandoned", decided,
		"cause", refused)
	return decided, err
}

// welcomeRefusedLater lets a refused mail wait for its next try, or gives it up. The clock is the database's.
func (s *Service) welcomeRefusedLater(ctx context.Context, r pendingApplicant, row *store.OutboxRow,
	temporary bool) (abandoned bool, err error) {
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		abandoned = false
		held, err := tx.HoldsLease(r.Outbox, r.Lease)
		if err != nil || !held {
			return err
		}
		if temporary && tx.Now() < row.Created+welcomeGivenUp {
			return tx.PostponeOutbox(r.Outbox, tx.Now()+notify.RetryAfter[min(max(int(row.Lease)-2, 0),
				len(notify.RetryAfter)-1)])
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
