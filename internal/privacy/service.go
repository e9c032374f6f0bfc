// Package privacy holds the use cases about the deletion of applicants, their recovery and their erasure, and about the
// export of what is kept about one.
package privacy

import (
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/automation"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/usecase"
)

// Service deletes and erases. It is safe for concurrent use.
type Service struct {
	core       *usecase.Core
	automation *automation.Service
	files      *files.Service
	keys       *apikey.Service
}

// New makes a Service.
func New(core *usecase.Core, automation *automation.Service, files *files.Service,
	keys *apikey.Service) *Service {
	s := &Service{core: core, automation: automation, files: files, keys: keys}
	automation.Know(s.erasure, s.unconfirmed)
	return s
}
