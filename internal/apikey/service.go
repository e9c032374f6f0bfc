// Package apikey holds the use cases about API keys: their scopes, quotas and ends, what they use that will go, and the
// records of calls that carry an Idempotency-Key.
package apikey

import (
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
}

// New makes a Service. quotas are counted in the database when instances share it, else in memory.
func New(core *usecase.Core, notify *notify.Service, db *store.Store) *Service {
	s := &Service{core: core, notify: notify, keyring: newKeyring()}
	if db.Shared() {
		s.quotas = &sharedQuotas{store: db}
	} else {
		s.quotas = &ownQuotas{now: core.Now}
	}
	return s
}
