// Package admissions holds the use cases about applications: one file a decision, each one write transaction that asks
// the state tables, saves, writes the journal and enqueues what follows.
package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Service decides about applications. It is safe for concurrent use.
type Service struct {
	core    *usecase.Core
	files   *files.Service
	printer *pdf.Printer
	key     seal.Key
	notify  *notify.Service
	billing *billing.Service
	scoring *scoring.Service
	drawing chan struct{} // full while a photo is made

	rehearsed bool // nothing of it is kept
}

// New makes a Service.
func New(core *usecase.Core, files *files.Service, printer *pdf.Printer, key seal.Key, notify *notify.Service,
	billing *billing.Service, scoring *scoring.Service) *Service {
	return &Service{core: core, files: files, printer: printer, key: key, notify: notify, billing: billing,
		scoring: scoring, drawing: make(chan struct{}, 1)}
}

// Rehearse does something with an application and takes all of it back. It returns the mails to the applicant that
// would leave with it, and the error that it would have.
func (s *Service) Rehearse(ctx context.Context, by usecase.Caller, application int64,
	do func(*Service) error) (sent []mail.Message, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, err
	}
	err = s.core.Rehearse(ctx, func(tx *store.Tx) error {
		part := s.Within(tx)
		part.rehearsed = true
		if err := do(part); err != nil {
			return err
		}
		d, err := tx.Application(application)
		if err == nil {
			sent, err = s.notify.Queued(tx, d.Applicant)
		}
		return err
	})
	return sent, err
}

// Within returns a Service whose use cases are parts of a transaction; see usecase.Core.
func (s *Service) Within(tx *store.Tx) *Service {
	part := *s
	part.core = s.core.Within(tx)
	return &part
}
