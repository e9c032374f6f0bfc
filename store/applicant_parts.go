package store

import (
	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store/db"
)

// ConsentsOf gives the latest decisions of each applicant, by consent.
func (tx *Tx) ConsentsOf(applicants []int64) (map[int64][]admitto.ConsentDecision, error) {
	byApplicant := map[int64][]admitto.ConsentDecision{}
	err := each(tx.Query("SELECT applicant_id, consent_id, decided, decision FROM consent_decision WHERE "+
		tx.dialect.in("applicant_id", 1)+" ORDER BY applicant_id, consent_id", applicants), func(r *db.Rows) {
		d := admitto.ConsentDecision{Applicant: r.Int64(0), Consent: r.Int64(1), Decided: r.Time(2), Accepted: r.Text(3) == "Accept"}
		byApplicant[d.Applicant] = append(byApplicant[d.Applicant], d)
	})
	return byApplicant, err
}

// WishesOf gives the wishes of each applicant, by ID.
func (tx *Tx) WishesOf(applicants []int64) (map[int64][]admitto.Wish, error) {
	byApplicant := map[int64][]admitto.Wish{}
	err := each(tx.Query("SELECT id, applicant_id, course_id, intake_id, wished, notes FROM wish WHERE "+
		tx.dialect.in("applicant_id", 1)+" ORDER BY applicant_id, id", applicants), func(r *db.Rows) {
		w := admitto.Wish{ID: r.Int64(0), Applicant: r.Int64(1), Course: r.Int64(2), Intake: r.Int64(3), Wished: r.Time(4), Notes: r.Text(5)}
		byApplicant[w.Applicant] = append(byApplicant[w.Applicant], w)
	})
	return byApplicant, err
}
