package store

import (
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// SaveScoresheet stores a scoresheet. The caller holds the order of commits, under which others say when it was scored.
func (tx *Tx) SaveScoresheet(t *admitto.Scoresheet) ([]admitto.Detail, error) {
	return saved(tx, columns.Scoresheet, &t.ID, t)
}

// GivenPoints are points that were given, with how many applications have them.
type GivenPoints struct {
	Points       admitto.Points
	Applications int64
}

// ScoredPoints are points with an application that has them.
type ScoredPoints struct {
	Points      admitto.Points
	Application int64
}

// PointsOn returns the different points that were given on a sheet, the lowest first.
func (tx *Tx) PointsOn(sheet int64) (list []GivenPoints, err error) {
	err = each(tx.query(`SELECT points, count(DISTINCT application_id) FROM score WHERE scoresheet_id = $1
		AND points IS NOT NULL GROUP BY points ORDER BY points`, sheet), func(r *db.Rows) {
		list = append(list, GivenPoints{admitto.Points(r.Int64(0)), r.Int64(1)})
	})
	return list, err
}

// WithPoints returns the applications that have one of some points on a sheet, at most limit, the lowest points first.
func (tx *Tx) WithPoints(sheet int64, points []int64, limit int) (list []ScoredPoints, err error) {
	err = each(tx.query(`SELECT points, application_id FROM score WHERE scoresheet_id = $1 AND `+
		tx.dialect.in("points", 2)+` GROUP BY points, application_id ORDER BY points, application_id LIMIT $3`, sheet,
		points, limit), func(r *db.Rows) {
		list = append(list, ScoredPoints{admitto.Points(r.Int64(0)), r.Int64(1)})
	})
	return list, err
}

// HasScores reports whether anything is on a sheet, and whether anything was given there. Scores of deleted applicants,
// who can be restored, count.
func (tx *Tx) HasScores(sheet int64) (some, given bool, err error) {
	n, err := tx.number("SELECT count(*) FROM (SELECT 1 FROM score WHERE scoresheet_id = $1 LIMIT 1) x", sheet)
	if err != nil || n == 0 {
		return false, false, err
	}
	n, err = tx.number(`SELECT count(*) FROM (SELECT 1 FROM score WHERE scoresheet_id = $1 AND (points IS NOT NULL
		OR comments <> '' OR date IS NOT NULL OR reference <> '' OR subject <> '' OR language <> '') LIMIT 1) x`, sheet)
	return true, n > 0, err
}

// CoursesScoredBy counts the courses whose criteria use a sheet.
func (tx *Tx) CoursesScoredBy(sheet int64) (int64, error) {
	return tx.number("SELECT count(*) FROM criterion WHERE scoresheet_id = $1", sheet)
}

// EmptySheet takes everything off a sheet on which nothing was given, at most limit scores at once; it answers how many
// it took. The caller holds the order of commits.
func (tx *Tx) EmptySheet(sheet int64, limit int) (int, error) {
	var ids []int64
	err := each(tx.query(`SELECT s.id, a.visible FROM score s JOIN application a ON a.id = s.application_id
		WHERE s.scoresheet_id = $1 ORDER BY s.id LIMIT $2`, sheet, limit), func(r *db.Rows) {
		if ids = append(ids, r.Int64(0)); r.Bool(1) {
			tx.countScore(r.Int64(0), sheet, -1)
		}
	})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	_, err = tx.exec("DELETE FROM score WHERE "+tx.dialect.in("id", 1), ids)
	return len(ids), err
}

// DeleteScoresheet removes a sheet that nothing is on.
func (tx *Tx) DeleteScoresheet(id int64) error {
	_, err := tx.exec("DELETE FROM scoresheet WHERE id = $1", id)
	return err
}

// SheetUses counts what is on each of some sheets: all from the counters, and those that wait from an index of them.
func (tx *Tx) SheetUses(sheets ...int64) (map[int64]admitto.SheetUse, error) {
	use := map[int64]admitto.SheetUse{}
	left, err := tx.uses("SELECT scoresheet_id, count(*) FROM score WHERE points IS NULL AND "+
		tx.dialect.in("scoresheet_id", 1)+" GROUP BY scoresheet_id", sheets)
	if err != nil {
		return nil, err
	}
	for _, id := range sheets {
		total, err := tx.sumBlocks(familyScore, []string{facetSheet(id)}, 0, maxID)
		if err != nil {
			return nil, err
		}
		use[id] = admitto.SheetUse{Total: total, Left: min(left[id], total)}
	}
	return use, nil
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

// NamesOfApplications returns the names of the applicants of applications; that of a legal person is a family name.
func (tx *Tx) NamesOfApplications(ids []int64) (map[int64]admitto.Name, error) {
	names := map[int64]admitto.Name{}
	err := each(tx.query("SELECT a.id, p.given, p.middle, p.family, p.legal, p.type FROM application a JOIN applicant p ON p.id = a.applicant_id WHERE "+
		tx.dialect.in("a.id", 1), ids), func(r *db.Rows) {
		name := admitto.Name{Given: r.Text(1), Middle: r.Text(2), Family: r.Text(3)}
		if r.Text(5) == string(admitto.Legal) && r.Text(4) != "" {
			name = admitto.Name{Family: r.Text(4)}
		}
		names[r.Int64(0)] = name
	})
	return names, err
}

// CriteriaOfCourses is how many criteria each course has.
func (tx *Tx) CriteriaOfCourses() (map[int64]int64, error) {
	return tx.uses("SELECT course_id, count(*) FROM criterion GROUP BY course_id")
}
