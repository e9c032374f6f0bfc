package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// A process died while the mail was on its way: the next one completes the creation, at its start where it is
// alone on the database, else when the lease has run out.
func TestResume(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		in := servicestest.Ilse()
		in.Tracker = d.Tracker("FAIR")
		d.Crash(in)
		if len(d.Applicants()) != 0 || d.Resume() != 0 {
			t.Fatal("the applicant appeared before the lease ran out")
		}
		if err := d.Services.Maintenance.EndOrphans(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if d.Store.Shared() {
			if d.Resume() != 0 {
				t.Fatal("a lease was taken that another instance may hold")
			}
			d.Clock.Add(servicestest.LeaseTime - 1)
			if d.Resume() != 0 {
				t.Fatal("the lease was taken too early")
			}
			d.Clock.Add(1)
		}
		if d.Resume() != 1 || d.Resume() != 0 {
			t.Fatal("the creation was not completed once")
		}
		a := d.Applicants()
		if len(a) != 1 || len(d.Post.Taken()) != 1 || d.Count("outbox") != 0 {
			t.Fatalf("applicants %+v, mails %+v", a, d.Post.Taken())
		}
		records := d.Journal()
		last := records[len(records)-1]
		if r := records[len(records)-4]; r.Pattern != admitto.ApplicantWasCollected ||
			r.Actor != servicestest.ByKey().Actor || r.Links.Applicant != a[0].ID {
			t.Errorf("the journal tells %+v", r)
		}
		if last.Pattern != admitto.EmailSent || last.Actor.Kind != admitto.BySystem {
			t.Errorf("the journal tells %+v", last)
		}
		if list, err := d.Services.Query.TrackersOf(t.Context(), admitto.SystemCaller(), a[0].ID); len(list) != 1 ||
			err != nil {
			t.Errorf("%v, %v", list, err)
		}
		d.Sound(servicestest.Token(t, d.Post.Taken()[0]))
	})
}

// A long timeout for mails must not make the start run in circles, nor take what a request holds.
func TestOrphansWithLongTimeout(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Services = d.Another(d.Store, d.Post, func(s *config.Settings) { s.Mail.SyncTimeout = 5 * time.Minute })
		d.Crash(servicestest.Ilse())
		d.Clock.Add(10 * admitto.Minute)
		d.Post.Will(func(context.Context, *mail.Message) error { return errors.New("not now") })
		if err := d.Services.Maintenance.EndOrphans(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if d.Resume(); d.Post.Tried() != 2 { // the first was the crash
			t.Errorf("tried %d times", d.Post.Tried())
		}
	})
}

// Temporary refusals are retried after 1, 5, 15 and then every 60 minutes, for 24 hours; then nothing is left.
func TestRetryUntilGivenUp(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		created := d.Clock.Now()
		d.Crash(servicestest.Ilse())
		d.Post.Will(func(context.Context, *mail.Message) error {
			return &mail.Refusal{Temporary: true, Code: 450, Step: "RCPT"}
		})
		before := len(d.Journal())
		d.Clock.Add(servicestest.LeaseTime)
		tries := d.Post.Tried()
		for pause := range retries() {
			if n := d.Resume(); n != 0 || d.Post.Tried() != tries+1 {
				if n == 1 && d.Clock.Now() >= created+24*admitto.Hour {
					break
				}
				t.Fatalf("%s after the creation: %d decided, tried %d times", (d.Clock.Now() - created).Std(), n,
					d.Post.Tried()-tries)
			}
			tries++
			d.Clock.Add(pause - 1)
			if d.Resume(); d.Post.Tried() != tries {
				t.Fatalf("tried again before %d minutes were over", pause/admitto.Minute)
			}
			d.Clock.Add(1)
		}
		if age := d.Clock.Now() - created; age < 24*admitto.Hour || age > 25*admitto.Hour {
			t.Errorf("given up after %d minutes", age/admitto.Minute)
		}
		d.Nothing()
		records := d.Journal()[before:]
		if len(records) != 1 || records[0].Pattern != admitto.ApplicantCreationAbandoned ||
			records[0].Links != (admitto.Links{}) || records[0].Actor != admitto.System() {
			t.Errorf("the journal tells %+v", records)
		}
		if d.Resume() != 0 {
			t.Error("it goes on")
		}
		d.Sound()
		d.Post.Will(nil)
		d.Create(servicestest.Ilse())
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

// Only what the mail server says of this mail ends a creation at once.
func TestPermanentRefusal(t *testing.T) {
	for _, c := range []struct {
		step  string
		ended bool
	}{
		{"connect", false}, {"greeting", false}, {"EHLO", false}, {"STARTTLS", false}, {"TLS", false}, {"AUTH", false},
		{"MAIL", true}, {"RCPT", true}, {"DATA", true}, {"end of DATA", true}, {"message", true},
	} {
		t.Run(c.step, func(t *testing.T) {
			servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
				d.Crash(servicestest.Ilse())
				d.Post.Will(func(context.Context, *mail.Message) error { return &mail.Refusal{Code: 554, Step: c.step} })
				d.Clock.Add(servicestest.LeaseTime)
				if n := d.Resume(); (n == 1) != c.ended {
					t.Fatalf("%d decided", n)
				}
				if c.ended {
					d.Nothing()
				} else {
					d.Post.Will(nil)
					d.Clock.Add(admitto.Minute)
					if d.Resume() != 1 || len(d.Applicants()) != 1 {
						t.Error("not tried again")
					}
				}
				d.Sound()
			})
		})
	}
}

// A stop while a waiting mail is on its way hands the lease back, so that the next start goes on at once; what
// the mail server has said by then is kept.
func TestStopWhileResuming(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Crash(servicestest.Ilse())
		d.Clock.Add(servicestest.LeaseTime)
		for _, hears := range []bool{false, true} {
			ctx, stop := context.WithCancel(t.Context())
			d.Post.Will(func(ctx context.Context, _ *mail.Message) error {
				stop()
				if hears {
					return nil // the answer was there already
				}
				<-ctx.Done()
				return ctx.Err()
			})
			_, _ = d.Services.Accounts.ResumeWelcomes(ctx, admitto.SystemCaller())
			if got := len(d.Applicants()); (got == 1) != hears {
				t.Fatalf("heard %t, %d applicants", hears, got)
			}
		}
		if len(d.Post.Taken()) != 1 {
			t.Errorf("%d mails", len(d.Post.Taken()))
		}
		d.Sound()
	})
}

// The work of many is shared by instances without anybody being told twice.
func TestResumeTogether(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		const people = 20
		for i := range people {
			in := accounts.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: fmt.Sprintf("p%d@example.org", i)}
			d.Crash(in)
		}
		d.Clock.Add(servicestest.LeaseTime)
		other := d.Store
		if d.Store.Shared() {
			other = d.Connect()
			defer other.Close()
		}
		done := make(chan int)
		for _, s := range []*store.Store{d.Store, other, d.Store, other} {
			go func() {
				n, err := d.Another(s, d.Post, nil).Accounts.ResumeWelcomes(context.Background(), admitto.SystemCaller())
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
		for _, m := range d.Post.Taken() {
			told[m.To.Email]++
		}
		for address, n := range told {
			if n != 1 {
				t.Errorf("%s was told %d times", address, n)
			}
		}
		if len(told) != people || len(d.Applicants()) != people {
			t.Errorf("%d were told, %d are there", len(told), len(d.Applicants()))
		}
		d.Sound()
	})
}

// A row that another instance key has sealed is left alone, and does not hold up the others.
func TestResumeUnreadable(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Crash(servicestest.Ilse())
		err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := sqltest.In(tx).Exec("UPDATE outbox SET sealed = $1", []byte("not ours"))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		d.Crash(accounts.NewApplicant{Name: admitto.SplitName("B"), Email: "b@example.org"})
		d.Clock.Add(servicestest.LeaseTime)
		if n := d.Resume(); n != 1 || len(d.Applicants()) != 1 || d.Count("outbox") != 1 {
			t.Errorf("%d decided, %d there", n, len(d.Applicants()))
		}
		d.Sound()
	})
}
