package main

import (
	"bytes"
	"context"
	"encoding/json"
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
	selected         string // SELECT … FROM applicant
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
	f.selected = "SELECT " + strings.Join(columns, ", ") + " FROM applicant "
	for _, p := range []struct {
		stmt **sqlite.Stmt
		sql  string
	}{
		{&f.list, f.selected + "WHERE id >= ? AND visible ORDER BY id LIMIT ?"},
		{&f.one, f.selected + "WHERE id = ? AND visible"},
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

// applicants steps through the statement, reads every column and writes the JSON that the service answers, byte
// for byte, in straight code for this one record in this one version. It returns the number of rows.
func (f *floor) applicants(stmt *sqlite.Stmt, parameters ...any) (s sample, rows int, err error) {
	start := time.Now()
	bind(stmt, parameters)
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
		} else {
			dst = append(dst, ',')
		}
		dst = appendApplicant(dst, stmt)
	}
	f.buffer = append(dst, '}')
	err = stmt.Reset()
	s.total, s.bytes = time.Since(start), int64(len(f.buffer))
	return s, rows, err
}

// bind sets the parameters of a statement.
func bind(stmt *sqlite.Stmt, values []any) {
	for i, value := range values {
		switch v := value.(type) {
		case int64:
			stmt.BindInt64(i+1, v)
		case float64:
			stmt.BindFloat(i+1, v)
		case string:
			stmt.BindText(i+1, v)
		case []byte:
			stmt.BindBytes(i+1, v)
		case nil:
			stmt.BindNull(i + 1)
		}
	}
}

// The columns of the statement.
const (
	colID = iota
	colType
	colRegistered
	colGiven
	colMiddle
	colFamily
	colParent
	colLegal
	colEmail
	colPhone
	colSkype
	colReference
	colMatriculation
	colCitizenship
	colAddress
	colVATIN
)

func appendApplicant(dst []byte, stmt *sqlite.Stmt) []byte {
	const prefix = `"/api/v10/applicants/`
	id := stmt.ColumnInt64(colID)
	dst = strconv.AppendInt(append(dst, '"'), id, 10)
	dst = strconv.AppendInt(append(dst, `":{"id":`...), id, 10)
	text := func(name string, column int) {
		dst = append(dst, name...)
		dst = append(appendEscaped(append(dst, '"'), stmt, column), '"')
	}
	nullable := func(name string, column int) {
		if stmt.ColumnLen(column) == 0 {
			dst = append(append(dst, name...), "null"...)
			return
		}
		text(name, column)
	}
	path := func(name, last string) {
		dst = append(append(dst, name...), prefix...)
		dst = append(append(strconv.AppendInt(dst, id, 10), last...), '"')
	}
	text(`,"type":`, colType)
	kind := dst[len(dst)-2] // "Natural" ends in l like "Legal", "Child" in d
	dst = append(dst, `,"registered":"`...)
	dst = time.UnixMicro(stmt.ColumnInt64(colRegistered)).UTC().AppendFormat(dst, "2006-01-02T15:04:05-07:00")
	dst = append(dst, `","name":{"full":"`...)
	first := len(dst)
	for _, column := range [...]int{colGiven, colMiddle, colFamily} {
		if stmt.ColumnLen(column) == 0 {
			continue
		}
		if len(dst) > first {
			dst = append(dst, ' ')
		}
		dst = appendEscaped(dst, stmt, column)
	}
	text(`","given":`, colGiven)
	text(`,"middle":`, colMiddle)
	text(`,"family":`, colFamily)
	switch {
	case kind == 'd':
		text(`,"parent":`, colParent)
	case stmt.ColumnLen(colType) == len("Legal"):
		text(`,"legal":`, colLegal)
	}
	text(`},"email":`, colEmail)
	text(`,"phone":`, colPhone)
	nullable(`,"skype":`, colSkype)
	text(`,"reference":`, colReference)
	nullable(`,"matriculation":`, colMatriculation)
	text(`,"citizenship":`, colCitizenship)
	path(`,"notes":`, "/notes")
	nullable(`,"address":`, colAddress)
	nullable(`,"vatin":`, colVATIN)
	path(`,"applications":`, "/applications")
	path(`,"trackers":`, "/trackers")
	path(`,"photo":`, "/photo")
	path(`,"documents":`, "/documents")
	path(`,"consents":`, "/consents")
	path(`,"invoices":`, "/invoices")
	path(`,"wishes":`, "/wishes")
	path(`,"emails":`, "/emails")
	return append(dst, '}')
}

// appendEscaped appends a text column as the inside of a JSON string.
func appendEscaped(dst []byte, stmt *sqlite.Stmt, column int) []byte {
	start := len(dst)
	dst = appendColumn(dst, stmt, column)
	for _, c := range dst[start:] {
		if c < ' ' || c == '"' || c == '\\' {
			quoted := appendJSON(nil, string(dst[start:]))
			return append(dst[:start], quoted[1:len(quoted)-1]...)
		}
	}
	return dst
}

func appendJSON(dst []byte, s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always has an encoding
	return append(dst, bytes.TrimSpace(b.Bytes())...)
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

// someIDs returns IDs of visible applicants, spread over those that have at least so many rows behind them.
func (f *floor) someIDs(behind int) ([]int64, error) {
	var last int64
	err := rowsOf(f.conn,
		fmt.Sprintf("SELECT coalesce((SELECT id FROM applicant WHERE visible ORDER BY id DESC LIMIT 1 OFFSET %d), 1)",
			behind),
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

// texts returns the first column of a query.
func (f *floor) texts(sql string) (list []string, err error) {
	err = rowsOf(f.conn, sql, func(stmt *sqlite.Stmt) { list = append(list, stmt.ColumnText(0)) })
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("the data has no row for %s", sql)
	}
	return list, err
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
