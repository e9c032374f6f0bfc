package portal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestRequiredQuestion has staff require an answer of a course: the submission is stopped until it is given. An answer
// to a question that is no longer asked stays readable (screens.md A39).
func TestRequiredQuestion(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "asked@example.org")
		fill(t, own, id)
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		began := len(i.Journal())
		const settings = "/admin/courses/71/form"
		page := staff.Open(settings+"/questions/new").Submit("Add question", "name", "Where will you live?", "type",
			"choice",
			"options", "Dormitory\nFlat", "required", "yes", "help", "You can change it later.")
		want(t, page, settings, "Where will you live?")
		question := i.Number("SELECT max(id) FROM question")
		address, field := fmt.Sprintf("/my/applications/%d", id), fmt.Sprintf("content.%d", question)
		page = own.Open(address + "/check")
		want(t, page, address+"/check", "Where will you live?")
		if strings.Contains(page.Text("main form"), "Submit application") {
			t.Error("it can be submitted without an answer")
		}
		if text := staff.Open(fmt.Sprintf("/admin/applications/%d", id)).Text("main"); !strings.Contains(text,
			"Where will you live?") {
			t.Error("the card does not name the question:", text)
		}
		page = own.Open(address + "/form/extras")
		want(t, page, address+"/form/extras", "You can change it later.")
		want(t, page.Submit("Save", field, "Tent"), address+"/form/extras", "1 answer needs attention")
		if page = own.Open(address + "/check"); strings.Contains(page.Text("main form"), "Submit application") {
			t.Error("it can be submitted with an answer that needs attention")
		}
		own.Open(address+"/form/extras").Submit("Save", field, "Dormitory")
		page = own.Open(address+"/check").Submit("Submit application", "declared-0", "yes")
		want(t, page, address+"/receipts/1", "was submitted")
		// It is no longer asked, and the answer stays for the applicant, staff and the API, which reads what is stored.
		page = staff.Open(settings).Submit("Save", fmt.Sprintf("question-%d", question), "removed")
		want(t, page, settings, "asks no questions")
		want(t, own.Open(address+"/check"), address+"/check", "Dormitory")
		card := staff.Open(fmt.Sprintf("/admin/applications/%d/form/extras", id)).Text("main")
		if !strings.Contains(card, "Where will you live?") || !strings.Contains(card, "Dormitory") {
			t.Error(card)
		}
		if got := strings.Join(i.Since(began), ", "); strings.Count(got, "Course was edited") != 2 {
			t.Error(got)
		}
	})
}

// TestFormOfTwoCourses puts the forms of two courses together: required beats shown, shown beats hidden (lifecycle.md
// 3.5). What is hidden keeps its values and is never missing.
func TestFormOfTwoCourses(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "two@example.org")
	staff := i.Staff(i.Superuser("Hana Yildiz"))
	page := staff.Open("/admin/courses/71/form").Submit("Save", "show-motivation", "hidden", "show-profile_birth_date",
		"hidden", "show-visa", "shown", "show-visa_number", "required", "show-career", "required")
	if !strings.Contains(page.Text(".notice"), "was saved") {
		t.Fatal(page.Errors())
	}
	address := fmt.Sprintf("/my/applications/%d", id)
	fields := func(section string) string { return own.Open(address + "/form/" + section).Text("main") }
	if page := own.Open(address + "/form/motivation"); page.Status != 404 {
		t.Error("a hidden section is", page.Status)
	}
	if text := fields("profile"); strings.Contains(text, "Date of birth") {
		t.Error("a hidden field is shown")
	}
	if text := fields("visa"); !strings.Contains(text, "Visa number") {
		t.Error(text)
	}
	text := own.Open(address + "/check").Text("main")
	for _, name := range []string{"Visa number", "at least one entry"} {
		if !strings.Contains(text, name) {
			t.Errorf("%s is not missing: %s", name, text)
		}
	}
	if strings.Contains(text, "Date of birth") || strings.Contains(text, "Motivation") {
		t.Error("what is hidden is missing:", text)
	}
	// A second course has the default form: what it requires is required.
	i.Put(fmt.Sprintf("INSERT INTO application_course (application_id, course_id, intake_id, institution_id, priority, added, course_type) SELECT %d, 72, intake_id, institution_id, 2, added, course_type FROM application_course WHERE application_id = %d", id, id))
	text = own.Open(address + "/check").Text("main")
	for _, name := range []string{"Visa number", "Date of birth", "Motivation"} {
		if !strings.Contains(text, name) {
			t.Errorf("%s is not missing: %s", name, text)
		}
	}
}

// TestQuestionsInTwoLanguages reads the questions of a course in the language of the applicant, and falls back to the
// first one where there is no version (lifecycle.md R11). Every type of question can be answered.
func TestQuestionsInTwoLanguages(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "words@example.org")
	staff := i.Staff(i.Superuser("Hana Yildiz"))
	const settings = "/admin/courses/71/form/questions/"
	ask := func(fields ...string) int64 {
		t.Helper()
		if page := staff.Open(settings+"new").Submit("Add question", fields...); page.Path != "/admin/courses/71/form" {
			t.Fatal(page.Path, page.Errors())
		}
		return i.Number("SELECT max(id) FROM question")
	}
	meal := ask("name", "Which meal?", "type", "choices", "options", "Rice\nBread", "in-ar", "أي وجبة؟")
	page := staff.Open(settings+fmt.Sprint(meal)).Submit("Save", "in-ar-2", "أرز")
	if page.Path != "/admin/courses/71/form" {
		t.Fatal(page.Errors())
	}
	referee := ask("name", "Referee", "type", "section", "field-0", "Name of the referee", "type-0", "text", "field-1",
		"Known since", "type-1", "number", "required", "yes")
	page = staff.Open(settings+fmt.Sprint(referee)).Submit("Save", "in-ar", "المزكي", "in-ar-2", "اسم المزكي")
	if page.Path != "/admin/courses/71/form" {
		t.Fatal(page.Errors())
	}
	paper := ask("name", "Portfolio", "type", "file", "required", "yes")
	address := fmt.Sprintf("/my/applications/%d/form/extras", id)
	own.Open("/choose/language/ar?next=%2Fmy")
	text := own.Open(address).Text("main")
	for _, words := range []string{"أي وجبة؟", "أرز", "Bread", "المزكي", "اسم المزكي", "Known since"} {
		if !strings.Contains(text, words) {
			t.Errorf("%s is not in %s", words, text)
		}
	}
	if strings.Contains(text, "referee") {
		t.Error("a question of a group stands in the first language: ", text)
	}
	own.Open("/choose/language/en?next=%2Fmy")
	i.Put(fmt.Sprintf("INSERT INTO document (id, application_id, name, mime, size, hash, uploaded) VALUES (9901, %d, 'Works.pdf', 'application/pdf', 1, 'x', 1)", id))
	field := func(question int64, below string) string { return fmt.Sprintf("content.%d%s", question, below) }
	page = own.Open(address).Submit("Save", field(meal, ""), "Rice", field(referee, ".1"), "Dr Reed",
		field(referee, ".2"), "long", field(paper, ""), "9901")
	want(t, page, address, "1 answer needs attention")
	own.Open("/choose/language/ar?next=%2Fmy")
	check := fmt.Sprintf("/my/applications/%d/check", id)
	for _, words := range []string{"اسم المزكي: Dr Reed", "Known since: long"} {
		if text := own.Open(check).Text("main"); !strings.Contains(text, words) {
			t.Errorf("%s is not in %s", words, text)
		}
	}
	// Somebody else has changed the group meanwhile: both values stand below what the question is called.
	late := own.Open(address)
	own.Open(address).Submit("حفظ", field(referee, ".1"), "Dr Other")
	if text := late.Submit("حفظ", field(referee, ".1"), "Dr Mine").Text("main"); !strings.Contains(text, "Dr Other") ||
		!strings.Contains(text, "اسم المزكي") || strings.Contains(text, "referee") {
		t.Error(text)
	}
	own.Open("/choose/language/en?next=%2Fmy")
	own.Open(address).Submit("Discard what I typed") // which is kept (screens.md U8)
	page = own.Open(address).Submit("Save", field(referee, ".2"), "2019")
	if page.Errors() != nil {
		t.Error(page.Errors())
	}
	text = own.Open(fmt.Sprintf("/my/applications/%d/check", id)).Text("main")
	for _, words := range []string{"Rice", "Name of the referee: Dr Other; Known since: 2019", "Document 9901"} {
		if !strings.Contains(text, words) {
			t.Errorf("%s is not in %s", words, text)
		}
	}
	own.Open(address).Submit("Save", field(referee, ".1"), "", field(referee, ".2"), "", field(paper, ""), "777")
	text = own.Open(fmt.Sprintf("/my/applications/%d/check", id)).Text("main")
	if !strings.Contains(text, "Referee") || !strings.Contains(text, "Portfolio") || strings.Contains(text, "Dr Other") {
		t.Error(text)
	}
}

// TestAskedAfterSubmission asks a question after an application was submitted: its pages do not call the answer missing
// while nothing but contact data can be changed, and do once it is open again (screens.md P08, lifecycle.md T21). The
// printout has what was answered, and nothing of it.
func TestAskedAfterSubmission(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "later@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d", id)
		want(t, own.Open(address+"/check").Submit("Submit application", "declared-0", "yes"), address+"/receipts/1", "")
		const settings = "/admin/courses/71/form"
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		want(t, staff.Open(settings+"/questions/new").Submit("Add question", "name", "Where will you live?", "type", "text",
			"required", "yes"), settings, "Where will you live?")
		// Something is also missing of what was filled in, such as after a course asks for one field more.
		i.Put(fmt.Sprintf(`UPDATE application_content SET content = replace(content, '"Ilse"', '""') WHERE application_id = %d`,
			id))
		for _, status := range []string{"Submitted", "Withdrawn", "Closed"} {
			i.Put(fmt.Sprintf("UPDATE application SET status = '%s' WHERE id = %d", status, id))
			want(t, own.Open(address), address, "Personal dataFilled in")
			want(t, own.Open(address), address, "Further questionsNot filled in")
			printed := pdftest.Text(t, []byte(own.Open(address+"/printout").Body))
			if text := strings.ToLower(printed); !strings.Contains(text, "économie") ||
				strings.Contains(text, "missing") || strings.Contains(text, "where will you live") {
				t.Errorf("%s: the printout says %s", status, text)
			}
			for _, path := range []string{"", "/check", "/form/extras", "/form/profile"} {
				if text := strings.ToLower(own.Open(address + path).Text("body")); strings.Contains(text, "missing") ||
					strings.Contains(text, "not started") || strings.Contains(text, "not ready") {
					t.Errorf("%s%s: %s", status, path, text)
				}
			}
		}
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Reopened' WHERE id = %d", id))
		if text := own.Open(address).Text("body"); !strings.Contains(text, "Not started") {
			t.Error(text)
		}
		want(t, own.Open(address+"/check"), address+"/check", "Still missing")
	})
}

// TestTakenFromEarlier begins a form with what the account and an earlier application say, and stores nothing of it
// before it is saved (screens.md P09, lifecycle.md 3.5).
func TestTakenFromEarlier(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "again@example.org")
	fill(t, own, id)
	address := fmt.Sprintf("/my/applications/%d", id)
	want(t, own.Open(address+"/withdraw").Submit("Discard application"), address, "The application was discarded.")
	page := own.Open("/my/apply/71/71").Submit("Add to my application")
	now := i.Number("SELECT max(id) FROM application")
	if now == id {
		t.Fatal(page.Path, page.Text("main"))
	}
	form := fmt.Sprintf("/my/applications/%d/form/", now)
	page = own.Open(form + "contact")
	want(t, page, form+"contact", "We filled this in from what we know already.")
	if got := page.Find("textarea[name='content.address.street']").Text(); got != "1 Rua" {
		t.Error(got)
	}
	if page := own.Open(fmt.Sprintf("/my/applications/%d/check", now)); strings.Contains(page.Text("main"), "1 Rua") {
		t.Error("what was only offered counts as filled in")
	}
	// What is known is not asked for, but has to be checked.
	const street = "Street (only to be checked and saved)"
	for _, path := range []string{"", "/check"} {
		path = fmt.Sprintf("/my/applications/%d%s", now, path)
		want(t, own.Open(path), path, street)
	}
	i.Put("UPDATE applicant SET phone = ''")
	if text := own.Open(fmt.Sprintf("/my/applications/%d/check", now)).Text("main"); strings.Count(text,
		"We know it already: please check and save it") < 5 {
		t.Error("what is known is missing: ", text)
	}
	page.Submit("Save")
	if text := own.Open(fmt.Sprintf("/my/applications/%d/check", now)).Text("main"); strings.Contains(text, street) {
		t.Error("checked, and still to check: ", text)
	}
	// The name is that of the account, and entries come from all earlier applications, each once.
	i.Put("UPDATE applicant SET given = 'Ilona', middle = ''")
	if name := own.Open(form+"profile").Find("[name='content.name.given']").AttrOr("value", ""); name != "Ilona" {
		t.Error("the name is that of an earlier application: ", name)
	}
	own.Open(fmt.Sprintf("/my/applications/%d/withdraw", now)).Submit("Discard application")
	own.Open("/my/apply/71/71").Submit("Add to my application")
	third := fmt.Sprintf("/my/applications/%d/form/education", i.Number("SELECT max(id) FROM application"))
	if text := own.Open(third).Text("main"); strings.Count(text, "Take over Escola") != 1 {
		t.Error("an entry of the application before the last one is not offered: ", text)
	}
	form = fmt.Sprintf("/my/applications/%d/form/", now)
	if page = own.Open(form + "contact"); strings.Contains(page.Text("main"), "We filled this in") {
		t.Error(page.Text("main"))
	}
}

// TestWrongDayOfBirth says of a day that is none that it needs attention, and not that it has but to be checked.
func TestWrongDayOfBirth(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own, _ := applying(t, i, "wrong@example.org")
		address := fmt.Sprintf("/my/applications/%d", id)
		own.Open(address+"/form/profile").Submit("Save and continue", "content.birth.date-day", "31",
			"content.birth.date-month", "2", "content.birth.date-year", "2008")
		for _, path := range []string{address, address + "/check"} {
			want(t, own.Open(path), path, "Date of birth (something in it needs attention)")
		}
	})
}

// TestErrorsComeFirst shows what is wrong with a form that stands further down at the top of the page, with the focus.
func TestErrorsComeFirst(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		_, own, documents := applying(t, i, "first@example.org")
		page := own.Open(documents).SubmitFile("file", "", "")
		if page.Status != 422 || page.Find("main .errors[autofocus] + .stack h1").Length() != 1 ||
			page.Find("main .errors").Length() != 1 {
			t.Error(page.Status, page.Text("main"))
		}
	})
}

// TestEmptyEntry stores no entry in which nothing is filled in.
func TestEmptyEntry(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own, _ := applying(t, i, "empty@example.org")
		for _, section := range []string{"education", "languages"} {
			path := fmt.Sprintf("/my/applications/%d/form/%s", id, section)
			page := own.Open(path + "/rows/new").Submit("Save this entry")
			if page.Status != 422 || page.Errors()[0] != "Fill in at least one field" {
				t.Error(section, page.Status, page.Errors())
			}
			if list := own.Open(path); list.Find("main a[href$='/rows/1']").Length() != 0 {
				t.Errorf("%s: %s", section, list.Text("main"))
			}
		}
	})
}

// TestUndoOfReplaced offers no undoing of a discarded application once another one has its term.
func TestUndoOfReplaced(t *testing.T) {
	i := sitetest.Filled(t)
	i.Put("UPDATE consent SET type = 'Voluntary'")
	season(i)
	at(i, time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
	id, own := begun(t, i, "again@example.org")
	address := fmt.Sprintf("/my/applications/%d", id)
	discarded := own.Open(address + "/withdraw").Submit("Discard application")
	want(t, discarded, address, "You can undo this until")
	own.Open("/my/apply/71/71").Submit("Add to my application")
	other := fmt.Sprintf("/my/applications/%d", i.Number("SELECT max(id) FROM application"))
	for _, path := range []string{"/my", address} {
		if text := own.Open(path).Text("main"); strings.Contains(text, "undo") {
			t.Error(path, text)
		}
	}
	page := discarded.Submit("Undo")
	if page.Path != address || page.Find("main .notice a[href='"+other+"']").Length() != 1 {
		t.Error(page.Path, page.Text("main"))
	}
}

// TestAfterSubmissionLeadsBack leads from what stays open after the submission back to the application, and says of
// contact data that were never fixed nothing of that.
func TestAfterSubmissionLeadsBack(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own, documents := applying(t, i, "after@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d", id)
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Submitted', submitted = 1, frozen = 1 WHERE id = %d", id))
		form := own.Open(address + "/form/contact")
		if text := form.Text("main"); strings.Contains(text, "Some answers were fixed") {
			t.Error(text)
		}
		want(t, form.Submit("Save and continue", "content.telephone.mobile", "+351 910 000 001"), address, "Submitted on")
		if page := own.Open(documents); page.Find("main a[href='"+address+"/courses']").Length() != 0 ||
			page.Find("main .acts a[href='"+address+"']").Length() == 0 {
			t.Error(page.Text("main"))
		}
	})
}

// TestLimitInArabic says how long a text may be in words that fit every number.
func TestLimitInArabic(t *testing.T) {
	i := sitetest.Filled(t)
	_, own, _ := applying(t, i, "limit@example.org")
	own.Open("/choose/language/ar?next=%2Fmy")
	address := fmt.Sprintf("/my/applications/%d/withdraw", i.Number("SELECT max(id) FROM application"))
	i.Put("UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = (SELECT max(id) FROM application)")
	if text := own.Open(address).Text("main"); !strings.Contains(text, "أقصى عدد للأحرف") {
		t.Error(text)
	}
}
