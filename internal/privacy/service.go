// Package privacy holds the use cases about the deletion of applicants, their recovery and their erasure, and about the
// export of what is kept about one.
package privacy

import (
	"log/slog"

	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/automation"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/usecase"
)

// Service deletes and erases. It is safe for concurrent use.
type Service struct {
	core       *usecase.Core
	automation *automation.Service
	files      *files.Service
	keys       *apikey.Service
	notify     *notify.Service
	words      func(language string) func(group, english string) string // of papers; nil: in English
	log        *slog.Logger
	asked      chan struct{} // an export of the data about somebody waits
}

// New makes a Service. words are those of papers in a language, by their group and their English words; nil: they are
// in English.
func New(core *usecase.Core, automation *automation.Service, files *files.Service,
	keys *apikey.Service, notify *notify.Service, words func(language string) func(group, english string) string,
	log *slog.Logger) *Service {
	s := &Service{core: core, automation: automation, files: files, keys: keys, notify: notify, words: words, log: log,
		asked: make(chan struct{}, 1)}
	automation.Know(s.erasure, s.unconfirmed)
	return s
}
