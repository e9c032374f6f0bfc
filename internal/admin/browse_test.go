package admin_test

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store/storetest"
)

// leading is a number at the beginning of words.
var leading = regexp.MustCompile(`^[0-9,]+`)

// counted is what a list of applications says that it has.
func counted(p *sitetest.Page) string { return leading.FindString(p.Text(".list header strong")) }

// TestPaneCounts compares the counts of the pane with the lists of the term and that one filter.
func TestPaneCounts(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for _, term := range apptest.Every(3, []string{"all", "1", "2"}) {
		list := "/admin/applications?term=" + term
		page := v.Open(list)
		for _, s := range page.Find("#filters .choice").EachIter() {
			box := s.Find("input")
			want := strings.TrimSpace(s.Find(".num").Text())
			if want == "" {
				continue
			}
			address := list + "&" + box.AttrOr("name", "") + "=" + box.AttrOr("value", "")
			if got := counted(v.Open(address)); got != want {
				t.Errorf("%s has %s, the pane says %s", address, got, want)
			}
		}
		links := page.Find(".facets a")
		if term == "all" && links.Length() == 0 {
			t.Error("the pane has no counts of offers")
		}
		for _, s := range links.EachIter() {
			address := s.AttrOr("href", "")
			if got, want := counted(v.Open(address)), leading.FindString(s.Text()); got != want {
				t.Errorf("%s has %s, the pane says %s", address, got, want)
			}
		}
	}
	page := i.Staff(i.Administrator("Vera Holt", admitto.ApplicationsView)).Open("/admin/applications?term=all")
	if page.Find(".facets, [name=offer], [name=tracker], [name=unpaid], .offers .dot").Length() > 0 || page.Status != 200 {
		t.Errorf("%d: somebody without offers-view sees offers: %s", page.Status, page.Text(".filters"))
	}
}

// TestDashboardNumbers compares the numbers of the dashboard with the lists behind them.
func TestDashboardNumbers(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	who := i.Superuser("Mara Lind")
	i.Put(fmt.Sprintf("UPDATE application SET officer_id = %d WHERE id > 40", who),
		"UPDATE offer SET decision_deadline = '2026-03-20' WHERE decision = 'None' AND confirmed IS NOT NULL")
	page := i.Staff(who).Open("/admin/")
	intakes := 0
	for _, a := range page.Find(".panels .timeline a").EachIter() {
		to := a.AttrOr("href", "")
		if got := i.Staff(who).Open(to); strings.Contains(to, "intake=") && got.Status == 200 {
			intakes++
		}
	}
	if intakes == 0 {
		t.Errorf("no deadline ahead leads to its applications: %s", page.Text(".panels .timeline"))
	}
	due := map[string]bool{}
	for _, event := range page.Find(".panels .timeline li").EachIter() {
		to := event.Find("a").AttrOr("href", "")
		for _, filter := range []string{"answer_from=", "due_from="} {
			if !strings.Contains(to, filter) {
				continue
			}
			due[filter] = true
			if got := counted(i.Staff(who).Open(to)); got == "" || !strings.Contains(event.Text(), got) {
				t.Errorf("%s has %s, the dashboard says %s", to, got, event.Text())
			}
		}
	}
	if len(due) < 2 {
		t.Errorf("only %v lead to their lists: %s", due, page.Text(".panels .timeline"))
	}
	seen := 0
	check := func(address, want string) {
		t.Helper()
		if !strings.HasPrefix(address, "/admin/applications?") {
			return
		}
		seen++
		if got := counted(i.Staff(who).Open(address)); got != want {
			t.Errorf("%s has %s, the dashboard says %s", address, got, want)
		}
	}
	for _, s := range page.Find(".numbers a").EachIter() {
		check(s.AttrOr("href", ""), strings.TrimSpace(s.Find("b").Text()))
	}
	for _, s := range page.Find(".bars tbody tr").EachIter() {
		check(s.Find("th a").AttrOr("href", ""), strings.TrimSpace(s.Find("td.num").First().Text()))
		for _, a := range s.Find("td a").EachIter() {
			check(a.AttrOr("href", ""), strings.TrimSpace(a.Text()))
		}
	}
	for _, a := range page.Find(".kv a").EachIter() {
		check(a.AttrOr("href", ""), strings.TrimSpace(a.Text()))
	}
	if seen < 20 {
		t.Errorf("only %d numbers lead to lists", seen)
	}
	for n, a := range page.Find(".dash a[href]").EachIter() { // the other lists, too
		if n%apptest.Size(4, 1) > 0 {
			continue
		}
		if to := a.AttrOr("href", ""); i.Staff(who).Open(to).Status != 200 {
			t.Errorf("the dashboard leads to %s, which does not open", to)
		}
	}
	for _, plot := range []string{"Applications per day", "Funnel", "Citizenship", "Offers by type", "Tasks"} {
		if !strings.Contains(page.Text(".panels"), plot) {
			t.Errorf("the dashboard has no %s", plot)
		}
	}
	if got := i.Staff(i.Administrator("No One")).Open("/admin/"); got.Find(".panel").Length() != 1 ||
		got.Text(".panel h2") != "My work" {
		t.Errorf("somebody without permissions sees %s", got.Text(".dash"))
	}
}

// TestBrowseAddress makes the address the whole view.
func TestBrowseAddress(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	page := v.Open("/admin/applications?text=&status=Submitted")
	if !regexp.MustCompile(`^/admin/applications\?status=Submitted&term=[0-9]+$`).MatchString(page.Path) {
		t.Error(page.Path)
	}
	address := "/admin/applications?order=up&size=25&sort=applicant&status=Submitted&status=Closed&term=all"
	page = v.Open(address)
	again := v.Open(address)
	if page.Path != address || page.Text("table") != again.Text("table") || page.Find("tbody tr").Length() != 25 ||
		page.Find("th[aria-sort=ascending]").Length() != 1 || page.Find(".chip").Length() != 2 {
		t.Errorf("%s: %s", page.Path, page.Text(".list"))
	}
	form := sitetest.Typed(page.Find("#filters"))
	if form.Get("size") != "25" || form.Get("sort") != "applicant" ||
		!slices.Equal(form["status"], []string{"Submitted", "Closed"}) {
		t.Errorf("the form of filters sends %v", form)
	}
	// One value of a list that the address has several of stays when the form is sent.
	form = sitetest.Typed(v.Open("/admin/applications?term=all&flag=1&flag=2").Find("#filters"))
	if len(form["flag"]) != 2 {
		t.Errorf("the form of filters sends %v", form["flag"])
	}
	all := counted(v.Open("/admin/applications?term=all"))
	page = v.Open("/admin/applications?term=all&text=nobody+has+this")
	if page.Text(".empty h2") != "No applications match" || !strings.Contains(page.Text(".empty"), "("+all+")") {
		t.Errorf("%s", page.Text("main"))
	}
	// A filter that cannot be read matches nothing, and does not become a list of everything.
	for _, path := range []string{"/admin/applications?term=all&", "/admin/applications.csv?term=all&"} {
		for _, bad := range []string{"created_since=yesterday", "refused_to=2026-02-30", "submitted=maybe", "quota=1"} {
			page = v.Open(path + bad)
			if page.Text(".empty h2") != "No applications match" || !strings.Contains(page.Text(".empty"), "("+all+")") ||
				strings.Contains(bad, "_") && !strings.Contains(page.Text(".filters .error"), "Write the day as") {
				t.Errorf("%s%s: %s", path, bad, page.Text("main"))
			}
		}
	}
	for _, bad := range []string{"term=x", "term=99", "status=%22%3E%3Cscript%3Ealert", "course=a&course=b",
		"page=999999999",
		"officer=-1", "created_since=0000-00-00", "refused_to=9999-12-31", "submitted=maybe", "offer=1&decision=Never"} {
		if p := v.Open("/admin/applications?" + bad); p.Status != 200 {
			t.Errorf("%s is answered with %d: %s", bad, p.Status, p.Text("main"))
		}
	}
}

// TestBrowseCSV has the rows of the list in its order, safe for spreadsheets.
func TestBrowseCSV(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE applicant SET given = '=cmd'")
	v := i.Staff(i.Superuser("Mara Lind"))
	query := "?order=up&sort=applicant&status=Inactive&status=Submitted&term=all"
	var want []string
	for _, s := range v.Open("/admin/applications" + query).Find("tbody tr td.meta").EachIter() {
		want = append(want, strings.TrimSpace(s.Text()))
	}
	file := v.Open("/admin/applications.csv" + query)
	rows, err := csv.NewReader(strings.NewReader(file.Body)).ReadAll()
	if err != nil || file.Header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Fatal(err, file.Header)
	}
	var got []string
	for _, row := range rows[1:] {
		if got = append(got, row[0]); !strings.HasPrefix(row[1], "'=cmd") {
			t.Errorf("a formula came through: %q", row)
		}
	}
	if !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("the file has %v, the list %v", got, want)
	}
}

// TestSearch finds IDs, parts of addresses, and names in any order and without accents.
func TestSearch(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	all := i.Staff(i.Superuser("Mara Lind"))
	for q, want := range map[string]string{"57": "József Antal", "applicant 57": "József Antal",
		"jozsef.ant":   "József Antal",
		"Antal József": "József Antal", "jozsef antal": "József Antal", "ECO-BSC": "Economics and Finance"} {
		page := all.Open("/admin/search?q=" + strings.ReplaceAll(q, " ", "+"))
		if first := strings.TrimSpace(page.Find("tbody tr td.main bdi").First().Text()); first != want &&
			page.Find("h1").Text() == "Search" {
			t.Errorf("%q finds %q first: %s", q, first, page.Text("main"))
		}
	}
	i.Put("UPDATE applicant SET phone = '+36 1 555 40 73' WHERE id = 57")
	if err := i.Store.IndexApplicants(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"5554073", "4073", "555+40"} {
		if page := all.Open("/admin/search?q=" + part); !strings.Contains(page.Text("main"), "Antal") {
			t.Errorf("%s finds %s", part, page.Text("main"))
		}
	}
	if page := all.Open("/admin/search?q=xyzzy"); !strings.Contains(page.Text(".empty"), "Nothing found for “xyzzy”") {
		t.Error(page.Text("main"))
	}
	if page := all.Open("/admin/search?q=x"); !strings.Contains(page.Text(".empty"), "at least two characters") {
		t.Error(page.Text("main"))
	}
	if page := i.Staff(i.Administrator("No One")).Open("/admin/search?q=57"); strings.Contains(page.Text("main"),
		"Antal") {
		t.Errorf("somebody without permissions finds %s", page.Text("main"))
	}
}

// TestChooseTerm keeps the term that lists begin with, for each person.
func TestChooseTerm(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v, other := i.Staff(i.Superuser("Mara Lind")), i.Staff(i.Superuser("Vera Holt"))
	before := other.Open("/admin/applications").Path
	page := v.Open("/admin/applications?status=Closed&term=all").Submit("Spring semester 2025/26")
	if page.Path == before || !strings.Contains(page.Path, "status=Closed&term=") {
		t.Error(page.Path)
	}
	term := page.Path[strings.Index(page.Path, "term="):]
	if p := v.Open("/admin/applications").Path; !strings.HasSuffix(p, term) {
		t.Errorf("the list begins with %s, chosen was %s", p, term)
	}
	if p := other.Open("/admin/applications").Path; p != before {
		t.Errorf("the term of somebody else became %s", p)
	}
	form := sitetest.Typed(v.Open("/admin/applications").Find("form[method=post]").First())
	if p := v.Post("/admin/term/999", form); p.Status != 404 {
		t.Errorf("a term that there is not is answered with %d", p.Status)
	}
}

// TestNothingYet opens the pages without data.
func TestNothingYet(t *testing.T) {
	t.Parallel()
	i := sitetest.On(servicestest.OnFile(t, storetest.Migrated))
	v := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
	if page := v.Open("/admin/"); page.Status != 200 ||
		!strings.Contains(page.Text(".panels"), "Before applications can come") {
		t.Errorf("%d: %s", page.Status, page.Text("main"))
	}
	if page := v.Open("/admin/applications"); page.Path != "/admin/applications?term=all" ||
		page.Text(".empty h2") != "No applications yet" {
		t.Errorf("%d: %s", page.Status, page.Text("main"))
	}
	if page := v.Open("/admin/search"); page.Status != 200 || page.Text(".empty h2") != "What are you looking for?" {
		t.Error(page.Text("main"))
	}
}
