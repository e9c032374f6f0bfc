// Package maintenance holds the use cases about the instance itself: its settings, its housekeeping and the chain of
// its journal.
package maintenance

import (
	"context"
	"log/slog"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Service looks after the instance. It is safe for concurrent use.
type Service struct {
	core   *usecase.Core
	db     *store.Store
	live   *config.Live
	key    seal.Key
	log    *slog.Logger
	notify *notify.Service
	keys   *apikey.Service
	files  *files.Service
	people *accounts.Service

	checkAsked chan struct{} // a check of the journal waits
	report     reporter
}

// New makes a Service.
func New(core *usecase.Core, db *store.Store, live *config.Live, key seal.Key, log *slog.Logger, notify *notify.Service,
	keys *apikey.Service, files *files.Service, people *accounts.Service) *Service {
	return &Service{core: core, db: db, live: live, key: key, log: log, notify: notify, keys: keys, files: files,
		people: people, checkAsked: make(chan struct{}, 1)}
}

// Ready reports whether the database is reachable and has the schema of this binary.
func (s *Service) Ready(ctx context.Context) error { return s.db.Ready(ctx) }
