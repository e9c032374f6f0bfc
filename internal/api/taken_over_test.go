package api_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/google/go-cmp/cmp"
)

// eachPost lays out the world of the contract and runs each for every operation with POST of the newest version, with a
// call of it that succeeds there when it is sent with the token.
func (s *service) eachPost(t *testing.T, each func(t *testing.T, name string,
	send func(s *service, token string) answer)) {
	t.Helper()
	putContract(s)
	if s.store.Shared() { // the fixture names IDs, which the sequences of PostgreSQL do not see
		s.put(`DO $$ DECLARE s record; BEGIN FOR s IN SELECT oid FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace
			LOOP PERFORM setval(s.oid::regclass, 100000); END LOOP; END $$`)
	}
	document := documentOf(t, 10)
	check, operations := newValidator(document), operationsOf(t, document)
	posts := 0
	for _, r := range requestOrder(10) {
		path := "/api/v10" + requestPath(t, s, r, map[string]string{})
		if r.Name == "deleteApplicationCourse" { // which makes room for the creation
			s.do("DELETE", path, "").want(t, 204)
		}
		if r.Method != "POST" {
			continue
		}
		posts++
		requests := requestsOf(t, check, operations[r.Name].op)
		request := requests[min(1, len(requests)-1)] // with what is required
		if r.Name == "createApplicant" {
			request = requests[0] // a name is required, in one of two ways
		}
		t.Run(r.Name, func(t *testing.T) {
			each(t, r.Name, func(s *service, token string) answer {
				return s.do("POST", path, request.body, header("Content-Type", request.kind), once(token))
			})
		})
	}
	for _, r := range api.Rows() {
		if r.Method == "POST" && r.Last == 10 {
			posts--
		}
	}
	if posts != 0 {
		t.Errorf("%d rows were left out", -posts)
	}
}

// A call that takes longer than its lease and is taken over on another instance does nothing: everything with POST
// happens once, and both are answered the same.
func TestTakenOverCalls(t *testing.T) {
	url, dbOptions := storetest.Migrated.Database(t)
	hold := &api.Hold{Arrived: make(chan struct{}), Release: make(chan struct{})}
	first := newService(t, url, dbOptions, func(o *options) { o.rest = hold.Install })
	second := newService(t, url, dbOptions, func(o *options) { o.clock = first.clock })
	second.shelf.Backend = first.files
	second.key = first.key
	first.eachPost(t, func(t *testing.T, name string, send func(*service, string) answer) {
		result := make(chan answer, 1)
		go func() { result <- send(first, name) }()
		<-hold.Arrived
		first.clock.Add(2 * admitto.Minute)
		made := send(second, name)
		before, mails := first.dump(), len(first.mail.Taken())
		hold.Release <- struct{}{}
		late := <-result
		if made.status >= 300 {
			t.Fatalf("status %d: %s", made.status, made.body)
		}
		sameAnswer(t, made, late)
		if diff := cmp.Diff(before, first.dump()); diff != "" || len(first.mail.Taken()) != mails {
			t.Errorf("it was done twice: %s", diff)
		}
	})
}

// A payment that waits for a lock beyond its lease, and a repetition on another instance that waits behind it: one of
// them is booked.
func TestTakenOverAtALock(t *testing.T) {
	url, dbOptions := storetest.Migrated.Database(t)
	first := newService(t, url, dbOptions)
	second := newService(t, url, dbOptions, func(o *options) { o.clock = first.clock })
	second.key = first.key
	putContract(first)
	answers := make(chan answer, 2)
	pay := func(s *service, waiting int) {
		go func() { answers <- s.postForm(v10("/invoices/2002/transactions"), "amount=10", once("payment")) }()
		for n := ""; n != fmt.Sprint(waiting); {
			n = first.first(t, `SELECT count(*) || '' FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
				WHERE NOT l.granted AND a.query LIKE '%FROM invoice %'`)
		}
	}
	if err := first.store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.LockInvoiceRow(2002); err != nil {
			return err
		}
		pay(first, 1)
		first.clock.Add(2 * admitto.Minute)
		pay(second, 2)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	booked := 0
	for range 2 {
		switch a := <-answers; a.status {
		case 201:
			booked++
		default:
			a.want(t, 409).problem(t, "idempotency-in-progress")
		}
	}
	if n := first.first(t, "SELECT count(*) || '' FROM invoice_transaction WHERE invoice_id = 2002 AND amount = 1000"); n != "1" || booked == 0 {
		t.Errorf("%s payments, %d answers 201", n, booked)
	}
}

// The process dies after the transaction of a call and before its answer is written down: a repetition does nothing
// again and returns the same answer.
func TestRepeatWithoutWords(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		lose := `CREATE TRIGGER lose BEFORE UPDATE ON idempotency WHEN NEW.body IS NOT NULL BEGIN SELECT RAISE(ABORT, 'lost'); END`
		if s.store.Shared() {
			lose = `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'lost'; END $$;
				CREATE TRIGGER lose BEFORE UPDATE ON idempotency FOR EACH ROW WHEN (NEW.body IS NOT NULL) EXECUTE FUNCTION lose()`
		}
		if err := s.store.Write(t.Context(), func(tx *store.Tx) error { return sqltest.In(tx).Script(lose) }); err != nil {
			t.Fatal(err)
		}
		s.eachPost(t, func(t *testing.T, name string, send func(*service, string) answer) {
			made := send(s, name)
			if made.status >= 300 {
				t.Fatalf("status %d: %s", made.status, made.body)
			}
			before, mails := s.dump(), len(s.mail.Taken())
			s.clock.Add(2 * admitto.Minute)
			sameAnswer(t, made, send(s, name))
			if diff := cmp.Diff(before, s.dump()); diff != "" || len(s.mail.Taken()) != mails {
				t.Errorf("it was done twice: %s", diff)
			}
		})
	})
}
