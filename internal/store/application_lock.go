package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// caseColumns are read by scanCase behind those of scanApplication.
var caseColumns = applicationColumns +
	`, a.status_before, a.withdrawn, a.resubmitted, a.reopened, a.silenced, a.grace_override, a.row_version`

func scanCase(r *db.Rows, a *admitto.ApplicationCase) {
	scanApplication(r, &a.Application)
	own := columns.Application.Width()
	a.StatusBefore = admitto.ApplicationStatus(r.Text(own))
	a.Withdrawn, a.Resubmitted, a.Reopened = r.Time(own+1), r.Time(own+2), r.Time(own+3)
	a.Silenced, a.GraceOverride, a.RowVersion = r.Bool(own+4), r.Time(own+5), r.Int64(own+6)
}

// LockApplication reads a visible application and its applicant and keeps both from being changed by others until
// the transaction ends, or answers NotFound. The applicant is locked first, as everybody does who locks both.
func (tx *Tx) LockApplication(id int64) (a admitto.ApplicationCase, applicant admitto.Applicant, err error) {
	owner, err := tx.number("SELECT applicant_id FROM application WHERE id = $1 AND visible", id)
	if err != nil {
		return a, applicant, err
	}
	if applicant, err = tx.LockApplicant(owner); err != nil {
		return a, applicant, err
	}
	err = one(tx.query("SELECT "+caseColumns+" FROM application a WHERE a.id = $1 AND a.visible"+
		tx.forUpdate(lockApplication, id), id),
		func(r *db.Rows) { scanCase(r, &a) })
	return a, applicant, err
}
