// Package batch does the same with many records: a list is sealed before anything changes, somebody releases it, it
// runs in waves, can be stopped between two records, and is undone where nobody has changed a record since
// (lifecycle.md 11.3). What can be done is a table of actions over the use cases of admissions and scoring.
package batch

import (
	"context"
	"log/slog"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Service prepares, runs and undoes batches. It is safe for concurrent use.
type Service struct {
	core       *usecase.Core
	notify     *notify.Service
	admissions *admissions.Service
	query      *query.Service
	scoring    *scoring.Service
	log        *slog.Logger
	ready      chan struct{} // filled when a batch waits to be worked on
}

// New makes a Service.
func New(core *usecase.Core, notify *notify.Service, admissions *admissions.Service, query *query.Service,
	scoring *scoring.Service, log *slog.Logger) *Service {
	return &Service{core: core, notify: notify, admissions: admissions, query: query, scoring: scoring, log: log,
		ready: make(chan struct{}, 1)}
}

// Waiting returns the channel that is filled when a batch waits to be worked on.
func (s *Service) Waiting() <-chan struct{} { return s.ready }

func (s *Service) wake() {
	select {
	case s.ready <- struct{}{}:
	default: // it is awake already
	}
}

// own is the caller as the one who acts in a batch.
func own(by admitto.Caller, batch int64) usecase.Caller {
	by.Actor.Batch = batch
	return usecase.Caller{Caller: by}
}

// mayManage refuses callers who neither prepared the batch nor may release those of others.
func mayManage(by admitto.Caller, b *admitto.Batch) error {
	if by.Actor.Kind == admitto.ByAdministrator && by.Actor.ID == b.PreparedBy {
		return nil
	}
	return by.Needs(admitto.BatchesRelease)
}

// changing runs a change of a locked batch, and wakes the runner when there is something to do then.
func (s *Service) changing(ctx context.Context, by admitto.Caller, id int64,
	change func(tx *store.Tx, b *admitto.Batch) error) (b admitto.Batch, err error) {
	err = s.core.Write(ctx, func(tx *store.Tx) (err error) {
		if b, _, err = tx.LockBatch(id); err != nil {
			return err
		}
		if err = mayManage(by, &b); err != nil {
			return err
		}
		if err = change(tx, &b); err != nil {
			return err
		}
		return tx.SaveBatch(&b)
	})
	if err == nil && b.State.AtWork() {
		s.wake()
	}
	return b, err
}

// record writes an event about a batch itself.
func record(tx *store.Tx, actor admitto.Actor, pattern admitto.Pattern, batch int64) {
	actor.Batch = batch
	tx.Record(actor, admitto.Event{Pattern: pattern, Bind: []string{usecase.Number(batch)}})
}
