package portal_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// looking signs an applicant in, and staff who look at the portal as them.
func looking(t *testing.T, i *sitetest.Instance) (id int64, own, staff *sitetest.Visitor) {
	t.Helper()
	id, own = signedIn(t, i, "ilse@example.org")
	staff = i.Staff(i.Administrator("Mara Lind", admitto.ApplicantsView, admitto.ApplicantsEdit))
	page := staff.Open(fmt.Sprintf("/admin/applicants/%d/look", id)).Submit("View as applicant")
	if page.Path != "/my" || !strings.Contains(page.Text(".notice"),
		fmt.Sprintf("applicant %d. Nothing can be changed.", id)) {
		t.Fatalf("%d %s: %s", page.Status, page.Path, page.Text("main"))
	}
	return id, own, staff
}

// stored is what could be changed in the name of an applicant: rows by table, and the applicant.
func stored(i *sitetest.Instance, id int64) string {
	var out strings.Builder
	for _, table := range []string{"journal", "applicant", "application", "consent_decision", "consent_history", "wish",
		"outbox", "sign_in_token", "stash", "sent_form", "email_change"} {
		fmt.Fprintln(&out, table, i.Count(table))
	}
	for _, column := range []string{"row_version", "length(language)", "length(scheme)", "length(given)"} {
		fmt.Fprintln(&out, column, i.Number(fmt.Sprintf("SELECT coalesce(%s, -1) FROM applicant WHERE id = %d", column, id)))
	}
	fmt.Fprintln(&out, i.Number(fmt.Sprintf("SELECT count(*) FROM session WHERE account_id = %d", id)))
	return out.String()
}

// TestLookChangesNothing sends every form of the portal as staff who look at it as an applicant, and opens every page:
// nothing is changed, and the use cases refuse it, too.
func TestLookChangesNothing(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, _, staff := looking(t, i)
		before := stored(i, id)
		for _, route := range i.Portal.Routes() {
			path := strings.NewReplacer("{$}", "", "{kind}", "language", "{value}", "ar", "{token}", "abc", "{code}", "fair",
				"{id}", "1").Replace(route.Path)
			if !route.Only {
				p := staff.Copied().Do(http.MethodGet, path, nil)
				if p.Status >= 500 || p.Status == http.StatusForbidden {
					t.Errorf("GET %s: %d %s", path, p.Status, p.Text("main"))
				}
			}
			if (route.Only || route.Form) && route.Name != "look-leave" {
				p := staff.Do(http.MethodPost, path, url.Values{"email": {"other@example.org"}, "do": {"link"}})
				if p.Status != http.StatusForbidden || !strings.Contains(p.Text("main"), "Nothing can be changed here") {
					t.Errorf("POST %s: %d %s", path, p.Status, p.Text("main"))
				}
			}
		}
		if after := stored(i, id); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}

// TestLookEnds ends the view with the session of staff, with their permission, and when they leave it; the applicant
// does not find it among their sessions.
func TestLookEnds(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own, staff := looking(t, i)
		if n := own.Open("/my/account/sessions").Find("button[name=end]").Length(); n != 0 {
			t.Error(n, " other sessions are shown")
		}
		page := staff.Open("/my/account")
		want(t, page, "/my/account", "Hungary")
		if strings.Contains(page.Body, "/sign-out") {
			t.Error("staff may sign the applicant out")
		}
		card := page.Submit("Leave")
		if card.Path != fmt.Sprintf("/admin/applicants/%d", id) {
			t.Error(card.Path)
		}
		want(t, staff.Open("/my"), "/sign-in", "")

		look := fmt.Sprintf("/admin/applicants/%d/look", id)
		staff.Open(look).Submit("View as applicant")
		staff.Post("/admin/sign-out", url.Values{})
		want(t, staff.Open("/my"), "/sign-in", "")

		who := i.Administrator("Kofi Mensah", admitto.ApplicantsView, admitto.ApplicantsEdit)
		other := i.Staff(who)
		other.Open(look).Submit("View as applicant")
		i.Put(fmt.Sprintf("UPDATE administrator SET suspended = TRUE WHERE id = %d", who))
		want(t, other.Open("/my"), "/sign-in", "")
		viewer := i.Staff(i.Administrator("Aino", admitto.ApplicantsView))
		if p := viewer.Open(look); p.Status != http.StatusForbidden {
			t.Error(p.Status)
		}
		third := i.Staff(i.Administrator("Ben", admitto.ApplicantsView, admitto.ApplicantsEdit))
		third.Open(look).Submit("View as applicant")
		i.Clock.Add(25 * admitto.Hour)
		want(t, third.Open("/my"), "/sign-in", "")
		i.Put(fmt.Sprintf("UPDATE applicant SET state = '%s' WHERE id = %d", admitto.ApplicantBlocked, id))
		again := i.Staff(i.Administrator("Cleo", admitto.ApplicantsView, admitto.ApplicantsEdit))
		if p := again.Open(look).Submit("View as applicant"); p.Status != http.StatusNotFound {
			t.Error(p.Status)
		}
	})
}

// TestLinkPressedTwice signs in who presses the button of a page twice, and nobody from another browser, not even by
// what the first one sent.
func TestLinkPressedTwice(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, token := i.Registered("ilse@example.org")
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'HU' WHERE id = %d", id))
		path, browser := "/sign-in/link/"+token, i.Visitor()
		form := browser.Open(path)
		other := i.Visitor().Open(path)
		twice, late := browser.Copied(), browser.Copied()
		want(t, form.Submit(form.Text("form button")), "/my/password", "")
		typed := sitetest.TypedWith(form)
		want(t, twice.Post(path, typed), "/my/password", "")
		want(t, twice.Open("/my/account"), "/my/account", "ilse@example.org")
		want(t, browser.Post(path, typed), "/my/password", "")
		want(t, browser.Open(path), "/my", "") // Back, and loaded again
		want(t, i.Visitor().Post(path, typed), path, "Each link works once.")
		want(t, other.Submit(other.Text("form button")), path, "Each link works once.")
		i.Clock.Add(admitto.Minute)
		want(t, late.Post(path, typed), path, "Each link works once.")
		if n := len(sessionsOf(t, i, id)); n < 2 {
			t.Error(n, " sessions")
		}
	})
}

func sessionsOf(t *testing.T, i *sitetest.Instance, id int64) []accounts.ApplicantSession {
	t.Helper()
	list, err := i.Services.Accounts.ApplicantSessions(t.Context(), admitto.ApplicantCaller(id, ""))
	if err != nil {
		t.Fatal(err)
	}
	return list
}
