package card_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// at is a page for somebody who came to work at the time it is now.
func at(i *sitetest.Instance, path string) uitest.Page {
	return uitest.Page{Name: "mistake", Cookie: i.Cookie(accounts.Administration, i.Superuser("Mara Lind")), Path: path}
}

// send presses the button of the form, or that of the confirmation.
func send(tab *uitest.Tab) {
	tab.Reach("main form button[type=submit], main form button:not([type])")
	tab.Enter()
}

// on types a day.
func on(tab *uitest.Tab, day, month, year string) {
	for part, text := range map[string]string{"day": day, "month": month, "year": year} {
		tab.ReachBack("#f-day-" + part)
		tab.Write(text)
	}
}

// sent delivers what waits, and fails unless the last mail went to the applicant and has all these words.
func sent(t *testing.T, d *servicestest.Desk, words ...string) {
	t.Helper()
	m := lastMail(d)
	for _, word := range words {
		if m.To.Email != "ann@example.org" || !strings.Contains(m.Subject+m.Text, word) {
			t.Errorf("the mail to %s lacks %q: %s\n%s", m.To.Email, word, m.Subject, m.Text)
		}
	}
}

// TestWrongCourseInBrowser gives an application that was submitted with the wrong course the right one, whose offer is
// there at once (T20), by keyboard only.
func TestWrongCourseInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, _ := withOffer(d)
		d.Write("UPDATE course SET status = 'Online'", "INSERT INTO course_intake (course_id, intake_id) VALUES (57, 8)")
		tab := uitest.Open(t, i).Tab(t, at(i, "/admin/applications/11/courses"), true)
		tab.Reach(`.cardhead a[href$="/courses/add"]`)
		tab.Enter()
		tab.Find("#f-course")
		tab.Choose("#f-course", "57-8")
		send(tab)
		tab.Find("#course-57")
		if n := d.Number("SELECT count(*) FROM offer WHERE application_id = 11 AND course_id = 57"); n != 1 || d.Status(11) != "Submitted" ||
			tab.Count(`#course-57 a[href^="/admin/offers/"]`) == 0 {
			t.Errorf("%d offers, %s: %s", n, d.Status(11), tab.Text("main"))
		}
	})
}

// TestMissedDeadlineInBrowser helps two applicants who came a second late: one has an application, whose deadline is
// extended; the other has none, so it is started and extended. Both submit.
func TestMissedDeadlineInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		d.Write("UPDATE intake SET policy = 'Strict (submit)'", "UPDATE course SET status = 'Online'",
			"INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-03-09', '', FALSE)",
			"DELETE FROM application_course WHERE application_id = 12", "DELETE FROM application WHERE id = 12")
		d.Clock.Add(15 * admitto.Hour) // 10 March, 00:00:00
		d.Submit(servicestest.Ann(), "", "deadline-passed deadline-passed")

		tab := uitest.Open(t, i).Tab(t, at(i, "/admin/applications/11"), true)
		extend := func(id int64) {
			tab.Open(fmt.Sprintf("/admin/applications/%d", id))
			tab.Reach(".cardhead .menu > summary")
			tab.Enter()
			tab.Find(".cardhead .menu[open]")
			tab.Reach(`.cardhead .menu a[href$="/extend"]`)
			tab.Enter()
			tab.Find("#f-reason")
			tab.Reach("#f-reason")
			tab.Write("Late by a second")
			tab.ReachBack("#f-text")
			tab.Write("Please submit today.")
			on(tab, "10", "3", "2026")
			send(tab)
			tab.At(fmt.Sprintf("/admin/applications/%d", id))
		}
		if !strings.Contains(tab.Text("main"), "An attempt to submit was refused") {
			t.Error(tab.Text("main"))
		}
		extend(11)
		sent(t, d, "Please submit today.", "10 March 2026")
		d.Submit(servicestest.Ann(), "", "")

		tab.Open("/admin/applicants/2/start")
		tab.Choose("#f-course", "55")
		tab.Choose("#f-intake", "8")
		send(tab)
		tab.Find(".errors")
		tab.Reach("#f-reason")
		tab.Write("Called at midnight")
		send(tab)
		tab.At("/admin/applicants/2/applications")
		id := d.Number("SELECT id FROM application WHERE applicant_id = 2")
		extend(id)
		receipt, err := d.Services.Admissions.Submit(t.Context(), servicestest.As(admitto.ByApplicant, 2), id,
			admissions.Submission{})
		if err != nil || !receipt.Accepted {
			t.Errorf("%+v %v", receipt, err)
		}
		tab.Open(fmt.Sprintf("/admin/applications/%d/history", id))
		for _, want := range []string{"Called at midnight", "Late by a second"} {
			if !strings.Contains(tab.Text("main"), want) {
				t.Errorf("the history lacks %q: %s", want, tab.Text("main"))
			}
		}
	})
}

// TestLateDocumentInBrowser adds a document that came by post after the submission, rejects it next to the viewer,
// which reaches the applicant, and leaves the application as it is.
func TestLateDocumentInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, _ := withOffer(d)
		i.Keep()
		d.Write("UPDATE task_template SET active = TRUE")
		task, err := d.Services.Admissions.CreateTask(t.Context(), servicestest.Staff(), 11, d.Template("document-check"), 0)
		d.Must(err)
		d.Deliver()
		scan := filepath.Join(t.TempDir(), "diploma.txt")
		d.Must(os.WriteFile(scan, []byte("Came by post"), 0o600))
		tab := uitest.Open(t, i).Tab(t, at(i, "/admin/applications/11/documents"), true)
		tab.Reach(`.cardhead a[href$="/documents/upload"]`)
		tab.Enter()
		tab.Find("#f-file")
		tab.Attach("#f-file", scan)
		tab.Choose("#f-task", fmt.Sprint(task.ID))
		send(tab)
		tab.Find(".viewer iframe")
		if d.Count("document") != 1 || d.Status(11) != "Submitted" {
			t.Errorf("%d documents, %s", d.Count("document"), d.Status(11))
		}
		tab.Choose("#f-status", "Rejected")
		tab.Reach("#f-comment")
		tab.Write("The scan is cut off")
		tab.Reach("input[name=shared]")
		tab.Space()
		send(tab)
		tab.Find("#f-status option[value=Rejected][selected]")
		sent(t, d, "The scan is cut off", "Rejected")
	})
}

// TestRefusedVisaInBrowser declines an accepted offer long after its deadline, as the applicant asked by telephone, and
// tells the applicant.
func TestRefusedVisaInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, offer, id := withOffer(d)
		d.Write(fmt.Sprintf("UPDATE offer SET decision = 'Final', decided = 1, confirmed = 1, type_confirmed_id = %s, decision_policy = 'Required', "+
			"decision_deadline = '2026-04-01' WHERE id = %d", typeID(d, accepted), id))
		d.Deliver()
		d.Clock.Add(100 * admitto.Day)
		tab := uitest.Open(t, i).Tab(t, at(i, "/admin/applications/11/courses"), true)
		tab.Find(fmt.Sprintf(`a[href^="%s/decision"]`, offer))
		tab.Reach(fmt.Sprintf(`a[href^="%s/decision"]`, offer))
		tab.Enter()
		tab.Find("#f-reason")
		tab.Pick("input[name=decision]", "input[name=decision][value=Declined]")
		tab.Reach("#f-reason")
		tab.Write("Visa refused")
		tab.Reach("input[name=tell]")
		tab.Space()
		send(tab)
		tab.Find(".notice.ok")
		if got := d.Lines(fmt.Sprintf("SELECT decision FROM offer WHERE id = %d", id)); got != "Declined" {
			t.Errorf("%s: %s", got, tab.Text("main"))
		}
		sent(t, d, "Energy")
	})
}

// TestDisguisedDocumentInBrowser opens a page that says it is a PDF in the viewer: nothing of it runs.
func TestDisguisedDocumentInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Keep()
		d.AtWork()
		page := "<html><body><script>parent.document.title = 'taken over'; document.title = 'run'</script><h1>Letter</h1></body></html>\n"
		tab := uitest.Open(t, i).Tab(t, at(i, "/admin/applications/11/documents"), true)
		for n, content := range []string{"%PDF-1.7\n" + page, page} {
			file := filepath.Join(t.TempDir(), "letter.pdf")
			d.Must(os.WriteFile(file, []byte(content), 0o600))
			tab.Open("/admin/applications/11/documents/upload")
			tab.Attach("#f-file", file)
			send(tab)
			if n == 1 { // what is plainly a page is not taken
				tab.Find(".errors")
				break
			}
			tab.Find(".viewer iframe")
		}
		tab.Open("/admin/applications/11/documents")
		tab.Find(".viewer iframe")
		if title := tab.Text("title"); strings.Contains(title, "taken over") || d.Count("document") != 1 {
			t.Errorf("%q, %d documents", title, d.Count("document"))
		}
	})
}

// TestPreviewWithoutScripts types a letter and presses "Preview" where no scripts run: the preview is there, what was
// typed is kept, and nothing is saved or sent (screens.md A15).
func TestPreviewWithoutScripts(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		i.Put(fmt.Sprintf("UPDATE offer SET type_id = %s, subject = 'Place', comments = 'Dear %%applicant-Name%%' WHERE id = %d",
			typeID(d, accepted), offer))
		mails := d.Count("outbox")
		tab := uitest.Open(t, i).Tab(t, at(i, path), false)
		tab.Reach("#f-subject")
		tab.Write("A place for you, %applicant-GivenName%, %offer-Deadlin%")
		tab.Reach("button[name=preview]")
		tab.Enter()
		tab.Find("#preview mark")
		if shown := tab.Text("#preview"); !strings.Contains(shown, "A place for you, Ann") ||
			!strings.Contains(shown, "Dear Ann Lee") ||
			!strings.Contains(tab.Value("#f-subject"), "A place for you") {
			t.Errorf("%s, %q", shown, tab.Value("#f-subject"))
		}
		if d.Lines(fmt.Sprintf("SELECT subject FROM offer WHERE id = %d", offer)) != "Place" || d.Count("outbox") != mails {
			t.Error("a preview saves or sends")
		}
	})
}
