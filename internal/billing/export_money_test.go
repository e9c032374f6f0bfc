package billing

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ErrRolledBack is what a transaction fails with that was made to.
var ErrRolledBack = errors.New("rolled back")

// IssueAndFail issues an invoice and fails as the last step of the transaction.
func (s *Service) IssueAndFail(ctx context.Context, by usecase.Caller, application int64, in NewInvoice) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		i, err := s.draftInvoice(tx, d, &in)
		if err == nil {
			err = s.issue(tx, d, i, nil, true)
		}
		if err == nil {
			err = ErrRolledBack
		}
		return err
	})
}

// ChargeAll charges the fees of a cause for all courses of an application.
func (s *Service) ChargeAll(ctx context.Context, by usecase.Caller, application int64, cause admitto.FeeCause) error {
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		courses, err := CoursesOf(tx, d.ID)
		if err != nil {
			return err
		}
		return s.ChargeFees(tx, d, string(cause), courses)
	})
}

// LapseNow lapses the automatic invoices of an application.
func (s *Service) LapseNow(ctx context.Context, by usecase.Caller, application int64) error {
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		return s.LapseInvoices(tx, by.Actor, d.ID)
	})
}

// BlockingInvoices returns the numbers of the invoices that stop a submission.
func (s *Service) BlockingInvoices(ctx context.Context, applicant, application int64) (list []string, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		invoices, err := tx.BlockingInvoices(applicant, application)
		for _, i := range invoices {
			list = append(list, i.Number)
		}
		return err
	})
	return list, err
}
