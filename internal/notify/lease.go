package notify

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// RetryAfter are the pauses before each further try of a mail that was refused for a while (lifecycle.md 8.1).
var RetryAfter = [...]admitto.Time{1 * admitto.Minute, 5 * admitto.Minute, 15 * admitto.Minute, 1 * admitto.Hour}

// aboutMailer are the steps at which the mail server has heard nothing of the mail yet: whatever it refuses
// there, for good or not, says that something is wrong with it or with the settings, and nothing about the
// person.
var aboutMailer = [...]string{"connect", "greeting", "TLS", "EHLO", "STARTTLS", "AUTH", "outbox"}

// LeaseTime is how long a mail that is being sent now belongs to the one who sends it.
func (s *Service) LeaseTime() admitto.Time {
	return admitto.Time(s.core.Settings().Mail.SyncTimeout.Microseconds()) + leaseSlack
}

// Postpone ends the lease after the pause.
func (s *Service) Postpone(ctx context.Context, r MailLease, pause admitto.Time) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		held, err := tx.HoldsLease(r.Outbox, r.Lease)
		if err != nil || !held {
			return err
		}
		return tx.PostponeOutbox(r.Outbox, tx.Now()+pause)
	})
}
