package accounts_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
)

// atOnce is how many calls are under way at the same time: more than there are connections, and so few that each has
// one within the time that a transaction waits for it, however slow the machine is.
const atOnce = 16

// Two instances are asked for the same hundred people at the same time: each person is created once and told
// once, and the other call learns who it is.
func TestSamePeopleTwice(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		const people = 100
		other := d.Store
		if d.Store.Shared() {
			other = d.Connect()
			defer other.Close()
		}
		patient := func(s *config.Settings) { s.Mail.SyncTimeout = time.Minute }
		offices := []*services.Services{d.Another(d.Store, d.Post, patient), d.Another(other, d.Post, patient)}
		var mu sync.Mutex
		created, known := map[string]int64{}, map[string]int64{}
		var all sync.WaitGroup
		places := make(chan struct{}, atOnce)
		for i := range people {
			for side, instance := range offices {
				places <- struct{}{}
				all.Go(func() {
					defer func() { <-places }()
					address := fmt.Sprintf("p%d@example.org", i)
					in := accounts.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: address}
					if side == 1 {
						in.Email = strings.ToUpper(address)
					}
					id, err := instance.Accounts.CreateApplicant(context.Background(), servicestest.ByKey(), in)
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						created[address] = id
						return
					}
					known[address] = servicestest.WantKind(t, err, admitto.AlreadyExists).Existing
				})
			}
		}
		all.Wait()
		list := d.Applicants()
		if len(list) != people || len(created) != people || len(known) != people || len(d.Post.Taken()) != people {
			t.Fatalf("%d applicants, %d created, %d known, %d mails", len(list), len(created), len(known), len(d.Post.Taken()))
		}
		for _, a := range list {
			if address := strings.ToLower(a.Email); created[address] != a.ID || known[address] != a.ID {
				t.Errorf("%s is %d, created as %d, known as %d", address, a.ID, created[address], known[address])
			}
		}
		for i, m := range d.Post.Taken() {
			for _, other := range d.Post.Taken()[:i] {
				if strings.EqualFold(m.To.Email, other.To.Email) {
					t.Errorf("%s was told twice", m.To.Email)
				}
			}
		}
		if n := d.Count("outbox"); n != 0 {
			t.Errorf("%d in the outbox", n)
		}
		d.Sound()
	})
}

// The one who reads by ascending ID must not miss an applicant whose mail was slow: it appears above all that
// were visible before. Unless its mail names the ID.
func TestSlowMail(t *testing.T) {
	for _, named := range []bool{false, true} {
		t.Run(fmt.Sprintf("ID in the mail %t", named), func(t *testing.T) {
			servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
				if named {
					err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
						return tx.SetEmailTemplate("applicant-welcome-api", "en", "Welcome",
							"You are number %applicant-ID%: %applicant-SigninLink%")
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				slow := servicestest.Ilse()
				slow.Tracker = d.Tracker("FAIR")
				record, _, err := d.Services.Keys.BeginIdempotent(t.Context(), apikey.IdempotentCall(d.Key(), "POST",
					"/made/applicants", "slow"), servicestest.Answers, [32]byte{1})
				if err != nil {
					t.Fatal(err)
				}
				by := servicestest.ByKey()
				by.Hook = record
				var quick int64
				var text string
				d.Post.Will(func(_ context.Context, m *mail.Message) error {
					d.Post.Will(nil)
					text = m.Text
					quick = d.Create(accounts.NewApplicant{Name: admitto.SplitName("Quick"), Email: "quick@example.org"})
					return nil
				})
				id, err := d.Services.Accounts.CreateApplicant(t.Context(), by, slow)
				if err != nil {
					t.Fatal(err)
				}
				if (id > quick) == named {
					t.Errorf("the slow one is %d, the quick one %d", id, quick)
				}
				if named && !strings.Contains(text, fmt.Sprintf("number %d:", id)) {
					t.Errorf("%d was told: %s", id, text)
				}
				with := &query.ApplicantParts{WantNotes: true, WantTrackers: true}
				a, err := d.Services.Query.Applicant(t.Context(), admitto.SystemCaller(), id, with)
				if err != nil || a.Email != slow.Email || len(with.Notes[id]) != 1 || len(with.Trackers[id]) != 1 {
					t.Errorf("%+v, %+v, %v", a, with, err)
				}
				for _, table := range []string{"sign_in_token", "email"} {
					if n := d.Number("SELECT count(*) FROM "+table+" WHERE applicant_id = $1", id); n != 1 {
						t.Errorf("%d rows in %s", n, table)
					}
				}
				records := d.Journal()
				for _, r := range records[len(records)-4:] {
					if r.Links.Applicant != id {
						t.Errorf("the journal tells of %d: %+v", id, r)
					}
				}
				_, kept, err := d.Services.Keys.BeginIdempotent(t.Context(), record.IdempotentCall, servicestest.Answers,
					[32]byte{1})
				if err != nil || kept == nil || kept.Status != 201 || kept.Location != fmt.Sprintf("/made/applicants/%d", id) ||
					kept.Body != nil {
					t.Errorf("kept %+v, %v", kept, err)
				}
				next := d.Create(accounts.NewApplicant{Name: admitto.SplitName("Next"), Email: "next@example.org"})
				if next <= max(id, quick) {
					t.Errorf("the next is %d", next)
				}
				d.Sound()
			})
		})
	}
}

// Incremental readers see everybody, however the mails overlap: at every time what is visible is a prefix of
// what becomes visible later.
func TestIncrementalReaders(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		const people = 60
		d.Services = d.Another(d.Store, d.Post, func(s *config.Settings) { s.Mail.SyncTimeout = time.Minute })
		stop := make(chan struct{})
		seen := map[int64]bool{}
		var last int64
		look := func() {
			found, err := d.Services.Query.Applicants(context.Background(), admitto.SystemCaller(),
				admitto.ApplicantQuery{After: last, Limit: 1000}, nil, nil)
			if err != nil {
				t.Error(err)
				return
			}
			for a, err := range found.All() {
				if err != nil {
					t.Error(err)
					return
				}
				seen[a.ID], last = true, a.ID
			}
		}
		var reader sync.WaitGroup
		reader.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					look()
				}
			}
		})
		var writers sync.WaitGroup
		places := make(chan struct{}, atOnce)
		for i := range people {
			places <- struct{}{}
			writers.Go(func() {
				defer func() { <-places }()
				in := accounts.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: fmt.Sprintf("p%d@example.org", i)}
				if _, err := d.Services.Accounts.CreateApplicant(context.Background(), servicestest.ByKey(), in); err != nil {
					t.Error(err)
				}
			})
		}
		writers.Wait()
		close(stop)
		reader.Wait()
		look()
		if len(seen) != people {
			t.Errorf("the reader saw %d of %d", len(seen), people)
		}
		d.Sound()
	})
}
