package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// ApplicantNotes lists the notes on an applicant by age, those taken off the card included (resources.md 0.6);
// not-found without the applicant.
func (o *Office) ApplicantNotes(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.Note, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return list, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		list, err = tx.NotesOfApplicant(applicant)
		return err
	})
	return list, err
}

// OfferNotes lists the notes on an offer by age, those taken off the card included (resources.md 0.6);
// not-found without the application or the offer.
func (o *Office) OfferNotes(ctx context.Context, by admitto.Caller, application, offer int64) (list []admitto.Note, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return list, err
	}
	err = o.belowOffer(ctx, by, application, offer, func(tx *store.Tx) error {
		list, err = tx.NotesOfOffer(offer)
		return err
	})
	return list, err
}
