package ranks_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestScoresheets makes a sheet, locks and opens it, refuses what is wrong, and keeps a range that points need.
func TestScoresheets(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		v := i.Staff(i.Superuser("Hana Yildiz"))
		page := v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Interview", "scale", "1", "max", "10.25")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "at most 1 decimals") {
			t.Error(errors)
		}
		page = v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Interview", "scale", "1", "max", "10")
		if text := page.Text("h1"); text != "Interview" {
			t.Fatal(text, page.Errors())
		}
		for _, bad := range [][]string{{"name", ""}, {"scale", "9"}, {"max", "0"}, {"type", "Nothing"}, {"scorers", "99"},
			{"type", "Mapped", "maps", "B2"}, {"type", "Mapped", "maps", ""}, {"date", "Maybe"},
			{"min", "x"}} {
			if page := v.Open("/admin/scoresheets/1").Submit("Save", bad...); len(page.Errors()) == 0 {
				t.Errorf("%q was taken", bad)
			}
		}
		v.Open("/admin/scoresheets/1").Submit("Confirm and lock")
		if n := i.Number("SELECT count(*) FROM scoresheet WHERE confirmed IS NOT NULL"); n != 1 {
			t.Error("the sheet is not confirmed")
		}
		v.Open("/admin/scoresheets/1").Submit("Open again")
		if n := i.Number("SELECT count(*) FROM scoresheet WHERE confirmed IS NOT NULL"); n != 0 {
			t.Error("the sheet is still confirmed")
		}
		if page := v.Open("/admin/scoresheets/1").Submit("Confirm and lock"); page.Status != 200 {
			t.Error(page.Status)
		}
		if text := v.Open("/admin/scoresheets").Text("main table"); !strings.Contains(text, "Interview") {
			t.Error("a locked sheet has no name in the list: ", text)
		}
		v.Open("/admin/scoresheets/1/delete").Submit("Delete scoresheet")
		if n := i.Number("SELECT count(*) FROM scoresheet"); n != 0 {
			t.Error("the sheet is still there")
		}
	})
}

// TestEnterPoints enters points for several applications at once: what is wrong stays in its field, the others are
// saved; what somebody else has saved meanwhile is said; who only scores finds only the sheets of theirs.
func TestEnterPoints(t *testing.T) {
	i := sitetest.Filled(t)
	sheet := i.Number("SELECT scoresheet_id FROM score s JOIN scoresheet t ON t.id = s.scoresheet_id WHERE t.type = 'Number' AND t.confirmed IS NULL GROUP BY scoresheet_id ORDER BY count(*) DESC LIMIT 1")
	if sheet == 0 {
		t.Fatal("there is no open sheet")
	}
	i.Put(fmt.Sprintf("UPDATE score SET points = NULL WHERE scoresheet_id = %d", sheet))
	ids := strings.Fields(i.Lines(fmt.Sprintf("SELECT id FROM score WHERE scoresheet_id = %d ORDER BY id LIMIT 3", sheet)))
	scorer := i.Administrator("Kofi Haugen", admitto.ApplicationsScore)
	v := i.Staff(scorer)
	address := fmt.Sprintf("/admin/scoresheets/%d/score", sheet)
	page := v.Open("/admin/scoresheets")
	if page.Find("main a[href='"+address+"']").Length() == 0 ||
		page.Find("main a[href='/admin/scoresheets/new']").Length() != 0 {
		t.Error(page.Text("main"))
	}
	other := i.Staff(i.Superuser("Hana Yildiz")).Open(address)
	page = v.Open(address).Submit("Save points", "points-"+ids[0], "1", "points-"+ids[1], "many", "comments-"+ids[2],
		"Late")
	if errors := page.Errors(); len(errors) != 1 {
		t.Errorf("%q", errors)
	}
	points := func(id string) int64 {
		return i.Number("SELECT coalesce(points, -1) FROM score WHERE id = " + id)
	}
	if points(ids[0]) != 10_000 || points(ids[1]) != -1 ||
		i.Number("SELECT count(*) FROM score WHERE comments = 'Late'") != 1 {
		t.Error(points(ids[0]), points(ids[1]))
	}
	page = other.Submit("Save points", "points-"+ids[0], "2")
	if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "Somebody saved this meanwhile: 1") ||
		points(ids[0]) != 10_000 {
		t.Error(errors)
	}
	if page = page.Submit("Save points"); points(ids[0]) != 20_000 {
		t.Error(page.Errors())
	}
	page = i.Staff(i.Superuser("Hana Yildiz")).Open(fmt.Sprintf("/admin/scoresheets/%d", sheet)).Submit("Save", "max",
		"1.5")
	if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "do not fit: 2") {
		t.Error(errors)
	}
	comments := func() string { return i.Lines("SELECT comments FROM score WHERE id = " + ids[2]) }
	other = v.Open(address)
	i.Put("UPDATE score SET comments = 'One\r\nTwo' WHERE id = " + ids[2])
	page = other.Submit("Save points", "comments-"+ids[2], "Three")
	if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "Somebody saved this meanwhile: One") {
		t.Error(errors)
	}
	before := comments()
	if page = v.Open(address).Submit("Save points", "points-"+ids[1], "3"); points(ids[1]) != 30_000 ||
		comments() != before {
		t.Errorf("%q %q", page.Errors(), comments())
	}
	i.Put(fmt.Sprintf("UPDATE scoresheet SET scorers = '[%d]' WHERE id = %d", scorer+1, sheet))
	if page := v.Open(address); page.Status != 404 {
		t.Error("a sheet of others is shown: ", page.Status)
	}
}

// TestCriteriaAndRanking sets the criteria of a course and looks at the ranking that comes of them.
func TestCriteriaAndRanking(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	course := i.Number("SELECT course_id FROM offer GROUP BY course_id ORDER BY count(*) DESC LIMIT 1")
	sheet := i.Number("SELECT scoresheet_id FROM score GROUP BY scoresheet_id ORDER BY count(points) DESC LIMIT 1")
	address := fmt.Sprintf("/admin/courses/%d/criteria", course)
	page := v.Open(address).Submit("Save and calculate", "sheet-0", fmt.Sprint(sheet), "weight-0", "x")
	if errors := page.Errors(); len(errors) != 1 {
		t.Error(errors)
	}
	page = v.Open(address).Submit("Save and calculate", "sheet-0", fmt.Sprint(sheet), "weight-0", "0.5")
	if text := page.Text(".notice"); !strings.Contains(text, "calculated again") {
		t.Error(text, page.Errors())
	}
	page = v.Open("/admin/rankings/new").Submit("Add ranking", "name", "The best", "quota", "1", "courses",
		fmt.Sprint(course))
	if text := page.Text("h1"); text != "The best" {
		t.Fatal(text, page.Errors())
	}
	if n := page.Find("main table tbody tr").Length(); n == 0 {
		t.Error("nobody is in the ranking")
	}
	if text := page.Text("main table"); !regexp.MustCompile(`[1-9] *In quota`).MatchString(text) {
		t.Error("nobody in quota has a rank: ", text)
	}
	csv := v.Open(page.Path + "/csv")
	if lines := strings.Count(csv.Body, "\n"); lines < 2 || !strings.HasPrefix(strings.TrimPrefix(csv.Body, "\ufeff"),
		"position") {
		t.Errorf("%.200s", csv.Body)
	}
	page = v.Open(page.Path + "/delete").Submit("Delete ranking")
	if text := page.Text(".notice"); !strings.Contains(text, "was deleted") {
		t.Error(text)
	}
}

// TestRanksInBrowser looks at the lists and forms.
func TestRanksInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	one := func(sql string) int64 {
		id := i.Number(sql)
		if id == 0 {
			t.Fatal(sql)
		}
		return id
	}
	sheet := one("SELECT scoresheet_id FROM score GROUP BY scoresheet_id ORDER BY count(*) DESC LIMIT 1")
	ranking, course := one("SELECT r.id FROM ranking r JOIN ranking_course c ON c.ranking_id = r.id JOIN offer o ON o.course_id = c.course_id JOIN application a ON a.id = o.application_id WHERE a.status = 'Submitted' AND (r.academic_term_id IS NULL OR r.academic_term_id = a.academic_term_id) GROUP BY r.id ORDER BY count(*) DESC LIMIT 1"), one("SELECT min(course_id) FROM criterion")
	page := func(name, format string, args ...any) uitest.Page {
		return uitest.Page{Name: name, Path: fmt.Sprintf(format, args...), Cookie: staff}
	}
	uitest.Check(t, i, page("ranks-sheets", "/admin/scoresheets"), page("ranks-sheet", "/admin/scoresheets/%d", sheet),
		page("ranks-score", "/admin/scoresheets/%d/score", sheet), page("ranks-criteria", "/admin/criteria"),
		page("ranks-course", "/admin/courses/%d/criteria", course), page("ranks-rankings", "/admin/rankings"),
		page("ranks-ranking", "/admin/rankings/%d", ranking), page("ranks-edit", "/admin/rankings/%d/edit", ranking))
}
