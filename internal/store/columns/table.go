package columns

import (
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// Table is the list of the columns of a table, from which come the statement that inserts a row, the one that loads a row with its
// ID, the columns of a SELECT, and what reads them. The first column is the ID.
type Table[T any] struct {
	name          string
	written, read []Column[T]
	names         []string // of all that is written
}

// Column is a column and the field of T that it holds.
type Column[T any] struct {
	name string
	bind func(*T) any            // nil: the database fills it
	scan func(*T, *db.Rows, int) // nil: only written
}

// table makes a table of its columns. Those in also hold no field of T: their values come extra.
func table[T any](name string, columns []Column[T], also ...string) *Table[T] {
	t := &Table[T]{name: name}
	for _, c := range columns {
		if c.bind != nil {
			t.written, t.names = append(t.written, c), append(t.names, c.name)
		}
		if c.scan != nil {
			t.read = append(t.read, c)
		}
	}
	t.names = append(t.names, also...)
	return t
}

// Name is the name of the table.
func (t *Table[T]) Name() string { return t.name }

// Load is the statement that inserts a row with its ID.
func (t *Table[T]) Load() string { return insert(t.name, t.names) }

// Insert is the statement that inserts a row to which the sequence gives the ID.
func (t *Table[T]) Insert() string { return insert(t.name, t.names[1:]) }

// Replace is Load, or an update of all columns where there is a row with the ID.
func (t *Table[T]) Replace() string {
	sets := make([]string, 0, len(t.names))
	for _, name := range t.names[1:] {
		sets = append(sets, name+" = excluded."+name)
	}
	return t.Load() + " ON CONFLICT (" + t.names[0] + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

func insert(table string, names []string) string {
	values := make([]string, len(names))
	for i := range names {
		values[i] = fmt.Sprintf("$%d", i+1)
	}
	return "INSERT INTO " + table + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
}

// Values appends the parameters of Load to row; also are those of the columns without a field.
func (t *Table[T]) Values(row []any, v *T, also ...any) []any {
	for _, c := range t.written {
		row = append(row, c.bind(v))
	}
	return append(row, also...)
}

// New is the parameters of Insert.
func (t *Table[T]) New(v *T, also ...any) []any {
	return t.Values(make([]any, 0, len(t.names)), v, also...)[1:]
}

// Select is the columns that Scan reads, of the table under an alias, or without one for "".
func (t *Table[T]) Select(alias string) string {
	if alias != "" {
		alias += "."
	}
	names := make([]string, len(t.read))
	for i, c := range t.read {
		names[i] = alias + c.name
	}
	return strings.Join(names, ", ")
}

// Scan reads the columns of Select, which are the first ones of the row.
func (t *Table[T]) Scan(r *db.Rows, v *T) {
	for i := range t.read {
		t.read[i].scan(v, r, i)
	}
}

// The kinds of columns. Each names the field by a function that returns its address.

func text[T any, S ~string](name string, at func(*T) *S) Column[T] {
	return Column[T]{name, func(v *T) any { return string(*at(v)) }, func(v *T, r *db.Rows, i int) { *at(v) = S(r.Text(i)) }}
}

func number[T any, N ~int | ~int64](name string, at func(*T) *N) Column[T] {
	return Column[T]{name, func(v *T) any { return int64(*at(v)) }, func(v *T, r *db.Rows, i int) { *at(v) = N(r.Int64(i)) }}
}

// reference is an ID of another table that may be missing.
func reference[T any](name string, at func(*T) *int64) Column[T] {
	return Column[T]{name, func(v *T) any { return OrNull(*at(v)) }, func(v *T, r *db.Rows, i int) { *at(v) = r.Int64(i) }}
}

// optional is a number that may be missing.
func optional[T any, N ~int64](name string, at func(*T) **N) Column[T] {
	bind := func(v *T) any {
		if n := *at(v); n != nil {
			return int64(*n)
		}
		return nil
	}
	return Column[T]{name, bind, func(v *T, r *db.Rows, i int) {
		*at(v) = nil
		if !r.Null(i) {
			n := N(r.Int64(i))
			*at(v) = &n
		}
	}}
}

func truth[T any](name string, at func(*T) *bool) Column[T] {
	return Column[T]{name, func(v *T) any { return *at(v) }, func(v *T, r *db.Rows, i int) { *at(v) = r.Bool(i) }}
}

// instant is a time, NULL for none.
func instant[T any](name string, at func(*T) *admitto.Time) Column[T] {
	return Column[T]{name, func(v *T) any { return *at(v) }, func(v *T, r *db.Rows, i int) { *at(v) = r.Time(i) }}
}

// date is a day, NULL for none.
func date[T any](name string, at func(*T) *admitto.Date) Column[T] {
	return Column[T]{name, func(v *T) any { return *at(v) }, func(v *T, r *db.Rows, i int) { *at(v) = r.Date(i) }}
}

// filled is a column that the database fills.
func filled[T any](c Column[T]) Column[T] { return Column[T]{c.name, nil, c.scan} }
