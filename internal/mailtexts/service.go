// Package mailtexts has the use cases with which staff keep the texts of mails and the paper of letters (lifecycle.md
// 8.3, screens.md A45).
package mailtexts

import (
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/usecase"
)

// Service keeps the texts of mails. It is safe for concurrent use.
type Service struct {
	core       *usecase.Core
	notify     *notify.Service
	admissions *admissions.Service
	billing    *billing.Service
	printer    *pdf.Printer
}

// New makes a Service.
func New(core *usecase.Core, notify *notify.Service, admissions *admissions.Service,
	billing *billing.Service, printer *pdf.Printer) *Service {
	return &Service{core: core, notify: notify, admissions: admissions, billing: billing, printer: printer}
}
