package store

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

var scoresheetSelect = "SELECT " + columns.Scoresheet.Select("s") + `, g.name
	FROM scoresheet s LEFT JOIN scoresheet_group g ON g.id = s.group_id`

func scanScoresheet(r *db.Rows) (s admitto.Scoresheet) {
	columns.Scoresheet.Scan(r, &s)
	s.GroupName = r.Text(columns.Scoresheet.Width())
	return s
}

// Scoresheets returns all scoresheets by ascending ID.
func (tx *Tx) Scoresheets() (list []admitto.Scoresheet, err error) {
	err = each(tx.query(scoresheetSelect+" ORDER BY s.id"), func(r *db.Rows) { list = append(list, scanScoresheet(r)) })
	return list, err
}

// Scoresheet reads one scoresheet, or answers NotFound.
func (tx *Tx) Scoresheet(id int64) (s admitto.Scoresheet, err error) {
	err = one(tx.query(scoresheetSelect+" WHERE s.id = $1", id), func(r *db.Rows) { s = scanScoresheet(r) })
	return s, err
}

var (
	scoreColumns = columns.Score.Select("s")
	insertScore  = columns.Score.Insert() + " RETURNING id"
)

func scanScore(r *db.Rows, s *admitto.Score) {
	*s = admitto.Score{}
	columns.Score.Scan(r, s)
}

// ScoresOf returns the scores of each application over all scoresheets, by ID.
func (tx *Tx) ScoresOf(applications []int64) (map[int64][]admitto.Score, error) {
	mapsOf := map[int64][]admitto.ScoreMap{}
	condition, args := tx.among("s.application_id", applications)
	own := columns.Score.Width()
	return grouped(tx.query("SELECT "+scoreColumns+`, t.scale, t.maps FROM score s JOIN scoresheet t ON t.id = s.scoresheet_id
		WHERE `+condition+" ORDER BY s.application_id, s.id", args...), func(r *db.Rows, s *admitto.Score) int64 {
		scanScore(r, s)
		s.Scale = int(r.Int64(own))
		maps, known := mapsOf[s.Scoresheet]
		if !known {
			var err error
			if maps, err = columns.ScoreMaps(r.Raw(own + 1)); err != nil {
				r.Fail(fmt.Errorf("maps of scoresheet %d: %w", s.Scoresheet, err))
			}
			mapsOf[s.Scoresheet] = maps
		}
		s.Maps = maps
		return s.Application
	})
}

// ScoresExplained returns how the automatic scores of an application's offers came about, by offer.
func (tx *Tx) ScoresExplained(application int64) (map[int64]string, error) {
	explained := map[int64]string{}
	err := each(tx.query("SELECT id, score_explained FROM offer WHERE application_id = $1 AND score_explained <> ''",
		application),
		func(r *db.Rows) { explained[r.Int64(0)] = r.Text(1) })
	return explained, err
}

// Score reads one score of a sheet, or answers NotFound; so does a score of an invisible application.
func (tx *Tx) Score(sheet *admitto.Scoresheet, id int64) (s admitto.Score, err error) {
	err = one(tx.query("SELECT "+scoreColumns+` FROM score s JOIN application a ON a.id = s.application_id
		WHERE s.id = $2 AND s.scoresheet_id = $1 AND a.visible`, sheet.ID, id), func(r *db.Rows) { scanScore(r, &s) })
	s.Scale, s.Maps = sheet.Scale, sheet.Maps
	return s, err
}
