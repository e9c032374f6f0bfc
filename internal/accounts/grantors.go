package accounts

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// mostGrantors is how many names Grantors returns.
const mostGrantors = 3

// Grantors names administrators who can give a permission: they have it themselves, and may change roles.
func (s *Service) Grantors(ctx context.Context, by admitto.Caller, p admitto.Permission) (names []string, err error) {
	if err := by.Staff(); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.Administrators()
		if err != nil {
			return err
		}
		for _, one := range list {
			a, err := tx.StaffAccount(one.ID)
			if err != nil {
				return err
			}
			m, err := s.member(tx, &a)
			if err != nil {
				return err
			}
			if s.barred(tx, &a) == "" && m.Permissions.Has(p) && m.Permissions.Has(admitto.AdministratorsEdit) {
				if names = append(names, a.Name); len(names) == mostGrantors {
					break
				}
			}
		}
		return nil
	})
	return names, err
}
