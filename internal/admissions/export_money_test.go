package admissions

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// ErrRolledBack is what a transaction fails with that was made to.
var ErrRolledBack = errors.New("rolled back")

// IssueAndFail issues an invoice and fails as the last step of the transaction.
func (o *Office) IssueAndFail(ctx context.Context, by Caller, application int64, in NewInvoice) error {
	return o.write(ctx, func(tx *store.Tx) error {
		d, err := lockApplication(tx, by, application)
		if err != nil {
			return err
		}
		i, err := o.draftInvoice(tx, d, &in)
		if err == nil {
			err = o.issue(tx, d, i, nil, true)
		}
		if err == nil {
			err = ErrRolledBack
		}
		return err
	})
}

// ChargeFees charges the fees of a cause for all courses of an application.
func (o *Office) ChargeFees(ctx context.Context, by Caller, application int64, cause admitto.FeeCause) error {
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		courses, err := coursesOf(tx, d.ID)
		if err != nil {
			return err
		}
		return o.chargeFees(tx, d, string(cause), courses)
	})
}

// LapseNow lapses the automatic invoices of an application.
func (o *Office) LapseNow(ctx context.Context, by Caller, application int64) error {
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		return o.lapseInvoices(tx, by.Actor, d.ID)
	})
}

// BlockingInvoices returns the numbers of the invoices that stop a submission.
func (o *Office) BlockingInvoices(ctx context.Context, applicant, application int64) (list []string, err error) {
	err = o.read(ctx, func(tx *store.Tx) error {
		invoices, err := tx.BlockingInvoices(applicant, application)
		for _, i := range invoices {
			list = append(list, i.Number)
		}
		return err
	})
	return list, err
}
