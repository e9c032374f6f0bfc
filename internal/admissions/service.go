// Package admissions holds the use cases about applications: one file a decision, each one write transaction that asks
// the state tables, saves, writes the journal and enqueues what follows.
package admissions

import (
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/files"
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
}

// New makes a Service.
func New(core *usecase.Core, files *files.Service, printer *pdf.Printer, key seal.Key, notify *notify.Service,
	billing *billing.Service, scoring *scoring.Service) *Service {
	return &Service{core: core, files: files, printer: printer, key: key, notify: notify, billing: billing,
		scoring: scoring, drawing: make(chan struct{}, 1)}
}

// Within returns a Service whose use cases are parts of a transaction; see usecase.Core.
func (s *Service) Within(tx *store.Tx) *Service {
	part := *s
	part.core = s.core.Within(tx)
	return &part
}
