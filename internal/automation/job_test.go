package automation_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
)

func hourly(now admitto.Time) admitto.Time { return now - now%admitto.Hour }

// A shared job runs once for each time it is due, by whichever instance comes first; what it has never done it has
// not missed, missed runs are caught up once, and a failed, panicking or stopped run is done again.
func TestRunJob(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		var dues []admitto.Time
		var failure func() error
		run := func() bool {
			t.Helper()
			ran, err := d.Services.Automation.RunJob(t.Context(), admitto.SystemCaller(), "test", hourly,
				func(_ context.Context, due admitto.Time) error {
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
		d.Clock.Add(admitto.Hour)
		if !run() || run() || len(dues) != 1 || dues[0] != hourly(d.Clock.Now()) {
			t.Errorf("due %v", dues)
		}
		d.Clock.Add(5*admitto.Hour + admitto.Minute)
		if !run() || run() || len(dues) != 2 || dues[1] != hourly(d.Clock.Now()) {
			t.Errorf("due %v", dues)
		}
		d.Clock.Add(admitto.Hour)
		for _, failure = range []func() error{func() error { return errors.New("no luck") },
			func() error { panic("broken") }} {
			if run() {
				t.Error("a failed run counts as done")
			}
			failure = nil
			if run() {
				t.Error("tried again at once")
			}
			d.Clock.Add(admitto.Minute)
		}
		if !run() || run() {
			t.Error("not tried again")
		}
		// Stopping hands the run back.
		d.Clock.Add(admitto.Hour)
		ctx, stop := context.WithCancel(t.Context())
		_, err := d.Services.Automation.RunJob(ctx, admitto.SystemCaller(), "test", hourly,
			func(context.Context, admitto.Time) error { stop(); return ctx.Err() })
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
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		other := d.Store
		if d.Store.Shared() {
			other = d.Connect()
			defer other.Close()
		}
		two := d.Another(other, d.Post, nil)
		if _, err := two.Automation.RunJob(t.Context(), admitto.SystemCaller(), "test", hourly, nil); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			d.Clock.Add(admitto.Hour)
			var worked atomic.Int32
			var all sync.WaitGroup
			for _, o := range []*services.Services{d.Services, two, d.Services, two} {
				all.Go(func() {
					_, err := o.Automation.RunJob(context.Background(), admitto.SystemCaller(), "test", hourly,
						func(context.Context, admitto.Time) error { worked.Add(1); return nil })
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
		d.Clock.Add(admitto.Hour)
		work := func(context.Context, admitto.Time) error { return nil }
		if _, err := d.Services.Automation.RunJob(t.Context(), admitto.SystemCaller(), "test", hourly,
			func(context.Context, admitto.Time) error {
				d.Clock.Add(15 * admitto.Minute) // as if this process hung
				if ran, err := two.Automation.RunJob(context.Background(), admitto.SystemCaller(), "test", hourly, work); !ran ||
					err != nil {
					t.Errorf("not taken over: %v", err)
				}
				return nil
			}); err != nil {
			t.Error(err)
		}
		if ran, _ := two.Automation.RunJob(t.Context(), admitto.SystemCaller(), "test", hourly, work); ran {
			t.Error("done again")
		}
	})
}
