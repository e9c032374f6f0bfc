package privacy

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Recoverable is an applicant in the recovery list, with the name of who deleted them, and from when on the nightly run
// erases them; 0 where that run is off.
type Recoverable struct {
	store.Deleted
	By    string
	Erase admitto.Time
}

// RecoveryList lists the applicants who were deleted and can be brought back, those that are erased first before the
// others. Errors: not-permitted.
func (s *Service) RecoveryList(ctx context.Context, by admitto.Caller) (list []Recoverable, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return nil, err
	}
	set := s.core.Settings()
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		found, err := tx.Recoverable(mostRequests)
		if err != nil {
			return err
		}
		var staff []int64
		for i := range found {
			staff = append(staff, found[i].DeletedBy)
		}
		names, err := tx.AdministratorNames(staff)
		list = nil
		for i := range found {
			r := Recoverable{Deleted: found[i], By: names[found[i].DeletedBy]}
			if set.Rules.ErasureMode == config.RuleAutomatic {
				r.Erase = r.Deleted.Deleted + admitto.Time(set.Deletion.MinHours)*admitto.Hour
			}
			list = append(list, r)
		}
		return err
	})
	return list, err
}

// EraseNow erases an applicant of the recovery list at once and for good, without waiting for the nightly run. Only
// administrators may; errors: not-permitted, not-found.
func (s *Service) EraseNow(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return err
	}
	if err := byAdministrator(by); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := tx.LockDeleted(id)
		if err != nil {
			return err
		}
		return s.erase(tx, by.Actor, &d)
	})
}

// AllDataExports lists the exports of the data about applicants whose days are not over, those for staff before those
// that applicants asked for themselves, the newest first. Errors: not-permitted.
func (s *Service) AllDataExports(ctx context.Context, by admitto.Caller) (list []Export, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		found, err := tx.AllDataExports(mostRequests)
		if err != nil {
			return err
		}
		list, err = withAskers(tx, found)
		return err
	})
	return list, err
}
