package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Trackers lists all trackers by ascending ID.
func (s *Service) Trackers(ctx context.Context, by admitto.Caller) (list []admitto.Tracker, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Trackers)
}

// Tracker reads one tracker, or answers NotFound.
func (s *Service) Tracker(ctx context.Context, by admitto.Caller, id int64) (t admitto.Tracker, err error) {
	if err := by.Staff(); err != nil {
		return t, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Tracker, error) { return tx.Tracker(id) })
}

// TrackersOf lists the tracker associations of an applicant by tracker ID; not-found without the applicant.
func (s *Service) TrackersOf(ctx context.Context, by admitto.Caller,
	applicant int64) (list []admitto.TrackerAssociation, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		all, err := tx.TrackersOf([]int64{applicant})
		list = all[applicant]
		return err
	})
	return list, err
}

// TrackerOf reads one tracker association; not-found without the applicant, or when it is not set.
func (s *Service) TrackerOf(ctx context.Context, by admitto.Caller, applicant,
	tracker int64) (a admitto.TrackerAssociation, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return a, err
	}
	list, err := s.TrackersOf(ctx, by, applicant)
	if err != nil {
		return a, err
	}
	for _, a := range list {
		if a.Tracker == tracker {
			return a, nil
		}
	}
	return a, &admitto.Error{Kind: admitto.NotFound}
}
