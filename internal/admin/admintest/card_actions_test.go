package admintest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// eventOf says which event of the table of transitions a button stands for, by the end of its address.
var eventOf = map[string]admitto.ApplicationEvent{
	"submit": admitto.Submit, "reopen": admitto.Reopen, "extend": admitto.ExtendDeadline, "grace": admitto.LiftExpiry,
	"freeze": admitto.ChangeFreeze, "unfreeze": admitto.ChangeFreeze, "withdraw": admitto.Withdraw,
	"undo-withdrawal": admitto.UndoWithdrawal, "silence": admitto.ChangeSilence, "unsilence": admitto.ChangeSilence,
	"close": admitto.Close, "undo-closing": admitto.UndoClosing,
}

// TestOffered compares what the card offers in each status with the table of transitions: everything that the table
// allows staff is offered, or stands below with what speaks against it now; everything else stands below.
func TestOffered(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Administrator("Mara Lind", everything...))
	id := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Draft'")
	path := fmt.Sprintf("/admin/applications/%d", id)
	for _, status := range admitto.ApplicationStatuses() {
		for _, over := range []bool{false, true} {
			grace, frozen, silenced, done := "2090-01-01", "1", "TRUE", []string{"freeze", "silence"}
			if over {
				grace, frozen, silenced, done = "2000-01-01", "NULL", "FALSE", []string{"unfreeze", "unsilence"}
			}
			i.Put(fmt.Sprintf("UPDATE application SET status = '%s', status_before = 'Draft', withdrawn = 1, frozen = %s, silenced = %s WHERE id = %d",
				status, frozen, silenced, id), fmt.Sprintf("UPDATE academic_term SET grace = '%s' WHERE id = (SELECT academic_term_id FROM application "+
				"WHERE id = %d)", grace, id))
			page := staff.Open(path)
			refused := page.Find("details.fold dt").Length()
			if text := page.Text("details.fold"); status == admitto.Submitted && !over && !strings.Contains(text,
				"The application is Submitted. This is possible while it is Blank, Draft, Inactive or Reopened.") {
				t.Errorf("why it cannot be submitted is not said: %s", text)
			}
			if text := flat(staff.Open(path + "/unfreeze").Text("form.confirm")); !over {
				want := "once the application can be changed"
				if status == admitto.Submitted {
					want = "can change contact data and add documents"
				} else if _, err := admitto.ApplicationStep(admitto.ContentSaved, status, admitto.ByApplicant); err == nil {
					want = "can change everything again"
				}
				if !strings.Contains(text, want) {
					t.Errorf("%s: %q is not what unfreezing says: %s", status, want, text)
				}
			}
			var offered []string
			for _, a := range page.Find(".cardhead .acts a").EachIter() {
				offered = append(offered, strings.TrimPrefix(a.AttrOr("href", ""), path+"/"))
			}
			for name, event := range eventOf {
				_, err := admitto.ApplicationStep(event, status, admitto.ByAdministrator)
				allowed := err == nil && !slices.Contains(done, name) // what has been done is not offered
				switch event {
				case admitto.Submit, admitto.Reopen, admitto.Withdraw, admitto.UndoWithdrawal:
					allowed = allowed && !over
				case admitto.LiftExpiry:
					allowed = allowed && over
				}
				if got := slices.Contains(offered, name); got != allowed {
					t.Errorf("%s, expired %t: %s is offered: %t", status, over, name, got)
				}
				if got := staff.Open(path+"/"+name).Find("form.confirm").Length() == 1; got != allowed {
					t.Errorf("%s, expired %t: the page of %s asks: %t", status, over, name, got)
				}
			}
			if n := len(offered) - 4 + refused; n != len(eventOf)-2 { // flags, officer, message and PDF are offered always
				t.Errorf("%s, expired %t: %d of %d actions, %q", status, over, n, len(eventOf)-2, offered)
			}
		}
	}
}

// TestActions does what the card offers, on both engines; overrides ask a reason, which the journal keeps.
func TestActions(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		card := func(action string) *sitetest.Page { return staff.Open("/admin/applications/11" + action) }
		did := func(page *sitetest.Page, status admitto.ApplicationStatus, event admitto.Pattern) {
			t.Helper()
			page = sureTo(page)
			journal := d.Journal()
			if !slices.ContainsFunc(journal[max(0, len(journal)-6):],
				func(r admitto.Record) bool { return r.Pattern == event }) {
				t.Errorf("%s is not in the journal: %d %q %s", event, page.Status, page.Errors(), page.Text("main"))
			}
			if got := d.Status(11); got != string(status) || page.Path != "/admin/applications/11" {
				t.Errorf("%s: the application is %s on %s %q", event, got, page.Path, page.Errors())
			}
		}
		d.Write("UPDATE course SET form = ''",
			"INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-04-01', '', FALSE)")
		blank := card("/submit").Submit("Submit for the applicant", "reason", " ")
		if blank.Status != 422 || d.Status(11) == "Submitted" {
			t.Errorf("submitted without what is missing and without a reason: %d", blank.Status)
		}
		if said := strings.Join(blank.Errors(), " "); !strings.Contains(said, "Given name is not filled in.") ||
			strings.Contains(said, "profile/") || strings.Contains(said, "/general") {
			t.Errorf("what is missing, in raw names: %s", said)
		}
		long := card("/submit").Submit("Submit for the applicant", "reason", strings.Repeat("x", 1001))
		if long.Status != 422 || d.Status(11) == "Submitted" {
			t.Errorf("a reason of 1001 characters: %d", long.Status)
		}
		did(card("/submit").Submit("Submit for the applicant", "reason", "Papers came by post"), admitto.Submitted,
			admitto.ApplicationSubmitted)
		if text := card("/history").Text("main"); strings.Count(text, "Papers came by post") != 1 ||
			!strings.Contains(text, "Set aside: Given name was not filled in") || strings.Contains(text, "profile/") {
			t.Error(text)
		}
		if text := staff.Open("/admin/choose/language/ar?next=%2Fadmin%2Fapplications%2F11%2Fhistory").Text("main"); !strings.Contains(text, "غير معبّأ") ||
			strings.Contains(text, "not filled in") {
			t.Error(text)
		}
		staff.Open("/admin/choose/language/en?next=%2Fadmin")
		if p := card("/reopen").Submit("Reopen", "text", " "); p.Status != 422 || len(p.Errors()) != 1 {
			t.Errorf("reopened without a text: %d %q", p.Status, p.Errors())
		}
		if p := card("/reopen").Submit("Reopen", "text", "x", "day-day", "8", "day-month", "3", "day-year",
			"2026"); p.Status != 422 || !strings.Contains(strings.Join(p.Errors(), "; "), "is over. Choose a later day.") {
			t.Errorf("reopened until yesterday: %d %q", p.Status, p.Errors())
		}
		d.Deliver()
		did(card("/reopen").Submit("Reopen", "text", "Sign <page> 2, %applicant-ID%", "day-day", "20", "day-month", "3",
			"day-year", "2026"),
			admitto.Reopened, admitto.ApplicationReopened)
		if m := lastMail(d); !strings.Contains(m.Text, "Sign <page> 2, %applicant-ID%") ||
			!strings.Contains(m.Text, "20 March 2026") {
			t.Errorf("%+v", m)
		}
		for _, text := range []string{card("").Text("main"), i.Applicant(1).Open("/my").Text("main")} {
			if !strings.Contains(text, "Sign <page> 2, %applicant-ID%") || !strings.Contains(text, "20 March 2026") {
				t.Error(text)
			}
		}
		did(card("/silence").Submit("Stop reminders"), admitto.Reopened, admitto.ApplicationSilenced)
		if got := card("").Text(".cardhead"); !strings.Contains(got, "No reminders") {
			t.Error(got)
		}
		did(card("/unsilence").Submit("Allow reminders"), admitto.Reopened, admitto.ApplicationSilenceLifted)
		did(card("/freeze").Submit("Freeze"), admitto.Reopened, admitto.ApplicationFrozen)
		// It is the time of the latest freeze, which need not be the first one.
		if head := card("").Text(".cardhead"); !strings.Contains(head, "Frozen · 9 March 2026") {
			t.Error(head)
		}
		did(card("/unfreeze").Submit("Unfreeze"), admitto.Reopened, admitto.ApplicationDefrosted)
		bad := card("/extend").Submit("Extend deadline", "reason", "Ill", "day-day", "31", "day-month", "2", "day-year",
			"2027")
		if bad.Status != 422 || len(bad.Errors()) != 1 || bad.Text("#f-reason") != "Ill" {
			t.Errorf("%d %q", bad.Status, bad.Errors())
		}
		if none := card("/extend").Submit("Extend deadline", "day-day", "1", "day-month", "5", "day-year",
			"2026"); none.Status != 422 {
			t.Errorf("extended without a reason: %d", none.Status)
		}
		all := card("/extend").Submit("Extend deadline", "intake", "999", "day-day", "1", "day-month", "3", "day-year",
			"2026", "text", strings.Repeat("x", 2001))
		if all.Status != 422 || len(all.Errors()) != 4 {
			t.Errorf("not all faults are said at once: %q", all.Errors())
		}
		if short := card("/extend").Submit("Extend deadline", "reason", "Ill", "day-day", "31", "day-month", "3", "day-year",
			"2026"); short.Status != 422 || len(short.Errors()) != 1 || !strings.Contains(short.Errors()[0], "1 April 2026") {
			t.Errorf("extended to an earlier day: %d %q", short.Status, short.Errors())
		}
		did(card("/extend").Submit("Extend deadline", "reason", "Ill", "text", "Get well soon", "day-day", "1", "day-month",
			"5", "day-year", "2026"),
			admitto.Reopened, admitto.ApplicationDeadlineExtended)
		if m := lastMail(d); !strings.Contains(m.Text, "Get well soon") || !strings.Contains(m.Subject, "1 May 2026") {
			t.Errorf("%+v", m)
		}
		did(card("/extend").Submit("Extend deadline", "reason", "Ill", "tell", "-", "day-day", "1", "day-month", "5",
			"day-year", "2026"),
			admitto.Reopened, admitto.ApplicationDeadlineExtended)
		if n := d.Deliver(); n != 0 {
			t.Errorf("%d mails without the tick", n)
		}
		if page := card(""); !strings.Contains(page.Text("main"), "1 May 2026") ||
			!strings.Contains(page.Text("main"), "extension") {
			t.Error(page.Text("main"))
		}
		if none := card("/withdraw").Submit("Withdraw on request"); none.Status != 422 {
			t.Errorf("withdrawn without a reason: %d", none.Status)
		}
		did(card("/withdraw").Submit("Withdraw on request", "reason", "By telephone"), admitto.Withdrawn,
			admitto.ApplicationWithdrawn)
		did(card("/undo-withdrawal").Submit("Undo withdrawal"), admitto.Reopened, admitto.ApplicationWithdrawalReverted)
		mails := d.Count("outbox")
		did(card("/close").Submit("Close", "tell", "-"), admitto.Closed, admitto.ApplicationClosed)
		if d.Count("outbox") != mails {
			t.Error("a mail without the tick")
		}
		did(card("/undo-closing").Submit("Undo closing", "reason", "Wrong one"), admitto.Reopened,
			admitto.ApplicationClosingReverted)
		if n := d.Number("SELECT count(*) FROM journal_detail"); n == 0 {
			t.Error("the reasons are not kept")
		}
		if got := strings.Join(card("").Find(".timeline strong").Map(func(_ int, s *goquery.Selection) string {
			return s.Text()
		}), ", "); !strings.HasPrefix(got, "Closing undone, Closed, Withdrawal undone, Answer to the offer for Law: Declined, "+
			"Answer to the offer for Energy: Declined, Withdrawn, Deadline extended, Unfrozen, Frozen, Reopened, Submitted, ") {
			t.Errorf("what happened is not said each time: %s", got)
		}
		stale := card("/freeze")
		card("/freeze").Submit("Freeze")
		if again := stale.Submit("Freeze"); again.Status != 422 {
			t.Errorf("a page that is older than the application acts: %d", again.Status)
		}
		for _, name := range []string{"Incomplete", "Grant"} {
			_, err := d.Services.Admissions.CreateFlag(t.Context(), servicestest.Staff(), name)
			d.Must(err)
		}
		grant := fmt.Sprint(d.Number("SELECT id FROM flag WHERE name = 'Grant'"))
		if page := card("/flags").Submit("Save", "flag", grant); !strings.Contains(page.Text(".cardhead"), "Grant") ||
			strings.Contains(page.Text(".cardhead"), "Incomplete") {
			t.Error(page.Text("main"))
		}
		// Who saves from an older page is asked, and overwrites nothing unseen.
		incomplete := fmt.Sprint(d.Number("SELECT id FROM flag WHERE name = 'Incomplete'"))
		old := card("/flags")
		card("/flags").Submit("Save", "flag", "") // nothing is ticked any more
		asked := old.Submit("Save", "flag", incomplete)
		if asked.Status != 422 || !strings.Contains(asked.Text("main"), "saved this meanwhile") ||
			d.Count("application_flag") != 0 {
			t.Errorf("%d %s", asked.Status, asked.Text("main"))
		}
		if page := asked.Submit("Save"); !strings.Contains(page.Text(".cardhead"), "Incomplete") {
			t.Error(page.Text("main"))
		}
		// Two who change different flags take nothing back from one another.
		old = card("/flags")
		card("/flags").Submit("Save", "flag", grant) // takes Incomplete off
		asked = old.Submit("Save", "flag", incomplete)
		if text := asked.Text("main"); asked.Status != 422 || !strings.Contains(text, "changed this meanwhile") {
			t.Errorf("%d %s", asked.Status, text)
		}
		if head := asked.Submit("Save").Text(".cardhead"); !strings.Contains(head, "Grant") ||
			strings.Contains(head, "Incomplete") {
			t.Error(head)
		}
		card("/flags").Submit("Save", "flag", "")
		old = card("/flags")
		card("/flags").Submit("Save", "flag", grant)
		asked = old.Submit("Save", "flag", incomplete)
		if head := asked.Submit("Save").Text(".cardhead"); !strings.Contains(head, "Grant") ||
			!strings.Contains(head, "Incomplete") {
			t.Errorf("%s after %s", head, asked.Text("main"))
		}
		card("/flags").Submit("Save", "flag", "")
		card("/flags").Submit("Save", "flag", grant)
		old = card("/officer")
		i.Put("INSERT INTO administrator_role (administrator_id, role_id) VALUES (1, 1)")
		i.Staff(i.Administrator("Olu Brandt", everything...)).Open("/admin/applications/11/officer").Submit("Save", "officer",
			"1")
		if asked := old.Submit("Save", "officer", "0"); asked.Status != 422 ||
			d.Number("SELECT coalesce(officer_id, 0) FROM application WHERE id = 11") != 1 {
			t.Error(asked.Text("main"))
		}
		if text := card("/history").Text("main"); !strings.Contains(text,
			"A flag was set on the application by Mara Lind Grant") ||
			!strings.Contains(text, "Autumn 2026") || !strings.Contains(text, "1 May 2026, 23:59") ||
			strings.Contains(text, "2031-05-0") ||
			!strings.Contains(text, fmt.Sprintf("offer %d Energy", d.Number("SELECT min(id) FROM offer"))) {
			t.Error(text)
		}
		if page := staff.Open("/admin/applications/11/printout"); page.Header.Get("Content-Type") != "application/pdf" {
			t.Error(page.Header)
		}
	})
}

// sureTo sends what a page asks about before it does.
func sureTo(page *sitetest.Page) *sitetest.Page {
	if page.Find("form.confirm [name=sure]").Length() == 0 {
		return page
	}
	return page.Submit(page.Text("form.confirm button:not([name])"))
}

// lastMail delivers what waits and returns the last mail.
func lastMail(d *servicestest.Desk) mail.Message {
	d.Deliver()
	all := d.Post.Taken()
	return all[len(all)-1]
}

// TestDeadlineMissedByASecond has an applicant press "submit" at the first second of the next day, on both engines:
// staff extend the deadline, the applicant is told, and submits.
func TestDeadlineMissedByASecond(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		d.Write("UPDATE course SET form = '"+servicestest.FormRequiring()+"'", "UPDATE intake SET policy = 'Strict (submit)'",
			"INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-03-09', '', FALSE)")
		d.Clock.Add(15 * admitto.Hour) // 10 March, 00:00:00
		d.Submit(servicestest.Ann(), "", "deadline-passed deadline-passed")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		if text := staff.Open("/admin/applications/11").Text("main"); !strings.Contains(text,
			"An attempt to submit was refused") {
			t.Error(text)
		}
		if text := staff.Open("/admin/applications/11/history").Text("main"); !strings.Contains(text,
			"The submission was refused: a deadline was over") {
			t.Error(text)
		}
		ask := staff.Open("/admin/applications/11/submit")
		for where, text := range map[string]string{"overview": staff.Open("/admin/applications/11").Text("main"),
			"effects": ask.Text("main"), "errors": strings.Join(ask.Submit("Submit for the applicant").Errors(), " ")} {
			for _, course := range []string{"Energy", "Law"} {
				if !strings.Contains(text, course+": the deadline was 9 March 2026, 23:59 (UTC) (all countries).") {
					t.Errorf("%s: the deadline of %s is not named: %s", where, course, text)
				}
			}
		}
		page := staff.Open("/admin/applications/11/extend").Submit("Extend deadline", "reason", "Late by a second", "text",
			"Please submit today.",
			"day-day", "10", "day-month", "3", "day-year", "2026").Submit("Extend the deadline and send")
		if m := lastMail(d); page.Status != 200 || !strings.Contains(m.Text, "Please submit today.") ||
			!strings.Contains(m.Subject, "10 March 2026") {
			t.Errorf("%d %q %+v", page.Status, page.Errors(), m)
		}
		d.Clock.Add(23 * admitto.Hour)
		d.Submit(servicestest.Ann(), "", "")
		later := i.Staff(i.Administrator("Ida Late", everything...))
		if text := later.Open("/admin/applications/11/history").Text("main"); !strings.Contains(text, "Late by a second") ||
			strings.Contains(text, "Not stated → 10 March 2026") || !strings.Contains(text, "10 March 2026, 23:59") {
			t.Error(text)
		}
	})
}

// TestMistakesAfterSubmission mends on the pages what goes wrong after an application was submitted, on both engines: a
// wrong course, a document that was refused, one that came late, and a visa that was refused after the deadline.
func TestMistakesAfterSubmission(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i, offer, id := withOffer(d)
		i.Keep()
		d.Write("UPDATE course SET status = 'Online'", "INSERT INTO course_intake (course_id, intake_id) SELECT 57, 8 WHERE NOT EXISTS "+
			"(SELECT 1 FROM course_intake WHERE course_id = 57 AND intake_id = 8)", "UPDATE task_template SET active = TRUE",
			fmt.Sprintf("UPDATE offer SET decision = 'Final', decided = 1 WHERE id = %d", id))
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		offers := d.Count("offer")
		if p := staff.Open("/admin/applications/11/courses/add").Submit("Add course", "course", "57-8"); p.Status != 200 ||
			d.Count("offer") != offers+1 || d.Status(11) != "Submitted" {
			t.Errorf("a wrong course: %d %q", p.Status, p.Errors())
		}
		task, err := d.Services.Admissions.CreateTask(t.Context(), servicestest.Staff(), 11, d.Template("document-check"), 0)
		d.Must(err)
		mails := d.Count("outbox")
		ask := staff.Open(fmt.Sprintf("/admin/applications/11/tasks/%d", task.ID)).Submit("Save", "status", "Rejected",
			"comment", "The scan is cut off", "shared", "yes")
		if text := ask.Text("main"); d.Count("outbox") != mails || !strings.Contains(text, "ann@example.org") ||
			!strings.Contains(text, "The scan is cut off") {
			t.Errorf("a status that tells is sent unasked: %s", text)
		}
		ask.Submit("Save the task and send")
		if m := lastMail(d); !strings.Contains(m.Text, "The scan is cut off") || m.To.Email != "ann@example.org" {
			t.Errorf("a refused document does not reach the applicant: %+v", m)
		}
		staff.Open("/admin/applications/11/documents/upload").SubmitFile("file", "diploma.txt", "Came by post")
		if d.Count("document") != 1 || d.Status(11) != "Submitted" {
			t.Errorf("a late document: %d, %s", d.Count("document"), d.Status(11))
		}
		d.Clock.Add(100 * admitto.Day)
		staff = i.Staff(i.Administrator("Ida Late", everything...))
		staff.Open(offer+"/decision").Submit("Save", "decision", "Declined", "reason", "Visa refused", "tell",
			"yes").Submit("Set the answer and send")
		if m := lastMail(d); d.Lines(fmt.Sprintf("SELECT decision FROM offer WHERE id = %d", id)) != "Declined" ||
			m.To.Email != "ann@example.org" {
			t.Errorf("a refused visa: %+v", m)
		}
	})
}

// TestAskBeforeMails shows recipient, subject and first lines before anything that tells the applicant is done, and
// does nothing until that is confirmed; back leads to what was typed.
func TestAskBeforeMails(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		d.Write("UPDATE course SET form = ''",
			"INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-04-01', '', FALSE)")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		const card = "/admin/applications/11"
		offer := ""
		day := []string{"day-day", "20", "day-month", "4", "day-year", "2026"}
		for _, c := range []struct {
			path, button, send string
			fields             []string
			says, typed        string // in the mail, and what back shows
		}{
			{card + "/submit", "Submit for the applicant", "Submit and send", []string{"reason", "Came by post"},
				"has reached us", "Came by post"},
			{card + "/reopen", "Reopen", "Reopen and send", []string{"text", "Sign page 2."},
				"Sign page 2.", "Sign page 2."},
			{card + "/extend", "Extend deadline", "Extend the deadline and send",
				append(day, "reason", "Ill", "text", "Get well."), "Get well.", "Get well."},
			{card + "/withdraw", "Withdraw on request", "Withdraw and send", []string{"reason", "By telephone"},
				"withdrawn", "By telephone"},
			{card + "/undo-withdrawal", "Undo withdrawal", "Undo the withdrawal and send", nil, "", ""},
			{"decision", "Save", "Set the answer and send",
				[]string{"decision", "Declined", "reason", "Visa refused", "tell", "yes"}, "", "Visa refused"},
			{card + "/close", "Close", "Close and send", nil, "closed", ""},
		} {
			if c.path == "decision" {
				c.path = offer + "/decision"
			}
			mails, events := d.Count("outbox"), len(d.Journal())
			ask := staff.Open(c.path).Submit(c.button, c.fields...)
			text := ask.Text("main")
			for _, want := range []string{"ann@example.org", "Subject", "1 e-mail leaves", c.says} {
				if !strings.Contains(text, want) {
					t.Errorf("%s lacks %q: %s", c.path, want, text)
				}
			}
			if d.Count("outbox") != mails || len(d.Journal()) != events {
				t.Errorf("%s acts before it is confirmed", c.path)
			}
			if where, _, _ := strings.Cut(ask.Find("form.confirm a").AttrOr("href", ""), "#"); !strings.HasPrefix(where, card) ||
				strings.HasPrefix(where, c.path) || staff.Open(where).Status != 200 || d.Count("outbox") != mails {
				t.Errorf("%s: cancel leads to %q", c.path, where)
			}
			again := ask.Submit("Back")
			if html, _ := again.Find("main").Html(); again.Status != 200 || !strings.Contains(html, c.typed) ||
				d.Count("outbox") != mails {
				t.Errorf("%s back: %d %s", c.path, again.Status, again.Text("main"))
			}
			done := again.Submit(c.button).Submit(c.send)
			if done.Status != 200 || d.Count("outbox") != mails+1 || len(d.Journal()) == events {
				t.Errorf("%s: %d %q, %d mails", c.path, done.Status, done.Errors(), d.Count("outbox")-mails)
			}
			if offer == "" {
				offer = fmt.Sprintf("/admin/offers/%d", d.Number("SELECT min(id) FROM offer WHERE application_id = 11"))
				if n := d.Number("SELECT max(id) FROM receipt"); n != d.Number("SELECT count(*) FROM receipt") {
					t.Errorf("the page that asks takes the number of a receipt: %d", n)
				}
			}
		}
	})
}

// TestUnseenGuard asks again when something stands in the way of a submission that the page has not shown, and says who
// put it there: the reason was typed for other things.
func TestUnseenGuard(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open("/admin/applications/11/submit")
		other := i.Staff(i.Administrator("Ida Late", everything...))
		task := d.Template("document-check")
		d.Write("UPDATE task_template SET active = TRUE",
			fmt.Sprintf("UPDATE task_template_status SET blocks = TRUE WHERE template_id = %d", task))
		other.Open("/admin/applications/11/tasks/new").Submit("Add a task", "template", fmt.Sprint(task))
		asked := page.Submit("Submit for the applicant", "reason", "Papers came by post")
		if text := asked.Text("main"); asked.Status != 422 || !strings.Contains(text, "Ida Late") ||
			asked.Text("#f-reason") != "Papers came by post" || d.Status(11) == "Submitted" {
			t.Errorf("%d %s", asked.Status, text)
		}
		if asked.Submit("Submit for the applicant").Submit("Submit and send"); d.Status(11) != "Submitted" {
			t.Error(d.Status(11))
		}
	})
}

// TestTypedIsKept shows what was typed for an action that somebody else made impossible, says why, and who did what.
func TestTypedIsKept(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, _ := withOffer(d)
		mara, ida := i.Staff(i.Administrator("Mara Lind", everything...)), i.Staff(i.Administrator("Ida Late", everything...))
		const card = "/admin/applications/11"
		withdraw, extend := mara.Open(card+"/withdraw"), mara.Open(card+"/extend")
		ida.Open(card+"/withdraw").Submit("Withdraw on request", "reason", "By telephone").Submit("Withdraw and send")
		late := withdraw.Submit("Withdraw on request", "reason", "She called")
		if text := late.Text("main"); late.Status != 422 || late.Text("textarea[readonly]") != "She called" ||
			!strings.Contains(text, "not possible any more") || !strings.Contains(text, "Ida Late") ||
			!strings.Contains(text, "withdrawn") || strings.Contains(text, "answer to the offer") {
			t.Errorf("%d %s", late.Status, text)
		}
		ida.Open(card+"/close").Submit("Close", "tell", "-")
		late = extend.Submit("Extend deadline", "reason", "Ill", "text", "Get well.", "day-day", "20", "day-month", "4",
			"day-year", "2026")
		if text := late.Text("main"); late.Status != 422 || !strings.Contains(late.Text("textarea"), "Ill") ||
			!strings.Contains(text, "Get well.") || !strings.Contains(text, "Closed") {
			t.Errorf("%d %s", late.Status, text)
		}
	})
}
