package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
)

// InsertCourse stores a new course and gives its ID.
func (tx *Tx) InsertCourse(c *admitto.Course) (int64, error) {
	return tx.insert(`INSERT INTO course (status, updated, institution_id, featured, type, awards, name, mode, language, country, location, code,
		prospect_uri) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`,
		c.Status, c.Updated, c.Institution, c.Featured, c.Type, columns.JSON(append([]admitto.Award{}, c.Awards...)), c.Name, c.Mode, c.Language,
		c.Country, c.Location, c.Code, c.ProspectURI)
}

// FirstInternalInstitution gives the internal institution with the lowest ID, 0 when there is none.
func (tx *Tx) FirstInternalInstitution() (int64, error) {
	return tx.number("SELECT id FROM institution WHERE mode = 'Internal' ORDER BY id LIMIT 1")
}

// HasCode tells whether a class of the classificators has a code.
func (tx *Tx) HasCode(class, code string) (bool, error) {
	n, err := tx.number("SELECT 1 FROM classificator WHERE class = $1 AND code = $2", class, code)
	return n > 0, err
}
