// Package privacy holds the use cases about the deletion of applicants, their recovery and their erasure.
package privacy

import (
	"github.com/admitto/admitto/internal/automation"
	"github.com/admitto/admitto/internal/usecase"
)

// Service deletes and erases. It is safe for concurrent use.
type Service struct {
	core       *usecase.Core
	automation *automation.Service
}

// New makes a Service.
func New(core *usecase.Core, automation *automation.Service) *Service {
	return &Service{core: core, automation: automation}
}
