package admintest

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

var leading = regexp.MustCompile(`[0-9,]+`)

// listed is how many tasks a list says that it has.
func listed(p *sitetest.Page) string { return leading.FindString(p.Text(".list header strong")) }

// TestMatrix compares each number of the matrix with the list that it leads to, and with a direct count.
func TestMatrix(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE task SET status = 'Scanned' WHERE id IN (SELECT max(id) FROM task WHERE trashed IS NULL GROUP BY template_id)")
	busy := i.Lines("SELECT CAST(a.academic_term_id AS text) FROM task k JOIN application a ON a.id = k.application_id GROUP BY 1 ORDER BY count(*) DESC LIMIT 2")
	v := i.Staff(i.Superuser("Mara Lind"))
	for _, term := range append(strings.Fields(busy), "all") {
		page := v.Open("/admin/tasks?term=" + term)
		links := page.Find("details[open] .matrix td a")
		for _, a := range links.EachIter() {
			address, want := a.AttrOr("href", ""), strings.TrimSpace(a.Text())
			if got := listed(v.Open(address)); got != want {
				t.Errorf("%s has %s, the matrix says %s", address, got, want)
			}
			at, err := url.Parse(address)
			i.Must(err)
			sql := "SELECT count(*) FROM task k JOIN application a ON a.id = k.application_id WHERE a.visible AND k.trashed IS NULL"
			if term != "all" {
				sql += " AND a.academic_term_id = " + term
			}
			if id := at.Query().Get("task"); id != "" {
				sql += " AND k.template_id = " + id
			}
			if status := at.Query()["status"]; status != nil {
				sql += " AND k.status IN ('" + strings.Join(status, "','") + "')"
			}
			if n := fmt.Sprint(i.Number(sql)); n != want {
				t.Errorf("%s has %s, the matrix says %s", sql, n, want)
			}
		}
		if links.Length() < 8 {
			t.Errorf("term %s: only %d numbers: %s", term, links.Length(), page.Text(".matrix"))
		}
		if text := page.Text(".matrix"); term == "all" && !strings.Contains(text, "Scanned") ||
			strings.Contains(text, "checklist-") {
			t.Errorf("the titles are not in the matrix: %s", text)
		}
	}
}

// TestFilters narrows the list by each filter, says in chips by which, and leads back out of an empty list.
func TestFilters(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	i.Put("UPDATE task SET deadline = '2000-01-01' WHERE id % 2 = 0", "UPDATE task SET deadline = NULL WHERE id % 3 = 0")
	const from = " FROM task k JOIN application a ON a.id = k.application_id WHERE a.visible AND k.trashed IS NULL"
	today := servicestest.Began().Format(time.DateOnly)
	course := i.Number("SELECT course_id FROM application_course GROUP BY course_id ORDER BY count(*) DESC LIMIT 1")
	term := i.Number("SELECT a.academic_term_id" + from + " GROUP BY a.academic_term_id ORDER BY count(*) DESC LIMIT 1")
	template := i.Number("SELECT k.template_id" + from +
		" AND k.status = 'Accepted' GROUP BY k.template_id ORDER BY count(*) DESC LIMIT 1")
	of := fmt.Sprintf("&task=%d", template)
	for query, where := range map[string]string{
		"":                           "",
		fmt.Sprint("&term=", term):   fmt.Sprint(" AND a.academic_term_id = ", term),
		of:                           fmt.Sprint(" AND k.template_id = ", template),
		of + "&task=2":               fmt.Sprintf(" AND k.template_id IN (%d, 2)", template),
		"&status=Accepted":           " AND k.status = 'Accepted'",
		"&overdue=yes":               " AND k.deadline < '" + today + "' AND k.resolved IS NULL",
		"&due_to=2000-01-01":         " AND k.deadline <= '2000-01-01'",
		"&due_from=2000-01-02":       " AND k.deadline > '2000-01-01'",
		"&handed_in=no":              " AND k.committed IS NULL",
		"&handed_in=yes&resolved=no": " AND k.committed IS NOT NULL AND k.resolved IS NULL",
		fmt.Sprintf("&course=%d", course): fmt.Sprintf(` AND EXISTS (SELECT 1 FROM application_course c WHERE c.application_id = a.id
			AND c.course_id = %d)`, course),
		of + "&status=Accepted&resolved=yes": fmt.Sprint(" AND k.template_id = ", template) +
			" AND k.status = 'Accepted' AND k.resolved IS NOT NULL",
	} {
		all := "term=all"
		if strings.HasPrefix(query, "&term") {
			all, query = "", strings.TrimPrefix(query, "&")
		}
		page := v.Open("/admin/tasks?" + all + query)
		want := i.Number("SELECT count(*)" + from + where)
		if got := strings.ReplaceAll(listed(page), ",", ""); got != fmt.Sprint(want) || want == 0 {
			t.Errorf("%s has %s, want %d", page.Path, got, want)
		}
		if chips := page.Find(".chips .chip").Length(); query != "" && all != "" && chips == 0 {
			t.Errorf("%s has no chip", page.Path)
		}
	}
	first := v.Open("/admin/tasks?term=all&size=25")
	next := first.Find(`.pager a[rel=next]`).AttrOr("href", "")
	if next == "" {
		next = "/admin/tasks?term=all&size=25&page=2"
	}
	ids := func(p *sitetest.Page) (list []string) {
		for _, a := range p.Find(`.list form td a[href*="/tasks/"], .list table:not(.matrix) td a[href*="/tasks/"]`).EachIter() {
			list = append(list, pathOf(a.AttrOr("href", "")))
		}
		return list
	}
	want := strings.Fields(i.Lines("SELECT '/admin/applications/' || k.application_id || '/tasks/' || k.id" + from +
		" ORDER BY coalesce(k.deadline, '9999-12-31'), k.id LIMIT 50"))
	if got := append(ids(first), ids(v.Open(next))...); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the list begins with\n%v, want\n%v", got, want)
	}
	for query, want := range map[string]string{"due_from=soon": "Write the day as 2027-04-18",
		"handed_in=perhaps": "Choose one of the list", "task=x": "Choose one of the list",
		"course=-1": "Choose one of the list", "due_to=2027-02-30": "Write the day as 2027-04-18"} {
		page := v.Open("/admin/tasks?term=all&" + query)
		if text := page.Text("main"); listed(page) != "0" || !strings.Contains(text, want) ||
			!strings.Contains(text, "No tasks match") {
			t.Errorf("%s: %.600s", query, text)
		}
	}
	none := v.Open("/admin/tasks?term=all&status=No+such+status" + of)
	without := none.Find(fmt.Sprintf(`a[href="/admin/tasks?task=%d&term=all"]`, template))
	if without.Length() == 0 || !strings.Contains(none.Text(".empty"),
		fmt.Sprint("(", i.Number(fmt.Sprint("SELECT count(*)", from, " AND k.template_id = ", template)), ")")) {
		t.Errorf("no way out of the empty list: %s", none.Text(".empty"))
	}
}

// TestAddress gives an address without a term the reader's, and takes out what is empty.
func TestAddress(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	asked := func(p *sitetest.Page) url.Values {
		at, err := url.Parse(p.Path)
		i.Must(err)
		return at.Query()
	}
	term := asked(v.Open("/admin/tasks")).Get("term")
	if term == "" || term == "all" {
		t.Errorf("the list begins with the term %q", term)
	}
	if got := asked(v.Open("/admin/tasks?term=all&status=&task=2")).Encode(); got != "task=2&term=all" {
		t.Error(got)
	}
	page := v.Open("/admin/tasks?term=all&status=Accepted")
	if got := asked(page.Submit("Apply filters", "task", "2")); got.Get("task") != "2" ||
		got.Get("status") != "Accepted" || got.Get("term") != "all" {
		t.Errorf("the form leads to %v", got)
	}
}

// TestFewPermissions shows the list to those who may see applications, without what they may not open.
func TestFewPermissions(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	page := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView)).Open("/admin/tasks?term=all")
	if listed(page) == "0" || page.Find(`.list a[href^="/admin/applicants/"]`).Length() > 0 ||
		page.Find(".bulk button").Length() > 0 {
		t.Errorf("a reader sees %.600s", page.Text("main"))
	}
	if page := i.Staff(i.Administrator("Ama Berg",
		admitto.ApplicantsView)).Open("/admin/tasks?term=all"); page.Status != 403 {
		t.Errorf("without the permission: %d", page.Status)
	}
}

// TestNone says what will appear in an empty list, and offers what comes next.
func TestNone(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("DELETE FROM task")
	page := i.Staff(i.Superuser("Mara Lind")).Open("/admin/tasks?term=all")
	if text := page.Text(".empty"); !strings.Contains(text, "No tasks yet") ||
		!strings.Contains(text, "Tasks appear here when") ||
		page.Find(".empty a").Length() == 0 || page.Find(".matrix").Length() > 0 {
		t.Errorf("%.600s", page.Text("main"))
	}
}
