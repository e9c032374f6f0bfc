package load

import (
	"encoding/json"

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
	return insertMany(tx, "offer", columns.Offer.Load(), list, func(o *OfferRow, row []any) (int64, []any) {
		return o.ID, columns.Offer.Values(row, &o.Offer, o.CriteriaVersion, o.ScoreExplained)
	})
}

// OfferAttachments stores attachments of offers; Owner is the offer.
func OfferAttachments(tx *store.Tx, list []admitto.File) error {
	return rows(tx, columns.OfferAttachment, list)
}

// Letters stores rendered letters of offers.
func Letters(tx *store.Tx, list []admitto.Letter) error {
	return rows(tx, columns.Letter, list)
}

// Scoresheets stores scoresheets and the groups that they name.
func Scoresheets(tx *store.Tx, list []admitto.Scoresheet) error {
	var groups []admitto.Role // an ID and a name each
	seen := map[int64]bool{0: true}
	for _, s := range list {
		if !seen[s.GroupID] {
			seen[s.GroupID] = true
			groups = append(groups, admitto.Role{ID: s.GroupID, Name: s.GroupName})
		}
	}
	err := insertMany(tx, "scoresheet_group", "INSERT INTO scoresheet_group (id, name) VALUES ($1, $2)", groups,
		func(g *admitto.Role, row []any) (int64, []any) { return g.ID, append(row, g.ID, g.Name) })
	if err != nil {
		return err
	}
	return insertMany(tx, "scoresheet", `INSERT INTO scoresheet (id, created, scored, confirmed, name, type, maps, date, reference, subject,
		language, depth, range_min, range_max, scale, instructions, group_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`, list,
		func(s *admitto.Scoresheet, row []any) (int64, []any) {
			maps, depth := "", "Application"
			if len(s.Maps) > 0 {
				maps = columns.JSON(s.Maps)
			}
			if s.ByOffer {
				depth = "Offer"
			}
			return s.ID, append(row, s.ID, s.Created, s.Scored, s.Confirmed, s.Name, s.Type, maps, s.Date, s.Reference, s.Subject, s.Language,
				depth, int64(s.Min), int64(s.Max), s.Scale, s.Instructions, columns.OrNull(s.GroupID))
		})
}

// SetSheetsScored sets the time of the latest score of each sheet.
func SetSheetsScored(tx *store.Tx) error {
	_, err := sql(tx).Exec("UPDATE scoresheet SET scored = (SELECT max(scored) FROM score WHERE scoresheet_id = scoresheet.id)")
	return err
}

// Scores stores and counts scores of visible applications.
func Scores(tx *store.Tx, list []admitto.Score) error {
	err := rows(tx, columns.Score, list)
	if err != nil {
		return err
	}
	for _, s := range list {
		sql(tx).CountScore(s.ID, s.Scoresheet)
	}
	return nil
}

// Rankings stores rankings with their courses.
func Rankings(tx *store.Tx, list []admitto.Ranking) error {
	err := insertMany(tx, "ranking", columns.Ranking.Load(), list, func(r *admitto.Ranking, row []any) (int64, []any) {
		return r.ID, columns.Ranking.Values(row, r, columns.JSON(r.Filters))
	})
	if err != nil {
		return err
	}
	var courses [][]any
	for _, r := range list {
		for _, course := range r.Courses {
			courses = append(courses, []any{r.ID, course})
		}
	}
	return bulk(tx, "INSERT INTO ranking_course (ranking_id, course_id) VALUES ($1, $2)", courses)
}

// Transactions stores payments; the invoices have their sums already.
func Transactions(tx *store.Tx, list []admitto.Transaction) error {
	return insertMany(tx, "invoice_transaction", `INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected,
		administrator_id, payment) VALUES ($1, $2, $3, $4, $5, $6, $7)`, list, func(t *admitto.Transaction, row []any) (int64, []any) {
		payment := ""
		if t.Payment != nil {
			b, _ := json.Marshal(t.Payment) // texts and numbers always encode
			payment = string(b)
		}
		return t.ID, append(row, t.ID, t.Invoice, t.Amount, t.Inserted, t.Collected, columns.OrNull(t.Administrator), payment)
	})
}
