package db

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"zombiezen.com/go/sqlite"
)

// busyTimeout is how long a transaction waits for a lock of another process.
const busyTimeout = 10 * time.Second

// sqliteDB is a file with one writer connection and several readers, which WAL lets run next to it.
type sqliteDB struct {
	path     string
	busyWait time.Duration
	// The idle connections. A channel serves those who wait in their order and lets them give up.
	writer, readers chan *sqliteConn
	closing         sync.Once
	closed          chan struct{}
}

func openSQLite(_ context.Context, path string, o Options) (*sqliteDB, error) {
	if path == "" || strings.HasPrefix(path, ":memory:") || strings.HasPrefix(path, "file:") ||
		strings.HasPrefix(path, "//") && !strings.HasPrefix(path, "///") {
		return nil, errors.New("the URL of an SQLite database is sqlite:/path/to/file.db")
	}
	if err := createPrivate(path); err != nil {
		return nil, err
	}
	readers := o.Readers
	if readers <= 0 {
		readers = max(2, runtime.NumCPU())
	}
	d := &sqliteDB{
		path: path, busyWait: busyTimeout, closed: make(chan struct{}),
		writer: make(chan *sqliteConn, 1), readers: make(chan *sqliteConn, readers),
	}
	w := &sqliteConn{write: true, now: time.Now}
	if err := w.open(path); err != nil {
		return nil, err
	}
	d.writer <- w
	for range readers {
		d.readers <- &sqliteConn{} // opened when it is first needed
	}
	return d, nil
}

// createPrivate makes a missing file that only its owner may read; SQLite gives its side files the same mode.
func createPrivate(path string) error {
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func (d *sqliteDB) begin(ctx context.Context, m mode) (session, error) {
	pool := d.readers
	if m != reading {
		pool = d.writer
	}
	var c *sqliteConn
	select {
	case c = <-pool:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-d.closed:
		return nil, errClosed
	}
	if m == apart && c.group != nil {
		c.commit()
	}
	s := &sqliteSession{ctx: ctx, conn: c, pool: pool, part: c.group != nil, apart: m == apart}
	err := c.open(d.path)
	switch {
	case err != nil:
	case s.part:
		err = c.run("SAVEPOINT part")
	default:
		if err = c.obey(ctx); err == nil {
			err = d.start(ctx, c)
		}
	}
	if err != nil {
		_ = s.end(false)
		return nil, err
	}
	return s, nil
}

// start begins the transaction. It waits for the lock itself, because the busy handler of SQLite does not
// listen to the context.
func (d *sqliteDB) start(ctx context.Context, c *sqliteConn) error {
	if !c.write {
		return c.run("BEGIN")
	}
	deadline := time.Now().Add(d.busyWait)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := c.run("BEGIN IMMEDIATE")
		if err == nil || sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy || time.Now().After(deadline) {
			return err
		}
		if !sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

func (d *sqliteDB) close() error {
	var errs []error
	d.closing.Do(func() {
		close(d.closed)
		// The writer goes last: the last connection to close folds the log back into the file.
		for range cap(d.readers) {
			errs = append(errs, (<-d.readers).close())
		}
		w := <-d.writer
		if w.group != nil { // those who wait for it are told
			w.commit()
		}
		errs = append(errs, w.close())
	})
	return errors.Join(errs...)
}

// sqliteSession is a transaction on one connection, or a part of one.
type sqliteSession struct {
	ctx   context.Context
	conn  *sqliteConn
	pool  chan *sqliteConn
	part  bool // of a group that others have begun
	apart bool // in no group
}

func (s *sqliteSession) exec(sql string, args []any) (int64, error) {
	stmt, err := s.prepare(sql)
	if err != nil {
		return 0, err
	}
	defer s.conn.release(stmt)
	if err := stmt.bind(args); err != nil {
		return 0, err
	}
	if err := s.conn.timed(stmt, new(time.Duration), stmt.finish); err != nil {
		return 0, err
	}
	return int64(s.conn.conn.Changes()), nil
}

func (s *sqliteSession) query(sql string, args []any) (cursor, error) {
	stmt, err := s.prepare(sql)
	if err != nil {
		return nil, err
	}
	c := &sqliteCursor{session: s, stmt: stmt}
	if err = stmt.bind(args); err == nil {
		// The first step is taken here, so that an INSERT … RETURNING has run even when nobody reads its rows.
		err = s.conn.timed(stmt, &c.took, func() (err error) {
			c.ready, err = stmt.Step()
			return err
		})
	}
	if err != nil {
		s.conn.release(stmt)
		return nil, err
	}
	c.last = !c.ready
	return c, nil
}

func (s *sqliteSession) queue(sql string, args []any) error {
	_, err := s.exec(sql, args)
	return err
}

func (s *sqliteSession) along(Errand) {}

func (s *sqliteSession) bulk(sql string, each iter.Seq[[]any]) error {
	stmt, err := s.prepare(sql)
	if err != nil {
		return err
	}
	defer s.conn.release(stmt)
	var args []any
	for row := range each {
		if err = s.ready(); err != nil {
			return err
		}
		if args, err = appendNormal(args[:0], row); err != nil {
			return err
		}
		if err = stmt.bind(args); err == nil {
			err = stmt.finish()
		}
		if err == nil {
			err = stmt.Reset()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *sqliteSession) script(sql string) error {
	if err := s.ready(); err != nil {
		return err
	}
	return s.conn.script(sql)
}

func (s *sqliteSession) now() (admitto.Time, error) { return localNow(), nil }

func (s *sqliteSession) lost() bool { return false }

func (s *sqliteSession) end(commit bool) error {
	c := s.conn
	if c.write && c.conn != nil {
		return s.endWrite(commit)
	}
	defer func() { s.pool <- c }()
	if c.conn == nil {
		return nil
	}
	c.disobey()
	c.rollback()
	return s.ctx.Err()
}

// sqliteCursor reads the row that its statement stands on.
type sqliteCursor struct {
	session *sqliteSession
	stmt    *sqliteStmt
	ready   bool // the first row was stepped to but not given
	last    bool // there are no more rows; stepping again would start again
	took    time.Duration
	view    view
}

func (c *sqliteCursor) next() (bool, error) {
	if c.ready || c.last {
		more := c.ready
		c.ready = false
		return more, nil
	}
	if err := c.session.ready(); err != nil {
		return false, err
	}
	more := false
	err := c.session.conn.timed(c.stmt, &c.took, func() (err error) {
		more, err = c.stmt.Step()
		return err
	})
	c.last = !more
	return more, err
}

func (c *sqliteCursor) null(i int) bool   { return c.stmt.ColumnIsNull(i) }
func (c *sqliteCursor) int64(i int) int64 { return c.stmt.ColumnInt64(i) }

// raw takes the memory of SQLite itself: ColumnText would allocate, and ColumnBytes needs the length first,
// which is one more call into SQLite.
func (c *sqliteCursor) raw(i int) []byte {
	c.view = nil
	_, _ = c.stmt.ColumnReader(i).WriteTo(&c.view)
	return c.view
}

func (c *sqliteCursor) close() error {
	c.session.conn.release(c.stmt)
	return nil
}

// view remembers the bytes it is shown.
type view []byte

func (v *view) Write(b []byte) (int, error) {
	*v = b
	return len(b), nil
}
