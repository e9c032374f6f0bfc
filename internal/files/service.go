// Package files keeps the bytes of files next to the database: they are stored before the transaction that refers to
// them, and removed when nothing refers to them any more.
package files

import (
	"log/slog"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/usecase"
)

// Service keeps the bytes of files. It is safe for concurrent use.
type Service struct {
	core     *usecase.Core
	backend  Backend
	log      *slog.Logger
	removing *usecase.Bell

	mu      sync.Mutex // of what was found when the store was last asked
	asked   admitto.Time
	unfound error
}

// New makes a Service on a store of bytes.
func New(core *usecase.Core, backend Backend, log *slog.Logger) *Service {
	return &Service{core: core, backend: backend, log: log, removing: usecase.NewBell()}
}
