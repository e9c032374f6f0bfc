package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// records reads the whole journal.
func (e *env) records(t *testing.T) (list []admitto.Record) {
	t.Helper()
	e.read(t, func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{Limit: 1 << 30}, func(r *admitto.Record) error {
			list = append(list, *r)
			return nil
		})
		return err
	})
	return list
}

func (e *env) verifyJournal(t *testing.T) {
	t.Helper()
	e.read(t, func(tx *store.Tx) error {
		id, reason, err := tx.VerifyJournal(0, 0, func(int64) {})
		if id != 0 || reason != "" {
			t.Errorf("record %d: %s", id, reason)
		}
		return err
	})
}

func testJournal(t *testing.T, e *env) {
	e.migrate(t)
	e.verifyJournal(t) // of the empty one
	links := admitto.Links{Administrator: 1, Applicant: 2, Application: 3, Course: 4, Institution: 5, Invoice: 6, Offer: 7,
		Document: 8, Flag: 9, Tracker: 10}
	actor := admitto.Actor{Kind: admitto.ByKey, ID: 4, RequestID: "01J"}
	var now admitto.Time
	e.write(t, func(tx *store.Tx) error {
		now = tx.Now()
		tx.Record(actor, admitto.Event{Pattern: admitto.EmailSent, Bind: []string{"wel<come & \"ö\""}, Links: links,
			Details: []admitto.Detail{{Path: "email", Old: "a@x", New: "b@x"}}}, admitto.Event{Pattern: admitto.TrackerDeleted})
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.KeyRevoked, Bind: []string{"two", "values"}})
		return nil
	})
	e.write(t, func(*store.Tx) error { return nil }) // nothing happened
	// A clock that runs backwards.
	e.write(t, func(tx *store.Tx) error {
		tx.RecordAt(now-admitto.Hour, admitto.System(), admitto.Event{Pattern: admitto.TrackerCreated})
		tx.RecordAt(now+admitto.Hour, admitto.System(), admitto.Event{Pattern: admitto.TrackerCreated,
			Details: []admitto.Detail{{Path: "p"}}})
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.TrackerCreated})
		return nil
	})
	got := e.records(t)
	want := []admitto.Record{
		{ID: 1, Logged: now, Actor: actor, Event: admitto.Event{Pattern: admitto.EmailSent,
			Bind: []string{"wel<come & \"ö\""}, Links: links}},
		{ID: 2, Logged: now, Actor: actor, Event: admitto.Event{Pattern: admitto.TrackerDeleted}},
		{ID: 3, Logged: now, Actor: admitto.System(), Event: admitto.Event{Pattern: admitto.KeyRevoked,
			Bind: []string{"two", "values"}}},
		{ID: 4, Logged: now, Actor: admitto.System(), Event: admitto.Event{Pattern: admitto.TrackerCreated}},
		{ID: 5, Logged: now + admitto.Hour, Actor: admitto.System(), Event: admitto.Event{Pattern: admitto.TrackerCreated}},
		{ID: 6, Logged: now + admitto.Hour, Actor: admitto.System(), Event: admitto.Event{Pattern: admitto.TrackerCreated}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(admitto.Record{}, "Hash", "DetailHash")); diff != "" {
		t.Error(diff)
	}
	for i, r := range got {
		if (r.DetailHash != "") != (i == 0 || i == 4) {
			t.Errorf("record %d: hash of details %q", r.ID, r.DetailHash)
		}
	}
	e.read(t, func(tx *store.Tx) error {
		details, err := tx.DetailsOf([]int64{1, 2, 99})
		want := map[int64][]admitto.Detail{1: {{Path: "email", Old: "a@x", New: "b@x"}}}
		if diff := cmp.Diff(want, details); diff != "" || err != nil {
			t.Errorf("details (-want +got):\n%s%v", diff, err)
		}
		id, hash, err := tx.JournalHead()
		if id != 6 || hash != got[5].Hash {
			t.Errorf("head %d %s", id, hash)
		}
		return err
	})
	e.verifyJournal(t)
}

// testJournalConcurrently lets sixteen writers record at once, of whom nearly a third change their mind.
func testJournalConcurrently(t *testing.T, e *env) {
	e.migrate(t)
	const writers, steps = 16, 20
	var recorded [writers]int
	together(t, writers, func(w int) error {
		rnd := rand.New(rand.NewPCG(uint64(w), 3))
		for step := range steps {
			events, early, fail := 1+rnd.IntN(3), rnd.IntN(4) == 0, rnd.IntN(10) < 3
			err := e.Write(e.ctx, func(tx *store.Tx) error {
				if early {
					if err := tx.LockOrder(); err != nil {
						return err
					}
				}
				for i := range events {
					tx.Record(admitto.Actor{Kind: admitto.BySystem, RequestID: fmt.Sprintf("%d-%d-%d", w, step, i)},
						admitto.Event{Pattern: admitto.EmailSent, Bind: []string{fmt.Sprint(w)},
							Details: []admitto.Detail{{Path: "step", New: fmt.Sprint(step)}}})
				}
				if fail {
					return errRollback
				}
				return nil
			})
			switch {
			case err == nil:
				recorded[w] += events
			case !errors.Is(err, errRollback):
				return err
			}
		}
		return nil
	})
	total := 0
	for _, n := range recorded {
		total += n
	}
	list := e.records(t)
	if len(list) != total {
		t.Errorf("%d records, want %d", len(list), total)
	}
	for i, r := range list {
		if r.ID != int64(i+1) {
			t.Fatalf("record %d stands at place %d", r.ID, i+1)
		}
		if i > 0 && r.Logged < list[i-1].Logged {
			t.Errorf("the time runs backwards at record %d", r.ID)
		}
		w, err := strconv.Atoi(r.Bind[0])
		if err != nil {
			t.Fatal(err)
		}
		recorded[w]--
	}
	for w, n := range recorded {
		if n != 0 {
			t.Errorf("of writer %d %d records are missing", w, n)
		}
	}
	e.verifyJournal(t)
}

func testInsertsOnly(t *testing.T, e *env) {
	e.migrate(t)
	e.write(t, func(tx *store.Tx) error {
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.TrackerCreated},
			admitto.Event{Pattern: admitto.TrackerDeleted})
		return nil
	})
	id := e.insert(t, 1, admitto.ApplicantLive)
	e.write(t, func(tx *store.Tx) error {
		event := admitto.Event{Pattern: admitto.ApplicationEdited, Details: []admitto.Detail{{Path: "p", New: "x"}}}
		tx.Record(admitto.System(), event) // 3, of nobody
		event.Links.Applicant = id
		tx.Record(admitto.System(), event) // 4
		return sqltest.In(tx).Script(fmt.Sprintf(`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (900, 2026, 'T', 2, '', '', '');
			INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (9, %d, 900, 'Draft', 1, 1)`, id))
	})
	e.write(t, func(tx *store.Tx) error {
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.ApplicationEdited, Links: admitto.Links{Application: 9},
			Details: []admitto.Detail{{Path: "p", New: "x"}}}) // 5
		return nil
	})
	statements := []string{"UPDATE journal_detail SET payload = payload", "DELETE FROM journal_detail",
		"DELETE FROM journal_detail WHERE journal_id = 3",
		"DELETE FROM journal_detail WHERE journal_id = 4", "DELETE FROM journal_detail WHERE journal_id = 5",
		"UPDATE journal SET pattern = 'x' WHERE id = 1", "UPDATE journal SET hash = hash", "DELETE FROM journal WHERE id = 2",
		"DELETE FROM journal"}
	if e.Shared() {
		statements = append(statements, "TRUNCATE journal CASCADE", "TRUNCATE journal_detail")
	}
	for _, sql := range statements {
		if err := e.Write(e.ctx, func(tx *store.Tx) error { return sqltest.In(tx).Script(sql) }); err == nil {
			t.Errorf("%s went through", sql)
		}
	}
	if list := e.records(t); len(list) != 5 {
		t.Errorf("%d records are left", len(list))
	}
	e.verifyJournal(t)
	e.write(t, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(id)
		if err != nil {
			return err
		}
		return tx.HideApplicant(&a, 0)
	})
	e.write(t, func(tx *store.Tx) error { // as every release erases
		tx.Record(admitto.System(), admitto.Event{Pattern: admitto.ApplicantErased, Links: admitto.Links{Applicant: id}})
		return tx.ForgetDetails(id)
	})
	e.read(t, func(tx *store.Tx) error {
		n, err := number(tx, "SELECT count(*) FROM journal_detail")
		if n != 1 {
			t.Errorf("%d details are left", n)
		}
		return err
	})
}

func testBrokenJournal(t *testing.T, e *env) {
	e.migrate(t)
	e.trial(t, func(tx *store.Tx) error {
		if err := sqltest.In(tx).Script("UPDATE journal_head SET hash = 'other'"); err != nil {
			return err
		}
		_, reason, err := tx.VerifyJournal(0, 0, func(int64) {})
		if reason == "" {
			t.Error("the head of the empty journal was changed and nobody noticed")
		}
		return err
	})
	for i := range 20 {
		e.write(t, func(tx *store.Tx) error {
			event := admitto.Event{Pattern: admitto.EmailSent, Bind: []string{fmt.Sprint(i)},
				Links: admitto.Links{Applicant: int64(i)}}
			if i%2 == 0 { // records 1, 3, 5 …
				event.Details = []admitto.Detail{{Path: "p", Old: "a", New: "b"}}
			}
			switch i {
			case 10: // record 11 names its application only
				event.Links = admitto.Links{Application: 3}
			case 11:
				event.Links.Application = 3
			case 12: // records 13 and 14 are of the same application
				event.Links = admitto.Links{Application: 5}
			case 13:
				event.Links = admitto.Links{Applicant: 4, Application: 5}
			case 15:
				event = admitto.Event{Pattern: admitto.ApplicantErased, Links: admitto.Links{Applicant: 4}}
			case 16: // after the erasure, which cannot be
				event.Links.Applicant = 4
			}
			tx.Record(admitto.Actor{Kind: admitto.ByKey, ID: 1}, event)
			return nil
		})
	}
	list := e.records(t)
	last := list[19]
	extra := admitto.Record{ID: 21, Logged: last.Logged, Event: admitto.Event{Pattern: admitto.TrackerCreated},
		Actor: admitto.System(), PrevHash: last.Hash}
	unlock := e.pick("DROP TRIGGER journal_no_update; DROP TRIGGER journal_no_delete; DROP TRIGGER journal_detail_no_update; DROP TRIGGER journal_detail_no_delete;",
		"DROP TRIGGER journal_inserts_only ON journal; DROP TRIGGER journal_details_stay ON journal_detail;")
	const all = 0
	for _, c := range []struct {
		name, sql    string
		from, to, id int64 // id 0: nothing is broken
	}{
		{"untouched", "", all, all, 0},
		{"part", "", 5, 9, 0},
		{"beyond the end", "", 15, 99, 0},
		{"pattern", "UPDATE journal SET pattern = 'Tracker was created' WHERE id = 7", all, all, 7},
		{"pattern, from there", "UPDATE journal SET pattern = 'Tracker was created' WHERE id = 7", 7, all, 7},
		{"pattern, before the part", "UPDATE journal SET pattern = 'Tracker was created' WHERE id = 7", 8, all, 0},
		{"pattern, after the part", "UPDATE journal SET pattern = 'Tracker was created' WHERE id = 7", 1, 6, 0},
		{"bind", `UPDATE journal SET bind = '["other"]' WHERE id = 8`, all, all, 8},
		{"no bind", "UPDATE journal SET bind = NULL WHERE id = 8", all, all, 8},
		{"logged", "UPDATE journal SET logged = logged + 1 WHERE id = 8", all, all, 8},
		{"actor", "UPDATE journal SET actor_id = 2 WHERE id = 8", all, all, 8},
		{"request", "UPDATE journal SET request_id = 'x' WHERE id = 8", all, all, 8},
		{"link", "UPDATE journal SET applicant_id = 1 WHERE id = 8", all, all, 8},
		{"new link", "UPDATE journal SET tracker_id = 1 WHERE id = 8", all, all, 8},
		{"hash", "UPDATE journal SET hash = '00' WHERE id = 8", all, all, 8},
		{"hash of details", "UPDATE journal SET detail_hash = '' WHERE id = 9", all, all, 9},
		{"deleted in the middle", "DELETE FROM journal WHERE id = 10", all, all, 10},
		{"deleted before the part", "DELETE FROM journal WHERE id = 10", 11, all, 10},
		{"deleted at the end", "DELETE FROM journal WHERE id = 20", all, all, 20},
		{"deleted at the start", "DELETE FROM journal_detail WHERE journal_id = 1; DELETE FROM journal WHERE id = 1", all,
			all, 1},
		{"swapped", "UPDATE journal SET id = -1 WHERE id = 12; UPDATE journal SET id = 12 WHERE id = 14; UPDATE journal SET id = 14 WHERE id = -1", all, all, 12},
		{"details", `UPDATE journal_detail SET payload = '[]' WHERE journal_id = 5`, all, all, 5},
		{"salt", e.pick("UPDATE journal_detail SET salt = x'00' WHERE journal_id = 5",
			`UPDATE journal_detail SET salt = '\x00' WHERE journal_id = 5`), all, all, 5},
		{"details of another", "UPDATE journal_detail SET journal_id = 6 WHERE journal_id = 5", all, all, 6},
		{"details of an erased applicant", "DELETE FROM journal_detail WHERE journal_id = 5", all, all, 0},
		{"details of an erased applicant, the part before", "DELETE FROM journal_detail WHERE journal_id = 5", 5, 9, 0},
		{"details of their application", "DELETE FROM journal_detail WHERE journal_id = 13", all, all, 0},
		{"details after the erasure", "DELETE FROM journal_detail WHERE journal_id = 17", all, all, 17},
		{"details deleted", "DELETE FROM journal_detail WHERE journal_id = 7", all, all, 7},
		{"details deleted, of an application", "DELETE FROM journal_detail WHERE journal_id = 11", all, all, 11},
		{"details deleted after the part", "DELETE FROM journal_detail WHERE journal_id = 7", all, 6, 0},
		{"all details deleted", "DELETE FROM journal_detail", all, all, 1},
		{"extra record", fmt.Sprintf("INSERT INTO journal (id, logged, pattern, actor, hash) VALUES (21, %d, '%s', 'system', '%s')",
			extra.Logged, extra.Pattern, extra.ComputeHash()), all, all, 21},
		{"hash of the head", "UPDATE journal_head SET hash = '00'", all, all, 20},
		{"head moved back", fmt.Sprintf("UPDATE journal_head SET id = 18, hash = '%s'", list[17].Hash), all, all, 19},
		{"head moved on", "UPDATE journal_head SET id = 22", all, all, 21},
		{"head at nothing", "UPDATE journal_head SET id = 0, hash = '" + admitto.GenesisHash + "'", all, all, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			e.trial(t, func(tx *store.Tx) error {
				if err := sqltest.In(tx).Script(unlock + c.sql); err != nil {
					return err
				}
				id, reason, err := tx.VerifyJournal(c.from, c.to, func(int64) {})
				if id != c.id || (reason == "") != (c.id == 0) {
					t.Errorf("got record %d (%s), want %d", id, reason, c.id)
				}
				return err
			})
		})
	}
	e.verifyJournal(t)
}
