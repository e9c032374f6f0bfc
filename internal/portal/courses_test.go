package portal_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/ui"
)

// season puts a catalogue into an instance: an institution that is online and one that is not, courses of every status,
// one intake, which closes on 15 May for Portugal and on 1 April for everybody else, and what applying costs.
func season(i *sitetest.Instance) {
	i.Put("INSERT INTO institution (id, status, mode, name) VALUES (71, 'Online', 'Internal', 'Northfield'), (72, 'Draft', 'Internal', 'Hidden Hall')",
		"INSERT INTO academic_year (year, name, start) VALUES (2031, '2031/32', '2031-09-01')",
		"INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (71, 2031, 'Autumn 2031', 1, '2031-09-01', '2031-10-31', '2032-01-31')",
		"INSERT INTO intake (id, name, policy, academic_term_id, commence) VALUES (71, 'autumn 2031', 'Strict (course)', 71, '2031-09-08')",
		"INSERT INTO intake_deadline (intake_id, territory, deadline) VALUES (71, '001', '2031-04-01'), (71, 'PT', '2031-05-15')")
	for id, status := range map[int]string{71: "Online", 72: "Private", 73: "Standby", 74: "Draft", 75: "Closed",
		76: "Archived", 77: "Template"} {
		i.Put(fmt.Sprintf("INSERT INTO course (id, status, updated, institution_id, name, code, type, language) VALUES (%d, '%s', 1, 71, '%s Économie', 'EC%d', 'UG', 'en')",
			id, status, status, id), fmt.Sprintf("INSERT INTO course_intake (course_id, intake_id) VALUES (%d, 71)", id))
	}
	i.Put("INSERT INTO course (id, status, updated, institution_id, name) VALUES (78, 'Online', 1, 72, 'Nowhere')",
		"INSERT INTO fee (id, name, type) VALUES (71, 'Application fee', 'Appfee')",
		"INSERT INTO fee_amount (fee_id, territory, currency, amount, basis) VALUES (71, '001', 'EUR', 9000, 'One-time'), (71, 'PT', 'EUR', 1500, 'One-time')")
}

// at moves the clock of an instance to a time.
func at(i *sitetest.Instance, t time.Time) { i.Clock.Add(admitto.TimeOf(t) - i.Clock.Now()) }

// TestCatalogue lists what everybody finds, and nothing else, by filters that the address has (screens.md P01, P02).
func TestCatalogue(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		season(i)
		at(i, time.Date(2031, 3, 30, 12, 0, 0, 0, time.UTC))
		v := i.Visitor()
		page := v.Open("/courses")
		if got := page.Text("main"); !strings.Contains(got, "Online Économie") || strings.Contains(got, "Private") ||
			strings.Contains(got, "Nowhere") || !strings.Contains(got, "1 course") {
			t.Fatal(got)
		}
		for address, status := range map[string]int{"/courses/71": 200, "/courses/72": 200, "/courses/73": 404,
			"/courses/74": 404, "/courses/75": 410, "/courses/76": 404, "/courses/77": 404, "/courses/78": 404,
			"/courses/79": 404, "/courses/x": 404, "/courses?q=economie+northfield": 200} {
			if page := v.Open(address); page.Status != status {
				t.Errorf("%s: %d instead of %d", address, page.Status, status)
			}
		}
		for query, count := range map[string]string{"q=economie": "1 course", "q=ec71": "1 course", "q=law": "0 courses",
			"type=UG": "1 course", "type=PG": "0 courses", "language=en&mode=FT": "0 courses", "term=71&open=yes": "1 course",
			"institution=72": "0 courses", "institution=x": "0 courses", "term=-1": "0 courses", "page=99": "1 course"} {
			if got := v.Open("/courses?" + query).Text("main"); !strings.Contains(got, count) {
				t.Errorf("%s: %s", query, got)
			}
		}
		// Who offers nothing is no choice, unless the address has it; starts are in the language of the reader.
		i.Put("INSERT INTO institution (id, status, mode, name) VALUES (73, 'Online', 'Internal', 'Empty Hall'), "+
			"(74, 'Online', 'Internal', 'Southfield')", "INSERT INTO course (id, status, updated, institution_id, name) "+
			"VALUES (174, 'Online', 1, 74, 'Law')")
		for query, choices := range map[string]string{"": "Any|Northfield|Southfield",
			"?institution=73": "Any|Empty Hall|Northfield|Southfield"} {
			var offered []string
			for _, option := range v.Open("/courses" + query).Find("[name=institution] option").EachIter() {
				offered = append(offered, strings.TrimSpace(option.Text()))
			}
			if got := strings.Join(offered, "|"); got != choices {
				t.Errorf("%q: one can choose %s", query, got)
			}
		}
		i.Put("DELETE FROM course WHERE id = 174", "INSERT INTO academic_term (id, year, name, type, start, grace, finish, versions) "+
			`VALUES (74, 2031, 'Spring 2032', 1, '2032-02-01', '2032-03-31', '2032-07-31', '{"ar": {"name": "ربيع 2032"}}')`,
			"INSERT INTO intake (id, name, policy, academic_term_id) VALUES (74, 'spring', 'Rolling', 74)")
		reader := i.Visitor()
		reader.Lang = "ar"
		if starts := reader.Open("/courses").Text("[name=term]"); !strings.Contains(starts, "ربيع 2032") {
			t.Error("one can choose the starts ", starts)
		}
		// The day and the fee follow the citizenship, which a cookie keeps.
		other := i.Visitor()
		want(t, other.Open("/courses/71"), "/courses/71", "1 April 2031")
		page = other.Open("/courses?citizenship=PT")
		if got := page.Text("main"); !strings.Contains(got, "15 May 2031") || !strings.Contains(got, "15.00") {
			t.Fatal(got)
		}
		want(t, other.Open("/courses/71"), "/courses/71", "15 May 2031")
		want(t, other.Open("/courses?citizenship=XX"), "/courses", "another day for some citizenships")
		// Without a citizenship fees say that they depend on it, also those that only some pay.
		want(t, i.Visitor().Open("/courses"), "/courses", "90.00 EUR; another amount for some citizenships")
		i.Put("INSERT INTO fee (id, name, type) VALUES (72, 'Tuition', 'Tuition'), (73, 'Deposit', 'Deposit')",
			"INSERT INTO fee_amount (fee_id, territory, currency, amount, basis) VALUES (72, 'PT', 'EUR', 7000, 'Year'), (73, '001', 'EUR', 100, 'Year')")
		want(t, i.Visitor().Open("/courses/71"), "/courses/71", "TuitionOnly for some citizenships.")
		want(t, i.Visitor().Open("/courses/71"), "/courses/71", "Deposit1.00 EUR a year (for everybody)")
		want(t, other.Open("/courses/71"), "/courses/71", "Tuition70.00 EUR a year (for citizens of Portugal)")
		i.Put("UPDATE fee_amount SET amount = 0 WHERE fee_id = 72")
		want(t, other.Open("/courses/71"), "/courses/71", "TuitionNone (for citizens of Portugal)")
		// Who comes to the page of a course directly chooses there.
		direct := i.Visitor()
		form := direct.Open("/courses/71").Find("main form[method=get][action='/courses/71']")
		if form.Find("select[name=citizenship]").Length() != 1 || form.Find("button").Length() != 1 {
			t.Error(form.Length())
		}
		want(t, direct.Open("/courses/71?citizenship=PT"), "/courses/71", "15 May 2031")
		want(t, direct.Open("/courses/71"), "/courses/71", "15 May 2031")
		// What search engines read.
		page = v.Open("/courses/71")
		var data map[string]any
		if err := json.Unmarshal([]byte(page.Find("script[type='application/ld+json']").Text()), &data); err != nil ||
			data["@type"] != "Course" || data["name"] != "Online Économie" || data["description"] != "Northfield" {
			t.Errorf("%v %v", data, err)
		}
		if address := page.Find("link[rel=canonical]").AttrOr("href", ""); !strings.HasSuffix(address, "/courses/71") {
			t.Error(address)
		}
		if v.Open("/courses/72").Find("meta[name=robots]").AttrOr("content", "") != "noindex" {
			t.Error("a private course is indexed")
		}
		sitemap := v.Do(http.MethodGet, "/sitemap.xml", nil)
		if body := sitemap.Body; !strings.Contains(body, "/courses/71</loc>") || strings.Contains(body, "/courses/72") {
			t.Error(body)
		}
		if body := v.Do(http.MethodGet, "/robots.txt", nil).Body; !strings.Contains(body, "Disallow: /my\n") {
			t.Error(body)
		}
	})
}

// TestDeadlineOfCourse says open at the last second of the last day, and closed at the next.
func TestDeadlineOfCourse(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		season(i)
		v := i.Visitor()
		at(i, time.Date(2031, 4, 1, 23, 59, 59, 0, time.UTC))
		want(t, v.Open("/courses/71"), "/courses/71", "This is the last day.")
		at(i, time.Date(2031, 4, 2, 0, 0, 0, 0, time.UTC))
		want(t, v.Open("/courses/71"), "/courses/71", "Applying ended on 1 April 2031.")
		want(t, v.Open("/courses?citizenship=PT"), "/courses", "Open")
	})
}

// TestApplyFromCatalogue goes from a course without an account to an application that has it: the wish travels with the
// link in the mail, to another browser, also after the address was mistyped, at the registration or when one asks for a
// link. A second press adds nothing.
func TestApplyFromCatalogue(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		season(i)
		at(i, time.Date(2031, 3, 1, 12, 0, 0, 0, time.UTC))
		page := i.Visitor().Open("/courses/71")
		way := page.Find("main a.btn.primary").AttrOr("href", "")
		page = i.Visitor().Open(way)
		want(t, page, "/sign-in", "")
		register := page.Find("main a[href^='/register']").AttrOr("href", "")
		here := i.Visitor()
		page = here.Open(register).Submit("Register", "given", "Ilse", "family", "Varga", "email", "isle@example.org",
			"citizenship", "PT")
		want(t, page, "/sign-in/mailbox", "isle@example.org")
		linkOf(t, i)
		// The address was mistyped.
		page = here.Open(page.Find("a:contains('Change the address')").AttrOr("href", ""))
		want(t, page.Submit("Register", "email", "ilse@example.org"), "/sign-in/mailbox", "ilse@example.org")
		elsewhere := i.Visitor()
		page = elsewhere.Open(linkOf(t, i)).Submit("Sign in as i...e@example.org")
		if strings.HasPrefix(page.Path, "/my/password") {
			page = elsewhere.Open(page.Find("main a.btn[href^='/my/apply']").AttrOr("href", ""))
		}
		want(t, page, "/my/apply/71/71", "Nothing is submitted yet.")
		page = page.Submit("Add to my application")
		want(t, page, "/my/applications/1", "with Online Économie")
		// Who has an account mistypes its address in another browser.
		i.Clock.Add(admitto.Hour)
		third := i.Visitor()
		page = third.Open("/my/apply/71/71").Submit("Send me a sign-in link", "email", "isle@example.org")
		page = third.Open(page.Find("a:contains('Change the address')").AttrOr("href", ""))
		i.Mails()
		page.Submit("Send me a sign-in link", "email", "ilse@example.org")
		landing := i.Visitor()
		page = landing.Open(linkOf(t, i)).Submit("Sign in as i...e@example.org")
		if strings.HasPrefix(page.Path, "/my/password") {
			page = landing.Open(page.Find("main a.btn[href^='/my/apply']").AttrOr("href", ""))
		}
		want(t, page, "/my/applications/1", "This course is on your application")
		want(t, elsewhere.Open("/my/apply/71/71"), "/my/applications/1", "This course is on your application")
		elsewhere.Post("/my/apply/71/71", url.Values{})
		if n := i.Number("SELECT count(*) FROM application_course"); n != 1 {
			t.Errorf("%d courses", n)
		}
		want(t, elsewhere.Open("/courses/71"), "/courses/71", "This course is on your application")
		// In another term it is a new application.
		i.Put("INSERT INTO academic_term (id, year, type, name, start, grace, finish) VALUES (72, 2031, 1, 'Spring 2032', '2032-02-01', '2032-01-15', '2032-06-30')",
			"INSERT INTO intake (id, name, policy, academic_term_id) VALUES (72, 'spring 2032', 'Strict (course)', 72)",
			"INSERT INTO course_intake (course_id, intake_id) VALUES (71, 72)")
		page = elsewhere.Open("/courses/71")
		if page.Find("main a[href='/my/apply/71/71']").Length() != 0 ||
			page.Find("main a[href='/my/apply/71/72']").Length() != 1 {
			t.Error(page.Text("main"))
		}
		elsewhere.Open("/my/wish/71").Submit("Save", "intake", "72")
		page = elsewhere.Open(elsewhere.Open("/my/wishes").Find("main a[href^='/my/apply/']").AttrOr("href", ""))
		want(t, page.Submit("Add to my application"), "/my/applications/2", "with Online Économie")
		i.Put("UPDATE intake_deadline SET deadline = '2031-02-01'")
		page = elsewhere.Open("/my/apply/72/71")
		if page.Find("main form button").Length() != 0 || page.Find("main a[href='/courses/72']").Length() == 0 {
			t.Errorf("%d %v %s", page.Status, page.Errors(), page.Text("main"))
		}
	})
}

// TestWishlist keeps courses for later, with a note, and lets a course that is closed stay (screens.md P22).
func TestWishlist(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		season(i)
		at(i, time.Date(2031, 3, 1, 12, 0, 0, 0, time.UTC))
		_, own := signedIn(t, i, "ilse@example.org")
		want(t, own.Open("/my/wishes"), "/my/wishes", "Nothing on your wishlist")
		page := own.Open("/my/wish/71").Submit("Save", "intake", "71", "notes", strings.Repeat("x", 501))
		if page.Status != http.StatusUnprocessableEntity || len(page.Errors()) != 1 {
			t.Fatal(page.Status, page.Errors())
		}
		page = page.Submit("Save", "notes", "Ask about\nhousing")
		want(t, page, "/my/wishes", "Online Économie is on your wishlist.")
		id := i.Number("SELECT id FROM wish")
		page = own.Open(fmt.Sprintf("/my/wishes/%d/note", id)).Submit("Save", "notes", "Housing?")
		want(t, page, "/my/wishes", "Housing?")
		page = own.Open("/my/wish/71").Submit("Save", "intake", "71", "notes", "Loans?")
		want(t, page, "/my/wishes", "was on your wishlist already")
		if text := page.Text("main"); !strings.Contains(text, "Housing?") || !strings.Contains(text, "Loans?") {
			t.Error("the note of the same wish is gone: ", text)
		}
		want(t, own.Open("/my/wish/71").Submit("Save", "intake", "71"), "/my/wishes", "Loans?")
		page = own.Open("/my/wish/71").Submit("Save", "intake", "71", "notes", strings.Repeat("x", 490))
		if errors := page.Errors(); len(errors) != 1 || !strings.Contains(errors[0], "has 15 characters already") {
			t.Error(errors)
		}
		_, other := signedIn(t, i, "other@example.org")
		if p := other.Open(fmt.Sprintf("/my/wishes/%d/note", id)); p.Status != http.StatusNotFound {
			t.Error(p.Status)
		}
		i.Put("UPDATE course SET status = 'Closed' WHERE id = 71")
		page = own.Open("/my/wishes")
		if got := page.Text("main"); !strings.Contains(got, "Closed") ||
			page.Find("a[href='/my/apply/71/71']").Length() != 0 {
			t.Fatal(got)
		}
		i.Put("UPDATE course SET status = 'Online' WHERE id = 71")
		page = own.Open("/my/wishes").Submit("Remove Online Économie")
		want(t, page, "/my/wishes", "The course is off your wishlist.")
		page = page.Submit("Put it back")
		want(t, page, "/my/wishes", "Housing?")
	})
}

// TestWordsInArabic opens the pages of visitors and of applicants in Arabic. None of the words of lists that Admitto
// begins with stands there in English, and no name of a language; digits are 0 to 9 (screens.md 1.3).
func TestWordsInArabic(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	english := map[string]bool{}
	for title := range strings.SplitSeq(i.Lines("SELECT title || ';' FROM classificator "+
		"WHERE class NOT IN ('Language test', 'Invoice type')"), ";") {
		english[strings.TrimSpace(title)] = true
	}
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	for first := 'a'; first <= 'z'; first++ {
		for second := 'a'; second <= 'z'; second++ {
			english[catalogue.Locale("en").Language(string([]rune{first, second}))] = true
		}
	}
	delete(english, "")
	pages, arabic := 0, 0
	look := func(p *sitetest.Page) {
		pages++
		if text := p.Find("html[dir]").Text(); strings.ContainsAny(text, "٠١٢٣٤٥٦٧٨٩") {
			t.Errorf("%s has other digits than 0 to 9: %s", p.Path, text)
		}
		p.Find("main dd, main option, main span, main li, main td, main p").Each(func(_ int, s *goquery.Selection) {
			if s.Closest("[lang]").AttrOr("lang", "") != "ar" || s.Children().Length() > 0 {
				return
			}
			words := strings.TrimSpace(s.Text())
			if english[words] {
				t.Errorf("%s says %q", p.Path, words)
			} else if strings.Contains(words, "المرحلة الجامعية الأولى") || words == "الإنجليزية" {
				arabic++
			}
		})
	}
	v := i.Visitor()
	v.Lang = "ar"
	v.Crawl("/courses", 6, look)
	for _, nth := range []int{20, 45} {
		id := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE visible ORDER BY id LIMIT 1 OFFSET %d", nth))
		i.Put(fmt.Sprintf("UPDATE applicant SET language = 'ar', citizenship = 'PT' WHERE id = %d", id))
		own := i.Applicant(id)
		own.Lang = "ar"
		own.Crawl("/my", 2, look)
	}
	if pages < 60 || arabic < 5 {
		t.Error(pages, arabic)
	}
}

// TestBeforeApplying says what applying for a course asks for, and takes along what a visitor has said: the
// citizenship stands in the registration, a newcomer is led to it first, and the last press names day and fee
// (screens.md P02, P03).
func TestBeforeApplying(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		season(i)
		at(i, time.Date(2031, 3, 1, 12, 0, 0, 0, time.UTC))
		i.Put("UPDATE task_template SET active = FALSE")
		for id, cause := range map[int]string{901: "created", 902: "submitted", 903: "confirmed", 904: "created"} {
			i.Put(fmt.Sprintf("INSERT INTO task_template (id, class, title, causing, active, allows_documents, all_courses, versions) "+
				"VALUES (%[1]d, 'paper-%[1]d', 'Paper %[1]d', '%[2]s', TRUE, TRUE, %[3]t, '{\"ar\": {\"title\": \"Waraqa %[1]d\"}}')",
				id, cause, id != 904))
		}
		i.Put("INSERT INTO task_template_course (template_id, course_id) VALUES (904, 72)",
			"INSERT INTO intake_deadline (intake_id, territory, barred) VALUES (71, 'VN', TRUE)",
			`UPDATE course SET summary = 'Numbers of the world.', form = '{"sections": {"visa": "required"}}' WHERE id = 71`)
		v := i.Visitor()
		list := v.Open("/courses?citizenship=PT")
		if keep := list.Find(".course a[href='/my/wish/71']"); keep.Length() != 1 || !strings.Contains(keep.Text(),
			"Keep for later Online Économie") {
			t.Errorf("a course of the list cannot be kept for later: %q", keep.Text())
		}
		page := v.Open("/courses/71")
		text := page.Text("main")
		for _, words := range []string{"To fill inPersonal data, Contact, Education, Motivation", "If you likeLanguages",
			"Documents, before you submitPaper 901", "Documents, after you have submittedPaper 902"} {
			if !strings.Contains(text, words) {
				t.Errorf("no %q in %s", words, text)
			}
		}
		if strings.Contains(text, "Paper 903") || strings.Contains(text, "Paper 904") {
			t.Error("asked of others: ", text)
		}
		if !strings.Contains(page.Body, `"description":"Numbers of the world."`) {
			t.Error("search engines do not read the summary")
		}
		v.Lang = "ar"
		if text := v.Open("/courses/71").Text("main"); !strings.Contains(text, "Waraqa 901") ||
			strings.Contains(text, "Paper") {
			t.Error(text)
		}
		v.Lang = ""

		page = v.Open("/my/apply/71/71")
		if page.Find("main .notice a[href^='/register']").Length() != 1 || page.Find("main form").First().PrevAll().Filter(
			".notice").Length() != 1 {
			t.Error("a newcomer is not led to the registration first: ", page.Text("main"))
		}
		page = v.Open(page.Find("main a[href^='/register']").AttrOr("href", ""))
		if got := page.Find("[name=citizenship] option[selected]").AttrOr("value", ""); got != "PT" {
			t.Errorf("the citizenship is asked again: %q", got)
		}
		id, own := signedIn(t, i, "ilse@example.org")
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", id))
		page = own.Open("/my/apply/71/71")
		want(t, page, "/my/apply/71/71", "15 May 2031, 23:59 (UTC)")
		want(t, page, "/my/apply/71/71", "15.00 EUR")

		i.Put("UPDATE fee_amount SET amount = 0 WHERE territory = 'PT'")
		want(t, own.Open("/my/apply/71/71"), "/my/apply/71/71", "Application feeNone")

		// Who may not apply is not told what holds after a deadline.
		v.Open("/courses?citizenship=VN")
		page = v.Open("/courses/71")
		want(t, page, "/courses/71", "Citizens of your country cannot apply")
		if strings.Contains(page.Text("main"), "After the deadline") {
			t.Error(page.Text("main"))
		}
	})
}

// TestApplyBarred shows no button where the press would be refused, and says why and what to do next, in words for
// applicants: a deadline that is over, an application that was submitted or withdrawn, a consent that was rejected.
func TestApplyBarred(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		season(i)
		at(i, time.Date(2031, 3, 1, 12, 0, 0, 0, time.UTC))
		id, own := signedIn(t, i, "barred@example.org")
		const path = "/my/apply/72/71"
		before := own.Open(path)
		want(t, before, path, "Nothing is submitted yet.")
		barred := func(words, href string) {
			t.Helper()
			page := own.Open(path)
			want(t, page, path, words)
			if page.Find("main form button").Length() != 0 || page.Find("main a[href^='"+href+"']").Length() == 0 {
				t.Error("a press that fails, or no way out:", page.Text("main"))
			}
			if page = before.Submit("Add to my application"); page.Status != http.StatusConflict ||
				!strings.Contains(page.Text("main"), words) {
				t.Error(page.Status, page.Text("main"))
			}
		}
		i.Put("INSERT INTO consent (id, type, text) VALUES (931, 'Mandatory', 'We keep your data.')",
			fmt.Sprintf("INSERT INTO consent_decision (applicant_id, consent_id, version, decision, decided) VALUES (%d, 931, 1, 'Reject', 1)", id))
		barred("You have not accepted all of it.", "/my/welcome?next=/my/apply/72/71")
		i.Put("UPDATE consent SET type = 'Voluntary'")
		want(t, own.Open("/my/apply/71/71").Submit("Add to my application"), "/my/applications/1", "")
		i.Put("UPDATE application SET status = 'Submitted', submitted = 1")
		barred("You have submitted application 1 for this term.", "/my/applications/1")
		i.Put("UPDATE application SET status = 'Withdrawn', status_before = 'Submitted', withdrawn = 1")
		barred("You have withdrawn application 1 for this term.", "/my/applications/1")
		i.Put("DELETE FROM application_course", "UPDATE intake_deadline SET deadline = '2031-02-01'")
		barred("Applying ended on 1 February 2031.", "/courses/72")
	})
}

// TestNoRoom says before the press that an application has as many courses as it can have, once for all courses that a
// citizenship bars them, and for whom a fee is (screens.md P02, P08, P13).
func TestNoRoom(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "full@example.org")
		address := fmt.Sprintf("/my/applications/%d", id)
		i.Put("UPDATE fee SET automatic = 'application'")
		want(t, own.Open(address+"/courses"), address+"/courses", "15.00 EUR, once for the whole application")
		want(t, i.Visitor().Open("/courses/71?citizenship=FR"), "/courses/71", "without an amount of their own")
		want(t, own.Open("/my/apply/72/71").Submit("Add to my application"), address, "")
		i.Staff(i.Superuser("Boss")).Open("/admin/settings/applications").Submit("Save", "applications.max_courses", "2")
		const full = "has 2 courses, and there can be no more."
		i.Put("UPDATE course SET status = 'Online' WHERE id = 73")
		for _, path := range []string{"/courses/73", "/my/apply/73/71"} {
			page := own.Open(path)
			want(t, page, path, full)
			if page.Find("main a[href='"+address+"/courses']").Length() != 1 ||
				strings.Contains(page.Text("main"), "Apply for") && path == "/courses/73" {
				t.Error(path, page.Text("main"))
			}
		}
		page := own.Open(address + "/courses")
		want(t, page, address+"/courses", "An application can have 2 courses.")
		if strings.Contains(page.Text("main"), "Add another course") {
			t.Error(page.Text("main"))
		}
		i.Put("UPDATE intake_deadline SET barred = TRUE")
		for _, path := range []string{address, address + "/check"} {
			page := own.Open(path)
			if n := strings.Count(page.Text("main"), "With the citizenship of Portugal you cannot apply for: "); n != 1 ||
				strings.Contains(page.Text("main"), "autumn 2031 is not") {
				t.Errorf("%s says it %d times: %s", path, n, page.Text("main"))
			}
		}
	})
}

// TestClosedCourse marks a course that was closed while it stands on an application, with the way out, until it is
// submitted (screens.md P13).
func TestClosedCourse(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own := atWork(t, i, "closed@example.org")
		pages := []string{"/courses", "", "/check"}
		said := func() (n int) {
			for _, page := range pages {
				page := own.Open(fmt.Sprintf("/my/applications/%d%s", id, page))
				if strings.Contains(page.Text("main"), "not open any more") {
					n++
				}
			}
			return n
		}
		for _, status := range []struct {
			name  string
			pages int
		}{{"Online", 0}, {"Private", 0}, {"Closed", len(pages)}, {"Archived", len(pages)}} {
			i.Put(fmt.Sprintf("UPDATE course SET status = '%s'", status.name))
			if n := said(); n != status.pages {
				t.Errorf("%s: said on %d pages instead of %d", status.name, n, status.pages)
			}
		}
		overview := own.Open(fmt.Sprintf("/my/applications/%d", id))
		if way := overview.Find(".notice a[href^='/help?about=deadline']"); way.Length() != 1 {
			t.Error("no way out: ", overview.Text("main"))
		}
		i.Put("UPDATE application SET status = 'Submitted', submitted = 1", "UPDATE application_course SET submitted = 1")
		if n := said(); n != 0 {
			t.Errorf("said on %d pages after the submission", n)
		}
	})
}

// TestNextStart says in an empty list of what is open when the first of its courses opens, and not of others.
func TestNextStart(t *testing.T) {
	i := sitetest.Filled(t)
	season(i)
	at(i, time.Date(2031, 3, 30, 12, 0, 0, 0, time.UTC))
	i.Put("INSERT INTO intake (id, name, policy, academic_term_id, start) VALUES "+
		"(81, 'later', 'Rolling', 71, '2031-05-02'), (82, 'of nobody', 'Rolling', 71, '2031-04-02')",
		"INSERT INTO course (id, status, updated, institution_id, name, type) VALUES (81, 'Online', 1, 71, 'Summer', 'SUM')",
		"INSERT INTO course_intake (course_id, intake_id) VALUES (81, 81)")
	v := i.Visitor()
	const opens = "The next start can be applied for from 2 May 2031."
	for query, says := range map[string]bool{"type=SUM&open=yes": true, "type=SUM&open=yes&term=71": true,
		"type=UG&open=yes&q=law": false, "type=SUM&q=law": false, "open=yes": false, "type=SUM&open=yes&term=9": false} {
		page := v.Open("/courses?" + query)
		if got := strings.Contains(page.Text("main"), opens); got != says {
			t.Errorf("%s: %s", query, page.Text("main"))
		}
	}
	want(t, v.Open("/courses?type=SUM&open=yes"), "/courses?type=SUM&open=yes", "0 courses")
}

// TestHelpNamesCourse says which course a question about a deadline is about, on the page and in the mail.
func TestHelpNamesCourse(t *testing.T) {
	i := sitetest.Filled(t)
	season(i)
	at(i, time.Date(2031, 4, 2, 0, 0, 0, 0, time.UTC))
	v := i.Visitor()
	link := v.Open("/courses/71").Find(".notice a[href^='/help']").AttrOr("href", "")
	page := v.Open(link)
	want(t, page, link, "About: Deadline of course 71 (Online Économie).")
	if mail := page.Find("a[href^='mailto:']").AttrOr("href", ""); !strings.Contains(mail, "Deadline%20of%20course%2071") {
		t.Error(mail)
	}
	for address, about := range map[string]string{"/help?about=course&id=74": "About: Course 74.",
		"/help?about=course&id=9999999": "About: Course 9999999."} { // a draft, and none
		want(t, v.Open(address), address, about)
	}
}
