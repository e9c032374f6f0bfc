package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// DataRequests stores requests about personal data, with when somebody asked to be forgotten.
func DataRequests(tx *store.Tx, list []admitto.DataRequest) error {
	if err := rows(tx, columns.DataRequest, list); err != nil {
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
	return nil
}
