package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// SampleIDs finds what the examples of the documentation are about, or answers NotFound. Everything is the first of its
// kind: it stays the same, and tells nobody how many there are.
func (tx *Tx) SampleIDs() (s admitto.SampleIDs, err error) {
	err = one(tx.query(`SELECT a.id, a.applicant_id, a.academic_term_id,
		(SELECT min(x.course_id) FROM application_course x WHERE x.application_id = a.id),
		(SELECT min(d.id) FROM document d WHERE d.application_id = a.id AND d.trashed IS NULL),
		coalesce((SELECT min(j.id) FROM journal j WHERE j.application_id = a.id), 0), coalesce((SELECT max(j.id) FROM journal j WHERE j.application_id = a.id), 0),
		coalesce((SELECT min(v.id) FROM tableview v), 0)
		FROM application a WHERE a.visible AND a.status = 'Submitted'
			AND EXISTS (SELECT 1 FROM application_course x WHERE x.application_id = a.id)
			AND EXISTS (SELECT 1 FROM document d WHERE d.application_id = a.id AND d.trashed IS NULL)
		ORDER BY a.id LIMIT 1`), func(r *db.Rows) {
		s = admitto.SampleIDs{Application: r.Int64(0), Applicant: r.Int64(1), Term: r.Int64(2), Course: r.Int64(3),
			Document:    r.Int64(4),
			FirstRecord: r.Int64(5), LastRecord: r.Int64(6), Tableview: r.Int64(7)}
	})
	if err != nil {
		return s, err
	}
	s.Others = [2]int64{s.Applicant, s.Applicant}
	n := 0
	err = each(tx.query("SELECT id FROM applicant WHERE visible AND id <> $1 ORDER BY id LIMIT 2", s.Applicant),
		func(r *db.Rows) {
			s.Others[n] = r.Int64(0)
			n++
		})
	return s, err
}
