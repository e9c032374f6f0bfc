package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// StudyPlansOfApplication returns the study plans of an application, by ID.
func (tx *Tx) StudyPlansOfApplication(application int64) ([]admitto.StudyPlan, error) {
	return tx.studyPlans("application_id", application)
}

// StudyPlansOfApplicant returns the study plans of an applicant over all applications, by ID.
func (tx *Tx) StudyPlansOfApplicant(applicant int64) ([]admitto.StudyPlan, error) {
	return tx.studyPlans("applicant_id", applicant)
}

func (tx *Tx) studyPlans(column string, parent int64) (list []admitto.StudyPlan, err error) {
	err = each(tx.query("SELECT "+columns.StudyPlan.Select("")+" FROM study_plan WHERE "+column+" = $1 ORDER BY id",
		parent),
		func(r *db.Rows) { list = append(list, scanned(columns.StudyPlan, r)) })
	return list, err
}
