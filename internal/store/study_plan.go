package store

import (
	"encoding/json"
	"fmt"

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
	var broken error
	own := columns.StudyPlan.Select("")
	subjects := width(own)
	err = each(tx.query("SELECT "+own+", subjects FROM study_plan WHERE "+column+" = $1 ORDER BY id", parent), func(r *db.Rows) {
		var p admitto.StudyPlan
		columns.StudyPlan.Scan(r, &p)
		if err := json.Unmarshal(r.Raw(subjects), &p.Subjects); err != nil && broken == nil {
			broken = fmt.Errorf("subjects of study plan %d: %w", p.ID, err)
		}
		list = append(list, p)
	})
	if err == nil {
		err = broken
	}
	return list, err
}
