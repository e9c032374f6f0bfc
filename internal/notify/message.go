package notify

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// SendMessage queues a message to an applicant (resources.md 24.9). Subject and message are plain text: what looks
// like a marker or like markup in them stays as it is. Errors: not-found.
func (s *Service) SendMessage(ctx context.Context, by usecase.Caller, applicant int64, subject,
	message string) (e admitto.Email, err error) {
	if err := by.Needs(admitto.MessagesSend); err != nil {
		return e, err
	}
	rendered, err := mail.Plain(subject, message)
	if err != nil {
		return e, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(applicant)
		if err != nil {
			return err
		}
		id, err := s.Queue(tx, OutgoingMail{Template: mail.KindApplicantMessage, Applicant: &a, Rendered: &rendered})
		if err != nil {
			return err
		}
		if e, err = tx.Email(applicant, id); err != nil {
			return err
		}
		return by.Made(tx, id)
	})
	return e, err
}
