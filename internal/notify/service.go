// Package notify is how people hear of things: mails are rendered from templates and queued in the transaction of their
// cause, and leave soon after.
package notify

import (
	"cmp"
	"context"
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
	words     func(language string) func(group, english string) string // those that come with the service; nil: in English
	contact   atomic.Pointer[contact]                                  // how it went with the mail server last; nil before anything went there
}

// contact is how it went with the mail server: when it answered last, and since when and why it does not.
type contact struct {
	heard, since admitto.Time
	away         *mail.Refusal // nil: it answers
}

// Papers makes the documents that go with mails. They are made when the mail leaves, so that what waits stays small.
type Papers interface {
	InvoicePDF(ctx context.Context, by admitto.Caller, id int64) (name string, data []byte, err error)
}

// New makes a Service. The key seals what waits to be sent; sentences are those of the use cases in a language, words
// those that come with the service, nil for English.
func New(core *usecase.Core, files *files.Service, papers Papers, mailer Mailer, key seal.Key,
	sentences func(language string) message.Catalogue, words func(language string) func(group, english string) string,
	log *slog.Logger) *Service {
	return &Service{core: core, files: files, papers: papers, mailer: mailer, key: key, sentences: sentences, words: words,
		log: log}
}

// Mailer takes a mail and answers nil only when it is accepted; *mail.Refusal says why not.
type Mailer interface {
	Send(ctx context.Context, m *mail.Message) error
}

// Sender is who mails are from: with the name of mail.from, else with that of the instance.
func (s *Service) Sender() mail.Address {
	settings := s.core.Settings()
	return mail.Address{Name: cmp.Or(settings.Mail.From.Name, settings.Instance.Name),
		Email: settings.Mail.From.Address}
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
