package usecase

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// OnlyOwn answers not-found when the caller is another applicant: nobody learns what others have. Every use case that
// lets applicants in before it knows whose record it is comes past here.
func OnlyOwn(by admitto.Caller, applicant int64) error {
	if by.Actor.Kind == admitto.ByApplicant && by.Owns(applicant) != nil {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	return nil
}

// SeesApplication answers not-found without the application, or when the caller is another applicant.
func SeesApplication(tx *store.Tx, by admitto.Caller, application int64) error {
	if by.Actor.Kind != admitto.ByApplicant {
		return tx.HasApplication(application)
	}
	a, err := tx.Application(application)
	if err != nil {
		return err
	}
	return OnlyOwn(by, a.Applicant)
}

// BelowApplicant reads something below an applicant; not-found without the applicant.
func (c *Core) BelowApplicant(ctx context.Context, applicant int64, fn func(*store.Tx) error) error {
	return c.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		return fn(tx)
	})
}

// BelowApplication reads something below an application; not-found without the application, or when the caller is
// another applicant.
func (c *Core) BelowApplication(ctx context.Context, by admitto.Caller, application int64,
	fn func(*store.Tx) error) error {
	return c.Read(ctx, func(tx *store.Tx) error {
		if err := SeesApplication(tx, by, application); err != nil {
			return err
		}
		return fn(tx)
	})
}
