package admissions

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// missingFields lists what the forms of the courses require and the application does not have (guard G6), as section
// and field: profile/birth/date. Values that need attention are kept next to the content, so that their fields count
// as missing.
func (o *Office) missingFields(tx *store.Tx, application int64, courses []admitto.ApplicationCourse) ([]string, error) {
	ids := make([]int64, len(courses))
	for i, c := range courses {
		ids[i] = c.Course
	}
	stored, err := tx.CourseForms(ids)
	if err != nil {
		return nil, err
	}
	required := make([]form.Requirements, len(stored))
	for i, text := range stored {
		if required[i], err = form.ParseRequirements(text); err != nil {
			return nil, err
		}
	}
	content, err := tx.ApplicationContent(application)
	if err != nil {
		return nil, err
	}
	return content.Missing(required), nil
}

// incompleteSections is guard G6.
func (o *Office) incompleteSections(tx *store.Tx, d *dossier, courses []admitto.ApplicationCourse) (faults []admitto.Fault, err error) {
	missing, err := o.missingFields(tx, d.ID, courses)
	for _, at := range missing {
		faults = append(faults, guardFault(admitto.CodeSectionIncomplete, message.Of("section-incomplete", at)))
	}
	return faults, err
}
