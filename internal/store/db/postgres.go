package db

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	bulkChunk   = 1000             // rows that are sent before their answers are read
	bulkBytes   = 8 << 20          // of their texts and bytes, from which on fewer rows are sent
	endTimeout  = 10 * time.Second // of a commit or rollback, which the context does not cut short
	defaultPool = 16

	// beginTimeout is how long a transaction may wait for a connection, and one that writes for its BEGIN, which no
	// healthy server lets wait. It is what tells a server that hangs from a statement that works for long.
	beginTimeout = 5 * time.Second

	// answerTimeout is after how long without an answer to the first statement of one that reads, which its BEGIN comes
	// with, the server is asked whether it lives, and aliveTimeout how long it may take to say so. Both together are not
	// more than beginTimeout.
	answerTimeout = 2 * time.Second
	aliveTimeout  = 3 * time.Second

	// idleTimeout is how long one that writes may send nothing. Then the server ends it, and with it what it has locked:
	// the process may stand still, as one that was stopped or whose machine was suspended, and others wait for its locks.
	idleTimeout = 10 * time.Second

	// cancelTimeout is how long the server may take to end a statement that it was asked to cancel. It does not hear a
	// request that comes before it has begun; then the connection is closed, which asks a second time.
	cancelTimeout = time.Second
)

// postgresDB is a pool of connections.
type postgresDB struct {
	pool    *pgxpool.Pool
	running underWay
	idle    time.Duration // how long a transaction that writes may do nothing; 0: as the server has it
}

func openPostgres(ctx context.Context, text string, o Options) (*postgresDB, error) {
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		// The text of the driver's error is built around the URL; leave it out to be sure of the password.
		return nil, fmt.Errorf("database URL %q cannot be read%s", redact(text), tlsFault(text, err))
	}
	switch u, err := url.Parse(text); {
	case o.Readers > 0:
		config.MaxConns = int32(min(o.Readers, 10_000))
	case err != nil || !u.Query().Has("pool_max_conns"):
		config.MaxConns = defaultPool
	}
	config.MinConns = min(config.MinConns, config.MaxConns)
	setDialing(config.ConnConfig)
	config.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		c := &canceling{
			asking:  &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelTimeout},
			leaving: &pgconn.DeadlineContextWatcherHandler{Conn: conn.Conn()},
		}
		conn.CustomData()[cancelingKey] = c
		return c
	}
	config.AfterConnect = plan
	if o.Schema != "" {
		config.ConnConfig.RuntimeParams["search_path"] = pgx.Identifier{o.Schema}.Sanitize()
	}
	idle := idleTimeout
	if o.Slow {
		idle = 0
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err == nil {
		if o.Lazy {
			return &postgresDB{pool: pool, idle: idle}, nil
		}
		if err = pool.Ping(ctx); err == nil {
			return &postgresDB{pool: pool, idle: idle}, nil
		}
		pool.Close()
	}
	return nil, classify(ctx, PostgreSQL, true, true, "connect", err)
}

// plan tells the server how to plan for many callers who are in a hurry: workers that share one list take more of the
// processors for it than one takes alone, and all others wait. What the operator has set stays.
func plan(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT set_config(name, '0', FALSE) FROM pg_settings"+
		" WHERE name = 'max_parallel_workers_per_gather' AND source = 'default'")
	return err
}

// cancelingKey is where a connection keeps its canceling.
const cancelingKey = "canceling"

// canceling ends what runs on a connection when its context ends. A statement is cancelled by asking the server. A
// commit is left alone and its connection closed: a server that is asked while it waits for its replica commits
// without. That of a server that stands is closed, too.
type canceling struct {
	ending                atomic.Bool // a commit or rollback runs
	asking, leaving, used ctxwatch.Handler
}

// HandleCancel implements ctxwatch.Handler.
func (c *canceling) HandleCancel(ctx context.Context) {
	c.used = c.asking
	if c.ending.Load() || context.Cause(ctx) == errStands { // who stands hears no request
		c.used = c.leaving
	}
	c.used.HandleCancel(ctx)
}

// HandleUnwatchAfterCancel implements ctxwatch.Handler.
func (c *canceling) HandleUnwatchAfterCancel() { c.used.HandleUnwatchAfterCancel() }

// tlsFault says what is wrong with the TLS parameters of a URL that the driver refuses, "" when something else is. None
// of what it repeats can be secret.
func tlsFault(text string, refused error) string {
	cause := errors.Unwrap(refused)
	if cause == nil || !strings.HasSuffix(refused.Error(), "failed to configure TLS ("+cause.Error()+")") {
		return ""
	}
	if u, err := url.Parse(text); err == nil {
		modes := []string{"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}
		if mode := u.Query().Get("sslmode"); mode != "" && !slices.Contains(modes, mode) {
			return fmt.Sprintf(": sslmode=%s is no mode; it must be one of %s", mode, strings.Join(modes, ", "))
		}
		for _, name := range []string{"sslrootcert", "sslcert", "sslkey"} {
			file := u.Query().Get(name)
			if file == "" || file == "system" {
				continue
			}
			if _, err := os.Stat(file); err != nil {
				return fmt.Sprintf(": the file of %s: %v", name, err)
			}
		}
	}
	return ": its TLS parameters (sslmode, sslrootcert, sslcert, sslkey): " + cause.Error()
}

func (d *postgresDB) begin(ctx context.Context, m mode) (session, error) {
	soon, cancel := context.WithTimeout(ctx, beginTimeout)
	defer cancel()
	s, err := d.start(soon, m)
	if err != nil {
		if soon.Err() != nil && ctx.Err() == nil {
			d.askWhetherAlive()
		}
		return nil, err
	}
	d.running.add(ctx, s)
	return s, nil
}

// askWhetherAlive cuts all transactions short that are under way, unless the server answers. It returns at once.
func (d *postgresDB) askWhetherAlive() { d.running.cutUnlessAlive(d.pool.Config().ConnConfig) }

// start returns a session that has begun, whose context is still missing.
func (d *postgresDB) start(soon context.Context, m mode) (*postgresSession, error) {
	conn, err := d.pool.Acquire(soon)
	if err != nil {
		return nil, err
	}
	s := &postgresSession{pooled: conn, conn: conn.Conn(), mode: m, waiting: &pgx.Batch{},
		silent: d.askWhetherAlive, idle: d.idle}
	if err := s.start(soon); err != nil {
		conn.Release()
		return nil, err
	}
	return s, nil
}

func (d *postgresDB) close() error {
	d.pool.Close()
	return nil
}

// postgresSession is a transaction on one connection.
type postgresSession struct {
	ctx     context.Context
	gone    func() // takes it out of those that are under way
	pooled  *pgxpool.Conn
	conn    *pgx.Conn
	mode    mode
	began   admitto.Time // of one that writes, which nearly always asks for it
	waiting *pgx.Batch   // goes with the next statement
	errand  Errand       // goes before that; nil when there is none, or it has gone
	idle    time.Duration
	silent  func() // is called when the answer to the first statement of one that reads does not come
	ended   bool   // the connection belongs to the pool again
	broken  bool   // and was closed when it was given back
}

// start begins the transaction. One that writes waits for the answer, so that a server that hangs is found out before
// it has done anything. One that reads sends its beginning with the first statement and has the server asked when that
// gets no answer; what is hasty or brief needs no answer and has a bound in time anyway.
func (s *postgresSession) start(ctx context.Context) error {
	if s.mode == reading {
		s.waiting.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
		return nil
	}
	if s.mode == brief { // its statement begins and commits by itself
		return nil
	}
	s.waiting.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	if s.idle > 0 {
		s.waiting.Queue(fmt.Sprintf("SET LOCAL idle_in_transaction_session_timeout = %d", s.idle.Milliseconds()))
	}
	s.waiting.Queue(selectNow).QueryRow(func(row pgx.Row) error { return row.Scan((*int64)(&s.began)) })
	if s.mode == hasty {
		s.waiting.Queue("SET LOCAL synchronous_commit = off")
		return nil
	}
	return s.flush(ctx)
}

func (s *postgresSession) exec(sql string, args []any) (int64, error) {
	if s.waiting.Len() > 0 {
		tag, err := s.execAfterWaiting(s.ctx, sql, args)
		return tag.RowsAffected(), err
	}
	tag, err := s.conn.Exec(s.ctx, sql, args...)
	return tag.RowsAffected(), s.hide(err, args)
}

func (s *postgresSession) query(sql string, args []any) (cursor, error) {
	if s.waiting.Len() == 0 {
		rows, err := s.conn.Query(s.ctx, sql, args...)
		if err != nil {
			rows.Close()
			return nil, s.hide(err, args)
		}
		return &postgresCursor{rows: rows}, nil
	}
	results, err := s.send(s.ctx, sql, args)
	if err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // it says the same
		return nil, err
	}
	return &postgresCursor{rows: rows, results: results}, nil
}

func (s *postgresSession) queue(sql string, args []any) error {
	s.waiting.Queue(sql, args...)
	if s.waiting.Len() < bulkChunk {
		return nil
	}
	return s.flush(s.ctx)
}

// send sends what has waited and one statement more, and reads the answers up to that of the statement.
func (s *postgresSession) send(ctx context.Context, sql string, args []any) (results pgx.BatchResults, err error) {
	batch := s.waiting
	s.waiting = &pgx.Batch{}
	batch.Queue(sql, args...)
	end := s.putErrand(batch)
	defer func() { end(err) }() // after a panic, too: others may wait for it
	if s.mode == reading {
		unanswered := time.AfterFunc(answerTimeout, s.silent)
		defer unanswered.Stop()
	}
	results = s.conn.SendBatch(ctx, batch)
	return results, s.readAnswers(results, batch, batch.Len()-1)
}

// readAnswers reads the answers to the first n statements of a batch and returns them to the one who has asked for
// them. After an error the results are closed.
func (s *postgresSession) readAnswers(results pgx.BatchResults, batch *pgx.Batch, n int) error {
	for _, q := range batch.QueuedQueries[:n] {
		var err error
		if q.Fn != nil {
			err = q.Fn(results)
		} else {
			_, err = results.Exec()
		}
		if err != nil {
			_ = results.Close() // it says the same
			return fmt.Errorf("“%s”, which waited: %w", excerpt(q.SQL), s.hide(err, argumentsOf(batch)))
		}
	}
	return nil
}

func (s *postgresSession) execAfterWaiting(ctx context.Context, sql string, args []any) (tag pgconn.CommandTag,
	err error) {
	results, err := s.send(ctx, sql, args)
	if err != nil {
		return tag, err
	}
	tag, err = results.Exec()
	if e := results.Close(); err == nil {
		err = e
	}
	return tag, s.hide(err, args)
}

// flush sends what has waited.
func (s *postgresSession) flush(ctx context.Context) error {
	if s.waiting.Len() == 0 {
		return nil
	}
	batch := s.waiting
	s.waiting = &pgx.Batch{}
	results := s.conn.SendBatch(ctx, batch)
	if err := s.readAnswers(results, batch, batch.Len()); err != nil {
		return err
	}
	return results.Close()
}

func (s *postgresSession) bulk(sql string, each iter.Seq[[]any]) error {
	size := 0
	for row := range each {
		args, err := normalizeAll(row)
		if err == nil {
			err = s.queue(sql, args)
		}
		if size += sizeOf(args); err == nil && size >= bulkBytes {
			size, err = 0, s.flush(s.ctx)
		}
		if err != nil {
			return err
		}
	}
	return s.flush(s.ctx)
}

// sizeOf sums up the texts and bytes of normalized arguments.
func sizeOf(args []any) (n int) {
	for _, arg := range args {
		switch v := arg.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		}
	}
	return n
}

func (s *postgresSession) script(sql string) error {
	if err := s.flush(s.ctx); err != nil {
		return err
	}
	// The simple protocol is the one that takes many statements.
	_, err := s.conn.Exec(s.ctx, sql, pgx.QueryExecModeSimpleProtocol)
	return err
}

// selectNow returns the time at which the transaction began.
const selectNow = "SELECT (extract(epoch FROM now())*1000000)::bigint"

func (s *postgresSession) now() (t admitto.Time, err error) {
	if s.mode != reading {
		if s.began == 0 {
			err = s.flush(s.ctx)
		}
		return s.began, err
	}
	c, err := s.query(selectNow, nil)
	if err != nil {
		return 0, err
	}
	if there, err := c.next(); err != nil || !there {
		return 0, errors.Join(err, c.close())
	}
	t = admitto.Time(c.int64(0))
	return t, c.close()
}

func (s *postgresSession) lost() bool {
	return s.broken || context.Cause(s.ctx) == errStands || !s.ended && s.conn.IsClosed()
}

func (s *postgresSession) end(commit bool) error {
	defer s.gone()
	ctx, cancel := context.WithTimeout(s.endless(), endTimeout)
	if s.mode == reading {
		s.ended = true
		if s.waiting.Len() > 0 { // it has not begun
			cancel()
			s.pooled.Release()
			return nil
		}
		// Nothing depends on how a snapshot is given up, so nobody waits for it.
		go func() {
			defer cancel()
			defer s.pooled.Release()
			_, _ = s.conn.Exec(ctx, "ROLLBACK")
		}()
		return nil
	}
	defer cancel()
	defer func() {
		s.ended, s.broken = true, s.conn.IsClosed()
		s.pooled.Release() // the pool closes a connection that is still in a transaction
	}()
	if s.mode == brief {
		return nil
	}
	if c, ok := s.conn.PgConn().CustomData()[cancelingKey].(*canceling); ok {
		c.ending.Store(true)
		defer c.ending.Store(false) // before another transaction has the connection
	}
	err := s.ctx.Err()
	if commit && err == nil {
		return s.commit(ctx)
	}
	if _, e := s.conn.Exec(ctx, "ROLLBACK"); e != nil && !commit {
		err = e
	}
	return err
}

// endless is the context of the end, which that of the transaction does not cut short unless it is hasty.
func (s *postgresSession) endless() context.Context {
	if s.mode == hasty {
		return s.ctx
	}
	return context.WithoutCancel(s.ctx)
}

// commit sends what has waited together with the commit.
func (s *postgresSession) commit(ctx context.Context) error {
	tag, err := s.execAfterWaiting(ctx, "COMMIT", nil)
	switch {
	case err != nil && s.conn.PgConn().TxStatus() == 'E':
		// A statement before it failed, so it did not run.
		_, _ = s.conn.Exec(ctx, "ROLLBACK")
	case err != nil && s.conn.PgConn().TxStatus() != 'I':
		_ = s.conn.Close(ctx) // who knows what the server has done
	case err == nil && tag.String() == "ROLLBACK":
		err = pgx.ErrTxCommitRollback
	}
	return err
}

// hide replaces what the driver says when it cannot encode an argument, as it quotes the value.
func (s *postgresSession) hide(err error, args []any) error {
	var server *pgconn.PgError
	if err == nil || len(args) == 0 || errors.As(err, &server) || s.lost() || s.ctx.Err() != nil {
		return err
	}
	types := ""
	for _, arg := range args[:min(len(args), 40)] {
		types += fmt.Sprintf(" %T", arg)
	}
	return fmt.Errorf("the driver refuses the %d parameters of types%s", len(args), types)
}

func argumentsOf(batch *pgx.Batch) (args []any) {
	for _, q := range batch.QueuedQueries {
		args = append(args, q.Arguments...)
	}
	return args
}
