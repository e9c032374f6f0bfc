package storetest

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/google/go-cmp/cmp"
)

func testBulk(t *testing.T, e *env) {
	e.migrate(t)
	blank := func(want bool) {
		t.Helper()
		e.read(t, func(tx *store.Tx) error {
			got, err := tx.Blank()
			if got != want {
				t.Errorf("blank: %v", got)
			}
			return err
		})
	}
	blank(true)
	states := []admitto.ApplicantState{admitto.ApplicantLive, admitto.ApplicantBlocked, admitto.ApplicantRecovery}
	var people []load.ApplicantRow
	var visible []admitto.Applicant
	for i := range 2500 {
		a, key := person(i)
		a.ID, a.State = int64(3*i+1), states[i%3]
		people = append(people, load.ApplicantRow{Applicant: *a, EmailKey: key})
		if a.State != admitto.ApplicantRecovery {
			visible = append(visible, *a)
		}
	}
	last := people[len(people)-1].ID
	trackers := []admitto.Tracker{{ID: 5, Created: epoch, Code: "Fair", Reduction: &admitto.Reduction{Percent: 100}},
		{ID: 9, Created: epoch, Code: "x", Reduction: &admitto.Reduction{Amount: 5, Currency: "EUR"}}}
	e.write(t, func(tx *store.Tx) error {
		var associations []admitto.TrackerAssociation
		for _, a := range visible {
			associations = append(associations, admitto.TrackerAssociation{Applicant: a.ID, Tracker: 5 + 4*(a.ID%2),
				Assigned: epoch})
		}
		for _, err := range []error{load.Trackers(tx, trackers), load.Applicants(tx, people),
			load.TrackerAssociations(tx, associations),
			load.Notes(tx, []load.NoteRow{{Note: admitto.Note{ID: 7, Created: epoch, Colour: "Blue", Text: "n"}, Applicant: 1}}),
			load.Emails(tx, []admitto.Email{{ID: 11, Applicant: 1, Inserted: epoch, Subject: "s"}}), load.Notes(tx, nil)} {
			if err != nil {
				return err
			}
		}
		return nil
	})
	blank(false)
	e.verifyCounters(t)
	e.read(t, func(tx *store.Tx) error {
		var got []admitto.Applicant
		_, err := tx.EachApplicant(admitto.ApplicantQuery{Limit: len(people)}, func(a *admitto.Applicant) error {
			got = append(got, *a)
			return nil
		})
		if diff := cmp.Diff(visible, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		list, err := tx.Trackers()
		if diff := cmp.Diff(trackers, list); diff != "" {
			t.Error(diff)
		}
		return err
	})
	// The next IDs are above those that were given, and stay so when fewer come later.
	e.write(t, func(tx *store.Tx) error {
		a, key := person(9999)
		a.ID = 2
		if err := load.Applicants(tx, []load.ApplicantRow{{Applicant: *a, EmailKey: key}}); err != nil {
			return err
		}
		next := map[string]int64{}
		var err [4]error
		next["applicant"], err[0] = insert(tx, 10_000, admitto.ApplicantLive)
		next["tracker"], _, err[1] = tx.InsertTracker(&admitto.Tracker{Created: epoch, Code: "new"})
		next["note"], err[2] = tx.InsertNote(1, &admitto.Note{Created: epoch, Colour: "Blue", Text: "n"})
		next["email"], err[3] = tx.InsertEmail(&admitto.Email{Applicant: 1, Inserted: epoch})
		for table, above := range map[string]int64{"applicant": last, "tracker": 9, "note": 7, "email": 11} {
			if next[table] <= above {
				t.Errorf("the next ID of %s is %d, want more than %d", table, next[table], above)
			}
		}
		for _, err := range err {
			if err != nil {
				return err
			}
		}
		return nil
	})
	e.verifyCounters(t)
	e.fails(t, db.ErrUnique, func(tx *store.Tx) error {
		a, key := person(1)
		a.ID = 1_000_000
		return load.Applicants(tx, []load.ApplicantRow{{Applicant: *a, EmailKey: key}})
	})
}

func testFreeOutbox(t *testing.T, e *env) {
	e.migrate(t)
	applicant := e.insert(t, 1, admitto.ApplicantPending)
	e.write(t, func(tx *store.Tx) error {
		for _, until := range []admitto.Time{-admitto.Hour, admitto.Minute, admitto.Hour} {
			if _, err := tx.InsertOutbox(&store.OutboxRow{Applicant: applicant, Kind: store.WelcomeSync, Template: "a",
				Created: epoch, Sealed: []byte("s"),
				LeaseUntil: tx.Now() + until}); err != nil {
				return err
			}
		}
		if err := tx.FreeOutbox(tx.Now() + 2*admitto.Minute); err != nil {
			return err
		}
		list, _, err := tx.LeaseOutbox(store.WelcomeSync, 9, tx.Now(), tx.Now()+admitto.Hour)
		if len(list) != 2 {
			t.Errorf("%d rows are free, want the one that ran out and the one that would soon", len(list))
		}
		return err
	})
}

func testInstanceKey(t *testing.T, e *env) {
	e.migrate(t)
	for i, fingerprint := range []string{"a", "a", "b", "a"} {
		known, err := e.KnowsKey(e.ctx)
		if err != nil || known != (i > 0) {
			t.Errorf("known %v, %v", known, err)
		}
		if _, err := e.RememberKey(e.ctx, fingerprint); (err != nil) != (fingerprint == "b") {
			t.Errorf("step %d: %v", i, err)
		}
	}
	errs := make([]error, 12)
	e.write(t, func(tx *store.Tx) error { return sqltest.In(tx).Script("DELETE FROM instance") })
	together(t, len(errs), func(i int) error {
		_, errs[i] = e.RememberKey(e.ctx, fmt.Sprint(i))
		return nil
	})
	first := 0
	for _, err := range errs {
		if err == nil {
			first++
		}
	}
	if first != 1 {
		t.Errorf("%d keys were remembered at once", first)
	}
}
