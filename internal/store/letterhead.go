package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Letterheads returns all letterheads by ascending ID.
func (tx *Tx) Letterheads() (list []admitto.Letterhead, err error) {
	err = each(tx.query("SELECT "+columns.Letterhead.Select("")+" FROM letterhead ORDER BY id"), func(r *db.Rows) {
		list = append(list, scanned(columns.Letterhead, r))
	})
	return list, err
}

// Letterhead reads one letterhead, or answers NotFound.
func (tx *Tx) Letterhead(id int64) (l admitto.Letterhead, err error) {
	err = one(tx.query("SELECT "+columns.Letterhead.Select("")+" FROM letterhead WHERE id = $1", id),
		func(r *db.Rows) { l = scanned(columns.Letterhead, r) })
	return l, err
}

// LetterheadLogo reads the picture of a letterhead; nil for none.
func (tx *Tx) LetterheadLogo(id int64) (logo []byte, err error) {
	err = one(tx.query("SELECT logo FROM letterhead WHERE id = $1", id), func(r *db.Rows) { logo = r.Bytes(0) })
	return logo, err
}

// SaveLetterhead stores a letterhead without its picture: a new one where its ID is 0.
func (tx *Tx) SaveLetterhead(l *admitto.Letterhead) ([]admitto.Detail, error) {
	return saved(tx, columns.Letterhead, &l.ID, l)
}

// SetLetterheadLogo stores the picture of a letterhead; nil for none.
func (tx *Tx) SetLetterheadLogo(id int64, logo []byte) error {
	_, err := tx.exec("UPDATE letterhead SET logo = $2 WHERE id = $1", id, logo)
	return err
}
