package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// WithOffersToAnswer returns a live applicant who has most confirmed offers without a decision, whose days to decide are
// not over, of an application that is submitted; 0 when there is none. For instances with invented data.
func (tx *Tx) WithOffersToAnswer(now admitto.Time) (id int64, err error) {
	today := admitto.DateOf(now.Std())
	err = each(tx.query(`SELECT a.id, count(*) FROM offer o JOIN applicant a ON a.id = o.applicant_id
		JOIN application p ON p.id = o.application_id
		WHERE o.confirmed IS NOT NULL AND o.decision = 'None' AND a.state = 'live' AND a.email <> '' AND p.status = 'Submitted'
			AND o.decision_policy <> 'None' AND (o.decision_deadline IS NULL OR o.decision_deadline > $1)
		GROUP BY a.id ORDER BY 2 DESC, a.id LIMIT 1`, today), func(r *db.Rows) { id = r.Int64(0) })
	return id, err
}
