// Package notify is how people hear of things: mails are rendered from templates and queued in the transaction of their
// cause, and leave soon after.
package notify

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Service queues and sends mails. It is safe for concurrent use.
type Service struct {
	core   *usecase.Core
	files  *files.Service
	papers Papers
	mailer Mailer
	key    seal.Key
	log    *slog.Logger
	// sentences are those of the use cases in a language; nil: in English
	sentences func(language string) message.Catalogue
	away      atomic.Pointer[mail.Refusal] // why the last mail found no mail server; nil after one that did
}

// Papers makes the documents that go with mails. They are made when the mail leaves and kept nowhere, so that what
// waits stays small.
type Papers interface {
	InvoicePDF(ctx context.Context, by admitto.Caller, id int64) (name string, data []byte, err error)
}

// New makes a Service. The key seals what waits to be sent; sentences are those of the use cases in a language, nil
// for English.
func New(core *usecase.Core, files *files.Service, papers Papers, mailer Mailer, key seal.Key,
	sentences func(language string) message.Catalogue, log *slog.Logger) *Service {
	return &Service{core: core, files: files, papers: papers, mailer: mailer, key: key, sentences: sentences, log: log}
}

// SendNow hands a mail to the mailer at once; *mail.Refusal says why it was refused.
func (s *Service) SendNow(ctx context.Context, m *mail.Message) error {
	err := s.mailer.Send(ctx, m)
	var refused *mail.Refusal
	if errors.As(err, &refused) && refused.Temporary && refused.Code == 0 {
		if !errors.Is(ctx.Err(), context.Canceled) { // else nobody waited for it
			s.away.Store(refused)
		}
		return err
	}
	s.away.Store(nil) // it answered
	return err
}

// Reached returns why the last mail of this instance did not reach the mail server; nil when it did, or there was none.
func (s *Service) Reached() error {
	if refused := s.away.Load(); refused != nil {
		return refused
	}
	return nil
}

// Mailer takes a mail and answers nil only when it is accepted; *mail.Refusal says why not.
type Mailer interface {
	Send(ctx context.Context, m *mail.Message) error
}

// Sender is who mails are from: with the name of mail.from, else with that of the instance.
func (s *Service) Sender() mail.Address {
	settings := s.core.Settings()
	return mail.Address{Name: cmp.Or(settings.Mail.From.Name, settings.Instance.Name), Email: settings.Mail.From.Address}
}

// answersTo is where answers to mails go; without an address, to their sender.
func (s *Service) answersTo() mail.Address {
	to := s.core.Settings().Mail.ReplyTo
	if to == nil {
		return mail.Address{}
	}
	email, err := text.EmailASCII(to.Address)
	if err != nil {
		return mail.Address{}
	}
	return mail.Address{Name: to.Name, Email: email}
}
