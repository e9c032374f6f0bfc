package admin_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// browsePages are the dashboard, the applications browser and the search in their states.
func browsePages(i *sitetest.Instance) []uitest.Page {
	owner := i.Superuser("Hana Yildiz")
	staff := i.Cookie(accounts.Administration, owner)
	few := i.Cookie(accounts.Administration, i.Administrator("Kofi Haugen", admitto.ApplicantsView))
	for name, who := range map[string]string{"Decided, without officer": "all",
		"To be answered this week, oldest first": "me"} {
		i.Staff(owner).Open("/admin/applications/keep?query=officer%3Dnobody%26term%3Dall").Submit("Keep view", "name", name, "who", who)
	}
	return []uitest.Page{
		{Name: "browse-keep", Path: "/admin/applications/keep?query=officer%3Dnobody%26status%3DSubmitted%26term%3Dall", Cookie: staff},
		{Name: "browse-view", Path: "/admin/views/applications/1", Cookie: staff},
		{Name: "browse-view-remove", Path: "/admin/views/applications/1/remove", Cookie: staff},
		{Name: "browse-dashboard", Path: "/admin/", Cookie: staff},
		{Name: "browse-dashboard-few", Path: "/admin/", Cookie: few},
		{Name: "browse-applications", Path: "/admin/applications", Cookie: staff},
		{Name: "browse-filtered", Path: "/admin/applications?term=all&status=Submitted&status=Draft&officer=nobody&" +
			"decision=Final&created_since=yesterday&text=no+such+name", Cookie: staff},
		{Name: "browse-columns", Path: "/admin/applications?term=all&size=25&column=applicant_id&column=revised&column=flags", Cookie: staff},
		{Name: "browse-applicants", Path: "/admin/applicants?size=25&column=phone&column=trackers&column=reference", Cookie: staff},
		{Name: "browse-none", Path: "/admin/applicants?text=nobody-has-this&lead=no", Cookie: staff},
		{Name: "browse-card", Path: "/admin/applicants/6?list=order%3Ddown", Cookie: staff},
		{Name: "browse-start", Path: "/admin/applicants/6/start", Cookie: staff},
		{Name: "browse-search", Path: "/admin/search?q=an", Cookie: staff},
		{Name: "browse-search-empty", Path: "/admin/search?q=xyzzy", Cookie: staff},
	}
}

// TestLongTermInBrowser has a term whose name is long and cannot be broken at a space: the frame that every page has
// keeps its search field and the menu of the person, also on a telephone.
func TestLongTermInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	i.Put("UPDATE academic_term SET name = '" + strings.Repeat("Wintersemester", 7) + "'")
	page := uitest.Page{Name: "browse-long-term", Path: "/admin/intakes", Cookie: staff}
	b := uitest.Open(t, i)
	tab := b.Desk(t, page)
	if wide, _, _ := strings.Cut(tab.Shape(".top .search"), "x"); len(wide) < 3 {
		t.Errorf("the search field is %s px wide", wide)
	}
	uitest.Check(t, i, page)
}

// TestBulkBarInBrowser shows each action of a list on one line, however much of the first line of them others take.
func TestBulkBarInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	b := uitest.Open(t, i)
	for _, path := range []string{"/admin/applications?term=all", "/admin/applications?term=all&status=Submitted"} {
		tab := b.Desk(t, uitest.Page{Name: "bulk", Path: path, Cookie: staff})
		_, line, _ := strings.Cut(tab.Shape(".bulk button[value=flag]"), "x")
		for _, action := range []string{".bulk button[value=take]", ".bulk button[value=message]", ".bulk .menu summary"} {
			if _, high, _ := strings.Cut(tab.Shape(action), "x"); high != line {
				t.Errorf("%s: %s is %s px high instead of %s", path, action, high, line)
			}
		}
	}
}
