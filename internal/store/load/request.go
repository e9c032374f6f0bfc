package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// DataRequests stores requests about personal data, with when somebody asked to be forgotten.
func DataRequests(tx *store.Tx, list []admitto.DataRequest) error {
	highest := int64(0)
	err := each(tx, `INSERT INTO data_request (id, applicant_id, kind, reason, received, recorded, administrator_id, answered,
		answered_by, outcome) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, list,
		func(q *admitto.DataRequest, row []any) []any {
			highest = max(highest, q.ID)
			return append(row, q.ID, q.Applicant, string(q.Kind), q.Reason, q.Received, q.Recorded,
				columns.OrNull(q.Administrator), columns.OrNull(int64(q.Answered)), columns.OrNull(q.AnsweredBy),
				string(q.Outcome))
		})
	if err != nil || highest == 0 {
		return err
	}
	for i := range list {
		if q := &list[i]; q.Kind == admitto.RequestErase {
			_, err := sql(tx).Exec("UPDATE applicant SET forget_requested = $2 WHERE id = $1", q.Applicant, q.Recorded)
			if err != nil {
				return err
			}
		}
	}
	return sql(tx).RaiseSequence("data_request", highest)
}
