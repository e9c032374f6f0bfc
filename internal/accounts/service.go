// Package accounts holds the use cases about who gets in: applicants are created with their sign-in data, and sign in.
package accounts

import (
	"log/slog"
	"runtime"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/usecase"
)

// Service lets people in. It is safe for concurrent use.
type Service struct {
	core     *usecase.Core
	notify   *notify.Service
	key      seal.Key
	log      *slog.Logger
	creating *usecase.Bell
	hashing  chan struct{} // filled by those who hash a password, which takes much memory
	hash     func(password string) string
	resume   func(kept []byte) (usecase.Hook, error)
	needs    func(b *admitto.Batch) []admitto.Permission // of who a batch runs for
	asked    chan struct{}                               // filled when somebody has asked for a mail
}

// New makes a Service. The key seals what waits to be sent; resume makes the hook of a call from what it kept while
// that waited; needs says what somebody must be permitted to take a batch over.
func New(core *usecase.Core, notify *notify.Service, key seal.Key, resume func(kept []byte) (usecase.Hook, error),
	needs func(b *admitto.Batch) []admitto.Permission, log *slog.Logger) *Service {
	return &Service{core: core, notify: notify, key: key, resume: resume, needs: needs, log: log,
		creating: usecase.NewBell(), hashing: make(chan struct{}, runtime.GOMAXPROCS(0)), hash: seal.HashPassword,
		asked: make(chan struct{}, 1)}
}
