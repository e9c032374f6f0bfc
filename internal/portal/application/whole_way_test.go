package application_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestWholeWayInBrowser goes the way of screens.md J2 by keyboard: from the catalogue over the mail to the receipt of a
// submission that a task and an invoice have stopped before. J7 is the same on a phone, in the dark, without scripts.
func TestWholeWayInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	for name, open := range map[string]func(*uitest.Browser, *testing.T, uitest.Page) *uitest.Tab{
		"desk": (*uitest.Browser).Desk, "phone": (*uitest.Browser).Phone} {
		t.Run(name, func(t *testing.T) {
			servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
				i := sitetest.On(d)
				prepare(i)
				browser := uitest.Open(t, i)
				tab := open(browser, t, uitest.Page{Name: "whole-way-" + name, Path: "/"})
				h := &hands{Tab: tab, t: t, i: i}
				h.arrive()
				h.fill()
				h.stopped(browser)
				h.submit()
			})
		})
	}
}

// prepare opens a season with two courses. Who applies is charged, and asked for a photograph.
func prepare(i *sitetest.Instance) {
	i.T.Helper()
	i.Must(i.Store.Seed(i.T.Context(), "Northfield", 2031))
	i.Keep()
	i.Put("UPDATE institution SET status = 'Online'",
		"INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (71, 2031, 'Autumn 2031', 1, '2031-09-01', '2031-10-31', '2032-01-31')",
		"INSERT INTO intake (id, name, policy, academic_term_id, commence) VALUES (71, 'autumn 2031', 'Strict (course)', 71, '2031-09-08')",
		"INSERT INTO intake_deadline (intake_id, territory, deadline) VALUES (71, '001', '2031-04-01'), (71, 'PT', '2031-05-15')",
		"UPDATE task_template SET active = FALSE",
		"UPDATE invoice_series SET blocking = TRUE",
		"INSERT INTO fee (id, name, type, automatic, causing, payment_days, all_courses) VALUES (71, 'Application fee', 'Appfee', 'application', 'course added', 30, TRUE)",
		"INSERT INTO fee_amount (fee_id, territory, currency, amount, basis) VALUES (71, '001', 'EUR', 9000, 'One-time'), (71, 'PT', 'EUR', 1500, 'One-time')")
	for id, name := range map[int]string{71: "Physics", 72: "Chemistry"} {
		i.Put(fmt.Sprintf("INSERT INTO course (id, status, updated, institution_id, name, type, language) VALUES (%d, 'Online', 1, 1, '%s', 'UG', 'en')", id, name),
			fmt.Sprintf("INSERT INTO course_intake (course_id, intake_id) VALUES (%d, 71)", id))
	}
	i.Clock.Add(admitto.TimeOf(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)) - i.Clock.Now())
	page := i.Staff(i.Superuser("Hana Yildiz")).Open("/admin/task-templates/new").Submit("Add task template",
		"title", "Send a photograph", "class", "photograph", "cause", "created",
		"switches-0", "default", "switches-0", "blocks",
		"switches-1", "public", "switches-1", "blocks", "switches-1", "requires_document")
	if page.Errors() != nil {
		i.T.Fatal(page.Errors())
	}
}

// hands is somebody in front of a browser, whose hands are on the keyboard.
type hands struct {
	*uitest.Tab
	t           *testing.T
	i           *sitetest.Instance
	application int64
}

// own is an address below the application.
func (h *hands) own(path string) string {
	return fmt.Sprintf("/my/applications/%d%s", h.application, path)
}

// press goes to a button or a link and presses it.
func (h *hands) press(selector string) {
	h.t.Helper()
	h.Reach(selector)
	h.Enter()
}

// fields fills in fields, in their order: "name=text" writes, "name:value" chooses from a list, "name!value" ticks.
func (h *hands) fields(fields ...string) {
	h.t.Helper()
	for _, f := range fields {
		at := strings.IndexAny(f, "=:!")
		field, value := fmt.Sprintf("main [name=%q]", f[:at]), f[at+1:]
		switch f[at] {
		case '=':
			h.Reach(field)
			h.Write(value)
		case ':':
			h.Choose(field, value)
		default:
			one := fmt.Sprintf("%s[value=%q]", field, value)
			if h.Count(field+"[type=radio]") > 1 {
				h.Reach(field)
				h.Space()
				h.Pick(field, one)
				continue
			}
			h.Reach(one)
			h.Space()
		}
	}
}

// arrive goes from the front page to an application: a country is chosen, a course found, an account registered by a
// link, and what is asked first answered.
func (h *hands) arrive() {
	h.t.Helper()
	h.fields("citizenship:PT")
	h.press("main form[role=search] .btn")
	h.Find("#citizenship [value=PT][selected]")
	if text := h.Text(".course"); !strings.Contains(text, "15 May 2031") || !strings.Contains(text, "15.00 EUR") {
		h.t.Error("not what somebody of Portugal reads: ", text)
	}
	h.press(".course a[href='/courses/71']")
	h.At("/courses/71")
	h.press("main a.btn.primary")
	h.Find("main a[href^='/register']")
	h.press("main a[href^='/register']")
	h.Find("main [name=given]")
	h.fields("given=Ilse", "family=Varga", "email=ilse@example.org", "citizenship:PT", "consent-1-1!Accept",
		"consent-2-1!Reject")
	h.press("main .btn.primary")
	h.At("/sign-in/mailbox")
	h.Open(link(h.i.Desk))
	h.press("main form .btn.primary")
	h.Find("main a.btn[href='/my/apply/71/71']") // no password
	h.press("main a.btn[href='/my/apply/71/71']")
	h.At("/my/apply/71/71")
	h.press("main form .btn.primary")
	h.Find("main .notice.ok")
	h.application = h.i.Number("SELECT max(id) FROM application")
	h.At(h.own(""))
}

// link is where the mail leads that comes next.
func link(d *servicestest.Desk) string {
	d.T.Helper()
	return regexp.MustCompile(`/sign-in/link/\S+`).FindString(d.Mail().Text)
}

// fill orders two courses, answers every section and uploads a document.
func (h *hands) fill() {
	h.t.Helper()
	h.Open(h.own("/courses"))
	h.press("main a[href^='/courses?']")
	h.Find(".course a[href='/courses/72']")
	h.press(".course a[href='/courses/72']")
	h.At("/courses/72")
	h.press("main a.btn.primary")
	h.At("/my/apply/72/71")
	h.press("main form .btn.primary")
	h.Find("main .notice.ok")
	h.Open(h.own("/courses"))
	h.press("form[action$='/72/up'] button")
	h.Wait("form[action$='/72/down'] button:focus .sr", "Chemistry. Now number 1 of 2.")
	for _, s := range []struct {
		section, button string
		fields          []string
	}{
		{"profile", "", []string{"content.birth.date-day=3", "content.birth.date-month=5", "content.birth.date-year=2008",
			"content.birth.country:PT"}},
		{"contact", "", []string{"content.address.street=1 Rua", "content.address.city=Porto",
			"content.address.country:PT", "content.telephone.mobile=+351 910 000 000"}},
		{"education/rows/new", "", []string{"content.level:SE", "content.institution=Escola", "content.country:PT",
			"content.enrolment-month=9", "content.enrolment-year=2023"}},
		{"languages/rows/new", "", []string{"content.name:en", "content.proficiency:C1"}},
		{"motivation", "", []string{"content.general=I like numbers."}},
	} {
		h.Open(h.own("/form/" + s.section))
		h.fields(s.fields...)
		h.press("main form .btn.primary")
		h.Find("main .notice.ok")
	}
	h.Open(h.own("/documents"))
	h.attach("record.pdf", "record.pdf was added.")
}

// attach uploads a document. The window in which a file is chosen is the system's, not the page's.
func (h *hands) attach(name, said string) {
	h.t.Helper()
	file := filepath.Join(h.t.TempDir(), name)
	h.i.Must(os.WriteFile(file, []byte("%PDF-1.4\n%"+name+"\n%%EOF\n"), 0o600))
	h.Attach("main input[type=file]", file)
	h.press("main form[enctype] .btn.primary")
	h.Wait("main .notice.ok", said)
}

// stopped is told what stops the submission, hands in what is asked for, and staff take it and record the payment.
func (h *hands) stopped(browser *uitest.Browser) {
	h.t.Helper()
	h.Open(h.own("/check"))
	task, invoice := h.i.Number("SELECT max(id) FROM task"), h.i.Number("SELECT max(id) FROM invoice")
	for _, path := range []string{"tasks", "invoices"} {
		if h.Count("main a[href^='/my/"+path+"/']") == 0 {
			h.t.Errorf("the page does not lead to the %s: %s", path, h.Text("main"))
		}
	}
	if h.Count("main [name=declared-0]") != 0 {
		h.t.Error("what is stopped can be submitted")
	}
	h.press("main a[href^='/my/tasks/']")
	h.At(fmt.Sprintf("/my/tasks/%d", task))
	h.attach("photograph.pdf", "Saved at 12:00:00. We will look at it.")

	staff := browser.Desk(h.t, uitest.Page{Name: "whole-way-staff",
		Path:   fmt.Sprintf("/admin/invoices/%d/collect", invoice),
		Cookie: h.i.Cookie(accounts.Administration, h.i.Superuser("Mara Lind"))})
	desk := &hands{Tab: staff, t: h.t, i: h.i}
	desk.fields("amount=15.00")
	desk.press("main form .btn.primary")
	desk.Find("main .notice.ok")
	desk.Open(fmt.Sprintf("/admin/tasks/%d", task))
	desk.fields("status:Accepted")
	desk.press("main form .btn.primary")
	desk.Find("main .notice.ok")
}

// submit sends the application and has the receipt checked as anybody can.
func (h *hands) submit() {
	h.t.Helper()
	h.Open(h.own("/check"))
	h.fields("declared-0!yes")
	h.press("main form .btn.primary")
	h.At(h.own("/receipts/1"))
	if text := h.Text("main"); !strings.Contains(text, "Your application was submitted on 1 May 2031") {
		h.t.Error(text)
	}
	receipt := h.i.Applicant(h.i.Number("SELECT max(applicant_id) FROM application")).Open(h.own("/receipts/1/text")).Body
	altered := strings.Replace(receipt, "Applicant", "applicant", 1)
	for text, said := range map[string]string{receipt: "Valid. ", altered: "Not valid."} {
		h.Open("/receipts")
		h.fields("receipt=" + text)
		h.press("main form .btn.primary")
		h.Find("main .notice")
		if got := h.Text("main"); !strings.Contains(got, said) {
			h.t.Errorf("%q is not in %s", said, got)
		}
	}
	if status := h.i.Status(h.application); status != string(admitto.Submitted) {
		h.t.Error(status)
	}
}
