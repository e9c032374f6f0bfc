package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestBadInput refuses on pages what the API may take, in words for people, and keeps what was typed.
func TestBadInput(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		boss := i.Staff(i.Superuser("Ada Boss"))
		refused := func(p *sitetest.Page, field, typed string, errors ...string) *sitetest.Page {
			t.Helper()
			said := p.Errors()
			if p.Status != 422 || len(said) != len(errors) {
				t.Fatalf("%d %q", p.Status, said)
			}
			for n, words := range errors {
				if !strings.Contains(said[n], words) {
					t.Errorf("%q instead of %q", said[n], words)
				}
			}
			if got := p.Find("[name="+field+"]").First().AttrOr("value", ""); typed != "" && got != typed {
				t.Errorf("%s has %q instead of %q", field, got, typed)
			}
			return p
		}

		add := boss.Open("/admin/applicants/new")
		page := refused(add.Submit("Add applicant", "email", "bo@", "phone", "abc", "family", "", "tracker", "abc"), "phone", "abc",
			"Write an e-mail address such as", "Fill this in. At most 50 characters.", "not a telephone number")
		page = refused(page.Submit("Add applicant", "email", "bo@example.org", "phone", "+351 21", "family", "Lind", "tracker", "abc"),
			"phone", "+351 21", "This tracker does not exist any more")
		page = page.Submit("Add applicant", "tracker", "")
		if !strings.Contains(page.Text("h1"), "Lind") {
			t.Fatalf("%d %q", page.Status, page.Errors())
		}
		card, _, _ := strings.Cut(page.Path, "?")
		refused(boss.Open(card+"/edit").Submit("Save", "phone", "none", "given", strings.Repeat("x", 51)), "phone", "none",
			"This has 51 characters. Write at most 50.", "not a telephone number")
		i.Put(fmt.Sprintf("UPDATE applicant SET phone = 'see notes' WHERE id = %s", card[strings.LastIndex(card, "/")+1:]))
		if page = boss.Open(card+"/edit").Submit("Save", "given", "Bo"); page.Status != 200 {
			t.Errorf("what the API stored cannot be kept: %q", page.Errors())
		}
		page = boss.Open(card+"/notes").Submit("Add note", "text", "Call back", "colour", "Beige")
		refused(page, "", "", "Choose one of what the page offers.")
		if page.Text("textarea[name=text]") != "Call back" {
			t.Error("the text of the note is lost")
		}

		invite := boss.Open("/admin/administrators/invite")
		page = refused(invite.Submit("Invite", "name", "", "email", "x"), "email", "x", "Fill this in.",
			"Write an e-mail address", "Choose at least one role.")
		refused(page.Submit("Invite", "name", "Kim Doe", "email", "kim@example.edu", "roles", "8", "until-day", "30",
			"until-month", "2", "until-year", "2026"), "name", "Kim Doe", "day")
		page = refused(page.Submit("Invite", "name", "Kim Doe", "email", "kim@example.edu", "roles", "8", "until-day", "1",
			"until-month", "1", "until-year", "2020"), "name", "Kim Doe", "That day is over.")
		page = page.Submit("Invite", "until-year", "2099")
		if !strings.Contains(page.Text("h1"), "Kim Doe") {
			t.Fatalf("%d %q", page.Status, page.Errors())
		}
		staff, _, _ := strings.Cut(page.Path, "?")
		refused(boss.Open(staff+"/edit").Submit("Save", "phone", "ask Eve"), "phone", "ask Eve", "not a telephone number")
		refused(boss.Open("/admin/api-keys/new").Submit("Create the key", "label", "Student system", "expires", "soon"), "label",
			"Student system", "Choose one of what the page offers.")
	})
}
