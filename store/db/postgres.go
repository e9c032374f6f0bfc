package db

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strconv"
	"time"

	"github.com/admitto/admitto"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	bulkChunk   = 1000             // rows that are sent before their answers are read
	endTimeout  = 10 * time.Second // of a commit or rollback, which the context does not cut short
	defaultPool = 16

	// beginTimeout is how long a transaction may wait for a connection and for its BEGIN, which no healthy server
	// lets wait. It is what tells a server that hangs from a statement that works for long.
	beginTimeout = 5 * time.Second

	// connectTimeout bounds one attempt to connect, which goes on when its transaction has given up.
	connectTimeout = 10 * time.Second
)

// postgresDB is a pool of connections.
type postgresDB struct {
	pool *pgxpool.Pool
}

func openPostgres(ctx context.Context, text string, o Options) (*postgresDB, error) {
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		// The text of the driver's error is built around the URL; leave it out to be sure of the password.
		return nil, fmt.Errorf("database URL %q cannot be read", redact(text))
	}
	switch u, err := url.Parse(text); {
	case o.Readers > 0:
		config.MaxConns = int32(min(o.Readers, 10_000))
	case err != nil || !u.Query().Has("pool_max_conns"):
		config.MaxConns = defaultPool
	}
	config.MinConns = min(config.MinConns, config.MaxConns)
	if config.ConnConfig.ConnectTimeout == 0 { // the URL has no connect_timeout
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if o.Schema != "" {
		config.ConnConfig.RuntimeParams["search_path"] = pgx.Identifier{o.Schema}.Sanitize()
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err == nil {
		if o.Lazy {
			return &postgresDB{pool}, nil
		}
		if err = pool.Ping(ctx); err == nil {
			return &postgresDB{pool}, nil
		}
		pool.Close()
	}
	return nil, classify(ctx, PostgreSQL, true, true, "connect", err)
}

func (d *postgresDB) begin(ctx context.Context, write bool) (session, error) {
	soon, cancel := context.WithTimeout(ctx, beginTimeout)
	defer cancel()
	conn, err := d.pool.Acquire(soon)
	if err != nil {
		return nil, err
	}
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	if write {
		options = pgx.TxOptions{IsoLevel: pgx.ReadCommitted}
	}
	tx, err := conn.Conn().BeginTx(soon, options)
	if err != nil {
		conn.Release()
		return nil, err
	}
	return &postgresSession{ctx: ctx, pooled: conn, conn: conn.Conn(), tx: tx}, nil
}

func (d *postgresDB) close() error {
	d.pool.Close()
	return nil
}

// postgresSession is a transaction on one connection.
type postgresSession struct {
	ctx    context.Context
	pooled *pgxpool.Conn
	conn   *pgx.Conn
	tx     pgx.Tx
	ended  bool // the connection belongs to the pool again
	broken bool // and was closed when it was given back
}

func (s *postgresSession) exec(sql string, args []any) (int64, error) {
	tag, err := s.conn.Exec(s.ctx, sql, args...)
	return tag.RowsAffected(), s.hide(err, args)
}

func (s *postgresSession) query(sql string, args []any) (cursor, error) {
	rows, err := s.conn.Query(s.ctx, sql, args...)
	if err != nil {
		rows.Close()
		return nil, s.hide(err, args)
	}
	return &postgresCursor{rows: rows}, nil
}

func (s *postgresSession) bulk(sql string, each iter.Seq[[]any]) error {
	batch := &pgx.Batch{}
	send := func() error {
		if batch.Len() == 0 {
			return nil
		}
		first := batch.QueuedQueries[0].Arguments
		err := s.conn.SendBatch(s.ctx, batch).Close()
		batch = &pgx.Batch{}
		return s.hide(err, first)
	}
	for row := range each {
		args, err := normalizeAll(row)
		if err != nil {
			return err
		}
		batch.Queue(sql, args...)
		if batch.Len() == bulkChunk {
			if err := send(); err != nil {
				return err
			}
		}
	}
	return send()
}

func (s *postgresSession) script(sql string) error {
	// The simple protocol is the one that takes many statements.
	_, err := s.conn.Exec(s.ctx, sql, pgx.QueryExecModeSimpleProtocol)
	return err
}

func (s *postgresSession) now() (t admitto.Time, err error) {
	err = s.conn.QueryRow(s.ctx, "SELECT (extract(epoch FROM now())*1000000)::bigint").Scan((*int64)(&t))
	return t, err
}

func (s *postgresSession) lost() bool { return s.broken || !s.ended && s.conn.IsClosed() }

func (s *postgresSession) end(commit bool) error {
	defer func() {
		s.ended, s.broken = true, s.conn.IsClosed()
		s.pooled.Release() // the pool closes a connection that is still in a transaction
	}()
	err := s.ctx.Err()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), endTimeout)
	defer cancel()
	if commit && err == nil {
		return s.tx.Commit(ctx)
	}
	if e := s.tx.Rollback(ctx); e != nil && !commit {
		err = e
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
	for _, arg := range args {
		types += fmt.Sprintf(" %T", arg)
	}
	return fmt.Errorf("the driver refuses the %d parameters of types%s", len(args), types)
}

// format is how a column arrives.
type format uint8

const (
	asOther format = iota // binary and none of the following: cannot be read
	asInt                 // binary, big endian, of any width
	asBool                // binary
	asBytes               // the value itself
	asText                // text that stands for a value
)

func formatOf(f pgconn.FieldDescription) format {
	switch f.DataTypeOID {
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID, pgtype.NameOID, pgtype.JSONOID, pgtype.UnknownOID:
		return asBytes
	case pgtype.ByteaOID:
		if f.Format == pgx.BinaryFormatCode {
			return asBytes
		}
		return asOther
	}
	if f.Format == pgx.TextFormatCode {
		return asText
	}
	switch f.DataTypeOID {
	case pgtype.Int8OID, pgtype.Int4OID, pgtype.Int2OID:
		return asInt
	case pgtype.BoolOID:
		return asBool
	}
	return asOther
}

// postgresCursor reads the values as they came over the wire.
type postgresCursor struct {
	rows    pgx.Rows
	formats []format
	values  [][]byte
	bad     error // the first value that could not be read
}

func (c *postgresCursor) next() (bool, error) {
	if c.bad != nil {
		return false, c.bad
	}
	if !c.rows.Next() {
		return false, c.rows.Err()
	}
	c.values = c.rows.RawValues()
	if c.formats == nil {
		fields := c.rows.FieldDescriptions()
		c.formats = make([]format, len(fields))
		for i, f := range fields {
			c.formats[i] = formatOf(f)
		}
	}
	return true, nil
}

func (c *postgresCursor) null(i int) bool { return c.values[i] == nil }

func (c *postgresCursor) int64(i int) int64 {
	v := c.values[i]
	if v == nil {
		return 0
	}
	switch c.formats[i] {
	case asInt:
		switch len(v) {
		case 8:
			return int64(binary.BigEndian.Uint64(v))
		case 4:
			return int64(int32(binary.BigEndian.Uint32(v)))
		case 2:
			return int64(int16(binary.BigEndian.Uint16(v)))
		}
	case asBool:
		return int64(v[0])
	case asText:
		if text := string(v); text == "t" || text == "f" {
			return int64(v[0]-'f') / int64('t'-'f')
		} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	}
	c.misread(i, "bigint")
	return 0
}

func (c *postgresCursor) raw(i int) []byte {
	v := c.values[i]
	if v == nil {
		return nil
	}
	switch c.formats[i] {
	case asBytes, asText:
		return v
	case asInt:
		return strconv.AppendInt(nil, c.int64(i), 10)
	}
	c.misread(i, "text")
	return nil
}

func (c *postgresCursor) misread(i int, to string) {
	if c.bad == nil {
		c.bad = fmt.Errorf("column %d is of a type that must be cast to %s", i, to)
	}
}

func (c *postgresCursor) close() error {
	c.rows.Close()
	if c.bad != nil {
		return c.bad
	}
	return c.rows.Err()
}
