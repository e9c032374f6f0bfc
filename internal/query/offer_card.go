package query

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// OfferCard is what the editor of an offer shows next to the card of its application (screens.md A15).
type OfferCard struct {
	admitto.OfferCase
	Course      store.CourseName
	Types       []admitto.OfferType // with their texts in the language of the applicant
	Files       []admitto.File
	Letterheads []admitto.Letterhead
	Sent        []store.SentLetter
	Notes       []admitto.Note // without those that were taken off
	Explained   admitto.Explanation
	DecidedBy   *admitto.Actor // who took the decision by hand; nil: nobody, or it is not known
}

// OfferCard reads an offer by its ID alone; not-found also when its application is gone.
func (s *Service) OfferCard(ctx context.Context, by admitto.Caller, id int64) (c OfferCard, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return c, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		c = OfferCard{}
		if c.OfferCase, err = tx.OfferCaseByID(id); err != nil {
			return err
		}
		if err := tx.HasApplication(c.Application); err != nil {
			return err
		}
		names, err := tx.CourseNames([]int64{c.OfferCase.Course})
		if err != nil {
			return err
		}
		c.Course = names[c.OfferCase.Course]
		if c.Types, err = tx.OfferTypes(); err != nil {
			return err
		}
		language, err := s.core.LanguageOf(tx, c.Applicant)
		if err != nil {
			return err
		}
		for i := range c.Types {
			c.Types[i] = c.Types[i].In(language)
		}
		if c.Files, err = tx.OfferAttachments(id); err != nil {
			return err
		}
		if c.Letterheads, err = tx.Letterheads(); err != nil {
			return err
		}
		if c.Sent, err = tx.SentLetters(id); err != nil {
			return err
		}
		explained, err := tx.ScoreExplained(id)
		if err != nil {
			return err
		}
		if explained != "" {
			if err := json.Unmarshal([]byte(explained), &c.Explained); err != nil {
				return err
			}
		}
		if c.DecidedBy, err = decidedBy(tx, &c.OfferCase); err != nil {
			return err
		}
		notes, err := tx.NotesOfOffer(id)
		c.Notes = slices.DeleteFunc(notes, func(n admitto.Note) bool { return n.Removed != 0 })
		return err
	})
	return c, err
}

// TypeOf finds a type; the zero type for an ID that there is not.
func (c *OfferCard) TypeOf(id int64) (t admitto.OfferType) {
	if at := slices.IndexFunc(c.Types, func(t admitto.OfferType) bool { return t.ID == id }); at >= 0 {
		return c.Types[at]
	}
	return t
}

// mostOfferRecords is how many events of an application are looked at for those of an offer.
const mostOfferRecords = 1000

// OfferHistory reads what happened to an offer, the oldest first, with the values that changed.
func (s *Service) OfferHistory(ctx context.Context, by admitto.Caller, application, offer int64) (list []admitto.Record,
	err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return nil, err
	}
	err = s.belowOffer(ctx, by, application, offer, func(tx *store.Tx) error {
		list = nil
		var ids []int64
		_, err := tx.EachRecord(admitto.JournalQuery{ApplicationIDs: []int64{application}, Limit: mostOfferRecords},
			func(r *admitto.Record) error {
				if r.Links.Offer != offer {
					return nil
				}
				if list = append(list, *r); r.DetailHash != "" {
					ids = append(ids, r.ID)
				}
				return nil
			})
		if err != nil || len(ids) == 0 {
			return err
		}
		details, err := tx.DetailsOf(ids)
		for i := range list {
			list[i].Details = details[list[i].ID]
		}
		return err
	})
	return list, err
}

// OfferToMatriculate returns the offer by which an applicant can be matriculated, 0 for none.
func (s *Service) OfferToMatriculate(ctx context.Context, by admitto.Caller, applicant int64) (offer int64, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		offer, err = tx.OfferToMatriculate(applicant)
		return err
	})
	return offer, err
}
