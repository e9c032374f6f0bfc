package batch

import (
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/usecase"
)

// How lists write that something is set, and that it is not.
const (
	set    = "yes"
	notSet = "no"
)

func written(is bool) string {
	if is {
		return set
	}
	return notSet
}

// What the actions are for.
var (
	ofApplications = []admitto.BatchSource{admitto.OfApplications}
	ofApplicants   = []admitto.BatchSource{admitto.OfApplicants}
)

// quietActions are those that applicants notice nothing of.
func quietActions() []action {
	flags, trackers := []admitto.Permission{admitto.FlagsEdit}, []admitto.Permission{admitto.TrackersEdit}
	return []action{
		{name: "flag", title: message.Of("batch-flag"), sources: ofApplications, needs: flags, atOnce: true,
			fields: []string{"flag"},
			check:  flagThere, change: flagged.change(true), apply: flagged.apply, undo: flagged.undo},
		{name: "unflag", title: message.Of("batch-unflag"), sources: ofApplications, needs: flags, atOnce: true,
			fields: []string{"flag"},
			check:  flagThere, change: flagged.change(false), apply: flagged.apply, undo: flagged.undo},
		{name: "officer", title: message.Of("batch-officer"), sources: ofApplications,
			needs: []admitto.Permission{admitto.ApplicationsView}, atOnce: true, fields: []string{"officer"},
			check: officerThere, change: changeOfficer, apply: applyOfficer, undo: undoOfficer},
		{name: "tracker", title: message.Of("batch-tracker"), sources: ofApplicants, needs: trackers,
			fields: []string{"tracker"},
			check:  trackerThere, change: tracked.change(true), apply: tracked.apply, undo: tracked.undo},
		{name: "untracker", title: message.Of("batch-untracker"), sources: ofApplicants, needs: trackers,
			fields: []string{"tracker"},
			check:  trackerThere, change: tracked.change(false), apply: tracked.apply, undo: tracked.undo},
	}
}

// thereIs answers with a fault at a field when what it names is not among the items.
func thereIs[T any](list []T, err error, isIt func(*T) bool, path admitto.Path, text message.Text) error {
	if err != nil {
		return err
	}
	if _, err = usecase.Found(list, nil, isIt); err != nil {
		return admitto.Refuse(admitto.InvalidParameter, path, "", text)
	}
	return nil
}

func flagThere(w *work) error {
	flags, err := w.tx.Flags()
	return thereIs(flags, err, func(f *admitto.Flag) bool { return f.ID == w.params.Flag }, "batch.flag",
		message.Of("batch-no-flag"))
}

func (w *work) hasFlag(id int64) (bool, error) {
	flags, err := w.tx.FlagsOfApplications([]int64{id})
	for _, f := range flags[id] {
		if f.Flag == w.params.Flag {
			return true, err
		}
	}
	return false, err
}

// mark is something that a record has or has not.
type mark struct {
	begin func(*work, int64) (admitto.BatchRecord, error) // of the change of a record
	has   func(*work, int64) (bool, error)
	set   func(w *work, id int64, to bool) error
}

// flagged and tracked are the marks of the batch: its flag on applications, its tracker on applicants.
var (
	flagged = mark{begin: func(w *work, id int64) (admitto.BatchRecord, error) {
		c, _, err := application(w, id)
		return c, err
	}, has: (*work).hasFlag, set: func(w *work, id int64, to bool) error {
		if to {
			return w.admissions.SetFlag(w, w.by, id, w.params.Flag)
		}
		return w.admissions.RemoveFlag(w, w.by, id, w.params.Flag)
	}}
	tracked = mark{begin: func(w *work, id int64) (admitto.BatchRecord, error) {
		c, _, err := person(w, id)
		return c, err
	}, has: (*work).hasTracker, set: func(w *work, id int64, to bool) error {
		if to {
			return w.admissions.AssignTracker(w, w.by, id, w.params.Tracker)
		}
		return w.admissions.UnassignTracker(w, w.by, id, w.params.Tracker)
	}}
)

func (m mark) change(to bool) func(*work, int64) (admitto.BatchRecord, error) {
	return func(w *work, id int64) (admitto.BatchRecord, error) {
		c, err := m.begin(w, id)
		if err != nil {
			return c, err
		}
		has, err := m.has(w, id)
		if err == nil && has == to {
			err = unchanged()
		}
		c.Was, c.Becomes = written(has), written(to)
		return c, err
	}
}

func (m mark) apply(w *work, c *admitto.BatchRecord) error {
	return m.set(w, c.Record, c.Becomes == set)
}

func (m mark) undo(w *work, c *admitto.BatchRecord) error {
	has, err := m.has(w, c.Record)
	if err != nil {
		return err
	}
	if written(has) != c.Becomes {
		return changedSince()
	}
	if w.preview {
		return nil
	}
	return m.set(w, c.Record, c.Was == set)
}

func officerThere(w *work) error {
	if w.params.Officer == admissions.Nobody {
		return nil
	}
	return w.s.core.MayBeOfficer(w.tx, w.params.Officer, "batch.officer")
}

func changeOfficer(w *work, id int64) (admitto.BatchRecord, error) {
	c, _, err := application(w, id)
	if err != nil {
		return c, err
	}
	before, err := w.tx.OfficerOf(id)
	c.Was, c.Becomes = strconv.FormatInt(before, 10), strconv.FormatInt(w.params.Officer, 10)
	me := w.by.Actor.ID
	switch {
	case err != nil:
	case before == w.params.Officer:
		err = unchanged()
	case w.by.Has(admitto.ApplicationsEdit),
		before == admissions.Nobody && w.params.Officer == me, before == me && w.params.Officer == admissions.Nobody:
	default:
		err = left(message.Of("batch-officer-of-others"))
	}
	return c, err
}

// setOfficer changes the officer where it is the one that is expected.
func (w *work) setOfficer(id int64, from, to string) error {
	before, err := strconv.ParseInt(from, 10, 64)
	if err != nil {
		return err
	}
	officer, err := strconv.ParseInt(to, 10, 64)
	if err != nil {
		return err
	}
	made, err := w.admissions.SetOfficers(w, w.by, []admissions.OfficerChange{{Application: id, Officer: officer,
		Unless: &before}})
	if err == nil && len(made) == 0 {
		err = changedSince()
	}
	return err
}

func applyOfficer(w *work, c *admitto.BatchRecord) error {
	return w.setOfficer(c.Record, c.Was, c.Becomes)
}

func undoOfficer(w *work, c *admitto.BatchRecord) error {
	if w.preview {
		now, err := w.tx.OfficerOf(c.Record)
		if err == nil && strconv.FormatInt(now, 10) != c.Becomes {
			err = changedSince()
		}
		return err
	}
	return w.setOfficer(c.Record, c.Becomes, c.Was)
}

func trackerThere(w *work) error {
	trackers, err := w.tx.Trackers()
	return thereIs(trackers, err, func(t *admitto.Tracker) bool { return t.ID == w.params.Tracker }, "batch.tracker",
		message.Of("batch-no-tracker"))
}

func (w *work) hasTracker(applicant int64) (bool, error) {
	trackers, err := w.tx.TrackersOf([]int64{applicant})
	for _, t := range trackers[applicant] {
		if t.Tracker == w.params.Tracker {
			return true, err
		}
	}
	return false, err
}

// person begins the change of an applicant.
func person(w *work, id int64) (c admitto.BatchRecord, a admitto.Applicant, err error) {
	if a, err = w.tx.Applicant(id); err == nil {
		c = admitto.BatchRecord{Record: id, Applicant: id}
		c.Version, err = w.tx.RowVersion(admitto.Row{Kind: admitto.ApplicantRow, ID: id})
	}
	return c, a, err
}
