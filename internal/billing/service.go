// Package billing holds the use cases about money: invoices, their numbers, payments and fees.
package billing

import (
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/usecase"
)

// Service issues and collects invoices. It is safe for concurrent use.
type Service struct {
	core   *usecase.Core
	notify *notify.Service
}

// New makes a Service.
func New(core *usecase.Core, notify *notify.Service) *Service {
	return &Service{core: core, notify: notify}
}
