package db

import (
	"context"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errStands is why a transaction is cut short when its server stands still, as on a host that is frozen: its connection
// is open and would wait for ever.
var errStands = errors.New("the server does not answer")

// underWay are the transactions that have begun and not ended.
type underWay struct {
	mu     sync.Mutex
	cuts   map[*postgresSession]context.CancelCauseFunc
	asking bool // whether the server is alive
}

// add gives a session its context, which lasts until the session ends or its server stands still.
func (u *underWay) add(ctx context.Context, s *postgresSession) {
	ctx, cut := context.WithCancelCause(ctx)
	s.ctx = ctx
	s.gone = func() {
		u.mu.Lock()
		delete(u.cuts, s)
		u.mu.Unlock()
		cut(nil)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.cuts == nil {
		u.cuts = map[*postgresSession]context.CancelCauseFunc{}
	}
	u.cuts[s] = cut
}

// cutUnlessAlive asks the server, after a transaction could not begin in time or got no answer, for a connection of
// its own, which needs no place in the pool. When there is no answer, all that is under way is cut short. It returns
// at once.
func (u *underWay) cutUnlessAlive(config *pgx.ConnConfig) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.asking {
		return
	}
	u.asking = true
	go func() {
		alive := answers(config)
		u.mu.Lock()
		defer u.mu.Unlock()
		u.asking = false
		if !alive {
			for _, cut := range u.cuts {
				cut(errStands)
			}
		}
	}()
}

// answers reports whether the server answers somebody who connects, be it with a refusal.
func answers(config *pgx.ConnConfig) bool {
	soon, cancel := context.WithTimeout(context.Background(), aliveTimeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(soon, config)
	if err != nil {
		var refusal *pgconn.PgError
		return errors.As(err, &refusal)
	}
	_ = conn.Close(soon)
	return true
}
