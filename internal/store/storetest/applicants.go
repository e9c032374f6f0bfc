package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/google/go-cmp/cmp"
)

func testApplicant(t *testing.T, e *env) {
	e.migrate(t)
	full := admitto.Applicant{Type: admitto.Child, State: admitto.ApplicantBlocked, Lead: true, Registered: epoch + 7,
		Name: admitto.Name{Given: "Zoë", Middle: "von", Family: "Ünal", Parent: "Ada",
			Legal: "Ünal OÜ"}, Email: "Zoe@Example.org",
		Phone: "+372 1", Skype: "live:zoe", Reference: "R-1", Matriculation: "M-1", Citizenship: "TR", Address: "Tartu\n1",
		VATIN: "EE1"}
	bare := admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantLive, Registered: epoch,
		Email: "b@example.org"}
	e.write(t, func(tx *store.Tx) (err error) {
		if full.ID, err = tx.InsertApplicant(&full, "zoe@example.org"); err != nil {
			return err
		}
		bare.ID, err = tx.InsertApplicant(&bare, "b@example.org")
		return err
	})
	e.read(t, func(tx *store.Tx) error {
		for _, want := range []admitto.Applicant{full, bare} {
			got, err := tx.Applicant(want.ID)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
			if err := tx.HasApplicant(want.ID); err != nil {
				t.Error(err)
			}
			if state, err := tx.ApplicantState(want.ID); err != nil || state != want.State {
				t.Errorf("state %q, %v", state, err)
			}
		}
		if id, state, err := tx.ApplicantByEmail("zoe@example.org"); err != nil || id != full.ID || state != full.State {
			t.Errorf("by address: %d %q %v", id, state, err)
		}
		if id, _, err := tx.ApplicantByEmail("Zoe@Example.org"); err != nil || id != 0 {
			t.Errorf("by an address that is no key: %d %v", id, err)
		}
		if id, err := tx.ApplicantByReference("R-1"); err != nil || id != full.ID {
			t.Errorf("by reference: %d %v", id, err)
		}
		for _, none := range []string{"", "r-1"} {
			if id, err := tx.ApplicantByReference(none); err != nil || id != 0 {
				t.Errorf("by reference %q: %d %v", none, id, err)
			}
		}
		_, err := tx.Applicant(99)
		wantKind(t, err, admitto.NotFound)
		wantKind(t, tx.HasApplicant(99), admitto.NotFound)
		state, err := tx.ApplicantState(99)
		if state != "" {
			t.Errorf("state of nobody: %q", state)
		}
		return err
	})
	e.write(t, func(tx *store.Tx) error {
		if got, err := tx.LockApplicant(full.ID); err != nil || got.ID != full.ID {
			t.Errorf("locked %d, %v", got.ID, err)
		}
		_, err := tx.LockApplicant(99)
		wantKind(t, err, admitto.NotFound)
		for _, step := range []error{tx.SetReference(full.ID, ""), tx.SetReference(bare.ID, "R-1"),
			tx.SetMatriculation(bare.ID, "M-1"),
			tx.SetMatriculation(full.ID, ""), tx.SetPassword(bare.ID, "hash", true), tx.InsertSignInToken(bare.ID, [32]byte{1},
				epoch)} {
			if step != nil {
				return step
			}
		}
		return nil
	})
	e.read(t, func(tx *store.Tx) error {
		f, err1 := tx.Applicant(full.ID)
		b, err2 := tx.Applicant(bare.ID)
		if err1 != nil || err2 != nil || f.Reference != "" || f.Matriculation != "" || b.Reference != "R-1" ||
			b.Matriculation != "M-1" {
			t.Errorf("codes: %+v %+v %v %v", f, b, err1, err2)
		}
		n, err := number(tx, "SELECT count(*) FROM applicant JOIN sign_in_token s ON s.applicant_id = id WHERE password = 'hash' AND password_temporary AND expires = $1", epoch)
		if n != 1 {
			t.Error("password or token is missing")
		}
		return err
	})
	e.verifyCounters(t)
}

func testPendingApplicant(t *testing.T, e *env) {
	e.migrate(t)
	gone, stays := e.insert(t, 1, admitto.ApplicantPending), e.insert(t, 2, admitto.ApplicantPending)
	tracker := e.tracker(t, "FAIR")
	e.write(t, func(tx *store.Tx) error {
		_, err := tx.InsertOutbox(&store.OutboxRow{Kind: store.WelcomeSync, Template: "x", Applicant: gone, Created: epoch,
			Sealed: []byte("s"), LeaseUntil: epoch})
		if err != nil {
			return err
		}
		if _, err := tx.InsertNote(gone, &admitto.Note{Created: epoch, Colour: "Green", Text: "n"}); err != nil {
			return err
		}
		if err := tx.InsertSignInToken(gone, [32]byte{1}, epoch); err != nil {
			return err
		}
		return tx.AssignTrackerPending(gone, tracker)
	})
	e.read(t, func(tx *store.Tx) error {
		wantKind(t, tx.HasApplicant(gone), admitto.NotFound)
		_, err := tx.Applicant(gone)
		wantKind(t, err, admitto.NotFound)
		id, state, err := tx.ApplicantByEmail("p1@example.org")
		if id != gone || state != admitto.ApplicantPending {
			t.Errorf("by address: %d %q", id, state)
		}
		return err
	})
	e.verifyCounters(t)
	e.write(t, func(tx *store.Tx) error {
		if removed, err := tx.RemovePendingApplicant(gone); err != nil || !removed {
			t.Errorf("removed %v, %v", removed, err)
		}
		if removed, err := tx.RemovePendingApplicant(gone); err != nil || removed {
			t.Errorf("removed twice: %v, %v", removed, err)
		}
		for _, table := range []string{"outbox", "note", "sign_in_token", "applicant_tracker"} {
			if n, err := number(tx, "SELECT count(*) FROM "+table); n != 0 || err != nil {
				t.Errorf("%d rows of %s stay, %v", n, table, err)
			}
		}
		if id, found, err := tx.ActivateApplicant(gone, true); id != 0 || found || err != nil {
			t.Errorf("activated a removed one: %d %v %v", id, found, err)
		}
		if id, found, err := tx.ActivateApplicant(stays, true); id != stays || !found || err != nil {
			t.Errorf("activated: %d %v %v", id, found, err)
		}
		if a, err := tx.Applicant(stays); err != nil || a.Registered != tx.Now() {
			t.Errorf("registered at %v, became visible at %v, %v", a.Registered, tx.Now(), err)
		}
		if _, found, err := tx.ActivateApplicant(stays, true); found || err != nil {
			t.Errorf("activated twice: %v %v", found, err)
		}
		if removed, err := tx.RemovePendingApplicant(stays); err != nil || removed {
			t.Errorf("removed a live one: %v, %v", removed, err)
		}
		return nil
	})
	e.read(t, func(tx *store.Tx) error {
		a, err := tx.Applicant(stays)
		if a.State != admitto.ApplicantLive {
			t.Errorf("state %q", a.State)
		}
		return err
	})
	e.verifyCounters(t)
}

func testUniqueness(t *testing.T, e *env) {
	e.migrate(t)
	with := func(n int, state admitto.ApplicantState, key, reference string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			a, _ := person(n)
			a.State, a.Reference = state, reference
			_, err := tx.InsertApplicant(a, key)
			return err
		}
	}
	for _, state := range []admitto.ApplicantState{admitto.ApplicantPending, admitto.ApplicantLive,
		admitto.ApplicantBlocked} {
		key, reference := string(state)+"@x", "R "+string(state)
		e.write(t, with(1, state, key, reference))
		for _, second := range []admitto.ApplicantState{admitto.ApplicantPending, admitto.ApplicantLive,
			admitto.ApplicantBlocked} {
			e.fails(t, db.ErrUnique, with(2, second, key, ""))
			e.fails(t, db.ErrUnique, with(2, second, "other@x", reference))
		}
		e.write(t, with(3, admitto.ApplicantRecovery, key, reference)) // deleted ones hold nothing
		e.write(t, func(tx *store.Tx) error {
			_, err := sqltest.In(tx).Exec("UPDATE applicant SET state = 'recovery' WHERE email_key = $1 AND state = 'pending'",
				key)
			return err
		})
	}
	// pending@x went to recovery, so that its address and reference are free again.
	e.write(t, with(4, admitto.ApplicantLive, "pending@x", "R pending"))
	e.read(t, func(tx *store.Tx) error {
		id, state, err := tx.ApplicantByEmail("pending@x")
		if id == 0 || state != admitto.ApplicantLive {
			t.Errorf("by address: %d %q", id, state)
		}
		return err
	})
	var plain [2]int64
	for i := range plain {
		plain[i] = e.insert(t, 10+i, admitto.ApplicantLive) // empty references do not collide
	}
	e.fails(t, db.ErrUnique, func(tx *store.Tx) error { return tx.SetReference(plain[0], "R live") })
	e.write(t, func(tx *store.Tx) error { return tx.SetReference(plain[0], "r live") })
}

func testRenumbering(t *testing.T, e *env) {
	e.migrate(t)
	var ids [5]int64
	for i := range ids {
		ids[i] = e.insert(t, i, admitto.ApplicantPending)
	}
	tracker := e.tracker(t, "FAIR")
	e.write(t, func(tx *store.Tx) error {
		if _, err := tx.InsertNote(ids[0], &admitto.Note{Created: epoch, Colour: "Green", Text: "n"}); err != nil {
			return err
		}
		if err := tx.InsertSignInToken(ids[0], [32]byte{1}, epoch); err != nil {
			return err
		}
		if _, err := tx.InsertOutbox(&store.OutboxRow{Kind: "x", Template: "x", Applicant: ids[0], Created: epoch,
			Sealed: []byte("s"), LeaseUntil: epoch}); err != nil {
			return err
		}
		if _, err := tx.InsertEmail(&admitto.Email{Applicant: ids[0], Inserted: epoch}); err != nil {
			return err
		}
		return tx.AssignTrackerPending(ids[0], tracker)
	})
	activate := func(id int64, mayRenumber bool) (visible int64) {
		t.Helper()
		e.write(t, func(tx *store.Tx) (err error) {
			var found bool
			if visible, found, err = tx.ActivateApplicant(id, mayRenumber); !found {
				t.Errorf("applicant %d is not found", id)
			}
			return err
		})
		return visible
	}
	if id := activate(ids[2], true); id != ids[2] {
		t.Errorf("the first one became %d, want %d", id, ids[2])
	}
	if id := activate(ids[1], false); id != ids[1] {
		t.Errorf("one who may not be renumbered became %d, want %d", id, ids[1])
	}
	moved := activate(ids[0], true)
	if moved <= ids[4] {
		t.Errorf("a late one became %d, want more than %d", moved, ids[4])
	}
	e.read(t, func(tx *store.Tx) error {
		wantKind(t, tx.HasApplicant(ids[0]), admitto.NotFound)
		if a, err := tx.Applicant(moved); err != nil || a.Email != "p0@example.org" {
			t.Errorf("the late one: %+v, %v", a, err)
		}
		for _, table := range []string{"note", "sign_in_token", "outbox", "email", "applicant_tracker"} {
			if n, err := number(tx, "SELECT applicant_id FROM "+table); n != moved || err != nil {
				t.Errorf("%s belongs to %d, want %d, %v", table, n, moved, err)
			}
		}
		return nil
	})
	// Who was seen and deleted since counts too.
	e.write(t, func(tx *store.Tx) error {
		_, err := sqltest.In(tx).Exec("DELETE FROM applicant WHERE id = $1", moved)
		return err
	})
	if id := activate(ids[3], true); id <= moved {
		t.Errorf("after a deletion one became %d, want more than %d", id, moved)
	}
	// Two in one transaction, the later one first.
	low, high := e.insert(t, 20, admitto.ApplicantPending), e.insert(t, 21, admitto.ApplicantPending)
	e.write(t, func(tx *store.Tx) error {
		first, _, err := tx.ActivateApplicant(high, true)
		if err != nil {
			return err
		}
		second, _, err := tx.ActivateApplicant(low, true)
		if second <= first {
			t.Errorf("became %d after %d", second, first)
		}
		return err
	})
}

func testNoReuse(t *testing.T, e *env) {
	e.migrate(t)
	last := map[string]int64{}
	grow := func(rollBack bool) {
		t.Helper()
		err := e.Write(e.ctx, func(tx *store.Tx) error {
			ids := map[string]int64{}
			var err [4]error
			ids["applicant"], err[0] = insert(tx, 1, admitto.ApplicantLive)
			ids["note"], err[1] = tx.InsertNote(ids["applicant"], &admitto.Note{Created: epoch, Colour: "Green", Text: "n"})
			ids["tracker"], _, err[2] = tx.InsertTracker(&admitto.Tracker{Created: epoch, Code: "X"})
			ids["api_key"], err[3] = tx.InsertKey(&admitto.Key{Label: "k", Scope: admitto.ScopeAll, Created: epoch}, [32]byte{1})
			for _, err := range err {
				if err != nil {
					return err
				}
			}
			for table, id := range ids {
				if id <= last[table] {
					t.Errorf("ID %d of %s was given before %d", id, table, last[table])
				}
			}
			if rollBack {
				return errRollback
			}
			last = ids
			return nil
		})
		if err != nil && !(rollBack && err == errRollback) {
			t.Fatal(err)
		}
	}
	clean := func() {
		t.Helper()
		e.write(t, func(tx *store.Tx) error {
			return sqltest.In(tx).Script("DELETE FROM note; DELETE FROM tracker; DELETE FROM api_key; DELETE FROM applicant")
		})
	}
	for range 3 {
		grow(false)
		clean()
	}
	grow(true)
	grow(false)
	clean()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e.Store = e.open(t)
	grow(false)
}

func testSkipIDs(t *testing.T, e *env) {
	e.migrate(t)
	for _, step := range []struct{ skip, want int64 }{{0, 1}, {100, 101}, {50, 102}, {101, 103}} {
		e.write(t, func(tx *store.Tx) error {
			if step.skip > 0 {
				if err := tx.SkipIDs("applicant", step.skip); err != nil {
					return err
				}
			}
			id, err := insert(tx, int(step.want), admitto.ApplicantLive)
			if id != step.want {
				t.Errorf("after skipping to %d: ID %d, want %d", step.skip, id, step.want)
			}
			return err
		})
	}
	e.write(t, func(tx *store.Tx) error { // of a table that never had a row
		if err := tx.SkipIDs("tracker", 7); err != nil {
			return err
		}
		id, _, err := tx.InsertTracker(&admitto.Tracker{Created: epoch, Code: "X"})
		if id != 8 {
			t.Errorf("ID %d, want 8", id)
		}
		return err
	})
}

func testTrackers(t *testing.T, e *env) {
	e.migrate(t)
	want := []admitto.Tracker{
		{Created: epoch, Code: "Fair", Notes: "a fair"},
		{Created: epoch + 1, Code: "half", Reduction: &admitto.Reduction{Percent: 5000}},
		{Created: epoch + 2, Code: "none", Reduction: &admitto.Reduction{}},
		{Created: epoch + 3, Code: "ÄÖ", Reduction: &admitto.Reduction{Amount: 12345, Currency: "EUR"}},
	}
	e.write(t, func(tx *store.Tx) error {
		for i := range want {
			id, created, err := tx.InsertTracker(&want[i])
			if err != nil || !created {
				t.Errorf("%v %v", created, err)
			}
			want[i].ID = id
		}
		for i, code := range []string{"FAIR", "HALF", "None", "äö"} {
			if id, created, err := tx.InsertTracker(&admitto.Tracker{Created: epoch, Code: code}); id != want[i].ID ||
				created || err != nil {
				t.Errorf("again %q: %d %v %v", code, id, created, err)
			}
		}
		return nil
	})
	a, b := e.insert(t, 1, admitto.ApplicantLive), e.insert(t, 2, admitto.ApplicantLive)
	e.write(t, func(tx *store.Tx) error {
		got, err := tx.Trackers()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		one, err := tx.Tracker(want[3].ID)
		if diff := cmp.Diff(want[3], one); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		if err := tx.LockTracker(want[0].ID); err != nil {
			t.Error(err)
		}
		wantKind(t, tx.LockTracker(99), admitto.NotFound)
		if err := tx.HoldTracker(want[1].ID); err != nil {
			t.Error(err)
		}
		wantKind(t, tx.HoldTracker(99), admitto.NotFound)
		if e.Shared() { // others may hold it too, and nobody may take it away
			e.write(t, func(tx *store.Tx) error { return tx.HoldTracker(want[1].ID) })
			soon, cancel := context.WithTimeout(e.ctx, 200*time.Millisecond)
			defer cancel()
			if err := e.Write(soon, func(tx *store.Tx) error { return tx.LockTracker(want[1].ID) }); !errors.Is(err,
				context.DeadlineExceeded) {
				t.Errorf("locked beside who holds it: %v", err)
			}
		}
		_, err = tx.Tracker(99)
		wantKind(t, err, admitto.NotFound)
		if ids, err := tx.TrackerIDsByCode([]string{"äÖ", "fair", "FAIR", "nothing"}); err != nil ||
			!slices.Equal(ids, []int64{want[0].ID, want[3].ID}) {
			t.Errorf("by code: %v %v", ids, err)
		}
		if ids, err := tx.TrackerIDsByCode([]string{"nothing"}); err != nil || ids == nil || len(ids) > 0 {
			t.Errorf("by unknown code: %v %v", ids, err)
		}
		for _, step := range []struct {
			applicant, tracker int64
			unassign, want     bool
		}{{a, want[1].ID, false, true}, {a, want[1].ID, false, false}, {a, want[0].ID, false, true}, {b, want[0].ID, false,
			true},
			{b, want[1].ID, true, false}, {b, want[0].ID, true, true}, {b, want[0].ID, true, false}, {b, want[3].ID, false,
				true}} {
			change := tx.AssignTracker
			if step.unassign {
				change = tx.UnassignTracker
			}
			if changed, err := change(step.applicant, step.tracker); changed != step.want || err != nil {
				t.Errorf("%+v: %v %v", step, changed, err)
			}
		}
		associations := map[int64][]admitto.TrackerAssociation{
			a: {{Applicant: a, Tracker: want[0].ID, Assigned: tx.Now()}, {Applicant: a, Tracker: want[1].ID,
				Assigned: tx.Now()}},
			b: {{Applicant: b, Tracker: want[3].ID, Assigned: tx.Now()}}}
		of, err := tx.TrackersOf([]int64{b, a, 99})
		if diff := cmp.Diff(associations, of); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		return nil
	})
	e.verifyCounters(t)
	e.write(t, func(tx *store.Tx) error {
		// What the same transaction counted of the tracker goes with it.
		if _, err := tx.UnassignTracker(b, want[3].ID); err != nil {
			return err
		}
		for _, i := range []int{0, 3} {
			if gone, err := tx.DeleteTracker(want[i].ID); !gone || err != nil {
				t.Errorf("%v %v", gone, err)
			}
		}
		gone, err := tx.DeleteTracker(want[0].ID)
		if gone {
			t.Error("deleted twice")
		}
		return err
	})
	e.verifyCounters(t)
	e.read(t, func(tx *store.Tx) error {
		of, err := tx.TrackersOf([]int64{a, b})
		if len(of) != 1 || len(of[a]) != 1 || of[a][0].Tracker != want[1].ID {
			t.Errorf("associations that stay: %v", of)
		}
		if n, err := number(tx, "SELECT count(*) FROM tally WHERE facet LIKE 't:%'"); n != 1 || err != nil {
			t.Errorf("%d counts of trackers stay, %v", n, err)
		}
		return err
	})
	e.fails(t, db.ErrForeignKey, func(tx *store.Tx) error {
		_, err := tx.AssignTracker(a, want[0].ID)
		return err
	})
}

func testNotes(t *testing.T, e *env) {
	e.migrate(t)
	a, b := e.insert(t, 1, admitto.ApplicantLive), e.insert(t, 2, admitto.ApplicantLive)
	e.write(t, func(tx *store.Tx) error {
		for _, n := range []struct {
			applicant int64
			text      string
		}{{b, "b1"}, {a, "a1\nline"}, {a, "a2"}, {a, "a3"}} {
			if _, err := tx.InsertNote(n.applicant, &admitto.Note{Created: epoch, Colour: "Blue", Text: n.text}); err != nil {
				return err
			}
		}
		if _, err := sqltest.In(tx).Exec("UPDATE note SET removed = 1 WHERE text = 'a2'"); err != nil {
			return err
		}
		got, err := tx.VisibleNotes([]int64{a, b, 99})
		if diff := cmp.Diff(map[int64][]string{a: {"a1\nline", "a3"}, b: {"b1"}}, got); diff != "" {
			t.Error(diff)
		}
		return err
	})
	e.fails(t, db.ErrForeignKey, func(tx *store.Tx) error {
		_, err := tx.InsertNote(99, &admitto.Note{Created: epoch, Colour: "Blue", Text: "x"})
		return err
	})
}
