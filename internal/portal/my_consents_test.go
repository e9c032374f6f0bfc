package portal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestConsents changes decisions: voluntary ones at any time, mandatory ones with the consequence said first. Each is
// stored with the version of its text and its time.
func TestConsents(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, browser := signedIn(t, i, "ilse@example.org")
		i.Write("INSERT INTO consent (id, type, text) VALUES (31, 'Mandatory', 'We keep <b>your</b> data.'), (32, 'Voluntary', 'News')")
		if text := browser.Open("/my/welcome").Submit("Save and continue").Text(".errors"); !strings.Contains(text,
			"Needed to apply (1 of 2)") {
			t.Error(text)
		}
		page := browser.Open("/my/welcome").Submit("Save and continue", "consent-31-1", "Reject", "consent-32-1", "Accept")
		want(t, page, "/my", "You cannot add courses or submit until you change that under Consents")
		if page.Find("main .notice a[href='/my/consents']").Length() != 1 {
			t.Error("the notice does not lead there: ", page.Text("main"))
		}
		page = browser.Open("/my/consents")
		want(t, page, "/my/consents", "We keep <b>your</b> data.")
		if rows := strings.Count(page.Text("main"), "(version 1):"); rows != 2 ||
			!strings.Contains(page.Text("main"), "Not accepted") {
			t.Errorf("%d decisions: %s", rows, page.Text("main"))
		}
		form := browser.Open("/my/consents/31")
		if !strings.Contains(form.Text(".notice"), "Without it you cannot add courses") {
			t.Error(form.Text("main"))
		}
		if got := form.Submit("Save", "consent-31-1", "-"); got.Status != 422 ||
			got.Errors()[0] != "Choose whether you accept it" {
			t.Error(got.Status, got.Errors())
		}
		i.Clock.Add(admitto.Hour)
		want(t, form.Submit("Save", "consent-31-1", "Accept"), "/my/consents", "Your decision is saved.")
		if voluntary := browser.Open("/my/consents/32"); strings.Contains(voluntary.Body, "Without it you cannot") {
			t.Error("a voluntary consent has consequences: ", voluntary.Text("main"))
		}
		want(t, browser.Open("/my/consents/32").Submit("Save", "consent-32-1", "Reject"), "/my/consents", "Not accepted")
		if n := i.Number(fmt.Sprintf("SELECT count(*) FROM consent_history WHERE applicant_id = %d AND version = 1", id)); n != 4 {
			t.Errorf("%d decisions are in the history", n)
		}
		// One that stands in the way of a course leads back to it once it is decided about.
		season(i)
		at(i, time.Date(2031, 3, 1, 12, 0, 0, 0, time.UTC))
		i.Put(fmt.Sprintf("DELETE FROM consent_decision WHERE applicant_id = %d", id))
		browser = i.Applicant(id)
		barred := browser.Open("/my/apply/71/71").Submit("Save and continue", "consent-31-1", "Reject",
			"consent-32-1", "Accept")
		next, _ := barred.Find("main .notice a[href^='/my/welcome']").Attr("href")
		want(t, browser.Open(next).Submit("Save and continue", "consent-31-1", "Accept", "consent-32-1", "Accept"),
			"/my/apply/71/71", "Add to my application")
		form = browser.Open("/my/consents/31")
		// A text that changed meanwhile is not decided about.
		i.Write("UPDATE consent SET text = 'We keep more.', version = 2 WHERE id = 31")
		if got := form.Submit("Save", "consent-31-1", "Reject"); got.Status != 422 ||
			!strings.Contains(got.Text("main"), "We keep more.") {
			t.Error(got.Status, got.Text("main"))
		}
		for _, path := range []string{"/my/consents/99", "/my/consents/x"} {
			if got := browser.Open(path); got.Status != 404 {
				t.Errorf("%s: %d", path, got.Status)
			}
		}
	})
}

// TestRejectedConsentToDo puts a rejected consent that is needed among what is to be done.
func TestRejectedConsentToDo(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		_, own, _ := applying(t, i, "consent@example.org")
		i.Write("INSERT INTO consent (id, type, text) VALUES (931, 'Mandatory', 'We keep your data.')")
		if p := own.Open("/my/consents/931").Submit("Save", "consent-931-1", "Reject"); p.Status != 200 {
			t.Fatal(p.Status, p.Text("main"))
		}
		own.Open("/my")
		page := own.Open("/my")
		if page.Find("main section").First().Find("a[href='/my/consents']").Length() != 1 {
			t.Error(page.Text("main"))
		}
		own.Open("/my/consents/931").Submit("Save", "consent-931-1", "Accept")
		if text := own.Open("/my").Text("main"); strings.Contains(text, "Accept a consent") {
			t.Error(text)
		}
	})
}

// TestRejectedConsentOnBoard says on the first page that a consent is lacking, also to who has no application yet.
func TestRejectedConsentOnBoard(t *testing.T) {
	i := sitetest.Filled(t)
	_, own := signedIn(t, i, "ilse@example.org")
	i.Put("UPDATE consent SET active = FALSE")
	i.Write("INSERT INTO consent (id, type, text) VALUES (31, 'Mandatory', 'We keep your data.')")
	const stops = "You did not accept what is needed to apply."
	own.Open("/my/welcome").Submit("Save and continue", "consent-31-1", "Reject")
	own.Open("/my") // with what was told once
	page := own.Open("/my")
	if !strings.Contains(page.Text("main"), stops) || page.Find("main a[href='/my/consents']").Length() != 1 {
		t.Error(page.Text("main"))
	}
	own.Open("/my/consents/31").Submit("Save", "consent-31-1", "Accept")
	own.Open("/my")
	if text := own.Open("/my").Text("main"); strings.Contains(text, stops) {
		t.Error(text)
	}
}
