package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestBadInput refuses on pages what the API may take, in words for people, and keeps what was typed.
func TestBadInput(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
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
		page := refused(add.Submit("Add applicant", "email", "bo@", "phone", "abc", "family", "", "tracker", "abc"), "phone",
			"abc",
			"Write an e-mail address such as", "Fill this in. At most 50 characters.", "not a telephone number")
		page = refused(page.Submit("Add applicant", "email", "bo@example.org", "phone", "+351 21", "family", "Lind",
			"tracker", "abc"),
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
		refused(boss.Open("/admin/api-keys/new").Submit("Create the key", "label", "Student system", "expires", "soon"),
			"label",
			"Student system", "Choose one of what the page offers.")
	})
}

// TestBadInputOfForms posts what no page offers, what is too long, and numbers out of range into forms about settings,
// roles, the own account and applications: each is refused at the field, with all that was typed.
func TestBadInputOfForms(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		boss := i.Staff(i.Superuser("Ada Boss"))
		part := i.Staff(i.Administrator("Part Admin", admitto.AdministratorsEdit, admitto.ApplicantsView))
		long := strings.Repeat("x", 1001)
		for n, c := range []struct {
			by             *sitetest.Visitor
			address, press string
			fields         []string
			at, says       string // the label that the error summary has, and a part of what it says
		}{
			{boss, "/admin/account/preferences", "Save", []string{"language", "xx"}, "Language",
				"Choose one of what the page offers"},
			{boss, "/admin/account/preferences", "Save", []string{"scheme", "pink"}, "", "Choose one of what the page offers"},
			{boss, "/admin/account/preferences", "Save", []string{"density", "loose"}, "", "Choose one of what the page offers"},
			{boss, "/admin/account/name", "Save", []string{"name", " "}, "Name", "Fill this in"},
			{boss, "/admin/account/name", "Save", []string{"name", long}, "Name", "This has 1001 characters"},
			{boss, "/admin/account/name", "Save", []string{"name", "A\u2028B"}, "Name", ""},
			{boss, "/admin/roles/new", "New role", []string{"name", ""}, "Name", "Fill this in"},
			{boss, "/admin/roles/new", "New role", []string{"name", long}, "Name", "This has 1001 characters"},
			{boss, "/admin/roles/new", "New role", []string{"name", "R", "may-finance", "all-money"}, "Finance", "Choose one"},
			{part, "/admin/roles/new", "New role", []string{"name", "R", "may-finance", "accounting-edit"}, "Finance",
				"may not do yourself"},
			{boss, "/admin/settings", "Save", []string{"instance.name", long}, "Name", "too long"},
			{boss, "/admin/settings", "Save", []string{"instance.timezone", "Mars/Base"}, "Time zone", "no such time zone"},
			{boss, "/admin/settings", "Save", []string{"instance.currency", "EU"}, "Currency", "three letters"},
			{boss, "/admin/settings", "Save", []string{"instance.languages", "en, en"}, "Languages", "twice"},
			{boss, "/admin/settings", "Save", []string{"portal.accent", "#FFFF00"}, "Accent", "4.5:1"},
			{boss, "/admin/settings", "Save", []string{"portal.accent", "blue"}, "Accent", "six digits"},
			{boss, "/admin/settings/contact", "Save", []string{"portal.contact_phone", "ask"}, "Telephone", "telephone number"},
			{boss, "/admin/settings/contact", "Save", []string{"portal.contact_email", "help@"}, "E-mail", "e-mail address"},
			{boss, "/admin/settings/contact", "Save", []string{"portal.contact_hours", strings.Repeat("x", 20001)}, "Hours",
				"too long"},
			{boss, "/admin/settings/mail", "Save", []string{"mail.from", "nobody"}, "", "e-mail address"},
			{boss, "/admin/settings/mail", "Save", []string{"mail.sync_timeout", "0"}, "", "1 second to 5 minutes"},
			{boss, "/admin/settings/mail", "Save", []string{"mail.workers", "9"}, "", "1 to 8"},
			{boss, "/admin/settings/mail", "Save", []string{"mail.smtp", "http://x"}, "", "smtp://"},
			{boss, "/admin/settings/sign-in", "Save", []string{"signin.second_factor", "maybe"}, "", ""},
			{boss, "/admin/settings/sign-in", "Save", []string{"session.admin_hours", "-1"}, "", "whole number"},
			{boss, "/admin/settings/applications", "Save", []string{"applications.max_courses", "0"}, "", "1 to 100"},
			{boss, "/admin/settings/applications", "Save", []string{"documents.max_bytes", "99999999999999999999"}, "",
				"whole number"},
			{boss, "/admin/settings/numbers", "Save", []string{"matriculation.format", "%day%"}, "", "counter"},
			{boss, "/admin/settings/api", "Save", []string{"api.enabled", "perhaps"}, "", ""},
			{boss, "/admin/settings/api", "Save", []string{"api.default_version", "11"}, "", ""},
			{boss, "/admin/time-rules/inactive", "Save", []string{"rules.inactive_after_days", "1.5"}, "", "whole number"},
			{boss, "/admin/time-rules/reminder-hour", "Save", []string{"rules.reminder_hour", "25:00"}, "", ""},
			{boss, "/admin/api-keys/new", "Create the key", []string{"label", "", "scope", "all"}, "What the key is for",
				"Write one line"},
			{boss, "/admin/api-keys/new", "Create the key", []string{"label", "x", "per_minute", "many"}, "", ""},
			{boss, "/admin/api-keys/new", "Create the key", []string{"label", "x", "scope", "half"}, "", ""},
			{boss, "/admin/api-keys/new", "Create the key",
				[]string{"label", "x", "expires", "day", "day-day", "31", "day-month", "2",
					"day-year", "2027"}, "", "day"},
		} {
			page := c.by.Open(c.address).Submit(c.press, c.fields...)
			labels := page.Text(".errors b")
			said := page.Errors()
			if page.Status != 422 || len(said) == 0 || !strings.Contains(strings.Join(said, "\n"), c.says) ||
				!strings.Contains(labels, c.at) {
				t.Errorf("%d: %s %.60q: %d %q %q", n, c.address, c.fields, page.Status, labels, said)
				continue
			}
			for n := 0; n+1 < len(c.fields); n += 2 {
				name, value := c.fields[n], c.fields[n+1]
				field := page.Find(`main [name="` + name + `"]`).First()
				if kind := field.AttrOr("type", "text"); field.Is("select") || kind == "radio" || kind == "checkbox" ||
					kind == "password" {
					continue // a choice that there is not cannot be shown
				}
				if got := field.AttrOr("value", field.Text()); got != value && strings.TrimSpace(got) != strings.TrimSpace(value) {
					t.Errorf("%s: %s lost %.40q, and has %.40q", c.address, name, value, got)
				}
			}
		}
	})
}
