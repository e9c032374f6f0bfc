// Package dump reads and writes the rows of all tables for backups and copies (cli.md), in lines that are the same on
// both engines. Package store prepares the schema for them.
package dump

import (
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/internal/permit"
)

func sql(tx *store.Tx) store.SQL { return tx.SQL(permit.SQL{}) }

// each calls read for every row.
func each(rows *db.Rows, read func(*db.Rows)) error {
	for rows.Next() {
		read(rows)
	}
	return rows.Close()
}

// number reads the integer that a query finds, 0 for none.
func number(tx *store.Tx, text string, args ...any) (n int64, err error) {
	err = each(sql(tx).Query(text, args...), func(r *db.Rows) { n = r.Int64(0) })
	return n, err
}
