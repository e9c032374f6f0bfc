package load

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// Batches stores batches whose lists are sealed, without their records.
func Batches(tx *store.Tx, list []admitto.Batch) error {
	highest := int64(0)
	err := each(tx, `INSERT INTO batch (id, action, source, state, params, selection, prepared, prepared_by, released, released_by,
		ended, undone, undone_by, size, excluded, done, skipped, failed, put_back)
		VALUES ($1, $2, $3, $4, $5, '', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`, list,
		func(b *admitto.Batch, row []any) []any {
			highest = max(highest, b.ID)
			params, _ := json.Marshal(&b.Params) // strings and numbers always marshal
			return append(row, b.ID, b.Action, b.Source, b.State, string(params), b.Prepared, b.PreparedBy, b.Released,
				columns.OrNull(b.ReleasedBy), b.Ended, b.Undone, columns.OrNull(b.UndoneBy), b.Size,
				b.Excluded, b.Done, b.Skipped, b.Failed, b.PutBack)
		})
	if err != nil || highest == 0 {
		return err
	}
	return sql(tx).RaiseSequence("batch", highest)
}

// LatestSubmitted returns the latest submitted application of each of so many applicants.
func LatestSubmitted(tx *store.Tx, n int) ([]int64, error) {
	return ids(tx, `SELECT max(id) FROM application WHERE visible AND status = 'Submitted' AND frozen IS NULL
		GROUP BY applicant_id ORDER BY 1 DESC LIMIT $1`, n)
}

// LatestApplicants returns so many who came last and have signed in.
func LatestApplicants(tx *store.Tx, n int) ([]int64, error) {
	return ids(tx, "SELECT id FROM applicant WHERE visible AND NOT lead ORDER BY id DESC LIMIT $1", n)
}

func ids(tx *store.Tx, query string, n int) (list []int64, err error) {
	rows := sql(tx).Query(query, n)
	for rows.Next() {
		list = append(list, rows.Int64(0))
	}
	return list, rows.Close()
}
