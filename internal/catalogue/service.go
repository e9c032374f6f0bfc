// Package catalogue holds the use cases that change what can be applied for.
package catalogue

import (
	"github.com/admitto/admitto/internal/usecase"
)

// Service changes the catalogue. It is safe for concurrent use.
type Service struct {
	core *usecase.Core
}

// New makes a Service.
func New(core *usecase.Core) *Service {
	return &Service{core: core}
}
