package admin_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

const password = "lamp bridge stone"

var passwordHash = seal.HashPassword(password)

// office is an instance with its roles on either engine.
func office(t *testing.T, d *servicestest.Desk) *sitetest.Instance {
	t.Helper()
	if err := d.Store.Seed(t.Context(), "Northfield University", 2026); err != nil {
		t.Fatal(err)
	}
	d.Must(d.Store.Write(t.Context(), func(tx *store.Tx) error { // the fixtures choose IDs below
		return errors.Join(tx.SkipIDs("administrator", 100), tx.SkipIDs("role", 200))
	}))
	return sitetest.On(d)
}

// canSignIn gives somebody the password of these tests.
func canSignIn(i *sitetest.Instance, id int64) {
	i.Put(fmt.Sprintf("UPDATE administrator SET password = '%s', email_key = email WHERE id = %d", passwordHash, id))
}

// wants fails when a page has not the heading, or does not say a text.
func wants(t *testing.T, p *sitetest.Page, heading string, says ...string) *sitetest.Page {
	t.Helper()
	if p.Text("h1") != heading {
		t.Fatalf("%s: %q instead of %q: %.600s", p.Path, p.Text("h1"), heading, p.Text("main"))
	}
	for _, s := range says {
		if !strings.Contains(p.Text("main"), s) {
			t.Errorf("%s does not say %q: %.1500s", p.Path, s, p.Text("main"))
		}
	}
	return p
}

// signedIn is somebody who signed in with the password alone.
func signedIn(i *sitetest.Instance, email string) *sitetest.Visitor {
	v := i.Visitor()
	v.Open("/admin/sign-in").Submit("Sign in", "email", email, "password", password)
	return v
}

var link = regexp.MustCompile(`https://admissions\.example\.edu(/(?:admin|setup)/[^\s")]+)`)

// lastLink is the path of the link of the last mail.
func lastLink(t *testing.T, d *servicestest.Desk) string {
	t.Helper()
	if _, err := d.Services.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
		t.Fatal(err)
	}
	list := d.Post.Taken()
	if len(list) == 0 {
		t.Fatal("there is no mail")
	}
	found := link.FindStringSubmatch(list[len(list)-1].Text)
	if found == nil {
		t.Fatalf("no link in %s", list[len(list)-1].Text)
	}
	return found[1]
}

// TestSetUp sets an instance up without scripts; a wrong mail server takes nothing away, and the link works once.
func TestSetUp(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		address, err := d.Services.Maintenance.NewSetupLink(t.Context(), admitto.SystemCaller())
		if err != nil {
			t.Fatal(err)
		}
		path := link.FindStringSubmatch(address)[1]
		wants(t, i.Visitor().Open("/setup/other"), "Set up this instance", "admitto setup-link")
		v := i.Visitor()
		page := wants(t, v.Open(path), "Set up this instance", "1. The instance", "2. You", "3. E-mail")
		page = page.Submit("Create", "name", "", "email", "mara", "password", "1234567890", "password_again", "1234567890",
			"instance_timezone", "Nowhere", "mail_smtp", "")
		if len(page.Errors()) != 4 || page.Find("#f-email").AttrOr("value", "") != "mara" ||
			!slices.ContainsFunc(page.Errors(), func(s string) bool {
				return strings.HasSuffix(s, "such as Europe/Lisbon or "+
					"Africa/Lagos")
			}) {
			t.Errorf("%v", page.Errors())
		}
		if page = page.Submit("Send test", "mail_smtp", "mail.example.edu"); len(page.Errors()) != 1 ||
			!strings.Contains(page.Errors()[0], "with its kind in front") {
			t.Errorf("%v", page.Errors())
		}
		page = page.Submit("Create", "password_again", "other", "password", "1234567890", "mail_smtp",
			"smtp://127.0.0.1:1?tls=none")
		var wrong []string // all at once, in the order of the page
		for _, link := range page.Find(".errors a").EachIter() {
			wrong = append(wrong, strings.TrimPrefix(link.AttrOr("href", ""), "#f-"))
		}
		if got := strings.Join(wrong, " "); got != "instance-timezone name email password password-again mail-smtp" {
			t.Error(got, page.Errors())
		}
		page = page.Submit("Send test", "mail_smtp", "smtp://127.0.0.1:1?tls=none", "name", "Mara Lind", "email",
			"mara@example.edu", "password", password, "password_again", password, "instance_timezone", "Europe/Lisbon")
		if len(page.Errors()) != 1 || !strings.Contains(page.Errors()[0], "It says: ") ||
			page.Find("#f-name").AttrOr("value", "") != "Mara Lind" ||
			page.Find("#f-instance-timezone").AttrOr("value", "") != "Europe/Lisbon" || strings.Contains(page.Body, password) {
			t.Errorf("%v %s", page.Errors(), page.Text("form"))
		}
		if page = page.Submit("Create"); len(page.Errors()) != 1 { // the server is asked again
			t.Errorf("%v", page.Errors())
		}
		page = wants(t, page.Submit("Create", "mail_later", "yes"), "Dashboard", "The instance is set up.")
		if page.Path != "/admin/" || d.Journal()[0].Pattern == "" {
			t.Error(page.Path)
		}
		if text := v.Open("/admin/account").Text("main"); strings.Contains(text, "Never") {
			t.Error(text)
		}
		if page = v.Open(path); page.Status != 404 {
			t.Error("the link works twice: ", page.Status)
		}
		if page = i.Visitor().Post(path, url.Values{}); page.Status != 404 {
			t.Error(page.Status)
		}
		wants(t, signedIn(i, "mara@example.edu").Open("/admin/account"), "My account", "Superuser")
	})
}

// withFactor gives somebody a second factor, and returns its secret.
func withFactor(t *testing.T, d *servicestest.Desk, id int64) string {
	t.Helper()
	by := usecase.Caller{Caller: admitto.AdministratorCaller(id, 0, "r1")}
	f, err := d.Services.Accounts.BeginSecondFactor(t.Context(), by)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Services.Accounts.ConfirmSecondFactor(t.Context(), by, codeNow(t, d, f.Secret)); err != nil {
		t.Fatal(err)
	}
	d.Clock.Add(2 * admitto.Minute)
	return f.Secret
}

// codeNow is the code that an app shows.
func codeNow(t *testing.T, d *servicestest.Desk, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, d.Clock.Now().Std())
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// TestSignIn keeps the page that was asked for, asks for the code in a step of its own, takes no code twice, and makes
// those wait who fail.
func TestSignIn(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		mara := i.Superuser("Mara Lind")
		canSignIn(i, mara)
		secret := withFactor(t, d, mara)
		canSignIn(i, i.Superuser("Ada Boss"))
		code := func() string { return codeNow(t, d, secret) }
		v := i.Visitor()
		page := wants(t, v.Open("/admin/roles"), "Sign in")
		page = wants(t, page.Submit("Sign in", "email", "mara.lind@example.edu", "password", password), "Enter your code")
		if page.Status != 200 || page.Find("[name=password]").Length() != 0 || strings.Contains(page.Body, password) {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		first := page
		page = wants(t, page.Submit("Sign in", "code", "000000"), "Enter your code", "The code is not right")
		page = wants(t, page.Submit("Sign in", "code", code()), "Roles and permissions")
		if page.Path != "/admin/roles" {
			t.Error(page.Path)
		}
		// Somebody who saw the code and the form gets nowhere.
		other := i.Visitor()
		again := other.Open("/admin/sign-in").Submit("Sign in", "email", "mara.lind@example.edu", "password", password)
		wants(t, again.Submit("Sign in", "code", code()), "Enter your code", "used before")
		d.Clock.Add(5*admitto.Minute + 1)
		wants(t, again.Submit("Sign in", "code", code()), "Sign in", "longer than five minutes")
		wants(t, first.Submit("Sign in", "code", code(), "code_step", "AAAA"), "Sign in", "Sign in again")

		// The same answer for who there is and who there is not; a delay that ends.
		d.Clock.Add(2 * admitto.Hour)
		wrong := func(email string) *sitetest.Page {
			return i.Visitor().Open("/admin/sign-in").Submit("Sign in", "email", email, "password", "wrong")
		}
		if a, b := wrong("ada.boss@example.edu"), wrong("nobody@example.edu"); a.Text("main") != b.Text("main") ||
			a.Status != b.Status {
			t.Errorf("%s\n%s", a.Text("main"), b.Text("main"))
		}
		for range 5 {
			wrong("ada.boss@example.edu")
		}
		late := i.Visitor().Open("/admin/sign-in").Submit("Sign in", "email", "ada.boss@example.edu", "password", password)
		if len(late.Errors()) != 1 || !strings.Contains(late.Errors()[0], "too many failed attempts") ||
			late.Find("#f-email").AttrOr("value", "") != "ada.boss@example.edu" {
			t.Errorf("%v", late.Errors())
		}
		d.Clock.Add(admitto.Minute)
		wants(t, late.Submit("Sign in", "password", password), "Dashboard")
	})
}

// TestFirstPage leads those to a page of use who see nothing of the dashboard.
func TestFirstPage(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		canSignIn(i, i.Administrator("Ines Roles", admitto.AdministratorsEdit))
		canSignIn(i, i.Administrator("Rui Reports", admitto.ReportsView))
		canSignIn(i, i.Administrator("Nuno None"))
		canSignIn(i, i.Administrator("Ada Adds", admitto.ApplicantsEdit))
		canSignIn(i, i.Administrator("Tim Tasks", admitto.TasksEdit))
		canSignIn(i, i.Administrator("Finn Fees", admitto.AccountingEdit))
		for name, want := range map[string]string{"ines.roles": "/admin/administrators", "rui.reports": "/admin/",
			"nuno.none": "/admin/", "ada.adds": "/admin/applicants/new", "tim.tasks": "/admin/batches",
			"finn.fees": "/admin/"} {
			page := i.Visitor().Open("/admin/sign-in").Submit("Sign in", "email", name+"@example.edu", "password", password)
			if page.Path != want {
				t.Errorf("%s lands on %s, want %s", name, page.Path, want)
			}
			if name == "finn.fees" && !strings.Contains(page.Text("main"), "is of little use without") {
				t.Errorf("what is missing is not said: %s", page.Text("main"))
			}
		}
	})
}

// TestFromAnotherSite promises to keep what was typed only to who is known.
func TestFromAnotherSite(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		boss := i.Staff(i.Superuser("Ada Boss"))
		for path, v := range map[string]*sitetest.Visitor{"/admin/sign-in": i.Visitor(), "/admin/applicants/new": boss} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("email=x"))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			page := v.Send(r)
			text := page.Text("main")
			if page.Status != http.StatusForbidden || !strings.Contains(text, "Nothing was changed") ||
				strings.Contains(text, "is kept there") != (v == boss) {
				t.Errorf("%s: %d %s", path, page.Status, text)
			}
		}
	})
}

// TestInvitationAndReset invites somebody, who chooses a password and a second factor; a reset ends all sessions, and a
// recovery code works once.
func TestInvitationAndReset(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		boss := i.Staff(i.Superuser("Ada Boss"))
		page := wants(t, boss.Open("/admin/administrators/invite"), "Invite an administrator")
		page = page.Submit("Invite", "name", "", "email", "nobody", "roles", "8", "until-day", "31", "until-month", "2",
			"until-year", "2027")
		if len(page.Errors()) != 3 || page.Find("#f-email").AttrOr("value", "") != "nobody" ||
			page.Find("[name=roles][value='8'][checked]").Length() != 1 {
			t.Errorf("%v", page.Errors())
		}
		page = page.Submit("Invite", "until-day", "", "until-month", "", "until-year", "")
		if len(page.Errors()) != 2 {
			t.Errorf("%v", page.Errors())
		}
		page = page.Submit("Invite", "name", "Kim Doe", "email", "kim@example.edu")
		wants(t, page, "Kim Doe", "An invitation is on its way", "Invited", "Accountant")
		path := lastLink(t, d)

		kim := i.Visitor()
		page = wants(t, kim.Open(path), "Welcome", "Hello Kim Doe")
		page = wants(t, page.Submit("Save password", "password", "short", "password_again", "other"), "Welcome", "differ")
		page = wants(t, page.Submit("Save password", "password", "short", "password_again", "short"), "Welcome",
			"at least 10")
		form := page
		page = wants(t, form.Submit("Save password", "password", password, "password_again", password), "Second factor",
			"strength: strong")
		typed := sitetest.TypedWith(form, "password", password, "password_again", password)
		wants(t, kim.Post(path, typed), "Second factor") // pressed twice
		wants(t, i.Visitor().Post(path, typed), "This link is used up")
		if n := d.Count("outbox"); n != 0 {
			t.Errorf("a button that is pressed again sends %d mails", n)
		}
		if page.Find("svg.qr path").Length() != 1 {
			t.Error("there is no QR code")
		}
		secret := strings.ReplaceAll(page.Text("#secret"), " ", "")
		page = wants(t, page.Submit("Set up", "code", "000000"), "Second factor", "The code is not right")
		if strings.ReplaceAll(page.Text("#secret"), " ", "") != secret {
			t.Error("a wrong code changes the secret")
		}
		page = wants(t, page.Submit("Set up", "code", codeNow(t, d, secret)), "Your recovery codes")
		codes := strings.Fields(page.Find("#codes").Text())
		if len(codes) != 10 {
			t.Fatalf("%v", codes)
		}
		wants(t, kim.Open("/admin/account/second-factor"), "Second factor", "is on", "10 of 10 recovery codes left.")
		wants(t, i.Visitor().Open(path), "This link is used up")

		sentence := wants(t, i.Visitor().Open("/admin/reset").Submit("Send the link", "email", "nobody@example.edu"),
			"Look into your mailbox").Text("main")
		if got := i.Visitor().Open("/admin/reset").Submit("Send the link", "email", "kim@example.edu"); got.Text("main") !=
			sentence {
			t.Errorf("%s", got.Text("main"))
		}
		path = lastLink(t, d)
		d.Clock.Add(admitto.Hour)
		over := wants(t, i.Visitor().Open(path), "This link is used up")
		wants(t, over.Submit("Ask for a new link"), "Look into your mailbox")
		path = lastLink(t, d)
		if page = kim.Open("/admin/account"); page.Path != "/admin/account" {
			t.Fatal(page.Path)
		}
		fresh := i.Visitor()
		page = fresh.Open(path).Submit("Save password", "password", "another good one", "password_again", "another good one")
		wants(t, page, "Sign in", "Sign in with it now")
		wants(t, kim.Open("/admin/account"), "Sign in") // its session is over
		enter := func() *sitetest.Page {
			return wants(t, fresh.Open("/admin/sign-in").Submit("Sign in", "email", "kim@example.edu", "password",
				"another good one"), "Enter your code")
		}
		page = enter().Submit("Sign in", "code", codes[3])
		if page.Path == "/admin/sign-in" {
			t.Error(page.Text("main"))
		}
		wants(t, page, "Dashboard", "You used up a recovery code. 9 are left.")
		page = wants(t, fresh.Open("/admin/account"), "My account", "9 of 10 recovery codes left.")
		if button := page.Text("#sign-in a[href='/admin/account/second-factor']"); button != "Change Second factor" {
			t.Error(button)
		}
		fresh = i.Visitor()
		page = wants(t, enter().Submit("Sign in", "code", codes[3]), "Enter your code", "used before")
		page.Submit("Sign in", "code", codes[4])
		d.Write("UPDATE recovery_code SET used = 1 WHERE used IS NULL")
		page = wants(t, fresh.Open("/admin/account"), "My account", "0 of 10 recovery codes left.")
		if page.Find("#sign-in .tag.warn").Length() != 1 {
			t.Error(page.Text("main"))
		}
		wants(t, fresh.Open("/admin/account/second-factor"), "Second factor", "0 of 10 recovery codes left. Make new ones")
		wants(t, i.Visitor().Open("/admin/reset/xyz"), "This link does not work")
	})
}

// TestEmailOfStaff changes the own address by a link, whose button may be pressed twice; the own one is none to change
// to.
func TestEmailOfStaff(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		mara := i.Superuser("Mara Lind")
		canSignIn(i, mara)
		v := signedIn(i, "mara.lind@example.edu")
		page := wants(t, v.Open("/admin/account/email"), "Change e-mail address", "Now: mara.lind@example.edu")
		page = wants(t, page.Submit("Send the link", "email", "mara.lind@example.edu"), "Change e-mail address",
			"This is your address already")
		if n := d.Count("outbox"); n != 0 {
			t.Errorf("%d mails", n)
		}
		wants(t, page.Submit("Send the link", "email", "mara@example.edu"), "My account", "We sent a link to mara@")
		path, other := lastLink(t, d), i.Visitor()
		page = wants(t, other.Open(path), "Confirm your e-mail address", "Press the button")
		wants(t, page.Submit("Confirm this address"), "Sign in", "Your e-mail address is mara@example.edu now.")
		if _, err := d.Services.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err) // the former address is told
		}
		for _, again := range []*sitetest.Page{other.Post(path, url.Values{}), other.Open(path), v.Open(path)} {
			wants(t, again, "Confirm your e-mail address", "Your e-mail address is mara@example.edu now.")
		}
		if n := d.Count("outbox"); n != 0 {
			t.Errorf("a button that is pressed again sends %d mails", n)
		}
		page = wants(t, v.Open("/admin/account"), "My account", "mara@example.edu")
		if page.Text("a[href='/admin/account/email']") != "Change E-mail" {
			t.Error(page.Text("#person"))
		}
	})
}

// TestFootChoosesForAccount chooses language and scheme in the foot of a page, whatever the account had chosen before.
func TestFootChoosesForAccount(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		id := i.Superuser("Mara Lind")
		v, other := i.Staff(id), i.Staff(id)
		v.Open("/admin/account/preferences").Submit("Save", "language", "ar", "scheme", "dark", "density", "comfortable")
		look := func(p *sitetest.Page) string {
			return p.Find("html").AttrOr("lang", "") + " " + p.Find("html").AttrOr("data-scheme", "")
		}
		if got := look(other.Open("/admin/")); got != "ar dark" {
			t.Error(got)
		}
		foot := func(kind, value string) {
			t.Helper()
			v.Open(v.Open("/admin/account").Find("a[href*='/choose/"+kind+"/"+value+"']").AttrOr("href", ""))
		}
		foot("language", "en")
		foot("scheme", "light")
		if got := look(v.Open("/admin/")) + ", " + look(other.Open("/admin/")); got != "en light, en light" {
			t.Error(got)
		}
		foot("scheme", "system")
		if got := look(v.Open("/admin/")); got != "en " {
			t.Error(got)
		}
		if page := v.Open("/admin/account/preferences"); page.Find("[value=comfortable][checked]").Length() != 1 {
			t.Error("the density is lost")
		}
		if page := v.Open("/admin/choose/language/xx"); page.Status != http.StatusNotFound {
			t.Error(page.Status)
		}
	})
}

// TestRequiredSecondFactor opens nothing but the page that sets a second factor up, until that is done.
func TestRequiredSecondFactor(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Services = d.Another(d.Store, d.Post, func(s *config.Settings) {
			s.Signin.SecondFactor = config.SecondFactorRequired
		})
		i := office(t, d)
		canSignIn(i, i.Superuser("Mara Lind"))
		v := i.Visitor()
		page := v.Open("/admin/roles").Submit("Sign in", "email", "mara.lind@example.edu", "password", password)
		wants(t, page, "Second factor", "All other pages open when it is set up")
		for _, path := range []string{"/admin/", "/admin/roles", "/admin/account/name", "/admin/styleguide"} {
			wants(t, v.Open(path), "Second factor")
		}
		if strings.Contains(page.Text("nav"), "Administrators") || page.Find("main a").Length() != 0 {
			t.Error(page.Text("body"))
		}
		secret := strings.ReplaceAll(page.Text("#secret"), " ", "")
		d.Clock.Add(11 * admitto.Minute)
		page = wants(t, page.Submit("Set up", "code", "123456"), "Confirm that it is you")
		page = wants(t, page.Submit("Go on", "password", password), "Second factor")
		wants(t, page.Submit("Set up", "code", codeNow(t, d, secret)), "Your recovery codes")
		wants(t, v.Open("/admin/roles"), "Roles and permissions")
	})
}
