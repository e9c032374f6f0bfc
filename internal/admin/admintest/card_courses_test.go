package admintest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// recorded reports whether the journal has an event of the pattern about application 11.
func recorded(d *servicestest.Desk, pattern admitto.Pattern) bool {
	return slices.ContainsFunc(d.Journal(), func(r admitto.Record) bool {
		return r.Pattern == pattern && r.Links.Application == 11
	})
}

// TestCourseActions moves, removes and adds courses before and after the submission, on both engines (lifecycle.md T18
// to T20).
func TestCourseActions(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		tab := func() *sitetest.Page { return staff.Open("/admin/applications/11/courses") }
		order := func() (list []string) {
			tab().Find("main section.card h2").Each(func(_ int,
				s *goquery.Selection) {
				list = append(list, strings.TrimSpace(s.Text()))
			})
			return list
		}
		first := order()
		if len(first) != 2 || !strings.Contains(tab().Text("main"), "Offers are made when the application is submitted.") {
			t.Fatalf("%q %s", first, tab().Text("main"))
		}
		name := func(title string) string { _, name, _ := strings.Cut(title, ". "); return name }
		stale := tab()
		tab().Submit("Move down " + name(first[0]))
		if now := order(); name(now[0]) != name(first[1]) || name(now[1]) != name(first[0]) ||
			!recorded(d, admitto.CoursePrioritiesChanged) {
			t.Errorf("%q became %q", first, now)
		}
		if p := stale.Submit("Move down " + name(first[0])); name(order()[0]) != name(first[1]) {
			t.Errorf("an old page moves: %q %s", order(), p.Text(".notice"))
		}
		tab().Submit("Move up " + name(first[0]))
		if now := order(); !slices.Equal(now, first) {
			t.Errorf("%q became %q", first, now)
		}
		second := d.Number("SELECT course_id FROM application_course WHERE application_id = 11 AND priority = 2")
		remove := fmt.Sprintf("/admin/applications/11/courses/%d/remove", second)
		if p := staff.Open(remove).Submit("Remove course"); len(order()) != 1 || !recorded(d, admitto.CourseRemoved) {
			t.Errorf("%d %q", p.Status, p.Errors())
		}
		if text := staff.Open("/admin/applications/11/history").Text("main"); !strings.Contains(text, "Priority: ") ||
			strings.Contains(text, "/priority") {
			t.Error(text)
		}
		if p := staff.Open(remove); p.Status != 404 {
			t.Errorf("a course that is gone: %d", p.Status)
		}
		if p := tab(); p.Find(`a[href*="/remove"]`).Length() != 0 {
			t.Error("the last course can be removed")
		}
		d.Submit(servicestest.Staff(), "By post", "")
		if p := tab(); p.Find(`button[name=to]`).Length() != 0 || p.Find(`a[href$="/courses/add"]`).Length() != 1 {
			t.Error(p.Text("main"))
		}
		add := staff.Open("/admin/applications/11/courses/add")
		if p := add.Submit("Add course"); p.Status != 422 {
			t.Errorf("nothing chosen: %d", p.Status)
		}
		for _, bad := range []string{"x", "0-0", "55-", "99999-8", "-1-8", "55-8"} {
			if p := add.Submit("Add course", "course", bad); p.Status != 422 || len(p.Errors()) == 0 {
				t.Errorf("%q: %d %q", bad, p.Status, p.Errors())
			}
		}
		choice := add.Find("#f-course option:nth-child(2)").AttrOr("value", "")
		offers := d.Count("offer")
		if p := staff.Open("/admin/applications/11/courses/add").Submit("Add course", "course",
			choice); !strings.Contains(p.Text(".notice.ok"), "was added") ||
			d.Count("offer") != offers+1 || d.Status(11) != "Submitted" || p.Find(`a[href^="/admin/offers/"]`).Length() == 0 {
			t.Errorf("%d %q %d offers", p.Status, p.Errors(), d.Count("offer"))
		}
		if n := d.Number("SELECT count(*) FROM application_course WHERE application_id = 11 AND submitted IS NULL"); n != 0 {
			t.Errorf("%d courses are not submitted", n)
		}
		d.Chained()
	})
}

// TestLateCourse adds a course whose deadline has passed: that takes a reason, which the history keeps.
func TestLateCourse(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, _ := withOffer(d)
		d.Write("DELETE FROM offer WHERE application_id = 11 AND priority = 2", "DELETE FROM application_course WHERE application_id = 11 AND priority = 2",
			"DELETE FROM intake_deadline", "INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-03-08', '', FALSE)",
			"UPDATE intake SET policy = 'Strict (course)'")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open("/admin/applications/11/courses/add")
		choice := page.Find("#f-course option:nth-child(2)").AttrOr("value", "")
		late := page.Submit("Add course", "course", choice)
		if late.Status != 422 || len(late.Errors()) != 1 {
			t.Fatalf("%d %q", late.Status, late.Errors())
		}
		if p := late.Submit("Add course", "course", choice, "reason", "The form was wrong"); p.Status != 200 ||
			len(p.Errors()) > 0 {
			t.Errorf("%d %q", p.Status, p.Errors())
		}
		if text := staff.Open("/admin/applications/11/history").Text("main"); !strings.Contains(text, "The form was wrong") {
			t.Error(text)
		}
	})
}

// TestDecision sets answers and extra scores with their reasons, on both engines, and reads how it came about.
func TestDecision(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		if p := staff.Open(path+"/decision").Submit("Save", "decision", "Final", "reason", " "); p.Status != 422 {
			t.Errorf("without a reason: %d", p.Status)
		}
		if p := staff.Open(path+"/decision").Submit("Save", "decision", "Perhaps", "reason", "x"); p.Status != 422 {
			t.Errorf("no decision: %d", p.Status)
		}
		mails := d.Count("outbox")
		p := staff.Open(path+"/decision").Submit("Save", "decision", "Final", "reason", "By telephone")
		if p.Status != 200 || d.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE id = %d AND decision = 'Final'", offer)) != 1 || d.Count("outbox") != mails {
			t.Errorf("%d %q", p.Status, p.Errors())
		}
		if n := d.Number("SELECT count(*) FROM offer WHERE decision <> 'None'"); n != 1 {
			t.Errorf("%d offers are decided", n)
		}
		if facts := staff.Open("/admin/applications/11").Text("main"); !strings.Contains(facts, "Answer: Final") {
			t.Errorf("the overview does not say the answer: %s", facts)
		}
		staff.Open(path+"/decision").Submit("Save", "decision", "None", "reason", "A mistake", "tell",
			"yes").Submit("Set the answer and send")
		if d.Count("outbox") != mails+1 {
			t.Error("the applicant was not told")
		}
		for typed, want := range map[string]string{"12,5": "12.50", "-9999.99": "-9999.99", "10000": "", "1.234": "", "x": "",
			"1e3": "", "٣": "", "NaN": ""} {
			p := staff.Open(path+"/score").Submit("Save", "extra", typed)
			if want == "" {
				if p.Status != 422 || p.Find("#f-extra").AttrOr("value", "") != typed {
					t.Errorf("%q: %d", typed, p.Status)
				}
			} else if got := staff.Open(path+"/score").Find("#f-extra").AttrOr("value", ""); got != want {
				t.Errorf("%q is %q, want %q", typed, got, want)
			}
		}
		staff.Open(path+"/score").Submit("Save", "extra", "")
		if n := d.Number("SELECT count(*) FROM offer WHERE score_extra IS NOT NULL"); n != 0 {
			t.Error("the extra score stays")
		}
		d.Write(fmt.Sprintf("UPDATE offer SET confirmed = 1, type_confirmed_id = %s WHERE id = %d", typeID(d, accepted), offer))
		d.Must(d.Services.Admissions.AnswerOffer(t.Context(), servicestest.Ann(), 11, offer, admitto.DecisionDeclined,
			admitto.Declining{Class: "VISA", Words: "Came on 9 May " + sitetest.Hostile}))
		courses := staff.Open("/admin/applications/11/courses")
		if text := courses.Text("main"); strings.Count(text, "Reason given by the applicant") != 1 ||
			!strings.Contains(text, "Visa refused or too late: Came on 9 May") {
			t.Error(text)
		}
		sitetest.Harmless(t, courses)
		text := staff.Open(path + "/decided").Text("main")
		for _, want := range []string{"By telephone", "A mistake", "Mara Lind", "Extra score", "Came on 9 May"} {
			if !strings.Contains(text, want) {
				t.Errorf("how it was decided lacks %q: %s", want, text)
			}
		}
		d.Write("UPDATE administrator SET language = 'ar'")
		text = staff.Open("/admin/applications/11/history?group=Offers").Text(".timeline")
		if !strings.Contains(text, "نهائي") || strings.Contains(text, "Final") || strings.Contains(text, "None") {
			t.Errorf("decisions in the history are not in the language of the reader: %s", text)
		}
	})
}

// TestGraceEndsExtensions refuses an extension past the grace day of the term, which ends everything, and names it.
func TestGraceEndsExtensions(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		d.Write("UPDATE academic_term SET grace = '2026-06-01'",
			"INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-04-01', '', FALSE)")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		extend := func(day string) *sitetest.Page {
			return staff.Open("/admin/applications/11/extend").Submit("Extend deadline", "reason", "Ill", "tell", "-",
				"day-day", day, "day-month", "6", "day-year", "2026")
		}
		if p := extend("2"); p.Status != 422 || !strings.Contains(strings.Join(p.Errors(), " "), "1 June 2026") {
			t.Errorf("%d %q", p.Status, p.Errors())
		}
		if p := extend("1"); p.Status != 200 || d.Count("deadline_extension") != 1 {
			t.Errorf("to the grace day itself: %d %q", p.Status, p.Errors())
		}
		d.Write("UPDATE application SET grace_override = 1790000000000000 WHERE id = 11") // September
		if p := extend("2"); p.Status != 200 {
			t.Errorf("an application that goes on longer: %d %q", p.Status, p.Errors())
		}
	})
}

// TestReopenedUntilTermEnds says in the mail about a reopened application that it can be submitted until the term ends:
// staff have let it go on, and then the term itself goes on for longer.
func TestReopenedUntilTermEnds(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		d.Write("UPDATE application SET status = 'Submitted', grace_override = 1790000000000000 WHERE id = 11", // September
			"DELETE FROM intake_deadline")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		for grace, want := range map[string]string{"2026-06-01": "21 September 2026", "2026-10-01": "1 October 2026"} {
			d.Write("UPDATE academic_term SET grace = '" + grace + "'")
			mail := staff.Open("/admin/applications/11/reopen").Submit("Reopen", "text", "Sign page 2").Text("main")
			if !strings.Contains(mail, "submit it again by "+want+".") {
				t.Errorf("a term until %s: want %s in %s", grace, want, mail)
			}
		}
	})
}

// TestWhoAndWhen says who took a decision, and since when an application is closed.
func TestWhoAndWhen(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, offer, _ := withOffer(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		staff.Open(offer+"/decision").Submit("Save", "decision", "Declined", "reason", "By telephone")
		if text := staff.Open("/admin/applications/11/courses").Text("main"); !strings.Contains(text, "· by Mara Lind") {
			t.Error(text)
		}
		d.Clock.Add(3 * admitto.Day)
		staff = i.Staff(i.Administrator("Ida Late", everything...))
		day := staff.Open("/admin/applications/11/close").Submit("Close", "tell", "-").Text(".cardhead .tag")
		if page := staff.Open("/admin/applications/11"); !strings.Contains(day, "Closed · 12 March 2026") ||
			!strings.Contains(page.Text(".timeline"), "Closed12 March 2026") {
			t.Errorf("%s\n%s", day, page.Text("main"))
		}
	})
}

// TestWhyNot says why something of an application cannot be changed, where the button for it would stand.
func TestWhyNot(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, offer := withOffer(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView, admitto.OffersView))
		d.Write("DELETE FROM application_course WHERE application_id = 11 AND course_id <> 55")
		const card, is = "/admin/applications/11", " now: The application is "
		for _, c := range []struct {
			change, tab, why string
			hidden           string
		}{
			{"status = 'Submitted'", "/courses", "are not removed or moved. Reopen it first.", "/remove"},
			{"status = 'Draft'", "/courses", "an application has at least one course.", "/remove"},
			{"status = 'Closed'", "/courses", "added, removed or moved" + is + "closed.", "/courses/add"},
			{"status = 'Closed'", "/documents", "added or removed" + is + "closed.", "/documents/upload"},
			{"status = 'Withdrawn'", "/documents/upload", "added or removed" + is + "withdrawn.", ""},
			{"status = 'Withdrawn'", "/form/profile", "The form cannot be changed" + is + "withdrawn.", "/edit"},
			{"status = 'Closed'", "/tasks/new", "A task cannot be added now: The application is closed.", ""},
		} {
			d.Write("UPDATE application SET " + c.change + " WHERE id = 11")
			page := staff.Open(card + c.tab)
			if text := page.Text("main"); strings.Count(text, c.why) != 1 {
				t.Errorf("%s, %s: %.600s", c.change, c.tab, text)
			}
			if first, leads := strings.Contains(c.why, "Reopen it first"), page.Find(
				`main a[href$="/reopen"]`).Length() != 0; first && !leads {
				t.Errorf("%s, %s: what has to be done first is not linked", c.change, c.tab)
			}
			if c.hidden != "" && page.Find(`main a[href$="`+c.hidden+`"]`).Length() != 0 {
				t.Errorf("%s, %s: %s is offered", c.change, c.tab, c.hidden)
			}
			if text := few.Open(card + c.tab).Text("main"); strings.Contains(text, c.why) {
				t.Errorf("who may not do it is told at %s: %.600s", c.tab, text)
			}
		}
		d.Write("UPDATE application SET status = 'Reopened' WHERE id = 11",
			fmt.Sprintf("UPDATE offer SET confirmed = 1 WHERE id = %d", offer),
			"INSERT INTO application_course (application_id, course_id, institution_id, priority, added, intake_id) "+
				"SELECT 11, 57, institution_id, 2, 1, 8 FROM application_course WHERE application_id = 11")
		page := staff.Open(card + "/courses")
		if text := page.Text("main"); !strings.Contains(text, "a letter about it was sent") ||
			page.Find(`main a[href$="/remove"]`).Length() != 1 {
			t.Errorf("%.900s", text)
		}
	})
}
