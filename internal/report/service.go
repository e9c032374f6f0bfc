// Package report holds the reports, and the tables that staff compose (tableviews).
package report

import (
	"github.com/admitto/admitto/internal/usecase"
)

// Service makes reports and tables. It is safe for concurrent use.
type Service struct {
	core *usecase.Core
}

// New makes a Service.
func New(core *usecase.Core) *Service {
	return &Service{core: core}
}
