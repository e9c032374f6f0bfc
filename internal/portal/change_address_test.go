package portal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestChangeAddress changes the address of a registration: the one with the wrong address is gone at once, with its
// link, but only for the browser that made it, and only while nobody has used it.
func TestChangeAddress(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		const change = "/register?change=1"
		erase := func() {
			t.Helper()
			i.Must(i.Services.Privacy.EraseTakenBack(t.Context(), admitto.SystemCaller()))
		}
		registered := func(email string) int64 { return i.Number("SELECT id FROM applicant WHERE email_key = $1", email) }
		there := func(id int64) bool { return i.Number("SELECT count(*) FROM applicant WHERE id = $1", id) == 1 }
		v := i.Visitor()
		page := v.Open("/register").Submit("Register", "given", "Ann", "family", "Roe", "email", "wrong@example.org")
		want(t, page, "/sign-in/mailbox", "wrong@example.org")
		linkOf(t, i)
		wrong := registered("wrong@example.org")

		// Another browser that knows the address of the page cannot take it back, and a new registration here does not.
		i.Visitor().Open(change).Submit("Register", "family", "Eve", "email", "eve@example.org")
		i.Mails()
		v.Open("/register").Submit("Register", "family", "Roe", "email", "brother@example.org")
		i.Mails()
		v = i.Visitor()
		erase()
		if !there(wrong) {
			t.Fatal("a registration was taken back by somebody else")
		}

		i.Write("INSERT INTO consent (id, type, text, link) VALUES (32, 'Voluntary', 'News', '')")
		v.Open("/register").Submit("Register", "given", "Ann", "family", "Roe", "email", "typo@example.org",
			"consent-32-1", "Reject")
		old := linkOf(t, i)
		wrong = registered("typo@example.org")
		page = v.Open(change)
		if page.Find("[name=email]").AttrOr("value", "") != "typo@example.org" ||
			page.Find("[name=given]").AttrOr("value", "") != "Ann" ||
			page.Find("[name=consent-32-1][checked]").AttrOr("value", "") != "Reject" {
			t.Error("what was typed is not there")
		}
		// The same address keeps the registration, and the browser can still take it back.
		want(t, page.Submit("Register", "email", "TYPO@example.org"), "/sign-in/mailbox", "TYPO@example.org")
		i.Mails()
		if got := registered("typo@example.org"); got != wrong {
			t.Errorf("%d became %d", wrong, got)
		}
		want(t, v.Open(change).Submit("Register", "email", "right@example.org"), "/sign-in/mailbox", "right@example.org")
		right := linkOf(t, i)
		if i.Number("SELECT count(*) FROM applicant WHERE id = $1 AND state <> 'recovery'", wrong) != 0 {
			t.Error("the wrong address is still taken")
		}
		if page := i.Visitor().Open(old); page.Status != 404 {
			t.Errorf("the old link answers %d", page.Status)
		}
		erase()
		if there(wrong) || i.Number("SELECT count(*) FROM purged_resource WHERE object_id = $1", wrong) != 1 {
			t.Error("the registration with the wrong address was not erased")
		}

		// A registration that was used, or that holds something, stays.
		i.Visitor().Open(right).Submit("Sign in as r...t@example.org")
		id := registered("right@example.org")
		v.Open(change).Submit("Register", "email", "third@example.org")
		i.Mails()
		third := registered("third@example.org")
		i.Write(fmt.Sprintf("INSERT INTO note (id, applicant_id, text, colour, created) VALUES (900, %d, 'Rang', 'Yellow', 1)", third))
		v.Open(change).Submit("Register", "email", "fourth@example.org")
		i.Mails()
		erase()
		if !there(id) || !there(third) || registered("fourth@example.org") == 0 {
			t.Error("a registration that is used or holds a note was erased")
		}
		// Staff who delete one by hand can still restore it.
		fourth := registered("fourth@example.org")
		i.Write(fmt.Sprintf("UPDATE applicant SET state = 'recovery', state_before = 'live', deleted = 5, deleted_by = 1 WHERE id = %d", fourth))
		erase()
		if !there(fourth) {
			t.Error("what staff deleted was erased at once")
		}
	})
}

// TestLanguageAfterRefusal leads back to the form that was refused, with what it was opened for, when another language
// is chosen below it: to an eighteen-year-old who cannot read the fault that is the way on.
func TestLanguageAfterRefusal(t *testing.T) {
	i := sitetest.Filled(t)
	season(i)
	v := i.Visitor()
	for _, form := range []struct{ address, press string }{{"/register?next=%2Fmy%2Fapply%2F71%2F71", "Register"},
		{"/sign-in?next=%2Fmy%2Fapply%2F71%2F71", "Send me a sign-in link"}} {
		page := v.Open(form.address).Submit(form.press)
		if page.Status != 422 {
			t.Fatal(page.Status, page.Text("main"))
		}
		for _, choice := range []string{"/choose/language/ar", "/choose/scheme/dark"} {
			link := page.Find("a[href^='"+choice+"']").AttrOr("href", "")
			if found := v.Open(link); found.Path != form.address || found.Find("main form input[name=email]").Length() == 0 {
				t.Errorf("%s leads to %s", link, found.Path)
			}
		}
		v.Open("/choose/language/en")
	}
}

// TestSentBefore speaks of another place to go to only where one is wanted.
func TestSentBefore(t *testing.T) {
	i := sitetest.Filled(t)
	const elsewhere = "For where you wanted to go now"
	i.Registered("sent@example.org")
	for address, says := range map[string]bool{"/sign-in": false, "/sign-in?next=%2Fmy%2Fapply%2F1%2F2": true} {
		page := i.Visitor().Open(address).Submit("Send me a sign-in link", "email", "sent@example.org")
		text := page.Text("main")
		if strings.Contains(text, elsewhere) != says || !strings.Contains(text, "You can ask again") {
			t.Errorf("%s: %s", address, text)
		}
	}
}
