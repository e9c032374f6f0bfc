package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
)

// held has the order locked by a transaction that records "first" when release is called, which returns what came of
// it.
func held(t *testing.T, e *env) (release func() error) {
	t.Helper()
	locked, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- e.Write(context.WithoutCancel(e.ctx), func(tx *store.Tx) error {
			if err := tx.LockOrder(); err != nil {
				return err
			}
			close(locked)
			<-goOn
			tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailSent, Bind: []string{"first"}})
			return nil
		})
	}()
	<-locked
	return func() error {
		close(goOn)
		return <-done
	}
}

// leaves has an applicant given a tracker and records an event about that, which waits. What is returned is told when
// it has its number.
func leaves(t *testing.T, e *env, said string, applicant, tracker int64) (numbered chan error) {
	t.Helper()
	before := e.waiting(t)
	numbered = make(chan error, 1)
	go func() {
		numbered <- e.Write(context.WithoutCancel(e.ctx), func(tx *store.Tx) error {
			tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailSent, Bind: []string{said},
				Links: admitto.Links{Applicant: applicant}, Details: []admitto.Detail{{Path: "p", New: said}}})
			_, err := tx.AssignTracker(applicant, tracker)
			return err
		})
	}()
	wait.Until(t, "the event waits", func() bool { return e.waiting(t) == before+1 })
	return numbered
}

// waiting is how many transactions have left their events.
func (e *env) waiting(t *testing.T) (n int64) {
	e.read(t, func(tx *store.Tx) (err error) {
		n, err = number(tx, "SELECT count(*) FROM journal_waiting")
		return err
	})
	return n
}

// said is what the records of the journal say, by their order.
func (e *env) said(t *testing.T) (list []string) {
	for _, r := range e.records(t) {
		list = append(list, r.Bind[0])
	}
	return list
}

// testWaiting lets writers find the head of the journal taken: they commit, nobody reads their events, and they
// return when these are in the journal, in front of what the one who had the head records.
func testWaiting(t *testing.T, e *env) {
	e.migrate(t)
	if !e.Shared() {
		return // one writer: nobody finds the head taken
	}
	id := e.insert(t, 1, admitto.ApplicantLive)
	one, other := e.tracker(t, "ONE"), e.tracker(t, "OTHER")
	release := held(t, e)
	second := leaves(t, e, "second", id, one)
	third := leaves(t, e, "third", id, other)
	if err := e.Read(e.ctx, (*store.Tx).VerifyCounters); err != nil {
		t.Error("while counts wait:", err)
	}
	if list := e.records(t); len(list) != 0 {
		t.Errorf("the journal tells %d events that wait", len(list))
	}
	select {
	case err := <-second:
		t.Errorf("a writer has returned before its event had a number: %v", err)
		second <- err
	default:
	}
	for _, done := range []func() error{release, func() error { return <-second }, func() error { return <-third }} {
		if err := done(); err != nil {
			t.Error(err)
		}
	}
	if got := e.said(t); len(got) != 3 || got[0] != "second" || got[1] != "third" || got[2] != "first" {
		t.Errorf("the journal says %v", got)
	}
	if n := e.waiting(t); n != 0 {
		t.Errorf("%d wait", n)
	}
	e.verifyJournal(t)
}

// leave does what a process has done that dies before its event has a number.
func leave(tx *store.Tx, said string, applicant int64) error {
	events := fmt.Sprintf(`[{"Actor":{"Kind":"System"},"Event":{"Pattern":%q,"Bind":[%q],"Links":{"Applicant":%d},
		"Details":[{"path":"p","old":"","new":"x"}]},"Logged":1780000000000000}]`, admitto.EmailSent, said, applicant)
	return sqltest.In(tx).Script("INSERT INTO journal_waiting (events) VALUES ('" + events + `');
		INSERT INTO tally_waiting (family, facet, block, n, low, high) VALUES ('x', 'y', 0, 2, 5, 9), ('x', 'y', 0, -1, 7, 7)`)
}

// testLeftByTheDead has events and counts left by a process that died: the next who has the head takes them, be it
// one who only looks for them.
func testLeftByTheDead(t *testing.T, e *env) {
	e.migrate(t)
	id := e.insert(t, 1, admitto.ApplicantLive)
	leave := func(said string) { e.write(t, func(tx *store.Tx) error { return leave(tx, said, id) }) }
	record := func(said string) {
		e.write(t, func(tx *store.Tx) error {
			tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailSent, Bind: []string{said},
				Links: admitto.Links{Applicant: id}})
			return nil
		})
	}
	leave("left")
	if err := e.TakeWaiting(e.ctx); err != nil {
		t.Fatal(err)
	}
	want := []string{"left"}
	if e.Shared() { // else nobody looks but at the start
		leave("left again")
		want = append(want, "left again")
	}
	record("own")
	want = append(want, "own")
	if got := e.said(t); len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the journal says %v, want %v", got, want)
	}
	e.read(t, func(tx *store.Tx) error {
		n, err := number(tx, "SELECT n * 100 + low * 10 + high FROM tally WHERE family = 'x' AND facet = 'y'")
		if err != nil || n != int64(len(want)-1)*100+59 {
			t.Errorf("the count is %d, %v", n, err)
		}
		left, err := number(tx, "SELECT (SELECT count(*) FROM tally_waiting) + (SELECT count(*) FROM journal_waiting)")
		if left != 0 {
			t.Errorf("%d are left", left)
		}
		return err
	})
	e.verifyJournal(t)
}

// testErasedWhileWaiting erases the details of an applicant of whom an event waits.
func testErasedWhileWaiting(t *testing.T, e *env) {
	e.migrate(t)
	if !e.Shared() {
		return
	}
	id := e.insert(t, 1, admitto.ApplicantLive)
	e.write(t, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(id)
		if err != nil {
			return err
		}
		return tx.HideApplicant(&a, 0)
	})
	e.write(t, func(tx *store.Tx) error { return leave(tx, "secret", id) })
	e.write(t, func(tx *store.Tx) error {
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.ApplicantErased, Bind: []string{"erased"},
			Links: admitto.Links{Applicant: id}})
		return tx.ForgetDetails(id)
	})
	if got := e.said(t); len(got) != 2 || got[0] != "secret" || got[1] != "erased" {
		t.Errorf("the journal says %v", got)
	}
	e.read(t, func(tx *store.Tx) error {
		n, err := number(tx, "SELECT count(*) FROM journal_detail")
		if n != 0 {
			t.Errorf("%d details are left", n)
		}
		return err
	})
	e.verifyJournal(t)
}
