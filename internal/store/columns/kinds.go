package columns

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// The kinds of columns. Each names the field by a function that returns its address.

func text[T any, S ~string](name string, at func(*T) *S) Column[T] {
	return Column[T]{name: name, bind: func(v *T) any { return string(*at(v)) },
		scan: func(v *T, r *db.Rows, i int) { *at(v) = S(r.Text(i)) }}
}

func number[T any, N ~int | ~int64](name string, at func(*T) *N) Column[T] {
	return Column[T]{name: name, bind: func(v *T) any { return int64(*at(v)) },
		scan: func(v *T, r *db.Rows, i int) { *at(v) = N(r.Int64(i)) }}
}

// reference is an ID of another table that may be missing.
func reference[T any](name string, at func(*T) *int64) Column[T] {
	return Column[T]{name: name, bind: func(v *T) any { return OrNull(*at(v)) },
		scan: func(v *T, r *db.Rows, i int) { *at(v) = r.Int64(i) }}
}

// optional is a number that may be missing.
func optional[T any, N ~int64](name string, at func(*T) **N) Column[T] {
	bind := func(v *T) any {
		if n := *at(v); n != nil {
			return int64(*n)
		}
		return nil
	}
	return Column[T]{name: name, bind: bind, scan: func(v *T, r *db.Rows, i int) {
		*at(v) = nil
		if !r.Null(i) {
			n := N(r.Int64(i))
			*at(v) = &n
		}
	}}
}

func truth[T any](name string, at func(*T) *bool) Column[T] {
	return Column[T]{name: name, bind: func(v *T) any { return *at(v) },
		scan: func(v *T, r *db.Rows, i int) { *at(v) = r.Bool(i) }}
}

// choice is a truth that is stored as one of two words.
func choice[T any](name, yes, no string, at func(*T) *bool) Column[T] {
	bind := func(v *T) any {
		if *at(v) {
			return yes
		}
		return no
	}
	return Column[T]{name: name, bind: bind, scan: func(v *T, r *db.Rows, i int) { *at(v) = string(r.Raw(i)) == yes }}
}

// instant is a time, NULL for none.
func instant[T any](name string, at func(*T) *admitto.Time) Column[T] {
	return Column[T]{name: name, bind: func(v *T) any { return *at(v) },
		scan: func(v *T, r *db.Rows, i int) { *at(v) = r.Time(i) }}
}

// date is a day, NULL for none.
func date[T any](name string, at func(*T) *admitto.Date) Column[T] {
	return Column[T]{name: name, bind: func(v *T) any { return *at(v) },
		scan: func(v *T, r *db.Rows, i int) { *at(v) = r.Date(i) }}
}

// document is a value as JSON; no text is the zero value.
func document[T, V any](name string, at func(*T) *V) Column[T] {
	return Column[T]{name: name, bind: func(v *T) any { return JSON(*at(v)) }, decode: func(v *T, text []byte) error {
		if len(text) == 0 {
			return nil
		}
		return json.Unmarshal(text, at(v))
	}}
}

// list is a list as JSON, [] for none.
func list[T, E any](name string, at func(*T) *[]E) Column[T] {
	c := document(name, at)
	c.bind = func(v *T) any { return JSON(append([]E{}, *at(v)...)) }
	return c
}

// versions are texts in other languages as JSON, {} for none.
func versions[T any](name string, at func(*T) *admitto.Versions) Column[T] {
	c := document(name, at)
	c.bind = func(v *T) any { return OfVersions(*at(v)) }
	return c
}

// OfVersions is what a column of versions holds.
func OfVersions(v admitto.Versions) any {
	if len(v) == 0 {
		return "{}"
	}
	return JSON(v)
}

// someVersions are those of the versions whose texts belong to the column; the others are in another one.
func someVersions[T any](name string, belongs func(text string) bool, at func(*T) *admitto.Versions) Column[T] {
	bind := func(v *T) any {
		kept := (*at(v)).Only(belongs)
		if len(kept) == 0 {
			return "{}"
		}
		return JSON(kept)
	}
	return Column[T]{name: name, bind: bind, decode: func(v *T, text []byte) error {
		var some admitto.Versions
		err := ParseVersions(text, &some)
		*at(v) = (*at(v)).With(some)
		return err
	}}
}

// ParseVersions reads what a column of versions holds.
func ParseVersions(text []byte, into *admitto.Versions) error {
	if len(text) == 0 || string(text) == "{}" {
		return nil
	}
	return json.Unmarshal(text, into)
}

// filled is a column that the database fills.
func filled[T any](c Column[T]) Column[T] {
	return Column[T]{name: c.name, scan: c.scan, decode: c.decode}
}

// derived is a column that is made of the others, and only written.
func derived[T any](name string, of func(*T) any) Column[T] { return Column[T]{name: name, bind: of} }

// within makes the columns of a part those of the whole.
func within[T, U any](t *Table[U], at func(*T) *U) []Column[T] {
	columns := make([]Column[T], len(t.columns))
	for i, c := range t.columns {
		columns[i] = Column[T]{name: c.name}
		if c.bind != nil {
			columns[i].bind = func(v *T) any { return c.bind(at(v)) }
		}
		if c.scan != nil {
			columns[i].scan = func(v *T, r *db.Rows, n int) { c.scan(at(v), r, n) }
		}
	}
	return columns
}

// Part is a value that belongs to another record, which has several of them, numbered or not.
type Part[T any] struct {
	Owner, N int64
	Value    T
}

// Parts numbers the values of an owner from 1.
func Parts[T any](owner int64, values []T) []Part[T] {
	parts := make([]Part[T], len(values))
	for i := range values {
		parts[i] = Part[T]{owner, int64(i + 1), values[i]}
	}
	return parts
}

// Link is a row that ties two records.
type Link struct{ From, To int64 }

// link is a table that ties the records of two others.
func link(name, from, to string) *Table[Link] {
	return keyed(name, 2, []Column[Link]{
		number(from, func(l *Link) *int64 { return &l.From }),
		number(to, func(l *Link) *int64 { return &l.To }),
	})
}

// Links ties a record to others.
func Links(from int64, to []int64) []Link {
	links := make([]Link, len(to))
	for i := range to {
		links[i] = Link{from, to[i]}
	}
	return links
}
