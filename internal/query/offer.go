package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// OfferParts is what hangs on offers and is read for all offers at once. The caller says what it wants.
type OfferParts struct {
	WantTypeTitles, WantNotes bool
	TypeTitles                map[int64]string   // of offer types, by their IDs
	Notes                     map[int64][]string // texts of active ones by offer, by age
}

func (p *OfferParts) load(tx *store.Tx, offers []admitto.Offer) (err error) {
	if p == nil {
		return nil
	}
	if p.WantTypeTitles {
		if p.TypeTitles, err = tx.OfferTypeTitles(); err != nil {
			return err
		}
	}
	if p.WantNotes && len(offers) > 0 {
		ids := make([]int64, len(offers))
		for i := range offers {
			ids[i] = offers[i].ID
		}
		p.Notes, err = tx.VisibleOfferNotes(ids)
	}
	return err
}

// Offers lists the offers of an application by ID, with the wanted parts (nil: none); not-found without the
// application (resources.md 7.2).
func (s *Service) Offers(ctx context.Context, by admitto.Caller, application int64,
	with *OfferParts) (list []admitto.Offer, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		all, err := tx.OffersOf([]int64{application})
		if err != nil {
			return err
		}
		list = all[application]
		return with.load(tx, list)
	})
	return list, err
}

// Offer reads one offer of an application and the wanted parts (nil: none); not-found without the application,
// or when the offer is not one of it.
func (s *Service) Offer(ctx context.Context, by admitto.Caller, application, id int64,
	with *OfferParts) (offer admitto.Offer, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return offer, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		if offer, err = tx.Offer(application, id); err != nil {
			return err
		}
		return with.load(tx, []admitto.Offer{offer})
	})
	return offer, err
}

// belowOffer reads something below an offer; not-found without the application or the offer.
func (s *Service) belowOffer(ctx context.Context, by admitto.Caller, application, offer int64,
	fn func(*store.Tx) error) error {
	return s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		if err := tx.HasOffer(application, offer); err != nil {
			return err
		}
		return fn(tx)
	})
}

// OfferAttachments lists what is known of the files attached to an offer, by ID (resources.md 7.5); not-found
// without the application or the offer.
func (s *Service) OfferAttachments(ctx context.Context, by admitto.Caller, application,
	offer int64) (list []admitto.File, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return list, err
	}
	err = s.belowOffer(ctx, by, application, offer, func(tx *store.Tx) error {
		list, err = tx.OfferAttachments(offer)
		return err
	})
	return list, err
}

// OfferAttachment reads what is known of one file attached to an offer; not-found as well when it is one of
// another offer.
func (s *Service) OfferAttachment(ctx context.Context, by admitto.Caller, application, offer, id int64) (f admitto.File,
	err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return f, err
	}
	err = s.belowOffer(ctx, by, application, offer, func(tx *store.Tx) error {
		f, err = tx.OfferAttachment(offer, id)
		return err
	})
	return f, err
}

// OfferLetters lists the rendered letters of an offer by ID (resources.md 7.5); not-found without the
// application or the offer.
func (s *Service) OfferLetters(ctx context.Context, by admitto.Caller, application, offer int64) (list []admitto.Letter,
	err error) {
	if err := by.NeedsOrApplicant(admitto.OffersView); err != nil {
		return list, err
	}
	err = s.belowOffer(ctx, by, application, offer, func(tx *store.Tx) error {
		list, err = tx.OfferLetters(offer)
		return err
	})
	return list, err
}

// OfferLetter reads one rendered letter of an offer; not-found as well when it is one of another offer.
func (s *Service) OfferLetter(ctx context.Context, by admitto.Caller, application, offer, id int64) (l admitto.Letter,
	err error) {
	if err := by.NeedsOrApplicant(admitto.OffersView); err != nil {
		return l, err
	}
	err = s.belowOffer(ctx, by, application, offer, func(tx *store.Tx) error {
		l, err = tx.OfferLetter(offer, id)
		return err
	})
	return l, err
}
