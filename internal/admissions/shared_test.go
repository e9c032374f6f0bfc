package admissions_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// Two instances are asked for the same hundred people at the same time: each person is created once and told
// once, and the other call learns who it is.
func TestSamePeopleTwice(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		const people = 100
		other := d.store
		if d.store.Shared() {
			other = d.connect()
			defer other.Close()
		}
		patient := func(s *config.Settings) { s.Mail.SyncTimeout = time.Minute }
		offices := []*admissions.Office{d.another(d.store, d.post, patient), d.another(other, d.post, patient)}
		var mu sync.Mutex
		created, known := map[string]int64{}, map[string]int64{}
		var all sync.WaitGroup
		for i := range people {
			for side, office := range offices {
				all.Go(func() {
					address := fmt.Sprintf("p%d@example.org", i)
					in := admissions.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: address}
					if side == 1 {
						in.Email = strings.ToUpper(address)
					}
					id, err := office.CreateApplicant(context.Background(), byKey(), in)
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						created[address] = id
						return
					}
					known[address] = wantKind(t, err, admitto.AlreadyExists).Existing
				})
			}
		}
		all.Wait()
		list := d.applicants()
		if len(list) != people || len(created) != people || len(known) != people || len(d.post.Taken()) != people {
			t.Fatalf("%d applicants, %d created, %d known, %d mails", len(list), len(created), len(known), len(d.post.Taken()))
		}
		for _, a := range list {
			if address := strings.ToLower(a.Email); created[address] != a.ID || known[address] != a.ID {
				t.Errorf("%s is %d, created as %d, known as %d", address, a.ID, created[address], known[address])
			}
		}
		for i, m := range d.post.Taken() {
			for _, other := range d.post.Taken()[:i] {
				if strings.EqualFold(m.To.Email, other.To.Email) {
					t.Errorf("%s was told twice", m.To.Email)
				}
			}
		}
		if n := d.count("outbox"); n != 0 {
			t.Errorf("%d in the outbox", n)
		}
		d.sound()
	})
}

// The one who reads by ascending ID must not miss an applicant whose mail was slow: it appears above all that
// were visible before. Unless its mail names the ID.
func TestSlowMail(t *testing.T) {
	for _, named := range []bool{false, true} {
		t.Run(fmt.Sprintf("ID in the mail %t", named), func(t *testing.T) {
			onBoth(t, func(t *testing.T, d *desk) {
				if named {
					err := d.store.Write(t.Context(), func(tx *store.Tx) error {
						return tx.SetEmailTemplate("applicant-welcome-api", "en", "Welcome", "You are number %applicant-ID%: %applicant-SigninLink%")
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				slow := ilse()
				slow.Tracker = d.tracker("FAIR")
				record, _, err := d.office.BeginIdempotent(t.Context(), admissions.IdempotentCall(d.key(), "POST", "/api/v9/applicants", "slow"), answers, [32]byte{1})
				if err != nil {
					t.Fatal(err)
				}
				by := byKey()
				by.Hook = record
				var quick int64
				var text string
				d.post.will(func(_ context.Context, m *mail.Message) error {
					d.post.will(nil)
					text = m.Text
					quick = d.create(admissions.NewApplicant{Name: admitto.SplitName("Quick"), Email: "quick@example.org"})
					return nil
				})
				id, err := d.office.CreateApplicant(t.Context(), by, slow)
				if err != nil {
					t.Fatal(err)
				}
				if (id > quick) == named {
					t.Errorf("the slow one is %d, the quick one %d", id, quick)
				}
				if named && !strings.Contains(text, fmt.Sprintf("number %d:", id)) {
					t.Errorf("%d was told: %s", id, text)
				}
				with := &admissions.ApplicantParts{WantNotes: true, WantTrackers: true}
				a, err := d.office.Applicant(t.Context(), admitto.SystemCaller(), id, with)
				if err != nil || a.Email != slow.Email || len(with.Notes[id]) != 1 || len(with.Trackers[id]) != 1 {
					t.Errorf("%+v, %+v, %v", a, with, err)
				}
				for _, table := range []string{"sign_in_token", "email"} {
					if n := d.number("SELECT count(*) FROM "+table+" WHERE applicant_id = $1", id); n != 1 {
						t.Errorf("%d rows in %s", n, table)
					}
				}
				records := d.journal()
				for _, r := range records[len(records)-4:] {
					if r.Links.Applicant != id {
						t.Errorf("the journal tells of %d: %+v", id, r)
					}
				}
				_, kept, err := d.office.BeginIdempotent(t.Context(), record.IdempotentCall, answers, [32]byte{1})
				if err != nil || kept == nil || kept.Status != 201 || kept.Location != fmt.Sprintf("/api/v9/applicants/%d", id) || kept.Body != nil {
					t.Errorf("kept %+v, %v", kept, err)
				}
				next := d.create(admissions.NewApplicant{Name: admitto.SplitName("Next"), Email: "next@example.org"})
				if next <= max(id, quick) {
					t.Errorf("the next is %d", next)
				}
				d.sound()
			})
		})
	}
}

// key makes an API key and returns its ID.
func (d *desk) key() int64 {
	d.t.Helper()
	id, _, err := d.office.CreateKey(d.t.Context(), byKey(), admissions.NewKey{Label: "test", Scope: admitto.ScopeAll})
	if err != nil {
		d.t.Fatal(err)
	}
	return id
}

// Incremental readers see everybody, however the mails overlap: at every time what is visible is a prefix of
// what becomes visible later.
func TestIncrementalReaders(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		const people = 60
		d.office = d.another(d.store, d.post, func(s *config.Settings) { s.Mail.SyncTimeout = time.Minute })
		stop := make(chan struct{})
		seen := map[int64]bool{}
		var last int64
		look := func() {
			_, err := d.office.Applicants(context.Background(), admitto.SystemCaller(), admitto.ApplicantQuery{After: last, Limit: 1000}, nil, nil, func(int64, int64) {},
				func(a *admitto.Applicant) error { seen[a.ID], last = true, a.ID; return nil })
			if err != nil {
				t.Error(err)
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
		for i := range people {
			writers.Go(func() {
				in := admissions.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: fmt.Sprintf("p%d@example.org", i)}
				if _, err := d.office.CreateApplicant(context.Background(), byKey(), in); err != nil {
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
		d.sound()
	})
}
