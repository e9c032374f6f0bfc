package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ConsentsOf lists an applicant's latest decisions by consent (resources.md 3.5); consents without a decision
// are not among them. Not-found without the applicant.
func (s *Service) ConsentsOf(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.ConsentDecision,
	err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return list, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		all, err := tx.ConsentsOf([]int64{applicant})
		list = all[applicant]
		return err
	})
	return list, err
}

// ConsentOf reads an applicant's latest decision on a consent; not-found without the applicant or a decision.
func (s *Service) ConsentOf(ctx context.Context, by admitto.Caller, applicant, consent int64) (admitto.ConsentDecision,
	error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return admitto.ConsentDecision{}, err
	}
	list, err := s.ConsentsOf(ctx, by, applicant)
	return usecase.Found(list, err, func(d *admitto.ConsentDecision) bool { return d.Consent == consent })
}

// Wishes lists the wishes of an applicant by ID (resources.md 3.5); not-found without the applicant.
func (s *Service) Wishes(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.Wish, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return list, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		all, err := tx.WishesOf([]int64{applicant})
		list = all[applicant]
		return err
	})
	return list, err
}

// Wish reads one wish of an applicant; not-found as well when it is somebody else's.
func (s *Service) Wish(ctx context.Context, by admitto.Caller, applicant, id int64) (admitto.Wish, error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return admitto.Wish{}, err
	}
	list, err := s.Wishes(ctx, by, applicant)
	return usecase.Found(list, err, func(w *admitto.Wish) bool { return w.ID == id })
}
