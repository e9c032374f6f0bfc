package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// ReopenApplication returns a submitted application to the applicant for changes (lifecycle.md T8). Offers stay,
// and what is frozen stays frozen. Errors: not-found, not-allowed-now.
func (o *Office) ReopenApplication(ctx context.Context, by Caller, application int64) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		step, err := o.step(d, by, admitto.Reopen, "")
		if err == nil {
			err = o.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		d.Status, d.Reopened = step.To, tx.Now()
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		d.record(tx, admitto.ApplicationReopened)
		return o.tellApplicant(tx, d, "application-reopened", nil, nil)
	})
}
