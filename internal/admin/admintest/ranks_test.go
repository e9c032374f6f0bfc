package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
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
		page := v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Interview", "scale", "1", "max",
			"10.25")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "at most 1 decimal.") {
			t.Error(errors)
		}
		page = v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Interview", "scale", "1", "max", "10")
		if text := page.Text("h1"); text != "Interview" {
			t.Fatal(text, page.Errors())
		}
		for _, bad := range [][]string{{"name", ""}, {"scale", "9"}, {"max", "0"}, {"type", "Nothing"}, {"scorers",
			"99"},
			{"visibility", "secret"}, {"shows", "name", "shows", "nothing"},
			{"group", strings.Repeat("g", 300)}, {"type", "Mapped", "maps", "B2"}, {"type", "Mapped", "maps", ""},
			{"date", "Maybe"},
			{"min", "x"}} {
			if page := v.Open("/admin/scoresheets/1").Submit("Save", bad...); len(page.Errors()) == 0 {
				t.Errorf("%q was taken", bad)
			}
		}
		v.Open("/admin/scoresheets/1").Submit("Save", "group", "Readers", "visibility", "unlisted", "shows",
			"motivation",
			"shows", "photo")
		v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Second reader", "group", "Readers")
		page = v.Open("/admin/scoresheets/1")
		if n := page.Find("[name=shows][checked]").Length(); n != 2 ||
			page.Find("[name=shows][value=photo][checked]").Length() != 1 ||
			page.Find("[name=visibility] [value=unlisted][selected]").Length() != 1 ||
			i.Number("SELECT count(DISTINCT group_id) FROM scoresheet WHERE group_id IS NOT NULL") != 1 {
			t.Error(n, page.Text("main"))
		}
		v.Open("/admin/scoresheets/1").Submit("Save", "group", "", "shows", "-")
		if n := i.Number("SELECT count(*) FROM scoresheet WHERE shows = '[]' AND group_id IS NULL"); n != 1 {
			t.Error("the group stays, or scorers see something")
		}
		v.Open("/admin/scoresheets/2/delete").Submit("Delete scoresheet")
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

// TestRankingCSV gets a ranking as a file, and deletes it.
func TestRankingCSV(t *testing.T) {
	i, path, _ := contest(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	i.Put("UPDATE applicant SET family = '=1+1' WHERE id IN (SELECT applicant_id FROM offer)",
		"UPDATE applicant SET given = '' WHERE id IN (SELECT applicant_id FROM offer)")
	csv := v.Open(path + "/csv")
	lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(csv.Body, "\ufeff")), "\n")
	if name := csv.Header.Get("Content-Disposition"); strings.Count(name, ".csv") != 1 {
		t.Error(name)
	}
	if len(lines) < 5 || !strings.HasPrefix(lines[0],
		"position,rank,application,applicant,name,course,priority,auto,extra") {
		t.Errorf("%.300s", csv.Body)
	}
	if !strings.Contains(csv.Body, "'=1+1") || strings.Contains(csv.Body, ",=1+1") {
		t.Errorf("a spreadsheet would calculate a name: %.300s", csv.Body)
	}
	page := v.Open(path + "/delete").Submit("Delete ranking")
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
	ranking,
		course := one("SELECT r.id FROM ranking r JOIN ranking_course c ON c.ranking_id = r.id JOIN offer o ON o.course_id = c.course_id JOIN application a ON a.id = o.application_id WHERE a.status = 'Submitted' AND (r.academic_term_id IS NULL OR r.academic_term_id = a.academic_term_id) GROUP BY r.id ORDER BY count(*) DESC LIMIT 1"), one("SELECT min(course_id) FROM criterion")
	offer := one("SELECT o.id FROM offer o JOIN application a ON a.id = o.application_id JOIN ranking_course c ON c.course_id = o.course_id JOIN offer_type t ON t.id = o.type_id WHERE a.status = 'Submitted' AND o.decision = 'None' AND t.ranking <> 'Eliminated' AND c.ranking_id = " + fmt.Sprint(ranking))
	page := func(name, format string, args ...any) uitest.Page {
		return uitest.Page{Name: name, Path: fmt.Sprintf(format, args...), Cookie: staff}
	}
	i.Put(fmt.Sprintf("UPDATE scoresheet SET name = 'Motivation %s' WHERE id = %d", strings.Repeat("long", 20), sheet))
	uitest.Check(t, i, page("ranks-sheets", "/admin/scoresheets"), page("ranks-sheet", "/admin/scoresheets/%d", sheet),
		page("ranks-score", "/admin/scoresheets/%d/score", sheet), page("ranks-criteria", "/admin/criteria"),
		page("ranks-course", "/admin/courses/%d/criteria", course), page("ranks-rankings", "/admin/rankings"),
		page("ranks-ranking", "/admin/rankings/%d", ranking), page("ranks-edit", "/admin/rankings/%d/edit", ranking),
		page("ranks-extra", "/admin/rankings/%d?extra=%d", ranking, offer),
		page("ranks-add", "/admin/scoresheets/%d/add", sheet),
		page("ranks-import", "/admin/scoresheets/%d/import", sheet),
		page("ranks-tell", "/admin/scoresheets/%d/tell", sheet), page("ranks-list", "/admin/rankings?term=all"))
}
