package admissions

import (
	"context"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store"
)

// mailGivenUp is how long an ordinary mail is tried (lifecycle.md 8.1).
const mailGivenUp = 48 * admitto.Hour

// mailRefused lets a refused mail wait for its next try, or gives it up: for good at a permanent refusal and at
// the end of its time. The clock is the database's.
func (o *Office) mailRefused(ctx context.Context, r reserved, row *store.OutboxRow, queued *queuedMail, refused error) error {
	temporary, failed := isTemporary(refused), false
	err := o.write(ctx, func(tx *store.Tx) error {
		failed = false
		held, err := tx.HoldsLease(r.outbox, r.lease)
		if err != nil || !held {
			return err
		}
		pause := retryAfter[min(max(int(row.Lease)-1, 0), len(retryAfter)-1)]
		if temporary && tx.Now() < row.Created+mailGivenUp {
			return tx.PostponeOutbox(r.outbox, tx.Now()+pause)
		}
		failed = true
		if err := tx.DeleteOutbox(r.outbox); err != nil {
			return err
		}
		if row.Email != 0 {
			if err := tx.SetEmailFailed(row.Email, tx.Now()); err != nil {
				return err
			}
		}
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailFailed, Bind: []string{row.Template}, Links: queued.Links})
		return nil
	})
	o.log.Warn("a mail was refused", "outbox", row.ID, "template", row.Template, "temporary", temporary, "given-up", failed, "cause", refused)
	return err
}
