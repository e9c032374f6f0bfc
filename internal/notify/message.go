package notify

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// messageTemplate is under which code the messages that staff write stand in the journal (lifecycle.md 8.3).
const messageTemplate = "applicant-message"

// SendMessage queues a message to an applicant (resources.md 24.9). Subject and message are plain text: what looks
// like a marker or like markup in them stays as it is. Errors: not-found.
func (s *Service) SendMessage(ctx context.Context, by usecase.Caller, applicant int64, subject, message string) (e admitto.Email, err error) {
	if err := by.Needs(admitto.MessagesSend); err != nil {
		return e, err
	}
	rendered, err := plainMail(subject, message)
	if err != nil {
		return e, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(applicant)
		if err != nil {
			return err
		}
		id, err := s.Queue(tx, OutgoingMail{Template: messageTemplate, Applicant: &a, Rendered: &rendered})
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

// plainMail makes a mail of plain text: as values of a template they are taken for nothing but text. The text is sent
// as it was written.
func plainMail(subject, message string) (mail.Rendered, error) {
	rendered, err := mail.Template{Code: messageTemplate, Subject: "%message-Subject%", Body: "%message-Text%"}.Render(
		map[string]string{"message-Subject": subject, "message-Text": message})
	rendered.Text = message
	return rendered, err
}
