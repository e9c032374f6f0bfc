package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// CloseApplication ends an application (lifecycle.md T12; resources.md 24.3): nobody edits it any more, and its
// automatic invoices lapse. tell says whether the applicant gets a mail about it. Errors: not-found, not-allowed-now
// when it is Closed already.
func (s *Service) CloseApplication(ctx context.Context, by usecase.Caller, application int64, tell bool) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsClose); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		step, err := s.step(d, by, admitto.Close, "")
		if err == nil {
			err = s.may(tx, d, &step, &question{})
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
		d.Record(tx, admitto.ApplicationClosed)
		if tell {
			if err := s.tellApplicant(tx, d, mail.KindApplicationClosed, nil, nil); err != nil {
				return err
			}
		}
		if err := s.billing.LapseInvoices(tx, d.Actor, d.ID); err != nil {
			return err
		}
		return by.Done(tx)
	})
}

// UndoClosing brings a closed application back to the status before (lifecycle.md T13). What lapsed stays lapsed.
// Errors: not-found, invalid-parameter without a reason, not-allowed-now.
func (s *Service) UndoClosing(ctx context.Context, by usecase.Caller, application int64, reason string) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsRevert); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		step, err := s.step(d, by, admitto.UndoClosing, reason)
		if err == nil {
			err = s.may(tx, d, &step, &question{})
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
func recordWhy(tx *store.Tx, d *usecase.LockedApplication, pattern admitto.Pattern, reason string,
	details ...admitto.Detail) {
	if reason != "" {
		details = append(details, admitto.Detail{Path: "/reason", New: reason})
	}
	tx.Record(d.Actor, admitto.Event{Pattern: pattern, Links: d.Links(), Details: details})
}

// ReopenApplication returns a submitted application to the applicant for changes (lifecycle.md T8). Offers stay,
// and what is frozen stays frozen. Errors: not-found, not-allowed-now.
func (s *Service) ReopenApplication(ctx context.Context, by usecase.Caller, application int64) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		step, err := s.step(d, by, admitto.Reopen, "")
		if err == nil {
			err = s.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		d.Status, d.Reopened = step.To, tx.Now()
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		d.Record(tx, admitto.ApplicationReopened)
		return s.tellApplicant(tx, d, mail.KindApplicationReopened, nil, nil)
	})
}
