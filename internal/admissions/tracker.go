package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// CreateTracker makes a tracker; already-exists, with the ID of the holder, when the code is in use without
// regard to letter case.
func (s *Service) CreateTracker(ctx context.Context, by usecase.Caller, t admitto.Tracker) (admitto.Tracker, error) {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return admitto.Tracker{}, err
	}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		t.Created = tx.Now()
		id, created, err := tx.InsertTracker(&t)
		if err != nil {
			return err
		}
		if !created {
			return &admitto.Error{Kind: admitto.AlreadyExists, Existing: id,
				Text: message.Of("tracker-exists")}
		}
		t.ID = id
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.TrackerCreated, Links: admitto.Links{Tracker: id}})
		return by.Made(tx, id)
	})
	return t, err
}

// DeleteTracker deletes a tracker and takes it off all applicants; not-found when there is none.
func (s *Service) DeleteTracker(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockTracker(id); err != nil {
			return err
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.TrackerRow, ID: id}); err != nil {
			return err
		}
		if _, err := tx.DeleteTracker(id); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.TrackerDeleted, Links: admitto.Links{Tracker: id}})
		return nil
	})
}

// AssignTracker sets a tracker on an applicant; doing it again changes nothing. Errors: not-found for either.
func (s *Service) AssignTracker(ctx context.Context, by usecase.Caller, applicant, tracker int64) error {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return err
	}
	return s.changeTracker(ctx, by, applicant, tracker, admitto.TrackerAssigned, func(tx *store.Tx) (bool, error) {
		return tx.AssignTracker(applicant, tracker)
	})
}

// UnassignTracker takes a tracker off an applicant; not-found when it is not set.
func (s *Service) UnassignTracker(ctx context.Context, by usecase.Caller, applicant, tracker int64) error {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return err
	}
	return s.changeTracker(ctx, by, applicant, tracker, admitto.TrackerUnassigned, func(tx *store.Tx) (bool, error) {
		was, err := tx.UnassignTracker(applicant, tracker)
		if err == nil && !was {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return was, err
	})
}

func (s *Service) changeTracker(ctx context.Context, by usecase.Caller, applicant, tracker int64, event admitto.Pattern,
	change func(*store.Tx) (bool, error)) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockApplicant(applicant); err != nil {
			return err
		}
		if event == admitto.TrackerAssigned { // that it exists is asked before the caller's condition
			if err := tx.HoldTracker(tracker); err != nil {
				return err
			}
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.AssignedTrackerRow, ID: tracker, Of: applicant}); err != nil {
			return err
		}
		changed, err := change(tx)
		if changed {
			tx.Record(by.Actor, admitto.Event{Pattern: event, Links: admitto.Links{Applicant: applicant, Tracker: tracker}})
		}
		return err
	})
}
