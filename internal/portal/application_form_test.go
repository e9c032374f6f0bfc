package portal_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// atWork is an instance with a season in which somebody has begun an application.
func atWork(t *testing.T, i *sitetest.Instance, email string) (id int64, own *sitetest.Visitor) {
	t.Helper()
	i.Put("UPDATE task_template SET active = FALSE", "UPDATE consent SET type = 'Voluntary'")
	season(i)
	at(i, time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
	return begun(t, i, email)
}

// TestTypedWithoutSession loses the session between typing and saving: after the next sign-in of the same account the
// text is there, also where a draft was kept before (screens.md P09, U8).
func TestTypedWithoutSession(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "typing@example.org")
	applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
	address := fmt.Sprintf("/my/applications/%d/form/motivation", id)
	page := own.Open(address)
	i.Put("DELETE FROM session")
	page = page.Submit("Save and continue", "content.general", "A long text that took an evening.")
	if !strings.HasPrefix(page.Path, "/sign-in") {
		t.Fatal(page.Path, page.Text("main"))
	}
	if page = i.Applicant(applicant).Open(address); !strings.Contains(page.Text("main"), "Not saved yet") ||
		page.Find("textarea[name='content.general']").Text() != "A long text that took an evening." {
		t.Fatal(page.Text("main"))
	}
	_, other := signedIn(t, i, "else@example.org")
	if page := other.Open(address); page.Status != http.StatusNotFound {
		t.Error(page.Status, page.Text("main"))
	}
	page.Submit("Save and continue")
	if page = i.Applicant(applicant).Open(address); strings.Contains(page.Text("main"), "Not saved yet") ||
		page.Find("textarea[name='content.general']").Text() != "A long text that took an evening." {
		t.Error(page.Text("main"))
	}
	// What a script keeps while somebody types comes back as well, and nothing of the application has changed.
	page = i.Applicant(applicant).Open(address)
	draft := sitetest.TypedWith(page, "content.general", "Half a sen")
	i.Applicant(applicant).Do(http.MethodPost, "/my/draft", draft)
	if page = i.Applicant(applicant).Open(address); page.Find("textarea[name='content.general']").Text() != "Half a sen" {
		t.Error(page.Text("main"))
	}
	page = i.Applicant(applicant).Open(fmt.Sprintf("/my/applications/%d/check", id))
	if strings.Contains(page.Text("main"), "Half a sen") {
		t.Error("a draft has changed the application")
	}
}

// TestTwoTabs changes a section in two tabs: the second is shown both values and decides (screens.md U10).
func TestTwoTabs(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "tabs@example.org")
	address := fmt.Sprintf("/my/applications/%d/form/motivation", id)
	own.Open(address).Submit("Save", "content.general", "First.")
	one, two := own.Open(address), own.Open(address)
	one.Submit("Save", "content.general", "Second.")
	page := two.Submit("Save", "content.general", "Third.")
	if text := page.Text("main"); page.Status != http.StatusConflict && page.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(text, "Second.") || !strings.Contains(text, "Third.") {
		t.Fatal(page.Status, text)
	}
}

// TestManyEntries adds twenty schools, moves one up and one down, and takes one out (screens.md P09).
func TestManyEntries(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "entries@example.org")
	address := fmt.Sprintf("/my/applications/%d/form/education", id)
	for n := range 20 {
		page := own.Open(address+"/rows/new").Submit("Save this entry", "content.level", "SE", "content.institution",
			fmt.Sprintf("School %02d", n+1), "content.country", "PT", "content.enrolment-month", "9",
			"content.enrolment-year", "2023")
		want(t, page, address, fmt.Sprintf("School %02d", n+1))
	}
	order := func(page *sitetest.Page) (names []string) {
		page.Find("main dd").Each(func(_ int, s *goquery.Selection) {
			if text := strings.TrimSpace(s.Text()); strings.HasPrefix(text, "School") {
				names = append(names, strings.TrimPrefix(text, "School "))
			}
		})
		return names
	}
	page := own.Open(address)
	if got := order(page); len(got) != 20 || !slices.IsSorted(got) {
		t.Fatal(got)
	}
	form := sitetest.Typed(page.Find(fmt.Sprintf("main form[action='%s/rows/1/down']", address)))
	page = own.Post(address+"/rows/1/down", form)
	want(t, page, address, "The entry was moved down.")
	if got := order(page); got[0] != "02" || got[1] != "01" {
		t.Error(got)
	}
	form = sitetest.Typed(page.Find(fmt.Sprintf("main form[action='%s/rows/20/up']", address)))
	page = own.Post(address+"/rows/20/up", form)
	want(t, page, address, "The entry was moved up.")
	if got := order(page); got[18] != "20" || got[19] != "19" {
		t.Error(got)
	}
	for _, way := range []string{"rows/1/up", "rows/20/down"} { // there is no button for them
		form = sitetest.Typed(page.Find(fmt.Sprintf("main form[action='%s/rows/2/up']", address)))
		if got := order(own.Post(address+"/"+way, form)); got[0] != "02" || got[19] != "19" {
			t.Error(way, got)
		}
	}
	// Where it was dragged to: the place itself stands in the address.
	moveTo := func(row int, place string) *sitetest.Page {
		form := sitetest.Typed(own.Open(address).Find(fmt.Sprintf("main form[action='%s/rows/%d/up']", address, row)))
		return own.Post(fmt.Sprintf("%s/rows/%d/%s", address, row, place), form)
	}
	page = moveTo(19, "3")
	want(t, page, address, "The entry is now number 3.")
	if got := order(page); got[2] != "20" || got[3] != "03" || got[18] != "18" || got[19] != "19" {
		t.Error(got)
	}
	if page = moveTo(3, "19"); order(page)[2] != "03" || order(page)[18] != "20" {
		t.Error(order(page))
	}
	for _, place := range []string{"0", "21", "-1", "99999999999999999999"} {
		if got := order(moveTo(3, place)); got[2] != "03" || len(got) != 20 {
			t.Error(place, got)
		}
	}
	page = own.Open(address + "/rows/1/remove").Submit("Remove")
	if got := order(page); len(got) != 19 || got[0] != "01" {
		t.Error(got)
	}
}

// TestRowsTakenOver offers the entries of an earlier application and its answers to questions with the same words:
// nothing is stored before a button is pressed, and what was taken over, or changed since, is not offered again
// (screens.md P09, lifecycle.md 3.5).
func TestRowsTakenOver(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "rows@example.org")
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		ask := func(course int, name, kind, options string) int64 {
			settings := fmt.Sprintf("/admin/courses/%d/form", course)
			want(t, staff.Open(settings+"/questions/new").Submit("Add question", "name", name, "type", kind, "options", options),
				settings, name)
			return i.Number("SELECT max(id) FROM question")
		}
		where := ask(71, "Where will you live?", "choice", "Dormitory\nFlat")
		score := ask(71, "Your score", "text", "")
		fill(t, own, id)
		form := fmt.Sprintf("/my/applications/%d/form/", id)
		add := func(level, name string) {
			own.Open(form+"education/rows/new").Submit("Save this entry", "content.level", level, "content.institution", name,
				"content.country", "PT", "content.enrolment-month", "9", "content.enrolment-year", "2026")
		}
		add("BA", "Universidade")
		add("MA", "Universidade")
		own.Open(form+"extras").Submit("Save", fmt.Sprintf("content.%d", where), "Flat",
			fmt.Sprintf("content.%d", score), "12")
		want(t, own.Open(fmt.Sprintf("/my/applications/%d/withdraw", id)).Submit("Discard application"),
			fmt.Sprintf("/my/applications/%d", id), "The application was discarded.")
		own.Open("/my/apply/72/71").Submit("Add to my application")
		again := ask(72, "Where will you LIVE?", "choice", "Flat\nHostel")
		grade := ask(72, "Your score", "number", "")
		now := i.Number("SELECT max(id) FROM application")
		form = fmt.Sprintf("/my/applications/%d/form/", now)
		stored := func() string {
			return i.Words("SELECT content FROM application_content WHERE application_id = $1", now)
		}
		offers := func(page *sitetest.Page) (names []string) {
			page.Find("main form[action*='/earlier/']").Each(func(_ int, s *goquery.Selection) {
				names = append(names, strings.Join(strings.Fields(s.Find("button").Text()), " "))
			})
			return names
		}

		page := own.Open(form + "extras")
		want(t, page, form+"extras", "We filled this in from what we know already.")
		if got := page.Find(fmt.Sprintf("[name='content.%d'] option[selected]", again)).AttrOr("value", ""); got != "Flat" ||
			page.Find(fmt.Sprintf("[name='content.%d']", grade)).AttrOr("value", "") != "" {
			t.Error(got, page.Text("main"))
		}
		page = own.Open(form + "education")
		want(t, page, form+"education", "From your earlier application: please check")
		if got := offers(page); !slices.Equal(got, []string{"Take over all 3 entries", "Take over Escola",
			"Take over Universidade", "Take over Universidade"}) {
			t.Errorf("%q", got)
		}
		if strings.Contains(stored(), "Escola") || strings.Contains(stored(), "Flat") {
			t.Error("what was only offered is stored:", stored())
		}
		press := func(page *sitetest.Page, n int) *sitetest.Page {
			action := page.Find("main form[action*='/earlier/']").Eq(n).AttrOr("action", "")
			return own.Post(action, sitetest.Typed(page.Find("main form[action='"+action+"']")))
		}
		old := page
		page = press(page, 3) // the master's degree
		want(t, page, form+"education", "1 entry was taken over. Please check it.")
		if got := offers(page); !slices.Equal(got, []string{"Take over all 2 entries", "Take over Escola",
			"Take over Universidade"}) || page.Find("main details").Length() != 1 {
			t.Errorf("%q %s", got, page.Text("main"))
		}
		if text := stored(); !strings.Contains(text, `"MA"`) || strings.Contains(text, `"BA"`) {
			t.Error(text)
		}
		// Pressed once more, on a page that was open before, it adds nothing.
		if page = press(old, 3); strings.Count(stored(), `"MA"`) != 1 {
			t.Error(page.Text("main"), stored())
		}
		own.Open(form+"education/rows/1").Submit("Save this entry", "content.city", "Porto", "content.level", "PhD")
		if got := offers(own.Open(form + "education")); len(got) != 3 {
			t.Errorf("changed since, and offered again: %q", got)
		}
		page = press(own.Open(form+"education"), 0)
		want(t, page, form+"education", "2 entries were taken over. Please check them.")
		if got := offers(page); len(got) != 0 {
			t.Errorf("%q", got)
		}
		page = press(own.Open(form+"languages"), 0)
		want(t, page, form+"languages", "English")
		// Somebody else's application offers nothing, and takes nothing.
		_, other := signedIn(t, i, "else@example.org")
		typed := sitetest.TypedWith(other.Open("/my/account/person"))
		if page := other.Post(form+"education/earlier/all", typed); page.Status != http.StatusNotFound {
			t.Error(page.Status)
		}
		for _, path := range []string{"education/earlier/x", "motivation/earlier/all"} {
			before := stored()
			typed := sitetest.TypedWith(own.Open("/my/account/person"))
			if page := own.Post(form+path, typed); stored() != before || page.Status == http.StatusBadRequest {
				t.Error(path, page.Status, stored())
			}
		}
	})
}

// TestAlsoInTheAccount asks whether a changed name or number is to be changed in the account, too, once for each value,
// and after a change in the account whether the applications that are not submitted follow (lifecycle.md 3.5).
func TestAlsoInTheAccount(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "also@example.org")
		applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
		i.Put(fmt.Sprintf("UPDATE applicant SET given = 'Ilse', middle = '', family = 'Varga', phone = '+351 910' WHERE id = %d",
			applicant))
		address := fmt.Sprintf("/my/applications/%d", id)
		form := address + "/form/"
		const asks, asksPhone = "Change your name in your account, too?", "Change the telephone number in your account, too?"
		asked := func(page *sitetest.Page, words string) {
			t.Helper()
			if !strings.Contains(page.Text("main"), words) {
				t.Fatalf("%d %s does not ask: %s", page.Status, page.Path, page.Text("main"))
			}
		}
		quiet := func(page *sitetest.Page) {
			t.Helper()
			if strings.Contains(page.Text("main"), "too?") {
				t.Fatalf("%s asks: %s", page.Path, page.Text("main"))
			}
		}
		account := func() string {
			return i.Words("SELECT given || ' ' || middle || ' ' || family || ' ' || phone FROM applicant WHERE id = $1", applicant)
		}
		quiet(own.Open(form+"profile").Submit("Save", "content.birth.place", "Porto")) // what the account says
		quiet(own.Open(form+"contact").Submit("Save", "content.telephone.mobile", "+351-910"))
		page := own.Open(form+"profile").Submit("Save and continue", "content.name.middle", "Ana")
		asked(page, asks)
		for _, path := range []string{form + "education", form + "profile", address, address + "/check"} {
			asked(own.Open(path), asks)
		}
		page = own.Open(form + "education").Submit("No, leave it")
		want(t, page, form+"education", "")
		quiet(page)
		quiet(own.Open(form+"profile").Submit("Save", "content.birth.place", "Lisboa")) // once for each value
		asked(own.Open(form+"profile").Submit("Save", "content.name.middle", "Ana Luísa"), asks)
		page = own.Open(form+"contact").Submit("Save", "content.telephone.mobile", "+351 920")
		asked(page, asksPhone)
		if got := account(); got != "Ilse  Varga +351 910" {
			t.Error(got)
		}
		// Both wait, each with a button.
		for _, what := range []string{"name", "phone"} {
			action := page.Find("main form[action*='/also/account/"+what+"']").AttrOr("action", "")
			typed := sitetest.Typed(page.Find("main form[action='" + action + "']"))
			typed.Set("answer", "yes")
			want(t, own.Post(action, typed), form+"contact", "")
		}
		if got := account(); got != "Ilse Ana Luísa Varga +351 920" {
			t.Error(got)
		}
		quiet(own.Open(form + "contact"))

		// The other way round: what was not submitted follows when that is wanted.
		content := func() string { return i.Words("SELECT content FROM application_content WHERE application_id = $1", id) }
		page = own.Open("/my/account/person").Submit("Save", "family", "Varga-Pinto", "phone", "+351 930")
		asked(page, "change your name there, too?")
		asked(page, "change the telephone number there, too?")
		asked(own.Open(address), "change your name there, too?")
		post := func(what, answer string) *sitetest.Page {
			typed := sitetest.Typed(page.Find("main form[action*='/also/application/" + what + "']"))
			typed.Set("answer", answer)
			return own.Post(page.Find("main form[action*='/also/application/"+what+"']").AttrOr("action", ""), typed)
		}
		want(t, post("name", "yes"), "/my/account", "Varga-Pinto")
		want(t, post("phone", "no"), "/my/account", "+351 930")
		if text := content(); !strings.Contains(text, "Varga-Pinto") || strings.Contains(text, "930") {
			t.Error(text)
		}
		quiet(own.Open("/my/account"))
		quiet(own.Open(address))
		// Nobody answers what was not asked, and nobody for others.
		for _, path := range []string{"account/name", "account/phone", "application/phone", "x/y", "account/x"} {
			before := account() + content()
			typed := sitetest.TypedWith(own.Open("/my/account/person"), "answer", "yes")
			if page := own.Post(address+"/also/"+path, typed); account()+content() != before || page.Status != http.StatusOK {
				t.Error(path, page.Status)
			}
		}
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = %d", id))
		page = own.Open("/my/account/person").Submit("Save", "family", "Pinto")
		want(t, page, "/my/account", "Pinto")
		quiet(page)
		// An application that is taken away while the question is open takes it along.
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Draft', submitted = NULL WHERE id = %d", id))
		asked(own.Open("/my/account/person").Submit("Save", "family", "Varga"), "change your name there, too?")
		i.Put(fmt.Sprintf("UPDATE application SET visible = FALSE WHERE id = %d", id))
		page = own.Open("/my/account")
		want(t, page, "/my/account", "Varga")
		quiet(page)
	})
}

// links are where the reasons lead that a page names against the submission.
func links(page *sitetest.Page) (list []string) {
	page.Find("main a").Each(func(_ int, s *goquery.Selection) {
		if s.Closest("section, .box").Find("h2").First().Text() == "Before you can submit" {
			list = append(list, s.AttrOr("href", ""))
		}
	})
	return list
}

// TestNameTooLongForAccount does not offer to change the account to a name that it cannot take.
func TestNameTooLongForAccount(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "longname@example.org")
	i.Put(fmt.Sprintf("UPDATE applicant SET given = 'Ilse', family = 'Varga' WHERE id = (SELECT applicant_id FROM application WHERE id = %d)", id))
	form := fmt.Sprintf("/my/applications/%d/form/profile", id)
	for name, asks := range map[string]bool{strings.Repeat("n", 71): false, strings.Repeat("n", 50): true} {
		page := own.Open(form).Submit("Save", "content.name.given", "Ilse", "content.name.family", name)
		if strings.Contains(page.Text("main"), "in your account, too?") != asks {
			t.Error(name, page.Text("main"))
		}
	}
}

// TestWhatStandsInTheWay names the section, the task and the invoice that keep an application from being submitted, the
// same ones on the overview, before the button and in the receipt of an attempt (screens.md P08, P14).
func TestWhatStandsInTheWay(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "blocked@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d", id)
		check := own.Open(address + "/check")
		applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id))
		i.Put("INSERT INTO task_template (id, class, title) VALUES (901, 'passport', 'Send your passport')",
			"INSERT INTO task_template_status (template_id, name, position, title, is_default, blocks) VALUES (901, 'Open', 1, 'To do', TRUE, TRUE)",
			fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) VALUES (901, %d, 901, 1, 'Open')", id),
			"INSERT INTO invoice_series (id, name, format, blocking) VALUES (901, 'Fees', '{n}', TRUE)",
			fmt.Sprintf("INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, payer_name) VALUES (901, 'Invoice', 'F-901', 901, %d, %d, 1, '2031-06-01', 'EUR', 1500, 'Ilse Varga')", applicant, id))
		own.Open(address + "/form/education/rows/1/remove").Submit("Remove")
		reasons := []string{address + "/form/education", "/my/tasks/901", "/my/invoices/901"}
		for _, path := range []string{"", "/check"} {
			page := own.Open(address + path)
			if got := links(page); !slices.Equal(sorted(got), sorted(reasons)) {
				t.Errorf("%s: %q", path, got)
			}
			for _, words := range []string{"Education", "Send your passport", "F-901"} {
				if !strings.Contains(page.Text("main"), words) {
					t.Errorf("%s does not name %s: %s", path, words, page.Text("main"))
				}
			}
			if strings.Contains(page.Text("main form button"), "Submit application") {
				t.Error("there is a button to submit")
			}
		}
		// A page that was opened before is refused with all the reasons, which the receipt names.
		page := check.Submit("Submit application", "declared-0", "yes")
		want(t, page, address+"/receipts/1", "could not be submitted")
		if got := links(page); !slices.Equal(sorted(got), sorted(reasons)) {
			t.Errorf("receipt: %q", got)
		}
		text := own.Open(address + "/receipts/1/text").Body
		for _, code := range []string{admitto.CodeSectionIncomplete, admitto.CodeTaskBlocks, admitto.CodeInvoiceUnpaid} {
			if !strings.Contains(text, code) {
				t.Errorf("no %s in %s", code, text)
			}
		}
		want(t, own.Open(address), address, "Attempt to submit was refused")
		// Without a day of its own, what stops the submission is due when that is.
		want(t, own.Open("/my"), "/my", "Task: Send your passport. By 15 May 2031.")

		// What was handed in and stops the submission still is with admissions.
		i.Put("INSERT INTO task_template_status (template_id, name, position, title, public, blocks) VALUES (901, 'Sent', 2, 'Sent', TRUE, TRUE)",
			"UPDATE task SET status = 'Sent' WHERE id = 901", "UPDATE invoice SET collected = 1, paid = total WHERE id = 901")
		want(t, own.Open("/my"), "/my", "Education")
		fill(t, own, id)
		i.Put("UPDATE invoice SET collected = NULL, paid = 0")
		want(t, own.Open("/my"), "/my", fmt.Sprintf("Submit application %d: something is missing still. By 15 May 2031.", id))
		i.Put("UPDATE invoice SET collected = 1, paid = total")
		want(t, own.Open(address+"/check"), address+"/check", "Send your passport: you handed it in, and we look at it")
		want(t, own.Open("/my"), "/my", fmt.Sprintf("We look at what you handed in for application %d.", id))
	})
}

func sorted(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// TestPressedTwice presses the button that submits twice: there is one submission, with one mail (screens.md P14).
func TestPressedTwice(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "twice@example.org")
	fill(t, own, id)
	address := fmt.Sprintf("/my/applications/%d", id)
	page := own.Open(address + "/check")
	other := own.Open(address + "/check")
	first := page.Submit("Submit application", "declared-0", "yes")
	for _, again := range []*sitetest.Page{page, other} {
		got := again.Submit("Submit application", "declared-0", "yes")
		if got.Path != first.Path && !strings.Contains(got.Text("main"), "submitted") {
			t.Error(got.Status, got.Path, got.Text("main"))
		}
	}
	count := func(sql string) int64 { return i.Number(fmt.Sprintf(sql, id)) }
	if n := count("SELECT count(*) FROM receipt WHERE application_id = %d AND accepted"); n != 1 {
		t.Error(n, "submissions")
	}
	if n := count("SELECT count(*) FROM offer WHERE application_id = %d"); n != 1 {
		t.Error(n, "offers")
	}
	if n := count("SELECT count(*) FROM email e JOIN application a ON a.applicant_id = e.applicant_id WHERE a.id = %d AND e.template = 'application-submitted'"); n != 1 {
		t.Error(n, "mails")
	}
	if i.Status(id) != string(admitto.Submitted) {
		t.Error(i.Status(id))
	}
}

// TestMovedKeepsFocus moves courses and entries by their buttons: the one that was pressed has the focus on the next
// page and says where the entry is now, and at an end the other one has it (screens.md P13).
func TestMovedKeepsFocus(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "moves@example.org")
		want(t, own.Open("/my/apply/72/71").Submit("Add to my application"), fmt.Sprintf("/my/applications/%d", id), "")
		courses := fmt.Sprintf("/my/applications/%d/courses", id)
		i.Put("INSERT INTO course (id, status, updated, institution_id, name) VALUES (79, 'Online', 1, 71, 'Third')",
			fmt.Sprintf("INSERT INTO application_course (application_id, course_id, intake_id, institution_id, priority, added) VALUES (%d, 79, 71, 71, 3, 1)", id))
		education := fmt.Sprintf("/my/applications/%d/form/education", id)
		for _, name := range []string{"One", "Two", "Three"} {
			own.Open(education+"/rows/new").Submit("Save this entry", "content.institution", name)
		}
		focus := func(page *sitetest.Page) (said, leads string) {
			t.Helper()
			button := page.Find("main button[autofocus]")
			if button.Length() > 1 {
				t.Fatalf("%d buttons have the focus", button.Length())
			}
			leads, _ = button.Closest("form").Attr("action")
			return strings.Join(strings.Fields(button.Text()), " "), leads
		}
		for _, list := range []string{courses, education} {
			entry := func(n int) string { // the address of what moves the entry at a place
				page := own.Open(list)
				action, _ := page.Find("main section").Eq(n - 1).Find("form").First().Attr("action")
				return action[:strings.LastIndex(action, "/")]
			}
			for _, step := range []struct {
				place int
				way   string
				says  string
			}{{3, "up", "Move up"}, {2, "up", "Move down"}, {1, "down", "Move down"}, {2, "down", "Move up"}} {
				now := step.place - 1
				if step.way == "down" {
					now = step.place + 1
				}
				page := own.Open(list)
				at := entry(step.place) + "/" + step.way
				for _, form := range page.Find("main form[action]").EachIter() {
					if action, _ := form.Attr("action"); action == at {
						page = own.Post(at, sitetest.TypedWith(page))
					}
				}
				said, leads := focus(page)
				if !strings.HasPrefix(said, step.says) || !strings.HasSuffix(said, fmt.Sprintf("Now number %d of 3.", now)) ||
					!strings.HasPrefix(leads, entry(now)) {
					t.Errorf("%s: %+v: %q leads to %s", list, step, said, leads)
				}
			}
			for _, bad := range []string{"", "4-up", "0-up", "1-x", "-", "2-up-2", "%00"} {
				if said, _ := focus(own.Open(list + "?moved=" + bad)); said != "" {
					t.Errorf("%q: %s has the focus", bad, said)
				}
			}
		}
	})
}

// TestOrderOfFields asks in the order in which people think of themselves, and lists what is missing in the same
// (screens.md P09). A day that there is not is said to be that.
func TestOrderOfFields(t *testing.T) {
	i := sitetest.Filled(t)
	id, own := atWork(t, i, "order@example.org")
	form := fmt.Sprintf("/my/applications/%d/form/", id)
	names := func(page *sitetest.Page) (list []string) {
		for _, field := range page.Find("main [name^='content.']").EachIter() {
			list = append(list, strings.TrimPrefix(field.AttrOr("name", ""), "content."))
		}
		return list
	}
	for section, order := range map[string][]string{"contact": {"address.street", "address.country",
		"address.correspondence.street", "telephone.mobile", "telephone.day", "telephone.evening", "emergency.name"},
		"profile": {"name.given", "name.family", "birth.date-day", "birth.country", "citizenship", "nationality",
			"passport.number"}, "career/rows/new": {"employer", "position", "period.from-month", "weekly"}} {
		got, last := names(own.Open(form+section)), -1
		for _, name := range order {
			if at := slices.Index(got, name); at <= last {
				t.Errorf("%s: %s is number %d, after %d: %q", section, name, at, last, got)
			} else {
				last = at
			}
		}
	}
	if label := own.Open(form + "profile").Text("label[for='f-content-nationality']"); !strings.HasPrefix(label,
		"Further nationality") {
		t.Error(label)
	}
	chosen := own.Open(form + "profile").Find("[name='content.nationality'] option[selected]")
	if chosen.AttrOr("value", "") != "" {
		t.Error("the citizenship is said to be another nationality")
	}
	for section, needs := range map[string]bool{"profile": true, "education/rows/new": true, "misc": false} {
		said := strings.Contains(own.Open(form+section).Text("main"), "All that is not marked as optional is needed.")
		if said != needs {
			t.Errorf("%s: that something is needed is said: %t", section, said)
		}
	}
	missing := own.Open(fmt.Sprintf("/my/applications/%d/check", id)).Text("main")
	missing = strings.ReplaceAll(missing, " (only to be checked and saved)", "")
	last := -1
	for _, words := range []string{"Personal dataGiven nameFamily nameDate of birthCountry of birthCitizenship",
		"ContactStreetCityCountryMobile telephone", "Educationat least one entry", "MotivationMotivation"} {
		if at := strings.Index(missing, words); at <= last {
			t.Errorf("%q at %d, after %d: %s", words, at, last, missing)
		} else {
			last = at
		}
	}
	page := own.Open(form+"profile").Submit("Save", "content.birth.date-day", "31", "content.birth.date-month", "2",
		"content.birth.date-year", "2008")
	want(t, page, form+"profile", "There is no such day.")
	page = page.Submit("Save", "content.birth.date-year", "08")
	want(t, page, form+"profile", "Write day, month and year in numbers")
}
