package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
)

// floor is the bare driver on a database file: prepared statements, nothing above them.
type floor struct {
	conn             *sqlite.Conn
	list, one        *sqlite.Stmt
	count, countScan *sqlite.Stmt
	buffer           []byte // the JSON of the last answer
}

// columns are those that a representation is made of. Numbers are read as such, the rest as text.
var columns = []string{"id", "type", "registered", "given", "middle", "family", "parent", "legal", "email",
	"phone", "skype", "reference", "matriculation", "citizenship", "address", "vatin", "state", "lead"}

// cacheSize is the page cache of the service's readers, so that neither side has more.
const cacheSize = "PRAGMA cache_size=-8192"

func openFloor(ctx context.Context, path string) (f *floor, err error) {
	f = &floor{buffer: make([]byte, 0, 16<<20)}
	if f.conn, err = sqlite.OpenConn(path, sqlite.OpenReadOnly); err != nil {
		return nil, err
	}
	f.conn.SetInterrupt(ctx.Done())
	f.conn.SetBusyTimeout(10 * time.Second)
	if err := execute(f.conn, cacheSize); err != nil {
		return nil, errors.Join(err, f.conn.Close())
	}
	selected := "SELECT " + strings.Join(columns, ", ") + " FROM applicant "
	for _, p := range []struct {
		stmt **sqlite.Stmt
		sql  string
	}{
		{&f.list, selected + "WHERE id >= ? AND visible ORDER BY id LIMIT ?"},
		{&f.one, selected + "WHERE id = ? AND visible"},
		{&f.count, "SELECT coalesce(sum(n), 0) FROM tally WHERE family = 'applicant' AND facet = ''"},
		{&f.countScan, "SELECT count(*) FROM applicant WHERE visible"},
	} {
		if *p.stmt, err = f.conn.Prepare(p.sql); err != nil {
			return nil, errors.Join(err, f.conn.Close())
		}
	}
	return f, nil
}

func (f *floor) close() { _ = f.conn.Close() }

// execute runs a statement without parameters to its end.
func execute(conn *sqlite.Conn, sql string) error {
	stmt, _, err := conn.PrepareTransient(sql)
	if err != nil {
		return err
	}
	defer func() { _ = stmt.Finalize() }()
	for {
		if more, err := stmt.Step(); err != nil || !more {
			return err
		}
	}
}

// applicants steps through the statement, reads every column and makes the least JSON there is of it:
// nothing is escaped and no links are made. It gives the number of rows.
func (f *floor) applicants(stmt *sqlite.Stmt, parameters ...int64) (s sample, rows int, err error) {
	start := time.Now()
	for i, p := range parameters {
		stmt.BindInt64(i+1, p)
	}
	dst := append(f.buffer[:0], '{')
	for {
		more, err := stmt.Step()
		if err != nil {
			return s, 0, errors.Join(err, stmt.Reset())
		}
		if !more {
			break
		}
		rows++
		if rows == 1 {
			s.firstByte = time.Since(start)
		}
		for i, name := range columns {
			dst = append(append(append(dst, '"'), name...), '"', ':')
			if name == "id" || name == "registered" || name == "lead" {
				dst = append(strconv.AppendInt(dst, stmt.ColumnInt64(i), 10), ',')
				continue
			}
			dst = appendColumn(append(dst, '"'), stmt, i)
			dst = append(dst, '"', ',')
		}
	}
	f.buffer = append(dst, '}')
	err = stmt.Reset()
	s.total, s.bytes = time.Since(start), int64(len(f.buffer))
	return s, rows, err
}

// appendColumn lets the driver copy a text to where it belongs, without anything in between.
func appendColumn(dst []byte, stmt *sqlite.Stmt, column int) []byte {
	const usual = 256
	dst = slices.Grow(dst, usual)
	n := stmt.ColumnBytes(column, dst[len(dst):cap(dst)])
	if len(dst)+n == cap(dst) { // perhaps there is more
		n = stmt.ColumnLen(column)
		dst = slices.Grow(dst, n)
		stmt.ColumnBytes(column, dst[len(dst):cap(dst)])
	}
	return dst[:len(dst)+n]
}

// number steps a statement that gives one number.
func (f *floor) number(stmt *sqlite.Stmt) (s sample, n int64, err error) {
	start := time.Now()
	more, err := stmt.Step()
	if err == nil && !more {
		err = errors.New("the count gave no row")
	}
	if err == nil {
		n = stmt.ColumnInt64(0)
	}
	err = errors.Join(err, stmt.Reset())
	s.total = time.Since(start)
	return s, n, err
}

// someIDs gives IDs of visible applicants, spread over those that have at least so many rows behind them.
func (f *floor) someIDs(behind int) ([]int64, error) {
	var last int64
	err := rowsOf(f.conn, fmt.Sprintf("SELECT coalesce((SELECT id FROM applicant WHERE visible ORDER BY id DESC LIMIT 1 OFFSET %d), 1)", behind),
		func(stmt *sqlite.Stmt) { last = stmt.ColumnInt64(0) })
	if err != nil {
		return nil, err
	}
	var ids []int64
	const want = 251
	for i := range int64(want) {
		// A multiplier that has nothing in common with want scatters them.
		at := 1 + (last-1)*(i*97%want)/want
		err := rowsOf(f.conn, fmt.Sprintf("SELECT id FROM applicant WHERE visible AND id >= %d ORDER BY id LIMIT 1", at),
			func(stmt *sqlite.Stmt) { ids = append(ids, stmt.ColumnInt64(0)) })
		if err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("there are no visible applicants")
	}
	return ids, nil
}

// rowsOf calls fn for each row of a query that is run once.
func rowsOf(conn *sqlite.Conn, sql string, fn func(*sqlite.Stmt)) error {
	stmt, _, err := conn.PrepareTransient(sql)
	if err != nil {
		return err
	}
	defer func() { _ = stmt.Finalize() }()
	for {
		more, err := stmt.Step()
		if err != nil || !more {
			return err
		}
		fn(stmt)
	}
}
