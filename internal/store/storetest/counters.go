package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// testCountersConcurrently lets eight writers change what is counted, each its own applicants and all of them
// the same trackers.
func testCountersConcurrently(t *testing.T, e *env) {
	e.migrate(t)
	const writers = 8
	together(t, writers, func(w int) error {
		rnd := rand.New(rand.NewPCG(uint64(w), 2))
		var live, pending []int64
		for step := range e.size.Steps {
			before := [2][]int64{live, pending}
			tracker := 1 + rnd.Int64N(20)
			err := e.Write(e.ctx, func(tx *store.Tx) error {
				live, pending = before[0], before[1] // the transaction may run again
				for range 1 + rnd.IntN(3) {
					if err := change(tx, rnd, w*e.size.Steps+step, tracker, &live, &pending); err != nil {
						return err
					}
				}
				if rnd.IntN(2) == 0 {
					tx.Record(admitto.System(), admitto.Event{Pattern: admitto.TrackerAssigned})
				}
				if rnd.IntN(10) == 0 {
					return errRollback
				}
				return nil
			})
			// Somebody else has just deleted the tracker, or the number of the applicant was used in this step.
			if errors.Is(err, errRollback) || errors.Is(err, db.ErrForeignKey) || errors.Is(err, db.ErrUnique) {
				live, pending = before[0], before[1]
			} else if err != nil {
				return fmt.Errorf("writer %d, step %d: %w", w, step, err)
			}
		}
		return nil
	})
	e.verifyCounters(t)
	e.read(t, func(tx *store.Tx) error {
		n, err := number(tx, "SELECT count(*) FROM tally WHERE facet LIKE 't:%' AND NOT EXISTS (SELECT 1 FROM tracker WHERE facet = 't:' || id)")
		if n != 0 {
			t.Errorf("%d counts of deleted trackers stay", n)
		}
		if err != nil {
			return err
		}
		counted, err := tx.CountApplicants(admitto.ApplicantQuery{})
		if err != nil {
			return err
		}
		if n, err = number(tx, "SELECT count(*) FROM applicant WHERE visible"); n != counted || n == 0 {
			t.Errorf("counted %d, there are %d", counted, n)
		}
		return err
	})
}

// change does one random thing.
func change(tx *store.Tx, rnd *rand.Rand, n int, tracker int64, live, pending *[]int64) (err error) {
	pick := func(from []int64) int64 { return from[rnd.IntN(len(from))] }
	var id int64
	switch action := rnd.IntN(10); {
	case action < 2 || len(*live) == 0:
		if id, err = insert(tx, n, admitto.ApplicantLive); err == nil {
			*live = append((*live)[:len(*live):len(*live)], id)
		}
	case action < 4 || len(*pending) == 0:
		if id, err = insert(tx, n, admitto.ApplicantPending); err == nil {
			*pending = append((*pending)[:len(*pending):len(*pending)], id)
			if has, err := hasTracker(tx, tracker); err != nil || !has {
				return err
			}
			err = tx.AssignTrackerPending(id, tracker)
		}
	case action < 6:
		last := len(*pending) - 1
		var found bool
		if id, found, err = tx.ActivateApplicant((*pending)[last], rnd.IntN(2) == 0); err == nil && !found {
			return fmt.Errorf("applicant %d is not pending", (*pending)[last])
		}
		*pending = (*pending)[:last]
		*live = append((*live)[:len(*live):len(*live)], id)
	case action < 8:
		if _, _, err = tx.InsertTracker(&admitto.Tracker{Created: epoch, Code: fmt.Sprint("T", tracker)}); err != nil {
			return err
		}
		if has, err := hasTracker(tx, tracker); err != nil || !has {
			return err
		}
		_, err = tx.AssignTracker(pick(*live), tracker)
	case action < 9:
		_, err = tx.UnassignTracker(pick(*live), tracker)
	default:
		_, err = tx.DeleteTracker(tracker)
	}
	return err
}

func hasTracker(tx *store.Tx, id int64) (bool, error) {
	_, err := tx.Tracker(id)
	if admitto.KindOf(err) == admitto.NotFound {
		return false, nil
	}
	return err == nil, err
}

func testBrokenCounters(t *testing.T, e *env) {
	e.migrate(t)
	tracker := e.tracker(t, "FAIR")
	id := e.insert(t, 1, admitto.ApplicantLive)
	e.write(t, func(tx *store.Tx) error {
		_, err := tx.AssignTracker(id, tracker)
		return err
	})
	e.verifyCounters(t)
	for _, c := range []struct{ sql, want string }{
		{"UPDATE tally SET n = n + 1 WHERE facet = ''", `""`},
		{"DELETE FROM tally WHERE facet = 'c:EE'", `"c:EE"`},
		{"UPDATE tally SET block = block + 1 WHERE facet = 'day'", `"day"`},
		{"INSERT INTO tally (family, facet, block, n, low, high) VALUES ('applicant', 't:77', 0, 1, 1, 1)", `"t:77"`},
	} {
		e.trial(t, func(tx *store.Tx) error {
			if err := sqltest.In(tx).Script(c.sql); err != nil {
				return err
			}
			if err := tx.VerifyCounters(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want an error about %s", c.sql, err, c.want)
			}
			return nil
		})
	}
}
