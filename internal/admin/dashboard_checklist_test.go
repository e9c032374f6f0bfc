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

// TestChecklist does what the first set-up asks for, step by step; the list goes away with the last one.
func TestChecklist(t *testing.T) {
	onEach(t, func(t *testing.T, d *servicestest.Desk) {
		i := office(t, d)
		i.Put("DELETE FROM offer_type WHERE id <> 1", "DELETE FROM task_template_status", "DELETE FROM task_template")
		mara := i.Administrator("Mara Lind", admitto.AllPermissions().List()...)
		staff := i.Staff(mara)
		step := func(label string) string {
			page := staff.Open("/admin/")
			for n := range page.Find(".panels dl.kv > div").Length() {
				if fact := page.Find(".panels dl.kv > div").Eq(n); fact.Find("dt").Text() == label {
					return strings.TrimSpace(fact.Find("dd").Text()) + " " + fact.Find("dd a").AttrOr("href", "")
				}
			}
			return "not there"
		}
		set := func(name, value string) func() {
			return func() {
				d.Must(d.Services.Maintenance.ChangeSettings(t.Context(), servicestest.Staff(), nil,
					config.Change{Name: name, Value: &value}))
			}
		}
		sql := func(statements ...string) func() { return func() { i.Put(statements...) } }
		server := smtpServer(t)
		const later, institution = "To do; its page is still to come ", "To do /admin/institutions/1"
		for _, c := range []struct {
			label, before string
			do            func()
		}{
			{"Address and country of the institution", institution, sql("UPDATE institution SET address = '1 North Road', country = 'PT'")},
			{"E-mail address or telephone number for applicants", "To do /admin/settings/contact",
				set("portal.contact_phone", "+351 21 000 00 00")},
			{"Privacy text", "To do /admin/settings/texts", set("portal.privacy", "We keep your data safe.")},
			{"An academic year and a term", "To do /admin/terms/new", sql("INSERT INTO academic_term (id, year, name, type, start, grace, finish) " +
				"VALUES (9, 2026, 'Autumn', 1, '2026-09-01', '2026-10-31', '2027-01-31')")},
			{"An intake with deadlines", "To do /admin/intakes/new", sql("INSERT INTO intake (id, name, policy, academic_term_id) VALUES (9, 'Autumn', 'None', 9)",
				"INSERT INTO intake_deadline (intake_id, territory, deadline) VALUES (9, '001', '2026-06-30')")},
			{"A course that is online", "To do /admin/courses", sql("INSERT INTO course (id, status, updated, institution_id, name) " +
				"VALUES (9, 'Online', 1, 1, 'Physics')")},
			{"Offer types to answer with", "To do /admin/offer-types", sql("INSERT INTO offer_type (id, status, title, title_key, public_title, colour, ranking) " +
				"VALUES (9, 'Online', 'Admitted', 'admitted', 'Admitted', 'green', 'In quota')")},
			{"A task template, or an e-mail template in your own words", "To do /admin/templates",
				sql("INSERT INTO task_template (id, class, title, active) VALUES (9, 'checklist-own', 'Passport', TRUE)")},
			{"A test that the mail server took", "To do /admin/settings/mail", func() {
				page := staff.Open("/admin/settings/mail").Submit("Send test", "mail.smtp", server)
				if page.Status != 200 {
					t.Error(page.Text("main"))
				}
				set("mail.smtp", server)()
			}},
		} {
			if got := step(c.label); got != c.before {
				t.Errorf("%s before: %q", c.label, got)
			}
			c.do()
			if got := step(c.label); got != "Done " {
				t.Errorf("%s after: %q", c.label, got)
			}
		}
		// What another server took does not count.
		set("mail.smtp", "smtp://127.0.0.1:1?tls=none")()
		if got := step("A test that the mail server took"); !strings.HasPrefix(got, "To do ") {
			t.Error(got)
		}
		set("mail.smtp", server)()
		if got := step("A second administrator"); got != "To do /admin/administrators" {
			t.Error(got)
		}
		other := i.Administrator("Ines Faro", admitto.InstitutionsEdit)
		if got := step("A second administrator"); got != "not there" {
			t.Errorf("all is done: %q", got)
		}
		i.Put("UPDATE institution SET address = ''")
		if text := i.Staff(other).Open("/admin/").Text("main"); strings.Contains(text, "Before applications") {
			t.Error("shown without the permission")
		}
		if got := step("Address and country of the institution"); got != institution {
			t.Error(got)
		}
		i.Put("INSERT INTO applicant (id, state, lead, registered, email, email_key) "+
			"VALUES (9, 'live', FALSE, 1, 'a@b.org', 'a@b.org')",
			"INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) "+
				"VALUES (9, 9, 9, 'Blank', 1, 1)")
		if got := step("Address and country of the institution"); got != "not there" {
			t.Errorf("somebody has applied: %q", got)
		}
	})
}
