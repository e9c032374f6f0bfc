package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

func TestLockOrder(t *testing.T) {
	for name, c := range map[string]struct {
		locks []heldLock
		fault string
	}{
		"none": {},
		"the order": {locks: []heldLock{{lockCall, 0}, {lockApplicant, 7}, {lockOffer, 3}, {lockSeries, 1},
			{lockHead, 0}}},
		"again":         {locks: []heldLock{{lockApplicant, 7}, {lockHead, 0}, {lockApplicant, 7}, {lockHead, 0}}},
		"IDs upwards":   {locks: []heldLock{{lockSeries, 1}, {lockSeries, 2}}},
		"several rows":  {locks: []heldLock{{lockOffer, 9}, {lockOffer, 0}}},
		"IDs downwards": {locks: []heldLock{{lockSeries, 2}, {lockSeries, 1}}, fault: "series 1 after series 2"},
		"after the order": {locks: []heldLock{{lockHead, 0}, {lockSeries, 1}},
			fault: "series 1 after head of the journal 0"},
		"the first one is named": {locks: []heldLock{{lockOffer, 1}, {lockApplicant, 2}, {lockKey, 3}},
			fault: "applicant 2 after offer 1"},
		"another of an upper one": {locks: []heldLock{{lockApplicant, 7}, {lockApplication, 1}, {lockApplicant, 8}},
			fault: "applicant 8 after application 1"},
	} {
		tx := &Tx{checkLocks: true}
		for _, l := range c.locks {
			tx.forUpdate(l.lock, l.id)
		}
		if c.fault == "" && tx.disorder != nil || c.fault != "" && (tx.disorder == nil ||
			!strings.HasSuffix(tx.disorder.Error(), ": "+c.fault)) {
			t.Errorf("%s: %v, want %q", name, tx.disorder, c.fault)
		}
	}
	if len(lockNames) != int(lockHead)+1 {
		t.Errorf("%d locks have %d names", lockHead+1, len(lockNames))
	}
}

// What has locked out of order is not committed where the options say so.
func TestDisorderIsNotCommitted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		s := opened(t, url, o)
		if _, err := s.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		err := s.Write(t.Context(), func(tx *Tx) error {
			tx.Record(admitto.System(), admitto.Event{Pattern: admitto.TrackerCreated})
			if err := tx.LockOrder(); err != nil {
				return err
			}
			if _, err := tx.LockSeries(1); admitto.KindOf(err) != admitto.NotFound {
				return errors.Join(err, errors.New("there is a series"))
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "series 1 after head") {
			t.Errorf("committed: %v", err)
		}
	})
}

// Every lock of a row stands in the order.
func TestLocksAreRanked(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if path != "locks.go" && path != "locks_test.go" && strings.Contains(string(text), "dialect.forUpdate") {
			t.Errorf("%s locks rows without forUpdate of locks.go", path)
		}
	}
}
