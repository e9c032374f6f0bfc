package admintest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

func onBoth(t *testing.T, test func(t *testing.T, i *sitetest.Instance)) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) { test(t, sitetest.On(d)) })
}

// TestSeason sets up an institution, a term, an intake and a course on an instance that has nothing of them, and looks
// at the course as a visitor.
func TestSeason(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		v := i.Staff(i.Superuser("Hana Yildiz"))
		began := len(i.Journal())
		page := v.Open("/admin/institutions/1").Submit("Save", "country", "EE", "location", "Tartu", "www",
			"https://www.example.edu")
		if text := page.Text(".notice"); !strings.Contains(text, "Northfield University was saved.") {
			t.Fatal(text, page.Errors())
		}
		page = v.Open("/admin/institutions/1/departments/new").Submit("Add department", "name", "Engineering",
			"country", "EE")
		if text := page.Text("main"); !strings.Contains(text, "Engineering") {
			t.Fatal(text)
		}
		page = v.Open("/admin/terms/new").Submit("Add term", "name", "Autumn semester 2026/27", "year", "2031", "type",
			"2",
			"start-day", "31", "start-month", "8", "start-year", "2026", "grace-day", "31", "grace-month", "10",
			"grace-year",
			"2026", "finish-day", "31", "finish-month", "1", "finish-year", "2027")
		if text := page.Text("h1"); text != "Autumn semester 2026/27" {
			t.Fatal(text, page.Errors())
		}
		page = v.Open("/admin/courses/new").Submit("Add course", "name", "Applied Physics", "type", "UG", "mode", "FT",
			"awards", "BSc: Bachelor of Science\nBEng", "summary", "Physics that one can use.", "language", "en",
			"about", "Six semesters in the laboratory.", "in-ar-4", "فيزياء نافعة.")
		if text := page.Text("h1"); text != "Applied Physics" {
			t.Fatal(text, page.Errors())
		}
		page = v.Open("/admin/courses/1/status").Submit("Save", "status", "Online")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "Tie the course to an intake first.") {
			t.Error(errors)
		}
		page = v.Open("/admin/intakes/new").Submit("Add intake", "name", "Autumn 2026", "term", "1", "policy",
			"Strict (submit)", "deadline-0-day", "15", "deadline-0-month", "4", "deadline-0-year", "2026",
			"territory-1", "EU",
			"deadline-1-day", "30", "deadline-1-month", "6", "deadline-1-year", "2026", "territory-2", "RU",
			"barred-2", "yes",
			"courses", "1")
		if text := page.Text("h1"); text != "Autumn 2026" {
			t.Fatal(text, page.Errors())
		}
		page = v.Open("/admin/courses/1/status").Submit("Save", "status", "Online")
		if text := page.Text(".notice"); !strings.Contains(text, "was changed") {
			t.Error(text, page.Errors())
		}
		for country, want := range map[string]string{"": "15 April 2026, 23:59", "DE": "30 June 2026, 23:59",
			"RU": "May not apply"} {
			page = v.Open("/admin/intakes/1?country=" + country)
			if text := page.Text("main"); !strings.Contains(text, want) {
				t.Errorf("%q: %s is not in %s", country, want, text)
			}
		}
		// What a course went online with is not taken from it while applicants see it.
		for _, bad := range [][3]string{{"/admin/courses/1", "type", "Set it to Standby first."},
			{"/admin/courses/1", "mode", "needs this"}, {"/admin/courses/1", "intakes", "needs this"},
			{"/admin/intakes/1", "courses", `"Applied Physics" is shown to applicants, and has no other intake.`}} {
			page = v.Open(bad[0]).Submit("Save", bad[1], "")
			if said := strings.Join(page.Errors(), " "); !strings.Contains(said, bad[2]) {
				t.Errorf("%s without %s: %q", bad[0], bad[1], said)
			}
		}
		page = v.Open("/admin/courses/import").SubmitFile("file", "a.csv", "id,type,intakes\n1,,\n")
		if text := page.Text("main"); !strings.Contains(text, "type: The course is shown to applicants") ||
			!strings.Contains(text, "intakes: The course is shown to applicants") {
			t.Error(text)
		}
		page = v.Open("/admin/courses/1")
		for _, address := range []string{"/admin/intakes/1", "/admin/courses/1/form", "/admin/courses/1/criteria"} {
			if page.Find(`main dd a[href="`+address+`"]`).Length() != 1 {
				t.Errorf("the course does not lead to %s: %s", address, page.Text("main"))
			}
		}
		got := strings.Join(i.Since(began), "\n")
		want := strings.Join([]string{"Institution was edited", "Department was created: 1",
			"Academic year was created: 2031", "Academic term was created: 1", "Course was created",
			"Intake was created: 1",
			"Course status was set: Online"}, "\n")
		if got != want {
			t.Errorf("the journal has\n%s", got)
		}
		visitor := i.Visitor()
		public := visitor.Open("/courses")
		if text := public.Text("main"); !strings.Contains(text, "Applied Physics") {
			t.Error(text)
		}
		public = visitor.Open("/choose/language/ar?next=%2Fcourses%2F1")
		for words, lang := range map[string]string{"فيزياء نافعة.": "", "Six semesters in the laboratory.": "en"} {
			if got := public.Find(`main .prose:contains("` + words + `")`); got.Length() != 1 ||
				got.AttrOr("lang", "") != lang {
				t.Errorf("%q in %q: %s", words, lang, public.Text("main"))
			}
		}
		page = v.Open("/admin/institutions") // of one institution there is no list
		if page.Path != "/admin/institutions/1" || page.Find(`main a[href="/admin/courses/1"]`).Length() != 1 ||
			page.Find(`main a[href="/admin/institutions/new"]`).Length() != 1 {
			t.Error(page.Path, page.Text("main"))
		}
		v.Open("/admin/institutions/new").Submit("Add institution", "name", "Southfield")
		if page = v.Open("/admin/institutions"); !strings.Contains(page.Text("main table"), "Southfield") {
			t.Error(page.Path, page.Text("main"))
		}
		for _, address := range []string{"/admin/institutions", "/admin/terms", "/admin/courses", "/admin/intakes",
			"/admin/terms/types", "/admin/terms/years/2031", "/admin/courses/new?from=1", "/admin/terms/new?from=1"} {
			if page := v.Open(address); page.Status != 200 {
				t.Error(address, page.Status)
			}
		}
	})
}

// TestTermApplications says in the list of terms how many applications each has, and leads to them (screens.md A41).
func TestTermApplications(t *testing.T) {
	i := sitetest.Filled(t)
	page := i.Staff(i.Superuser("Hana Yildiz")).Open("/admin/terms")
	terms := strings.Fields(i.Lines("SELECT DISTINCT academic_term_id FROM application WHERE visible"))
	for _, id := range terms {
		count := i.Number("SELECT count(*) FROM application WHERE visible AND academic_term_id = " + id)
		if got := page.Find(`main td a[href="/admin/applications?term=` + id + `"]`).Text(); got != fmt.Sprint(count) {
			t.Errorf("term %s: %q applications, not %d", id, got, count)
		}
	}
	if len(terms) < 2 {
		t.Error("only in terms ", terms)
	}
}

// TestChecker asks what a person from a country would see of an intake: where the deadline comes from, what follows it,
// what is said of it, and the early deadline until it is over (screens.md A40).
func TestChecker(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	id := i.Number("SELECT min(intake_id) FROM intake_deadline WHERE territory = '001' AND NOT barred")
	soon, past := i.Clock.Now().Std().AddDate(0, 0, 9).Format("2006-01-02"), "2020-01-01"
	for _, c := range []struct {
		early      string
		mask       bool
		has, lacks string
	}{
		{soon, false, "For the world.Early deadline", "in the place"},
		{soon, true, "Applicants see it in the place of the deadline until it is over. Answered first.", "besides"},
		{past, true, "For the world.", "Answered first."},
	} {
		i.Put(fmt.Sprintf("UPDATE intake SET policy = 'Flexible', pre_deadline = '%s', pre_info = 'Answered first.', "+
			"pre_mask = %t WHERE id = %d", c.early, c.mask, id),
			fmt.Sprintf("UPDATE intake_deadline SET info = 'For the world.' WHERE intake_id = %d AND "+
				"territory = '001'", id))
		checker := v.Open(fmt.Sprintf("/admin/intakes/%d", id)).Find("#checker").Closest("header, hgroup, div, h2")
		text := strings.Join(strings.Fields(checker.NextAll().Filter("dl").Text()), " ")
		if !strings.Contains(text, c.has) || strings.Contains(text, c.lacks) ||
			!strings.Contains(text, "They are marked as late.") {
			t.Errorf("%+v: %s", c, text)
		}
	}
}

// TestYearLater copies an intake into the term of the next year: each day is a year later, and so are the years in the
// name.
func TestYearLater(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	id := i.Number("SELECT max(intake_id) FROM intake_deadline WHERE deadline LIKE '2026-0%'")
	if id == 0 {
		t.Fatal("no intake has a deadline in 2026")
	}
	i.Put("UPDATE academic_term SET grace = '2028-03-31'") // there is no term of the next year to choose
	before := i.Lines(fmt.Sprintf("SELECT territory FROM intake_deadline WHERE intake_id = %d AND deadline IS NOT NULL ORDER BY territory, deadline", id))
	page := v.Open(fmt.Sprintf("/admin/intakes/new?from=%d", id)).Submit("Add intake")
	if errors := page.Errors(); errors != nil {
		t.Fatal(errors)
	}
	made := i.Number("SELECT max(id) FROM intake")
	after := i.Lines(fmt.Sprintf("SELECT territory FROM intake_deadline WHERE intake_id = %d AND deadline IS NOT NULL ORDER BY territory, deadline", made))
	if before != after {
		t.Errorf("%s became %s", before, after)
	}
	if n := i.Number(fmt.Sprintf("SELECT count(*) FROM intake_deadline WHERE intake_id = %d AND deadline LIKE '2026%%'", made)); n != 0 {
		t.Errorf("%d deadlines are of the same year", n)
	}
	courses := "SELECT count(*) FROM course_intake WHERE intake_id = %d"
	if a, b := i.Number(fmt.Sprintf(courses, id)), i.Number(fmt.Sprintf(courses, made)); a != b {
		t.Errorf("%d courses became %d", a, b)
	}
}

// TestOpensTooLate leaves an intake that was stored before its days were looked at, until one of them changes.
func TestOpensTooLate(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	i.Put("DELETE FROM intake_deadline WHERE intake_id = 1", "UPDATE intake SET start = '2020-03-02' WHERE id = 1",
		"INSERT INTO intake_deadline (intake_id, territory, deadline, barred) VALUES (1, '001', '2020-03-01', FALSE)")
	if page := v.Open("/admin/intakes/1").Submit("Save", "name", "Old"); page.Errors() != nil {
		t.Error(page.Errors())
	}
	const want = "so nobody can apply"
	page := v.Open("/admin/intakes/1").Submit("Save", "start-day", "3")
	if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, want) {
		t.Error(errors)
	}
	for content, wrong := range map[string]bool{"id,name\n1,Older\n": false, "id,start\n1,2020-03-03\n": true,
		"id,start\n1,2020-03-01\n": false} {
		page := v.Open("/admin/intakes/import").SubmitFile("file", "a.csv", content)
		if text := page.Text("main table"); strings.Contains(text, want) != wrong {
			t.Errorf("%q: %s", content, text)
		}
	}
	if page := v.Open("/admin/intakes/1").Submit("Save", "start-day", "1"); page.Errors() != nil {
		t.Error(page.Errors())
	}
}

// TestSharedNames wants what is chosen by its name to be called like nothing else: a term of one year, a scoresheet.
// Two that share a name, of an earlier release, can still be saved.
func TestSharedNames(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	term := i.Lines("SELECT name FROM academic_term WHERE id = 1")
	sheet := i.Lines("SELECT name FROM scoresheet WHERE id = 1")
	year := i.Lines("SELECT CAST(year AS text) FROM academic_term WHERE id = 1")
	days := []string{"start-day", "1", "start-month", "9", "start-year", "2026", "grace-day", "31", "grace-month", "10",
		"grace-year", "2026", "finish-day", "31", "finish-month", "1", "finish-year", "2027", "type", "2"}
	for _, twin := range []struct {
		address, button string
		fields          []string
		want            string
	}{
		{"/admin/terms/new", "Add term", append(days, "name", strings.ToUpper(term), "year", year), term},
		{"/admin/scoresheets/new", "Add scoresheet", []string{"name", strings.ToUpper(sheet), "max", "10"}, sheet},
	} {
		page := v.Open(twin.address).Submit(twin.button, twin.fields...)
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, twin.want+" has this name already") {
			t.Errorf("%s: %q", twin.address, errors)
		}
	}
	page := v.Open("/admin/terms/new").Submit("Add term", append(days, "name", term, "year", "2041")...)
	if text := page.Text("h1"); text != term {
		t.Fatal(text, page.Errors())
	}
	later := page.Path
	if errors := v.Open(later).Submit("Save", "year", year).Errors(); len(errors) == 0 {
		t.Error("a term goes to the year of another one of its name")
	}
	i.Put("UPDATE academic_term SET year = " + year + " WHERE year = 2041")
	if page := v.Open(later).Submit("Save", "finish-day", "30"); len(page.Errors()) > 0 {
		t.Error(page.Errors())
	}
}

// TestBadRecords posts what is wrong: it is refused next to its field, what was typed stays, and nothing is stored.
func TestBadRecords(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	i.Put(`UPDATE course SET form = '{"questions":[{"id":1},{"id":12}]}' WHERE id = 1`)
	records := len(i.Journal())
	long := strings.Repeat("x", 300)
	for _, bad := range []struct {
		address, button string
		fields          []string
		want            string
	}{
		{"/admin/institutions/new", "Add institution", []string{"name", " "}, "Fill this in"},
		{"/admin/institutions/new", "Add institution", []string{"name", long}, "at most 255"},
		{"/admin/institutions/new", "Add institution", []string{"name", "A", "www", "example.org"}, "https://"},
		{"/admin/institutions/new", "Add institution", []string{"name", "A", "www", "javascript:alert(1)"}, "https://"},
		{"/admin/institutions/new", "Add institution", []string{"name", "A", "country", "XX"}, "Choose a country"},
		{"/admin/institutions/new", "Add institution", []string{"name", "A", "status", "Gone"}, "Choose one"},
		{"/admin/institutions/new", "Add institution", []string{"name", "A", "type", "NONE"}, "Choose one"},
		{"/admin/terms/new", "Add term", []string{"name", "T", "year", "20x6"}, "whole number"},
		{"/admin/terms/new", "Add term", []string{"name", "T", "year", "1066", "type", "2"}, "from 2000 to 2199"},
		{"/admin/terms/new", "Add term", []string{"name", "T", "year", "2027", "type", "99"}, "Choose one"},
		{"/admin/terms/new", "Add term", []string{"name", "T", "year", "2027", "start-day", "31", "start-month", "2",
			"start-year", "2027"}, "There is no such day"},
		{"/admin/terms/new", "Add term", []string{"name", "T", "year", "2027", "type", "2", "start-day", "1",
			"start-month",
			"9", "start-year", "2027", "finish-day", "1", "finish-month", "8", "finish-year", "2027"},
			"before the first"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I"}, "Choose one"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "territory-1", "001"},
			"stands in two lines"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "territory-1", "ZZZ"}, "Choose one"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "deadline_info-2", "late"}, "for whom"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "decision_policy", "Required"},
			"number of days or a day"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "decision_days", "4000"},
			"from 1 to 366"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "pre_mask", "yes"}, "Choose a day"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "courses", "9999"}, "Choose one"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "start-day", "2", "start-month", "2",
			"start-year", "2026", "territory-0", "001", "deadline-0-day", "1", "deadline-0-month", "2",
			"deadline-0-year", "2026"}, "Applying opens on 2 February 2026, after the last deadline"},
		{"/admin/intakes/new", "Add intake", []string{"name", "I", "term", "1", "start-day", "2", "start-month", "2",
			"start-year", "2099"}, "Applying opens on 2 February 2099, after the last day of admission of the term"},
		{"/admin/courses/new", "Add course", []string{"name", ""}, "Fill this in"},
		{"/admin/courses/new", "Add course", []string{"name", "C", "code", "A, B"}, "without spaces"},
		{"/admin/courses/new", "Add course", []string{"name", "C", "quota", "-1"}, "from 0 to"},
		{"/admin/courses/new", "Add course", []string{"name", "C", "summary", long}, "at most 200"},
		{"/admin/courses/new", "Add course", []string{"name", "C", "in-ar-4", long}, "at most 200"},
		{"/admin/courses/new", "Add course", []string{"name", "C", "intakes", "x"}, "Choose one"},
		{"/admin/courses/new", "Add course", []string{"name", "C", "awards", strings.Repeat("a\n", 40)}, "at most"},
		{"/admin/courses/1/status", "Save", []string{"status", "Lost"}, "Choose one"},
		{"/admin/courses/1/form", "Save", []string{"show-profile", "sometimes"}, "Choose one"},
		{"/admin/courses/1/form", "Save", []string{"show-motivation", "required"}, "Choose one"},
		{"/admin/courses/1/form", "Save", []string{"show-profile_name_given", ""}, "Choose one"},
		{"/admin/courses/1/form", "Save", []string{"question-1", "maybe"}, "Choose one"},
		{"/admin/courses/1/form", "Save", []string{"place-1", "first"}, "whole number"},
		{"/admin/courses/1/form/copy", "Save", []string{"from", ""}, "Choose one"},
		{"/admin/courses/1/form/copy", "Save", []string{"from", "9999"}, "Choose one"},
		{"/admin/courses/1/form/questions", "Save", []string{"questions", "9999"}, "Choose one"},
		{"/admin/courses/1/form/questions/new", "Add question", []string{"name", " "}, "Fill this in"},
		{"/admin/courses/1/form/questions/new", "Add question", []string{"name", long, "help", long + long},
			"at most 255"},
		{"/admin/courses/1/form/questions/new", "Add question", []string{"name", "Q", "type", "shoe"}, "Choose one"},
		{"/admin/courses/1/form/questions/new", "Add question", []string{"name", "Q", "type", "choice", "options",
			"One"},
			"at least two"},
		{"/admin/courses/1/form/questions/new", "Add question", []string{"name", "Q", "type", "choices", "options",
			"One\nTwo\nOne"}, "stands there twice"},
		{"/admin/courses/1/form/questions/new", "Add question", []string{"name", "Q", "type", "section"},
			"at least one question"},
		{"/admin/courses/1/form/questions/new", "Add question", []string{"name", "Q", "type", "section", "field-0", "A",
			"type-0", "file"}, "Choose one"},
		{"/admin/courses/1/form/questions/new", "Add question", []string{"name", "Q", "in-ar", long}, "at most 255"},
		{"/admin/courses/1/form/questions/1", "Save", []string{"name", "", "options", "Dormitory"}, "at least two"},
	} {
		page := v.Open(bad.address).Submit(bad.button, bad.fields...)
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, bad.want) {
			t.Errorf("%s %q: %q, want %q", bad.address, bad.fields, errors, bad.want)
		}
		for n := 0; n+1 < len(bad.fields); n += 2 {
			typed := sitetest.Typed(page.Find("main form").First())
			if name, want := bad.fields[n], bad.fields[n+1]; typed.Has(name) &&
				page.Find(`main form input:not([type=radio],
				[type=checkbox])[name="`+name+`"], main form textarea[name="`+name+`"]`).Length() == 1 &&
				strings.TrimSpace(typed.Get(name)) != strings.TrimSpace(want) {
				t.Errorf("%s: %s was %q, became %q", bad.address, name, want, typed.Get(name))
			}
		}
	}
	if n := len(i.Journal()); n != records {
		t.Errorf("%d records were written: %v", n-records, i.Since(records))
	}
}

// TestTwoEditors lets two people edit an institution: the second one is asked which value stays.
func TestTwoEditors(t *testing.T) {
	i := sitetest.Filled(t)
	hana, kofi := i.Staff(i.Superuser("Hana Yildiz")), i.Staff(i.Superuser("Kofi Haugen"))
	first, second := hana.Open("/admin/institutions/1"), kofi.Open("/admin/institutions/1")
	if errors := first.Submit("Save", "location", "Narva").Errors(); errors != nil {
		t.Fatal(errors)
	}
	page := second.Submit("Save", "location", "Tallinn")
	if text := page.Text("main"); !strings.Contains(text, "Hana Yildiz") || !strings.Contains(text, "Narva") {
		t.Fatal(text)
	}
	page = page.Submit("Save")
	if got := i.Lines("SELECT location FROM institution WHERE id = 1"); strings.TrimSpace(got) != "Tallinn" {
		t.Error(got, page.Errors())
	}
}

// TestOrderIsNoChange asks for no choice about intakes that nobody has touched, in whichever order they are stored.
func TestOrderIsNoChange(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Superuser("Hana Yildiz"))
	path := fmt.Sprintf("/admin/courses/%d", i.Number(
		"SELECT course_id FROM course_intake GROUP BY course_id HAVING count(*) > 2 ORDER BY course_id LIMIT 1"))
	first, second := staff.Open(path), staff.Open(path)
	first.Submit("Save", "name", "Physics")
	page := second.Submit("Save", "name", "Chemistry")
	if page.Find("[name='keep.name']").Length() == 0 || page.Find("[name='keep.intakes']").Length() > 0 {
		t.Error(page.Status, page.Text(".conflict, .notice"), page.Errors())
	}
}

// TestGrace ends a term with open applications: their number is said, and nothing is stored without a tick.
func TestGrace(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	term := i.Number("SELECT max(academic_term_id) FROM application WHERE visible AND status = 'Draft'")
	address := fmt.Sprintf("/admin/terms/%d", term)
	ended := fmt.Sprintf("SELECT count(*) FROM academic_term WHERE id = %d AND grace = '2020-01-01'", term)
	past := []string{"grace-day", "1", "grace-month", "1", "grace-year", "2020"}
	page := v.Open(address).Submit("Save", past...)
	if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "expire") {
		t.Fatalf("nothing is said: %s", errors)
	}
	if n := i.Number(ended); n != 0 {
		t.Error("it was stored without a tick")
	}
	page = page.Submit("Save", "sure", "yes")
	if n := i.Number(ended); n != 1 {
		t.Error("it was not stored: ", page.Errors())
	}
}

// TestCourseForm sets the form of a course, copies it to another one and looks at both as an applicant.
func TestCourseForm(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		i.Put("INSERT INTO course (id, status, updated, institution_id, name) VALUES (901, 'Draft', 1, 1, 'Law'), (902, 'Draft', 1, 1, 'Logic')",
			"UPDATE task_template SET active = TRUE WHERE class = 'checklist-identity'")
		v := i.Staff(i.Superuser("Hana Yildiz"))
		began := len(i.Journal())
		at := func(path, button string, fields ...string) *sitetest.Page {
			t.Helper()
			page := v.Open(path).Submit(button, fields...)
			if page.Errors() != nil || page.Status != 200 {
				t.Fatal(path, page.Status, page.Errors())
			}
			return page
		}
		const law, logic = "/admin/courses/901/form", "/admin/courses/902/form"
		at(law, "Save", "show-home", "shown", "show-home_institution_name", "required", "show-misc", "hidden")
		at(law+"/questions/new", "Add question", "name", "Why law?", "type", "longtext", "required", "yes")
		at(law+"/questions/new", "Add question", "name", "Why here?", "help", "In a few words.", "type", "text")
		at(law, "Save", "place-2", "0")
		page := at(logic+"/copy", "Save", "from", "901")
		if text := page.Text("main"); page.Path != logic || strings.Index(text, "Why here?") > strings.Index(text,
			"Why law?") || !strings.Contains(text, "1 other course asks it") {
			t.Error(page.Path, text)
		}
		if forms := i.Lines("SELECT DISTINCT form FROM course"); strings.Count(strings.TrimSpace(forms), "\n") != 0 {
			t.Error(forms)
		}
		at(logic, "Save", "question-1", "removed", "question-2", "required")
		at(logic+"/questions/2", "Save", "name", "Why with us?")
		at(logic+"/questions", "Save", "questions", "1")
		for address, want := range map[string]string{law + "/preview/home": "Erasmus code", law +
			"/preview/extras": "Why with us?", logic + "/preview/misc": "Applicants do not see this section",
			logic: "Copy of passport or identity card"} {
			page := v.Open(address)
			if text := page.Text("main"); page.Status != 200 || !strings.Contains(text, want) {
				t.Error(address, page.Status, text)
			}
			if button := page.Find("main form button"); strings.Contains(address, "preview") && button.Length() > 0 {
				t.Error("a preview can be sent:", button.Text())
			}
		}
		if forms := i.Lines("SELECT form FROM course WHERE id = 902"); !strings.Contains(forms,
			`"questions":[{"id":2,"required":true},{"id":1}]`) {
			t.Error(forms)
		}
		if page := v.Open(logic + "/questions/3"); page.Status != 404 {
			t.Error("a question that there is not is", page.Status)
		}
		got := i.Since(began)
		if len(got) != 8 || strings.Join(slices.Compact(got), "") != "Course was edited" {
			t.Error(got)
		}
		at(logic, "Save")
		if n := len(i.Since(began)); n != 8 {
			t.Error("nothing was changed, and it was recorded")
		}
		// A copy of a course comes with its form.
		page = at("/admin/courses/new?from=902", "Add course", "name", "Logic, part time")
		if n := i.Number("SELECT count(DISTINCT form) FROM course WHERE name LIKE 'Logic%'"); n != 1 ||
			!strings.HasPrefix(page.Path, "/admin/courses/") {
			t.Error(page.Path, n, i.Lines("SELECT form FROM course"))
		}
		if since := i.Since(began); since[len(since)-1] != "Course was created" {
			t.Error(since)
		}
		if plain := at("/admin/courses/new", "Add course", "name", "Algebra"); strings.Contains(v.Open(plain.Path+
			"/form").Text("main"), "Why law?") {
			t.Error("a new course has the questions of another one")
		}
	})
}

// TestTwoFormEditors lets two people set the form of a course: the second is asked about the field that both changed.
func TestTwoFormEditors(t *testing.T) {
	i := sitetest.Filled(t)
	const address, field = "/admin/courses/1/form", "show-motivation_general"
	hana, kofi := i.Staff(i.Superuser("Hana Yildiz")), i.Staff(i.Superuser("Kofi Haugen"))
	first, second := hana.Open(address), kofi.Open(address)
	first.Submit("Save", field, "hidden")
	page := second.Submit("Save", field, "shown", "show-misc", "hidden")
	if text := page.Text("main"); !strings.Contains(text, "Hana Yildiz") ||
		page.Text("fieldset:has(#keep-"+field+") legend") != "Motivation: Motivation" {
		t.Fatal(text)
	}
	if called := page.Text("main .field:has([name=" + field + "]) label"); called != "Motivation" {
		t.Error("within its section the field is called ", called)
	}
	page = page.Submit("Save")
	if got := i.Lines("SELECT form FROM course WHERE id = 1"); !strings.Contains(got, `"motivation/general":"shown"`) ||
		!strings.Contains(got, `"misc":"hidden"`) {
		t.Error(got, page.Errors())
	}
}

// TestApplicationsOfCourses compares how many applications the list of courses counts with the list that the number
// leads to: those of a deleted applicant are in neither.
func TestApplicationsOfCourses(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		i.Put("INSERT INTO academic_term (id, year, name, type, start, grace, finish) " +
			"VALUES (9, 2026, 'Autumn', 1, '2026-09-01', '2026-10-31', '2027-01-31')")
		for id := 1; id <= 4; id++ {
			state := "live"
			if id == 2 {
				state = "recovery"
			}
			i.Put(fmt.Sprintf("INSERT INTO course (id, status, updated, institution_id, name) VALUES (%d, 'Online', 1, 1, 'C%d')",
				id, id),
				fmt.Sprintf("INSERT INTO applicant (id, state, lead, registered, email, email_key) "+
					"VALUES (%d, '%s', FALSE, 1, 'a%d@b.org', 'a%d@b.org')", id, state, id, id),
				fmt.Sprintf("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, visible) "+
					"VALUES (%d, %d, 9, 'Draft', 1, 1, %v)", id, id, id != 2))
		}
		for _, tie := range [][2]int{{1, 1}, {2, 1}, {3, 1}, {2, 2}, {3, 3}, {4, 3}} {
			i.Put(fmt.Sprintf("INSERT INTO application_course (application_id, course_id, institution_id, priority, added) "+
				"VALUES (%d, %d, 1, 1, 1)", tie[0], tie[1]))
		}
		v := i.Staff(i.Superuser("Hana Yildiz"))
		rows := v.Open("/admin/courses").Find("main tbody tr")
		if rows.Length() != 4 {
			t.Fatal(rows.Length(), " courses")
		}
		for n := range rows.Length() {
			cell := rows.Eq(n).Find("td").Last()
			name, count := rows.Eq(n).Find("a").First().Text(), strings.TrimSpace(cell.Text())
			if want := map[string]string{"C1": "2", "C2": "0", "C3": "2", "C4": "0"}[name]; count != want {
				t.Errorf("%s has %q applications, not %s", name, count, want)
			}
			href := cell.Find("a").AttrOr("href", "")
			if count == "0" || href == "" {
				if count != "0" || href != "" {
					t.Errorf("%s: %s leads to %q", name, count, href)
				}
				continue
			}
			if found := v.Open(href).Find("main tbody tr").Length(); fmt.Sprint(found) != count {
				t.Errorf("%s has %s applications, the list %d", name, count, found)
			}
		}
		few := i.Staff(i.Administrator("Rui Alves", admitto.CoursesEdit)).Open("/admin/courses")
		if few.Find("tbody a[href*=applications]").Length() != 0 {
			t.Error("a number leads to applications that the reader may not see")
		}
	})
}
