package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

var (
	trackerColumns = columns.Tracker.Select("")
	insertTracker  = columns.Tracker.Insert() + " ON CONFLICT (code_key) DO NOTHING RETURNING id"
	assignTracker  = columns.ApplicantTracker.Add()
)

func scanTracker(r *db.Rows) (t admitto.Tracker) {
	columns.Tracker.Scan(r, &t)
	return t
}

// Trackers returns all trackers by ascending ID.
func (tx *Tx) Trackers() (list []admitto.Tracker, err error) {
	err = each(tx.query("SELECT "+trackerColumns+" FROM tracker ORDER BY id"), func(r *db.Rows) {
		list = append(list, scanTracker(r))
	})
	return list, err
}

// Tracker reads one tracker, or answers NotFound.
func (tx *Tx) Tracker(id int64) (t admitto.Tracker, err error) {
	err = one(tx.query("SELECT "+trackerColumns+" FROM tracker WHERE id = $1", id),
		func(r *db.Rows) { t = scanTracker(r) })
	return t, err
}

// LockTracker keeps a tracker to this transaction, which is to delete it, until it ends, or answers NotFound.
func (tx *Tx) LockTracker(id int64) error {
	return one(tx.query("SELECT id FROM tracker WHERE id = $1"+tx.forUpdate(lockTracker, id), id), func(*db.Rows) {})
}

// HoldTracker keeps a tracker from being deleted by others until the transaction ends, or answers NotFound. Many may
// hold it.
func (tx *Tx) HoldTracker(id int64) error {
	return one(tx.query("SELECT id FROM tracker WHERE id = $1"+tx.dialect.forShare, id), func(*db.Rows) {})
}

// TrackerIDsByCode returns the IDs of the trackers with these codes, without letter case.
func (tx *Tx) TrackerIDsByCode(codes []string) ([]int64, error) {
	keys := make([]string, len(codes))
	for i, code := range codes {
		keys[i] = columns.CodeKey(code)
	}
	ids := []int64{} // not nil: a filter that matches nothing is still a filter
	err := each(tx.query("SELECT id FROM tracker WHERE "+tx.dialect.in("code_key", 1)+" ORDER BY id", keys),
		func(r *db.Rows) {
			ids = append(ids, r.Int64(0))
		})
	return ids, err
}

// InsertTracker stores a new tracker and returns its ID; when the code exists it returns the ID of the tracker
// that has it, and created is false.
func (tx *Tx) InsertTracker(t *admitto.Tracker) (id int64, created bool, err error) {
	err = each(tx.query(insertTracker, columns.Tracker.New(t)...), func(r *db.Rows) { id, created = r.Int64(0), true })
	if err != nil || created {
		return id, created, err
	}
	id, err = tx.number("SELECT id FROM tracker WHERE code_key = $1", columns.CodeKey(t.Code))
	return id, false, err
}

// DeleteTracker removes the tracker and all its associations, and answers whether it was there.
func (tx *Tx) DeleteTracker(id int64) (bool, error) {
	n, err := tx.exec("DELETE FROM tracker WHERE id = $1", id)
	if err != nil || n == 0 {
		return false, err
	}
	tx.dropFacet(familyApplicant, facetTracker(id))
	return true, nil
}

// TrackersOf returns the tracker associations of each applicant, by tracker ID.
func (tx *Tx) TrackersOf(applicants []int64) (map[int64][]admitto.TrackerAssociation, error) {
	condition, args := tx.among("applicant_id", applicants)
	return grouped(tx.query("SELECT "+columns.ApplicantTracker.Select("")+" FROM applicant_tracker WHERE "+condition+
		" ORDER BY applicant_id, tracker_id", args...), func(r *db.Rows, a *admitto.TrackerAssociation) int64 {
		columns.ApplicantTracker.Scan(r, a)
		return a.Applicant
	})
}

func (tx *Tx) trackerIDsOf(applicant int64) (ids []int64, err error) {
	err = each(tx.query("SELECT tracker_id FROM applicant_tracker WHERE applicant_id = $1 ORDER BY tracker_id", applicant),
		func(r *db.Rows) { ids = append(ids, r.Int64(0)) })
	return ids, err
}

// AssignTracker sets a tracker on a visible applicant and answers whether it was not set before.
func (tx *Tx) AssignTracker(applicant, tracker int64) (bool, error) {
	set, err := tx.assign(applicant, tracker)
	if set {
		tx.count(familyApplicant, facetTracker(tracker), applicant/blockSize, applicant, 1)
	}
	return set, err
}

// AssignTrackerPending sets a tracker on an applicant who is still being created; it is counted when the
// applicant becomes live.
func (tx *Tx) AssignTrackerPending(applicant, tracker int64) error {
	_, err := tx.assign(applicant, tracker)
	return err
}

func (tx *Tx) assign(applicant, tracker int64) (bool, error) {
	a := admitto.TrackerAssociation{Applicant: applicant, Tracker: tracker, Assigned: tx.Now()}
	n, err := tx.exec(assignTracker, columns.ApplicantTracker.Values(nil, &a)...)
	return n > 0, err
}

// UnassignTracker takes a tracker off a visible applicant and answers whether it was set.
func (tx *Tx) UnassignTracker(applicant, tracker int64) (bool, error) {
	n, err := tx.exec("DELETE FROM applicant_tracker WHERE tracker_id = $1 AND applicant_id = $2", tracker, applicant)
	if n > 0 {
		tx.count(familyApplicant, facetTracker(tracker), applicant/blockSize, applicant, -1)
	}
	return n > 0, err
}
