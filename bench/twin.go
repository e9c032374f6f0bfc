package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
	"zombiezen.com/go/sqlite"
)

// twin is a copy of the service's database. What one POST has left in the service's database is read there,
// without being timed, and put into the twin by the bare driver in one transaction: the floor of that POST.
type twin struct {
	source *sqlite.Conn // the service's database
	conn   *sqlite.Conn
	mail   *smtp.Client
	sink   *sink
	tables []*table
	rows   []newRow // of the last POST
}

// table is a table that a creation may write to.
type table struct {
	name    string
	columns []string
	last    int64 // the highest rowid that the twin has
	insert  *sqlite.Stmt
}

type newRow struct {
	table  *table
	values []any
}

// Tables that a creation adds rows to, parents first, and those whose rows it changes.
var (
	added   = []string{"applicant", "applicant_tracker", "sign_in_token", "note", "email", "journal", "journal_detail"}
	changed = []string{"journal_head", "tally"}
)

func openTwin(ctx context.Context, sourcePath, path string, s *sink) (t *twin, err error) {
	t = &twin{sink: s}
	if t.source, err = sqlite.OpenConn(sourcePath, sqlite.OpenReadOnly); err != nil {
		return nil, err
	}
	if t.conn, err = sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenWAL); err != nil {
		return nil, errors.Join(err, t.source.Close())
	}
	t.source.SetInterrupt(ctx.Done())
	t.conn.SetInterrupt(ctx.Done())
	if err := t.prepare(); err != nil {
		t.close()
		return nil, err
	}
	if t.mail, err = smtp.Dial(s.address); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *twin) close() {
	if t.mail != nil {
		_ = t.mail.Close()
	}
	_ = t.conn.Close()
	_ = t.source.Close()
}

// prepare sets the connection as the service sets its own, and prepares the statements.
func (t *twin) prepare() error {
	for _, setting := range []string{"synchronous=FULL", "foreign_keys=ON", "cache_size=-16384"} {
		if err := execute(t.conn, "PRAGMA "+setting); err != nil {
			return err
		}
	}
	for i, name := range append(append([]string{}, added...), changed...) {
		tab := &table{name: name}
		t.tables = append(t.tables, tab)
		// table_info leaves generated columns out.
		err := rowsOf(t.conn, "SELECT name FROM pragma_table_info('"+name+"')", func(stmt *sqlite.Stmt) {
			tab.columns = append(tab.columns, stmt.ColumnText(0))
		})
		if err != nil {
			return err
		}
		verb := "INSERT"
		if i >= len(added) {
			verb = "REPLACE"
		}
		sql := fmt.Sprintf("%s INTO %s (%s) VALUES (?%s)", verb, name, strings.Join(tab.columns, ", "),
			strings.Repeat(", ?", len(tab.columns)-1))
		if tab.insert, err = t.conn.Prepare(sql); err != nil {
			return err
		}
		if i < len(added) {
			err := rowsOf(t.conn, "SELECT coalesce(max(rowid), 0) FROM "+name,
				func(stmt *sqlite.Stmt) { tab.last = stmt.ColumnInt64(0) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// learn reads what the service has written since the last time.
func (t *twin) learn() error {
	t.rows = t.rows[:0]
	var applicant int64
	for i, tab := range t.tables {
		selected := "SELECT rowid, " + strings.Join(tab.columns, ", ") + " FROM " + tab.name
		switch {
		case i < len(added):
			selected += fmt.Sprintf(" WHERE rowid > %d ORDER BY rowid", tab.last)
		case tab.name == "tally":
			selected += fmt.Sprintf(" WHERE high = %d", applicant)
		}
		err := rowsOf(t.source, selected, func(stmt *sqlite.Stmt) {
			if i < len(added) {
				tab.last = stmt.ColumnInt64(0)
			}
			if tab.name == "applicant" {
				applicant = stmt.ColumnInt64(0)
			}
			row := newRow{table: tab}
			for c := range tab.columns {
				row.values = append(row.values, valueOf(stmt, c+1))
			}
			t.rows = append(t.rows, row)
		})
		if err != nil {
			return err
		}
	}
	if applicant == 0 {
		return errors.New("the service has stored no applicant")
	}
	return nil
}

func valueOf(stmt *sqlite.Stmt, column int) any {
	switch stmt.ColumnType(column) {
	case sqlite.TypeInteger:
		return stmt.ColumnInt64(column)
	case sqlite.TypeFloat:
		return stmt.ColumnFloat(column)
	case sqlite.TypeText:
		return stmt.ColumnText(column)
	case sqlite.TypeBlob:
		value := make([]byte, stmt.ColumnLen(column))
		stmt.ColumnBytes(column, value)
		return value
	}
	return nil
}

// repeat does what the service has done at the least: one durable transaction with the same rows, and the
// same mail to the same server.
func (t *twin) repeat() (s sample, err error) {
	message := t.sink.latest()
	start := time.Now()
	if err := execute(t.conn, "BEGIN IMMEDIATE"); err != nil {
		return s, err
	}
	for i := range t.rows {
		if err := t.rows[i].put(); err != nil {
			return s, errors.Join(err, execute(t.conn, "ROLLBACK"))
		}
	}
	if err := execute(t.conn, "COMMIT"); err != nil {
		return s, err
	}
	if err := message.post(t.mail); err != nil {
		return s, err
	}
	s.total = time.Since(start)
	return s, nil
}

func (r *newRow) put() error {
	stmt := r.table.insert
	bind(stmt, r.values)
	_, err := stmt.Step()
	if err != nil {
		err = fmt.Errorf("a row of %s: %w", r.table.name, err)
	}
	return errors.Join(err, stmt.Reset())
}
