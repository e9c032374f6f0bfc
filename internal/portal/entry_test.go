package portal_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

const goodPassword = "Blåbær & grøt"

// bySize runs a test with the portal, on SQLite in short and on PostgreSQL in the long size: CI runs both.
func bySize(t *testing.T, test func(t *testing.T, i *sitetest.Instance)) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) { test(t, sitetest.On(d)) })
}

// linkOf is the address of the page that the next mail leads to.
func linkOf(t *testing.T, i *sitetest.Instance) string {
	t.Helper()
	link := regexp.MustCompile(`/sign-in/link/\S+`).FindString(i.Mail().Text)
	if link == "" {
		t.Fatal("no link in the mail")
	}
	return link
}

// want fails unless the page is at the path with the words in its main part.
func want(t *testing.T, p *sitetest.Page, path, words string) {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	if at, _, _ := strings.Cut(p.Path, "?"); at != path || !strings.Contains(p.Text("main"), words) {
		t.Fatalf("%d at %s instead of %s: %s", p.Status, p.Path, path, p.Text("main"))
	}
}

// TestRegisterAndSignIn goes the whole way in: from an advertisement over the mail, in another browser, to what one
// wanted to see, with a password chosen on the way and the questions before one starts answered.
func TestRegisterAndSignIn(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		tracker := i.Tracker("FAIR")
		i.Write("INSERT INTO consent (id, type, text, link) VALUES (31, 'Mandatory', 'We keep your data.', 'https://example.org/data'), (32, 'Voluntary', 'News', '')")
		page := i.Visitor().Open("/r/fair")
		want(t, page, "/r/fair", "We keep your data.")
		page = page.Submit("Register", "given", "فاطمة", "family", "", "email", "fatima@")
		if page.Status != 422 || len(page.Errors()) != 2 || page.Errors()[0] != "Enter your family name" ||
			page.Find("[name=given]").AttrOr("value", "") != "فاطمة" || !strings.HasPrefix(page.Find("title").Text(), "Error:") {
			t.Fatalf("%d %v", page.Status, page.Errors())
		}
		if page = page.Submit("Register", "family", "Ng", "email", "fatima@"); page.Status != 422 ||
			page.Find("[name=email]").AttrOr("value", "") != "fatima@" {
			t.Fatalf("%d %v", page.Status, page.Errors())
		}
		page = page.Submit("Register", "family", "Nguyễn-الزهراء", "email", "fatima@example.org", "consent-32-1", "Reject")
		want(t, page, "/sign-in/mailbox", "We have sent a mail with a link to fatima@example.org.")
		if again := page.Submit("Send the mail again"); again.Status != 422 || again.Errors()[0] !=
			"You can ask again in 60 seconds" {
			t.Error(again.Errors())
		}
		changed := page.Find("a:contains('Change the address')").AttrOr("href", "")
		link := linkOf(t, i)
		if got := i.Number("SELECT count(*) FROM applicant_tracker WHERE tracker_id = $1", tracker); got != 1 {
			t.Error("the tracker of the address is not set")
		}
		if changed != "/register?change=1" {
			t.Error(changed)
		}

		// Mail scanners look at the link; another browser uses it.
		for range 3 {
			want(t, i.Visitor().Open(link), link, "Sign in as f...a@example.org")
		}
		other := i.Visitor()
		page = other.Open(link).Submit("Sign in as f...a@example.org")
		want(t, page, "/my/password", "you can sign in without a mail")
		if page = page.Submit("Save password", "password", "short"); page.Status != 422 || len(page.Errors()) != 1 {
			t.Fatalf("%d %v", page.Status, page.Errors())
		}
		page = page.Submit("Save password", "password", goodPassword)
		want(t, page, "/my/welcome", "What is your citizenship?")
		if strings.Contains(page.Text("main"), "News") {
			t.Error("what was rejected at the registration is asked about again")
		}
		if page = page.Submit("Save and continue"); page.Status != 422 || len(page.Errors()) != 2 {
			t.Fatalf("%d %v", page.Status, page.Errors())
		}
		page = page.Submit("Save and continue", "citizenship", "VN", "consent-31-1", "Accept")
		want(t, page, "/my", "You have no application yet")
		page = other.Open("/my/account")
		want(t, page, "/my/account", "Viet")
		if name := page.Text(".kv"); !strings.Contains(name, "Nguyễn-الزهراء") || !strings.Contains(name, "فاطمة") {
			t.Error(name)
		}
		i.Mails() // about the password

		// The link is used up; the page sends a new one.
		page = i.Visitor().Open(link)
		want(t, page, link, "Each link works once.")
		page = page.Submit("Send a new link to f...a@example.org")
		want(t, page, "/sign-in/mailbox", "If there is an account for f...a@example.org")
		if strings.Contains(page.Body, "fatima@") {
			t.Error("the page tells the whole address")
		}
		if next := linkOf(t, i); next == link {
			t.Error("the same link")
		}
	})
}

// TestLinkLeadsOn follows links of mails in another browser to where one wanted to go: after the sign-in, after the
// registration, and from a link that is used up. None leads to another site.
func TestLinkLeadsOn(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		const next = "?next=%2Fmy%2Faccount%2Fsessions"
		follow := func(link, button string) {
			t.Helper()
			other := i.Visitor()
			page := other.Open(link).Submit(button)
			if on, first := page.Find("a:contains('Go on without')").Attr("href"); first {
				page = other.Open(on)
			}
			want(t, page, "/my/account/sessions", "This session")
		}
		i.Visitor().Open("/register"+next).Submit("Register", "family", "Varga", "email", "ilse.varga@example.org",
			"citizenship", "HU")
		link := linkOf(t, i)
		follow(link, "Sign in as i...a@example.org")
		i.Visitor().Open(link).Submit("Send a new link to i...a@example.org")
		follow(linkOf(t, i), "Sign in as i...a@example.org")
		i.Clock.Add(admitto.Hour)
		i.Visitor().Open("/sign-in"+next).Submit("Send me a sign-in link", "email", "ilse.varga@example.org")
		follow(linkOf(t, i), "Sign in as i...a@example.org")
		i.Clock.Add(admitto.Hour)
		const wish = "?next=%2Fmy%2Fapply%2F3%2F31"
		for _, page := range []string{"/register", "/sign-in"} {
			if i.Visitor().Open("/sign-in"+wish).Find("header a[href='"+page+wish+"']").Length() == 0 {
				t.Errorf("the wish to apply does not go along to %s", page)
			}
		}
		i.Visitor().Open("/sign-in?next=%2F%2Fevil.example").Submit("Send me a sign-in link", "email",
			"ilse.varga@example.org")
		link = linkOf(t, i)
		if strings.Contains(link, "evil") {
			t.Error(link)
		}
		page := i.Visitor().Open(link + "?next=https%3A%2F%2Fevil.example").Submit("Sign in as i...a@example.org")
		if strings.Contains(page.Body, "evil.example") {
			t.Error(page.Path)
		}
	})
}

// TestMailboxTellsNothing wants the same pages for an address that has an account and one that has none, and the same
// work for both before the answer.
func TestMailboxTellsNothing(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Registered("ilse.varga@example.org")
		i.Clock.Add(admitto.Hour)
		for _, way := range []struct {
			path, button string
			fields       []string
		}{
			{"/register", "Register", []string{"given", "A", "family", "B"}},
			{"/sign-in", "Send me a sign-in link", nil},
		} {
			var pages []string
			for n, email := range []string{"ilse.varga@example.org", "nobody.known@example.org"} {
				i.Mails()
				before := i.Count("outbox")
				page := i.Visitor().Open(way.path).Submit(way.button, append(way.fields, "email", email)...)
				pages = append(pages, strings.ReplaceAll(page.Body, email, "ADDRESS"))
				if rows := i.Count("outbox") - before; rows != 1 {
					t.Errorf("%s %d: %d rows", way.path, n, rows)
				}
			}
			if !strings.Contains(pages[0], "At most 5 such mails are sent to one address in an hour.") {
				t.Error(pages[0])
			}
			if pages[0] != pages[1] {
				t.Errorf("%s differs:\n%s\n%s", way.path, pages[0], pages[1])
			}
			i.Clock.Add(admitto.Hour)
		}
		var pages []string
		for _, email := range []string{"ilse.varga@example.org", "nobody.known@example.org"} {
			page := i.Visitor().Open("/sign-in").Submit("Use my password", "email", email)
			if page.Status != 200 || page.Find("[name=email]").AttrOr("value", "") != email {
				t.Fatal(page.Status)
			}
			page = page.Submit("Sign in", "password", "not the right one")
			if page.Status != 422 || page.Errors()[0] != "The e-mail address or the password is not right." {
				t.Error(page.Status, page.Errors())
			}
			pages = append(pages, strings.ReplaceAll(page.Body, email, "ADDRESS"))
		}
		if pages[0] != pages[1] {
			t.Error("the refusal tells who has an account")
		}
	})
}

// TestNewestLink lets the newest link in only, once, and takes where one wanted to go along.
func TestNewestLink(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, welcome := i.Registered("ilse.varga@example.org")
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'HU' WHERE id = %d", id))
		browser := i.Visitor()
		page := browser.Open("/my/account/sessions")
		want(t, page, "/sign-in", "Use the e-mail address")
		page.Submit("Send me a sign-in link", "email", "ilse.varga@example.org")
		if mails := i.Mails(); len(mails) != 0 {
			t.Errorf("%d links are sent within a minute", len(mails))
		}
		i.Clock.Add(admitto.Minute + admitto.Second)
		page = page.Submit("Send me a sign-in link", "email", "ILSE.varga@example.org")
		older := linkOf(t, i)
		i.Clock.Add(admitto.Minute + admitto.Second)
		page = page.Submit("Send the mail again")
		want(t, page, "/sign-in/mailbox", "If there is an account")
		if page.Text(".notice.ok") != "A new mail is on its way." {
			t.Error(page.Text(".notice"))
		}
		newest := linkOf(t, i)
		for _, dead := range []string{older, "/sign-in/link/" + welcome} {
			want(t, browser.Open(dead), dead, "Only the newest link works.")
			want(t, browser.Post(dead, url.Values{}), dead, "Only the newest link works.")
		}
		landing := browser.Open(newest)
		want(t, landing, newest, "Sign in as i...a@example.org")
		page = landing.Submit("Sign in as i...a@example.org")
		want(t, page, "/my/password", "Go on without a password")
		next := page.Find("a:contains('Go on without')").AttrOr("href", "")
		want(t, browser.Open(next), "/my/account/sessions", "This session")
		want(t, landing.Submit("Sign in as i...a@example.org"), "/my/password", "") // pressed twice, and still signed in
		want(t, i.Visitor().Post(newest, url.Values{}), newest, "Each link works once.")
		want(t, browser.Open("/my"), "/my", "You have no application yet")

		unknown := i.Visitor().Open("/sign-in/link/no-such-token?next=/my/apply/1/2")
		want(t, unknown, "/sign-in/link/no-such-token", "We can send you a new link.")
		const wish = "next=%2Fmy%2Fapply%2F1%2F2"
		if unknown.Find("main a[href='/register?"+wish+"']").Length() != 1 {
			t.Error("who registers there loses the wish to apply: ", unknown.Body)
		}
		page = unknown.Submit("Send me a sign-in link", "email", "a@example.org")
		want(t, page, "/sign-in/mailbox", "a@example.org")
		if page.Find("main a[href='/sign-in?"+wish+"']").Length() != 1 {
			t.Error("who asks for a link there loses the wish to apply: ", page.Body)
		}
		i.Mails()
		i.Clock.Add(admitto.Hour)
		i.Visitor().Open("/sign-in").Submit("Send me a sign-in link", "email", "ilse.varga@example.org")
		late := linkOf(t, i)
		i.Clock.Add(31 * admitto.Minute)
		want(t, i.Visitor().Open(late), late, "It is too old")
	})
}

// TestThrottled says in words that there were too many attempts, and for how long.
func TestThrottled(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		page := i.Visitor().Open("/sign-in").Submit("Use my password", "email", "ilse@example.org")
		for range 6 {
			page = page.Submit("Sign in", "password", "wrong again")
		}
		if page = page.Submit("Sign in", "password", "wrong again"); page.Status != 422 || !strings.Contains(
			page.Errors()[0], "Try again in 1 second.") || page.Find("[name=email]").AttrOr("value", "") == "" {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		page = i.Visitor().Open("/register")
		for range 20 {
			i.Visitor().Open("/register").Submit("Register", "family", "B", "email", "b@example.org")
		}
		page = page.Submit("Register", "given", "Ann", "family", "B", "email", "b@example.org")
		if page.Status != 422 || !strings.Contains(page.Errors()[0], "too many registrations from your network") ||
			page.Find("[name=given]").AttrOr("value", "") != "Ann" {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
	})
}

// TestEnoughMails says of the sixth mail within an hour that it is not sent, whether or not somebody has the address,
// and sends it after that.
func TestEnoughMails(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Registered("ilse.varga@example.org")
		for _, email := range []string{"ilse.varga@example.org", "nobody.known@example.org"} {
			i.Clock.Add(2 * admitto.Hour)
			page := i.Visitor().Open("/sign-in").Submit("Send me a sign-in link", "email", email)
			for range 4 {
				i.Clock.Add(2 * admitto.Minute)
				page = page.Submit("Send the mail again")
				want(t, page, "/sign-in/mailbox", "A new mail is on its way.")
			}
			i.Mails()
			i.Clock.Add(2 * admitto.Minute)
			page = page.Submit("Send the mail again")
			if page.Status != 422 || !strings.Contains(strings.Join(page.Errors(), ""), "5 mails were sent within an hour") {
				t.Error(page.Status, page.Errors())
			}
			i.Clock.Add(50 * admitto.Minute)
			want(t, page.Submit("Send the mail again"), "/sign-in/mailbox", "A new mail is on its way.")
			if n := len(i.Mails()); (n == 1) != (email == "ilse.varga@example.org") {
				t.Errorf("%d mails to %s", n, email)
			}
		}
	})
}

// TestBlocked tells an applicant whom staff blocked how to go on, and ends their sessions.
func TestBlocked(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		i.Must(i.Services.Accounts.SetApplicantPassword(t.Context(), servicestest.As(admitto.ByApplicant, id),
			accounts.PasswordChange{New: goodPassword, Fresh: true}))
		i.Mails()
		i.Must(i.Services.Accounts.BlockApplicant(t.Context(), servicestest.As(admitto.ByAdministrator, 1), id))
		want(t, browser.Open("/my"), "/sign-in", "Send me a sign-in link")
		page := i.Visitor().Open("/sign-in").Submit("Use my password", "email", "ilse@example.org")
		page = page.Submit("Sign in", "password", goodPassword)
		if page.Status != 422 || !strings.Contains(page.Errors()[0], "was stopped") ||
			page.Find("main a[href='/help?about=blocked']").Length() != 1 {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		i.Mails()
		i.Visitor().Open("/sign-in").Submit("Send me a sign-in link", "email", "ilse@example.org")
		if mails := i.Mails(); len(mails) != 1 || !strings.Contains(mails[0].Text, "/help?about=blocked") {
			t.Errorf("%+v", mails)
		}
	})
}

// signedIn registers somebody whom nothing more is asked, and signs them in by a link.
func signedIn(t *testing.T, i *sitetest.Instance, email string) (int64, *sitetest.Visitor) {
	t.Helper()
	id, token := i.Registered(email)
	i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'HU' WHERE id = %d", id))
	browser := i.Visitor()
	p := browser.Open("/sign-in/link/" + token)
	want(t, p.Submit(p.Text("form button")), "/my/password", "")
	return id, browser
}

// TestBeforeYouStart leads to what is missing first, lets one look around without an answer, and leaves the account
// usable to who rejects a mandatory consent.
func TestBeforeYouStart(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		i.Write("INSERT INTO consent (id, type, text) VALUES (31, 'Mandatory', 'We keep your data.')")
		page := browser.Open("/my/account")
		want(t, page, "/my/welcome", "We keep your data.")
		later := page.Submit("Not now")
		want(t, later, "/my/account", "Applicant ID")
		if !strings.Contains(later.Text(".notice"), "You can read everything now.") ||
			later.Find(".notice a[href='/my/welcome']").Length() != 1 {
			t.Error(later.Text(".notice"))
		}
		want(t, browser.Open("/my"), "/my", "Before you can add courses or submit")
		page = browser.Open("/my/welcome?next=%2Fmy%2Faccount").Submit("Save and continue", "consent-31-1", "Reject")
		want(t, page, "/my/account", "Applicant ID")
		another := i.Applicant(id)
		for _, path := range []string{"/my", "/my/account", "/my/account/person"} {
			want(t, another.Open(path), path, "")
		}
		// A new text is asked about again; a decision about the old one does not count for it.
		stale := browser.Open("/my/welcome")
		i.Write("UPDATE consent SET text = 'We keep more.', version = 2 WHERE id = 31")
		if page = stale.Submit("Save and continue", "consent-31-1", "Accept"); page.Status != 422 || !strings.Contains(
			page.Text("main"), "We keep more.") {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		want(t, page.Submit("Save and continue", "consent-31-2", "Accept"), "/my", "You have no application yet")
		want(t, browser.Open("/my/welcome"), "/my", "You have no application yet")
	})
}

// TestTypedBeforeSignIn keeps what was typed while the session ended, until its owner signs in again.
func TestTypedBeforeSignIn(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		page := browser.Open("/my/account/person")
		i.Clock.Add(30 * admitto.Day)
		page = page.Submit("Save", "phone", "+36 1 234")
		want(t, page, "/sign-in", "")
		page.Submit("Send me a sign-in link", "email", "ilse@example.org")
		landing := browser.Open(linkOf(t, i))
		page = landing.Submit(landing.Text("form button"))
		want(t, page, "/my/account/person", "Not saved yet. Check and press Save.")
		if page.Find("[name=phone]").AttrOr("value", "") != "+36 1 234" {
			t.Error("what was typed is lost")
		}
		want(t, page.Submit("Save"), "/my/account", "+36 1 234")
		if i.Number("SELECT count(*) FROM applicant WHERE id = $1 AND phone = '+36 1 234'", id) != 1 {
			t.Error("not saved")
		}
	})
}

// TestTwoAccounts is one person who registers twice, with two addresses, and uses both accounts in one browser, one
// after the other: each link names its account, nothing that was typed or begun in one is in the other, an address
// cannot be changed to that of the other account, and staff find both.
func TestTwoAccounts(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, _ := atWork(t, i, "first@example.org")
		first := i.Number("SELECT min(id) FROM applicant")
		i.Mails()
		browser := i.Visitor()
		register := func(email, masked string) (landing *sitetest.Page) {
			browser.Open("/my").Submit("Sign out")
			browser.Open("/register").Submit("Register", "given", "Ilse", "family", "Varga", "email", email, "citizenship", "PT")
			landing = browser.Open(linkOf(t, i))
			want(t, landing, landing.Path, "Sign in as "+masked)
			return landing
		}
		signIn := func(email, masked string) *sitetest.Page {
			i.Clock.Add(admitto.Hour)
			if page := browser.Open("/my"); page.Path == "/my" {
				page.Submit("Sign out")
			}
			browser.Open("/sign-in").Submit("Send me a sign-in link", "email", email)
			page := browser.Open(linkOf(t, i))
			return page.Submit("Sign in as " + masked)
		}
		signIn("first@example.org", "f...t@example.org")
		section := fmt.Sprintf("/my/applications/%d/form/motivation", id)
		page := browser.Open(section)
		landing := register("second@example.org", "s...d@example.org")
		landing.Submit("Sign in as s...d@example.org")
		second := i.Number("SELECT max(id) FROM applicant")
		if first == second {
			t.Fatal("there is one account")
		}
		// A page of the first account that still stands open in another tab saves nothing for the second one.
		late := page.Submit("Save", "content.general", "Of the first account.")
		stored := i.Count("application_content WHERE content LIKE '%Of the first%'")
		if late.Status != 403 || stored != 0 {
			t.Error(late.Status, stored)
		}
		for _, words := range []string{"Somebody else is signed in now", "Ilse Varga has signed in",
			"sign out, sign in with"} {
			if !strings.Contains(late.Text("main"), words) {
				t.Errorf("%q is not in %s", words, late.Text("main"))
			}
		}
		want(t, browser.Open("/my"), "/my", "You have no application yet")
		if page := browser.Open(section); page.Status != 404 {
			t.Errorf("%d for the application of the other account", page.Status)
		}
		want(t, browser.Open("/my/account"), "/my/account", fmt.Sprint(second))
		browser.Open("/my/account/e-mail").Submit("Send the link", "email", "first@example.org")
		browser.Open("/my/account/person").Submit("Save", "phone", "+351 910 000 000")
		for _, m := range i.Mails() {
			if strings.Contains(m.Text, "/sign-in/e-mail/") {
				t.Error("the address of another account can be confirmed")
			}
		}
		signIn("first@example.org", "f...t@example.org")
		want(t, browser.Open(section), section, "Motivation")
		browser.Open("/my/account/person").Submit("Save", "phone", "+351 910 000 000")
		list := i.Staff(i.Superuser("Hana Yildiz")).Open("/admin/applicants?duplicate=yes").Text("main")
		for _, email := range []string{"first@example.org", "second@example.org"} {
			if !strings.Contains(list, email) {
				t.Errorf("staff do not find %s among possible duplicates: %s", email, list)
			}
		}
	})
}

// TestWishHeldBack asks for mails to one address within a minute from two browsers, with another wish in each: the
// second page says that no mail was sent now, also where nobody has the address, and sends the newer wish later.
func TestWishHeldBack(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		for _, way := range []struct {
			path, button string
			fields       []string
		}{
			{"/register", "Register", []string{"family", "B"}},
			{"/sign-in", "Send me a sign-in link", nil},
		} {
			var pages []string
			for _, email := range []string{"ilse.varga@example.org", "nobody.known@example.org"} {
				if way.path == "/sign-in" && email == "ilse.varga@example.org" {
					i.Clock.Add(admitto.Hour)
				}
				ask := func(wish string) *sitetest.Page {
					return i.Visitor().Open(way.path+"?next="+url.QueryEscape(wish)).Submit(way.button,
						append(way.fields, "email", email)...)
				}
				ask("/my/apply/1/32")
				i.Mails()
				i.Clock.Add(10 * admitto.Second)
				page := ask("/my/apply/17/32")
				want(t, page, "/sign-in/mailbox", "less than a minute before. Look for it. Another one is on its way only if its link")
				want(t, page, "/sign-in/mailbox", "You can ask again in 50 seconds.")
				if n := len(i.Mails()); n != 0 {
					t.Errorf("%s: %d mails", way.path, n)
				}
				pages = append(pages, strings.ReplaceAll(page.Body, email, "ADDRESS"))
				i.Clock.Add(50 * admitto.Second)
				want(t, page.Submit("Send the mail again"), "/sign-in/mailbox", "")
				for _, m := range i.Mails() {
					if !strings.Contains(m.Text, url.QueryEscape("/my/apply/17/32")) {
						t.Error(m.Text)
					}
				}
			}
			if pages[0] != pages[1] {
				t.Errorf("%s differs:\n%s\n%s", way.path, pages[0], pages[1])
			}
			i.Clock.Add(admitto.Hour)
			i.Write("DELETE FROM outbox")
		}
	})
}
