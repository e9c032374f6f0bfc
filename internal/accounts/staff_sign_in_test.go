package accounts_test

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/pquerna/otp/totp"
)

var (
	kimsPassword = "correct horse battery"
	kimsHash     = seal.HashPassword(kimsPassword)
	home         = netip.MustParseAddr("192.0.2.7")
)

// codeOf is the code of a refusal, "" for none.
func codeOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *admitto.Error
	if !errors.As(err, &e) || len(e.Faults) != 1 {
		t.Fatalf("no refusal with a code: %v", err)
	}
	return e.Faults[0].Code
}

// results are what the access log says, oldest first.
func results(t *testing.T, d *servicestest.Desk) (list []admitto.LoginResult) {
	t.Helper()
	logins, _, err := d.Services.Accounts.Logins(t.Context(), admitto.SystemCaller(), admitto.PageQuery{Page: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range logins {
		list = append(list, l.Result)
	}
	return list
}

func TestSignInStaff(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		staff(t, d, 50, "kim@example.edu", kimsHash, 2, 3)
		staff(t, d, 51, "new@example.edu", "", 2)
		staff(t, d, 52, "gone@example.edu", kimsHash, 2)
		staff(t, d, 53, "over@example.edu", kimsHash, 2)
		staff(t, d, 54, "out@example.edu", kimsHash, 2)
		run(t, d, "UPDATE administrator SET removed = TRUE WHERE id = 52")
		run(t, d, "UPDATE administrator SET valid_until = '2026-03-08' WHERE id = 53")
		run(t, d, "UPDATE administrator SET suspended = TRUE WHERE id = 54")
		for _, c := range []struct {
			email, password, code string
			logged                admitto.LoginResult
		}{
			{"kim@example.edu", kimsPassword, "", admitto.LoginSuccess},
			{" KIM@Example.EDU ", kimsPassword, "", admitto.LoginSuccess},
			{"kim@example.edu", "wrong", "sign-in-wrong", admitto.LoginWrongPassword},
			{"kim@example.edu", "", "sign-in-wrong", admitto.LoginWrongPassword},
			{"nobody@example.edu", kimsPassword, "sign-in-wrong", admitto.LoginWrongPassword},
			{"new@example.edu", "", "sign-in-wrong", admitto.LoginWrongPassword},
			{"gone@example.edu", kimsPassword, "sign-in-wrong", admitto.LoginWrongPassword},
			{"over@example.edu", kimsPassword, "sign-in-wrong", admitto.LoginExpired},
			{"out@example.edu", kimsPassword, "sign-in-wrong", admitto.LoginBlocked},
		} {
			who, err := d.Services.Accounts.SignInStaff(t.Context(),
				accounts.SignIn{Email: c.email, Password: c.password, Network: home})
			if code := codeOf(t, err); code != c.code || (who.Account == 50) != (code == "") || who.NeedsSecondFactorSetup {
				t.Errorf("%s: %+v, %v", c.email, who, err)
			}
			list := results(t, d)
			if last := list[len(list)-1]; last != c.logged {
				t.Errorf("%s: %s is logged", c.email, last)
			}
		}
		if n := d.Number("SELECT count(*) FROM login WHERE administrator_id = 50 AND role_id = 2 AND ip = '192.0.2.7'"); n != 4 {
			t.Errorf("%d sign-ins of Kim are logged", n)
		}
		if n := d.Count("sign_in_failure"); n != 7 {
			t.Errorf("%d failures are counted", n)
		}
		m, err := d.Services.Accounts.StaffMember(t.Context(), 50)
		if err != nil || m.LastSignIn != d.Clock.Now() || len(m.Roles) != 2 || !m.Permissions.Has(admitto.ApplicantsEdit) ||
			!m.Preferences.Shortcuts || m.HasSecondFactor {
			t.Errorf("%+v, %v", m, err)
		}
		for _, id := range []int64{52, 53, 54, 99} {
			_, err := d.Services.Accounts.StaffMember(t.Context(), id)
			servicestest.WantKind(t, err, admitto.NotFound)
		}
		d.Sound("kim@example.edu", kimsPassword)
	})
}

// What built-in and custom roles permit adds up.
func TestPermissionsOfRoles(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		run(t, d, "INSERT INTO role (id, name) VALUES (101, 'International office')")
		run(t, d, "INSERT INTO role_permission (role_id, permission) VALUES (101, 'trackers'), (101, 'of-another-release')")
		staff(t, d, 50, "kim@example.edu", kimsHash, 6, 101)
		m, err := d.Services.Accounts.StaffMember(t.Context(), 50)
		want := admitto.PermissionsOf(admitto.InstitutionsEdit, admitto.CoursesEdit, admitto.TemplatesEdit,
			admitto.TrackersEdit)
		if err != nil || m.Permissions != want {
			t.Errorf("%v, %v", m.Permissions.List(), err)
		}
	})
}

// After the fifth failure an attempt waits ever longer, and the right password is let in when the wait is over.
func TestThrottledAccount(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		staff(t, d, 50, "kim@example.edu", kimsHash, 2)
		networks := 0
		try := func(password string) error {
			networks++ // each from another one
			_, err := d.Services.Accounts.SignInStaff(t.Context(), accounts.SignIn{Email: "kim@example.edu", Password: password,
				Network: netip.AddrFrom4([4]byte{10, 0, byte(networks >> 8), byte(networks)})})
			return err
		}
		for range 6 {
			if code := codeOf(t, try("wrong")); code != "sign-in-wrong" {
				t.Fatalf("refused as %s", code)
			}
		}
		for _, seconds := range []int{1, 2, 4, 8, 16, 32, 60, 60} {
			for range 3 { // what is refused does not count
				err := try(kimsPassword)
				if code := codeOf(t, err); code != "sign-in-throttled" {
					t.Fatalf("after %d seconds' wait: refused as %q", seconds, code)
				}
				if got := servicestest.WantKind(t, err, admitto.NotAllowedNow).RetryAfter; got != seconds {
					t.Fatalf("to wait %d seconds, want %d", got, seconds)
				}
			}
			d.Clock.Add(admitto.Time(seconds) * admitto.Second)
			if code := codeOf(t, try("wrong")); code != "sign-in-wrong" {
				t.Fatalf("refused as %s", code)
			}
		}
		d.Clock.Add(60 * admitto.Second)
		if err := try(kimsPassword); err != nil {
			t.Errorf("locked out: %v", err)
		}
		d.Clock.Add(admitto.Hour)
		for range 6 {
			if code := codeOf(t, try("wrong")); code != "sign-in-wrong" {
				t.Errorf("what was an hour ago counts: %s", code)
			}
		}
		d.Clock.Add(2 * admitto.Hour)
		if err := d.Services.Accounts.TidyAccounts(t.Context(), admitto.SystemCaller()); err != nil ||
			d.Count("sign_in_failure") != 0 {
			t.Errorf("%d failures are kept, %v", d.Count("sign_in_failure"), err)
		}
	})
}

// A network address has 20 failures, over all accounts, known or not; the addresses of an IPv6 network are one.
func TestThrottledNetwork(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		staff(t, d, 50, "kim@example.edu", kimsHash, 2)
		for i := range 21 {
			_, err := d.Services.Accounts.SignInStaff(t.Context(), accounts.SignIn{Email: fmt.Sprintf("p%d@example.edu", i),
				Password: "x", Network: netip.MustParseAddr(fmt.Sprintf("2001:db8:1:2::%x", i+1))})
			if code := codeOf(t, err); code != "sign-in-wrong" {
				t.Fatalf("%d: %s", i, code)
			}
		}
		in := accounts.SignIn{Email: "kim@example.edu", Password: kimsPassword,
			Network: netip.MustParseAddr("2001:db8:1:2:3::1")}
		if _, err := d.Services.Accounts.SignInStaff(t.Context(), in); codeOf(t, err) != "sign-in-throttled" {
			t.Errorf("%v", err)
		}
		in.Network = netip.MustParseAddr("2001:db8:1:3::1")
		if _, err := d.Services.Accounts.SignInStaff(t.Context(), in); err != nil {
			t.Error(err)
		}
		in.Network = netip.MustParseAddr("2001:db8:1:2:3::1")
		d.Clock.Add(admitto.Second)
		if _, err := d.Services.Accounts.SignInStaff(t.Context(), in); err != nil {
			t.Error(err)
		}
	})
}

func TestSecondFactor(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
		staff(t, d, 50, "kim@example.edu", kimsHash, 1)
		staff(t, d, 51, "lee@example.edu", kimsHash, 1)
		run(t, d, "UPDATE administrator SET second_factor = $1 WHERE id = 50", servicestest.Sealed("second factor", secret))
		hash := seal.TokenHash("ABCDEFGHIJ234567")
		run(t, d, "INSERT INTO recovery_code (administrator_id, hash) VALUES (50, $1)", hash[:])
		signIn := func(code string) (accounts.SignedIn, error) {
			return d.Services.Accounts.SignInStaff(t.Context(), accounts.SignIn{Email: "kim@example.edu", Password: kimsPassword,
				Code: code, Network: home})
		}
		codeAt := func(after time.Duration) string {
			code, err := totp.GenerateCode(secret, d.Clock.Now().Std().Add(after))
			if err != nil {
				t.Fatal(err)
			}
			return code
		}
		want := func(code, refusal string) {
			t.Helper()
			if _, err := signIn(code); codeOf(t, err) != refusal {
				t.Errorf("%q: %v, want %q", code, err, refusal)
			}
		}
		want("", "code-needed")
		if d.Count("sign_in_failure") != 0 || d.Count("login") != 0 {
			t.Error("a missing code is a failure")
		}
		first, early := codeAt(0), codeAt(-30*time.Second)
		want(codeAt(-time.Minute), "code-wrong")
		want(first[:3]+" "+first[3:], "")
		want(first, "code-wrong") // not twice
		want(early, "code-wrong") // nor an earlier one then
		want("abcd-efgh ij23-4567", "")
		want("abcd-efgh-ij23-4567", "code-wrong")
		d.Clock.Add(2 * admitto.Hour)
		want(codeAt(time.Minute), "code-wrong")
		want(codeAt(30*time.Second), "")
		for _, code := range []string{"00000", "0000000", "é23456", "-", "x"} {
			d.Clock.Add(2 * admitto.Hour)
			want(code, "code-wrong")
		}
		if list := results(t, d); list[0] != admitto.LoginWrongCode {
			t.Errorf("%v", list)
		}
		required := d.Another(d.Store, d.Post, func(s *config.Settings) {
			s.Signin.SecondFactor = config.SecondFactorRequired
		})
		who, err := required.Accounts.SignInStaff(t.Context(),
			accounts.SignIn{Email: "lee@example.edu", Password: kimsPassword,
				Network: home})
		if err != nil || !who.NeedsSecondFactorSetup {
			t.Errorf("%+v, %v", who, err)
		}
		d.Clock.Add(admitto.Hour)
		who, err = required.Accounts.SignInStaff(t.Context(),
			accounts.SignIn{Email: "kim@example.edu", Password: kimsPassword,
				Code: codeAt(0), Network: home})
		if err != nil || who.NeedsSecondFactorSetup {
			t.Errorf("%+v, %v", who, err)
		}
	})
}

// Attempts at the same time count together.
func TestThrottledAtTheSameTime(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		staff(t, d, 50, "kim@example.edu", kimsHash, 2)
		refusals := make(chan error, 30)
		for range cap(refusals) {
			go func() {
				_, err := d.Services.Accounts.SignInStaff(t.Context(), accounts.SignIn{Email: "kim@example.edu", Password: "wrong",
					Network: home})
				refusals <- err
			}()
		}
		tried := 0
		for range cap(refusals) {
			if codeOf(t, <-refusals) == "sign-in-wrong" {
				tried++
			}
		}
		// On PostgreSQL those that hold a slot may not see one another.
		if tried < 6 || tried > 6+cap(refusals)/2 {
			t.Errorf("%d passwords were tried", tried)
		}
	})
}
