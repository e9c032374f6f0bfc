package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Trackers lists all trackers by ascending ID.
func (o *Office) Trackers(ctx context.Context, by admitto.Caller) (list []admitto.Tracker, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		list, err = tx.Trackers()
		return err
	})
	return list, err
}

// Tracker reads one tracker, or answers NotFound.
func (o *Office) Tracker(ctx context.Context, by admitto.Caller, id int64) (t admitto.Tracker, err error) {
	if err := by.Staff(); err != nil {
		return t, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		t, err = tx.Tracker(id)
		return err
	})
	return t, err
}

// CreateTracker makes a tracker; already-exists, with the ID of the holder, when the code is in use without
// regard to letter case.
func (o *Office) CreateTracker(ctx context.Context, by Caller, t admitto.Tracker) (admitto.Tracker, error) {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return admitto.Tracker{}, err
	}
	err := o.write(ctx, func(tx *store.Tx) error {
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
func (o *Office) DeleteTracker(ctx context.Context, by Caller, id int64) error {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return err
	}
	return o.write(ctx, func(tx *store.Tx) error {
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

// TrackersOf lists the tracker associations of an applicant by tracker ID; not-found without the applicant.
func (o *Office) TrackersOf(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.TrackerAssociation, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return list, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
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
func (o *Office) TrackerOf(ctx context.Context, by admitto.Caller, applicant, tracker int64) (a admitto.TrackerAssociation, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return a, err
	}
	list, err := o.TrackersOf(ctx, by, applicant)
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

// AssignTracker sets a tracker on an applicant; doing it again changes nothing. Errors: not-found for either.
func (o *Office) AssignTracker(ctx context.Context, by Caller, applicant, tracker int64) error {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return err
	}
	return o.changeTracker(ctx, by, applicant, tracker, admitto.TrackerAssigned, func(tx *store.Tx) (bool, error) {
		return tx.AssignTracker(applicant, tracker)
	})
}

// UnassignTracker takes a tracker off an applicant; not-found when it is not set.
func (o *Office) UnassignTracker(ctx context.Context, by Caller, applicant, tracker int64) error {
	if err := by.Needs(admitto.TrackersEdit); err != nil {
		return err
	}
	return o.changeTracker(ctx, by, applicant, tracker, admitto.TrackerUnassigned, func(tx *store.Tx) (bool, error) {
		was, err := tx.UnassignTracker(applicant, tracker)
		if err == nil && !was {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return was, err
	})
}

func (o *Office) changeTracker(ctx context.Context, by Caller, applicant, tracker int64, event admitto.Pattern,
	change func(*store.Tx) (bool, error)) error {
	return o.write(ctx, func(tx *store.Tx) error {
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
