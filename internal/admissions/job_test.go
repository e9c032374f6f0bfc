package admissions_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

func hourly(now admitto.Time) admitto.Time { return now - now%admitto.Hour }

// A shared job runs once for each time it is due, by whichever instance comes first; what it has never done it has
// not missed, missed runs are caught up once, and a failed, panicking or stopped run is done again.
func TestRunJob(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		var dues []admitto.Time
		var failure func() error
		run := func() bool {
			t.Helper()
			ran, err := d.office.RunJob(t.Context(), admitto.SystemCaller(), "test", hourly, func(_ context.Context, due admitto.Time) error {
				dues = append(dues, due)
				if failure != nil {
					return failure()
				}
				return nil
			})
			if (err != nil) != (failure != nil) {
				t.Fatal(err)
			}
			return ran
		}
		for range 2 {
			if run() {
				t.Error("it ran although nothing was missed")
			}
		}
		d.clock.Add(admitto.Hour)
		if !run() || run() || len(dues) != 1 || dues[0] != hourly(d.clock.Now()) {
			t.Errorf("due %v", dues)
		}
		d.clock.Add(5*admitto.Hour + admitto.Minute)
		if !run() || run() || len(dues) != 2 || dues[1] != hourly(d.clock.Now()) {
			t.Errorf("due %v", dues)
		}
		d.clock.Add(admitto.Hour)
		for _, failure = range []func() error{func() error { return errors.New("no luck") }, func() error { panic("broken") }} {
			if run() {
				t.Error("a failed run counts as done")
			}
			failure = nil
			if run() {
				t.Error("tried again at once")
			}
			d.clock.Add(admitto.Minute)
		}
		if !run() || run() {
			t.Error("not tried again")
		}
		// Stopping hands the run back.
		d.clock.Add(admitto.Hour)
		ctx, stop := context.WithCancel(t.Context())
		_, err := d.office.RunJob(ctx, admitto.SystemCaller(), "test", hourly, func(context.Context, admitto.Time) error { stop(); return ctx.Err() })
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if !run() {
			t.Error("not handed back")
		}
	})
}

// Two instances run a job at once: one does the work. A crash leaves it to the other when the lease is over.
func TestRunJobTogether(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		other := d.store
		if d.store.Shared() {
			other = d.connect()
			defer other.Close()
		}
		two := d.another(other, d.post, nil)
		if _, err := two.RunJob(t.Context(), admitto.SystemCaller(), "test", hourly, nil); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			d.clock.Add(admitto.Hour)
			var worked atomic.Int32
			var all sync.WaitGroup
			for _, o := range []interface {
				RunJob(context.Context, admitto.Caller, string, func(admitto.Time) admitto.Time, func(context.Context, admitto.Time) error) (bool, error)
			}{d.office, two, d.office, two} {
				all.Go(func() {
					_, err := o.RunJob(context.Background(), admitto.SystemCaller(), "test", hourly, func(context.Context, admitto.Time) error { worked.Add(1); return nil })
					if err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if worked.Load() != 1 {
				t.Fatalf("the work was done %d times", worked.Load())
			}
		}
		d.clock.Add(admitto.Hour)
		work := func(context.Context, admitto.Time) error { return nil }
		if _, err := d.office.RunJob(t.Context(), admitto.SystemCaller(), "test", hourly, func(context.Context, admitto.Time) error {
			d.clock.Add(15 * admitto.Minute) // as if this process hung
			if ran, err := two.RunJob(context.Background(), admitto.SystemCaller(), "test", hourly, work); !ran || err != nil {
				t.Errorf("not taken over: %v", err)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if ran, _ := two.RunJob(t.Context(), admitto.SystemCaller(), "test", hourly, work); ran {
			t.Error("done again")
		}
	})
}
