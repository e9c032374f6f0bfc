package portal_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// begun is an applicant of Portugal who has begun an application for the course 71.
func begun(t *testing.T, i *sitetest.Instance, email string) (id int64, own *sitetest.Visitor) {
	t.Helper()
	account, own := signedIn(t, i, email)
	i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", account))
	page := own.Open("/my/apply/71/71").Submit("Add to my application")
	if !strings.HasPrefix(page.Path, "/my/applications/") {
		t.Fatal(page.Path, page.Errors(), page.Text("main"))
	}
	return i.Number("SELECT max(id) FROM application"), own
}

// fill fills in what a course asks for by default.
func fill(t *testing.T, own *sitetest.Visitor, id int64) {
	t.Helper()
	form := fmt.Sprintf("/my/applications/%d/form/", id)
	saved := func(page *sitetest.Page) {
		t.Helper()
		if !strings.Contains(page.Text(".notice"), "Saved at") {
			t.Fatal(page.Path, page.Errors(), page.Text("main"))
		}
	}
	saved(own.Open(form+"profile").Submit("Save and continue", "content.name.given", "Ilse", "content.name.family",
		"Varga", "content.gender", "F", "content.birth.date-day", "3", "content.birth.date-month", "5",
		"content.birth.date-year", "2008", "content.birth.country", "PT", "content.nationality", "PT"))
	saved(own.Open(form+"contact").Submit("Save and continue", "content.address.street", "1 Rua", "content.address.city",
		"Porto", "content.address.country", "PT", "content.telephone.mobile", "+351 910 000 000"))
	saved(own.Open(form+"education/rows/new").Submit("Save this entry", "content.level", "SE", "content.institution",
		"Escola", "content.country", "PT", "content.enrolment-month", "9", "content.enrolment-year", "2023"))
	saved(own.Open(form+"languages/rows/new").Submit("Save this entry", "content.name", "en", "content.proficiency", "C1"))
	saved(own.Open(form+"motivation").Submit("Save and continue", "content.general", "I like numbers."))
}

// TestSubmitApplication fills in an application section by section, is told what is missing, submits it, has its
// receipt checked, and withdraws and takes that back within its time (screens.md P08, P09, P14, P15, P25).
func TestSubmitApplication(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		season(i)
		i.Put("UPDATE task_template SET active = FALSE", "UPDATE consent SET type = 'Voluntary'")
		at(i, time.Date(2031, 5, 15, 22, 0, 0, 0, time.UTC))
		id, own := begun(t, i, "ilse@example.org")
		address := fmt.Sprintf("/my/applications/%d", id)
		want(t, own.Open("/my"), "/my", "Fill in “Personal data”")
		page := own.Open(address + "/check")
		want(t, page, address+"/check", "Date of birth")
		if page.Find("main button").Text(); strings.Contains(page.Text("main form"), "Submit application") {
			t.Error("an application that lacks something can be submitted")
		}
		// A date that is none does not keep the other answers from being stored.
		page = own.Open(address+"/form/profile").Submit("Save and continue", "content.name.given", "Ilse",
			"content.birth.date-day", "31", "content.birth.date-month", "2", "content.birth.date-year", "2008")
		want(t, page, address+"/form/profile", "1 answer needs attention")
		if len(page.Errors()) != 1 || i.Number("SELECT count(*) FROM application WHERE status = 'Draft'") != 1 {
			t.Error(page.Errors())
		}
		fill(t, own, id)
		page = own.Open(address + "/check")
		if strings.Contains(page.Text("main"), "Before you can submit") {
			t.Fatal(page.Text("main"))
		}
		page = page.Submit("Submit application")
		if page.Status != http.StatusUnprocessableEntity || !strings.Contains(strings.Join(page.Errors(), " "), "Tick this") {
			t.Error(page.Status, page.Errors())
		}
		// What an instance begins with is there in every language, until staff write something else.
		arabic := i.Applicant(i.Number("SELECT max(id) FROM applicant"))
		arabic.Lang = "ar"
		want(t, arabic.Open(address+"/check"), address+"/check", "كل ما كتبته صحيح وكامل.")
		want(t, arabic.Open("/privacy"), "/privacy", "كل ما كتبته صحيح وكامل.")
		want(t, arabic.Open("/my/consents"), "/my/consents", "أودّ تلقي النشرة الإخبارية.")
		i.Put("UPDATE consent SET text = 'News every week.' WHERE id = 2")
		if own := arabic.Open("/my/consents").Find("main [lang=en]").Text(); !strings.Contains(own, "News every week.") {
			t.Error(own)
		}
		at(i, time.Date(2031, 5, 15, 23, 59, 59, 0, time.UTC))
		other := own.Open(address + "/check") // in another tab
		page = page.Submit("Submit application", "declared-0", "yes")
		want(t, page, address+"/receipts/1", "Your application was submitted on 15 May 2031, 23:59")
		again := other.Submit("Submit application", "declared-0", "yes")
		want(t, again, address+"/receipts/2", "It had been submitted before, so nothing was sent again.")
		if again.Find("main a[href^='/help?about=submit&']").Length() != 1 ||
			again.Find("main a[href='"+address+"/check']").Length() != 0 {
			t.Error(again.Text("main"))
		}
		receipt := own.Open(address + "/receipts/1/text").Body
		if !strings.Contains(receipt, "Declared What I have written is true and complete.\n") {
			t.Error(receipt)
		}
		if shown := page.Find("code#receipt").Text(); shown != receipt {
			t.Errorf("%q is copied instead of %q", shown, receipt)
		}
		for text, valid := range map[string]string{receipt: "Valid. ", strings.ReplaceAll(receipt, "\n", "\r\n"): "Valid. ",
			strings.Replace(receipt, "Applicant", "applicant", 1): "Not valid.", "x": "Not valid.",
			receipt[:len(receipt)-9]: "Not valid."} {
			want(t, i.Visitor().Open("/receipts").Submit("Check", "receipt", text), "/receipts", valid)
		}
		want(t, own.Open(address), address, "Submitted on 15 May 2031")
		want(t, own.Open("/my"), "/my", "There is nothing to do now.")
		want(t, own.Open(address+"/form/profile"), address+"/form/profile", "your contact data and add documents")
		page = own.Open(address+"/form/contact").Submit("Save and continue", "content.address.city", "Braga")
		if !strings.Contains(page.Text(".notice"), "Saved at") {
			t.Error(page.Errors())
		}
		page = own.Open(address+"/withdraw").Submit("Withdraw application", "decline-reason", "I changed my mind.")
		want(t, page, address, "You can undo this until")
		want(t, own.Open(address+"/check"), address+"/check", "You can undo that until")
		i.Clock.Add(15*admitto.Minute - admitto.Second)
		page = page.Submit("Undo")
		want(t, page, address, "Everything is as it was before.")
		page = own.Open(address + "/withdraw").Submit("Withdraw application")
		i.Clock.Add(15 * admitto.Minute)
		want(t, page.Submit("Undo"), address, "is over")
	})
}

// TestLateSubmission is one second late: the attempt leaves a receipt that says so, and the application stays as it is.
func TestLateSubmission(t *testing.T) {
	i := sitetest.Filled(t)
	i.Put("UPDATE task_template SET active = FALSE", "UPDATE consent SET type = 'Voluntary'")
	season(i)
	at(i, time.Date(2031, 5, 15, 20, 0, 0, 0, time.UTC))
	id, own := begun(t, i, "late@example.org")
	fill(t, own, id)
	i.Put("UPDATE intake SET policy = 'Strict (submit)' WHERE id = 71")
	address := fmt.Sprintf("/my/applications/%d", id)
	page := own.Open(address + "/check")
	at(i, time.Date(2031, 5, 16, 0, 0, 0, 0, time.UTC))
	page = page.Submit("Submit application", "declared-0", "yes")
	if !strings.Contains(page.Path, "/receipts/") || !strings.Contains(page.Text("main"), "could not be submitted") ||
		page.Find("main a[href^='/help']").Length() == 0 {
		t.Fatal(page.Path, page.Text("main"))
	}
	receipt := page.Path
	if n := i.Number(fmt.Sprintf("SELECT count(*) FROM application WHERE id = %d AND status = 'Draft'", id)); n != 1 {
		t.Error("the status has changed")
	}
	const help = "main a[href^='/help?about=deadline&']"
	page = own.Open(address)
	want(t, page, address, "Submission refused")
	if page.Find("main a[href='"+receipt+"']").Length() == 0 || page.Find(help).Length() != 2 {
		t.Error("the overview does not lead on from the refused attempt:", page.Body)
	}
	// After an attempt that succeeds only the deadline is left to help with.
	i.Put("UPDATE receipt SET accepted = TRUE")
	if page = own.Open(address); page.Find(help).Length() != 1 {
		t.Error(page.Text("main"))
	}
}

// TestOrderOfCourses moves and removes courses, and offers to discard the application instead of its last course
// (screens.md P13, P25).
func TestOrderOfCourses(t *testing.T) {
	i := sitetest.Filled(t)
	i.Put("UPDATE consent SET type = 'Voluntary'")
	season(i)
	at(i, time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
	id, own := begun(t, i, "order@example.org")
	want(t, own.Open("/my/apply/72/71").Submit("Add to my application"), fmt.Sprintf("/my/applications/%d", id), "")
	address := fmt.Sprintf("/my/applications/%d", id)
	order := func() string {
		return strings.Join(strings.Fields(i.Lines(fmt.Sprintf("SELECT course_id FROM application_course WHERE application_id = %d ORDER BY priority", id))), " ")
	}
	page := own.Open(address + "/courses")
	page = own.Post(address+"/courses/72/up", sitetest.Typed(page.Find("main form").First()))
	if want(t, page, address+"/courses", "is now number 1"); order() != "72 71" {
		t.Error(order())
	}
	for way, after := range map[string]string{"2": "71 72", "0": "72 71", "3": "72 71", "99999999999999999999": "72 71"} {
		page = own.Post(address+"/courses/72/"+way, sitetest.Typed(own.Open(address+"/courses").Find("main form").First()))
		if want(t, page, address+"/courses", ""); order() != after {
			t.Error(way, order())
		}
		if order() == "71 72" {
			own.Post(address+"/courses/72/1", sitetest.Typed(own.Open(address+"/courses").Find("main form").First()))
		}
	}
	page = own.Open(address + "/courses/72/remove").Submit("Remove course")
	if want(t, page, address+"/courses", "was removed"); order() != "71" {
		t.Error(order())
	}
	page = page.Submit("Undo")
	if want(t, page, address+"/courses", "The course is on your application again."); order() != "72 71" {
		t.Error(order())
	}
	want(t, page, address+"/courses", "15.00 EUR")
	want(t, own.Open(address), address, "Private Économie was removed")
	own.Open(address + "/courses/72/remove").Submit("Remove course")
	want(t, own.Open(address+"/courses/71/remove"), address+"/courses/71/remove", "This is the only course")
	page = own.Open(address + "/withdraw").Submit("Discard application")
	want(t, page, address, "The application was discarded.")
	board := own.Open("/my")
	want(t, board, "/my", "None of your applications is under way.")
	want(t, board, "/my", "You can undo this until 1 May 2031, 12:15 (UTC).")
	if text := board.Text("main"); strings.Contains(text, "We will write to you") ||
		board.Find("main a[href='/courses']").Length() != 1 {
		t.Error("of an application that nobody has: ", text)
	}
	for _, text := range []string{"Discarded on 1 May 2031", "Start again"} {
		want(t, page, address, text)
	}
	want(t, page.Submit("Undo"), address, "Everything is as it was before.")
}

// TestOfOthers asks for every page of an application as somebody else and as nobody.
func TestOfOthers(t *testing.T) {
	i := sitetest.Filled(t)
	i.Put("UPDATE consent SET type = 'Voluntary'")
	season(i)
	at(i, time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
	id, own := begun(t, i, "mine@example.org")
	_, other := signedIn(t, i, "other@example.org")
	opened := own.Crawl("/my", 3, func(p *sitetest.Page) { sitetest.Harmless(t, p) })
	of := 0
	for _, address := range opened {
		if !strings.HasPrefix(address, fmt.Sprintf("/my/applications/%d", id)) {
			continue
		}
		of++
		if page := other.Open(address); page.Status != http.StatusNotFound {
			t.Errorf("%s: %d for somebody else", address, page.Status)
		}
		if page := i.Visitor().Open(address); !strings.HasPrefix(page.Path, "/sign-in") {
			t.Errorf("%s: %d at %s for nobody", address, page.Status, page.Path)
		}
	}
	if of < 8 {
		t.Errorf("only %d pages: %v", of, opened)
	}
}

// TestOfOthersInUse crawls the pages of somebody who has everything: documents, tasks, invoices, messages, offers with
// letters. None of what only this account reaches is answered to another account, or without a session.
func TestOfOthersInUse(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Keep()
	var who [2]int64
	for n := range who {
		who[n] = i.Number(`SELECT a.applicant_id FROM application a WHERE a.visible AND a.applicant_id <> $1
			AND EXISTS (SELECT 1 FROM task k WHERE k.application_id = a.id AND k.trashed IS NULL)
			AND EXISTS (SELECT 1 FROM offer o WHERE o.application_id = a.id AND o.confirmed IS NOT NULL)
			AND EXISTS (SELECT 1 FROM email e WHERE e.applicant_id = a.applicant_id)
			AND EXISTS (SELECT 1 FROM invoice v WHERE v.application_id = a.id) ORDER BY a.id LIMIT 1`, who[0])
	}
	if who[1] == 0 {
		t.Fatal("nobody has everything")
	}
	i.Put("UPDATE applicant SET citizenship = 'PT'", "UPDATE consent SET type = 'Voluntary'")
	own, other := i.Applicant(who[0]), i.Applicant(who[1])
	shared := map[string]bool{}
	for _, address := range other.Crawl("/my", 3, func(*sitetest.Page) {}) {
		shared[address] = true
	}
	kinds := map[string]int{}
	for _, address := range own.Crawl("/my", 3, func(*sitetest.Page) {}) {
		if !strings.HasPrefix(address, "/my/") || shared[address] {
			continue
		}
		kinds[strings.Split(address, "/")[2]]++
		if page := other.Open(address); page.Status != http.StatusNotFound {
			t.Errorf("%s: %d for somebody else", address, page.Status)
		}
		if page := i.Visitor().Open(address); !strings.HasPrefix(page.Path, "/sign-in") {
			t.Errorf("%s: %d at %s for nobody", address, page.Status, page.Path)
		}
	}
	for _, kind := range []string{"applications", "tasks", "invoices", "messages", "offers"} {
		if kinds[kind] == 0 {
			t.Errorf("no page of %s: %v", kind, kinds)
		}
	}
}

// TestRowGoneMeanwhile saves and removes entries that another tab has removed, moved or changed: no other entry is
// written over or removed, and what was typed can be added again (screens.md U8, U10, P09, lifecycle.md 3.5).
func TestRowGoneMeanwhile(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "gone@example.org")
		applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
		address := fmt.Sprintf("/my/applications/%d/form/education", id)
		add := func(names ...string) {
			t.Helper()
			for _, name := range names {
				own.Open(address+"/rows/new").Submit("Save this entry", "content.level", "SE", "content.institution", name,
					"content.country", "PT", "content.enrolment-month", "9", "content.enrolment-year", "2023")
			}
		}
		row := func(n int, path string) *sitetest.Page {
			return own.Open(fmt.Sprintf("%s/rows/%d%s", address, n, path))
		}
		remove := func(n int) { row(n, "/remove").Submit("Remove") }
		is := func(want ...string) {
			t.Helper()
			var got []string
			own.Open(address).Find("main .card > header > h2").Each(func(_ int, s *goquery.Selection) {
				got = append(got, strings.TrimSpace(s.Text()))
			})
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
		const gone = "This entry was removed or replaced meanwhile."
		add("Alpha", "Beta", "Gamma")

		page := row(2, "")
		remove(2)
		page = page.Submit("Save this entry", "content.city", "Porto")
		if text := page.Text("main"); page.Status != http.StatusUnprocessableEntity || !strings.Contains(text, gone) ||
			strings.Contains(text, "Gamma") || page.Find("[name='content.city']").AttrOr("value", "") != "Porto" {
			t.Fatal(page.Status, text)
		}
		is("Alpha", "Gamma")
		want(t, page.Submit("Save this entry"), address, "Porto")
		is("Alpha", "Gamma", "Beta")

		// The last one, and one in whose place there is a new one.
		page = row(3, "")
		remove(3)
		add("Delta")
		page = page.Submit("Save this entry", "content.city", "Braga")
		want(t, page, page.Path, gone)
		is("Alpha", "Gamma", "Delta")

		// One that is elsewhere by now is saved there, and one that was changed is asked about.
		page = row(3, "")
		remove(1)
		want(t, page.Submit("Save this entry", "content.city", "Faro"), address, "Faro")
		is("Gamma", "Delta")
		page = row(2, "")
		row(2, "").Submit("Save this entry", "content.city", "Lagos")
		page = page.Submit("Save this entry", "content.city", "Tavira")
		want(t, page, page.Path, "Saved meanwhile: Lagos")
		want(t, page, page.Path, "You, in another tab or on another device, saved this meanwhile")
		if err := i.Services.Admissions.SaveSection(t.Context(), servicestest.Staff(), id, admissions.SectionEdit{
			Section: "education", Row: 1, Typed: map[string][]string{"city": {"Loulé"}}}); err != nil {
			t.Fatal(err)
		}
		page = page.Submit("Save this entry")
		want(t, page, page.Path, "The admissions office saved this meanwhile")
		page.Submit("Save this entry")
		is("Gamma", "Delta")
		want(t, own.Open(address), address, "Tavira")

		// What was typed and kept comes back as one that is added.
		typed, last := sitetest.Typed(row(1, "").Find("main form")), sitetest.Typed(row(2, "").Find("main form"))
		typed.Set("content.city", "Évora")
		last.Set("content.city", "Beja")
		i.Applicant(applicant).Do(http.MethodPost, "/my/draft", typed)
		i.Applicant(applicant).Do(http.MethodPost, "/my/draft", last)
		remove(1)
		page = row(1, "")
		want(t, page, address+"/rows/1", gone)
		page.Submit("Save this entry")
		is("Delta", "Gamma")
		remove(2)
		page = row(2, "")
		if got := page.Find("[name='content.city']").AttrOr("value", ""); page.Status != http.StatusOK || got != "Beja" {
			t.Error(page.Status, got)
		}
		page.Submit("Save this entry")
		is("Delta")
		want(t, own.Open(address), address, "Beja")
		if page = row(2, ""); page.Status != http.StatusNotFound {
			t.Error(page.Status)
		}

		// Removing.
		add("Alpha", "Beta")
		page = row(1, "/remove")
		remove(1)
		want(t, page.Submit("Remove"), address, gone)
		is("Alpha", "Beta")
		page = row(1, "/remove")
		row(1, "").Submit("Save this entry", "content.city", "Silves")
		page = page.Submit("Remove")
		want(t, page, page.Path, "Somebody changed this entry meanwhile.")
		is("Alpha", "Beta")
		page.Submit("Remove")
		is("Beta")
	})
}

// TestTooLate says after the last day which course was too late, until when it could be submitted and what can be done
// now, and leads to no page of which the button is gone; the receipt leads to the page that checks it.
func TestTooLate(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		season(i)
		i.Put("UPDATE task_template SET active = FALSE", "UPDATE consent SET type = 'Voluntary'")
		at(i, time.Date(2031, 5, 15, 22, 0, 0, 0, time.UTC))
		i.Put("UPDATE intake SET policy = 'Strict (submit)'")
		id, own := begun(t, i, "late@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d", id)
		page := own.Open(address + "/check")
		at(i, time.Date(2031, 5, 16, 0, 0, 0, 0, time.UTC))
		page = page.Submit("Submit application", "declared-0", "yes")
		want(t, page, address+"/receipts/1", "Online Économie: the deadline was 15 May 2031, 23:59")
		if page.Find("main a[href='/receipts']").Length() != 1 || page.Find("main a[href$='/check']").Length() != 0 {
			t.Error(page.Text("main"))
		}
		for _, path := range []string{address + "/receipts/1", address + "/check", address, "/my", address + "/courses"} {
			text := own.Open(path).Text("main")
			for _, wrong := range []string{"Before you can submit", "Also", "still missing", "You can still change it",
				"See what is missing", "the others", "order with the buttons"} {
				if strings.Contains(text, wrong) {
					t.Errorf("%s says %q: %s", path, wrong, text)
				}
			}
		}
		want(t, own.Open("/my"), "/my", "was not submitted in time. Add a course that is still open, or write to us.")
	})
}

// TestSubmittedStays asks on the pages of a submitted application for nothing that is refused then.
func TestSubmittedStays(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own, documents := applying(t, i, "stays@example.org")
		address := fmt.Sprintf("/my/applications/%d", id)
		want(t, own.Open(documents).SubmitFile("file", "notes.txt", "Notes"), documents, "was added")
		remove := fmt.Sprintf("%s/documents/%d/remove", address, i.Number("SELECT max(id) FROM document"))
		before := own.Open(remove)
		want(t, before, remove, "Remove")
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = %d", id))
		for _, page := range []*sitetest.Page{own.Open(remove), before.Submit("Remove")} {
			want(t, page, remove, "You can still change your contact data and add documents.")
			if page.Find("main form button").Length() != 0 || strings.Contains(page.Text("main"), "does not allow") {
				t.Error(page.Text("main"))
			}
		}
		for _, path := range []string{"/check", "/courses"} {
			if text := own.Open(address + path).Text("main"); strings.Contains(text, "still change it") ||
				strings.Contains(text, "with the buttons") {
				t.Errorf("%s: %s", path, text)
			}
		}
	})
}

// TestReopenedDay gives an application back until a day: all pages name that day, and not the deadline, which is over.
func TestReopenedDay(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "again@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d", id)
		own.Open(address+"/check").Submit("Submit application", "declared-0", "yes")
		at(i, time.Date(2031, 5, 20, 12, 0, 0, 0, time.UTC))
		i.Must(i.Services.Admissions.ReopenApplication(t.Context(), servicestest.As(admitto.ByAdministrator, 1), id,
			admissions.Reopening{Text: "Sign the letter.", Until: admitto.Date{Year: 2031, Month: 6, Day: 5}}))
		own = i.Applicant(i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id)))
		for _, path := range []string{"/my", address, address + "/check"} {
			text := own.Open(path).Text("main")
			if !strings.Contains(text, "5 June 2031") || strings.Contains(text, "15 May 2031") {
				t.Errorf("%s: %s", path, text)
			}
		}
	})
}

// TestReopenUntilDeadline lets an applicant open again what they submitted until the deadline, where the institution
// says so and nobody has worked on an offer (lifecycle.md T8).
func TestReopenUntilDeadline(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "until@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d", id)
		own.Open(address+"/check").Submit("Submit application", "declared-0", "yes")
		const press = "Open again for changes"
		offers := func(should bool, when string) {
			t.Helper()
			for _, path := range []string{address, "/courses/72"} {
				if page := own.Open(path); strings.Contains(page.Text("main"), press) != should {
					t.Errorf("%s, %s: %s", when, path, page.Text("main"))
				}
			}
		}
		offers(false, "without the setting")
		boss := i.Staff(i.Superuser("Boss"))
		page := boss.Open("/admin/settings/applications").Submit("Save", "applications.reopen_until_deadline", "true")
		if page.Errors() != nil {
			t.Fatal(page.Errors())
		}
		offers(true, "with the setting")
		i.Put("UPDATE intake SET policy = 'Strict (submit)'")
		i.Put(fmt.Sprintf("UPDATE offer SET saved = 1 WHERE application_id = %d", id))
		offers(false, "after an offer was saved")
		i.Put(fmt.Sprintf("UPDATE offer SET saved = NULL WHERE application_id = %d", id))
		ask := own.Open(address + "/reopen")
		want(t, ask, address+"/reopen", "Until then it does not count as submitted.")
		at(i, time.Date(2031, 5, 16, 0, 0, 0, 0, time.UTC))
		own = i.Applicant(i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id)))
		offers(false, "after the deadline")
		if late := own.Open(address + "/reopen"); late.Path != address {
			t.Error(late.Path)
		}
		at(i, time.Date(2031, 5, 15, 23, 59, 59, 0, time.UTC))
		want(t, own.Open(address+"/reopen").Submit(press), address, "Submit it again when you are done.")
		if i.Status(id) != "Reopened" {
			t.Error(i.Status(id))
		}
		// A day that staff have said is no deadline.
		i.Put(fmt.Sprintf("UPDATE application SET reopen_until = '2031-05-14' WHERE id = %d", id))
		want(t, own.Open(address), address, "Please submit it again by 14 May 2031. It stays possible until 15 May 2031, 23:59")
		want(t, own.Open("/my/apply/72/71").Submit("Add to my application"), address, "is on your application")
	})
}

// TestSpacesAreNoConflict saves in two tabs what differs in nothing but the spaces around it.
func TestSpacesAreNoConflict(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "spaces@example.org")
	address := fmt.Sprintf("/my/applications/%d/form/motivation", id)
	one, two := own.Open(address), own.Open(address)
	one.Submit("Save", "content.general", "Because.\nAlways.")
	page := two.Submit("Save", "content.general", "Because.\r\nAlways. \r\n")
	if page.Status != http.StatusOK || !strings.Contains(page.Text("body"), "Saved at ") {
		t.Fatal(page.Status, page.Text("main"))
	}
}

// TestOneEntryNeedsAttention saves a good entry next to one with a fault: the list comes, and says which one it is; the
// page of the good one has nothing to mend. What was typed into the fields of a date stands in their order.
func TestOneEntryNeedsAttention(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "attention@example.org")
	address := fmt.Sprintf("/my/applications/%d/form/education", id)
	page := own.Open(address+"/rows/new").Submit("Save this entry", "content.institution", "First",
		"content.enrolment-month", "13", "content.enrolment-year", "19")
	want(t, page, address+"/rows/1", "1 answer needs attention")
	page = own.Open(address+"/rows/new").Submit("Save this entry", "content.institution", "Second")
	want(t, page, address, "1 answer needs attention")
	if text := page.Text("main"); !strings.Contains(text, "Please check13 19") {
		t.Error(text)
	}
	page = own.Open(address+"/rows/new").Submit("Save this entry", "content.institution", "Third",
		"content.graduation-month", "14")
	want(t, page, address+"/rows/3", "1 answer needs attention")
	back := own.Open(address).Find("main a:contains('Back')")
	if href, _ := back.Attr("href"); href != strings.Replace(address, "education", "contact", 1) {
		t.Error(href)
	}
}
