package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
)

// statementLimit bounds the prepared statements of a connection, as the text of some depends on the request.
const statementLimit = 512

// sqliteConn is one connection with its prepared statements, by the text they were written in.
type sqliteConn struct {
	conn  *sqlite.Conn // nil until it is needed, and after it broke
	write bool
	stmts map[string]*sqliteStmt

	// Closing stop interrupts what runs. It stays the same until that happens, because giving the connection another
	// channel starts and ends a goroutine, which takes longer than reading a row.
	stop   chan struct{}
	detach func() bool      // from the context of the transaction; nil outside of one
	under  *sqlite.Stmt     // stands at its first row while the context is obeyed
	group  *group           // whose parts wait for the commit of the transaction that is open; nil for none
	now    func() time.Time // by which the group hurries
}

type sqliteStmt struct {
	*sqlite.Stmt
	busy  bool
	owned bool  // prepared next to a busy one of the same text, and dropped after use
	slow  bool  // it took long the last time it ran
	long  []int // the parameters that hold a text worth letting go of
}

// longText is from how many bytes on a bound text does not stay with its statement after use.
const longText = 256

func (c *sqliteConn) open(path string) (err error) {
	if c.conn != nil {
		return nil
	}
	flags := sqlite.OpenReadWrite
	if c.write {
		flags |= sqlite.OpenWAL // kept in the file, so readers need not set it
	}
	// OpenConn turns double-quoted strings off.
	if c.conn, err = sqlite.OpenConn(path, flags); err != nil {
		c.conn = nil
		return err
	}
	c.stmts = make(map[string]*sqliteStmt)
	if c.under, _, err = c.conn.PrepareTransient("SELECT 1 UNION ALL SELECT 2"); err != nil {
		return errors.Join(err, c.close())
	}
	c.renewStop()
	c.conn.SetBusyTimeout(busyTimeout)
	settings := []string{
		"synchronous=FULL", "foreign_keys=ON", "trusted_schema=OFF", "temp_store=MEMORY", "journal_size_limit=67108864",
	}
	// The file cache of the system holds the pages as well, and a page takes twice its size here.
	if c.write {
		settings = append(settings, "cache_size=-8192")
	} else {
		settings = append(settings, "cache_size=-2048", "query_only=ON")
	}
	// SetDefensive of zombiezen.com/go/sqlite v1.4.2 leaves out an argument: SQLite writes to whatever address is in the
	// memory behind the others. Statements are all our own here, so the connection does without that mode.
	for _, s := range settings {
		if err == nil {
			err = c.script("PRAGMA " + s)
		}
	}
	if err != nil {
		return errors.Join(err, c.close())
	}
	if c.write {
		c.conn.SetBusyTimeout(0) // begin waits, and then nobody else can hold the lock
	}
	return nil
}

func (c *sqliteConn) close() error {
	if c.conn == nil {
		return nil
	}
	var err error
	if c.under != nil {
		err = c.under.Finalize()
	}
	err = errors.Join(err, c.conn.Close())
	c.conn, c.stmts, c.detach, c.under = nil, nil, nil, nil
	return err
}

func (c *sqliteConn) renewStop() {
	c.stop = make(chan struct{})
	c.conn.SetInterrupt(c.stop)
}

// obey lets the end of the context interrupt what runs on the connection. SQLite forgets an interrupt that comes when
// no statement runs, also one that comes just before a statement begins, so one stands at its first row meanwhile.
func (c *sqliteConn) obey(ctx context.Context) error {
	if _, err := c.under.Step(); err != nil {
		return err
	}
	stop := c.stop
	c.detach = context.AfterFunc(ctx, func() { close(stop) })
	return nil
}

// disobey undoes obey: what runs from now on is not interrupted.
func (c *sqliteConn) disobey() {
	if c.detach == nil {
		return
	}
	_ = c.under.Reset()
	if !c.detach() { // the context has ended
		<-c.stop
		c.renewStop()
	}
	c.detach = nil
}

// prepare returns a statement that nobody else uses, ready to be bound.
func (c *sqliteConn) prepare(sql string) (*sqliteStmt, error) {
	s := c.stmts[sql]
	if s != nil && !s.busy {
		s.busy = true
		return s, nil
	}
	text, err := rewrite(strings.TrimSpace(sql))
	if err != nil {
		return nil, err
	}
	if s != nil {
		stmt, _, err := c.conn.PrepareTransient(text)
		if err != nil {
			return nil, err
		}
		return &sqliteStmt{Stmt: stmt, busy: true, owned: true}, nil
	}
	if len(c.stmts) >= statementLimit {
		c.evict()
	}
	stmt, err := c.conn.Prepare(text)
	if err != nil {
		return nil, err
	}
	s = &sqliteStmt{Stmt: stmt, busy: true}
	c.stmts[sql] = s
	return s, nil
}

// evict drops half of the prepared statements, whichever they are: the frequent ones come back at once.
func (c *sqliteConn) evict() {
	n := len(c.stmts) / 2
	for sql, s := range c.stmts {
		if n > 0 && !s.busy {
			_ = s.Finalize()
			delete(c.stmts, sql)
			n--
		}
	}
}

// release ends the use of a statement. An error of it was already given by Step.
func (c *sqliteConn) release(s *sqliteStmt) {
	if s.owned {
		_ = s.Finalize()
		return
	}
	_ = s.Reset()
	// Not ClearBindings: SQLite prepares a statement with a bound LIMIT again whenever all its parameters are cleared.
	for _, i := range s.long {
		s.BindNull(i)
	}
	s.long = s.long[:0]
	s.busy = false
}

// run steps a statement to its end.
func (c *sqliteConn) run(sql string, args ...any) error {
	s, err := c.prepare(sql)
	if err != nil {
		return err
	}
	defer c.release(s)
	if err := s.bind(args); err != nil {
		return err
	}
	return s.finish()
}

func (c *sqliteConn) script(sql string) error {
	for sql = skipBlank(sql); sql != ""; sql = skipBlank(sql) {
		stmt, rest, err := c.conn.PrepareTransient(sql)
		if err != nil {
			return err
		}
		sql = sql[len(sql)-rest:]
		s := sqliteStmt{Stmt: stmt}
		err = s.finish()
		_ = stmt.Finalize()
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *sqliteStmt) finish() error {
	for {
		if more, err := s.Step(); err != nil || !more {
			return err
		}
	}
}

// bind takes normalized arguments.
func (s *sqliteStmt) bind(args []any) error {
	if n := s.BindParamCount(); n != len(args) {
		return fmt.Errorf("the statement has %d parameters, not %d", n, len(args))
	}
	for i, arg := range args {
		switch v := arg.(type) {
		case nil:
			s.BindNull(i + 1)
		case bool:
			s.BindBool(i+1, v)
		case int64:
			s.BindInt64(i+1, v)
		case string:
			s.bindText(i+1, v)
		case []byte:
			s.BindBytes(i+1, v)
			s.note(i+1, len(v))
		case []int64:
			s.bindText(i+1, listOfInts(v))
		case []string:
			s.bindText(i+1, listOfTexts(v))
		}
	}
	return nil
}

func (s *sqliteStmt) bindText(i int, text string) {
	s.BindText(i, text)
	s.note(i, len(text))
}

// note remembers a parameter to let go of after use.
func (s *sqliteStmt) note(i, size int) {
	if size >= longText && !slices.Contains(s.long, i) {
		s.long = append(s.long, i)
	}
}
