package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// What the courses of one application refer to, each kind by one statement.

// CoursesByID returns those of the courses that exist, by ID.
func (tx *Tx) CoursesByID(ids []int64) (map[int64]admitto.Course, error) {
	byID := map[int64]admitto.Course{}
	list, err := tx.courses(" WHERE "+tx.dialect.in("c.id", 1), []any{ids})
	for _, c := range list {
		byID[c.ID] = c
	}
	return byID, err
}

// IntakesByID returns those of the intakes that exist, by ID.
func (tx *Tx) IntakesByID(ids []int64) (map[int64]admitto.Intake, error) {
	byID := map[int64]admitto.Intake{}
	list, err := tx.intakes(" WHERE "+tx.dialect.in("i.id", 1), ids)
	for _, i := range list {
		byID[i.ID] = i
	}
	return byID, err
}

// InstitutionsByID returns those of the institutions that exist, by ID.
func (tx *Tx) InstitutionsByID(ids []int64) (map[int64]admitto.Institution, error) {
	byID := map[int64]admitto.Institution{}
	err := each(tx.query("SELECT "+institutionColumns+" FROM institution i WHERE "+tx.dialect.in("i.id",
		1)+" ORDER BY i.id", ids),
		func(r *db.Rows) {
			i := scanInstitution(r)
			byID[i.ID] = i
		})
	return byID, err
}
