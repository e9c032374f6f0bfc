package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestFromListToMatriculation takes an application from the list to its matriculation number in a browser, by keyboard
// only: points, the place in the ranking, the letter, of which the applicant sees nothing before it is confirmed, its
// acceptance in the portal, which declines the other offer, and the number (screens.md J3).
func TestFromListToMatriculation(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		numbered(i, "%yearShort%-%incYearly:5%")
		d.Write(`INSERT INTO scoresheet (id, created, name, type, maps, depth, range_min, range_max, scale)
				VALUES (3, 1, 'Motivation', 'Number', '', 'Application', 0, 30000, 0)`,
			"INSERT INTO criterion (course_id, scoresheet_id, position, weight, percent, required) VALUES (55, 3, 1, 10000, TRUE, TRUE)",
			"INSERT INTO score (id, scoresheet_id, application_id) VALUES (91, 3, 11)",
			"INSERT INTO ranking (id, name, created, modified, academic_term_id) VALUES (1, 'Energy first', 1, 1, NULL)",
			"INSERT INTO ranking_course (ranking_id, course_id) VALUES (1, 55)")
		staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
		tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "list-to-number", Cookie: staff,
			Path: "/admin/applications?status=Submitted&term=all"}, true)
		tab.Reach(`table a[href*="/admin/applications/11"]`)
		tab.Enter()
		tab.Wait(".tabs [aria-current=page]", "Overview")

		tab.Reach(`.tabs a[href*="/applications/11/scores"]`)
		tab.Enter()
		tab.Find(`main a[href*="/scores/91"]`)
		tab.Reach(`main a[href*="/scores/91"]`)
		tab.Enter()
		tab.Find("#f-points")
		tab.Reach("#f-points")
		tab.Write("2")
		tab.Enter()
		tab.Wait(".notice [role=status]", "The points on Motivation are saved.")
		if text := tab.Text("main"); !strings.Contains(text, "66.67") || !strings.Contains(text, "1 of 1") {
			t.Errorf("neither score nor rank: %s", text)
		}

		mails := d.Count("outbox")
		tab.Press("3")
		link := fmt.Sprintf(`main a[href^="%s"]`, path)
		tab.Find(link)
		tab.Reach(link)
		tab.Enter()
		tab.Find("#f-subject")
		tab.Press("e")
		tab.Press("a")
		tab.Press("c")
		tab.Send()
		tab.Wait(".notice [role=status]", "Saved. The applicant sees nothing yet.")
		if d.Count("outbox") != mails {
			t.Error("saving sends")
		}
		own := i.Applicant(1)
		letter := fmt.Sprintf("/my/offers/%d", offer)
		if page := own.Open(letter); page.Status != 404 || own.Open("/my/applications/11").Find("main a[href='"+
			letter+"']").Length() != 0 {
			t.Errorf("the applicant sees what is saved only: %d %s", page.Status, page.Text("main"))
		}
		tab.Press("e")
		tab.Send()
		tab.Find("form.confirm")
		tab.Press("e")
		tab.Enter()
		tab.Find("#f-subject")
		if n := d.Number("SELECT count(*) FROM offer WHERE confirmed IS NOT NULL AND id = $1", offer); n != 1 || d.Count("outbox") != mails+1 {
			t.Errorf("%d confirmed, %d mails", n, d.Count("outbox")-mails)
		}

		// The applicant gets the letter, reads it in the portal, and accepts.
		d.Deliver()
		sent := d.Post.Taken()
		if m := sent[len(sent)-1]; m.To.Email != "ann@example.org" || !strings.Contains(m.Text, "Accepted") {
			t.Errorf("the letter went to %v: %s", m.To, m.Text)
		}
		at := uitest.Open(t, i).Phone(t, uitest.Page{Name: "accepts", Cookie: i.Cookie(accounts.Portal, 1), Path: "/my"})
		press := func(selector string) {
			t.Helper()
			at.Reach(selector)
			at.Enter()
		}
		press("main a[href='" + letter + "']")
		at.At(letter)
		if text := at.Text("main"); !strings.Contains(text, "If you accept, your other offer is declined.") {
			t.Error("the applicant is not told what accepting does: ", text)
		}
		press("main a[href='" + letter + "/answer/accept']")
		at.At(letter + "/answer/accept")
		press("main form .btn.primary")
		at.At(letter)
		if text := at.Text("main"); !strings.Contains(text, "You accepted on") {
			t.Error(text)
		}
		tab.Open("/admin/applications/11/courses")
		declined := d.Number("SELECT count(*) FROM offer WHERE application_id = 11 AND course_id = 56 AND decision = 'Declined'")
		if text := tab.Text("#course-56"); declined != 1 || !strings.Contains(text, "Declined") {
			t.Errorf("the other offer is not declined: %s", text)
		}
		tab.Open(path + "/matriculate")
		tab.Reach(`main form button[type=submit], main form button:not([type])`)
		tab.Enter()
		tab.Wait(".tabs [aria-current=page]", "Overview")
		if got := d.Lines("SELECT matriculation FROM applicant WHERE id = 1"); got != "26-00001" {
			t.Errorf("the number is %q: %s", got, tab.Text("main"))
		}
	})
}

// TestThereAndBack withdraws an application, reopens it, adds a course, freezes it, submits it again and closes it, and
// takes each back, in a browser and by keyboard only. What is frozen the applicant cannot change, and the course that
// was added has its offer once the application is submitted again.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, offer := withOffer(d)
		const card = "/admin/applications/11"
		d.Write("UPDATE course SET form = '', status = 'Online'", "INSERT INTO course_intake (course_id, intake_id) VALUES (57, 8)")
		staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
		tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "there-and-back", Cookie: staff, Path: card}, true)
		for _, step := range []struct{ action, field, text, status, sql string }{
			{"withdraw", "#f-reason", "Asked to by telephone", "Withdrawn",
				"SELECT count(*) FROM offer WHERE decision = 'Declined'"},
			{"undo-withdrawal", "#f-reason", "Called again", "Submitted", "SELECT count(*) FROM offer WHERE decision = 'None'"},
			{"reopen", "#f-text", "Choose another course, please", "Reopened", "SELECT count(*) FROM application WHERE status = 'Reopened'"},
			{"freeze", "", "", "Reopened", "SELECT count(*) FROM application WHERE frozen IS NOT NULL"},
			{"unfreeze", "", "", "Reopened", "SELECT count(*) FROM application WHERE frozen IS NULL AND id = 11"},
			{"submit", "#f-reason", "Came by post", "Submitted", "SELECT count(*) FROM offer WHERE application_id = 11 AND course_id = 57"},
			{"close", "#f-reason", "Written twice", "Closed", "SELECT count(*) FROM application WHERE status = 'Closed'"},
			{"undo-closing", "#f-reason", "It was the other one", "Submitted", "SELECT count(*) FROM application WHERE status = 'Submitted'"},
		} {
			tab.Open(card + "/" + step.action)
			if step.field != "" && tab.Count(step.field) == 1 {
				tab.Reach(step.field)
				tab.Write(step.text)
			}
			const press = `main form button[type=submit], main form button:not([type])`
			tab.Reach(press)
			tab.Enter()
			if tab.Find("main .tabs, main input[name=sure]"); tab.Count("main input[name=sure]") == 1 {
				tab.Reach(press) // the page that asks before a mail leaves
				tab.Enter()
			}
			tab.At(card)
			if got := d.Status(11); got != step.status || d.Number(step.sql) == 0 {
				t.Fatalf("%s: the application is %s, %s", step.action, got, tab.Text("main"))
			}
			switch step.action {
			case "reopen":
				tab.Open(card + "/courses/add")
				tab.Choose("#f-course", "57-8")
				send(tab)
				tab.Find("#course-57")
				if tab.Count(`#course-57 a[href^="/admin/offers/"]`) != 0 {
					t.Error("there is an offer before the application is submitted again")
				}
			case "freeze":
				err := i.Services.Admissions.RemoveCourse(t.Context(), servicestest.Ann(), 11, 57)
				if got := servicestest.Codes(t, err); got != string(admitto.CodeFrozen) {
					t.Errorf("the applicant changes what is frozen: %q", got)
				}
			}
		}
		if d.Number("SELECT count(*) FROM offer WHERE id = $1", offer) != 1 {
			t.Error("the offer is gone")
		}
	})
}

// TestDeferral starts an application for the term after, with form and documents of the one before and past its
// deadline, in a browser and by keyboard only.
func TestDeferral(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, _ := withOffer(d)
		d.Write(`INSERT INTO academic_term (id, year, name, type, start, grace, finish)
				VALUES (14, 2026, 'Spring', 2, '2027-02-01', '2027-03-31', '2027-06-30')`,
			"INSERT INTO intake (id, name, policy, academic_term_id) VALUES (9, 'Spring 2027', 'Strict (course)', 14)",
			"INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (9, '001', '2026-03-08', '', FALSE)",
			"INSERT INTO course_intake (course_id, intake_id) VALUES (55, 9)", "UPDATE course SET status = 'Online'",
			`INSERT INTO application_content (application_id, content) VALUES (11, '{"contact": {"address": {"city": "Pécs"}}}')
				ON CONFLICT (application_id) DO UPDATE SET content = excluded.content`)
		staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
		tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "deferral", Cookie: staff, Path: "/admin/applicants/1/start"}, true)
		tab.Choose("#f-course", "55")
		tab.Choose("#f-intake", "9")
		tab.Reach("input[name=copy]")
		tab.Space()
		tab.Reach("main form button")
		tab.Enter()
		tab.Find(".errors")
		if text := tab.Text("main"); !strings.Contains(text, "The deadline has passed. Write why") ||
			tab.Value("#f-intake") != "9" {
			t.Fatal(text)
		}
		tab.Reach("#f-reason")
		tab.Write("Deferred by the dean")
		tab.Reach("main form button")
		tab.Enter()
		tab.At("/admin/applicants/1/applications")
		if n := d.Number("SELECT count(*) FROM application a JOIN application_content c ON c.application_id = a.id WHERE a.academic_term_id = 14 " +
			"AND a.status = 'Draft' AND c.content LIKE '%Pécs%'"); n != 1 {
			t.Errorf("%d applications: %s", n, tab.Text("main"))
		}
	})
}

// TestReorderByKeyboard moves a course down and up again with scripts and without.
func TestReorderByKeyboard(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		order := func() string {
			return d.Lines("SELECT course_id FROM application_course WHERE application_id = 11 ORDER BY priority")
		}
		page := uitest.Page{Name: "reorder", Path: "/admin/applications/11/courses",
			Cookie: i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))}
		b := uitest.Open(t, i)
		for _, scripts := range []bool{true, false} {
			tab := b.Tab(t, page, scripts)
			first := order()
			for _, to := range []string{"2", "1"} { // the first goes down, and what is the second now goes up
				move := fmt.Sprintf("button[name=to][value='%s']", to)
				tab.Find(move)
				tab.Reach(move)
				tab.Enter()
				tab.Find(".notice.ok")
				if moved := order() != first; moved != (to == "2") {
					t.Errorf("to %s: %s became %s", to, first, order())
				}
				tab.Open(page.Path)
			}
		}
	})
}
