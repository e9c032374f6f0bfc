package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// PurgedResources reads a page of the purge list, and how many entries match (resources.md 24.12).
func (o *Office) PurgedResources(ctx context.Context, by admitto.Caller, q admitto.PageQuery) (list []admitto.PurgedResource, total int64, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return list, total, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		list, total, err = tx.PurgedResources(q)
		return err
	})
	return list, total, err
}

// Logins reads a page of the sign-ins of administrators, and how many match (resources.md 24.15).
func (o *Office) Logins(ctx context.Context, by admitto.Caller, q admitto.PageQuery) (list []admitto.Login, total int64, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return list, total, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		list, total, err = tx.Logins(q)
		return err
	})
	return list, total, err
}

// RecordLogin keeps a sign-in of an administrator, or an attempt, with the current time. It goes to the access
// log and not to the journal (lifecycle.md 10.2).
func (o *Office) RecordLogin(ctx context.Context, by admitto.Caller, l admitto.Login) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return o.write(ctx, func(tx *store.Tx) error {
		l.Logged = tx.Now()
		_, err := tx.InsertLogin(&l)
		return err
	})
}
