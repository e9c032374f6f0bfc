// Package store holds all SQL of the product: one text for SQLite and PostgreSQL, what differs is in
// dialect.go. One file a table family. It may import package admitto and internal/store/db, nothing else of ours.
//
// A transaction is one function: Read sees a consistent snapshot, Write commits everything or nothing,
// together with the journal records and the counts that belong to it.
package store

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Store is one open database. It is safe for concurrent use.
type Store struct {
	db         *db.DB
	dialect    dialect
	replica    *replica // nil until UseReplica
	ordering   turns    // that take what waits into the journal
	checkLocks bool
}

// Options of Open; they are those of the layer below.
type Options = db.Options

// Open connects to the database at url, "sqlite:/path/file.db" or "postgres://…". It neither makes nor
// changes tables; see Migrate.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	database, err := db.Open(ctx, url, o)
	if err != nil {
		return nil, err
	}
	s := &Store{db: database, dialect: dialectOf(database.Engine()), checkLocks: o.CheckLocks}
	s.ordering.work = func() error { return s.order(context.Background(), orderWait) }
	return s, nil
}

// Close closes all connections.
func (s *Store) Close() error {
	err := s.db.Close()
	if s.replica != nil {
		err = errors.Join(err, s.replica.db.Close())
	}
	return err
}

// Shared reports whether several service instances may work on this database at once.
func (s *Store) Shared() bool { return s.db.Engine() == db.PostgreSQL }

// Statements is the number of statements run so far, for tests that count them.
func (s *Store) Statements() int64 { return s.db.Statements() }

// Tx is one transaction with the vocabulary of the tables. What Record and count are told is written as
// the last step of the transaction, under the lock of the journal's head. Use cases cannot run SQL with it; see SQL.
type Tx struct {
	sql         *db.Tx
	dialect     dialect
	head        *head // once locked
	parallel    bool  // it may leave its events to another
	left        bool  // and has done so
	othersWait  bool  // others have left theirs, as tryOrder saw it
	events      []pendingEvent
	counters    map[counterKey]*counter
	dropped     []facetKey
	offers      map[int64][]string           // how the offers of applications were counted before they changed
	tasks       map[int64]string             // the cells of tasks before they changed
	unindexed   []int64                      // applicants that are found by other words from now on
	changed     map[int64]admitto.Time       // applications that their applicants changed, and when
	seen        func(sql string, args []any) // told of queries; nil but in Plans
	mails       []OutboxRow                  // that were queued
	claimed     bool                         // a rule acts
	ruleVersion int64                        // by which it acts

	checkLocks bool
	locks      []heldLock // noted with checkLocks only
	disorder   error      // the first lock out of order
}

// query runs one statement that returns rows.
func (tx *Tx) query(sql string, args ...any) *db.Rows {
	if tx.seen != nil {
		tx.seen(sql, args)
	}
	return tx.sql.Query(sql, args...)
}

// exec runs one statement and returns how many rows it touched.
func (tx *Tx) exec(sql string, args ...any) (affected int64, err error) {
	return tx.sql.Exec(sql, args...)
}

// queue runs one statement whose result nobody waits for; see db.Tx.
func (tx *Tx) queue(sql string, args ...any) error { return tx.sql.Queue(sql, args...) }

// Now is the time of the transaction, the same until its end; see db.Tx.
func (tx *Tx) Now() admitto.Time { return tx.sql.Now() }

// Errand is a statement that goes along with what somebody reads; see package db.
type Errand = db.Errand

type errandKey struct{}

// WithErrand returns a context for one request whose reads offer to take the errand along, where that saves a round
// trip; the errand goes with the first.
func WithErrand(ctx context.Context, errand Errand) context.Context {
	return context.WithValue(ctx, errandKey{}, errand)
}

// Read runs fn in a read-only transaction on one consistent snapshot.
func (s *Store) Read(ctx context.Context, fn func(*Tx) error) error {
	errand, _ := ctx.Value(errandKey{}).(Errand)
	return s.db.ReadAlong(ctx, errand, func(tx *db.Tx) error {
		return fn(&Tx{sql: tx, dialect: s.dialect})
	})
}

// Write runs fn in a write transaction and commits it when fn returns nil. After a serialisation failure
// fn runs again, so it must not keep what an earlier run made. When it returns, the events have their numbers; an error
// after the commit means that they get them later.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) error {
	var left bool
	err := s.db.Write(ctx, func(dtx *db.Tx) error {
		tx := &Tx{sql: dtx, dialect: s.dialect, checkLocks: s.checkLocks, parallel: s.Shared()}
		err := tx.finished(fn)
		left = tx.left
		return err
	})
	if err != nil || !left {
		return err
	}
	return s.ordering.wait()
}

// WriteHastily is Write for what may be forgotten in a crash and is given up after seconds; see db.DB.
func (s *Store) WriteHastily(ctx context.Context, fn func(*Tx) error) error {
	return s.db.WriteHastily(ctx, func(dtx *db.Tx) error {
		tx := &Tx{sql: dtx, dialect: s.dialect, checkLocks: s.checkLocks}
		return tx.finished(fn)
	})
}

// finished is fn and the last step of the transaction.
func (tx *Tx) finished(fn func(*Tx) error) error {
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.finish(); err != nil {
		return err
	}
	return tx.disorder
}

// finish writes counts and journal records. The lock of the journal's head comes first, so that writers
// queue there for the shortest time and never meet each other in another order.
func (tx *Tx) finish() error {
	if len(tx.unindexed) > 0 {
		if err := tx.indexApplicants(tx.unindexed); err != nil {
			return err
		}
	}
	if err := tx.noteChanges(); err != nil {
		return err
	}
	if err := tx.countOffers(); err != nil {
		return err
	}
	if err := tx.countTasks(); err != nil {
		return err
	}
	if tx.head == nil && len(tx.events) == 0 && len(tx.counters) == 0 && len(tx.dropped) == 0 {
		return nil
	}
	if tx.parallel && tx.head == nil && len(tx.dropped) == 0 {
		if locked, err := tx.tryOrder(); err != nil {
			return err
		} else if !locked {
			return tx.leave()
		}
	} else {
		if err := tx.LockOrder(); err != nil {
			return err
		}
		tx.othersWait = tx.othersWait || tx.dialect.engine == db.PostgreSQL // who knows, since it was locked
	}
	if tx.othersWait {
		if err := tx.take(); err != nil {
			return err
		}
	}
	if err := tx.writeCounters(); err != nil {
		return err
	}
	return tx.writeEvents()
}

// one reads the first row of a query with read, and answers NotFound without one.
func one(rows *db.Rows, read func(*db.Rows)) error {
	found := rows.Next()
	if found {
		read(rows)
	}
	if err := rows.Close(); err != nil {
		return err
	}
	if !found {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	return nil
}

// each calls read for every row.
func each(rows *db.Rows, read func(*db.Rows)) error {
	for rows.Next() {
		read(rows)
	}
	return rows.Close()
}

// found returns the rows of a query one by one, and at last its error, if any. The value behind the pointer is used
// again for the next row.
func found[T any](rows *db.Rows, scan func(*db.Rows, *T)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		defer rows.Close()
		var v T
		for rows.Next() {
			if scan(rows, &v); !yield(&v, nil) {
				return
			}
		}
		if err := rows.Close(); err != nil {
			yield(nil, err)
		}
	}
}

// scanned reads the row of a table.
func scanned[T any](t *columns.Table[T], r *db.Rows) (v T) {
	t.Scan(r, &v)
	return v
}

// insertRows inserts rows of a table, each with its ID.
func insertRows[T any](tx *Tx, t *columns.Table[T], list []T, also ...any) error {
	rows := make([][]any, len(list))
	for i := range list {
		rows[i] = t.Values(nil, &list[i], also...)
	}
	return tx.bulk(t.Load(), rows)
}

// number reads the single integer a query answers, 0 for none.
func (tx *Tx) number(sql string, args ...any) (int64, error) {
	var n int64
	err := one(tx.query(sql, args...), func(r *db.Rows) { n = r.Int64(0) })
	if admitto.KindOf(err) == admitto.NotFound {
		err = nil
	}
	return n, err
}

// insert runs an INSERT … RETURNING id and returns the ID.
func (tx *Tx) insert(sql string, args ...any) (int64, error) {
	var id int64
	err := one(tx.query(sql, args...), func(r *db.Rows) { id = r.Int64(0) })
	return id, err
}

// upTo calls fn for at most limit rows and reports whether there are more, so the query must ask for one more.
// The value behind the pointer is used again for the next row.
func upTo[T any](rows *db.Rows, limit int, scan func(*db.Rows, *T), fn func(*T) error) (more bool, err error) {
	defer rows.Close()
	var v T
	for n := 0; rows.Next(); n++ {
		if n == limit {
			more = true
			break
		}
		scan(rows, &v)
		if err := fn(&v); err != nil {
			return false, err
		}
	}
	return more, rows.Close()
}

// pageEnd finds the last ID of a page of limit rows by a statement that returns the IDs of limit+1, in the order of the
// page; 0 when no row is left out behind it.
func (tx *Tx) pageEnd(ids, direction string, limit int, args []any) (last int64, err error) {
	n := len(args)
	sql := fmt.Sprintf("SELECT id FROM (%s) page ORDER BY id %s LIMIT $%d OFFSET $%d", ids, direction, n+1, n+2)
	found := 0
	err = each(tx.query(sql, append(args, 2, limit-1)...), func(r *db.Rows) {
		if found++; found == 1 {
			last = r.Int64(0)
		}
	})
	if found < 2 {
		last = 0
	}
	return last, err
}

// pageSize is how many objects are read at once when something else is read for each of them.
const pageSize = 1024

// inPages reads a list of at most limit objects by keyset pages: list hands over one page and reports whether
// there are more, after moves the list behind the last object of a page. The page is used again.
func inPages[T any](limit int, list func(limit int, add func(*T) error) (bool, error), after func(last *T),
	fn func([]T) error) (more bool, err error) {
	page := make([]T, 0, min(limit, pageSize))
	for rest := limit; rest > 0; rest -= len(page) {
		page = page[:0]
		more, err = list(min(rest, pageSize), func(v *T) error {
			page = append(page, *v)
			return nil
		})
		if err != nil || len(page) == 0 {
			return false, err
		}
		if err := fn(page); err != nil {
			return false, err
		}
		if !more {
			return false, nil
		}
		after(&page[len(page)-1])
	}
	return more, nil
}
