package load

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// OfferRow is an offer, and how its automatic score came about.
type OfferRow struct {
	admitto.Offer
	CriteriaVersion int64
	ScoreExplained  string
}

// Offers stores offers; each is for a course of an application.
func Offers(tx *store.Tx, list []OfferRow) error {
	changed := make([]int64, 0, len(list))
	for i := range list {
		changed = append(changed, list[i].Application)
	}
	slices.Sort(changed)
	if err := sql(tx).OffersChange(slices.Compact(changed)); err != nil {
		return err
	}
	return rowsOf(tx, columns.Offer, list, func(o *OfferRow, row []any) []any {
		return columns.Offer.Values(row, &o.Offer, o.CriteriaVersion, o.ScoreExplained)
	})
}

// OfferAttachments stores attachments of offers; Owner is the offer.
func OfferAttachments(tx *store.Tx, list []admitto.File) error {
	return rows(tx, columns.OfferAttachment, list)
}

// Letters stores rendered letters of offers.
func Letters(tx *store.Tx, list []admitto.Letter) error { return rows(tx, columns.Letter, list) }

// Scoresheets stores scoresheets and the groups that they name.
func Scoresheets(tx *store.Tx, list []admitto.Scoresheet) error {
	seen := map[int64]bool{0: true}
	err := parts(tx, columns.ScoresheetGroup, list, func(s *admitto.Scoresheet) []columns.Group {
		if seen[s.GroupID] {
			return nil
		}
		seen[s.GroupID] = true
		return []columns.Group{{ID: s.GroupID, Name: s.GroupName}}
	})
	if err != nil {
		return err
	}
	return rows(tx, columns.Scoresheet, list)
}

// SetSheetsScored sets the time of the latest score of each sheet.
func SetSheetsScored(tx *store.Tx) error {
	_, err := sql(tx).Exec("UPDATE scoresheet SET scored = (SELECT max(scored) FROM score WHERE scoresheet_id = scoresheet.id)")
	return err
}

// Scores stores and counts scores of visible applications.
func Scores(tx *store.Tx, list []admitto.Score) error {
	if err := rows(tx, columns.Score, list); err != nil {
		return err
	}
	for _, s := range list {
		sql(tx).CountScore(s.ID, s.Scoresheet)
	}
	return nil
}

// Rankings stores rankings with their courses.
func Rankings(tx *store.Tx, list []admitto.Ranking) error {
	if err := rows(tx, columns.Ranking, list); err != nil {
		return err
	}
	return parts(tx, columns.RankingCourse, list, func(r *admitto.Ranking) []columns.Link {
		return columns.Links(r.ID,
			r.Courses)
	})
}
