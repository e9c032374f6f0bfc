package admin_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// smtpServer is a mail server that says yes to all; it returns the value of mail.smtp.
func smtpServer(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				fmt.Fprint(c, "220 mail.example.edu\r\n")
				for lines := bufio.NewScanner(c); lines.Scan(); {
					fmt.Fprint(c, "250 yes\r\n")
				}
			}()
		}
	}()
	return "smtp://" + l.Addr().String() + "?tls=none"
}

// TestChecklist does what the first set-up asks for, step by step, in the forms that the list leads to and with what
// they propose; the list says what is missing, and goes away with the last step.
func TestChecklist(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		i.Put("DELETE FROM offer_type WHERE id <> 1", "DELETE FROM task_template_status", "DELETE FROM task_template")
		mara := i.Administrator("Mara Lind", admitto.AllPermissions().List()...)
		staff := i.Staff(mara)
		step := func(label string) (words, href string) {
			page := staff.Open("/admin/")
			for n := range page.Find(".panels dl.kv > div").Length() {
				if fact := page.Find(".panels dl.kv > div").Eq(n); fact.Find("dt").Text() == label {
					return strings.TrimSpace(fact.Find("dd").Text()), fact.Find("dd a").AttrOr("href", "")
				}
			}
			return "not there", ""
		}
		set := func(name, value string) {
			d.Must(d.Services.Maintenance.ChangeSettings(t.Context(), servicestest.Staff(), nil,
				config.Change{Name: name, Value: &value}))
		}
		sql := func(statements ...string) func(*sitetest.Page) {
			return func(*sitetest.Page) { i.Put(statements...) }
		}
		press := func(button string, values ...string) func(*sitetest.Page) {
			return func(page *sitetest.Page) {
				if after := page.Submit(button, values...); after.Status != 200 || after.Errors() != nil {
					t.Error(button, values, after.Status, after.Errors())
				}
			}
		}
		server := smtpServer(t)
		const institution, online = "Address and country of the institution", "A course that is online"
		const intake, types = "An intake with deadlines", "Offer types to answer with"
		const mails = "A test that the mail server took"
		for _, c := range []struct {
			label, lacks, address string
			do                    func(form *sitetest.Page)
		}{
			{institution, "Its address is not filled in. Its country is not chosen.", "/admin/institutions/1",
				press("Save", "address", "1 North Road")},
			{institution, "Its country is not chosen.", "/admin/institutions/1", press("Save", "country", "PT")},
			{"E-mail address or telephone number for applicants", "Neither is filled in.", "/admin/settings/contact",
				press("Save", "portal.contact_phone", "+351 21 000 00 00")},
			{"Privacy text", "There is no text yet.", "/admin/settings/texts", func(*sitetest.Page) {
				set("portal.privacy", "We keep your data safe.")
			}},
			{"An academic year and a term", "There is no term yet.", "/admin/terms/new", press("Add term")},
			{intake, "There is no intake yet.", "/admin/intakes/new",
				sql("INSERT INTO intake (id, name, policy, academic_term_id) " +
					"SELECT 9, 'Undated', 'None', id FROM academic_term")},
			{intake, "“Undated” has no deadline.", "/admin/intakes/9", sql("DELETE FROM intake")},
			{intake, "There is no intake yet.", "/admin/intakes/new", press("Add intake")},
			{online, "There is no course yet.", "/admin/courses/new", press("Add course", "name", "Physics", "mode", "")},
			{online, "“Physics” is not online yet. Choose a mode of the course first.", "/admin/courses/1",
				press("Save", "mode", "FT")},
			{online, "“Physics” is not online yet.", "/admin/courses/1/status?status=Online", press("Save")},
			{types, "There is only the type of new offers.", "/admin/offer-types/new",
				press("Add offer type", "title", "Admitted", "ranking", "In quota")},
			{"A task template, or an e-mail template in your own words",
				"All e-mails have the shipped words, and no task template is switched on.",
				"/admin/templates/application-submitted", press("Save", "subject", "We have it")},
			{mails, "No mail server is filled in.", "/admin/settings/mail", func(*sitetest.Page) {
				set("mail.smtp", server)
			}},
			{mails, "The mail server was not tested yet.", "/admin/settings/mail", press("Send test")},
		} {
			words, href := step(c.label)
			if words != "To do. "+c.lacks || href != c.address {
				t.Errorf("%s before: %q %s", c.label, words, href)
				continue
			}
			c.do(staff.Open(href))
			if after, _ := step(c.label); after == words {
				t.Errorf("%s is as before: %q", c.label, after)
			}
		}
		for _, label := range []string{institution, intake, online, types, mails} {
			if words, _ := step(label); words != "Done" {
				t.Errorf("%s: %q", label, words)
			}
		}
		i.Put("UPDATE intake_deadline SET deadline = '2020-01-31'")
		name := strings.TrimSpace(i.Lines("SELECT name FROM intake"))
		if words, href := step(intake); words != "To do. Nobody can apply in “"+name+"”, now or later. Look at its days." ||
			!strings.HasPrefix(href, "/admin/intakes/") {
			t.Error(words, href)
		}
		i.Put("UPDATE intake_deadline SET deadline = NULL")
		if words, _ := step(intake); words != "Done" {
			t.Error(words)
		}
		i.Put("UPDATE offer_type SET status = 'Archived' WHERE id <> 1")
		if words, href := step(types); words != "To do. All others are switched off, “Admitted” among them." ||
			!strings.HasPrefix(href, "/admin/offer-types/") {
			t.Error(words, href)
		}
		i.Put("UPDATE offer_type SET status = 'Online'")
		// What another server took does not count.
		set("mail.smtp", "smtp://127.0.0.1:1?tls=none")
		if got, _ := step(mails); got != "To do. The mail server changed after the test." {
			t.Error(got)
		}
		set("mail.smtp", server)
		const second = "A second administrator"
		if words, href := step(second); words != "To do. You are the only one; nobody could let you in again." ||
			href != "/admin/administrators/invite" {
			t.Error(words, href)
		}
		other := i.Administrator("Ines Faro", admitto.InstitutionsEdit)
		if got, _ := step(second); got == "not there" {
			t.Error("somebody who lets nobody in counts as a second administrator")
		}
		i.Superuser("Ada Boss")
		if got, _ := step(second); got != "not there" {
			t.Errorf("all is done: %q", got)
		}
		i.Put("UPDATE institution SET address = ''")
		if text := i.Staff(other).Open("/admin/").Text("main"); strings.Contains(text, "Before applications") {
			t.Error("shown without the permission")
		}
		keeper := i.Staff(i.Administrator("Rui Alves", admitto.InstanceAdmin))
		if text := keeper.Open("/admin/").Text(".panels dl.kv"); !strings.Contains(text, "To do by others. Its address") {
			t.Error("a step of others: ", text)
		}
		if got, _ := step(institution); got != "To do. Its address is not filled in." {
			t.Error(got)
		}
		i.Put("INSERT INTO applicant (id, state, lead, registered, email, email_key) "+
			"VALUES (9, 'live', FALSE, 1, 'a@b.org', 'a@b.org')",
			"INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) "+
				"VALUES (9, 9, 1, 'Blank', 1, 1)")
		if got, _ := step(institution); got != "not there" {
			t.Errorf("somebody has applied: %q", got)
		}
	})
}
