package faults_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/links"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// The clock of the database jumps back and forth between writes. IDs go up all the same, the journal stays whole,
// mails leave, a job that has run for its hour does not run for it again, and no quota opens by it.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		p.must("demo", "--applicants=5")
		var offset atomic.Int64
		opts := p.opts
		opts.Clock = func() admitto.Time { return admitto.TimeOf(time.Now()) + admitto.Time(offset.Load()) }
		s, err := store.Open(t.Context(), p.database, opts)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		mails := startMailServer(t)
		instance := p.instance(s, mails, opts.Clock)
		_, secret, err := instance.Keys.CreateKey(t.Context(), usecase.Caller{Caller: admitto.SystemCaller()},
			apikey.NewKey{Label: "Clock", Scope: admitto.ScopeAll})
		if err != nil {
			t.Fatal(err)
		}
		last, passed, runs := int64(0), 0, map[admitto.Time]int{}
		for i, jump := range []admitto.Time{0, -admitto.Hour, 25 * admitto.Hour, -26 * admitto.Hour, -admitto.Second,
			2 * admitto.Hour} {
			offset.Add(int64(jump))
			for n := range 5 {
				id, err := instance.Accounts.CreateApplicant(t.Context(), usecase.Caller{Caller: admitto.SystemCaller()},
					accounts.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: fmt.Sprintf("c%d-%d@example.org", i, n)})
				if err != nil || id <= last {
					t.Fatalf("after jump %d: %v, ID %d after %d", i, err, id, last)
				}
				last = id
			}
			if _, err := instance.Notify.SendMessage(t.Context(), usecase.Caller{Caller: admitto.SystemCaller()}, last, "Hello",
				"Words"); err != nil {
				t.Fatal(err)
			}
			if sent, err := instance.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil || sent != 1 {
				t.Errorf("after jump %d: %v, %d mails left", i, err, sent)
			}
			hourly := func(now admitto.Time) admitto.Time { return now - now%admitto.Hour }
			if _, err := instance.Automation.RunJob(t.Context(), admitto.SystemCaller(), "clock", hourly,
				func(_ context.Context, due admitto.Time) error {
					runs[due]++
					return nil
				}); err != nil {
				t.Error(err)
			}
			key, err := instance.Keys.Authenticate(t.Context(), secret)
			if err != nil || key == nil {
				t.Fatalf("after jump %d the key does not work: %v", i, err)
			}
			for range 20 { // a quota of ten an hour
				q, err := instance.Keys.TakeQuota(t.Context(), key)
				if err != nil {
					t.Fatal(err)
				}
				if !q.Refused {
					passed++
				}
			}
		}
		for due, n := range runs {
			if n != 1 {
				t.Errorf("the job ran %d times for %s", n, due.Std())
			}
		}
		// The jump by 25 hours forward opens the window once, rightly as far as anybody can tell; that back never does.
		if passed != 20 {
			t.Errorf("%d requests passed", passed)
		}
		if n := len(mails.with("Words")); n != 6 {
			t.Errorf("%d messages left", n)
		}
		s.Close()
		p.whole()
	})
}

// instance is that of a place that the binary has made, in this process.
func (p *place) instance(s *store.Store, mails *mailer, clock admitto.Clock) *services.Services {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.folder, "instance.key"))
	if err != nil {
		p.t.Fatal(err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := mail.Open(mail.Settings{SMTP: mails.url})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { out.Close() })
	set := config.Defaults()
	set.Instance.Name, set.BaseURL, set.Quota.PerMinute, set.Quota.PerHour = "Clock", "https://apply.example.edu", 0, 10
	set.Mail.From, set.Mail.SyncTimeout = &netmail.Address{Address: "office@example.edu"}, 5*time.Second
	return services.New(services.Needs{Store: s, Mailer: out, Key: seal.KeyOf(key), Live: config.NewLive(set),
		Links: links.At, Clock: clock,
		Log: slog.New(slog.DiscardHandler)})
}
