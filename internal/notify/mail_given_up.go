package notify

import (
	"context"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// mailGivenUp is how long an ordinary mail is tried (lifecycle.md 8.1).
const mailGivenUp = 48 * admitto.Hour

// mailRefused lets a refused mail wait for its next try, or gives it up: for good at a permanent refusal and at
// the end of its time. The clock is the database's.
func (s *Service) mailRefused(ctx context.Context, r MailLease, row *store.OutboxRow, queued *queuedMail,
	files *madeFiles, refused error) error {
	temporary, failed, words := IsTemporary(refused), false, s.wordsOf(refused)
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		failed = false
		held, err := tx.HoldsLease(r.Outbox, r.Lease)
		if err != nil || !held {
			return err
		}
		if row.Email != 0 {
			if err := tx.SetEmailRefused(row.Email, tx.Now(), words); err != nil {
				return err
			}
		}
		if err := files.attach(tx); err != nil {
			return err
		}
		pause := RetryAfter[min(max(int(row.Lease)-1, 0), len(RetryAfter)-1)]
		if temporary && tx.Now() < row.Created+mailGivenUp {
			return tx.PostponeOutbox(r.Outbox, tx.Now()+pause)
		}
		failed = true
		if err := tx.DeleteOutbox(r.Outbox); err != nil {
			return err
		}
		if row.Email != 0 {
			if err := tx.SetEmailFailed(row.Email, tx.Now(), words); err != nil {
				return err
			}
			if queued.Repeatable {
				if err := tx.KeepFailedMail(row.Email, row.Sealed); err != nil {
					return err
				}
			}
		}
		links := queued.Links
		links.Email = row.Email
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailFailed, Bind: []string{row.Template}, Links: links})
		return nil
	})
	s.log.Warn("a mail was refused", "outbox", row.ID, "template", row.Template, "temporary", temporary, "given-up",
		failed, "cause", refused)
	return err
}

// copiesFailed shows with a mail that left which of its blind copies the mail server has refused (lifecycle.md 8.1):
// the mail is both delivered and failed, and the details of the event name addresses and replies. Refused copies are
// not tried again.
func copiesFailed(tx *store.Tx, row *store.OutboxRow, links admitto.Links, copies *mail.CopiesRefused) error {
	if copies == nil {
		return nil
	}
	failed := admitto.Event{Pattern: admitto.EmailFailed, Bind: []string{row.Template}, Links: links}
	var words []string
	for n, c := range copies.Copies {
		path := "copies/" + strconv.Itoa(n+1)
		failed.Details = append(failed.Details, admitto.Detail{Path: path + "/email", New: c.Email},
			admitto.Detail{Path: path + "/reply", New: strconv.Itoa(c.Code)})
		words = append(words, c.Email+": "+strconv.Itoa(c.Code))
	}
	tx.Record(admitto.System(), failed)
	if row.Email == 0 {
		return nil
	}
	return tx.SetEmailFailed(row.Email, tx.Now(), strings.Join(words, ", "))
}
