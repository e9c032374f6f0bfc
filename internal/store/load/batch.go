package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// Batches stores batches whose lists are sealed, without their records.
func Batches(tx *store.Tx, list []admitto.Batch) error {
	return rowsOf(tx, columns.Batch, list, func(b *admitto.Batch, row []any) []any {
		return columns.Batch.Values(row, b, "")
	})
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
