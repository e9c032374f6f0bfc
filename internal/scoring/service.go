// Package scoring holds the use cases about scoresheets, scores and the criteria of automatic scores.
package scoring

import (
	"github.com/admitto/admitto/internal/usecase"
)

// Service keeps scores. It is safe for concurrent use.
type Service struct {
	core    *usecase.Core
	waiting *waiting
}

// New makes a Service.
func New(core *usecase.Core) *Service {
	return &Service{core: core, waiting: &waiting{wake: make(chan struct{}, 1)}}
}
