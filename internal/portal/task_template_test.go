package portal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/ui"
)

// TestTaskOfSubmission has staff make a template whose tasks the submission triggers: it makes one task, and a
// re-submission no second one. Applicants read it in their language and hand in what it asks for (screens.md A44).
func TestTaskOfSubmission(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		i.Keep()
		id, own := atWork(t, i, "task@example.org")
		fill(t, own, id)
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		page := staff.Open("/admin/task-templates/new").Submit("Add task template", "title", "Photograph", "class",
			"photo",
			"cause", "submitted", "scope", "listed", "courses", "71", "document_kinds", "pdf", "in-ar", "صورة شخصية",
			"switches-1", "public", "switches-1", "requires_document")
		if text := page.Text(".notice"); !strings.Contains(text, "was saved") {
			t.Fatal(page.Errors())
		}
		template := i.Number("SELECT id FROM task_template WHERE class = 'photo'")
		count := func() int64 {
			return i.Number(fmt.Sprintf("SELECT count(*) FROM task WHERE application_id = %d AND template_id = %d", id,
				template))
		}
		address := fmt.Sprintf("/my/applications/%d", id)
		submit := func(receipt int) {
			t.Helper()
			page := own.Open(address+"/check").Submit("Submit application", "declared-0", "yes")
			want(t, page, fmt.Sprintf("%s/receipts/%d", address, receipt), "submitted")
			if n := count(); n != 1 {
				t.Errorf("%d tasks after submission %d", n, receipt)
			}
		}
		if n := count(); n != 0 {
			t.Errorf("%d tasks before the submission", n)
		}
		submit(1)
		page = staff.Open(fmt.Sprintf("/admin/applications/%d/reopen", id)).Submit("Reopen", "text",
			"Please check.").Submit("Reopen and send")
		if i.Status(id) != "Reopened" {
			t.Fatal(page.Path, page.Errors(), page.Text("main"))
		}
		submit(2)
		task := fmt.Sprintf("/my/tasks/%d", i.Number("SELECT max(id) FROM task"))
		own.Open("/choose/language/ar?next=%2Fmy")
		if title := own.Open(task).Text("h1"); title != "صورة شخصية" {
			t.Error(title)
		}
		i.Put("UPDATE task_template SET versions = '{}' WHERE class = 'photo'")
		if title := own.Open(task).Find("h1 bdi[lang=en]").Text(); title != "Photograph" {
			t.Error("in no language of the reader: ", title)
		}
		if title := own.Open("/my/tasks").Find("dt bdi[lang=en]").Text(); title != "Photograph" {
			t.Error("in no language of the reader: ", title)
		}
		own.Open("/choose/language/en?next=%2Fmy")
		page = own.Open(task)
		want(t, page, task, "PDF. At most")
		page = page.SubmitFile("file", "me.txt", "a plain text")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors,
			"Choose a file of one of these kinds: .pdf") {
			t.Error(errors, page.Text("main"))
		}
		page = own.Open(task).SubmitFile("file", "me.pdf",
			"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
		want(t, page, task, "Saved at")
	})
}

// TestTaskThatComesWithInstance has a reader of Arabic: titles of tasks and offers that an instance begins with are in
// that language on pages and in mails, and what staff wrote stays as they did.
func TestTaskThatComesWithInstance(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		i.Keep()
		catalogue, err := ui.NewCatalogue()
		i.Must(err)
		i.Papers = func(language string) func(group, english string) string { return catalogue.Locale(language).Word }
		id, own := atWork(t, i, "seeded@example.org")
		template := i.Number("SELECT id FROM task_template WHERE class = 'checklist-identity'")
		i.Put("UPDATE applicant SET language = 'ar'",
			fmt.Sprintf("UPDATE task_template SET active = TRUE, mails = TRUE WHERE id = %d", template),
			fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) "+
				"VALUES (901, %d, %d, 1, 'Pending')", id, template))
		own.Open("/choose/language/ar?next=%2Fmy")
		const passport = "نسخة من جواز السفر أو بطاقة الهوية"
		mine := fmt.Sprintf("/my/applications/%d", id)
		for _, path := range []string{"/my", "/my/tasks", "/my/tasks/901", mine, mine + "/check", "/courses/71"} {
			page := own.Open(path)
			want(t, page, path, passport)
			if text := page.Text("main"); strings.Contains(text, "Copy of passport") || strings.Contains(text, "Pending") {
				t.Errorf("%s in English: %s", path, text)
			}
		}
		if n := own.Open("/my/tasks/901").Find("h1 [lang], h1[lang=en]").Length(); n != 0 {
			t.Error("the title in Arabic is marked as in English")
		}
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = %d", id))
		i.Mails()
		i.Must(i.Services.Admissions.HandleTask(t.Context(), servicestest.Staff(), id, 901,
			admissions.TaskHandling{Status: "Returned"}))
		if said := i.Mail(); !strings.Contains(said.Text, passport) || !strings.Contains(said.Text, "مُعاد") {
			t.Error(said.Subject, said.Text)
		}
		i.Put(fmt.Sprintf("INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, confirmed, type_id, type_confirmed_id) "+
			"SELECT 901, a.id, a.applicant_id, 71, 71, 71, 1, 1, 1, o.id, o.id FROM application a, offer_type o WHERE a.id = %d AND o.title = 'Waitlisted'", id),
			"INSERT INTO offer_confirmation (offer_id, confirmed, type_id, subject, body, html, policy, source) SELECT 901, 1, type_id, 'Wait', 'Please wait.', '', 'Advisory', '' FROM offer WHERE id = 901")
		if title := own.Open("/my/offers/901").Text("h1"); !strings.HasPrefix(title, "قائمة الانتظار: ") {
			t.Error(title)
		}
		i.Put(fmt.Sprintf("UPDATE task_template SET title = 'Copy of the visa' WHERE id = %d", template))
		if title := own.Open("/my/tasks/901").Find("h1 bdi[lang=en]").Text(); title != "Copy of the visa" {
			t.Error("what staff wrote: ", title)
		}
	})
}

// TestWordsInLanguages has staff write a course, an intake, an offer type and a consent in a further language:
// applicants read that, and what has no version in the first one, marked as such; a letter goes out in the language of
// its reader (lifecycle.md R11).
func TestWordsInLanguages(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "words@example.org")
		applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
		i.Put("UPDATE course SET summary = 'Short.', awards = '[{\"abbr\":\"BSc\",\"full\":\"Bachelor\"}]', location = 'Lisbon' "+
			"WHERE id = 71", "UPDATE intake SET pre_deadline = '2031-05-10', pre_info = 'Answered first.' WHERE id = 71",
			"UPDATE intake_deadline SET info = 'For the world.' WHERE intake_id = 71 AND territory = '001'",
			fmt.Sprintf("UPDATE applicant SET language = 'ar' WHERE id = %d", applicant))
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		save := func(path string, fields ...string) {
			t.Helper()
			if page := staff.Open(path).Submit("Save", fields...); !strings.Contains(page.Text(".notice"), "saved") {
				t.Fatal(path, page.Errors(), page.Text("main"))
			}
		}
		reader := i.Visitor()
		reader.Lang = "ar"
		marked := func(path, lang string, words ...string) {
			t.Helper()
			page := reader.Open(path)
			for _, word := range words {
				element := page.Find("main *").FilterFunction(func(_ int, s *goquery.Selection) bool {
					return strings.TrimSpace(s.Text()) == word && s.Children().Length() == 0
				})
				if got := element.Closest("[lang]").AttrOr("lang", ""); element.Length() == 0 || got != lang {
					t.Errorf("%s: %q is there %d times, in %q instead of %q", path, word, element.Length(), got, lang)
				}
			}
		}
		marked("/courses/71", "en", "Bachelor · Northfield", "Online Économie", "Short.", "autumn 2031", "For the world.",
			"Answered first.")
		marked("/courses", "en", "Online Économie")
		save("/admin/courses/71", "in-ar", "اقتصاد", "in-ar-1", "إجازة", "in-ar-3", "لشبونة", "in-ar-4", "باختصار.")
		save("/admin/intakes/71", "in-ar", "خريف 2031", "in-ar-1", "نجيب عنها أولاً.", "in-ar-2", "للعالم كله.")
		marked("/courses/71", "ar", "اقتصاد", "باختصار.", "خريف 2031", "للعالم كله.", "نجيب عنها أولاً.")
		marked("/courses", "ar", "اقتصاد")
		for _, place := range []string{"إجازة · Northfield", "لشبونة"} {
			want(t, reader.Open("/courses/71"), "/courses/71", place)
		}
		// Everybody finds a course by what it is called in any language; the page is in the language of the reader.
		for _, found := range []string{"/courses?q=%D8%A7%D9%82%D8%AA%D8%B5%D8%A7%D8%AF", "/courses?q=economie"} {
			want(t, i.Visitor().Open(found), found, "Online Économie")
			want(t, reader.Open(found), found, "اقتصاد")
		}
		want(t, staff.Open("/admin/courses"), "/admin/courses", "Online Économie")
		// The application.
		i.Put(fmt.Sprintf("UPDATE applicant SET language = 'ar' WHERE id = %d", applicant))
		own.Open("/choose/language/ar?next=%2Fmy")
		mine := fmt.Sprintf("/my/applications/%d", id)
		for _, path := range []string{"/my", mine, mine + "/courses"} {
			want(t, own.Open(path), path, "اقتصاد")
		}
		want(t, own.Open(mine+"/courses"), mine+"/courses", "خريف 2031")
		// The consent: a further language asks nobody again, other words in it do.
		i.Put("INSERT INTO consent (id, type, text) VALUES (31, 'Voluntary', 'We write news.')",
			fmt.Sprintf("INSERT INTO consent_decision (applicant_id, consent_id, decided, decision, version) VALUES (%d, 31, 1, 'Accept', 1)", applicant))
		for n, words := range []string{"نرسل الأخبار.", "نرسل الأخبار كل يوم."} {
			page := staff.Open("/admin/consents/31").Submit("Save", "in-ar", words)
			if asked := strings.Contains(strings.Join(page.Errors(), " "), "Everybody is asked again"); asked != (n > 0) {
				t.Errorf("%q: %v", words, page.Errors())
			} else if asked {
				page.Submit("Save", "sure", "yes")
			}
			want(t, own.Open("/my/consents"), "/my/consents", words)
			if version := i.Number("SELECT version FROM consent WHERE id = 31"); version != int64(n+1) {
				t.Errorf("%q: version %d", words, version)
			}
		}
		// The letter.
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = %d", id),
			fmt.Sprintf("INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, type_id) SELECT 901, id, applicant_id, 71, 71, 71, 1, 1, 1 FROM application WHERE id = %d", id))
		page := staff.Open("/admin/offer-types/new").Submit("Add offer type", "title", "Place", "public_title", "A place",
			"switches", "confirm", "subject", "Your place", "comments", "%course-FullName%, %intake-Name%: %offer-Type%",
			"in-ar", "مقعد", "in-ar-1", "مقعدك", "in-ar-2", "%course-FullName%، %intake-Name%: %offer-Type% %date-Today%")
		if text := page.Text(".notice"); !strings.Contains(text, "was saved") {
			t.Fatal(page.Errors())
		}
		kind := i.Number("SELECT id FROM offer_type WHERE title = 'Place'")
		page = staff.Open("/admin/offers/901").Submit("Preview", "type", fmt.Sprint(kind))
		if got := page.Text("article.letter"); !strings.Contains(got, "اقتصاد، خريف 2031: مقعد") {
			t.Error(got)
		}
		page = staff.Open("/admin/offers/901").Submit("Save", "type", fmt.Sprint(kind))
		if got := page.Find("[name=subject]").AttrOr("value", ""); got != "مقعدك" {
			t.Fatal(got, page.Errors(), page.Text("main"))
		}
		staff.Open("/admin/offers/901").Submit("Confirm and send letter").Submit("Confirm and send letter")
		want(t, own.Open("/my/offers/901"), "/my/offers/901", "اقتصاد، خريف 2031: مقعد 1 مايو 2031")
		if title := own.Open("/my/offers/901").Text("h1"); title != "مقعد: اقتصاد" {
			t.Error(title)
		}
		own.Open("/choose/language/en?next=%2Fmy")
		if title := own.Open("/my/offers/901").Text("h1"); title != "A place: Online Économie" {
			t.Error(title)
		}
	})
}

// TestMoneyInLanguages has staff write a fee, a series of invoices, a term and a status in a further language: who
// reads that finds it in the catalogue, on the invoice, its PDF and in mails. The invoice keeps what it said when it
// was issued, and the words of staff have no version (lifecycle.md R11).
func TestMoneyInLanguages(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "fees@example.org")
		fill(t, own, id)
		i.Put(fmt.Sprintf("UPDATE applicant SET language = 'ar' WHERE id = (SELECT applicant_id FROM application WHERE id = %d)", id))
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		save := func(path string, fields ...string) {
			t.Helper()
			if page := staff.Open(path).Submit("Save", fields...); !strings.Contains(page.Text(".notice"), "saved") {
				t.Fatal(path, page.Errors(), page.Text("main"))
			}
		}
		save("/admin/fees/71", "in-ar", "رسوم التقديم", "automatic", "course", "cause", "submitted", "scope", "all")
		save("/admin/series/1", "instructions", "Pay in euros.", "in-ar", "AR-PAY", "smallprint", "Never given back.",
			"in-ar-1", "AR-REFUND")
		save("/admin/terms/71", "in-ar", "فصل الخريف 2031")
		save("/admin/lists/statuses", "in-ar-4", "AR-HANDED-IN")
		save("/admin/templates/application-submitted?language=ar", "subject", "%application-Status% %term-Name%")
		reader := i.Visitor()
		reader.Lang = "ar"
		want(t, reader.Open("/courses/71"), "/courses/71", "رسوم التقديم")
		mine := fmt.Sprintf("/my/applications/%d", id)
		own.Open(mine+"/check").Submit("تقديم الطلب", "declared-0", "yes")
		subject := ""
		for _, m := range i.Mails() {
			subject += m.Subject + "\n"
		}
		if !strings.Contains(subject, "AR-HANDED-IN فصل الخريف 2031") {
			t.Error(subject)
		}
		own.Open("/choose/language/ar?next=%2Fmy")
		want(t, own.Open(mine), mine, "فصل الخريف 2031")
		invoice := fmt.Sprintf("/my/invoices/%d", i.Number("SELECT max(id) FROM invoice"))
		for _, words := range []string{"رسوم التقديم, Online Économie", "AR-PAY"} {
			want(t, own.Open(invoice), invoice, words)
		}
		if text := pdftest.Text(t, []byte(own.Open(invoice+"/pdf").Body)); !strings.Contains(text, "AR-PAY") ||
			!strings.Contains(text, "AR-REFUND") {
			t.Error(text)
		}
		// The invoice is what it was, and staff and programs read the first language.
		save("/admin/series/1", "in-ar", "AR-OTHER")
		want(t, own.Open(invoice), invoice, "AR-PAY")
		ofStaff := strings.Replace(invoice, "/my", "/admin", 1)
		want(t, staff.Open(ofStaff), ofStaff, "Application fee, Online Économie")
		want(t, staff.Open(ofStaff+"/edit").Submit("Save", "instructions", "Pay at the desk."), ofStaff, "was changed")
		want(t, own.Open(invoice), invoice, "Pay at the desk.")
		want(t, own.Open(invoice), invoice, "رسوم التقديم")
		own.Open("/choose/language/en?next=%2Fmy")
		want(t, own.Open(invoice), invoice, "Application fee, Online Économie")
	})
}
