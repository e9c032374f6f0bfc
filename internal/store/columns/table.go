package columns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/store/db"
)

// Table is the list of the columns of a table, from which come the statement that inserts a row, the one that loads a
// row with its ID, the columns of a SELECT, and what reads them.
type Table[T any] struct {
	name          string
	key           int  // how many columns there are in the primary key, the first ones
	numbered      bool // the key is an ID that comes from a sequence
	columns       []Column[T]
	written, read []Column[T]
	names         []string // of all that is written
}

// Column is a column and the field of T that it holds.
type Column[T any] struct {
	name string
	bind func(*T) any            // nil: the database fills it
	scan func(*T, *db.Rows, int) // nil: only written
	// decode stands for scan where a text may be wrong, such as JSON.
	decode func(*T, []byte) error
}

// table makes a table of its columns, the first of which is the ID. Those in also hold no field of T: their values come
// extra.
func table[T any](name string, columns []Column[T], also ...string) *Table[T] {
	t := keyed(name, 1, columns, also...)
	t.numbered = true
	return t
}

// keyed makes a table that has no ID of its own: the first columns are its primary key.
func keyed[T any](name string, key int, columns []Column[T], also ...string) *Table[T] {
	t := &Table[T]{name: name, key: key, columns: columns}
	known := listed[name]
	for i, c := range columns {
		if c.decode != nil {
			c.scan = func(v *T, r *db.Rows, i int) {
				if err := c.decode(v, r.Raw(i)); err != nil {
					r.Fail(fmt.Errorf("%s of %s %v: %w", c.name, name, columns[0].bind(v), err))
				}
			}
			t.columns[i] = c
		}
		if c.bind != nil {
			t.written, t.names = append(t.written, c), append(t.names, c.name)
		}
		if c.scan != nil {
			t.read = append(t.read, c)
		}
		known = append(known, c.name)
	}
	t.names = append(t.names, also...)
	listed[name] = append(known, also...)
	return t
}

var listed = map[string][]string{}

// Listed returns the names of the columns in the lists of this package, by table. A column may be among them twice.
func Listed() map[string][]string { return listed }

// Name is the name of the table.
func (t *Table[T]) Name() string { return t.name }

// Key is the name of the first column of the key.
func (t *Table[T]) Key() string { return t.names[0] }

// Numbered reports whether the IDs of the table come from a sequence.
func (t *Table[T]) Numbered() bool { return t.numbered }

// Load is the statement that inserts a row with its ID.
func (t *Table[T]) Load() string { return insert(t.name, t.names) }

// Insert is the statement that inserts a row to which the sequence gives the ID.
func (t *Table[T]) Insert() string { return insert(t.name, t.names[1:]) }

// Add is Load, or nothing where there is a row with the key.
func (t *Table[T]) Add() string {
	return t.Load() + " ON CONFLICT (" + strings.Join(t.names[:t.key], ", ") + ") DO NOTHING"
}

// Replace is Load, or an update of all columns where there is a row with the key.
func (t *Table[T]) Replace() string {
	sets := make([]string, 0, len(t.names))
	for _, name := range t.names[t.key:] {
		sets = append(sets, name+" = excluded."+name)
	}
	return t.Load() + " ON CONFLICT (" + strings.Join(t.names[:t.key], ", ") + ") DO UPDATE SET " + strings.Join(sets,
		", ")
}

func insert(table string, names []string) string {
	values := make([]string, len(names))
	for i := range names {
		values[i] = fmt.Sprintf("$%d", i+1)
	}
	return "INSERT INTO " + table + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
}

// Update is the statement that writes all columns of the row whose ID is the first parameter of Load, and raises its
// row version.
func (t *Table[T]) Update() string {
	sets := make([]string, 0, len(t.names))
	for i, name := range t.names[t.key:] {
		sets = append(sets, fmt.Sprintf("%s = $%d", name, t.key+i+1))
	}
	return "UPDATE " + t.name + " SET " + strings.Join(sets, ", ") + ", row_version = row_version + 1 WHERE " +
		t.names[0] + " = $1"
}

// Change is a column that has another value than before, in words.
type Change struct{ Name, Old, New string }

// Changes compares two rows in what Load writes.
func (t *Table[T]) Changes(old, changed *T) (list []Change) {
	for _, c := range t.written {
		was, is := valueText(c.bind(old)), valueText(c.bind(changed))
		if was != is {
			list = append(list, Change{c.name, was, is})
		}
	}
	return list
}

func valueText(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// Values appends the parameters of Load to row; also are those of the columns without a field.
func (t *Table[T]) Values(row []any, v *T, also ...any) []any {
	row = slices.Grow(row, len(t.names))
	for _, c := range t.written {
		row = append(row, c.bind(v))
	}
	return append(row, also...)
}

// New is the parameters of Insert.
func (t *Table[T]) New(v *T, also ...any) []any { return t.Values(nil, v, also...)[1:] }

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
func (t *Table[T]) Scan(r *db.Rows, v *T) { t.ScanFrom(r, 0, v) }

// ScanFrom reads the columns of Select, which begin at a column of the row.
func (t *Table[T]) ScanFrom(r *db.Rows, first int, v *T) {
	for i := range t.read {
		t.read[i].scan(v, r, first+i)
	}
}

// Width is how many columns Select has, so that what comes behind them need not be counted.
func (t *Table[T]) Width() int { return len(t.read) }
