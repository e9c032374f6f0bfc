package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestLists edits the words of an instance: titles, order, use, what is new, and the territories (screens.md A42).
func TestLists(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		v := i.Staff(i.Administrator("Hana Yildiz", admitto.InstanceAdmin))
		began := len(i.Journal())
		if text := v.Open("/admin/lists").Text("main"); !strings.Contains(text, "European UnionEU 27 countries") ||
			!strings.Contains(text, "Course type100") || !strings.Contains(text, "SubmittedSubmitted #FFD21F") {
			t.Error(text)
		}
		// Course type: another title, one that is off, one that moves to the front, and one that is new.
		page := v.Open("/admin/lists/classes/9").Submit("Save", "title-2", "Bachelor", "used-3", "-", "place-9", "0",
			"code-10", "LLL", "title-10", "Lifelong learning", "place-10", "2")
		if page.Errors() != nil || !strings.Contains(page.Text("main"), "PG: Postgraduate (not in use)") {
			t.Error(page.Errors(), page.Text("main"))
		}
		got := strings.Fields(i.Lines("SELECT code FROM classificator WHERE class = 'Course type' ORDER BY position"))
		if got := strings.Join(got, " "); got != "CPD FND SC LLL UG PG INT PHD EXC SUM MIC" {
			t.Error(got)
		}
		if n := i.Number("SELECT count(*) FROM classificator WHERE title = 'Bachelor' AND active " +
			"OR class = 'Course type' AND code = 'PG' AND NOT active"); n != 2 {
			t.Error(n)
		}
		// The same form again changes nothing.
		if errors := v.Open("/admin/lists/classes/9").Submit("Save").Errors(); errors != nil {
			t.Error(errors)
		}
		page = v.Open("/admin/lists/statuses").Submit("Save", "title-4", "Handed in", "colour-4", "#00aa00")
		if text := page.Text("main"); !strings.Contains(text, "SubmittedHanded in #00AA00") {
			t.Error(page.Errors(), text)
		}
		page = v.Open("/admin/lists/regions").Submit("Save", "place-1", "0", "code-7", "nordic", "name-7",
			"Nordic countries",
			"members-7", "se, NO\nDK FI is", "place-7", "1")
		if page.Errors() != nil || !strings.Contains(page.Text("main"), "Nordic countriesNORDIC 5 countriesDenmark · Finland · Iceland · Norway · Sweden") {
			t.Error(page.Errors(), page.Text("main"))
		}
		regions := strings.Fields(i.Lines("SELECT code FROM region ORDER BY position"))
		if strings.Join(regions[:3], " ") != "EEA EU NORDIC" {
			t.Error(regions)
		}
		events := strings.Join(i.Since(began), "\n")
		want := []string{"Classificator was edited: Course type", "Classificator was edited: Application status",
			"Region was edited: EEA", "Region was edited: EU", "Region was edited: NORDIC", "Region was edited: 002"}
		if !strings.HasPrefix(events, strings.Join(want, "\n")) {
			t.Error(events)
		}
		if page := v.Open("/admin/lists/classes/28"); !strings.Contains(page.Text("main"), "Northfield University") ||
			page.Find("main form").Length() != 0 {
			t.Error(page.Text("main"))
		}
		if page := v.Open("/admin/lists/classes/33"); page.Status != 404 {
			t.Error(page.Status)
		}
	})
}

// TestCodesNotInUse switches codes off: records that have them show them and may be saved, and new forms of staff and
// of applicants have them no more (screens.md A42).
func TestCodesNotInUse(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	held := strings.TrimSpace(i.Lines("SELECT type FROM course WHERE id = 1"))
	title := strings.TrimSpace(i.Lines("SELECT title FROM classificator WHERE class = 'Course type' AND code = '" + held + "'"))
	i.Put("UPDATE classificator SET active = FALSE WHERE class = 'Course type' AND code = '"+held+"'",
		"UPDATE classificator SET active = FALSE WHERE class = 'Gender' AND code = 'F'")
	option := func(page *sitetest.Page, field, value string) string {
		return page.Find("select[name='" + field + "'] option[value='" + value + "']").Text()
	}
	page := v.Open("/admin/courses/new")
	if got := option(page, "type", held); got != "" {
		t.Errorf("a new course may be %s", got)
	}
	if errors := page.Submit("Add course", "name", "Physics", "type", held).Errors(); len(errors) != 1 {
		t.Error("a new course takes a code that is off: ", errors)
	}
	if got := option(v.Open("/admin/courses/1"), "type", held); got != title {
		t.Errorf("the course that has it shows %q", got)
	}
	if errors := v.Open("/admin/courses/1").Submit("Save", "summary", "Short").Errors(); errors != nil {
		t.Error(errors)
	}
	if text := v.Open("/admin/courses").Text("main"); !strings.Contains(text, title) {
		t.Error("the list does not say ", title)
	}
	application := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Draft'")
	applicant := i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", application))
	for _, c := range []struct{ gender, want string }{{"M", ""}, {"F", "Female"}} {
		for _, other := range []string{"M", "F", "X"} {
			i.Put(`UPDATE application_content SET content = replace(content, '"gender":"` + other + `"', '"gender":"` + c.gender + `"')`)
		}
		for name, page := range map[string]*sitetest.Page{
			"staff":     v.Open(fmt.Sprintf("/admin/applications/%d/form/profile/edit", application)),
			"applicant": i.Applicant(applicant).Open(fmt.Sprintf("/my/applications/%d/form/profile", application)),
		} {
			if page.Status != 200 || page.Find("select[name='content.gender'] option").Length() < 3 {
				t.Fatal(name, page.Status, page.Text("main"))
			}
			if got := option(page, "content.gender", "F"); got != c.want {
				t.Errorf("%s of gender %s may choose %q", name, c.gender, got)
			}
		}
		page := v.Open(fmt.Sprintf("/admin/applications/%d/form/profile", application))
		if text := page.Text("main"); c.want != "" && !strings.Contains(text, c.want) {
			t.Error(text)
		}
		page = v.Open(fmt.Sprintf("/admin/applications/%d/form/profile/edit", application)).Submit("Save",
			"content.salutation",
			"DR")
		if errors := page.Errors(); errors != nil {
			t.Error("what stands there cannot be saved again: ", errors)
		}
	}
}

// TestBadLists posts what is wrong into the forms of the lists: it is said next to its field, what was typed stays, and
// nothing is stored.
func TestBadLists(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	records := len(i.Journal())
	const statuses, regions, genders = "/admin/lists/statuses", "/admin/lists/regions", "/admin/lists/classes/24"
	for _, bad := range []struct {
		address string
		fields  []string
		want    string
	}{
		{statuses, []string{"title-0", " "}, "Fill this in"},
		{statuses, []string{"title-0", strings.Repeat("x", 65)}, "at most 64"},
		{statuses, []string{"colour-1", "green"}, "#"},
		{statuses, []string{"colour-1", ""}, "#"},
		{regions, []string{"name-0", ""}, "Fill this in"},
		{regions, []string{"members-0", "DE XX"}, "“XX” is no country"},
		{regions, []string{"members-0", "Germany"}, "is no country"},
		{regions, []string{"place-0", "first"}, "number"},
		{regions, []string{"name-7", "Here", "members-7", "DE"}, "capital letters"},
		{regions, []string{"code-7", "DE", "name-7", "Here", "members-7", "DE"}, "capital letters"},
		{regions, []string{"code-7", "001", "name-7", "Here", "members-7", "DE"}, "capital letters"},
		{regions, []string{"code-7", "a b c", "name-7", "Here", "members-7", "DE"}, "capital letters"},
		{regions, []string{"code-7", "EEA", "name-7", "Here", "members-7", "DE"}, "name"},
		{genders, []string{"title-0", ""}, "Fill this in"},
		{genders, []string{"title-0", strings.Repeat("x", 256)}, "at most 255"},
		{genders, []string{"place-0", "1.5"}, "number"},
		{genders, []string{"code-3", "N N", "title-3", "None"}, "spaces"},
		{genders, []string{"code-3", "m", "title-3", "Man"}, "name"},
		{genders, []string{"code-3", "N"}, "Fill this in"},
		{genders, []string{"title-4", "Nobody"}, "Fill this in"},
	} {
		page := v.Open(bad.address).Submit("Save", bad.fields...)
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(strings.NewReplacer(`"`, "").Replace(errors),
			strings.NewReplacer("“", "", "”", "").Replace(bad.want)) {
			t.Errorf("%s %q: %q, want %q", bad.address, bad.fields, errors, bad.want)
		}
		typed := sitetest.Typed(page.Find("main form").First())
		for n := 0; n+1 < len(bad.fields); n += 2 {
			if name, want := bad.fields[n],
				bad.fields[n+1]; strings.TrimSpace(typed.Get(name)) != strings.TrimSpace(want) {
				t.Errorf("%s: %s was %q, became %q", bad.address, name, want, typed.Get(name))
			}
		}
	}
	if n := len(i.Journal()); n != records {
		t.Errorf("%d records were written: %v", n-records, i.Since(records))
	}
	if page := i.Staff(i.Administrator("Kofi Haugen", admitto.CoursesEdit)).Open("/admin/lists"); page.Status != 403 {
		t.Error(page.Status)
	}
}

// TestTwoEditorsOfAList lets two people edit the same list: the second one is asked which value stays.
func TestTwoEditorsOfAList(t *testing.T) {
	i := sitetest.Filled(t)
	hana, kofi := i.Staff(i.Superuser("Hana Yildiz")), i.Staff(i.Superuser("Kofi Haugen"))
	for address, field := range map[string]string{"/admin/lists/classes/24": "title-0",
		"/admin/lists/statuses": "title-0",
		"/admin/lists/regions":  "name-0"} {
		first, second := hana.Open(address), kofi.Open(address)
		if errors := first.Submit("Save", field, "Hers").Errors(); errors != nil {
			t.Fatal(address, errors)
		}
		page := second.Submit("Save", field, "His")
		if text := page.Text("main"); !strings.Contains(text, "Hana Yildiz") || !strings.Contains(text, "Hers") {
			t.Error(address, text)
		}
		if errors := page.Submit("Save").Errors(); errors != nil {
			t.Error(address, errors)
		}
		if page := kofi.Open(address); page.Find("main input[name='"+field+"']").AttrOr("value", "") != "His" {
			t.Error(address, "it was not stored")
		}
	}
}
