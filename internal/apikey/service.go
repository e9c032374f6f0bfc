// Package apikey holds the use cases about API keys: their scopes, quotas and ends, what they use that will go, and the
// records of calls that carry an Idempotency-Key.
package apikey

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Service knows the API keys. It is safe for concurrent use.
type Service struct {
	core    *usecase.Core
	notify  *notify.Service
	keyring *keyring
	usage   deprecationUsage
	quotas  quotas
	paths   Paths
}

// Paths is what the interface whose calls carry an Idempotency-Key says of their paths.
type Paths interface {
	// Creation says how a call of the path is answered that has made something.
	Creation(path string) Answers
	// Part returns what the paths of all calls about a record have, with a slash at either end.
	Part(record admitto.Row) string
}

// New makes a Service. quotas are counted in the database when instances share it, else in memory.
func New(core *usecase.Core, notify *notify.Service, db *store.Store, paths Paths) *Service {
	s := &Service{core: core, notify: notify, keyring: newKeyring(), paths: paths}
	if db.Shared() {
		s.quotas = &sharedQuotas{store: db, now: core.Now}
	} else {
		s.quotas = &ownQuotas{now: core.Now}
	}
	return s
}
