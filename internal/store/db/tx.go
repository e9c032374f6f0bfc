package db

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// Tx is a running transaction. It belongs to the goroutine that runs fn of Read or Write and ends with it.
//
// The first statement that fails ends the transaction for good on both engines, as PostgreSQL does it:
// every later statement fails with the same kind of error, and nothing is committed even when fn returns
// nil. Conflicts that are to be expected belong into the SQL (ON CONFLICT).
type Tx struct {
	db      *DB
	ctx     context.Context
	session session
	write   bool
	closed  bool
	open    []*Rows // not yet closed, in the order they were opened
	failed  error   // of the first statement that failed
	now     admitto.Time
	hasNow  bool
}

// Engine tells which database it is.
func (tx *Tx) Engine() Engine { return tx.db.engine }

// Context is the context of the transaction; every statement ends when it is done.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Now is the time of the transaction: it is read on first use and stays the same until the end. It comes
// from Options.Clock, else from the clock of the database (lifecycle.md R3). When it cannot be read the
// transaction has failed and zero comes back.
func (tx *Tx) Now() admitto.Time {
	if tx.hasNow {
		return tx.now
	}
	if clock := tx.db.clock; clock != nil {
		tx.now = clock()
	} else if err := tx.ready(); err != nil {
		_ = tx.fail("now", err)
		return 0
	} else if tx.now, err = tx.session.now(); err != nil {
		_ = tx.fail("now", err)
		return 0
	}
	tx.hasNow = true
	return tx.now
}

// Exec runs one statement and tells how many rows an INSERT, UPDATE or DELETE touched; the number means
// nothing for other statements. Statements with RETURNING go through Query.
//
// Parameters are $1, $2, …; a number may repeat and come out of order. Arguments are nil, bool, integers,
// string, []byte (nil is NULL), admitto.Time and admitto.Date (zero is NULL), admitto.Hundredths, and types
// made of bool, integers and string. []int64 and []string are list parameters: on SQLite a JSON array, for IN
// (SELECT value FROM json_each($1)), on PostgreSQL an array, for = ANY($1).
//
// Errors match ErrUnique, ErrForeignKey, ErrCheck, ErrNotNull or the error of the context with errors.Is,
// or are of kind admitto.Unavailable.
func (tx *Tx) Exec(sql string, args ...any) (affected int64, err error) {
	if err := tx.begin(); err != nil {
		return 0, tx.fail(sql, err)
	}
	if args, err = normalizeAll(args); err != nil {
		return 0, tx.fail(sql, err)
	}
	affected, err = tx.session.exec(sql, args)
	return affected, tx.fail(sql, err)
}

// Query runs one statement that returns rows; parameters and errors are those of Exec. An error of the
// statement is given by Rows.Err and Rows.Close.
func (tx *Tx) Query(sql string, args ...any) *Rows {
	r := &Rows{tx: tx, sql: sql}
	err := tx.begin()
	if err == nil {
		args, err = normalizeAll(args)
	}
	if err == nil {
		r.cursor, err = tx.session.query(sql, args)
	}
	if err != nil {
		r.cursor, r.closed, r.err = nil, true, tx.fail(sql, err)
		return r
	}
	tx.open = append(tx.open, r)
	return r
}

// Queue runs one statement whose result nobody waits for. SQLite runs it at once; to PostgreSQL it goes together with
// the next statement or the commit, which saves a round trip to the server, and its error is then given by that one. It
// must not change the schema, and the arguments must stay as they are until then.
func (tx *Tx) Queue(sql string, args ...any) (err error) {
	if err := tx.begin(); err != nil {
		return tx.fail(sql, err)
	}
	if args, err = normalizeAll(args); err != nil {
		return tx.fail(sql, err)
	}
	return tx.fail(sql, tx.session.queue(sql, args))
}

// Bulk runs the same INSERT, UPDATE or DELETE for many rows of parameters, by stepping one prepared
// statement on SQLite and pipelined a thousand at a time on PostgreSQL. The slice that is yielded may be
// used again for the next row.
func (tx *Tx) Bulk(sql string, each iter.Seq[[]any]) error {
	if err := tx.begin(); err != nil {
		return tx.fail(sql, err)
	}
	return tx.fail(sql, tx.session.bulk(sql, each))
}

// Script runs many statements that are separated by semicolons and have no parameters, for migrations.
func (tx *Tx) Script(sql string) error {
	if err := tx.begin(); err != nil {
		return tx.fail(sql, err)
	}
	return tx.fail(sql, tx.session.script(sql))
}

// begin counts a statement and reports whether it may run.
func (tx *Tx) begin() error {
	tx.db.statements.Add(1)
	return tx.ready()
}

func (tx *Tx) ready() error {
	if tx.closed {
		return errors.New("the transaction has ended")
	}
	if tx.failed != nil {
		return fmt.Errorf("an earlier statement of the transaction failed: %w", tx.failed)
	}
	if tx.db.engine == PostgreSQL && len(tx.open) > 0 {
		return fmt.Errorf("the rows of %q must be closed first: PostgreSQL runs one statement at a time",
			excerpt(tx.open[0].sql))
	}
	return nil
}

// fail returns an error of the driver with its kind and remembers the first one; nil stays nil.
func (tx *Tx) fail(sql string, err error) error {
	if err == nil {
		return nil
	}
	if tx.failed != nil && errors.Is(err, tx.failed) {
		return err
	}
	err = classify(tx.ctx, tx.db.engine, tx.write, !tx.closed && tx.session.lost(), sql, err)
	if tx.failed == nil {
		tx.failed = err
	}
	return err
}

// close ends the use of the transaction by fn, and the rows that fn left open.
func (tx *Tx) close() {
	for len(tx.open) > 0 {
		_ = tx.open[len(tx.open)-1].Close()
	}
	tx.closed = true
}

// forget takes closed rows off the list of open ones.
func (tx *Tx) forget(r *Rows) {
	if i := slices.Index(tx.open, r); i >= 0 {
		tx.open = slices.Delete(tx.open, i, i+1)
	}
}

// localNow is the clock of a database that runs inside of the process.
func localNow() admitto.Time { return admitto.TimeOf(time.Now()) }
