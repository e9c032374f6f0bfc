package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Withdraw takes an application back (lifecycle.md T10): its offers count as declined. An administrator does it at the
// applicant's request and says why in words; an applicant may, and what the applicant says is kept with each offer that
// is declined by it. Errors: not-found, invalid-parameter without the reason or with one that AnswerOffer would refuse,
// not-allowed-now.
func (s *Service) Withdraw(ctx context.Context, by usecase.Caller, application int64, why admitto.Declining) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		reason := why.Words
		step, err := s.step(d, by, admitto.Withdraw, reason)
		if err == nil {
			err = s.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		d.StatusBefore, d.Status, d.Withdrawn = d.Status, step.To, tx.Now()
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		of := admitto.Declining{}
		if by.Actor.Kind == admitto.ByApplicant {
			if of, reason, err = checkDeclining(tx, why); err != nil {
				return err
			}
		}
		recordWhy(tx, d, admitto.ApplicationWithdrawn, reason)
		if err := s.declineAllOffers(tx, d, of); err != nil {
			return err
		}
		until := mail.ZonedTime{At: s.undoUntil(d), Zone: s.core.Settings().Instance.Timezone}
		return s.tellApplicant(tx, d, mail.KindApplicationWithdrawn, mail.Values{mail.WithdrawalUndoUntil: until}, nil)
	})
}

// undoUntil is when the applicant can no longer take a withdrawal back.
func (s *Service) undoUntil(d *usecase.LockedApplication) admitto.Time {
	return d.Withdrawn + s.undoTime()
}

// undoTime is how long applicants can take back what they did.
func (s *Service) undoTime() admitto.Time {
	return admitto.Time(s.core.Settings().Withdrawal.UndoMinutes) * admitto.Minute
}

// UndoWithdrawal brings a withdrawn application and the decisions on its offers back (lifecycle.md T11). kept are the
// offers that stay Declined, because another binding acceptance exists now. Errors: not-found, not-allowed-now.
func (s *Service) UndoWithdrawal(ctx context.Context, by usecase.Caller, application int64) (kept []int64, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsRevert); err != nil {
		return kept, err
	}
	err = s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		kept = nil
		step, err := s.step(d, by, admitto.UndoWithdrawal, "")
		if err == nil {
			err = s.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		d.Status, d.StatusBefore, d.Withdrawn = statusBefore(d), "", 0
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		d.Record(tx, admitto.ApplicationWithdrawalReverted)
		if kept, err = s.restoreDecisions(tx, d); err != nil {
			return err
		}
		return s.tellApplicant(tx, d, mail.KindApplicationWithdrawalReverted, nil, nil)
	})
	return kept, err
}

// statusBefore is the status that undoing brings back. Applications that left theirs before the service remembered it
// go by whether they were ever submitted.
func statusBefore(d *usecase.LockedApplication) admitto.ApplicationStatus {
	switch {
	case d.StatusBefore != "":
		return d.StatusBefore
	case d.Submitted != 0:
		return admitto.Submitted
	}
	return admitto.Draft
}
