package query

import (
	"context"
	"maps"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ApplicantNotes lists the notes on an applicant by age, those taken off the card included (resources.md 0.6);
// not-found without the applicant.
func (s *Service) ApplicantNotes(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.Note,
	err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
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
func (s *Service) OfferNotes(ctx context.Context, by admitto.Caller, application, offer int64) (list []admitto.Note,
	err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return list, err
	}
	err = s.belowOffer(ctx, by, application, offer, func(tx *store.Tx) error {
		list, err = tx.NotesOfOffer(offer)
		return err
	})
	return list, err
}

// Notes lists notes by age, those taken off the card included; not-found without what they are on.
func (s *Service) Notes(ctx context.Context, by admitto.Caller, on usecase.NoteOn) ([]admitto.Note, error) {
	if err := by.Needs(on.Viewing()); err != nil {
		return nil, err
	}
	if on.Offer != 0 {
		return s.OfferNotes(ctx, by, on.Application, on.Offer)
	}
	return s.ApplicantNotes(ctx, by, on.Applicant)
}

// Note reads one note, also one taken off the card; not-found as well when it is on something else.
func (s *Service) Note(ctx context.Context, by admitto.Caller, on usecase.NoteOn, id int64) (admitto.Note, error) {
	if err := by.Needs(on.Viewing()); err != nil {
		return admitto.Note{}, err
	}
	list, err := s.Notes(ctx, by, on)
	return usecase.Found(list, err, func(n *admitto.Note) bool { return n.ID == id })
}

// CardNotes are the notes on the applicant of an application, or on one of its offers.
type CardNotes struct {
	On     usecase.NoteOn
	Course store.CourseName // of the offer
	Notes  []admitto.Note   // by age, those taken off the card included
}

// ApplicationNotes reads the notes on the applicant of an application, and those on its offers by their IDs, as far as
// the caller may see them; not-found without the application.
func (s *Service) ApplicationNotes(ctx context.Context, by admitto.Caller,
	application int64) (list []CardNotes, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list = nil
		a, _, err := tx.ApplicationCase(application)
		if err != nil {
			return err
		}
		if by.Has(admitto.ApplicantsView) {
			notes, err := tx.NotesOfApplicant(a.Applicant)
			if err != nil {
				return err
			}
			list = append(list, CardNotes{On: usecase.NoteOn{Applicant: a.Applicant}, Notes: notes})
		}
		if !by.Has(admitto.OffersView) {
			return nil
		}
		offers, err := tx.OffersOf([]int64{application})
		if err != nil {
			return err
		}
		var ids, courses []int64
		for _, o := range offers[application] {
			ids, courses = append(ids, o.ID), append(courses, o.Course)
		}
		if len(ids) == 0 {
			return nil
		}
		notes, err := tx.NotesOfOffers(ids)
		if err != nil {
			return err
		}
		names, err := tx.CourseNames(unique(courses))
		for _, o := range offers[application] {
			list = append(list, CardNotes{On: usecase.NoteOn{Application: application, Offer: o.ID}, Course: names[o.Course],
				Notes: notes[o.ID]})
		}
		return err
	})
	return list, err
}

// mostNotes bounds how many notes of an applicant are looked up for who wrote them.
const mostNotes = 1000

// NoteAuthors are the names of the administrators who wrote the notes on an applicant and on the offers of all
// applications, by the IDs of the notes; a note that another actor wrote is not in it.
func (s *Service) NoteAuthors(ctx context.Context, by admitto.Caller, applicant int64) (names map[int64]string,
	err error) {
	if err := by.NeedsAny(admitto.ApplicationsView, admitto.ApplicantsView); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		names = map[int64]string{}
		authors := map[int64]int64{}
		_, err := tx.EachRecord(admitto.JournalQuery{ApplicantIDs: []int64{applicant}, NewestFirst: true, Limit: mostNotes,
			Events: []admitto.EventFilter{{Pattern: admitto.NoteAddedToApplicant}, {Pattern: admitto.NoteAddedToOffer}}},
			func(r *admitto.Record) error {
				if r.Actor.Kind == admitto.ByAdministrator {
					authors[r.Links.Note] = r.Actor.ID
				}
				return nil
			})
		if err != nil || len(authors) == 0 {
			return err
		}
		staff, err := tx.AdministratorNames(unique(slices.Collect(maps.Values(authors))))
		for note, id := range authors {
			if staff[id] != "" {
				names[note] = staff[id]
			}
		}
		return err
	})
	return names, err
}
