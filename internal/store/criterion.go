package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Criteria returns the criteria of a course in their order, and how often they were changed; not-found without the
// course.
func (tx *Tx) Criteria(course int64) (list []admitto.Criterion, version int64, err error) {
	return tx.criteria(course, "")
}

// LockCriteria is Criteria for a change: nobody else changes them until the transaction ends.
func (tx *Tx) LockCriteria(course int64) (list []admitto.Criterion, version int64, err error) {
	return tx.criteria(course, tx.forUpdate(lockCriteria, course))
}

func (tx *Tx) criteria(course int64, lock string) (list []admitto.Criterion, version int64, err error) {
	err = one(tx.query("SELECT criteria_version FROM course WHERE id = $1"+lock, course),
		func(r *db.Rows) { version = r.Int64(0) })
	if err != nil {
		return nil, 0, err
	}
	err = each(tx.query("SELECT "+columns.Criterion.Select("")+" FROM criterion WHERE course_id = $1 ORDER BY position",
		course),
		func(r *db.Rows) { list = append(list, scanned(columns.Criterion, r).Value) })
	if err != nil || list == nil {
		return nil, version, err
	}
	for i := range list {
		if list[i].Sheet, err = tx.Scoresheet(list[i].Sheet.ID); err != nil {
			return nil, version, err
		}
	}
	return list, version, nil
}

// ReplaceCriteria stores the criteria of a course in the place of the former ones, and raises their version. Their
// sheets must exist.
func (tx *Tx) ReplaceCriteria(course int64, list []admitto.Criterion) error {
	if _, err := tx.exec("DELETE FROM criterion WHERE course_id = $1", course); err != nil {
		return err
	}
	if err := insertRows(tx, columns.Criterion, columns.Parts(course, list)); err != nil {
		return err
	}
	return tx.RaiseCriteria([]int64{course})
}

// LockPercentOf returns the courses whose criteria count a sheet by percent, by ID; nobody else changes their criteria
// until the transaction ends.
func (tx *Tx) LockPercentOf(sheet int64) ([]int64, error) {
	return tx.percentOf(sheet, tx.forUpdate(lockCriteria, 0))
}

// PercentOf is LockPercentOf for reading.
func (tx *Tx) PercentOf(sheet int64) ([]int64, error) { return tx.percentOf(sheet, "") }

func (tx *Tx) percentOf(sheet int64, lock string) (ids []int64, err error) {
	err = each(tx.query(`SELECT id FROM course WHERE id IN (SELECT course_id FROM criterion WHERE scoresheet_id = $1
		AND percent) ORDER BY id`+lock, sheet), func(r *db.Rows) { ids = append(ids, r.Int64(0)) })
	return ids, err
}

// RaiseCriteria raises the version of the criteria of courses, so that their automatic scores are calculated again.
func (tx *Tx) RaiseCriteria(courses []int64) error {
	if len(courses) == 0 {
		return nil
	}
	_, err := tx.exec("UPDATE course SET criteria_version = criteria_version + 1 WHERE "+tx.dialect.in("id", 1), courses)
	return err
}

// InsertCriteria stores the first criteria of courses; for invented data.
func (tx *Tx) InsertCriteria(byCourse map[int64][]admitto.Criterion) error {
	for course, list := range byCourse {
		if err := tx.ReplaceCriteria(course, list); err != nil {
			return err
		}
	}
	return nil
}

// StaleScores returns, by ascending ID, at most limit visible applications above after with an offer for the course
// whose automatic score was calculated by other criteria than the current ones.
func (tx *Tx) StaleScores(course, after int64, limit int) (ids []int64, err error) {
	err = each(tx.query(`SELECT DISTINCT o.application_id FROM offer o JOIN course c ON c.id = o.course_id
		JOIN application a ON a.id = o.application_id WHERE o.course_id = $1 AND o.criteria_version <> c.criteria_version
		AND a.visible AND o.application_id > $2 ORDER BY o.application_id LIMIT $3`, course, after, limit),
		func(r *db.Rows) { ids = append(ids, r.Int64(0)) })
	return ids, err
}

// CountStaleScores counts the offers for a course in visible applications, and those of them whose automatic score was
// calculated by other criteria than the current ones.
func (tx *Tx) CountStaleScores(course int64) (all, stale int64, err error) {
	err = one(tx.query(`SELECT count(*), coalesce(sum(CASE WHEN o.criteria_version <> c.criteria_version THEN 1 ELSE 0 END), 0)
		FROM offer o JOIN course c ON c.id = o.course_id JOIN application a ON a.id = o.application_id
		WHERE o.course_id = $1 AND a.visible`, course), func(r *db.Rows) { all, stale = r.Int64(0), r.Int64(1) })
	return all, stale, err
}

// OfferWithScores finds the offer for a course of an application, or with 0, among the last ones of the course, that
// of the application with the most points; found is false where there is none.
func (tx *Tx) OfferWithScores(course, application int64) (of, offer int64, found bool, err error) {
	err = each(tx.query(`SELECT x.application_id, x.id FROM (SELECT o.application_id, o.id FROM offer o
		JOIN application a ON a.id = o.application_id WHERE o.course_id = $1 AND a.visible
		AND ($2 = 0 OR o.application_id = $2) ORDER BY o.id DESC LIMIT 200) x
		ORDER BY (SELECT count(*) FROM score s WHERE s.application_id = x.application_id AND s.points IS NOT NULL) DESC, x.id
		LIMIT 1`, course, application), func(r *db.Rows) { of, offer, found = r.Int64(0), r.Int64(1), true })
	return of, offer, found, err
}

// CoursesWithCriteria returns the courses whose criteria were ever set, by ID.
func (tx *Tx) CoursesWithCriteria() (ids []int64, err error) {
	err = each(tx.query("SELECT id FROM course WHERE criteria_version > 0 ORDER BY id"),
		func(r *db.Rows) { ids = append(ids, r.Int64(0)) })
	return ids, err
}
