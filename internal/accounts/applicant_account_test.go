package accounts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

func ptr(s string) *string { return &s }

// Applicants edit their names and numbers, staff everything; old and new values are in the journal, the same values
// change nothing.
func TestEditApplicant(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, a := t.Context(), d.Services.Accounts
		id, _ := d.Registered("ilse@example.org")
		own, staff := servicestest.As(admitto.ByApplicant, id), servicestest.Staff()
		last := len(d.Journal())
		for _, c := range []struct {
			name string
			by   usecase.Caller
			edit accounts.ApplicantEdit
			want admitto.Kind
		}{
			{"own", own, accounts.ApplicantEdit{Given: ptr(" Ilse Maria "), Phone: ptr("+36 1 234")}, ""},
			{"the same again", own, accounts.ApplicantEdit{Given: ptr("Ilse Maria"), Phone: ptr("+36 1 234")}, ""},
			{"nothing", own, accounts.ApplicantEdit{}, ""},
			{"own citizenship", own, accounts.ApplicantEdit{Citizenship: ptr("hu")}, ""},
			{"no family name", own, accounts.ApplicantEdit{Family: ptr(" ")}, admitto.InvalidParameter},
			{"for staff", own, accounts.ApplicantEdit{VATIN: ptr("1")}, admitto.NotPermitted},
			{"another's", servicestest.As(admitto.ByApplicant, id+1), accounts.ApplicantEdit{Given: ptr("X")},
				admitto.NotPermitted},
			{"nobody's", staff, accounts.ApplicantEdit{Given: ptr("X")}, ""},
			{"type", staff, accounts.ApplicantEdit{Type: new(admitto.ApplicantType)}, admitto.InvalidParameter},
			{"too long", staff, accounts.ApplicantEdit{Phone: ptr(strings.Repeat("1", 31)), Address: ptr("\x00")},
				admitto.InvalidParameter},
			{"staff", staff, accounts.ApplicantEdit{Address: ptr("Street 1\nTown"), VATIN: ptr("HU1"), Citizenship: ptr("EE")},
				""},
		} {
			if err := a.EditApplicant(ctx, c.by, id, c.edit); admitto.KindOf(err) != c.want {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		servicestest.WantKind(t, a.EditApplicant(ctx, staff, id+1, accounts.ApplicantEdit{}), admitto.NotFound)
		stale := staff
		stale.Version = 1
		servicestest.WantKind(t, a.EditApplicant(ctx, stale, id, accounts.ApplicantEdit{Given: ptr("Y")}),
			admitto.ChangedMeanwhile)
		d.WantSince(last, "Applicant was edited", "Applicant was edited", "Applicant was edited", "Applicant was edited")
		account, err := a.ApplicantAccount(ctx, own.Caller, id)
		if err != nil || account.Name.Full() != "X Varga" || account.Citizenship != "EE" || account.Phone != "+36 1 234" ||
			account.VATIN != "HU1" || account.RowVersion != 5 {
			t.Errorf("%+v, %v", account, err)
		}
		if n := d.Number("SELECT count(*) FROM journal_detail"); n != 4 {
			t.Errorf("%d details", n)
		}
		d.Sound()
	})
}

// The citizenship can be changed until the first submission, and again when the term is over.
func TestSetCitizenship(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		ctx, ann := t.Context(), servicestest.Ann()
		set := func(by usecase.Caller, country string, want admitto.Kind) {
			t.Helper()
			if err := d.Services.Accounts.SetCitizenship(ctx, by, 1, country); admitto.KindOf(err) != want {
				t.Errorf("%s: %v", country, err)
			}
		}
		d.Write("UPDATE application SET submitted = NULL")
		set(ann, "NL", "")
		set(ann, "Nowhere", admitto.InvalidParameter)
		set(ann, "", admitto.InvalidParameter)
		d.Write("UPDATE application SET submitted = 1", "UPDATE academic_term SET grace = '2026-03-09'")
		set(ann, "EE", admitto.NotAllowedNow)
		set(ann, "NL", "") // as it is
		set(servicestest.Staff(), "EE", "")
		d.Write("UPDATE academic_term SET grace = '2026-03-08'")
		set(ann, "LV", "")
	})
}

// What every page asks: the account, while it may be signed in to.
func TestApplicantMember(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, a := t.Context(), d.Services.Accounts
		id, _ := d.Registered("ilse@example.org")
		own := servicestest.As(admitto.ByApplicant, id)
		want := accounts.ApplicantMember{ID: id, Name: admitto.Name{Given: "Ilse", Family: "Varga"}, CitizenshipMissing: true,
			UnreadMessages: 1}
		check := func() {
			t.Helper()
			got, err := a.ApplicantMember(ctx, id)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
		}
		check()
		last := len(d.Journal())
		if err := a.SetApplicantPreferences(ctx, own.Caller, "AR", accounts.SchemeDark); err != nil {
			t.Error(err)
		}
		servicestest.WantKind(t, a.SetApplicantPreferences(ctx, own.Caller, "xx", ""), admitto.InvalidParameter)
		servicestest.WantKind(t, a.SetApplicantPreferences(ctx, own.Caller, "", "pink"), admitto.InvalidParameter)
		d.WantSince(last)
		if err := a.SetCitizenship(ctx, own, id, "EE"); err != nil {
			t.Error(err)
		}
		want.Language, want.Scheme, want.CitizenshipMissing = "ar", "dark", false
		check()
		// Blocked, and let in again.
		last = len(d.Journal())
		for range 2 {
			if err := a.BlockApplicant(ctx, servicestest.Staff(), id); err != nil {
				t.Error(err)
			}
		}
		if _, err := a.ApplicantMember(ctx, id); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		servicestest.WantKind(t, a.SendSignInLink(ctx, servicestest.Staff(), id), admitto.NotAllowedNow)
		for range 2 {
			if err := a.UnblockApplicant(ctx, servicestest.Staff(), id); err != nil {
				t.Error(err)
			}
		}
		d.WantSince(last, "Applicant was blocked", "Applicant was unblocked")
		check()
		if err := a.SendSignInLink(ctx, servicestest.Staff(), id); err != nil {
			t.Error(err)
		}
		if _, err := a.UseSignInLink(ctx, servicestest.Token(t, d.Mail()), "r1"); err != nil {
			t.Error(err)
		}
		if _, err := a.ApplicantMember(ctx, id+1); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		d.Sound()
	})
}

// An address changes when the link that was sent there is used; the old one is told, and every other link ends.
func TestChangeEmail(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, a := t.Context(), d.Services.Accounts
		id, first := d.Registered("ilse@example.org")
		if _, err := a.UseSignInLink(ctx, first, "r1"); err != nil {
			t.Fatal(err)
		}
		own := servicestest.As(admitto.ByApplicant, id)
		change := func(email string) (link string) {
			t.Helper()
			if acted, err := a.ChangeEmail(ctx, own, id, email); err != nil || acted {
				t.Errorf("%t, %v", acted, err)
			}
			for _, m := range d.Mails() {
				_, token, found := strings.Cut(m.Text, "https://admissions.example.edu/sign-in/e-mail/")
				if found != (m.To.Email == email) || !found &&
					(m.To.Email != "ilse@example.org" || !strings.Contains(m.Text, "another e-mail address")) {
					t.Errorf("%+v", m)
				}
				if found {
					link, _, _ = strings.Cut(token, "\n")
				}
			}
			return link
		}
		state := func(token string, want accounts.Link) {
			t.Helper()
			if l, err := a.EmailLink(ctx, token); err != nil || l != want {
				t.Errorf("%+v, %v", l, err)
			}
		}
		older, link := change("older@example.org"), change("Varga.Ilse@example.org")
		state(older, accounts.Link{State: accounts.LinkUnknown})
		works := accounts.Link{State: accounts.LinkWorks, Email: "Varga.Ilse@example.org", Masked: "V...e@example.org",
			Owner: id}
		state(link, works)
		account, err := a.ApplicantAccount(ctx, own.Caller, id)
		if err != nil || account.Email != "ilse@example.org" || account.NewEmail != "Varga.Ilse@example.org" ||
			account.NewEmailUntil != d.Clock.Now()+3*admitto.Day || d.Readable(link) {
			t.Errorf("%+v, %v", account, err)
		}
		if err := a.SendSignInLink(ctx, servicestest.Staff(), id); err != nil {
			t.Fatal(err)
		}
		toOld := servicestest.Token(t, d.Mail())
		d.Clock.Add(3*admitto.Day - 1)
		last := len(d.Journal())
		for _, bad := range []string{older, "", "nonsense", toOld} {
			if _, err := a.ConfirmEmail(ctx, bad, "", [32]byte{}, "r1"); admitto.KindOf(err) != admitto.NotFound {
				t.Errorf("%q: %v", bad, err)
			}
		}
		if who, err := a.ConfirmEmail(ctx, link, "", [32]byte{}, "r1"); err != nil || who != id {
			t.Fatal(who, err)
		}
		if _, err := a.ConfirmEmail(ctx, link, "", [32]byte{}, "r1"); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		d.WantSince(last, "Applicant e-mail was changed")
		if l, err := a.SignInLink(ctx, toOld); err != nil || l.State != accounts.LinkExpired {
			t.Errorf("%+v, %v", l, err)
		}
		d.Sound(older, toOld)
	})
}

func TestChangeEmailEnds(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, a := t.Context(), d.Services.Accounts
		id, first := d.Registered("ilse@example.org")
		bo, _ := d.Registered("bo@example.org")
		if _, err := a.UseSignInLink(ctx, first, "r1"); err != nil {
			t.Fatal(err)
		}
		own, staff := servicestest.As(admitto.ByApplicant, id), servicestest.Staff()
		link := func(by usecase.Caller, email string) (token string) {
			t.Helper()
			if _, err := a.ChangeEmail(ctx, by, id, email); err != nil {
				t.Fatal(err)
			}
			for _, m := range d.Mails() {
				if _, rest, found := strings.Cut(m.Text, "/sign-in/e-mail/"); found {
					token, _, _ = strings.Cut(rest, "\n")
				}
			}
			return token
		}
		late := link(own, "late@example.org")
		d.Clock.Add(3 * admitto.Day)
		if l, err := a.EmailLink(ctx, late); err != nil || l.State != accounts.LinkExpired {
			t.Errorf("%+v, %v", l, err)
		}
		if _, err := a.ConfirmEmail(ctx, late, "", [32]byte{}, ""); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		// Somebody else has the address: the applicant does not learn it, staff do.
		if link(own, "BO@example.org") != "" {
			t.Error("a link to somebody else's address")
		}
		_, err := a.ChangeEmail(ctx, staff, id, "bo@example.org")
		if servicestest.WantKind(t, err, admitto.AlreadyExists).Existing != bo {
			t.Error(err)
		}
		taken := link(staff, "cy@example.org")
		cy, _ := d.Registered("cy@example.org")
		_, err = a.ConfirmEmail(ctx, taken, "", [32]byte{}, "")
		if admitto.KindOf(err) != admitto.AlreadyExists || cy == id {
			t.Error(err)
		}
		// Taken back; blocked; the letter case alone.
		back := link(own, "new@example.org")
		if err := a.DropEmailChange(ctx, own, id); err != nil {
			t.Error(err)
		}
		if _, err := a.ConfirmEmail(ctx, back, "", [32]byte{}, ""); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		shown := link(own, "Ilse@example.org")
		if _, err := a.ConfirmEmail(ctx, shown, "", [32]byte{}, ""); err != nil {
			t.Error(err)
		}
		blocked := link(own, "blocked@example.org")
		if err := a.BlockApplicant(ctx, staff, id); err != nil {
			t.Error(err)
		}
		if _, err := a.ConfirmEmail(ctx, blocked, "", [32]byte{}, ""); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		if err := a.UnblockApplicant(ctx, staff, id); err != nil {
			t.Error(err)
		}
		d.Clock.Add(admitto.Hour)
		for i := range 6 {
			_, err := a.ChangeEmail(ctx, own, id, "often@example.org")
			if want := map[bool]admitto.Kind{true: admitto.Unavailable}[i == 5]; admitto.KindOf(err) != want {
				t.Errorf("%d: %v", i, err)
			}
		}
		servicestest.WantKind(t, func() error { _, err := a.ChangeEmail(ctx, own, id, "no"); return err }(),
			admitto.InvalidParameter)
		servicestest.WantKind(t, func() error { _, err := a.ChangeEmail(ctx, own, bo, "x@example.org"); return err }(),
			admitto.NotPermitted)
	})
}

// For who never signed in a change by staff acts at once, and the welcome mail goes to the new address.
func TestChangeEmailOfLead(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, a, staff := t.Context(), d.Services.Accounts, servicestest.Staff()
		added, err := a.AddApplicant(ctx, staff, accounts.AddedApplicant{Family: "Lind", Email: "bo@example.org",
			Welcome: true})
		if err != nil {
			t.Fatal(err)
		}
		welcome := servicestest.Token(t, d.Mail())
		registered, _ := d.Registered("ilse@example.org")
		for id, subject := range map[int64]string{added: "Your account at", registered: "confirm your registration"} {
			email := subject[:4] + "@example.org"
			if acted, err := a.ChangeEmail(ctx, staff, id, email); err != nil || !acted {
				t.Errorf("%t, %v", acted, err)
			}
			m := d.Mail()
			if !strings.Contains(m.Subject, subject) || m.To.Email != email {
				t.Errorf("%+v", m)
			}
			if who, err := a.UseSignInLink(ctx, servicestest.Token(t, m), ""); err != nil || who.ID != id {
				t.Errorf("%+v, %v", who, err)
			}
		}
		if l, err := a.SignInLink(ctx, welcome); err != nil || l.State != accounts.LinkExpired {
			t.Errorf("%+v, %v", l, err)
		}
		d.Sound()
	})
}

// Staff add an applicant by hand, with a password where the text of the mail shows one.
func TestAddApplicant(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, a, staff := t.Context(), d.Services.Accounts, servicestest.Staff()
		tracker, last := d.Tracker("FAIR"), len(d.Journal())
		err := d.Store.Write(ctx, func(tx *store.Tx) error {
			return tx.SetEmailTemplate(mail.KindApplicantWelcomeImports.Code(), "en", "Welcome",
				"%applicant-Password%\n%applicant-SigninLink%")
		})
		if err != nil {
			t.Fatal(err)
		}
		in := accounts.AddedApplicant{Given: "Bo", Family: "Lind", Email: "Bo@example.org", Phone: "123", Citizenship: "ee",
			Trackers: []int64{tracker}, Note: "At the fair", Welcome: true}
		id, err := a.AddApplicant(ctx, staff, in)
		if err != nil {
			t.Fatal(err)
		}
		m := d.Mail()
		password, _, _ := strings.Cut(m.Text, "\n")
		if len(password) != 14 || d.Readable(password) {
			t.Errorf("%+v", m)
		}
		d.WantSince(last, "Applicant was collected", "Tracker was assigned", "Note was added to applicant",
			"E-mail was sent: applicant-welcome-imports")
		who, err := a.UseSignInLink(ctx, servicestest.Token(t, m), "")
		if err != nil || !who.HasPassword || !who.ChangePassword || who.Lead || who.Citizenship != "EE" {
			t.Errorf("%+v, %v", who, err)
		}
		in.Email = "bo@EXAMPLE.org"
		_, err = a.AddApplicant(ctx, staff, in)
		if servicestest.WantKind(t, err, admitto.AlreadyExists).Existing != id {
			t.Error(err)
		}
		in.Email, in.Welcome, in.Trackers = "quiet@example.org", false, nil
		if _, err := a.AddApplicant(ctx, staff, in); err != nil || len(d.Mails()) != 0 {
			t.Error(err)
		}
		for _, bad := range []accounts.AddedApplicant{{}, {Family: "X", Email: "x@example.org", Trackers: []int64{99}},
			{Family: "X", Email: "x", Note: strings.Repeat("x", 2049)}, {Family: "X", Email: "x@example.org",
				Citizenship: "ZZ"}} {
			_, err := a.AddApplicant(ctx, staff, bad)
			servicestest.WantKind(t, err, admitto.InvalidParameter)
		}
		d.Sound(password)
	})
}
