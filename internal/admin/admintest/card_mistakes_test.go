package admintest

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
	"github.com/admitto/admitto/internal/usecase"
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
			tab.Find("form.confirm button[name=back]") // the page that asks before the mail leaves
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
		tab.Find("form.confirm") // the page that asks before the mail leaves
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
		tab.Find("form.confirm") // the page that asks before the mail leaves
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

// TestOvertaken presses on pages that are older than what they are about: each says who was quicker and what was
// changed, and does it when it is pressed again (screens.md U10).
func TestOvertaken(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, _ := withOffer(d)
		d.Write("UPDATE task_template SET active = TRUE")
		desk, by := d.Services.Admissions, servicestest.Staff()
		task, err := desk.CreateTask(t.Context(), by, 11, d.Template("document-check"), 0)
		d.Must(err)
		note, err := desk.AddNote(t.Context(), by, usecase.NoteOn{Applicant: 1}, "Call", "")
		d.Must(err)
		mara := i.Staff(i.Administrator("Mara Lind", everything...))
		ida := i.Staff(i.Administrator("Ida Late", everything...))
		application := "/admin/applications/11"
		for _, c := range []struct {
			page, button  string
			first, second []string
			what          string
			by            func() // instead of the same page
			done          string
		}{
			{path + "/decision", "Save", []string{"decision", "Final", "reason", "By post"},
				[]string{"decision", "Declined", "reason", "No"}, "By post", nil,
				"SELECT count(*) FROM offer WHERE decision = 'Declined'"},
			{path + "/score", "Save", []string{"extra", "5"}, []string{"extra", "7"}, "5.00", nil,
				"SELECT count(*) FROM offer WHERE score_extra = 700"},
			{fmt.Sprintf("%s/tasks/%d", application, task.ID), "Save", []string{"status", "Uploaded"},
				[]string{"status", "Accepted"}, "Uploaded", nil, "SELECT count(*) FROM task WHERE status = 'Accepted'"},
			{fmt.Sprintf("%s/notes/0/%d", application, note.ID), "Save", []string{"text", "Call her"},
				[]string{"text", "Write to her"}, "Call her", nil, "SELECT count(*) FROM note WHERE text = 'Write to her'"},
			{application + "/freeze", "Freeze", nil, nil, "frozen", func() {
				ida.Open(application + "/freeze").Submit("Freeze")
				ida.Open(application + "/unfreeze").Submit("Unfreeze")
			}, "SELECT count(*) FROM application WHERE id = 11 AND frozen IS NOT NULL"},
			{application + "/close", "Close", nil, nil, "Reminders of the application were stopped", func() {
				ida.Open(application + "/silence").Submit("Stop reminders")
			}, "SELECT count(*) FROM application WHERE id = 11 AND status = 'Closed'"},
		} {
			old := mara.Open(c.page)
			if c.by == nil {
				ida.Open(c.page).Submit(c.button, c.first...)
			} else {
				c.by()
			}
			asked := old.Submit(c.button, c.second...)
			if text := asked.Text("main"); asked.Status != 422 || !strings.Contains(text, "Ida Late") ||
				!strings.Contains(text, c.what) || d.Number(c.done) != 0 {
				t.Errorf("%s: %d %s", c.page, asked.Status, text)
				continue
			}
			if c.by == nil { // what was typed is kept, also for who leaves the page
				if again := mara.Open(c.page); !strings.Contains(again.Text("main"), "is here again and is not saved. Ida Late") {
					t.Errorf("%s is not kept: %s", c.page, again.Text("main"))
				}
			}
			if p := asked.Submit(c.button); d.Number(c.done) != 1 {
				t.Errorf("%s again: %d %q %s", c.page, p.Status, p.Errors(), p.Text("main"))
			}
			if again := mara.Open(c.page); strings.Contains(again.Text("main"), "not saved") {
				t.Errorf("%s stays kept", c.page)
			}
		}
		d.Write("UPDATE application SET frozen = NULL, status = 'Submitted' WHERE id = 11")
		old := mara.Open(application + "/freeze")
		system := servicestest.Staff()
		system.Actor = admitto.Actor{Kind: admitto.BySystem}
		d.Must(desk.Freeze(t.Context(), system, 11))
		d.Must(desk.Unfreeze(t.Context(), system, 11))
		if text := old.Submit("Freeze").Text("main"); !strings.Contains(text, "The system changed this meanwhile") {
			t.Error(text)
		}
	})
}

// TestTypesApart shows an offer that staff work on, confirm and work on again: what is not confirmed never looks like
// the offer of the applicant, on the overview, on the tab of the courses and in the list (screens.md A14).
func TestTypesApart(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		says := func(when, overview, courses, list string) {
			t.Helper()
			for page, want := range map[string]string{"/admin/applications/11": overview,
				"/admin/applications/11/courses": courses, "/admin/applications?term=all": list} {
				if text := staff.Open(page).Text("main"); !strings.Contains(text, want) {
					t.Errorf("%s: %s lacks %q: %s", when, page, want, text)
				}
			}
		}
		says("at first", "Unreplied", "OfferUnreplied", "Unreplied")
		staff.Open(path).Submit("Save", "type", typeID(d, accepted), "subject", "s", "letter", "l", "policy", "Required",
			"deadline-day", "1", "deadline-month", "6", "deadline-year", "2026")
		says("saved", "Accepted, not confirmed", "Type, not confirmedAccepted", "Accepted unconfirmed")
		says("saved", "", "Answer until, once confirmed1 June 2026", "")
		staff.Open(path).Submit("Confirm and send letter").Submit("Confirm and send letter")
		says("confirmed", "Energy", "Confirmed typeAccepted", "Accepted")
		says("confirmed", "", "Answer until1 June 2026", "")
		if text := staff.Open("/admin/applications/11").Text("main"); strings.Contains(text, "not confirmed") {
			t.Error(text)
		}
		staff.Open(path).Submit("Save", "type", typeID(d, "Failed"), "subject", "s", "letter", "l")
		says("changed", "AcceptedFailed, not confirmed", "Confirmed typeAcceptedType, not confirmedFailed",
			"Failed unconfirmed")
		d.Write(fmt.Sprintf("UPDATE offer SET decision = 'Final', decided = 1 WHERE id = %d", offer))
		says("accepted", "", "", "Failed final, unconfirmed")
		// A type that asks for no answer has no day for it.
		d.Write(fmt.Sprintf("UPDATE offer SET type_id = %s, type_confirmed_id = %[1]s WHERE id = %d", typeID(d, "Failed"),
			offer))
		if text := staff.Open("/admin/applications/11/courses").Text("main"); strings.Contains(text, "Answer until") {
			t.Error(text)
		}
	})
}
