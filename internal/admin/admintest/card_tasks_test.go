package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestTaskActions makes a task that stops the submission, works on it, and puts it into the trash, back and away.
func TestTaskActions(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		const card = "/admin/applications/11"
		if page := staff.Open(card + "/tasks/new"); !strings.Contains(page.Text("main"), "No active task templates") {
			t.Error(page.Text("main"))
		}
		identity := d.Template("checklist-identity")
		d.Write(fmt.Sprintf("UPDATE task_template SET active = TRUE, instructions = 'Both <sides>', staff_instructions = 'Look at the date' WHERE id = %d", identity))
		form := staff.Open(card + "/tasks/new")
		if page := form.Submit("Add a task", "template", "999", "course", "57"); page.Status != 422 ||
			len(page.Errors()) != 2 {
			t.Errorf("%d %q", page.Status, page.Errors())
		}
		page := form.Submit("Add a task", "template", fmt.Sprint(identity))
		if page.Path != card+"/tasks" || page.Find("tbody tr").Length() != 1 ||
			!strings.Contains(page.Text("tbody"), "Stops the submission") {
			t.Fatal(page.Status, page.Path, page.Text("main"))
		}
		names := func(want bool) {
			t.Helper()
			missing := staff.Open(card).Find("main section.card").FilterFunction(func(_ int, s *goquery.Selection) bool {
				return strings.Contains(s.Find("h2").Text(), "Missing for submission")
			})
			if strings.Contains(missing.Text(), "Copy of passport") != want {
				t.Errorf("%t: %s", want, missing.Text())
			}
		}
		task := page.Find("tbody a").First().AttrOr("href", "")
		page = staff.Open(task)
		if text := page.Text("main"); !strings.Contains(text, "Both <sides>") || !strings.Contains(text, "Look at the date") {
			t.Error(text)
		}
		names(true)
		stale := page
		page = page.Submit("Put into the trash")
		if page.Path != card+"/tasks" || !strings.Contains(page.Text("details"), "1 task in the trash") {
			t.Error(page.Path, page.Text("main"))
		}
		names(false)
		page = stale.Submit("Save", "status", "Submitted", "comment", "Typed")
		if text := page.Text("main"); page.Status != 422 || !strings.Contains(text, "Mara Lind changed this meanwhile") ||
			!strings.Contains(text, "Typed") || !strings.Contains(text, "Restore") {
			t.Errorf("a task in the trash is changed: %d %s", page.Status, text)
		}
		if page = staff.Open(task).Submit("Restore"); page.Find("details").Length() != 0 &&
			strings.Contains(page.Text("details"), "trash") {
			t.Error(page.Text("main"))
		}
		if page = staff.Open(task).Submit("Save", "status", "nothing of the kind"); page.Status != 422 ||
			page.Find("#f-status-error").Length() != 1 {
			t.Error(page.Status, page.Errors())
		}
		if page = staff.Open(task).Submit("Save", "comment", strings.Repeat("x", mostTyped+1)); page.Status != 422 {
			t.Error(page.Status)
		}
		page = staff.Open(task).Submit("Save", "status", "Accepted", "comment", "Seen <b>")
		if !strings.Contains(page.Text("tbody"), "Accepted") ||
			!strings.Contains(page.Text("tbody"), "Comment of staff: Seen <b>") ||
			d.Count("outbox") != 0 {
			t.Error(page.Text("main"), d.Count("outbox"))
		}
		d.Write("UPDATE task_template_status SET title = 'Taken as it is' WHERE name = 'Accepted'")
		for _, path := range []string{card + "/tasks", task, card + "/documents/upload"} {
			if text := staff.Open(path).Text("main"); !strings.Contains(text, "Taken as it is") ||
				strings.Contains(text, "Accepted") {
				t.Errorf("%s says a status by its name: %s", path, text)
			}
		}
		history := staff.Open(card + "/history?group=Tasks")
		for _, event := range history.Find(".timeline li").EachIter() {
			link := event.Find(`a[href="` + task + `"]`)
			if link.Text() != "Copy of passport or identity card" || staff.Open(link.AttrOr("href", "")).Status != 200 {
				t.Errorf("which task is not said: %s", event.Text())
			}
		}
		file := staff.Open(card + "/history.csv?group=Tasks").Body
		if lines := strings.Split(strings.TrimSpace(file), "\r\n"); len(lines) < 7 ||
			strings.Count(file, ",Copy of passport or identity card\r\n") != len(lines)-1 {
			t.Errorf("the file does not say which task: %s", file)
		}
		all := staff.Open("/admin/journal").Find(`td a[href="` + task + `"]`)
		if all.First().Text() != "Copy of passport or identity card" {
			t.Errorf("the journal does not say which task: %d links, %q", all.Length(), all.First().Text())
		}
		if n := history.Find(".timeline li").Length(); n < 6 {
			t.Errorf("%d events: %s", n, history.Text("main"))
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
		if page = few.Open(task); page.Status != 200 || page.Find("main form").Length() != 0 ||
			!strings.Contains(page.Text("main"), "Seen <b>") {
			t.Error(page.Status, page.Text("main"))
		}
		if page = staff.Open(task + "/delete").Submit("Delete for good"); page.Path != card+"/tasks" || d.Count("task") != 0 {
			t.Error(page.Status, page.Path)
		}
		if page = staff.Open(task); page.Status != 404 {
			t.Error(page.Status)
		}
		gone := staff.Open(card + "/history?group=Tasks").Find(".timeline")
		if gone.Find(`a[href*="/tasks/"]`).Length() != 0 || !strings.Contains(gone.Text(), "task ") {
			t.Errorf("a task that was deleted: %s", gone.Text())
		}
	})
}

// TestNoNewTasks says why a task cannot be added, in the place of the button that would only be refused.
func TestNoNewTasks(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
		const tab = "/admin/applications/11/tasks"
		if staff.Open(tab).Find(`main a[href$="/tasks/new"]`).Length() == 0 {
			t.Error("no task can be added to a draft")
		}
		for change, why := range map[string]string{"status = 'Closed'": "The application is closed.",
			"status = 'Withdrawn'": "The application is withdrawn."} {
			d.Write("UPDATE application SET " + change + " WHERE id = 11")
			page := staff.Open(tab)
			if text := page.Text("main"); page.Find(`main a[href$="/tasks/new"]`).Length() != 0 ||
				!strings.Contains(text, "A task cannot be added now: "+why) {
				t.Errorf("%s: %s", change, text)
			}
			if text := few.Open(tab).Text("main"); strings.Contains(text, why) {
				t.Errorf("who adds no tasks is told: %s", text)
			}
		}
		d.Write("UPDATE application SET status = 'Draft' WHERE id = 11", "UPDATE academic_term SET grace = '2020-01-01'")
		if text := staff.Open(tab).Text("main"); !strings.Contains(text, "A task cannot be added now") {
			t.Error(text)
		}
	})
}

// TestNewTaskTells adds a task of a template that tells the applicant: it asks first, with the mail that would leave,
// and nothing is made or sent before.
func TestNewTaskTells(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		const card = "/admin/applications/11"
		interview := d.Template("checklist-interview")
		d.Write(fmt.Sprintf("UPDATE task_template SET active = TRUE, mails = TRUE, instructions = 'Come on Friday' "+
			"WHERE id = %d", interview))
		asked := staff.Open(card+"/tasks/new").Submit("Add a task", "template", fmt.Sprint(interview), "course", "55")
		text := asked.Text("form.confirm")
		for _, want := range []string{"Add Interview and tell the applicant?", "1 e-mail leaves", "ann@example.org",
			"There is something to do: Interview", "Come on Friday"} {
			if !strings.Contains(text, want) {
				t.Errorf("it does not say %q: %s", want, text)
			}
		}
		if d.Count("task") != 0 || d.Count("outbox") != 0 {
			t.Fatalf("%d tasks and %d mails before anybody was asked", d.Count("task"), d.Count("outbox"))
		}
		back := asked.Submit("Back")
		if form := sitetest.Typed(back.Find("main form")); form.Get("template") != fmt.Sprint(interview) ||
			form.Get("course") != "55" || d.Count("task") != 0 {
			t.Errorf("going back loses the choice: %v", form)
		}
		page := back.Submit("Add a task").Submit("Add the task and send")
		if page.Path != card+"/tasks" || d.Count("task") != 1 || d.Number("SELECT max(course_id) FROM task") != 55 {
			t.Errorf("%s: %d tasks", page.Path, d.Count("task"))
		}
		if n := d.Deliver(); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
}

// mostTyped is how many characters a comment may have.
const mostTyped = 2048

// TestWrongChoices refuses what no page offers, and what is there already, in plain words, and keeps what was typed.
func TestWrongChoices(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, offer, _ := withOffer(d)
		d.Write("UPDATE task_template SET active = TRUE")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		const card = "/admin/applications/11"
		wrong := func(p *sitetest.Page, says, kept, typed string) {
			t.Helper()
			if errs := p.Errors(); p.Status != 422 || len(errs) != 1 || !strings.Contains(errs[0], says) {
				t.Errorf("%s: %d %q", p.Path, p.Status, errs)
			}
			if got := sitetest.Typed(p.Find("main form").First()).Get(kept); got != typed {
				t.Errorf("%s: %s is %q", p.Path, kept, got)
			}
		}
		const choose = "Choose one of what the page offers."
		wrong(staff.Open(offer).Submit("Save", "type", "Banana", "subject", "kept"), choose, "subject", "kept")
		wrong(staff.Open(offer).Submit("Save", "policy", "Banana", "subject", "kept"), choose, "subject", "kept")
		wrong(staff.Open(offer+"/decision").Submit("Save", "decision", "Banana", "reason", "kept"), choose, "reason", "kept")
		wrong(staff.Open(card+"/tasks/new").Submit("Add a task", "template", "Banana", "course", "55"), choose, "course",
			"55")
		template := fmt.Sprint(d.Template("document-check"))
		if p := staff.Open(card+"/tasks/new").Submit("Add a task", "template", template); len(p.Errors()) != 0 {
			t.Error(p.Errors())
		}
		again := staff.Open(card+"/tasks/new").Submit("Add a task", "template", template)
		wrong(again, "has such a task", "template", template)
		if again.Submit("Add a task", "another", "yes"); d.Count("task") != 2 {
			t.Errorf("%d tasks", d.Count("task"))
		}
		one := fmt.Sprintf("%s/tasks/%d", card, d.Number("SELECT min(id) FROM task"))
		wrong(staff.Open(one).Submit("Save", "status", "Banana", "comment", "kept"), "no such status", "comment", "kept")
		d.Write("UPDATE application SET status = 'Draft', submitted = NULL WHERE id = 11", "UPDATE course SET form = '{}'")
		all := strings.Join(staff.Open(card+"/submit").Submit("Submit for the applicant").Errors(), "|")
		if !strings.Contains(all, "Write a reason.") || !strings.Contains(all, "Contact: City is not filled in.") {
			t.Error(all)
		}
	})
}
