package accounts

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Logins reads a page of the sign-ins of administrators, and how many match (resources.md 24.15).
func (s *Service) Logins(ctx context.Context, by admitto.Caller, q admitto.PageQuery) (list []admitto.Login,
	total int64, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return list, total, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, total, err = tx.Logins(q)
		return err
	})
	return list, total, err
}

// RecordLogin keeps a sign-in of an administrator, or an attempt, with the current time. It goes to the access
// log and not to the journal (lifecycle.md 10.2).
func (s *Service) RecordLogin(ctx context.Context, by admitto.Caller, l admitto.Login) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		l.Logged = tx.Now()
		_, err := tx.InsertLogin(&l)
		return err
	})
}
