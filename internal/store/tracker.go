package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

const trackerColumns = "id, created, code, notes, percent, amount, currency"

func scanTracker(r *db.Rows) admitto.Tracker {
	t := admitto.Tracker{ID: r.Int64(0), Created: r.Time(1), Code: r.Text(2), Notes: r.Text(3)}
	if !r.Null(4) || !r.Null(5) {
		t.Reduction = &admitto.Reduction{
			Percent:  admitto.Hundredths(r.Int64(4)),
			Amount:   admitto.Hundredths(r.Int64(5)),
			Currency: r.Text(6),
		}
	}
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
	err = one(tx.query("SELECT "+trackerColumns+" FROM tracker WHERE id = $1", id), func(r *db.Rows) { t = scanTracker(r) })
	return t, err
}

// LockTracker keeps a tracker to this transaction, which is to delete it, until it ends, or answers NotFound.
func (tx *Tx) LockTracker(id int64) error {
	return one(tx.query("SELECT id FROM tracker WHERE id = $1"+tx.forUpdate(lockTracker, id), id), func(*db.Rows) {})
}

// HoldTracker keeps a tracker from being deleted by others until the transaction ends, or answers NotFound. Many may hold it.
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
	err := each(tx.query("SELECT id FROM tracker WHERE "+tx.dialect.in("code_key", 1)+" ORDER BY id", keys), func(r *db.Rows) {
		ids = append(ids, r.Int64(0))
	})
	return ids, err
}

// InsertTracker stores a new tracker and returns its ID; when the code exists it returns the ID of the tracker
// that has it, and created is false.
func (tx *Tx) InsertTracker(t *admitto.Tracker) (id int64, created bool, err error) {
	var percent, amount any
	currency := ""
	if r := t.Reduction; r != nil {
		if currency = r.Currency; r.ByAmount() {
			amount = r.Amount
		} else {
			percent = r.Percent
		}
	}
	err = each(tx.query(`INSERT INTO tracker (created, code, code_key, notes, percent, amount, currency)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (code_key) DO NOTHING RETURNING id`,
		t.Created, t.Code, columns.CodeKey(t.Code), t.Notes, percent, amount, currency), func(r *db.Rows) {
		id, created = r.Int64(0), true
	})
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
	return grouped(tx.query("SELECT applicant_id, tracker_id, assigned FROM applicant_tracker WHERE "+condition+
		" ORDER BY applicant_id, tracker_id", args...), func(r *db.Rows, a *admitto.TrackerAssociation) int64 {
		*a = admitto.TrackerAssociation{Applicant: r.Int64(0), Tracker: r.Int64(1), Assigned: r.Time(2)}
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
	n, err := tx.exec(`INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES ($1, $2, $3)
		ON CONFLICT (tracker_id, applicant_id) DO NOTHING`, tracker, applicant, tx.Now())
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
