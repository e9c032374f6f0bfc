package admissions_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// resume looks once for creations to take over.
func (d *desk) resume() int {
	d.t.Helper()
	n, err := d.office.ResumeWelcomes(d.t.Context(), admitto.SystemCaller())
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// A process died while the mail was on its way: the next one completes the creation, at its start where it is
// alone on the database, else when the lease has run out.
func TestResume(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		in := ilse()
		in.Tracker = d.tracker("FAIR")
		d.crash(in)
		if len(d.applicants()) != 0 || d.resume() != 0 {
			t.Fatal("the applicant appeared before the lease ran out")
		}
		if err := d.office.EndOrphans(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if d.store.Shared() {
			if d.resume() != 0 {
				t.Fatal("a lease was taken that another instance may hold")
			}
			d.clock.Add(leaseTime - 1)
			if d.resume() != 0 {
				t.Fatal("the lease was taken too early")
			}
			d.clock.Add(1)
		}
		if d.resume() != 1 || d.resume() != 0 {
			t.Fatal("the creation was not completed once")
		}
		a := d.applicants()
		if len(a) != 1 || len(d.post.Taken()) != 1 || d.count("outbox") != 0 {
			t.Fatalf("applicants %+v, mails %+v", a, d.post.Taken())
		}
		records := d.journal()
		last := records[len(records)-1]
		if r := records[len(records)-4]; r.Pattern != admitto.ApplicantWasCollected || r.Actor != byKey().Actor || r.Links.Applicant != a[0].ID {
			t.Errorf("the journal tells %+v", r)
		}
		if last.Pattern != admitto.EmailSent || last.Actor.Kind != admitto.BySystem {
			t.Errorf("the journal tells %+v", last)
		}
		if list, err := d.office.TrackersOf(t.Context(), admitto.SystemCaller(), a[0].ID); len(list) != 1 || err != nil {
			t.Errorf("%v, %v", list, err)
		}
		d.sound(token(t, d.post.Taken()[0]))
	})
}

// A long timeout for mails must not make the start run in circles, nor take what a request holds.
func TestOrphansWithLongTimeout(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.office = d.another(d.store, d.post, func(s *config.Settings) { s.Mail.SyncTimeout = 5 * time.Minute })
		d.crash(ilse())
		d.clock.Add(10 * admitto.Minute)
		d.post.will(func(context.Context, *mail.Message) error { return errors.New("not now") })
		if err := d.office.EndOrphans(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if d.resume(); d.post.Tried() != 2 { // the first was the crash
			t.Errorf("tried %d times", d.post.Tried())
		}
	})
}

// Temporary refusals are retried after 1, 5, 15 and then every 60 minutes, for 24 hours; then nothing is left.
func TestRetryUntilGivenUp(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		created := d.clock.Now()
		d.crash(ilse())
		d.post.will(func(context.Context, *mail.Message) error {
			return &mail.Refusal{Temporary: true, Code: 450, Step: "RCPT"}
		})
		before := len(d.journal())
		d.clock.Add(leaseTime)
		tries := d.post.Tried()
		for pause := range retries() {
			if n := d.resume(); n != 0 || d.post.Tried() != tries+1 {
				if n == 1 && d.clock.Now() >= created+24*admitto.Hour {
					break
				}
				t.Fatalf("%s after the creation: %d decided, tried %d times", (d.clock.Now() - created).Std(), n, d.post.Tried()-tries)
			}
			tries++
			d.clock.Add(pause - 1)
			if d.resume(); d.post.Tried() != tries {
				t.Fatalf("tried again before %d minutes were over", pause/admitto.Minute)
			}
			d.clock.Add(1)
		}
		if age := d.clock.Now() - created; age < 24*admitto.Hour || age > 25*admitto.Hour {
			t.Errorf("given up after %d minutes", age/admitto.Minute)
		}
		d.nothing()
		records := d.journal()[before:]
		if len(records) != 1 || records[0].Pattern != admitto.ApplicantCreationAbandoned || records[0].Links != (admitto.Links{}) || records[0].Actor != admitto.System() {
			t.Errorf("the journal tells %+v", records)
		}
		if d.resume() != 0 {
			t.Error("it goes on")
		}
		d.sound()
		d.post.will(nil)
		d.create(ilse())
	})
}

func retries() func(func(admitto.Time) bool) {
	return func(yield func(admitto.Time) bool) {
		for i := 0; ; i++ {
			list := []admitto.Time{1, 5, 15, 60}
			if !yield(list[min(i, 3)] * admitto.Minute) {
				return
			}
		}
	}
}

// Only what the upstream says of this mail ends a creation at once.
func TestPermanentRefusal(t *testing.T) {
	for _, c := range []struct {
		step  string
		ended bool
	}{
		{"connect", false}, {"greeting", false}, {"EHLO", false}, {"STARTTLS", false}, {"TLS", false}, {"AUTH", false},
		{"MAIL", true}, {"RCPT", true}, {"DATA", true}, {"end of DATA", true}, {"message", true},
	} {
		t.Run(c.step, func(t *testing.T) {
			onBoth(t, func(t *testing.T, d *desk) {
				d.crash(ilse())
				d.post.will(func(context.Context, *mail.Message) error { return &mail.Refusal{Code: 554, Step: c.step} })
				d.clock.Add(leaseTime)
				if n := d.resume(); (n == 1) != c.ended {
					t.Fatalf("%d decided", n)
				}
				if c.ended {
					d.nothing()
				} else {
					d.post.will(nil)
					d.clock.Add(admitto.Minute)
					if d.resume() != 1 || len(d.applicants()) != 1 {
						t.Error("not tried again")
					}
				}
				d.sound()
			})
		})
	}
}

// A stop while a waiting mail is on its way hands the lease back, so that the next start goes on at once; what
// the upstream has said by then is kept.
func TestStopWhileResuming(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.crash(ilse())
		d.clock.Add(leaseTime)
		for _, hears := range []bool{false, true} {
			ctx, stop := context.WithCancel(t.Context())
			d.post.will(func(ctx context.Context, _ *mail.Message) error {
				stop()
				if hears {
					return nil // the answer was there already
				}
				<-ctx.Done()
				return ctx.Err()
			})
			_, _ = d.office.ResumeWelcomes(ctx, admitto.SystemCaller())
			if got := len(d.applicants()); (got == 1) != hears {
				t.Fatalf("heard %t, %d applicants", hears, got)
			}
		}
		if len(d.post.Taken()) != 1 {
			t.Errorf("%d mails", len(d.post.Taken()))
		}
		d.sound()
	})
}

// The work of many is shared by instances without anybody being told twice.
func TestResumeTogether(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		const people = 20
		for i := range people {
			in := admissions.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: fmt.Sprintf("p%d@example.org", i)}
			d.crash(in)
		}
		d.clock.Add(leaseTime)
		other := d.store
		if d.store.Shared() {
			other = d.connect()
			defer other.Close()
		}
		done := make(chan int)
		for _, s := range []*store.Store{d.store, other, d.store, other} {
			go func() {
				n, err := d.another(s, d.post, nil).ResumeWelcomes(context.Background(), admitto.SystemCaller())
				if err != nil {
					t.Error(err)
				}
				done <- n
			}()
		}
		if n := <-done + <-done + <-done + <-done; n != people {
			t.Errorf("%d decided", n)
		}
		told := map[string]int{}
		for _, m := range d.post.Taken() {
			told[m.To.Email]++
		}
		for address, n := range told {
			if n != 1 {
				t.Errorf("%s was told %d times", address, n)
			}
		}
		if len(told) != people || len(d.applicants()) != people {
			t.Errorf("%d were told, %d are there", len(told), len(d.applicants()))
		}
		d.sound()
	})
}

// A row that another instance key has sealed is left alone, and does not hold up the others.
func TestResumeUnreadable(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.crash(ilse())
		err := d.store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := sqltest.In(tx).Exec("UPDATE outbox SET sealed = $1", []byte("not ours"))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		d.crash(admissions.NewApplicant{Name: admitto.SplitName("B"), Email: "b@example.org"})
		d.clock.Add(leaseTime)
		if n := d.resume(); n != 1 || len(d.applicants()) != 1 || d.count("outbox") != 1 {
			t.Errorf("%d decided, %d there", n, len(d.applicants()))
		}
		d.sound()
	})
}
