package portal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestTasksOfAllApplications lists the tasks of eleven applications as those of one, by as many statements: what waits
// first, as the frame counts it, and what is over in a fold (screens.md P18).
func TestTasksOfAllApplications(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "tasks@example.org")
		applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
		template := i.Number("SELECT id FROM task_template WHERE class = 'document-check'")
		task := func(number, application int64, more string) {
			t.Helper()
			i.Put(fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) VALUES (%d, %d, %d, 1, 'Waiting')",
				number, application, template), fmt.Sprintf("UPDATE task SET reminded = NULL %s WHERE id = %d", more, number))
		}
		task(901, id, ", deadline = '2031-05-20'")
		statements := func() (n int64, page *sitetest.Page) {
			t.Helper()
			own.Open("/my/tasks")
			before := i.Store.Statements()
			page = own.Open("/my/tasks")
			return i.Store.Statements() - before, page
		}
		few, page := statements()
		if text := page.Text("main"); page.Find("main .kv a[href^='/my/tasks/']").Length() != 1 || !strings.Contains(text,
			fmt.Sprintf("Application %d · Autumn 2031. By 20 May 2031", id)) {
			t.Error(text)
		}
		for n := range int64(10) {
			i.Put(fmt.Sprintf("INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (%d, 2031, 'Term %d', 1, '2031-09-01', '%d-10-31', '2032-01-31')",
				901+n, n, 2030+n%2), fmt.Sprintf("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (%d, %d, %d, 'Draft', 1, 1)",
				901+n, applicant, 901+n))
			task(911+n, 901+n, "")
		}
		task(931, 902, ", trashed = 1")
		task(932, 902, ", resolved = 1, status = 'Accepted'")
		begun(t, i, "else@example.org")
		task(933, i.Number(fmt.Sprintf("SELECT max(id) FROM application WHERE applicant_id <> %d", applicant)), "")
		many, page := statements()
		if many != few {
			t.Errorf("%d statements for one application, %d for eleven", few, many)
		}
		listed := func(selector string) (ids []string) {
			for _, a := range page.Find(selector + " a[href^='/my/tasks/']").EachIter() {
				href, _ := a.Attr("href")
				ids = append(ids, strings.TrimPrefix(href, "/my/tasks/"))
			}
			return ids
		}
		if got := strings.Join(listed("main section"), " "); got != "901 920 918 916 914 912" {
			t.Error("to do: ", got)
		}
		// Those that are done, and those of terms that are over.
		if got := strings.Join(listed("main details"), " "); got != "932 919 917 915 913 911" {
			t.Error("done: ", got)
		}
		if nav := page.Text("header nav"); !strings.Contains(nav, "Tasks (6)") {
			t.Error(nav)
		}
		for n := range int64(45) {
			task(941+n, id, "")
		}
		page = own.Open("/my/tasks?page=2")
		if got := listed("main"); len(got) != 7 || got[0] != "912" || page.Text("main h2") != "To do" {
			t.Error("the second page: ", got)
		}
		want(t, own.Open("/my/tasks?page=9"), "/my/tasks", "To do")
		// Of an application that is over nothing was handed in, and nothing is to be done.
		i.Put("UPDATE task SET trashed = 1 WHERE id > 940", "UPDATE task_template_status SET blocks = TRUE",
			"UPDATE application SET status = 'Closed' WHERE id = 904", "UPDATE application SET status = 'Withdrawn' WHERE id = 902",
			"UPDATE task SET resolved = 1, status = 'Accepted' WHERE id = 915")
		page = own.Open("/my/tasks")
		over := page.Find("main details").Last()
		if links := over.Find("a"); !strings.Contains(over.Text(), "There is nothing more to do for them.") ||
			links.Length() != 6 || strings.Contains(page.Find("main details").First().Text(), "Waiting") {
			t.Error(links.Length(), page.Text("main"))
		}
		closed := own.Open("/my/tasks/914")
		want(t, closed, "/my/tasks/914", "Application 904: Closed. There is nothing more to do for this task.")
		if strings.Contains(closed.Text("main"), "You can submit") {
			t.Error(closed.Text("main"))
		}
	})
}

// TestCommentOfStaff shows what staff wrote about a task where they wrote it for the applicant, and keeps it to staff
// where they did not; the own comment is shown when it can be written no more (screens.md P11, P18, lifecycle.md 12.3).
func TestCommentOfStaff(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "comment@example.org")
		template := i.Number("SELECT id FROM task_template WHERE class = 'document-check'")
		i.Put(fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) VALUES (901, %d, %d, 1, 'Waiting')",
			id, template))
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		pages := []string{"/my/tasks/901", fmt.Sprintf("/my/applications/%d/documents", id)}
		for _, shared := range []string{"", "yes"} {
			card := staff.Open(fmt.Sprintf("/admin/applications/%d/tasks/901", id))
			if card = card.Submit("Save", "status", "Rejected", "comment", "Too dark.\n\nScan it again.", "shared",
				shared); strings.Contains(card.Text("main"), "Save the task and send") { // before a status that tells
				card = card.Submit("Save the task and send")
			}
			if card.Status != 200 || len(card.Errors()) > 0 {
				t.Fatal(card.Path, card.Errors(), card.Text("main"))
			}
			for _, path := range pages {
				text := own.Open(path).Text("main")
				if told := strings.Contains(text, "What admissions wrote") && strings.Contains(text, "Too dark."); told !=
					(shared == "yes") || !told && strings.Contains(text, "Too dark") {
					t.Errorf("shared %q, %s: %s", shared, path, text)
				}
			}
		}
		i.Put("UPDATE task SET notes_applicant = 'Here it is.', status = 'Accepted', closed = TRUE, resolved = 1")
		want(t, own.Open("/my/tasks/901"), "/my/tasks/901", "Your commentHere it is.")
	})
}

// TestWhatToDoNow lists what is to do by its day, with what is overdue as such, and each is gone when it is done: a
// task that was handed in waits for admissions, and messages that were read are no news (screens.md P07, P18).
func TestWhatToDoNow(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		i.Keep()
		id, own := atWork(t, i, "board@example.org")
		applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
		template := i.Number("SELECT id FROM task_template WHERE class = 'document-check'")
		i.Put(fmt.Sprintf("DELETE FROM email WHERE applicant_id = %d", applicant),
			fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status, deadline) VALUES (901, %d, %d, 1, 'Waiting', '2031-04-20')", id, template),
			"INSERT INTO invoice_series (id, name, format) VALUES (901, 'Fees', '{n}')",
			fmt.Sprintf("INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, payer_name) VALUES (901, 'Invoice', 'F-901', 901, %d, %d, 1, '2031-05-03', 'EUR', 1500, 'Ilse Varga')", applicant, id))
		for n := range 2 {
			i.Put(fmt.Sprintf("INSERT INTO email (id, applicant_id, inserted, from_name, from_email, subject, message) VALUES (%d, %d, 1, 'A', 'a@example.org', 'News', 'Text')", 9001+n, applicant))
		}
		steps := func() (texts []string) {
			t.Helper()
			for _, words := range own.Open("/my").Find("main section").First().Find("p").EachIter() {
				texts = append(texts, strings.TrimSpace(words.Text()))
			}
			return texts
		}
		if got := strings.Join(steps(), "|"); got != "Task: Documents. This was due on 20 April 2031.|"+
			"Pay invoice F-901: 15.00 EUR. By 3 May 2031. 2 days left.|"+
			fmt.Sprintf("Fill in “Personal data” of application %d. By 15 May 2031. 14 days left.", id) {
			t.Error(got)
		}
		want(t, own.Open("/my"), "/my", "You have 2 new messages.")
		own.Open("/my/messages/9001")
		want(t, own.Open("/my"), "/my", "You have 1 new message.")
		own.Open("/my/messages/9002")
		if text := own.Open("/my").Text("main"); strings.Contains(text, "new message") {
			t.Error("read, and still new: ", text)
		}
		want(t, own.Open("/my/tasks/901").SubmitFile("file", "passport.pdf", small), "/my/tasks/901", "We will look at it.")
		if got := strings.Join(steps(), "|"); strings.Contains(got, "Task:") {
			t.Error("handed in, and still to do: ", got)
		}
		page := own.Open("/my/tasks")
		if page.Find("main details a[href='/my/tasks/901']").Length() != 1 ||
			strings.Contains(page.Text("header nav"), "(") {
			t.Error(page.Text("header nav"), page.Text("main"))
		}
		// Sent back, it is to be done again.
		i.Must(i.Services.Admissions.SetTaskStatus(t.Context(), servicestest.Staff(), id, 901, "Rejected"))
		if got := strings.Join(steps(), "|"); !strings.Contains(got, "Task: Documents.") {
			t.Error("sent back, and not to do: ", got)
		}
		i.Put("UPDATE invoice SET collected = 1, paid = 1500")
		fill(t, own, id)
		if got := strings.Join(steps(), "|"); strings.Contains(got, "F-901") || strings.Contains(got, "Fill in") {
			t.Error(got)
		}
		// What may be left out does not look like a gap.
		want(t, own.Open("/my"), "/my", "In progress, 5 of 5 sections complete")
	})
}

// TestStatusesOfStaff lets applicants choose the statuses that are theirs, and no other, whatever is sent (screens.md
// P18).
func TestStatusesOfStaff(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "status@example.org")
		i.Put("INSERT INTO task_template (id, class, title) VALUES (901, 'visa', 'Visa')",
			fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) VALUES (901, %d, 901, 1, 'Open')", id))
		for n, s := range []struct {
			name   string
			public bool
		}{{"Open", false}, {"I have it", true}, {"I need none", true}, {"Accepted", false}} {
			i.Put(fmt.Sprintf("INSERT INTO task_template_status (template_id, name, position, title, public, is_default) VALUES (901, '%s', %d, '%[1]s', %[3]t, %[4]t)",
				s.name, n+1, s.public, n == 0))
		}
		page := own.Open("/my/tasks/901")
		var offered []string
		for _, choice := range page.Find("main [name=status]").EachIter() {
			offered = append(offered, choice.AttrOr("value", ""))
		}
		if got := strings.Join(offered, ", "); got != "I have it, I need none" {
			t.Error("one can choose ", got)
		}
		for _, status := range []string{"Accepted", "Whatever"} {
			refused := own.Post("/my/tasks/901", sitetest.TypedWith(own.Open("/my/tasks/901"), "status", status))
			if n := i.Number("SELECT count(*) FROM task WHERE id = 901 AND status = 'Open'"); n != 1 ||
				len(refused.Errors()) == 0 {
				t.Errorf("%s was set: %d %q", status, refused.Status, refused.Errors())
			}
		}
		want(t, own.Open("/my/tasks/901").Submit("Save", "status", "I need none"), "/my/tasks/901", "I need none")
	})
}

// TestHandedInNothing hands in a task with neither a file nor a comment: nothing changes, and the page says what is
// needed (screens.md P18, lifecycle.md K2).
func TestHandedInNothing(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		i.Keep()
		id, own := atWork(t, i, "nothing@example.org")
		template := i.Number("SELECT id FROM task_template WHERE class = 'checklist-identity'")
		i.Put(fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) VALUES (901, %d, %d, 1, 'Pending')",
			id, template))
		const either = "Choose a file, write a comment, or do both."
		if text := own.Open("/my/tasks/901").Text("main form"); !strings.Contains(text, either) ||
			strings.Contains(text, "(optional)") {
			t.Error("what has to be handed in is not said: ", text)
		}
		i.Put("UPDATE task_template_status SET requires_document = TRUE WHERE public")
		page := own.Open("/my/tasks/901").Submit("Hand in", "comment", " ")
		if strings.Join(page.Errors(), "") != "Choose a file first." || strings.Contains(page.Text("main form"), either) ||
			strings.Count(page.Text("main form"), "(optional)") != 1 {
			t.Error(page.Errors(), page.Text("main form"))
		}
		page = own.Open("/my/tasks/901").Submit("Hand in", "comment", "It is on its way")
		if page.Status != 422 || page.Find("[name=file][aria-invalid=true]").Length() != 1 {
			t.Error("the field does not say that a document is missing: ", page.Errors(), page.Text("main form"))
		}
		i.Put("UPDATE task_template_status SET requires_document = FALSE WHERE public")
		page = own.Open("/my/tasks/901").Submit("Hand in", "comment", " ")
		if n := i.Number("SELECT count(*) FROM task WHERE id = 901 AND status = 'Pending'"); n != 1 || page.Status != 422 ||
			strings.Join(page.Errors(), "") != "Choose a file, or write a comment." {
			t.Fatal(n, page.Status, page.Errors())
		}
		// A file that is refused is not kept: the next press is not about it.
		for _, bad := range []string{"MZ no document", ""} {
			page = own.Open("/my/tasks/901").SubmitFile("file", "bad.exe", bad, "comment", " ")
			if page.Status != 422 || strings.Contains(own.Open("/my/tasks/901").Text("main"), "bad.exe") {
				t.Error(page.Status, page.Errors(), own.Open("/my/tasks/901").Text("main"))
			}
		}
		want(t, own.Open("/my/tasks/901").SubmitFile("file", "passport.pdf", small), "/my/tasks/901", "Submitted")
		if text := own.Open("/my/tasks/901").Text("main form"); strings.Contains(text, either) ||
			strings.Count(text, "(optional)") != 2 {
			t.Error("more is asked for than is needed: ", text)
		}
		// A further file is no new beginning: what is there counts.
		i.Put("UPDATE task SET status = 'Returned' WHERE id = 901")
		want(t, own.Open("/my/tasks/901").Submit("Hand in"), "/my/tasks/901", "Submitted")
	})
}

// TestHandedInTooLate hands in a task that staff have closed meanwhile: the page says so, shows the comment to be
// copied, and says that the file was not kept (screens.md U7, U8, P18).
func TestHandedInTooLate(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		i.Keep()
		id, own := atWork(t, i, "late@example.org")
		template := i.Number("SELECT id FROM task_template WHERE class = 'document-check'")
		i.Put(fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) VALUES (901, %d, %d, 1, 'Waiting')",
			id, template))
		page := own.Open("/my/tasks/901")
		i.Put("UPDATE task SET closed = TRUE")
		if closed := own.Open("/my/tasks/901"); closed.Find("main form").Length() != 0 ||
			own.Open("/my").Find("main a[href='/my/tasks/901']").Length() != 0 {
			t.Error("a closed task is asked for:", closed.Text("main"))
		}
		i.Put("UPDATE task SET status = 'Accepted', resolved = 1")
		page = page.SubmitFile("file", "passport.pdf", "%PDF-1.4", "comment", "Written for an hour.")
		if page.Status != 422 || len(page.Errors()) == 0 || page.Find("textarea[name='comment'][readonly]").Text() !=
			"Written for an hour." {
			t.Fatal(page.Status, page.Errors(), page.Text("main"))
		}
		for _, words := range []string{"There is a problem", "passport.pdf"} {
			if !strings.Contains(page.Text("main"), words) {
				t.Errorf("%q is not in %s", words, page.Text("main"))
			}
		}
	})
}

// TestFormAsTyped shows parts of dates as they were typed, begins the title with "Error:" where a page says that there
// is a problem, and says that something was filled in only where it is seen (screens.md U7, U9, P09).
func TestFormAsTyped(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own := atWork(t, i, "typed@example.org")
		address := fmt.Sprintf("/my/applications/%d/form/", id)
		if page := own.Open(address + "contact"); strings.Contains(page.Text("main"), "We filled this in") {
			t.Error("nothing is filled in:", page.Text("main"))
		}
		for _, c := range [][3]string{{"x", "2", "2007"}, {"5", "2", "2007"}} {
			page := own.Open(address+"profile").Submit("Save", "content.birth.date-day", c[0], "content.birth.date-month", c[1],
				"content.birth.date-year", c[2])
			for n, part := range []string{"day", "month", "year"} {
				if got := page.Find("[name='content.birth.date-"+part+"']").AttrOr("value", ""); got != c[n] {
					t.Errorf("%q came back as %q", c[n], got)
				}
			}
			wrong := c[0] == "x"
			if got := strings.HasPrefix(page.Text("title"), "Error:"); got != wrong || wrong != (len(page.Errors()) > 0) {
				t.Error(page.Text("title"), page.Errors())
			}
		}
	})
}

// TestWrongFacts keeps as typed, and counts as not complete, what cannot be so: a day of birth to come, telephones that
// are none, and an end before its beginning (screens.md P09, lifecycle.md 3.5).
func TestWrongFacts(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own := atWork(t, i, "facts@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d/form/", id)
		wrong := func(path, words string, typed ...string) {
			t.Helper()
			button := "Save"
			if strings.Contains(path, "rows") {
				button = "Save this entry"
			}
			page := own.Open(address+path).Submit(button, typed...)
			if !strings.Contains(strings.Join(page.Errors(), "|"), words) || page.Find("[name='"+typed[0]+"']").AttrOr("value",
				"") != typed[1] {
				t.Errorf("%s: %q %s", path, page.Errors(), page.Text("main"))
			}
		}
		wrong("profile", "This day is still to come.", "content.birth.date-year", "2032")
		wrong("contact", "This is not a telephone number.", "content.telephone.mobile", "abc")
		wrong("contact", "This is not a telephone number.", "content.emergency.telephone", "+35 <b>")
		wrong("education/rows/1", "This is before “Enrolment”.", "content.graduation-year", "1999",
			"content.graduation-month", "9")
		text := i.Words("SELECT content FROM application_content WHERE application_id = $1", id)
		for _, want := range []string{`"contact/telephone/mobile":"abc"`, `"education/0/graduation":"1999-09"`} {
			if !strings.Contains(strings.ReplaceAll(text, ": ", ":"), want) {
				t.Errorf("%s is not in %s", want, text)
			}
		}
		own.Open(address+"contact").Submit("Save", "content.telephone.mobile", "+351 910 000 000",
			"content.emergency.telephone", "(351) 91")
		if page := own.Open(address + "contact"); len(page.Errors()) != 0 {
			t.Error(page.Errors())
		}
	})
}
