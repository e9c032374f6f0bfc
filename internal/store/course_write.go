package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
)

// InsertCourse stores a new course and returns its ID.
func (tx *Tx) InsertCourse(c *admitto.Course) (int64, error) {
	return tx.insert(columns.Course.Insert()+" RETURNING id", columns.Course.New(c)...)
}

// FirstInternalInstitution returns the internal institution with the lowest ID, 0 when there is none.
func (tx *Tx) FirstInternalInstitution() (int64, error) {
	return tx.number("SELECT id FROM institution WHERE mode = 'Internal' ORDER BY id LIMIT 1")
}

// HasCode reports whether a class of the classificators has a code that new data may have.
func (tx *Tx) HasCode(class, code string) (bool, error) {
	n, err := tx.number("SELECT 1 FROM classificator WHERE class = $1 AND code = $2 AND active", class, code)
	return n > 0, err
}
