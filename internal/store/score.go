package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

const scoresheetSelect = `SELECT s.id, s.created, s.scored, s.confirmed, s.name, s.type, s.maps, s.date, s.reference, s.subject,
	s.language, s.depth, s.range_min, s.range_max, s.scale, s.instructions, s.group_id, g.name
	FROM scoresheet s LEFT JOIN scoresheet_group g ON g.id = s.group_id`

func scanScoresheet(r *db.Rows) (s admitto.Scoresheet, err error) {
	s = admitto.Scoresheet{ID: r.Int64(0), Created: r.Time(1), Scored: r.Time(2), Confirmed: r.Time(3), Name: r.Text(4), Type: r.Text(5),
		Date: r.Text(7), Reference: r.Text(8), Subject: r.Text(9), Language: r.Text(10), ByOffer: r.Text(11) == "Offer",
		Min: admitto.Points(r.Int64(12)), Max: admitto.Points(r.Int64(13)), Scale: int(r.Int64(14)), Instructions: r.Text(15),
		GroupID: r.Int64(16), GroupName: r.Text(17)}
	s.Maps, err = scoreMaps(s.ID, r.Raw(6))
	return s, err
}

// scoreMaps reads the labels of a sheet, by ascending value; nil without.
func scoreMaps(sheet int64, raw []byte) (maps []admitto.ScoreMap, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &maps); err != nil {
		return nil, fmt.Errorf("maps of scoresheet %d: %w", sheet, err)
	}
	slices.SortStableFunc(maps, func(a, b admitto.ScoreMap) int { return cmp.Compare(a.Value, b.Value) })
	return maps, nil
}

// Scoresheets returns all scoresheets by ascending ID.
func (tx *Tx) Scoresheets() (list []admitto.Scoresheet, err error) {
	var broken error
	err = each(tx.query(scoresheetSelect+" ORDER BY s.id"), func(r *db.Rows) {
		s, err := scanScoresheet(r)
		list, broken = append(list, s), cmp.Or(broken, err)
	})
	return list, cmp.Or(err, broken)
}

// Scoresheet reads one scoresheet, or answers NotFound.
func (tx *Tx) Scoresheet(id int64) (s admitto.Scoresheet, err error) {
	var broken error
	err = one(tx.query(scoresheetSelect+" WHERE s.id = $1", id), func(r *db.Rows) { s, broken = scanScoresheet(r) })
	return s, cmp.Or(err, broken)
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
	var broken error
	condition, args := tx.among("s.application_id", applications)
	own := width(scoreColumns)
	byApplication, err := grouped(tx.query("SELECT "+scoreColumns+`, t.scale, t.maps FROM score s JOIN scoresheet t ON t.id = s.scoresheet_id
		WHERE `+condition+" ORDER BY s.application_id, s.id", args...), func(r *db.Rows, s *admitto.Score) int64 {
		scanScore(r, s)
		s.Scale = int(r.Int64(own))
		maps, known := mapsOf[s.Scoresheet]
		if !known {
			var err error
			maps, err = scoreMaps(s.Scoresheet, r.Raw(own+1))
			mapsOf[s.Scoresheet], broken = maps, cmp.Or(broken, err)
		}
		s.Maps = maps
		return s.Application
	})
	return byApplication, cmp.Or(err, broken)
}

// Score reads one score of a sheet, or answers NotFound; so does a score of an invisible application.
func (tx *Tx) Score(sheet *admitto.Scoresheet, id int64) (s admitto.Score, err error) {
	err = one(tx.query("SELECT "+scoreColumns+` FROM score s JOIN application a ON a.id = s.application_id
		WHERE s.id = $2 AND s.scoresheet_id = $1 AND a.visible`, sheet.ID, id), func(r *db.Rows) { scanScore(r, &s) })
	s.Scale, s.Maps = sheet.Scale, sheet.Maps
	return s, err
}
