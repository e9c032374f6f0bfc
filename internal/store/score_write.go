package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// The one who writes scores holds the lock of their application; that keeps the scores of one application, and the
// offers that are computed from them, in one order.

// ScoreOn finds the score of an application, or of one of its offers (0: none), on a sheet.
func (tx *Tx) ScoreOn(sheet *admitto.Scoresheet, application, offer int64) (s admitto.Score, found bool, err error) {
	err = each(tx.query("SELECT "+scoreColumns+` FROM score s WHERE s.scoresheet_id = $1 AND s.application_id = $2
		AND coalesce(s.offer_id, 0) = $3`, sheet.ID, application, offer), func(r *db.Rows) {
		scanScore(r, &s)
		found = true
	})
	s.Scale, s.Maps = sheet.Scale, sheet.Maps
	return s, found, err
}

func pointsOrNull(p *admitto.Points) any {
	if p == nil {
		return nil
	}
	return int64(*p)
}

const familyScore = "score"

// countScore counts a score of a visible application.
func (tx *Tx) countScore(id, sheet, n int64) {
	tx.count(familyScore, facetSheet(sheet), id/blockSize, id, n)
}

// InsertScore stores a new score of a visible application and returns its ID.
func (tx *Tx) InsertScore(s *admitto.Score) (int64, error) {
	id, err := tx.insert(insertScore, columns.Score.New(s)...)
	if err == nil {
		tx.countScore(id, s.Scoresheet, 1)
	}
	return id, err
}

// UpdateScore stores all values of a score.
func (tx *Tx) UpdateScore(s *admitto.Score) error {
	_, err := tx.exec(`UPDATE score SET scored = $2, points = $3, comments = $4, date = $5, reference = $6, subject = $7, language = $8,
		row_version = row_version + 1 WHERE id = $1`, s.ID, s.Scored, pointsOrNull(s.Points), s.Comments,
		s.Date, s.Reference, s.Subject, s.Language)
	return err
}

// DeleteScore takes a score of a visible application off its sheet.
func (tx *Tx) DeleteScore(s *admitto.Score) error {
	if _, err := tx.exec("DELETE FROM score WHERE id = $1", s.ID); err != nil {
		return err
	}
	tx.countScore(s.ID, s.Scoresheet, -1)
	return nil
}

// SetScorer keeps who wrote the current values of a score.
func (tx *Tx) SetScorer(score int64, by admitto.Actor) error {
	_, err := tx.exec("UPDATE score SET scorer_kind = $2, scorer_id = $3 WHERE id = $1", score, string(by.Kind),
		columns.OrNull(by.ID))
	return err
}

// SetSheetScored stores when a sheet was scored last. The caller holds the order of commits (LockOrder).
func (tx *Tx) SetSheetScored(sheet int64) error {
	_, err := tx.exec("UPDATE scoresheet SET scored = $2 WHERE id = $1", sheet, tx.Now())
	return err
}

// SetAutoScore stores an automatic score with its explanation, calculated now by that version of the criteria.
func (tx *Tx) SetAutoScore(offer int64, auto *admitto.Hundredths, version int64, explained string) error {
	_, err := tx.exec(`UPDATE offer SET score_auto = $2, criteria_version = $3, score_explained = $4, scored = $5, row_version = row_version + 1
		WHERE id = $1`, offer, columns.Hundredths(auto), version, explained, tx.Now())
	return err
}

// SetScoreExplained stores another explanation of the same automatic score.
func (tx *Tx) SetScoreExplained(offer, version int64, explained string) error {
	_, err := tx.exec(`UPDATE offer SET criteria_version = $2, score_explained = $3 WHERE id = $1
		AND (criteria_version <> $2 OR score_explained <> $3)`, offer, version, explained)
	return err
}

// ScoreExplained reads how the automatic score of an offer came about, "" when nothing was calculated.
func (tx *Tx) ScoreExplained(offer int64) (explained string, err error) {
	err = one(tx.query("SELECT score_explained FROM offer WHERE id = $1", offer),
		func(r *db.Rows) { explained = r.Text(0) })
	return explained, err
}
