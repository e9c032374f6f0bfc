package accounts

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ConsentsAsked returns the active consents with their texts, the mandatory ones first: what the page asks about where
// somebody registers (screens.md P03).
func (s *Service) ConsentsAsked(ctx context.Context) ([]admitto.AskedConsent, error) {
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.AskedConsent, error) { return tx.AskedConsents(0) })
}

// ConsentsOfApplicant is ConsentsAsked with what an applicant has decided about the present texts.
func (s *Service) ConsentsOfApplicant(ctx context.Context, by admitto.Caller, applicant int64) ([]admitto.AskedConsent,
	error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.AskedConsent, error) {
		if err := tx.HasApplicant(applicant); err != nil {
			return nil, err
		}
		return tx.AskedConsents(applicant)
	})
}
