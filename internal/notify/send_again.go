package notify

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// HasSecrets reports whether secrets were removed from the stored copy of a mail.
func HasSecrets(e *admitto.Email) bool {
	return strings.Contains(e.Subject, admitto.SecretRemoved) || strings.Contains(e.Message, admitto.SecretRemoved)
}

// SendAgain queues a mail that was given up once more, to the address that the applicant has now. It has the Message-ID
// that it had, so that mail programs know it for the same. One that held a secret cannot be sent again: its text is
// gone. It is no event of the journal: what becomes of the mail is (lifecycle.md 10.2). Errors: not-found,
// not-allowed-now.
func (s *Service) SendAgain(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.MessagesSend); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		e, err := tx.EmailByID(id)
		if err == nil && !by.Mails().Has(&e) {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		if err == nil {
			err = s.sendAgain(tx, id)
		}
		if err != nil {
			return err
		}
		return by.Made(tx, id)
	})
}

func (s *Service) sendAgain(tx *store.Tx, id int64) error {
	e, err := tx.EmailByID(id)
	if err != nil {
		return err
	}
	a, err := tx.LockApplicant(e.Applicant)
	if err != nil {
		return err
	}
	if e, err = tx.EmailByID(id); err != nil { // who else sends it again had the lock before
		return err
	}
	switch {
	case e.Delivered != 0:
		return admitto.Refused(admitto.NotAllowedNow, message.Of("mail-delivered"))
	case e.Failed == 0:
		return admitto.Refused(admitto.NotAllowedNow, message.Of("mail-on-its-way"))
	case HasSecrets(&e):
		return admitto.Refused(admitto.NotAllowedNow, message.Of("mail-secret-gone"))
	}
	return s.requeue(tx, &e, &a)
}

// FailedKept is how long what was given up counts as a fault of the instance, and may be sent again all at once: what
// is older has lost its sense, and staff see to it one by one.
const FailedKept = 7 * admitto.Day

// mostAgain is how many mails are queued again at once.
const mostAgain = 1000

// SendFailedAgain queues the mails once more that were given up within FailedKept, the oldest first and at most 1000 at
// once (screens.md A57). sent is how many that are, left how many cannot be sent again, since they held a secret or
// their address takes no mails.
func (s *Service) SendFailedAgain(ctx context.Context, by admitto.Caller) (sent, left int, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return 0, 0, err
	}
	var after int64
	for sent < mostAgain {
		var ids []int64
		err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
			ids, err = tx.FailedSince(tx.Now()-FailedKept, after, 100)
			return err
		})
		if err != nil || len(ids) == 0 {
			return sent, left, err
		}
		for _, id := range ids {
			after = id
			err := s.core.Write(ctx, func(tx *store.Tx) error { return s.sendAgain(tx, id) })
			switch admitto.KindOf(err) {
			case admitto.NotAllowedNow, admitto.NotFound: // the applicant is deleted, or it left meanwhile
				left++
				continue
			}
			if err != nil {
				return sent, left, err
			}
			sent++
		}
	}
	return sent, left, nil
}

// requeue queues a mail that was given up as it was kept, and one that was given up by a release before from its copy.
func (s *Service) requeue(tx *store.Tx, e *admitto.Email, a *admitto.Applicant) error {
	sealed, err := tx.TakeFailedMail(e.ID)
	if err != nil {
		return err
	}
	var queued queuedMail
	if sealed == nil {
		if queued, err = s.fromCopy(tx, e); err != nil {
			return err
		}
	} else {
		plain, err := s.key.Open(SealedMail, sealed)
		if err == nil {
			err = json.Unmarshal(plain, &queued)
		}
		if err != nil {
			return err
		}
	}
	address, err := text.EmailASCII(a.Email)
	if err != nil {
		return admitto.Refused(admitto.NotAllowedNow, message.From(err))
	}
	queued.Message.To, queued.Message.Date = mail.Address{Name: a.Name.Full(), Email: address}, tx.Now().Std()
	plain, err := json.Marshal(queued)
	if err != nil {
		return err
	}
	template := cmp.Or(e.Template, mail.KindApplicantMessage.Code()) // the journal names one
	if _, err := tx.QueueMail(&store.OutboxRow{Kind: store.OrdinaryMail, Template: template, Applicant: a.ID,
		Email:   e.ID,
		Created: tx.Now(), Sealed: s.key.Seal(SealedMail, plain), Recipient: recipientKey(address)}); err != nil {
		return err
	}
	return tx.RepeatEmail(e.ID, a.Email)
}

// fromCopy makes a mail of its stored copy, with its files.
func (s *Service) fromCopy(tx *store.Tx, e *admitto.Email) (q queuedMail, err error) {
	rendered, err := mail.Plain(e.Subject, e.Message)
	if err != nil {
		return q, err
	}
	from := s.Sender()
	q = queuedMail{Message: mail.Message{ID: mail.NewID(hostOf(from.Email)), From: from, ReplyTo: s.answersTo(),
		Subject: rendered.Subject,
		Text:    rendered.Text, HTML: rendered.HTML},
		Links:      admitto.Links{Applicant: e.Applicant, Application: e.Application},
		Repeatable: true}
	q.Files, err = tx.EmailAttachments(e.ID)
	return q, err
}
