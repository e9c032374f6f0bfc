package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// ScorersOf returns who gave the current values of scores, by score; those that nobody has given are left out.
func (tx *Tx) ScorersOf(scores []int64) (map[int64]admitto.Actor, error) {
	scorers := map[int64]admitto.Actor{}
	if len(scores) == 0 {
		return scorers, nil
	}
	err := each(tx.query("SELECT id, scorer_kind, coalesce(scorer_id, 0) FROM score WHERE scorer_kind <> '' AND "+
		tx.dialect.in("id", 1), scores), func(r *db.Rows) {
		scorers[r.Int64(0)] = admitto.Actor{Kind: admitto.ActorKind(r.Text(1)), ID: r.Int64(2)}
	})
	return scorers, err
}

// CoursesOfOffers returns the names of the courses of offers, by offer.
func (tx *Tx) CoursesOfOffers(offers []int64) (map[int64]string, error) {
	return tx.namesOf("SELECT o.id, c.name FROM offer o JOIN course c ON c.id = o.course_id WHERE "+
		tx.dialect.in("o.id", 1), offers)
}

// SheetGroups returns the names of the groups of scoresheets, by name.
func (tx *Tx) SheetGroups() (names []string, err error) {
	err = each(tx.query("SELECT name FROM scoresheet_group ORDER BY name, id"), func(r *db.Rows) {
		names = append(names, r.Text(0))
	})
	return names, err
}

// SheetGroup finds the group of scoresheets with a name, or makes it.
func (tx *Tx) SheetGroup(name string) (id int64, err error) {
	err = each(tx.query("SELECT min(id) FROM scoresheet_group WHERE name = $1", name),
		func(r *db.Rows) { id = r.Int64(0) })
	if err != nil || id != 0 {
		return id, err
	}
	return tx.insert("INSERT INTO scoresheet_group (name) VALUES ($1) RETURNING id", name)
}
