package store

import (
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// StudyPlansOfApplication gives the study plans of an application, by ID.
func (tx *Tx) StudyPlansOfApplication(application int64) ([]admitto.StudyPlan, error) {
	return tx.studyPlans("application_id", application)
}

// StudyPlansOfApplicant gives the study plans of an applicant over all applications, by ID.
func (tx *Tx) StudyPlansOfApplicant(applicant int64) ([]admitto.StudyPlan, error) {
	return tx.studyPlans("applicant_id", applicant)
}

func (tx *Tx) studyPlans(column string, parent int64) (list []admitto.StudyPlan, err error) {
	var broken error
	err = each(tx.query(`SELECT id, application_id, applicant_id, course_id, created, revised, status, subjects
		FROM study_plan WHERE `+column+" = $1 ORDER BY id", parent), func(r *db.Rows) {
		p := admitto.StudyPlan{ID: r.Int64(0), Application: r.Int64(1), Applicant: r.Int64(2), Course: r.Int64(3),
			Created: r.Time(4), Revised: r.Time(5), Status: r.Text(6)}
		if err := json.Unmarshal(r.Raw(7), &p.Subjects); err != nil && broken == nil {
			broken = fmt.Errorf("subjects of study plan %d: %w", p.ID, err)
		}
		list = append(list, p)
	})
	if err == nil {
		err = broken
	}
	return list, err
}
