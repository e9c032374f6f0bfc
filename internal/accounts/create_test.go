package accounts_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/admitto/admitto/internal/wait"
)

// The whole way, W1 to W4: nothing is visible or readable while the mail is on its way, everything is there
// when it has left.
func TestCreateAccepted(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		in := servicestest.Ilse()
		in.Tracker = d.Tracker("FAIR")
		before := len(d.Journal())
		d.Post.Will(func(_ context.Context, m *mail.Message) error {
			if a := d.Applicants(); len(a) != 0 {
				t.Errorf("the pending applicant is listed: %+v", a)
			}
			id := d.Number("SELECT id FROM applicant WHERE state = 'pending'")
			if _, err := d.Services.Query.Applicant(context.Background(), admitto.SystemCaller(), id,
				nil); admitto.KindOf(err) != admitto.NotFound {
				t.Errorf("the pending applicant %d can be read: %v", id, err)
			}
			if _, err := d.Services.Query.TrackersOf(context.Background(), admitto.SystemCaller(),
				id); admitto.KindOf(err) != admitto.NotFound {
				t.Errorf("the trackers of the pending applicant can be read: %v", err)
			}
			err := d.Services.Admissions.SetReference(context.Background(), servicestest.ByKey(), id, "X")
			if admitto.KindOf(err) != admitto.NotFound {
				t.Errorf("the pending applicant can be changed: %v", err)
			}
			if len(d.Journal()) != before {
				t.Errorf("the journal tells of a pending applicant: %+v", d.Journal())
			}
			if d.Number("SELECT lease_until FROM outbox") != int64(d.Clock.Now()+servicestest.LeaseTime) {
				t.Error("the lease has another length")
			}
			if d.Readable(servicestest.Token(t, *m)) || d.Readable("Press this link") {
				t.Error("the mail can be read in the database")
			}
			d.Sound()
			return nil
		})
		id := d.Create(in)
		sent := d.Post.Taken()
		if len(sent) != 1 || sent[0].To.Email != "Ilse.Varga@example.org" || sent[0].To.Name != "Ilse Varga" ||
			sent[0].From.Email != "admissions@example.edu" {
			t.Fatalf("mails: %+v", sent)
		}
		with := &query.ApplicantParts{WantNotes: true, WantTrackers: true}
		a, err := d.Services.Query.Applicant(t.Context(), admitto.SystemCaller(), id, with)
		if err != nil {
			t.Fatal(err)
		}
		want := admitto.Applicant{ID: id, Type: admitto.Natural, State: admitto.ApplicantLive, Lead: true,
			Registered: d.Clock.Now(),
			Name: admitto.Name{Given: "Ilse",
				Family: "Varga"}, Email: "Ilse.Varga@example.org", Citizenship: "HU", Reference: "R-1"}
		if a != want || len(with.Notes[id]) != 1 || with.Notes[id][0] != "Called twice" || len(with.Trackers[id]) != 1 {
			t.Errorf("got %+v with %+v", a, with)
		}
		var told []string
		for _, r := range d.Journal()[before:] {
			told = append(told, fmt.Sprintf("%s %v %s %d %d", r.Pattern, r.Bind, r.Actor.Kind, r.Links.Applicant-id,
				r.Links.Tracker))
		}
		if got := strings.Join(told, "\n"); got != fmt.Sprintf(`Applicant was collected [] api_key 0 0
Tracker was assigned [] api_key 0 %d
Note was added to applicant [] api_key 0 0
E-mail was sent: ? [applicant-welcome-api] system 0 0`, in.Tracker) {
			t.Errorf("the journal tells\n%s", got)
		}
		secret := servicestest.Token(t, sent[0])
		if n := d.Count("outbox"); n != 0 {
			t.Errorf("%d mails are left in the outbox", n)
		}
		if d.Readable(secret) {
			t.Error("the link can be read in the database")
		}
		if n := d.Number("SELECT count(*) FROM email WHERE applicant_id = $1 AND delivered IS NOT NULL AND message LIKE '%(secret removed)%'", id); n != 1 {
			t.Errorf("%d stored copies without secrets", n)
		}
		hash := sha256.Sum256([]byte(secret))
		if d.Number("SELECT expires FROM sign_in_token WHERE applicant_id = $1 AND hash = $2", id,
			hash[:]) != int64(d.Clock.Now()+14*admitto.Day) {
			t.Error("the link in the mail does not work")
		}
		d.Sound(secret)
	})
}

// W5: whatever goes wrong at the mail server, nothing remains and the call may be sent again.
func TestCreateRefused(t *testing.T) {
	for name, answer := range map[string]func(context.Context, *mail.Message) error{
		"temporary": func(context.Context, *mail.Message) error {
			return &mail.Refusal{Temporary: true, Code: 451, Step: "RCPT"}
		},
		"permanent": func(context.Context, *mail.Message) error { return &mail.Refusal{Code: 550, Step: "RCPT"} },
		"down":      func(context.Context, *mail.Message) error { return &mail.Refusal{Temporary: true, Step: "connect"} },
		"unknown":   func(context.Context, *mail.Message) error { return errors.New("no idea") },
		"silent":    func(ctx context.Context, _ *mail.Message) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
				patient, limit := d.Services, time.Minute
				if name == "silent" {
					limit = 150 * time.Millisecond
				}
				d.Services = d.Another(d.Store, d.Post, func(s *config.Settings) { s.Mail.SyncTimeout = limit })
				in := servicestest.Ilse()
				in.Tracker = d.Tracker("FAIR")
				d.Post.Will(answer)
				before := len(d.Journal())
				_, err := d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(), in)
				if e := servicestest.WantKind(t, err, admitto.MailRefused); e.Unwrap() == nil || e.Existing != 0 {
					t.Errorf("%+v", e)
				}
				d.Nothing()
				if len(d.Journal()) != before {
					t.Error("the journal tells of it")
				}
				d.Post.Will(nil)
				d.Services = patient
				if id := d.Create(in); id < 2 {
					t.Errorf("the ID %d came a second time", id)
				}
				if len(d.Post.Taken()) != 1 || len(d.Applicants()) != 1 {
					t.Error("not one mail and one applicant")
				}
				d.Sound()
			})
		})
	}
}

// W1: what stands in the way is told, all at once, and no mail leaves.
func TestCreateChecks(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		id := d.Create(servicestest.Ilse())
		again := servicestest.Ilse()
		again.Email = " ILSE.varga@EXAMPLE.org"
		for _, in := range []accounts.NewApplicant{servicestest.Ilse(), again} {
			_, err := d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(), in)
			if e := servicestest.WantKind(t, err, admitto.AlreadyExists); e.Existing != id {
				t.Errorf("%+v", e)
			}
		}
		other := servicestest.Ilse()
		other.Email, other.Tracker = "other@example.org", 99
		_, err := d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(), other)
		if e := servicestest.WantKind(t, err, admitto.InvalidParameter); len(e.Faults) != 2 ||
			e.Faults[0].Code != "reference-in-use" || e.Faults[1].Path != "applicant.tracker" {
			t.Errorf("%+v", e)
		}
		faults, err := d.Services.Accounts.CheckApplicant(t.Context(), admitto.SystemCaller(), other)
		if len(faults) != 2 || err != nil {
			t.Errorf("%+v, %v", faults, err)
		}
		if len(d.Post.Taken()) != 1 || d.Count("applicant") != 1 {
			t.Error("something was left behind")
		}
		d.Sound()
	})
}

// W2 fails: nothing is stored and no mail leaves. W4 fails: the client hears of it, and the same mail is sent
// again by the next start.
func TestDatabaseFails(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		var first mail.Message
		d.Post.Will(func(_ context.Context, m *mail.Message) error { first = *m; return d.Store.Close() })
		_, err := d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(), servicestest.Ilse())
		if servicestest.WantKind(t, err, admitto.Unavailable); len(d.Post.Taken()) != 1 {
			t.Fatal("the mail did not leave")
		}
		if _, err = d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(),
			servicestest.Ilse()); err == nil || d.Post.Tried() != 1 {
			t.Fatalf("a mail left without a row: %v", err)
		}
		d.Post.Will(nil)
		d.Open()
		if d.Store.Shared() {
			d.Clock.Add(servicestest.LeaseTime)
		}
		if err := d.Services.Maintenance.EndOrphans(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if n, err := d.Services.Accounts.ResumeWelcomes(t.Context(), admitto.SystemCaller()); n != 1 || err != nil {
			t.Fatalf("%d resumed, %v", n, err)
		}
		if sent := d.Post.Taken(); len(sent) != 2 || sent[1].ID != first.ID || sent[1].Text != first.Text ||
			!sent[1].Date.Equal(first.Date) {
			t.Errorf("the mail was sent again as %+v", sent[1:])
		}
		if len(d.Applicants()) != 1 {
			t.Error("the applicant is not there")
		}
		d.Sound()
	})
}

// brokenHook fails where a call is about to wait, which undoes what the call has stored.
type brokenHook struct{ usecase.Hook }

func (brokenHook) Waits(*store.Tx) ([]byte, error) { return nil, errors.New("the hook is broken") }

// The mail server hears of a mail while its applicant is being stored, and takes none whose applicant was not.
func TestMailBeginsBeforeTheCommit(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		by := servicestest.ByKey()
		by.Hook = brokenHook{}
		if _, err := d.Services.Accounts.CreateApplicant(t.Context(), by, servicestest.Ilse()); err == nil {
			t.Error("it was created")
		}
		wait.Until(t, "the mail server hears of the mail", func() bool { return d.Post.Begun() > 0 })
		if d.Count("applicant") != 0 || d.Count("outbox") != 0 {
			t.Error("something remains")
		}
		id := d.Create(servicestest.Ilse())
		if taken := d.Post.Taken(); id == 0 || len(taken) != 1 || d.Post.Begun() < 2 || d.Post.Tried() != 1 {
			t.Errorf("%d mails were taken, %d begun, %d tried", len(taken), d.Post.Begun(), d.Post.Tried())
		}
		d.Sound()
	})
}

// The caller hangs up while the mail is on its way.
func TestCallerHangsUp(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, hangUp := context.WithCancel(t.Context())
		d.Post.Will(func(ctx context.Context, _ *mail.Message) error { hangUp(); return ctx.Err() })
		if id, err := d.Services.Accounts.CreateApplicant(ctx, servicestest.ByKey(), servicestest.Ilse()); id == 0 ||
			err != nil {
			t.Errorf("%d, %v", id, err)
		}
		if len(d.Applicants()) != 1 {
			t.Error("the applicant is not there")
		}
	})
}

// A lease is lost while the mail is on its way: the one who took over decides, and the first reads the outcome.
func TestLeaseLost(t *testing.T) {
	permanent := &mail.Refusal{Code: 550, Step: "RCPT"}
	temporary := &mail.Refusal{Temporary: true, Code: 451, Step: "RCPT"}
	for _, c := range []struct {
		name          string
		taker, sender error
		want          admitto.Kind
		live          int
	}{
		{"both accepted", nil, nil, "", 1},
		{"taker accepted, sender refused", nil, permanent, "", 1},
		{"taker refused, sender accepted", permanent, nil, admitto.MailRefused, 0},
		{"taker waits, sender accepted", temporary, nil, admitto.Unavailable, 0},
		{"taker waits, sender refused", temporary, permanent, admitto.Unavailable, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
				other := &servicestest.Post{}
				other.Will(func(context.Context, *mail.Message) error { return c.taker })
				taker := d.Another(d.Store, other, nil)
				d.Post.Will(func(context.Context, *mail.Message) error {
					if n, err := taker.Accounts.ResumeWelcomes(context.Background(), admitto.SystemCaller()); n != 0 || err != nil ||
						other.Tried() != 0 {
						t.Errorf("a row under lease was taken: %d, %v", n, err)
					}
					d.Clock.Add(servicestest.LeaseTime)
					if _, err := taker.Accounts.ResumeWelcomes(context.Background(), admitto.SystemCaller()); err != nil {
						t.Error(err)
					}
					return c.sender
				})
				id, err := d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(), servicestest.Ilse())
				if admitto.KindOf(err) != c.want {
					t.Errorf("got %v", err)
				}
				list := d.Applicants()
				if len(list) != c.live || c.live == 1 && list[0].ID != id {
					t.Errorf("answered %d, there are %+v", id, list)
				}
				if n := d.Number("SELECT count(*) FROM journal WHERE pattern = 'Applicant was collected'"); n != int64(c.live) {
					t.Errorf("collected %d times", n)
				}
				if c.want == admitto.MailRefused {
					d.Nothing()
				}
				d.Sound()
			})
		})
	}
}

// A second creation of an address waits for the first.
func TestSecondCreation(t *testing.T) {
	type outcome struct {
		id  int64
		err error
	}
	for _, c := range []struct {
		name   string
		first  error
		second admitto.Kind
	}{{"becomes live", nil, admitto.AlreadyExists}, {"is removed", &mail.Refusal{Code: 550, Step: "RCPT"}, ""}} {
		for _, elsewhere := range apptest.Every(2, []bool{true, false}) {
			t.Run(fmt.Sprintf("%s, elsewhere %t", c.name, elsewhere), func(t *testing.T) {
				servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
					second := d.Services
					if elsewhere {
						second = d.Another(d.Store, &servicestest.Post{}, nil)
					}
					begun, decide := make(chan bool), make(chan error)
					d.Post.Will(func(context.Context, *mail.Message) error { begun <- true; return <-decide })
					firstDone, secondDone := make(chan outcome, 1), make(chan outcome, 1)
					run := func(o *services.Services, done chan outcome) {
						id, err := o.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(), servicestest.Ilse())
						done <- outcome{id, err}
					}
					go run(d.Services, firstDone)
					<-begun
					d.Post.Will(nil)
					statements := d.Store.Statements()
					go run(second, secondDone)
					wait.Until(t, "the second looked twice", func() bool { return d.Store.Statements() > statements+12 })
					select {
					case o := <-secondDone:
						t.Fatalf("the second did not wait: %v", o)
					default:
					}
					decide <- c.first
					a, b := <-firstDone, <-secondDone
					if admitto.KindOf(b.err) != c.second {
						t.Fatalf("first %+v, second %+v", a, b)
					}
					if c.first == nil && servicestest.WantKind(t, b.err, admitto.AlreadyExists).Existing != a.id {
						t.Errorf("first %+v, second %+v", a, b)
					}
					if c.first != nil && admitto.KindOf(a.err) != admitto.MailRefused {
						t.Errorf("first %+v", a)
					}
					if len(d.Applicants()) != 1 {
						t.Error("not one applicant")
					}
					d.Sound()
				})
			})
		}
	}
}

// The first is undecided longer than the second may wait; or the second hangs up.
func TestSecondCreationGivesUp(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Crash(servicestest.Ilse())
		d.Services = d.Another(d.Store, d.Post, func(s *config.Settings) { s.Mail.SyncTimeout = 50 * time.Millisecond })
		_, err := d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(), servicestest.Ilse())
		if e := servicestest.WantKind(t, err, admitto.Unavailable); e.RetryAfter != 5 {
			t.Errorf("%+v", e)
		}
		d.Services = d.Another(d.Store, d.Post, func(s *config.Settings) { s.Mail.SyncTimeout = time.Hour })
		ctx, hangUp := context.WithCancel(t.Context())
		done := make(chan error)
		statements := d.Store.Statements()
		go func() {
			_, err := d.Services.Accounts.CreateApplicant(ctx, servicestest.ByKey(), servicestest.Ilse())
			done <- err
		}()
		wait.Until(t, "it looked", func() bool { return d.Store.Statements() > statements+4 })
		hangUp()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if len(d.Post.Taken()) != 0 {
			t.Error("a mail left")
		}
	})
}

// The tracker goes while the mail is on its way: the applicant appears without it, and the journal does not
// tell that it was assigned.
func TestTrackerDeletedMeanwhile(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		in := servicestest.Ilse()
		in.Tracker = d.Tracker("FAIR")
		d.Post.Will(func(context.Context, *mail.Message) error {
			return d.Services.Admissions.DeleteTracker(context.Background(), servicestest.ByKey(), in.Tracker)
		})
		id := d.Create(in)
		if list, err := d.Services.Query.TrackersOf(t.Context(), admitto.SystemCaller(), id); len(list) != 0 || err != nil {
			t.Errorf("%v, %v", list, err)
		}
		for _, r := range d.Journal() {
			if r.Pattern == admitto.TrackerAssigned {
				t.Errorf("the journal tells %+v", r)
			}
		}
		d.Sound()
	})
}

// A template with a password: it is temporary, in the mail, and nowhere readable.
func TestPasswordTemplate(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SetEmailTemplate("applicant-welcome-api", "en", "Welcome", "Your password is %applicant-Password%.")
		})
		if err != nil {
			t.Fatal(err)
		}
		d.Create(servicestest.Ilse())
		_, rest, _ := strings.Cut(d.Post.Taken()[0].Text, "password is ")
		password, _, _ := strings.Cut(rest, ".")
		if len(password) != 14 || d.Readable(password) {
			t.Errorf("password %q", password)
		}
		if d.Number("SELECT count(*) FROM applicant WHERE password <> '' AND password_temporary") != 1 {
			t.Error("the password must be changed at the first sign-in")
		}
		d.Sound(password)
	})
}
