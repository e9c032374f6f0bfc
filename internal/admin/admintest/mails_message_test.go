package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

const toAnn = "/admin/messages/new?application=11"

// A message is written, read as its reader gets it, changed, and sent once; nothing is sent before.
func TestMailMessage(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", admitto.ApplicationsView, admitto.ApplicantsView, admitto.MessagesSend))
		page := staff.Open(staff.Open(mailTab).Find(`main a[href="`+toAnn+`"]`).First().AttrOr("href", ""))
		if page.Status != 200 || !strings.Contains(page.Text("main"), "It goes to ann@example.org") ||
			page.Find("main .btn.primary").Length() != 1 {
			t.Fatal(page.Status, page.Text("main"))
		}
		asked := page.Submit("Check and send", "subject", "About %application-ID% <b>", "text",
			"Dear %applicant-GivenName%,\n\n*please* look at %application-Link%.\n\n"+sitetest.Hostile)
		sitetest.Harmless(t, asked)
		for _, want := range []string{"Send this message to Ann Lee?", "ann@example.org", "About 11 <b>", "Dear Ann,",
			sitetest.Hostile} {
			if !strings.Contains(asked.Text("main"), want) {
				t.Errorf("the question lacks %q: %s", want, asked.Text("main"))
			}
		}
		changed := asked.Submit("Change it")
		if !strings.Contains(changed.Text("textarea"), "Dear %applicant-GivenName%") ||
			!strings.Contains(changed.Text("#preview"), "Dear Ann,") {
			t.Errorf("what was typed is gone: %s", changed.Text("main"))
		}
		if d.Count("email") != 0 {
			t.Error("something was sent before")
		}
		asked = changed.Submit("Check and send", "subject", "News about %application-ID%")
		done := asked.Submit("Send the message")
		if done.Path != mailTab || !strings.Contains(done.Text("main"), "The message to ann@example.org is on its way") ||
			!strings.Contains(done.Text("tbody tr:first-child"), "News about 11") {
			t.Errorf("%s: %s", done.Path, done.Text("main"))
		}
		if again := asked.Submit("Send the message"); again.Path != mailTab || d.Count("email") != 1 {
			t.Errorf("pressed twice: %s, %d mails", again.Path, d.Count("email"))
		}
		if d.Deliver() != 1 {
			t.Fatal("the message did not leave")
		}
		m := d.Post.Taken()[0]
		if m.Subject != "News about 11" || !strings.Contains(m.Text, "Dear Ann,") ||
			!strings.Contains(m.HTML, "<strong>please</strong>") ||
			strings.Contains(m.HTML, "<script") || m.To.Email != "ann@example.org" {
			t.Errorf("%+v", m)
		}
		if got := d.Since(len(d.Journal()) - 1); got[0] != "E-mail was sent: applicant-message" {
			t.Errorf("events %q", got)
		}
		d.Chained()
	})
}

// What is wrong with a message is said at its field, with everything typed kept, and nothing is sent.
func TestMessageFaults(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Superuser("Mara Lind"))
		for _, c := range []struct{ to, subject, text, field, says string }{
			{"application=11", "", "Text", "subject", "Fill this in"},
			{"application=11", "Subject", " \r\n ", "text", "Fill this in"},
			{"application=11", "Subject", "Dear %applicant-Nickname%", "text", "%applicant-Nickname% (line 1, place 6)"},
			{"application=11", "Subject", "See %offer-Link%", "text", "%offer-Link%"},
			{"application=11", "Subject", "Dear %name%", "text", "The nearest one is %term-Name%"},
			{"application=11", "For %applicant-SigninLink%", "Text", "subject", "%applicant-SigninLink%"},
			{"applicant=1", "Subject", "Your application %application-ID%", "text", "%application-ID%"},
			{"application=11", "Subject", "Number %applicant-Matriculation%.", "text", "no value for: %applicant-Ma"},
			{"application=11", "Number %applicant-Matriculation%", "Text", "subject", "%applicant-Matriculation%"},
			{"application=11", "Two\nlines", "Text", "subject", "cannot be shown"},
			{"application=11", strings.Repeat("x", 201), "Text", "subject", "at most 200"},
			{"application=11", "Subject", strings.Repeat("x", 10_001), "text", "at most 10"},
		} {
			page := staff.Open("/admin/messages/new?"+c.to).Submit("Check and send", "subject", c.subject, "text", c.text)
			if said := page.Text("#f-" + c.field + "-error"); page.Status != 422 || !strings.Contains(said, c.says) ||
				len(page.Errors()) != 1 {
				t.Errorf("%q %.40q: %d %q %q", c.subject, c.text, page.Status, said, page.Errors())
			}
			if got := page.Find("#f-subject").AttrOr("value", ""); c.field != "subject" && got != c.subject {
				t.Errorf("the subject is %q", got)
			}
			if got := page.Find("textarea").Text(); strings.TrimSpace(got) != strings.TrimSpace(c.text) {
				t.Errorf("the text is %.40q, want %.40q", got, c.text)
			}
		}
		// A marker that goes wrong between reading and sending is found again.
		asked := staff.Open("/admin/messages/new?applicant=1").Submit("Check and send", "subject", "Fine", "text", "Fine")
		if p := asked.Submit("Send the message", "text", "%applicant-Nickname%"); p.Status != 422 ||
			!strings.Contains(p.Text("#f-text-error"), "%applicant-Nickname%") {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		if d.Count("email") != 0 {
			t.Error("something was sent")
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.MessagesSend))
		for _, c := range []struct {
			who  *sitetest.Visitor
			path string
			want int
		}{{staff, "/admin/messages/new", 200}, {staff, "/admin/messages/new?application=x", 200},
			{staff, "/admin/messages/new?application=999", 404},
			{staff, "/admin/messages/new?applicant=999", 404}, {few, "/admin/messages/new", 200}, {few, toAnn, 403},
			{few, "/admin/messages/new?applicant=1", 403},
			{i.Staff(i.Administrator("Olu Brandt", admitto.ApplicationsView)), toAnn, 403}} {
			if p := c.who.Open(c.path); p.Status != c.want {
				t.Errorf("%s: %d, want %d", c.path, p.Status, c.want)
			}
		}
		page := staff.Open("/admin/applicants/1/emails")
		start := staff.Open(staff.Open(page.Find(`main a[href="/admin/messages/new?applicant=1"]`).First().AttrOr("href",
			"")).
			Find(`main a[href*="start=template"]`).AttrOr("href", ""))
		if got := start.Text("textarea"); !strings.Contains(got, "%applicant-Name%") ||
			!strings.Contains(start.Text("#preview"), "Hello Ann Lee") {
			t.Errorf("the template: %s", start.Text("main"))
		}
		if done := start.Submit("Check and send").Submit("Send the message"); done.Path != "/admin/applicants/1/emails" ||
			d.Count("email") != 1 {
			t.Errorf("%s: %s", done.Path, done.Text("main"))
		}
		typed := sitetest.Typed(staff.Open(toAnn).Find("main form"))
		typed.Set("text", "Dear %applicant-Name%")
		if p := staff.Post("/admin/messages/preview?application=11", typed); p.Status != 200 ||
			!strings.Contains(p.Body, "Dear Ann Lee") {
			t.Errorf("the live preview: %d %s", p.Status, p.Body)
		}
	})
}

// A message is written, read and sent in a browser without a mouse.
func TestMessageByKeyboard(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	id := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted'")
	given := i.Lines(fmt.Sprintf("SELECT p.given FROM applicant p JOIN application a ON a.applicant_id = p.id WHERE a.id = %d", id))
	list := fmt.Sprintf("/admin/applications/%d/emails", id)
	before := i.Count("email")
	tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "message-keyboard", Path: list,
		Cookie: i.Cookie(accounts.Administration,
			i.Superuser("Mara Lind"))}, true)
	tab.Reach(fmt.Sprintf(`main a[href="/admin/messages/new?application=%d"]`, id))
	tab.Enter()
	tab.Find("main [name=subject]")
	tab.Reach("main [name=subject]")
	tab.Write("Your interview")
	tab.Reach("main textarea")
	tab.Write("Dear %applicant-GivenName%, please call us.")
	tab.Wait("#preview p", "Dear "+given+", please call us.")
	tab.Reach("main .btn.primary")
	tab.Enter()
	tab.Find("main [name=send]")
	if i.Count("email") != before {
		t.Error("it was sent before it was read")
	}
	tab.Reach("main [name=send]")
	tab.Enter()
	tab.At(list)
	tab.Wait("tbody tr:first-child .name", "Your interview")
	if i.Count("email") != before+1 {
		t.Error("it was not sent once")
	}
}

// A failed e-mail is sent again in a browser without a mouse, with scripts and without.
func TestSendAgainByKeyboard(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		submitted(d, 11)
		cookie := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
		b := uitest.Open(t, i)
		for _, scripts := range []bool{true, false} {
			refuse(d, mail.Refusal{Code: 550, Step: "RCPT", Said: "No such user"})
			d.Deliver()
			page := b.Tab(t, uitest.Page{Name: "send-again", Path: mailTab, Cookie: cookie}, scripts)
			page.Reach(fmt.Sprintf(`main a[href$="/emails/%d"]`, d.Number("SELECT max(id) FROM email")))
			page.Enter()
			page.Find("main form button")
			page.Reach("main form button")
			page.Enter()
			page.Find(".notice.ok")
			if n := d.Count("outbox"); n != 1 || !strings.Contains(page.Text("main"), "on its way again") {
				t.Errorf("%d wait: %s", n, page.Text("main"))
			}
		}
	})
}
