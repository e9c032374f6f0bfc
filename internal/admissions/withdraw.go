package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Withdraw takes an application back (lifecycle.md T10): its offers count as declined. An administrator does it at the
// applicant's request and says why. Errors: not-found, invalid-parameter without the reason, not-allowed-now.
func (o *Office) Withdraw(ctx context.Context, by Caller, application int64, reason string) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		step, err := o.step(d, by, admitto.Withdraw, reason)
		if err == nil {
			err = o.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		d.StatusBefore, d.Status, d.Withdrawn = d.Status, step.To, tx.Now()
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		recordWhy(tx, d, admitto.ApplicationWithdrawn, reason)
		if err := o.declineAllOffers(tx, d); err != nil {
			return err
		}
		until := o.undoUntil(d).Std().In(o.Settings().Instance.Timezone).Format("2 January 2006, 15:04 MST")
		return o.tellApplicant(tx, d, "application-withdrawn", map[string]string{"withdrawal-UndoUntil": until}, nil)
	})
}

// undoUntil is when the applicant can no longer take a withdrawal back.
func (o *Office) undoUntil(d *dossier) admitto.Time {
	return d.Withdrawn + admitto.Time(o.Settings().Withdrawal.UndoMinutes)*admitto.Minute
}

// UndoWithdrawal brings a withdrawn application and the decisions on its offers back (lifecycle.md T11). kept are the
// offers that stay Declined, because another binding acceptance exists now. Errors: not-found, not-allowed-now.
func (o *Office) UndoWithdrawal(ctx context.Context, by Caller, application int64) (kept []int64, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsRevert); err != nil {
		return kept, err
	}
	err = o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		kept = nil
		step, err := o.step(d, by, admitto.UndoWithdrawal, "")
		if err == nil {
			err = o.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		d.Status, d.StatusBefore, d.Withdrawn = statusBefore(d), "", 0
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		d.record(tx, admitto.ApplicationWithdrawalReverted)
		if kept, err = o.restoreDecisions(tx, d); err != nil {
			return err
		}
		return o.tellApplicant(tx, d, "application-withdrawal-reverted", nil, nil)
	})
	return kept, err
}

// statusBefore is the status that undoing brings back. Applications that left theirs before the service remembered it go by
// whether they were ever submitted.
func statusBefore(d *dossier) admitto.ApplicationStatus {
	switch {
	case d.StatusBefore != "":
		return d.StatusBefore
	case d.Submitted != 0:
		return admitto.Submitted
	}
	return admitto.Draft
}
