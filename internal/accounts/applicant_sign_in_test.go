package accounts_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/usecase"
)

const goodPassword = "Blåbær & grøt"

func signIn(d *servicestest.Desk, email, password string) (accounts.SignedInApplicant, error) {
	return d.Services.Accounts.SignInApplicant(d.T.Context(), accounts.ApplicantSignIn{Email: email, Password: password,
		Network: netip.MustParseAddr("192.0.2.7"), RequestID: "r6"})
}

// wantCode fails unless the refusal has the code.
func wantCode(t *testing.T, err error, code string) *admitto.Error {
	t.Helper()
	e := servicestest.WantKind(t, err, admitto.KindOf(err))
	if len(e.Faults) != 1 || e.Faults[0].Code != code {
		t.Errorf("%v, want %s", err, code)
	}
	return e
}

// A password is chosen after a link, lets in, is changed with the old one, and ends the other sessions.
func TestApplicantPassword(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, a := t.Context(), d.Services.Accounts
		id, token := d.Registered("ilse@example.org")
		own := servicestest.As(admitto.ByApplicant, id)
		if _, err := a.UseSignInLink(ctx, token, ""); err != nil {
			t.Fatal(err)
		}
		_, err := signIn(d, "ilse@example.org", "")
		wantCode(t, err, "sign-in-wrong")
		last := len(d.Journal())
		for _, bad := range []string{"", "short", "12345678é", "password1234", "PASSWORD2027!", "qwertyuiop", "aaaaaaaaaaaa",
			"ilse@example.org",
			"Ilse Varga", "ilsevarga12", strings.Repeat("x", 1025), "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5"} {
			err := a.SetApplicantPassword(ctx, own, accounts.PasswordChange{New: bad, Fresh: true})
			if admitto.KindOf(err) != admitto.InvalidParameter {
				t.Errorf("%q: %v", bad, err)
			}
		}
		other, mine := [32]byte{1}, [32]byte{2}
		sessions := func(want int64) {
			t.Helper()
			if n := d.Count("session"); n != want {
				t.Errorf("%d sessions, want %d", n, want)
			}
		}
		d.Session(id, other)
		d.Session(id, mine)
		d.Session(id+1, [32]byte{3})
		set := func(change accounts.PasswordChange) error {
			change.Keep = mine
			return a.SetApplicantPassword(ctx, own, change)
		}
		if err := set(accounts.PasswordChange{New: goodPassword}); err != nil {
			t.Fatal(err)
		}
		sessions(2)
		if m := d.Mail(); !strings.Contains(m.Subject, "was changed") || d.Readable(goodPassword) {
			t.Errorf("%+v", m)
		}
		d.WantSince(last, "Applicant password was changed", "E-mail was sent: applicant-password-changed")
		who, err := signIn(d, "ILSE@example.org", "Bla\u030Abær & grøt") // the å of another keyboard
		if err != nil || who.ID != id || !who.HasPassword || who.First || who.ChangePassword {
			t.Errorf("%+v, %v", who, err)
		}
		wantCode(t, set(accounts.PasswordChange{New: "Another of them"}), "sign-in-wrong")
		wantCode(t, set(accounts.PasswordChange{New: "Another of them", Old: goodPassword + " "}), "sign-in-wrong")
		if err := set(accounts.PasswordChange{New: "Another of them", Old: goodPassword}); err != nil {
			t.Error(err)
		}
		if err := set(accounts.PasswordChange{New: "A third of them", Fresh: true}); err != nil {
			t.Error(err)
		}
		_, err = signIn(d, "ilse@example.org", goodPassword)
		wantCode(t, err, "sign-in-wrong")
		if err := a.BlockApplicant(ctx, servicestest.Staff(), id); err != nil {
			t.Error(err)
		}
		sessions(1)
		_, err = signIn(d, "ilse@example.org", goodPassword)
		wantCode(t, err, "sign-in-wrong")
		_, err = signIn(d, "ilse@example.org", "A third of them")
		wantCode(t, err, "account-blocked")
		servicestest.WantKind(t, set(accounts.PasswordChange{New: goodPassword, Fresh: true}), admitto.ChangedMeanwhile)
		for _, nobody := range []usecase.Caller{{}, servicestest.Staff()} {
			err := a.SetApplicantPassword(ctx, nobody, accounts.PasswordChange{New: goodPassword, Fresh: true})
			servicestest.WantKind(t, err, admitto.NotPermitted)
		}
		d.Sound(goodPassword)
	})
}

// From the 6th failure on attempts wait, whether there is such an account or not, and longer each time; an hour after
// the last none does.
func TestApplicantSignInWaits(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id, _ := d.Registered("ilse@example.org")
		err := d.Services.Accounts.SetApplicantPassword(t.Context(), servicestest.As(admitto.ByApplicant, id),
			accounts.PasswordChange{New: goodPassword, Fresh: true})
		if err != nil {
			t.Fatal(err)
		}
		try := func(password string) [2]error {
			_, known := signIn(d, "ilse@example.org", password)
			_, unknown := signIn(d, "nobody@example.org", password)
			return [2]error{known, unknown}
		}
		for range 6 {
			for _, err := range try("wrong") {
				wantCode(t, err, "sign-in-wrong")
			}
		}
		for _, wait := range []int{1, 2, 4} {
			for _, err := range try(goodPassword) {
				if e := wantCode(t, err, "sign-in-throttled"); e.RetryAfter != wait {
					t.Errorf("%d seconds, want %d", e.RetryAfter, wait)
				}
			}
			d.Clock.Add(admitto.Time(wait) * admitto.Second)
			for _, err := range try("wrong") {
				wantCode(t, err, "sign-in-wrong")
			}
		}
		d.Clock.Add(admitto.Hour)
		if _, err := signIn(d, "ilse@example.org", goodPassword); err != nil {
			t.Error(err)
		}
	})
}

// Who was sent a password changes it at the first sign-in, which makes an applicant of a lead.
func TestPasswordThatWasMade(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Write("INSERT INTO email_template (code, language, subject, body) VALUES ('applicant-welcome-api', 'en', 'W', '%applicant-Password%')")
		id := d.Create(accounts.NewApplicant{Name: admitto.SplitName("Bo Lind"), Email: "bo@example.org"})
		password := strings.TrimSpace(d.Mail().Text)
		last := len(d.Journal())
		who, err := signIn(d, "bo@example.org", password)
		if err != nil || who.ID != id || !who.ChangePassword || !who.First || who.Lead {
			t.Errorf("%+v, %v", who, err)
		}
		d.WantSince(last, "Lead was activated")
		m, err := d.Services.Accounts.ApplicantMember(t.Context(), id)
		if err != nil || !m.ChangePassword {
			t.Errorf("%+v, %v", m, err)
		}
		err = d.Services.Accounts.SetApplicantPassword(t.Context(), servicestest.As(admitto.ByApplicant, id),
			accounts.PasswordChange{New: goodPassword, Old: password})
		if err != nil {
			t.Error(err)
		}
		if who, err := signIn(d, "bo@example.org", goodPassword); err != nil || who.ChangePassword || who.First {
			t.Errorf("%+v, %v", who, err)
		}
		d.Sound(password)
	})
}

func FuzzPassword(f *testing.F) {
	for _, s := range []string{"", "password123", goodPassword, "\xff", "e\u0301e\u0301", strings.Repeat("é", 600),
		"1234567890"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, password string) {
		fault := accounts.PasswordFault(password, "Ilse Varga", "ilse@example.org")
		if again := accounts.PasswordFault(password, "Ilse Varga", "ilse@example.org"); again.String() != fault.String() {
			t.Errorf("%q: %v, %v", password, fault, again)
		}
		if fault.IsZero() && (len([]rune(password)) < 10 && !strings.ContainsRune(password, '\u0301') && len(password) < 10) {
			t.Errorf("%q is taken", password)
		}
	})
}

// An attempt that began later than another may be counted before it: that does not stop the other, whose password is
// right.
func TestSignInNextToLaterAttempts(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		id, _ := d.Registered("ilse@example.org")
		own := servicestest.As(admitto.ByApplicant, id)
		change := accounts.PasswordChange{New: goodPassword, Fresh: true}
		if err := d.Services.Accounts.SetApplicantPassword(t.Context(), own, change); err != nil {
			t.Fatal(err)
		}
		d.Clock.Add(3)
		for _, email := range []string{"ilse@example.org", "nobody@example.org"} {
			_, err := signIn(d, email, "wrong")
			wantCode(t, err, "sign-in-wrong")
		}
		d.Clock.Add(-3)
		if _, err := signIn(d, "ilse@example.org", goodPassword); err != nil {
			t.Error(err)
		}
	})
}
