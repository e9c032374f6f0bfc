package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// Errand is one statement that goes along with what somebody reads, for what may be forgotten, as with WriteBriefly.
type Errand interface {
	// Statement is called by each reading that the errand may go with, and returns it to the first, and "" to those for
	// which nothing is to do any more.
	Statement() (sql string, args []any)
	// Done is called after a statement that Statement has returned, with the number in its first row, 0 when it
	// returned none, or the error that the reading ends with, too.
	Done(n int64, err error)
}

// ReadAlong is Read, and PostgreSQL gets the errand in the round trip of the first statement, as a transaction of its
// own before it. SQLite, where a round trip costs nothing, leaves the errand, as a read without statements does. errand
// may be nil.
func (d *DB) ReadAlong(ctx context.Context, errand Errand, fn func(*Tx) error) error {
	return d.Read(ctx, func(tx *Tx) error {
		tx.session.along(errand)
		return fn(tx)
	})
}

func (s *postgresSession) along(errand Errand) { s.errand = errand }

// putErrand puts the errand before a batch, as a transaction of its own, and returns what is called after its answers.
func (s *postgresSession) putErrand(batch *pgx.Batch) (end func(error)) {
	errand := s.errand
	if errand == nil {
		return func(error) {}
	}
	s.errand = nil
	sql, args := errand.Statement()
	if sql == "" {
		return func(error) {}
	}
	args, bad := normalizeAll(args)
	var n int64
	whole := &pgx.Batch{}
	whole.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	whole.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		c := &postgresCursor{rows: rows}
		there, err := c.next()
		if there {
			n = c.int64(0)
		}
		return errors.Join(bad, err, c.close())
	})
	whole.Queue("COMMIT")
	batch.QueuedQueries = append(whole.QueuedQueries, batch.QueuedQueries...)
	return func(err error) { errand.Done(n, err) }
}
