package admintest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// mailTab is the list of the mails about an application of Ann.
const mailTab = "/admin/applications/11/emails"

// refuse lets the mail server refuse everything.
func refuse(d *servicestest.Desk, refusal mail.Refusal) {
	d.Post.Will(func(context.Context, *mail.Message) error { return &refusal })
}

// submitted submits an application, which causes a mail about it.
func submitted(d *servicestest.Desk, application int64) {
	d.T.Helper()
	_, err := d.Services.Admissions.Submit(d.T.Context(), servicestest.Staff(), application,
		admissions.Submission{Reason: "Papers came by post"})
	d.Must(err)
}

// A mail that the mail server refuses is on the card within the minute, with what the mail server said; so is one that
// it will be offered again.
func TestFailedMailIsSeen(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Superuser("Mara Lind"))
		if page := staff.Open(mailTab); page.Status != 200 || !strings.Contains(page.Text("main"), "No e-mails yet") {
			t.Fatal(page.Status, page.Text("main"))
		}
		submitted(d, 11)
		row := func() string { return staff.Open(mailTab).Text("tbody tr:first-child") }
		if got := row(); !strings.Contains(got, "Waiting") || !strings.Contains(got, "Application submitted") {
			t.Errorf("before: %s", got)
		}
		refuse(d, mail.Refusal{Temporary: true, Code: 451, Step: "RCPT", Said: "Come back later"})
		d.Deliver()
		if got := row(); !strings.Contains(got, "Not delivered yet") || !strings.Contains(got, "451 Come back later") {
			t.Errorf("delayed: %s", got)
		}
		delayed := staff.Open(staff.Open(mailTab).Find("tbody a").AttrOr("href", "")).Text("main")
		if !strings.Contains(delayed, "Next try9 March 2026, 09:01 (UTC)") {
			t.Errorf("the page does not say when it is tried again: %s", delayed)
		}
		d.Clock.Add(admitto.Minute)
		refuse(d, mail.Refusal{Code: 550, Step: "RCPT", Said: "<b>No</b> such user"})
		d.Deliver()
		page := staff.Open(mailTab)
		if got := page.Text("tbody tr:first-child"); !strings.Contains(got, "Failed") ||
			!strings.Contains(got, "550 <b>No</b> such user") {
			t.Errorf("failed: %s", got)
		}
		if got := page.Text(`.tabs a[aria-current] .count`); got != "1" {
			t.Errorf("the tab counts %s", got)
		}
		history := staff.Open("/admin/applications/11/history")
		one := page.Find("tbody a").AttrOr("href", "")
		if got := history.Find(fmt.Sprintf(".timeline li a[href=%q]", one)).Length(); got != 1 ||
			!strings.Contains(history.Text(".timeline li:first-child"), "Application submitted") {
			t.Errorf("the history has %d links: %s", got, history.Text(".timeline li:first-child"))
		}
		failed := staff.Open(one)
		for _, want := range []string{"550 <b>No</b> such user", "Application submitted", "2, the last on", "Given up",
			"About the application", "ann@example.org"} {
			if text := failed.Text("main"); !strings.Contains(text, want) || strings.Contains(text, "Next try") {
				t.Errorf("the page of the mail lacks %q: %s", want, text)
			}
		}
		if strings.Contains(failed.Text("main"), "Opened") || strings.Contains(failed.Text("main"), "Delivered") {
			t.Error("the page says what is not known")
		}
	})
}

// The copies of mails with links and passwords have none, neither on the pages nor in the words of the mail server.
func TestSecretsAreRemoved(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Superuser("Mara Lind"))
		var link string
		d.Post.Will(func(_ context.Context, m *mail.Message) error {
			_, link, _ = strings.Cut(m.Text, "https://")
			link, _, _ = strings.Cut(link, "\n")
			return &mail.Refusal{Code: 554, Step: "end of DATA", Said: "Spam: https://" + link + " is on a list"}
		})
		d.Must(d.Services.Accounts.SendSignInLink(t.Context(), servicestest.Staff(), 1))
		d.Deliver()
		if len(link) < 30 {
			t.Fatalf("the mail has no link: %q", link)
		}
		token := link[strings.LastIndexByte(link, '/')+1:]
		for _, path := range []string{mailTab, "/admin/applicants/1/emails"} {
			list := staff.Open(path)
			one := staff.Open(list.Find("tbody a").AttrOr("href", ""))
			for _, page := range []*sitetest.Page{list, one} {
				if page.Status != 200 || strings.Contains(page.Body, token) ||
					!strings.Contains(page.Text("main"), "Spam: (secret removed) is on a list") {
					t.Errorf("%s: %d %s", page.Path, page.Status, page.Text("main"))
				}
			}
			if one.Find("article").Length() != 1 || !strings.Contains(one.Text("article"), "(secret removed)") {
				t.Errorf("%s: %s", path, one.Text("article"))
			}
		}
		if d.Number("SELECT count(*) FROM failed_mail") != 0 || d.Count("outbox") != 0 {
			t.Error("a mail with a secret is kept")
		}
		d.Sound(token)
	})
}

// The tab has the mails about its application and those about none, a page at a time; those about another application
// are on the card of that and with the applicant. Who may not see applicants sees no mails about none.
func TestMailsOfAnApplication(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Shelf.Backend = servicestest.Drawer{Backend: d.Shelf.Backend}
		d.AtWork()
		staff := i.Staff(i.Superuser("Mara Lind"))
		submitted(d, 11)
		_, err := d.Services.Notify.SendMessage(t.Context(), servicestest.Staff(), 1, sitetest.Hostile,
			"About\n\n"+sitetest.Hostile)
		d.Must(err)
		mine := d.Number("SELECT max(id) FROM email WHERE application_id = 11")
		general := d.Number("SELECT max(id) FROM email WHERE application_id IS NULL")
		d.Put(fmt.Sprintf("INSERT INTO email_attachment (id, email_id, uploaded, name, mime, size, hash) "+
			"VALUES (71, %d, 1, 'a<b>.html', 'text/html', 7, 'aa')", mine),
			"INSERT INTO email (id, applicant_id, inserted, from_name, from_email, subject, message, application_id) "+
				"VALUES (9901, 1, 1, 'n', 'f@example.org', 'Elsewhere', 'text', 99)")
		page := staff.Open(mailTab)
		sitetest.Harmless(t, page)
		if n := page.Find("tbody tr").Length(); n != 2 || page.Text(`.tabs a[aria-current] .count`) != "2" ||
			strings.Contains(page.Text("main"), "Elsewhere") {
			t.Errorf("%d rows: %s", n, page.Text("main"))
		}
		if n := staff.Open("/admin/applicants/1/emails").Find("tbody tr").Length(); n != 3 {
			t.Errorf("the applicant has %d mails", n)
		}
		one := staff.Open(fmt.Sprintf("%s/%d", mailTab, general))
		sitetest.Harmless(t, one)
		if !strings.Contains(one.Text("article"), sitetest.Hostile) {
			t.Error(one.Text("main"))
		}
		file := staff.Open(fmt.Sprintf("%s/%d", mailTab, mine)).Find(`main a[href$="/files/71"]`).AttrOr("href", "")
		if p := staff.Open(file); p.Status != 200 || p.Body != "content" ||
			!strings.HasPrefix(p.Header.Get("Content-Disposition"), "attachment") ||
			!strings.Contains(p.Header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("the file: %d %q %v", p.Status, p.Body, p.Header)
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
		if p := few.Open(mailTab); p.Status != 200 || p.Find("tbody tr").Length() != 1 ||
			p.Text(`.tabs a[aria-current] .count`) != "1" {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		other := i.Staff(i.Administrator("Olu Brandt", admitto.ApplicantsView))
		for _, c := range []struct {
			who  *sitetest.Visitor
			path string
			want int
		}{{few, fmt.Sprintf("%s/%d", mailTab, mine), 200}, {few, fmt.Sprintf("%s/%d", mailTab, general), 404},
			{few, file, 200},
			{few, fmt.Sprintf("/admin/applicants/1/emails/%d", mine), 403}, {other, mailTab, 403}, {other, file, 403},
			{other, fmt.Sprintf("/admin/applicants/1/emails/%d/files/71", mine), 404},
			{staff, mailTab + "/9901", 404}, {staff, mailTab + "/9901/files/71", 404}, {staff, mailTab + "/12345", 404},
			{staff, mailTab + "/x", 404},
			{staff, fmt.Sprintf("%s/%d/files/71", mailTab, general), 404}, {staff, "/admin/applications/12345/emails", 404},
			{staff, fmt.Sprintf("/admin/applicants/2/emails/%d", mine), 404}} {
			if p := c.who.Open(c.path); p.Status != c.want {
				t.Errorf("%s: %d, want %d", c.path, p.Status, c.want)
			}
		}
		var rows []string
		for n := range 60 {
			rows = append(rows, fmt.Sprintf("INSERT INTO email (id, applicant_id, inserted, from_name, from_email, subject, message) "+
				"VALUES (%d, 1, 1, 'n', 'f@example.org', 'Number %d', 'text')", 20000+n, n))
		}
		d.Put(rows...)
		page = staff.Open(mailTab)
		if n := page.Find("tbody tr").Length(); n != 50 || !strings.Contains(page.Text("tbody tr:first-child"), "Number 59") {
			t.Errorf("%d rows, the first %s", n, page.Text("tbody tr:first-child"))
		}
		if n := staff.Open(mailTab + "?page=2").Find("tbody tr").Length(); n != 12 {
			t.Errorf("%d rows on the second page", n)
		}
		if p := staff.Open(mailTab + "?page=9"); p.Find("tbody tr").Length() != 12 {
			t.Errorf("behind the last page: %s", p.Path)
		}
	})
}

// What failed is sent again by a button on its page, by those who may write to applicants; a second press finds it on
// its way. A mail whose text is gone leads to a new link instead.
func TestSendAgain(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", admitto.ApplicationsView, admitto.ApplicantsView,
			admitto.ApplicantsEdit, admitto.MessagesSend))
		submitted(d, 11)
		refuse(d, mail.Refusal{Code: 550, Step: "RCPT", Said: "No such user"})
		d.Deliver()
		path := fmt.Sprintf("%s/%d", mailTab, d.Number("SELECT max(id) FROM email"))
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView, admitto.ApplicantsView))
		if p := few.Open(path); p.Status != 200 || p.Find("main button").Length() != 0 {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		page := staff.Open(path)
		if !strings.Contains(page.Text("main form"), "It goes to ann@example.org") {
			t.Errorf("the page does not say where: %s", page.Text("main"))
		}
		done := page.Submit("Send again")
		if done.Path != path || !strings.Contains(done.Text("main"), "on its way again") ||
			!strings.Contains(done.Text("main"), "Not delivered yet") ||
			done.Find("main form").Length() != 0 {
			t.Errorf("%s: %s", done.Path, done.Text("main"))
		}
		if p := page.Submit("Send again"); p.Status != 200 || d.Count("outbox") != 1 {
			t.Errorf("a second press: %d, %d wait", p.Status, d.Count("outbox"))
		}
		d.Post.Will(nil)
		if d.Deliver() != 1 || !strings.Contains(staff.Open(mailTab).Text("tbody tr:first-child"), "Sent") {
			t.Error(staff.Open(mailTab).Text("main"))
		}
		if p := staff.Post("/admin/emails/12345/again", sitetest.Typed(page.Find("main form"))); p.Status != 404 {
			t.Errorf("a mail that is not there: %d", p.Status)
		}
		refuse(d, mail.Refusal{Code: 550, Step: "RCPT"})
		d.Must(d.Services.Accounts.SendSignInLink(t.Context(), servicestest.Staff(), 1))
		d.Deliver()
		page = staff.Open(fmt.Sprintf("%s/%d", mailTab, d.Number("SELECT max(id) FROM email")))
		if page.Find("main form").Length() != 0 || page.Find(
			`main a[href="/admin/applicants/1/sign-in-link"]`).Length() != 1 {
			t.Error(page.Text("main"))
		}
		if p := few.Open(page.Path); p.Find(`main a[href$="/sign-in-link"]`).Length() != 0 ||
			!strings.Contains(p.Text("main"), "Its text is gone") {
			t.Error(p.Text("main"))
		}
	})
}

// The dashboard leads to all mails that were given up, as many as it says, where each can be sent again.
func TestFailedMails(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Superuser("Mara Lind"))
		if p := staff.Open("/admin/emails"); p.Status != 200 || !strings.Contains(p.Text("main"), "No e-mail has failed") {
			t.Error(p.Status, p.Text("main"))
		}
		refuse(d, mail.Refusal{Code: 550, Step: "RCPT", Said: "No such user"})
		submitted(d, 11)
		d.Must(d.Services.Accounts.SendSignInLink(t.Context(), servicestest.Staff(), 2))
		d.Deliver()
		d.Clock.Add(2 * admitto.Minute)
		page := staff.Open(staff.Open("/admin/").Find(`main a[href^="/admin/emails"]`).AttrOr("href", ""))
		if page.Status != 200 || page.Find("tbody tr").Length() != 2 ||
			!strings.Contains(page.Text("main"), "550 No such user") ||
			page.Find("main form button").Length() != 1 ||
			page.Find(`main a[href="/admin/applicants/2/sign-in-link"]`).Length() != 1 {
			t.Fatal(page.Status, page.Text("main"))
		}
		form := page.Find("main form")
		done := staff.Post(form.AttrOr("action", ""), sitetest.Typed(form))
		if done.Path != "/admin/emails" || done.Find("tbody tr").Length() != 1 || d.Count("outbox") != 1 {
			t.Errorf("%s: %s", done.Path, done.Text("main"))
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicantsView))
		if p := few.Open("/admin/emails"); p.Status != 200 || p.Find("main form").Length() != 0 ||
			p.Find("tbody tr").Length() != 1 {
			t.Error(p.Status, p.Text("main"))
		}
		if p := i.Staff(i.Administrator("Olu Brandt", admitto.MessagesSend)).Open("/admin/emails"); p.Status != 403 {
			t.Error(p.Status)
		}
		d.Must(d.Services.Privacy.DeleteApplicant(t.Context(), servicestest.Staff(), 2))
		if p := staff.Open("/admin/emails"); p.Find("tbody tr").Length() != 0 {
			t.Error(p.Text("main"))
		}
	})
}

// TestMailsByPermission lists, opens and sends again only mails about what one may see elsewhere (lifecycle.md 12.1),
// whatever card they are found through.
func TestMailsByPermission(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		const card = "/admin/applicants/1/emails"
		codes := map[int64]string{91: "applicant-message", 92: "application-submitted", 93: "offer-letter",
			94: "invoice-delivery", 95: "applicant-message"}
		for id, code := range codes {
			about := "11"
			if id == 91 {
				about = "NULL"
			}
			d.Write(fmt.Sprintf(`INSERT INTO email (id, applicant_id, application_id, inserted, failed, from_name, from_email, subject, message,
				template) VALUES (%d, 1, %s, 1, 2, '', '', 'Mail %d', 'Text %d', '%s')`, id, about, id, id, code))
		}
		v, o, m, a := admitto.ApplicationsView, admitto.OffersView, admitto.AccountingView, admitto.ApplicantsView
		for name, c := range map[string]struct {
			may  []admitto.Permission
			want []int64
		}{
			"the applicant":              {[]admitto.Permission{a}, []int64{91}},
			"and applications":           {[]admitto.Permission{a, v}, []int64{91, 92, 95}},
			"and offers":                 {[]admitto.Permission{a, v, o}, []int64{91, 92, 93, 95}},
			"offers without the rest":    {[]admitto.Permission{a, o}, []int64{91}},
			"an accountant":              {[]admitto.Permission{a, m}, []int64{91, 94}},
			"applications and no people": {[]admitto.Permission{v, o, m}, []int64{92, 93, 94, 95}},
		} {
			staff := i.Staff(i.Administrator(name, append(c.may, admitto.MessagesSend)...))
			lists := map[string]string{mailTab: "/admin/applications/11/emails/%d", card: card + "/%d", "/admin/emails": ""}
			for list, one := range lists {
				page := staff.Open(list)
				if page.Status == 403 {
					continue
				}
				for id := range codes {
					seen := slices.Contains(c.want, id)
					if got := strings.Contains(page.Text("main"), fmt.Sprint("Mail ", id)); got != seen {
						t.Errorf("%s: mail %d is listed at %s: %t", name, id, list, got)
					}
					if one == "" {
						continue
					}
					if got := staff.Open(fmt.Sprintf(one, id)).Status == 200; got != seen {
						t.Errorf("%s: mail %d is open at %s: %t", name, id, list, got)
					}
				}
				if n := len(c.want); list == mailTab && page.Text(".tabs a[aria-current] .count") != fmt.Sprint(n) {
					t.Errorf("%s: the tab counts %s of %d", name, page.Text(".tabs a[aria-current] .count"), n)
				}
			}
			for id := range codes {
				by := servicestest.Staff()
				by.Permissions = admitto.PermissionsOf(append(c.may, admitto.MessagesSend)...)
				err := d.Services.Notify.SendAgain(t.Context(), by, id)
				if hidden := admitto.KindOf(err) == admitto.NotFound; hidden == slices.Contains(c.want, id) {
					t.Errorf("%s: mail %d again: %v", name, id, err)
				}
				d.Write(fmt.Sprintf("DELETE FROM outbox WHERE email_id = %d", id),
					fmt.Sprintf("UPDATE email SET failed = 2, delivered = NULL WHERE id = %d", id))
			}
		}
	})
}
