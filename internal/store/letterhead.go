package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// Letterheads returns all letterheads by ascending ID.
func (tx *Tx) Letterheads() (list []admitto.Letterhead, err error) {
	err = each(tx.query("SELECT id, name, created, modified FROM letterhead ORDER BY id"), func(r *db.Rows) {
		list = append(list, scanLetterhead(r))
	})
	return list, err
}

// Letterhead reads one letterhead, or answers NotFound.
func (tx *Tx) Letterhead(id int64) (l admitto.Letterhead, err error) {
	err = one(tx.query("SELECT id, name, created, modified FROM letterhead WHERE id = $1", id),
		func(r *db.Rows) { l = scanLetterhead(r) })
	return l, err
}

func scanLetterhead(r *db.Rows) admitto.Letterhead {
	return admitto.Letterhead{ID: r.Int64(0), Name: r.Text(1), Created: r.Time(2), Modified: r.Time(3)}
}
