// Package report holds the reports, the tables that staff compose (tableviews), and views of lists under a name.
package report

import (
	"github.com/admitto/admitto/internal/usecase"
)

// Service makes reports and tables, and keeps views. It is safe for concurrent use.
type Service struct {
	core *usecase.Core
}

// New makes a Service.
func New(core *usecase.Core) *Service {
	return &Service{core: core}
}
