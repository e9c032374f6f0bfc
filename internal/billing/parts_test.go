package billing_test

import (
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// errRolledBack is what a transaction fails with that was made to.
var errRolledBack = errors.New("rolled back")

// failing fails as the last step of the transaction of a call.
type failing struct{ usecase.Hook }

func (failing) Made(*store.Tx, int64) error { return errRolledBack }

// chargeAll charges the fees of a cause for all courses of an application.
func chargeAll(d *servicestest.Desk, application int64, cause admitto.FeeCause) error {
	return d.Services.Core.ChangeApplication(d.T.Context(), servicestest.ByKey(), application,
		func(tx *store.Tx, locked *usecase.LockedApplication) error {
			courses, err := billing.CoursesOf(tx, application)
			if err != nil {
				return err
			}
			return d.Services.Billing.ChargeFees(tx, locked, string(cause), courses)
		})
}

// lapseNow lapses the automatic invoices of an application.
func lapseNow(d *servicestest.Desk, application int64) error {
	return d.Services.Core.ChangeApplication(d.T.Context(), servicestest.ByKey(), application,
		func(tx *store.Tx, _ *usecase.LockedApplication) error {
			return d.Services.Billing.LapseInvoices(tx, servicestest.ByKey().Actor, application)
		})
}

// blockingInvoices returns the numbers of the invoices that stop a submission.
func blockingInvoices(d *servicestest.Desk, applicant, application int64) (list []string, err error) {
	err = d.Store.Read(d.T.Context(), func(tx *store.Tx) error {
		invoices, err := tx.BlockingInvoices(applicant, application)
		for _, i := range invoices {
			list = append(list, i.Number)
		}
		return err
	})
	return list, err
}
