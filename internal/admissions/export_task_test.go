package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/store"
)

// CauseTasks makes the tasks that a cause triggers, as the use cases do in their transactions.
func (o *Office) CauseTasks(ctx context.Context, by Caller, application int64, cause string, course, offerType int64) error {
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		return o.causeTasks(tx, d, cause, course, offerType)
	})
}

// Undecided returns what guard G10 asks for.
func (o *Office) Undecided(ctx context.Context, applicant int64) (list []int64, err error) {
	err = o.read(ctx, func(tx *store.Tx) error {
		list, err = tx.UndecidedConsents(applicant)
		return err
	})
	return list, err
}

// Blocking returns the IDs of the tasks that guard G7 asks for.
func (o *Office) Blocking(ctx context.Context, application int64) (list []int64, err error) {
	err = o.read(ctx, func(tx *store.Tx) error {
		list = nil
		tasks, err := tx.BlockingTasks(application)
		for _, t := range tasks {
			list = append(list, t.ID)
		}
		return err
	})
	return list, err
}
