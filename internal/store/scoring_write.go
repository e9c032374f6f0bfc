package store

import (
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// SaveScoresheet stores a scoresheet.
func (tx *Tx) SaveScoresheet(t *admitto.Scoresheet) ([]admitto.Detail, error) {
	return saved(tx, columns.Scoresheet, &t.ID, t)
}

// DeleteScoresheet removes a scoresheet on which nothing was scored; ok is false for another one, which stays.
func (tx *Tx) DeleteScoresheet(id int64) (ok bool, err error) {
	used, err := tx.number(`SELECT 1 WHERE EXISTS (SELECT 1 FROM score WHERE scoresheet_id = $1 AND points IS NOT NULL)
		OR EXISTS (SELECT 1 FROM criterion WHERE scoresheet_id = $1)`, id)
	if err != nil || used > 0 {
		return false, err
	}
	if _, err := tx.exec("DELETE FROM score WHERE scoresheet_id = $1", id); err != nil {
		return false, err
	}
	_, err = tx.exec("DELETE FROM scoresheet WHERE id = $1", id)
	return true, err
}

// PointsOutside counts the points on a scoresheet that are not in its range.
func (tx *Tx) PointsOutside(t *admitto.Scoresheet) (int64, error) {
	return tx.number("SELECT count(*) FROM score WHERE scoresheet_id = $1 AND (points < $2 OR points > $3)", t.ID,
		int64(t.Min), int64(t.Max))
}

// SheetUse is how many applications are on each scoresheet, and how many of them have points.
func (tx *Tx) SheetUse() (on, scored map[int64]int64, err error) {
	on, scored = map[int64]int64{}, map[int64]int64{}
	err = each(tx.query("SELECT scoresheet_id, count(*), count(points) FROM score GROUP BY scoresheet_id"),
		func(r *db.Rows) { on[r.Int64(0)], scored[r.Int64(0)] = r.Int64(1), r.Int64(2) })
	return on, scored, err
}

// SaveRanking stores a ranking with its courses.
func (tx *Tx) SaveRanking(k *admitto.Ranking) ([]admitto.Detail, error) {
	var was []int64
	if k.ID != 0 {
		before, err := tx.Ranking(k.ID)
		if err != nil {
			return nil, err
		}
		was = before.Courses
	}
	changes, err := saved(tx, columns.Ranking, &k.ID, k)
	now := slices.Compact(slices.Sorted(slices.Values(k.Courses)))
	if err != nil || slices.Equal(slices.Sorted(slices.Values(was)), now) {
		return changes, err
	}
	if _, err := tx.exec("DELETE FROM ranking_course WHERE ranking_id = $1", k.ID); err != nil {
		return nil, err
	}
	for _, course := range now {
		if _, err := tx.exec("INSERT INTO ranking_course (ranking_id, course_id) VALUES ($1, $2)", k.ID, course); err != nil {
			return nil, err
		}
	}
	return append(changes, admitto.Detail{Path: "/courses", Old: fmt.Sprint(was), New: fmt.Sprint(now)}), nil
}

// DeleteRanking removes a ranking.
func (tx *Tx) DeleteRanking(id int64) error {
	if _, err := tx.exec("DELETE FROM ranking_course WHERE ranking_id = $1", id); err != nil {
		return err
	}
	_, err := tx.exec("DELETE FROM ranking WHERE id = $1", id)
	return err
}

// NamesOfApplications returns the names of the applicants of applications.
func (tx *Tx) NamesOfApplications(ids []int64) (map[int64]admitto.Name, error) {
	names := map[int64]admitto.Name{}
	err := each(tx.query("SELECT a.id, p.given, p.family FROM application a JOIN applicant p ON p.id = a.applicant_id WHERE "+
		tx.dialect.in("a.id", 1), ids), func(r *db.Rows) {
		names[r.Int64(0)] = admitto.Name{Given: r.Text(1), Family: r.Text(2)}
	})
	return names, err
}

// CriteriaOfCourses is how many criteria each course has.
func (tx *Tx) CriteriaOfCourses() (map[int64]int64, error) {
	return tx.uses("SELECT course_id, count(*) FROM criterion GROUP BY course_id")
}
