package db

import (
	"context"
	"errors"
	"strings"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/jackc/pgx/v5/pgconn"
	"zombiezen.com/go/sqlite"
)

// The constraints that a statement can break, told by the code of the database and matched with errors.Is.
// A constraint that is deferred breaks when Write commits.
var (
	ErrUnique     = errors.New("unique constraint")
	ErrForeignKey = errors.New("foreign key constraint")
	ErrCheck      = errors.New("check constraint")
	ErrNotNull    = errors.New("not-null constraint")
)

// errClosed is the refusal of a closed database.
var errClosed = errors.New("the database is closed")

// failure is an error of the database with its kind. Its text is for logs: it names the statement and never
// holds the value of a parameter.
type failure struct {
	kind  error // one of the constraints, the error of the context, or nil
	sql   string
	cause error
	again bool // running the whole transaction again may help
}

func (f *failure) Error() string {
	text := f.cause.Error()
	var pg *pgconn.PgError
	if errors.As(f.cause, &pg) && strings.HasPrefix(pg.Code, "22") {
		// Messages of the class "data exception" quote the value that did not fit.
		text = "data exception (SQLSTATE " + pg.Code + ")"
	}
	if f.kind != nil && f.kind != f.cause {
		text = f.kind.Error() + ": " + text
	}
	return text + " in " + f.sql
}

func (f *failure) Unwrap() []error {
	if f.kind == nil {
		return []error{f.cause}
	}
	return []error{f.kind, f.cause}
}

// retryable reports whether the error may go away when the whole transaction runs again.
func retryable(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.again
}

// unavailable is the refusal that asks the client to come back later.
func unavailable(cause error) error {
	e := admitto.Refused(admitto.Unavailable, message.Of("database-unavailable")).Because(cause)
	e.RetryAfter = 5
	return e
}

// classify returns an error of a driver with its kind, by code and never by text. lost says that the connection
// broke.
func classify(ctx context.Context, engine Engine, write, lost bool, sql string, err error) error {
	f := &failure{sql: "“" + excerpt(sql) + "”", cause: err}
	var down bool
	var pg *pgconn.PgError
	switch {
	case engine == SQLite:
		down = f.ofSQLite(sqlite.ErrCode(err), write)
	case errors.As(err, &pg):
		down = f.ofPostgres(pg.Code, write)
	}
	switch {
	case f.kind != nil:
		return f
	case ctx.Err() != nil:
		f.kind = ctx.Err()
		return f
	case down || lost || errors.Is(err, errClosed), errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		// A deadline that is not the caller's is one of ours: the server does not answer.
		return unavailable(f)
	}
	return f
}

// ofSQLite reads a result code of SQLite and reports whether the database cannot be used.
func (f *failure) ofSQLite(code sqlite.ResultCode, write bool) bool {
	switch code {
	case sqlite.ResultConstraintUnique, sqlite.ResultConstraintPrimaryKey, sqlite.ResultConstraintRowID:
		f.kind = ErrUnique
	case sqlite.ResultConstraintForeignKey:
		f.kind = ErrForeignKey
	case sqlite.ResultConstraintCheck:
		f.kind = ErrCheck
	case sqlite.ResultConstraintNotNull:
		f.kind = ErrNotNull
	}
	switch code.ToPrimary() {
	case sqlite.ResultBusy:
		f.again = write
		return !write
	case sqlite.ResultReadOnly:
		return write // in Read it is a mistake in the program
	case sqlite.ResultFull, sqlite.ResultIOErr, sqlite.ResultCantOpen, sqlite.ResultProtocol, sqlite.ResultNoMem:
		return true
	}
	return false
}

// ofPostgres reads an SQLSTATE of PostgreSQL and reports whether the database cannot be used.
func (f *failure) ofPostgres(code string, write bool) bool {
	switch code {
	case "23505":
		f.kind = ErrUnique
	case "23503":
		f.kind = ErrForeignKey
	case "23514":
		f.kind = ErrCheck
	case "23502":
		f.kind = ErrNotNull
	case "40001", "40P01", "55P03": // serialisation failure, deadlock, a lock that lock_timeout did not wait for
		f.again = write
		return !write // a replica that had to give way; Read is not run twice
	case "25006": // read-only transaction: in Read a mistake in the program, in Write a server that became a standby
		return write
	}
	switch {
	case strings.HasPrefix(code, "08"), strings.HasPrefix(code, "53"), strings.HasPrefix(code, "57P0"):
		return true
	}
	return false
}

// excerpt is the beginning of a statement, on one line, to recognise it by.
func excerpt(sql string) string {
	const limit = 60
	text := strings.Join(strings.Fields(sql[:min(len(sql), 8*limit)]), " ")
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
