package admissions_test

import (
	"context"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
)

// begin claims a call with a body.
func (d *desk) begin(call [2]string, keyID int64, body byte) (*admissions.Ticket, *admissions.Answer, error) {
	return d.office.BeginRepeat(context.Background(), admissions.RepeatOf(keyID, "POST", call[0], call[1]), "/api/v9", [32]byte{body})
}

// Of many that begin the same call at once one gets the ticket.
func TestRepeatRace(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		key := d.key()
		call := [2]string{"/applicants", "t"}
		for round, stale := range []bool{false, true} {
			if stale {
				d.clock.Add(3 * admitto.Minute) // the holder of the first round has died
			}
			var mu sync.Mutex
			var all sync.WaitGroup
			tickets, busy := 0, 0
			for range 50 {
				all.Go(func() {
					ticket, kept, err := d.begin(call, key, 1)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case ticket != nil && kept == nil && err == nil:
						tickets++
					case admitto.KindOf(err) == admitto.RepeatInProgress:
						busy++
					default:
						t.Errorf("%v %v %v", ticket, kept, err)
					}
				})
			}
			all.Wait()
			if tickets != 1 || busy != 49 {
				t.Errorf("round %d: %d tickets, %d told to wait", round, tickets, busy)
			}
		}
	})
}

// What is kept is given again for the same body, for 24 hours; another key, path or token is another call.
func TestRepeatKept(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		key, call := d.key(), [2]string{"/applicants", "t"}
		ticket, _, err := d.begin(call, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.begin(call, key, 2); admitto.KindOf(err) != admitto.RepeatConflict {
			t.Errorf("another body: %v", err)
		}
		// Nothing is kept of a failure.
		if held, err := d.office.EndRepeat(t.Context(), ticket, nil); !held || err != nil {
			t.Fatal(err)
		}
		if ticket, _, err = d.begin(call, key, 2); ticket == nil || err != nil {
			t.Fatalf("%v, %v", ticket, err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if held, err := d.office.EndRepeat(cancelled, ticket, &admissions.Answer{Status: 201, Location: "/x", Body: []byte("{}")}); !held || err != nil {
			t.Fatal(err)
		}
		for range 2 {
			again, kept, err := d.begin(call, key, 2)
			if again != nil || err != nil || kept.Status != 201 || kept.Location != "/x" || string(kept.Body) != "{}" {
				t.Errorf("%v %+v %v", again, kept, err)
			}
		}
		for _, other := range [][2]string{{"/trackers", "t"}, {"/applicants", "u"}} {
			if ticket, _, err := d.begin(other, key, 2); ticket == nil || err != nil {
				t.Errorf("%v: %v", other, err)
			}
		}
		if ticket, _, err := d.begin(call, d.key(), 2); ticket == nil || err != nil {
			t.Error("another key is another call")
		}
		d.clock.Add(24*admitto.Hour + 1)
		if err := d.office.TidyRepeats(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := d.count("idempotency"); n != 0 {
			t.Errorf("%d rows are kept too long", n)
		}
		if ticket, _, err := d.begin(call, key, 1); ticket == nil || err != nil {
			t.Errorf("%v, %v", ticket, err)
		}
	})
}

// Whoever comes back too late changes nothing on the call of another, even when it was dropped and begun anew
// in between.
func TestRepeatLate(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		key, call := d.key(), [2]string{"/applicants", "t"}
		late, _, err := d.begin(call, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		d.clock.Add(3 * admitto.Minute)
		second, _, err := d.begin(call, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, answer := range []*admissions.Answer{nil, {Status: 201, Location: "/late"}} {
			if held, err := d.office.EndRepeat(t.Context(), late, answer); held || err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := d.begin(call, key, 1); admitto.KindOf(err) != admitto.RepeatInProgress {
			t.Errorf("the second was disturbed: %v", err)
		}
		if held, err := d.office.EndRepeat(t.Context(), second, nil); !held || err != nil {
			t.Fatal(err)
		}
		d.clock.Add(admitto.Second)
		if _, _, err := d.begin(call, key, 2); err != nil {
			t.Fatal(err)
		}
		if held, err := d.office.EndRepeat(t.Context(), late, &admissions.Answer{Status: 201, Location: "/late"}); held || err != nil {
			t.Fatal(err)
		}
		if _, kept, err := d.begin(call, key, 2); admitto.KindOf(err) != admitto.RepeatInProgress {
			t.Errorf("the third was answered by the first: %+v, %v", kept, err)
		}
	})
}

// The process dies after the mail left and before the call was ended: the creation that is taken over ends it.
func TestRepeatAfterCrash(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		key, call := d.key(), [2]string{"/api/v9/applicants", "t"}
		ticket, _, err := d.begin(call, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		by := byKey()
		by.Repeat = ticket
		d.crashAs(by, ilse())
		d.clock.Add(leaseTime)
		if d.resume() != 1 {
			t.Fatal("not resumed")
		}
		_, kept, err := d.begin(call, key, 1)
		if err != nil || kept == nil || kept.Status != 201 || kept.Body != nil {
			t.Fatalf("%+v, %v", kept, err)
		}
	})
}
