package apikey_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// Of many that begin the same call at once one gets the record.
func TestRepeatRace(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		key := d.Key()
		call := [2]string{"/applicants", "t"}
		for round, stale := range []bool{false, true} {
			if stale {
				d.Clock.Add(3 * admitto.Minute) // the holder of the first round has died
			}
			var mu sync.Mutex
			var all sync.WaitGroup
			records, busy := 0, 0
			for range 50 {
				all.Go(func() {
					record, kept, err := d.Begin(call, key, 1)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case record != nil && kept == nil && err == nil:
						records++
					case admitto.KindOf(err) == admitto.RepeatInProgress:
						busy++
					default:
						t.Errorf("%v %v %v", record, kept, err)
					}
				})
			}
			all.Wait()
			if records != 1 || busy != 49 {
				t.Errorf("round %d: %d records, %d told to wait", round, records, busy)
			}
		}
	})
}

// What is kept is given again for the same body, for 24 hours; another key, path or token is another call.
func TestRepeatKept(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		key, call := d.Key(), [2]string{"/applicants", "t"}
		record, _, err := d.Begin(call, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.Begin(call, key, 2); admitto.KindOf(err) != admitto.RepeatConflict {
			t.Errorf("another body: %v", err)
		}
		// Nothing is kept of a failure.
		if held, err := d.Services.Keys.EndIdempotent(t.Context(), record, nil); !held || err != nil {
			t.Fatal(err)
		}
		if record, _, err = d.Begin(call, key, 2); record == nil || err != nil {
			t.Fatalf("%v, %v", record, err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if held, err := d.Services.Keys.EndIdempotent(cancelled, record, &apikey.KeptAnswer{Status: 201, Location: "/x",
			Body: []byte("{}")}); !held || err != nil {
			t.Fatal(err)
		}
		for range 2 {
			again, kept, err := d.Begin(call, key, 2)
			if again != nil || err != nil || kept.Status != 201 || kept.Location != "/x" || string(kept.Body) != "{}" {
				t.Errorf("%v %+v %v", again, kept, err)
			}
		}
		for _, other := range [][2]string{{"/trackers", "t"}, {"/applicants", "u"}} {
			if record, _, err := d.Begin(other, key, 2); record == nil || err != nil {
				t.Errorf("%v: %v", other, err)
			}
		}
		if record, _, err := d.Begin(call, d.Key(), 2); record == nil || err != nil {
			t.Error("another key is another call")
		}
		d.Clock.Add(24*admitto.Hour + 1)
		if err := d.Services.Keys.TidyIdempotencyRecords(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if n := d.Count("idempotency"); n != 0 {
			t.Errorf("%d rows are kept too long", n)
		}
		if record, _, err := d.Begin(call, key, 1); record == nil || err != nil {
			t.Errorf("%v, %v", record, err)
		}
	})
}

// The one who comes back too late changes nothing on the call of another, even when it was dropped and begun again
// in between.
func TestRepeatLate(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		key, call := d.Key(), [2]string{"/applicants", "t"}
		late, _, err := d.Begin(call, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		d.Clock.Add(3 * admitto.Minute)
		second, _, err := d.Begin(call, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, answer := range []*apikey.KeptAnswer{nil, {Status: 201, Location: "/late"}} {
			if held, err := d.Services.Keys.EndIdempotent(t.Context(), late, answer); held || err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := d.Begin(call, key, 1); admitto.KindOf(err) != admitto.RepeatInProgress {
			t.Errorf("the second was disturbed: %v", err)
		}
		if held, err := d.Services.Keys.EndIdempotent(t.Context(), second, nil); !held || err != nil {
			t.Fatal(err)
		}
		d.Clock.Add(admitto.Second)
		if _, _, err := d.Begin(call, key, 2); err != nil {
			t.Fatal(err)
		}
		if held, err := d.Services.Keys.EndIdempotent(t.Context(), late, &apikey.KeptAnswer{Status: 201,
			Location: "/late"}); held || err != nil {
			t.Fatal(err)
		}
		if _, kept, err := d.Begin(call, key, 2); admitto.KindOf(err) != admitto.RepeatInProgress {
			t.Errorf("the third was answered by the first: %+v, %v", kept, err)
		}
	})
}

// The process dies after the mail left and before the call was ended: the creation that is taken over ends it, also
// when an earlier binary has left the mail, which did not say how the call is answered.
func TestRepeatAfterCrash(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		key, who := d.Key(), servicestest.Ilse()
		for token, answers := range map[string]apikey.Answers{"now": servicestest.Answers, "earlier": {Prefix: "/made"}} {
			call := [2]string{"/made/applicants", token}
			record, _, err := d.Begin(call, key, 1)
			if err != nil {
				t.Fatal(err)
			}
			record.Answers = answers
			by := servicestest.ByKey()
			by.Hook = record
			who.Email, who.Reference, who.Matriculation = token+"@example.org", token, token
			d.CrashAs(by, who)
			d.Clock.Add(servicestest.LeaseTime)
			if d.Resume() != 1 {
				t.Fatal("not resumed")
			}
			_, kept, err := d.Begin(call, key, 1)
			if err != nil || kept == nil || kept.Status != 201 || kept.Body != nil ||
				!strings.HasPrefix(kept.Location, "/made/applicants/") {
				t.Fatalf("%s: %+v, %v", token, kept, err)
			}
		}
	})
}
