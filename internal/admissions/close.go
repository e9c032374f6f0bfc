package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// CloseApplication ends an application (lifecycle.md T12; resources.md 24.3): nobody edits it any more, and its
// automatic invoices lapse. tell says whether the applicant gets a mail about it. Errors: not-found, not-allowed-now
// when it is Closed already.
func (o *Office) CloseApplication(ctx context.Context, by Caller, application int64, tell bool) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsClose); err != nil {
		return err
	}
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		step, err := o.step(d, by, admitto.Close, "")
		if err == nil {
			err = o.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		if d.Status != admitto.Withdrawn { // which keeps the status before it, and can be told by its time
			d.StatusBefore = d.Status
		}
		d.Status = step.To
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		d.record(tx, admitto.ApplicationClosed)
		if tell {
			if err := o.tellApplicant(tx, d, "application-closed", nil, nil); err != nil {
				return err
			}
		}
		if err := o.lapseInvoices(tx, d.Actor, d.ID); err != nil {
			return err
		}
		return by.Done(tx)
	})
}

// UndoClosing brings a closed application back to the status before (lifecycle.md T13). What lapsed stays lapsed.
// Errors: not-found, invalid-parameter without a reason, not-allowed-now.
func (o *Office) UndoClosing(ctx context.Context, by Caller, application int64, reason string) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsRevert); err != nil {
		return err
	}
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		step, err := o.step(d, by, admitto.UndoClosing, reason)
		if err == nil {
			err = o.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		if d.Withdrawn != 0 {
			d.Status = admitto.Withdrawn
		} else {
			d.Status, d.StatusBefore = statusBefore(d), ""
		}
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		recordWhy(tx, d, admitto.ApplicationClosingReverted, reason)
		return nil
	})
}

// recordWhy writes an event about the application with the reason that was given.
func recordWhy(tx *store.Tx, d *dossier, pattern admitto.Pattern, reason string, details ...admitto.Detail) {
	if reason != "" {
		details = append(details, admitto.Detail{Path: "/reason", New: reason})
	}
	tx.Record(d.Actor, admitto.Event{Pattern: pattern, Links: d.links(), Details: details})
}
