// Package load puts many rows at once into an empty database, with IDs that the caller chooses. It serves invented
// data, which one caller puts in who works on the database alone; use cases insert one row and let the sequence choose
// the ID. Each function keeps the counts and moves the sequence of its table above the highest ID.
package load

import (
	"iter"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/internal/permit"
)

// rows loads rows of a table whose columns all have a field.
func rows[T any](tx *store.Tx, t *columns.Table[T], list []T) error {
	return rowsOf(tx, t, list, func(v *T, row []any) []any { return t.Values(row, v) })
}

// rowsOf loads rows of a table; values appends the values of an item to an empty row, which is used again.
func rowsOf[T, L any](tx *store.Tx, t *columns.Table[T], list []L, values func(item *L, row []any) []any) error {
	highest := int64(0)
	err := each(tx, t.Load(), list, func(item *L, row []any) []any {
		row = values(item, row)
		if t.Numbered() {
			highest = max(highest, row[0].(int64))
		}
		return row
	})
	if err != nil || !t.Numbered() || len(list) == 0 {
		return err
	}
	return sql(tx).RaiseSequence(t.Name(), highest)
}

// parts loads rows of a table that belong to the items of a list.
func parts[T, L any](tx *store.Tx, t *columns.Table[T], list []L, of func(item *L) []T) error {
	var all []T
	for i := range list {
		all = append(all, of(&list[i])...)
	}
	return rows(tx, t, all)
}

// each runs a statement for each item of a list, with the parameters that args appends to an empty row.
func each[L any](tx *store.Tx, statement string, list []L, args func(item *L, row []any) []any) error {
	if len(list) == 0 {
		return nil
	}
	var all iter.Seq[[]any] = func(yield func([]any) bool) {
		var row []any
		for i := range list {
			if row = args(&list[i], row[:0]); !yield(row) {
				return
			}
		}
	}
	return sql(tx).Bulk(statement, all)
}

func sql(tx *store.Tx) store.SQL { return tx.SQL(permit.SQL{}) }
