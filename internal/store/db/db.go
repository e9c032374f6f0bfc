// Package db is the thin layer over the two native database drivers: open, transaction, prepare once,
// bind, step, read a column by type, and the kinds of error. It is the only package that knows a driver,
// and it knows no table; it depends on package admitto and on the drivers (architecture.md 3).
//
// Conventions of storage, the same on both engines: times are bigint microseconds, dates are text
// YYYY-MM-DD, booleans are boolean, decimals are bigint hundredths, JSON is text.
package db

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"zombiezen.com/go/sqlite"
)

// Engine tells the two databases apart, for the few texts of SQL that differ.
type Engine int

// The engines.
const (
	SQLite Engine = iota + 1
	PostgreSQL
)

// String returns the name that people know.
func (e Engine) String() string {
	switch e {
	case SQLite:
		return "SQLite"
	case PostgreSQL:
		return "PostgreSQL"
	}
	return fmt.Sprintf("Engine(%d)", int(e))
}

// Options are the choices of Open; the zero value is right for production.
type Options struct {
	// Clock tells Tx.Now; nil means the clock of the database.
	Clock admitto.Clock
	// Readers is how many transactions may read at the same time: the reader connections of SQLite next to
	// its one writer (0: one per core, at least 2), the size of the whole pool of PostgreSQL (0: pool_max_conns
	// of the URL, else 16).
	Readers int
	// Schema is the search_path of PostgreSQL, one name; "" leaves the default of the server.
	Schema string
	// Lazy opens PostgreSQL without trying the connection out: for a server that may be away.
	Lazy bool
	// Slow lets transactions of PostgreSQL that write do nothing for as long as they like, as one may that fills a
	// database from a file. All others are ended after 10 seconds of that.
	Slow bool
	// CheckLocks has package store refuse to commit what has locked rows out of order. Tests set it.
	CheckLocks bool
	// Again has every transaction that writes run twice, as one that was in the way of others: what the first run did is
	// undone, and then this is called. Tests set it.
	Again func()
}

// A failed serialisation is tried this often in all, with pauses that double from the first to the last.
const (
	writeTries = 10
	firstPause = 4 * time.Millisecond
	lastPause  = 500 * time.Millisecond
)

// DB is an open database. It may be used by many goroutines at once.
type DB struct {
	backend    backend
	engine     Engine
	clock      admitto.Clock
	statements atomic.Int64
	hastyWait  time.Duration // of WriteHastily
	runAgain   func()        // Options.Again
}

// backend hands out sessions: connections on which a transaction has begun.
type backend interface {
	begin(ctx context.Context, m mode) (session, error)
	close() error
}

// mode is what a transaction is for.
type mode uint8

const (
	reading mode = iota
	writing
	hasty // writing what may be forgotten, and quickly
	brief // the same, of one statement
	apart // writing in no group with others
)

// again is whether a transaction that failed has to run once more.
type again uint8

const (
	never again = iota
	later       // others were in the way
	alone       // it was in a group with others
)

// session is one transaction of a driver. Errors are those of the driver; Tx gives them their kind.
type session interface {
	exec(sql string, args []any) (affected int64, err error)
	query(sql string, args []any) (cursor, error)
	// queue is exec that may wait until the next call, which then gives its error too.
	queue(sql string, args []any) error
	bulk(sql string, each iter.Seq[[]any]) error
	script(sql string) error
	// along has the errand done with the next statement of one that reads, or leaves it.
	along(errand Errand)
	now() (admitto.Time, error)
	// lost reports whether the connection broke, which no code of the database can tell.
	lost() bool
	// end commits or rolls back and returns the connection; after an error nothing was committed, or the
	// connection broke while it committed.
	end(commit bool) error
}

// Open connects to the database at the URL and tries the connection out. "sqlite:/path/to/file.db" names a
// file, which is created with mode 0600 when it is missing, as is the folder it lies in (mode 0700, one
// level). "postgres://…" is a URL in the form of libpq. Errors never hold the password of the URL; a
// database that does not answer is of kind admitto.Unavailable.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	scheme, rest, found := strings.Cut(url, ":")
	switch {
	case found && scheme == "sqlite":
		b, err := openSQLite(ctx, rest, o)
		if sqlite.ErrCode(err).ToPrimary() == sqlite.ResultNotADB {
			return nil, errors.New("the file is no SQLite database, or it was damaged")
		}
		if err != nil {
			return nil, classify(ctx, SQLite, true, false, "open", err)
		}
		return &DB{backend: b, engine: SQLite, clock: o.Clock, hastyWait: hastyTimeout, runAgain: o.Again}, nil
	case found && (scheme == "postgres" || scheme == "postgresql"):
		b, err := openPostgres(ctx, url, o)
		if err != nil {
			return nil, err
		}
		return &DB{backend: b, engine: PostgreSQL, clock: o.Clock, hastyWait: hastyTimeout, runAgain: o.Again}, nil
	}
	return nil, fmt.Errorf("database URL %q: it must begin with sqlite: or postgres://", redact(url))
}

// redact keeps of a URL only what cannot be a secret.
func redact(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" {
		// Not a URL with a host: everything after the first colon could be a password.
		scheme, _, found := strings.Cut(text, ":")
		if !found {
			return "…"
		}
		return scheme + ":…"
	}
	return u.Scheme + "://…@" + u.Host + "/…"
}

// Engine tells which database it is.
func (d *DB) Engine() Engine { return d.engine }

// Close waits for the running transactions and closes all connections. Later transactions are refused with
// kind admitto.Unavailable. Closing twice is harmless.
func (d *DB) Close() error { return d.backend.close() }

// Statements is the number of calls of Exec, Query, Bulk and Script so far; a Bulk counts as one, and
// beginning, ending, Tx.Now and errands are not counted. Tests use it to find one query per row.
func (d *DB) Statements() int64 { return d.statements.Load() }

// Read runs fn in a transaction that sees one consistent snapshot, taken by its first statement, and in
// which every attempt to write fails. It never waits for a writer. The error of fn comes back as it is.
// Never call Read or Write of the same DB inside fn: they would wait for a connection that fn holds.
func (d *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	_, err := d.run(ctx, reading, fn)
	return err
}

// Write runs fn in a transaction that is committed when fn returns nil, and rolled back when fn returns an
// error, which comes back as it is, or panics. SQLite has one writer at a time, PostgreSQL runs it READ
// COMMITTED.
//
// When the transaction fails only because others ran next to it (a serialisation failure or a deadlock), it
// is rolled back and fn runs again, up to 10 times in all; so fn must have no effect outside of its Tx.
// After that the error is of kind admitto.Unavailable.
//
// Once the context is done nothing is committed; a commit that has begun is finished.
func (d *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	return d.write(ctx, writing, fn)
}

// hastyTimeout is how long a transaction may take that has nothing to wait for.
const hastyTimeout = 5 * time.Second

// WriteHastily is Write for what all wait for and nobody misses, such as counts: PostgreSQL does not wait for its disk,
// so that a crash may forget it, and after 5 seconds it is given up with kind admitto.Unavailable, done or not.
func (d *DB) WriteHastily(ctx context.Context, fn func(*Tx) error) error {
	return d.within(ctx, hasty, d.hastyWait, fn)
}

// WriteWithin is Write that waits no longer than the time for what others have locked: then it is given up with kind
// admitto.Unavailable.
func (d *DB) WriteWithin(ctx context.Context, wait time.Duration, fn func(*Tx) error) error {
	return d.within(ctx, writing, wait, fn)
}

// WriteBriefly is WriteHastily for one statement that returns rows: one round trip to PostgreSQL. read takes
// the rows, once more when the statement is tried again; they are stored when nil is returned.
func (d *DB) WriteBriefly(ctx context.Context, read func(*Rows), sql string, args ...any) error {
	return d.within(ctx, brief, d.hastyWait, func(tx *Tx) error {
		rows := tx.Query(sql, args...)
		read(rows)
		for rows.Next() { // SQLite works while rows are read
		}
		return rows.Close()
	})
}

func (d *DB) within(ctx context.Context, m mode, wait time.Duration, fn func(*Tx) error) error {
	soon, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	err := d.write(soon, m, fn)
	if err != nil && soon.Err() != nil && ctx.Err() == nil {
		return unavailable(err)
	}
	return err
}

// Clock is Options.Clock; nil: the time is that of the database.
func (d *DB) Clock() admitto.Clock { return d.clock }

// errUndone ends the first run of a transaction that runs twice.
var errUndone = errors.New("it runs again")

// write runs fn until it is not in the way of others.
func (d *DB) write(ctx context.Context, m mode, fn func(*Tx) error) error {
	if d.runAgain != nil && m != brief { // which commits by itself
		uncounted := &DB{backend: d.backend, engine: d.engine, clock: d.clock}
		_, _ = uncounted.run(ctx, m, func(tx *Tx) error { return errors.Join(fn(tx), errUndone) })
		d.runAgain()
	}
	pause := firstPause
	for try := 1; ; try++ {
		again, err := d.run(ctx, m, fn)
		if again == never {
			return err
		}
		if again == alone {
			m = apart
			continue
		}
		if try == writeTries {
			return unavailable(err)
		}
		if !sleep(ctx, pause/2+rand.N(pause)) {
			return errors.Join(ctx.Err(), err)
		}
		pause = min(2*pause, lastPause)
	}
}

// run is one attempt at a transaction.
func (d *DB) run(ctx context.Context, m mode, fn func(*Tx) error) (next again, err error) {
	if err := ctx.Err(); err != nil {
		return never, err
	}
	write := m != reading
	s, err := d.backend.begin(ctx, m)
	if err != nil {
		// Whatever the reason is: without a beginning the database cannot be used.
		return never, classify(ctx, d.engine, write, true, "begin", err)
	}
	tx := &Tx{db: d, ctx: ctx, session: s, write: write}
	ended := false
	defer func() {
		if !ended { // fn panics, or ends the goroutine: roll back and let it go on
			tx.close()
			_ = s.end(false)
		}
	}()
	err = fn(tx)
	tx.close()
	if err == nil {
		// A statement failed and fn went on: PostgreSQL would not commit that, so SQLite must not either.
		err = tx.failed
	}
	commit := err == nil
	ended = true
	if e := s.end(commit); e != nil && (commit || errors.Is(e, errApart)) {
		err = classify(ctx, d.engine, write, s.lost(), "commit", e)
	}
	switch {
	case err == nil || !write:
		return never, err
	case errors.Is(err, errApart) || errors.Is(tx.failed, errApart):
		return alone, err
	case ctx.Err() == nil && (retryable(err) || retryable(tx.failed)):
		return later, err
	}
	return never, err
}

// sleep waits and reports whether the context is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
