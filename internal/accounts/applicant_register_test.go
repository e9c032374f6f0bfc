package accounts_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
)

func registration() accounts.Registration {
	return accounts.Registration{Given: "Ilse", Family: "Varga", Email: "Ilse.Varga@example.org", Citizenship: "hu",
		Language: "en", Network: netip.MustParseAddr("192.0.2.7"), RequestID: "r4"}
}

// Who registers is a live applicant with tracker, consents and a link, once the request is settled.
func TestRegister(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		tracker := d.Tracker("FAIR")
		d.Write("INSERT INTO consent (id, type, text) VALUES (31, 'Mandatory', 'A'), (32, 'Voluntary', 'B'), (33, 'Voluntary', 'C')",
			"UPDATE consent SET version = 3 WHERE id = 33")
		in := registration()
		in.Tracker = "fair"
		in.Consents = []accounts.ConsentAnswer{{Consent: 33, Version: 2, Accept: true}, {Consent: 32, Version: 1},
			{Consent: 31, Version: 1, Accept: true}, {Consent: 99, Version: 1, Accept: true}}
		before := len(d.Journal())
		if _, err := d.Services.Accounts.Register(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if len(d.Applicants()) != 0 || len(d.Journal()) != before || d.Readable("Varga") {
			t.Error("something is there before the request was settled, or can be read")
		}
		select {
		case <-d.Services.Accounts.RequestsWaiting():
		default:
			t.Error("nobody is woken")
		}
		m := d.Mail()
		if m.To.Email != "Ilse.Varga@example.org" || !strings.Contains(m.Subject, "confirm your registration") ||
			!strings.Contains(m.Text, "23 March 2026, 09:00 UTC") {
			t.Errorf("%+v", m)
		}
		list := d.Applicants()
		if len(list) != 1 {
			t.Fatalf("%+v", list)
		}
		id := list[0].ID
		want := admitto.Applicant{ID: id, Type: admitto.Natural, State: admitto.ApplicantLive, Registered: d.Clock.Now(),
			Name: admitto.Name{Given: "Ilse", Family: "Varga"}, Email: "Ilse.Varga@example.org", Citizenship: "HU"}
		if diff := cmp.Diff(want, list[0]); diff != "" {
			t.Error(diff)
		}
		events := d.Since(before)
		if diff := cmp.Diff([]string{"Applicant registered", "Tracker was assigned", "Consent was accepted: 31",
			"Consent was rejected: 32", "E-mail was sent: applicant-welcome-register"}, events); diff != "" {
			t.Error(diff)
		}
		if r := d.Journal()[before]; r.Actor != (admitto.Actor{Kind: admitto.ByApplicant, ID: id, RequestID: "r4"}) {
			t.Errorf("%+v", r.Actor)
		}
		if d.Number("SELECT count(*) FROM applicant_tracker WHERE tracker_id = $1 AND applicant_id = $2", tracker, id) != 1 {
			t.Error("the tracker is not set")
		}
		account, err := d.Services.Accounts.ApplicantAccount(t.Context(), servicestest.Staff().Caller, id)
		if err != nil || !account.Unconfirmed || account.HasPassword || account.Language != "en" || account.SignedIn != 0 {
			t.Errorf("%+v, %v", account, err)
		}
		token := servicestest.Token(t, m)
		if d.Readable(token) {
			t.Error("the link can be read in the database")
		}
		who, err := d.Services.Accounts.UseSignInLink(t.Context(), token, "r5")
		if err != nil || who.ID != id || !who.First || who.HasPassword || who.ChangePassword || who.Language != "en" {
			t.Errorf("%+v, %v", who, err)
		}
		account, err = d.Services.Accounts.ApplicantAccount(t.Context(), servicestest.As(admitto.ByApplicant, id).Caller, id)
		if err != nil || account.Unconfirmed || account.SignedIn != d.Clock.Now() || !account.CitizenshipChangeable {
			t.Errorf("%+v, %v", account, err)
		}
		d.Sound(token)
	})
}

// Who has an account gets a link, and the answer is the same.
func TestRegisterKnownAddress(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		id, first := d.Registered("ilse.varga@example.org")
		in := registration()
		in.Given, in.Citizenship = "Somebody", "EE"
		if _, err := d.Services.Accounts.Register(t.Context(), in); err != nil || len(d.Mails()) != 0 {
			t.Fatal("a form that is sent twice sends two mails: ", err)
		}
		d.Clock.Add(admitto.Minute + admitto.Second)
		if _, err := d.Services.Accounts.Register(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		m := d.Mail()
		if !strings.Contains(m.Subject, "link to sign in") || m.To.Email != "ilse.varga@example.org" ||
			m.To.Name != "Ilse Varga" {
			t.Errorf("%+v", m)
		}
		if list := d.Applicants(); len(list) != 1 || list[0].Citizenship != "" || list[0].Name.Given != "Ilse" {
			t.Errorf("%+v", list)
		}
		if _, err := d.Services.Accounts.UseSignInLink(t.Context(), first, "r5"); admitto.KindOf(err) != admitto.NotFound {
			t.Errorf("the older link: %v", err)
		}
		if who, err := d.Services.Accounts.UseSignInLink(t.Context(), servicestest.Token(t, m), "r5"); err != nil ||
			who.ID != id {
			t.Errorf("%+v, %v", who, err)
		}
		// While a creation waits for its mail, the request waits, too.
		d.Crash(accounts.NewApplicant{Name: admitto.SplitName("Bo Lind"), Email: "bo@example.org"})
		in.Email = "bo@example.org"
		if _, err := d.Services.Accounts.Register(t.Context(), in); err != nil || len(d.Mails()) != 0 {
			t.Error(err)
		}
		d.Clock.Add(admitto.Minute)
		if d.Resume() != 1 || len(d.Mails()) != 2 {
			t.Error("the welcome mail and the link did not come")
		}
		d.Sound()
	})
}

// Registrations of one network are counted, whatever becomes of them; what is refused says until when.
func TestRegisterTooOften(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		register := func(network string, i int) error {
			in := registration()
			in.Email, in.Network = fmt.Sprintf("p%d@example.org", i%3), netip.MustParseAddr(network)
			_, err := d.Services.Accounts.Register(t.Context(), in)
			return err
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		taken := 0
		for i := range 30 {
			all.Go(func() {
				if err := register(fmt.Sprintf("2001:db8::%d", i+1), i); err == nil {
					mu.Lock()
					taken++
					mu.Unlock()
				} else {
					e := servicestest.WantKind(t, err, admitto.Unavailable)
					if e.RetryAfter != 3600 || !strings.HasSuffix(e.Text.String(), "at 10:00 UTC.") {
						t.Errorf("%+v", e)
					}
				}
			})
		}
		all.Wait()
		if taken != 20 {
			t.Errorf("%d were taken", taken)
		}
		for network, kind := range map[string]admitto.Kind{"2001:db8:0:1::1": "", "192.0.2.7": "", "::ffff:192.0.2.7": "",
			"2001:db8::ffff": admitto.Unavailable} {
			if err := register(network, 0); admitto.KindOf(err) != kind {
				t.Errorf("%s: %v", network, err)
			}
		}
		d.Clock.Add(admitto.Hour)
		if err := register("2001:db8::1", 0); err != nil {
			t.Error(err)
		}
		if err := d.Services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()); err != nil {
			t.Error(err)
		}
		d.Clock.Add(2 * admitto.Hour)
		if err := d.Services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()); err != nil || d.Count("hourly_use") != 0 {
			t.Errorf("%d are remembered, %v", d.Count("hourly_use"), err)
		}
	})
}

func TestRegisterRefused(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		long := strings.Repeat("é", 51)
		for _, c := range []struct {
			in   accounts.Registration
			want []admitto.Path
		}{
			{accounts.Registration{}, []admitto.Path{"applicant.family", "applicant.email"}},
			{accounts.Registration{Given: long, Family: long, Email: "a", Citizenship: "XX"},
				[]admitto.Path{"applicant.given", "applicant.family", "applicant.email", "applicant.citizenship"}},
			{accounts.Registration{Given: "a\nb", Family: "\xff", Email: "a@example.org\r\nBcc: b@example.org"},
				[]admitto.Path{"applicant.given", "applicant.family", "applicant.email"}},
			{accounts.Registration{Family: "محمد", Email: "m@example.org", Network: netip.Addr{}}, nil},
		} {
			_, err := d.Services.Accounts.Register(t.Context(), c.in)
			var got []admitto.Path
			if err != nil {
				for _, f := range servicestest.WantKind(t, err, admitto.InvalidParameter).Faults {
					got = append(got, f.Path)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%+v: %s", c.in, diff)
			}
		}
		for _, email := range []string{"", "a", "a@b@c", "a@example.org\nb"} {
			a := d.Services.Accounts
			_, err := a.RequestSignInLink(t.Context(), email, "", "")
			servicestest.WantKind(t, err, admitto.InvalidParameter)
			_, err = a.ResendRegistration(t.Context(), email, "", "")
			servicestest.WantKind(t, err, admitto.InvalidParameter)
		}
	})
}

// The newest link works; asked for too often no mail comes, and for nobody none, with the same answer.
func TestRequestSignInLink(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, a := t.Context(), d.Services.Accounts
		id, _ := d.Registered("ilse@example.org")
		d.Clock.Add(admitto.Hour)
		ask := func(email string) {
			t.Helper()
			if _, err := a.RequestSignInLink(ctx, email, "", "r1"); err != nil {
				t.Error(err)
			}
		}
		state := func(token string, want accounts.LinkState) {
			t.Helper()
			l, err := a.SignInLink(ctx, token)
			if err != nil || l.State != want {
				t.Errorf("%+v, %v; want %s", l, err, want)
			}
			if known := want != accounts.LinkUnknown; known != (l.Email == "ilse@example.org") ||
				known != (l.Masked == "i...e@example.org") {
				t.Errorf("%+v", l)
			}
		}
		var last string
		for range 5 {
			ask("ILSE@example.org")
			token := servicestest.Token(t, d.Mail())
			state(token, accounts.LinkWorks)
			if last != "" {
				state(last, accounts.LinkExpired)
			}
			last = token
			d.Clock.Add(admitto.Minute)
		}
		ask("ilse@example.org")
		ask("nobody@example.org")
		if _, err := a.ResendRegistration(ctx, "nobody@example.org", "", "r1"); err != nil {
			t.Error(err)
		}
		if m := d.Mails(); len(m) != 0 || d.Count("outbox") != 0 {
			t.Errorf("%+v", m)
		}
		state(last, accounts.LinkWorks)
		d.Clock.Add(29*admitto.Minute - 1)
		state(last, accounts.LinkWorks)
		d.Clock.Add(1)
		state(last, accounts.LinkExpired)
		state("nonsense", accounts.LinkUnknown)
		state("", accounts.LinkUnknown)
		d.Clock.Add(admitto.Hour)
		ask("ilse@example.org")
		token := servicestest.Token(t, d.Mail())
		if _, err := a.UseSignInLink(ctx, token, "r1"); err != nil {
			t.Error(err)
		}
		state(token, accounts.LinkUsed)
		// Staff stop the account: the mail says whom to ask.
		if err := a.BlockApplicant(ctx, servicestest.Staff(), id); err != nil {
			t.Error(err)
		}
		state(token, accounts.LinkBlocked)
		ask("ilse@example.org")
		if m := d.Mail(); !strings.Contains(m.Text, "was stopped") || strings.Contains(m.Text, "/sign-in/") {
			t.Errorf("%+v", m)
		}
		d.Sound(last, token)
	})
}

// The welcome mail comes again after a minute at the earliest, with a link in the place of the former; who has signed
// in before gets a link.
func TestResendRegistration(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		_, first := d.Registered("ilse@example.org")
		again := func() {
			t.Helper()
			if _, err := d.Services.Accounts.ResendRegistration(t.Context(), "ilse@example.org", "", "r1"); err != nil {
				t.Error(err)
			}
		}
		d.Clock.Add(admitto.Minute - 1)
		if again(); len(d.Mails()) != 0 {
			t.Error("a mail within the minute")
		}
		d.Clock.Add(1)
		again()
		m := d.Mail()
		if !strings.Contains(m.Subject, "confirm your registration") {
			t.Errorf("%+v", m)
		}
		if l, err := d.Services.Accounts.SignInLink(t.Context(), first); err != nil || l.State != accounts.LinkExpired {
			t.Errorf("%+v, %v", l, err)
		}
		if _, err := d.Services.Accounts.UseSignInLink(t.Context(), servicestest.Token(t, m), "r1"); err != nil {
			t.Error(err)
		}
		d.Clock.Add(admitto.Minute)
		again()
		if m := d.Mail(); !strings.Contains(m.Subject, "link to sign in") {
			t.Errorf("%+v", m)
		}
	})
}

// Two instances settle the same requests: each person is there once and gets one mail.
func TestSettleTwice(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		for i := range 30 {
			in := registration()
			in.Email, in.Network = fmt.Sprintf("p%d@example.org", i%10), netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
			if _, err := d.Services.Accounts.Register(t.Context(), in); err != nil {
				t.Fatal(err)
			}
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if _, err := d.Services.Accounts.SettleRequests(context.Background(), admitto.SystemCaller()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		d.Clock.Add(31 * admitto.Second) // who met another one on the way is tried again
		if n := len(d.Mails()); n != 10 || len(d.Applicants()) != 10 || d.Count("outbox") != 0 {
			t.Errorf("%d mails, %d applicants, %d waiting", n, len(d.Applicants()), d.Count("outbox"))
		}
		d.Sound()
	})
}

func TestMaskEmail(t *testing.T) {
	for email, want := range map[string]string{"sample.a@example.org": "s...a@example.org",
		"ab@example.org": "a...@example.org",
		"a@example.org":  "a...@example.org", "": "...", "x": "...", "@": "...", "éàü@x.org": "é...ü@x.org"} {
		if got := accounts.MaskEmail(email); got != want {
			t.Errorf("%q: %q, want %q", email, got, want)
		}
	}
}
