package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// WithOffersToAnswer returns a live applicant who has confirmed offers to decide about, of an application that is
// submitted: first one with most of them that can be accepted, in a term that is not over; then whose days are not
// over. 0: there is none. For instances with invented data.
func (tx *Tx) WithOffersToAnswer(now admitto.Time) (id int64, err error) {
	err = each(tx.query(`SELECT a.id, sum(CASE WHEN t.decide AND coalesce(m.grace, $1) >= $1 THEN 1 ELSE 0 END),
			sum(CASE WHEN o.decision_deadline > $1 THEN 1 ELSE 0 END), count(*)
		FROM offer o JOIN applicant a ON a.id = o.applicant_id JOIN application p ON p.id = o.application_id
		JOIN offer_type t ON t.id = o.type_confirmed_id JOIN academic_term m ON m.id = p.academic_term_id
		WHERE o.confirmed IS NOT NULL AND o.decision = 'None' AND a.state = 'live' AND a.email <> '' AND p.status = 'Submitted'
			AND o.decision_policy <> 'None'
		GROUP BY a.id ORDER BY 2 DESC, 3 DESC, 4 DESC, a.id DESC LIMIT 1`, admitto.DateOf(now.Std())),
		func(r *db.Rows) { id = r.Int64(0) })
	return id, err
}

// LetAnswer moves the days to decide about the open offers of an applicant that are over to another day. For instances
// with invented data, which would otherwise only have offers that nobody can answer any more.
func (tx *Tx) LetAnswer(applicant int64, until admitto.Date) error {
	_, err := tx.exec(`UPDATE offer SET decision_deadline = $2, row_version = row_version + 1
		WHERE applicant_id = $1 AND confirmed IS NOT NULL AND decision = 'None' AND decision_policy <> 'None'
			AND decision_deadline < $3`, applicant, until, admitto.DateOf(tx.Now().Std()))
	return err
}
