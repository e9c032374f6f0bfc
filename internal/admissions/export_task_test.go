package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// CauseTasks makes the tasks that a cause triggers, as the use cases do in their transactions.
func (s *Service) CauseTasks(ctx context.Context, by usecase.Caller, application int64, cause string, course,
	offerType int64) error {
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		return s.causeTasks(tx, d, cause, course, offerType)
	})
}

// Undecided returns what guard G10 asks for.
func (s *Service) Undecided(ctx context.Context, applicant int64) (list []int64, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err = tx.UndecidedConsents(applicant)
		return err
	})
	return list, err
}

// Blocking returns the IDs of the tasks that guard G7 asks for.
func (s *Service) Blocking(ctx context.Context, application int64) (list []int64, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list = nil
		tasks, err := tx.BlockingTasks(application)
		for _, t := range tasks {
			list = append(list, t.ID)
		}
		return err
	})
	return list, err
}
