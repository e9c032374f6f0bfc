package portal_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

func TestMain(m *testing.M) { os.Exit(apptest.Run(m)) }

// TestAccount changes what an applicant may change, and asks which value stays when somebody else was quicker.
func TestAccount(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		form := browser.Open("/my/account/person")
		want(t, form, "/my/account/person", "An invoice that you have already stays as it is.")
		if bad := form.Submit("Save", "family", ""); bad.Status != 422 ||
			bad.Find("#f-family").AttrOr("aria-invalid", "") == "" {
			t.Errorf("%d %v", bad.Status, bad.Errors())
		}
		name := `"><img src=x onerror=alert(1)>`
		saved := form.Submit("Save", "given", name, "phone", "+36 1 234", "citizenship", "EE")
		want(t, saved, "/my/account", "Estonia")
		if !strings.Contains(saved.Text(".kv"), name) {
			t.Error(saved.Text(".kv"))
		}
		emptied := browser.Open("/my/account/person").Submit("Save", "citizenship", "")
		if emptied.Status != 422 || emptied.Find("#f-citizenship").AttrOr("aria-invalid", "") == "" {
			t.Error(emptied.Status, emptied.Text("main"))
		}
		conflict := form.Submit("Save", "phone", "+47 2")
		if conflict.Status != 422 || !strings.Contains(conflict.Text("form"), "Saved meanwhile: +36 1 234") ||
			!strings.Contains(conflict.Text("form"), "Saved meanwhile: Estonia") {
			t.Fatalf("%d %s", conflict.Status, conflict.Text("form"))
		}
		want(t, conflict, conflict.Path, "You, in another tab or on another device, saved this meanwhile")
		want(t, conflict.Submit("Save", "keep.phone", "mine", "keep.given", "theirs", "keep.citizenship", "theirs"),
			"/my/account", "+47 2")

		// After the first submission only staff change the citizenship.
		i.Write("INSERT INTO academic_year (year, name, start) VALUES (2026, '2026/2027', '2026-09-01')",
			"INSERT INTO academic_term (id, year, type, name, start, grace, finish) VALUES (5, 2026, 1, 'Autumn 2026', '2026-09-01', '2026-08-15', '2027-02-28')",
			fmt.Sprintf("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted) VALUES (7, %d, 5, 'Submitted', 1, 1, 1)", id))
		fixed := browser.Open("/my/account/person")
		if fixed.Find("[name=citizenship]").Length() != 0 || !strings.Contains(fixed.Text("main"), "only we can change it") {
			t.Error(fixed.Text("main"))
		}
		browser.Open("/my/account/person").Submit("Save", "phone", "+47 3")
		again := fixed.Submit("Save", "phone", "+47 4")
		if again.Find("[name='keep.phone']").Length() == 0 || again.Find("[name='keep.citizenship']").Length() != 0 {
			t.Errorf("%d asks about what cannot be changed: %s", again.Status, again.Text("form"))
		}
		browser.Open("/my/account/person").Submit("Discard what I typed") // which is kept (screens.md U8)
		fixed = browser.Open("/my/account/person")
		want(t, fixed.Submit("Save", "citizenship", "FR", "phone", ""), "/my/account", "Estonia")
		want(t, browser.Open("/my"), "/my", "Submitted on 1 January 1970")
	})
}

var emailLink = regexp.MustCompile(`https://admissions\.example\.edu(/sign-in/e-mail/[A-Za-z0-9_-]+)`)

// TestNewAddress changes the address by a link to the new one. The old one is told, and other sessions end.
func TestNewAddress(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		second := i.Applicant(id)
		form := browser.Open("/my/account/e-mail")
		if bad := form.Submit("Send the link"); bad.Status != 422 || bad.Errors()[0] != "Enter your e-mail address" {
			t.Error(bad.Errors())
		}
		page := form.Submit("Send the link", "email", "new.one@example.org")
		want(t, page, "/my/account", "new.one@example.org waits to be confirmed.")
		if same := form.Submit("Send the link", "email", "ilse@example.org"); same.Status != 422 ||
			same.Errors()[0] != "This is your address already" {
			t.Error(same.Status, same.Errors())
		}
		want(t, browser.Open("/my/account"), "/my/account", "new.one@example.org waits to be confirmed.")
		link := ""
		told := false
		for _, m := range i.Mails() {
			if found := emailLink.FindStringSubmatch(m.Text); found != nil && m.To.Email == "new.one@example.org" {
				link = found[1]
			}
			told = told || m.To.Email == "ilse@example.org" && !emailLink.MatchString(m.Text)
		}
		if link == "" || !told {
			t.Fatalf("link %q, the old address is told: %t", link, told)
		}
		for range 2 {
			want(t, i.Visitor().Open(link), link, "n...e@example.org")
		}
		if i.Number("SELECT count(*) FROM applicant WHERE email_key = 'ilse@example.org'") != 1 {
			t.Error("looking at the link changes the address")
		}
		confirm := browser.Open(link)
		want(t, confirm.Submit("Use this address"), "/my/account", "new.one@example.org")
		want(t, second.Open("/my/account"), "/sign-in", "")
		want(t, browser.Open("/my/account"), "/my/account", "new.one@example.org")
		want(t, confirm.Submit("Use this address"), "/my/account", "This was already saved.")
		want(t, browser.Open(link), link, "Your account shows which address is in use.")

		// In another browser it leads to where one signs in; taken back, it does nothing.
		browser.Open("/my/account/e-mail").Submit("Send the link", "email", "third@example.org")
		dropped := browser.Open("/my/account").Submit("Keep the old address")
		if want(t, dropped, "/my/account", "new.one@example.org"); strings.Contains(dropped.Text(".kv"), "third") {
			t.Error("it is still waiting")
		}
		i.Mails()
		i.Registered("taken@example.org")
		page = browser.Open("/my/account/e-mail").Submit("Send the link", "email", "taken@example.org")
		want(t, page, "/my/account", "taken@example.org waits to be confirmed.") // as for a free one
		told = false
		for _, m := range i.Mails() {
			if m.To.Email == "taken@example.org" {
				told = strings.Contains(m.Text, "has an account already") && !emailLink.MatchString(m.Text)
			}
		}
		if !told {
			t.Error("the owner of the address is not told that it has an account")
		}

		// Pressed twice where nobody is signed in, it says the same; what another browser presses is dead.
		browser.Open("/my/account/e-mail").Submit("Send the link", "email", "phone@example.org")
		for _, m := range i.Mails() {
			if found := emailLink.FindStringSubmatch(m.Text); found != nil && m.To.Email == "phone@example.org" {
				link = found[1]
			}
		}
		onPhone, elsewhere := i.Visitor().Open(link), i.Visitor().Open(link)
		for range 2 {
			want(t, onPhone.Submit("Use this address"), "/sign-in", "Your new e-mail address is in use.")
		}
		if late := elsewhere.Submit("Use this address"); late.Status != 404 {
			t.Error(late.Status, late.Text("main"))
		}
	})
}

// TestPasswordsAndSessions changes a password with the old one, and ends sessions of other browsers.
func TestPasswordsAndSessions(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		want(t, browser.Open("/my/password").Submit("Save password", "password", goodPassword), "/my/account",
			"Your password is saved.")
		if text := browser.Open("/my/account").Text("main"); !strings.Contains(text, "You have a password.") {
			t.Error(text)
		}
		if i.Count("session") != 1 {
			t.Error("the token of the session did not change")
		}
		page := i.Visitor().Open("/sign-in?next=%2Fmy%2Faccount").Submit("Use my password", "email", "ilse@example.org")
		page = page.Submit("Sign in", "password", goodPassword)
		want(t, page, "/my/account", "ilse@example.org")
		form := browser.Open("/my/password")
		bad := form.Submit("Save password", "old-password", "not this one", "password", "Trallala og heisan")
		if bad.Status != 422 || len(bad.Errors()) != 1 || strings.Contains(bad.Body, "Trallala") {
			t.Errorf("%d %v", bad.Status, bad.Errors())
		}
		if bad = bad.Submit("Save password", "old-password", goodPassword, "password", "password"); bad.Status != 422 {
			t.Error(bad.Status)
		}
		third := i.Applicant(id)
		list := browser.Open("/my/account/sessions")
		if n := list.Find("section").Length(); n != 3 {
			t.Errorf("%d sessions: %s", n, list.Text("main"))
		}
		want(t, list, "/my/account/sessions", "Unknown device") // not what a program calls itself
		want(t, list.Submit("End this session"), "/my/account/sessions", "Signed out there.")
		want(t, browser.Open("/my/account/sessions").Submit("End all other sessions"), "/my/account/sessions", "This session")
		want(t, third.Open("/my"), "/sign-in", "")
		want(t, form.Submit("Save password", "old-password", goodPassword, "password", "Trallala og heisan"), "/my/account",
			"")
	})
}

// TestPasswordMadeForThem asks who signs in by a password that was sent for one of their own before anything else.
func TestPasswordMadeForThem(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		want(t, browser.Open("/my/password").Submit("Save password", "password", goodPassword), "/my/account", "")
		i.Put(fmt.Sprintf("UPDATE applicant SET password_temporary = TRUE WHERE id = %d", id))
		visitor := i.Visitor()
		page := visitor.Open("/sign-in").Submit("Use my password", "email", "ilse@example.org")
		page = page.Submit("Sign in", "password", goodPassword)
		want(t, page, "/my/password", "Choose one of your own")
		want(t, visitor.Open("/my/account"), "/my/password", "Choose one of your own")
		want(t, page.Submit("Save password", "password", "Trallala og heisan"), "/my", "You have no application yet")
	})
}

// TestDisplay keeps language and scheme with the account, however they are chosen.
func TestDisplay(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		page := browser.Open("/my/account/display").Submit("Save", "language", "ar", "scheme", "dark")
		if page.Find("html").AttrOr("dir", "") != "rtl" || page.Find("html").AttrOr("data-scheme", "") != "dark" {
			t.Error(page.Path)
		}
		if said := page.Text(".notice"); strings.Contains(said, "Saved") || said == "" {
			t.Error("the notice is in the former language: ", said)
		}
		page = browser.Open("/choose/language/en?next=%2Fmy%2Faccount")
		if page.Path != "/my/account" || page.Find("html").AttrOr("dir", "") == "rtl" {
			t.Error("the footer does not change the language")
		}
		if page = i.Applicant(id).Open("/my/account"); page.Find("html").AttrOr("lang", "") != "en" ||
			page.Find("html").AttrOr("data-scheme", "") != "dark" {
			t.Error("another browser shows it otherwise")
		}
		if page = browser.Open("/choose/scheme/none"); page.Status != 404 {
			t.Error(page.Status)
		}
	})
}

// TestPortalMatrix requests every page as nobody and as an applicant, and crawls them with data that try to become
// markup.
func TestPortalMatrix(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Poison()
	id := i.Number("SELECT min(applicant_id) FROM application")
	i.Applicant(id).Crawl("/", 3, func(p *sitetest.Page) { sitetest.Harmless(t, p) })
	i.Visitor().Crawl("/", 3, func(p *sitetest.Page) { sitetest.Harmless(t, p) })
	i.Matrix(i.Portal, map[string]*sitetest.Visitor{"applicant": i.Applicant(id)}, map[string]admitto.Permissions{})
	page := i.Applicant(id).Open("/help?about=citizenship")
	if href := page.Find("a[href^='mailto:']").AttrOr("href", ""); !strings.Contains(href,
		fmt.Sprintf("Applicant%%20%d", id)) ||
		!strings.Contains(href, "Change%20of%20citizenship") {
		t.Error(href)
	}
	if page = i.Visitor().Open("/status"); !strings.Contains(page.Text("main"), "Works") {
		t.Error(page.Text("main"))
	}
}
