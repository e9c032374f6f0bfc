package demo_test

import (
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// Every automatic score is what the criteria of the course make of the scores, and so is what explains it.
func TestAutomaticScores(t *testing.T) {
	demoOf(apptest.Size(people, 400), seed).Each(t, func(t *testing.T, url string, opts db.Options) {
		s := open(t, url, opts)
		read(t, s, func(tx *store.Tx) error {
			var applications []int64
			rows := sqltest.In(tx).Query("SELECT DISTINCT application_id FROM offer ORDER BY application_id")
			for rows.Next() {
				applications = append(applications, rows.Int64(0))
			}
			if err := rows.Close(); err != nil {
				return err
			}
			offers, err := tx.OffersOf(applications)
			if err != nil {
				return err
			}
			scores, err := tx.ScoresOf(applications)
			if err != nil {
				return err
			}
			calculated := 0
			for _, id := range applications {
				for _, o := range offers[id] {
					criteria, version, err := tx.Criteria(o.Course)
					if err != nil {
						return err
					}
					auto, explained := admitto.AutoScore(version, criteria, func(sheet *admitto.Scoresheet) *admitto.Score {
						for i, s := range scores[id] {
							if s.Scoresheet == sheet.ID && (!sheet.ByOffer || s.Offer == o.ID) {
								return &scores[id][i]
							}
						}
						return nil
					})
					if (auto == nil) != (o.ScoreAuto == nil) || auto != nil && *auto != *o.ScoreAuto {
						t.Errorf("offer %d: %v, want %v", o.ID, o.ScoreAuto, auto)
					}
					stored, err := tx.ScoreExplained(o.ID)
					if err != nil || stored != explained.JSON() {
						t.Errorf("offer %d: %s, want %s %v", o.ID, stored, explained.JSON(), err)
					}
					if auto != nil {
						calculated++
					}
				}
			}
			if calculated < 50 {
				t.Errorf("%d automatic scores", calculated)
			}
			return nil
		})
		var stale int64
		for _, n := range numbers(t, s,
			"SELECT count(*) FROM offer o JOIN course c ON c.id = o.course_id WHERE o.criteria_version <> c.criteria_version") {
			stale += n[0]
		}
		if stale != 0 {
			t.Errorf("%d offers of other criteria", stale)
		}
	})
}
