package admin_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestTableviewPages looks at the tableviews: the list, the builder new and full, with faults, as those see it who may
// see little, and one of somebody else.
func TestTableviewPages(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE applicant SET given = 'Maria Guadalupe Esperanza', family = 'Fernández-Villaverde y Ruiz de Alarcón' WHERE id % 5 = 0")
	hana := i.Superuser("Hana Yildiz")
	staff := i.Cookie(accounts.Administration, hana)
	few := i.Cookie(accounts.Administration, i.WithRole("Kofi Haugen", 5))
	one := putTableview(i, hana, admitto.Tableview{Title: "Submitted, with their courses",
		Filters: `{"statuses":["Submitted"]}`},
		"Application", "Name", "Citizenship", "E-mail", "Course 1: Code", "Course 1", "Submitted date", "Invoices due",
		"Score: A sheet that is gone")
	uitest.Check(t, i, uitest.Page{Name: "tableviews-list", Path: "/admin/tableviews", Cookie: staff},
		uitest.Page{Name: "tableviews-new", Path: "/admin/tableviews/new?status=Submitted&course=1&term=all",
			Cookie: staff},
		uitest.Page{Name: "tableviews-one", Path: fmt.Sprintf("/admin/tableviews/%d", one), Cookie: staff},
		uitest.Page{Name: "tableviews-few", Path: fmt.Sprintf("/admin/tableviews/%d", one), Cookie: few},
		uitest.Page{Name: "tableviews-few-new", Path: "/admin/tableviews/new", Cookie: few})
}

// TestTableviewByKeyboard builds a tableview by keyboard only: the rows follow what is typed where scripts run, and the
// button Preview shows them where none do.
func TestTableviewByKeyboard(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	browser, hana := uitest.Open(t, i), i.Superuser("Hana Yildiz")
	for _, scripts := range []bool{true, false} {
		name := fmt.Sprint("Typed ", scripts)
		tab := browser.Tab(t, uitest.Page{Name: fmt.Sprint("keys-tableview-", scripts), Path: "/admin/tableviews",
			Cookie: i.Cookie(accounts.Administration, hana)}, scripts)
		tab.Reach(`main a[href="/admin/tableviews/new"]`)
		tab.Enter()
		tab.Find("#f-title")
		tab.Reach("#f-title")
		tab.Write(name)
		tab.Reach(`.ordered li:first-child button[value=down-0]`)
		tab.Enter()
		tab.Find(`.ordered li:first-child [value=Name]`)
		tab.Reach(".ordered li:first-child input[type=text]")
		tab.Write("Who ")
		if scripts {
			tab.Find("#preview th:first-child")
		} else {
			tab.Reach(`button[value=preview]`)
			tab.Enter()
		}
		tab.Text("#preview tbody tr:first-child td:nth-child(2) bdi")
		tab.Reach("main form .btn:not([name]):not(.primary)")
		tab.Enter()
		tab.Wait("h1", name)
	}
	if n := i.Number("SELECT count(*) FROM tableview WHERE title LIKE 'Typed %' AND columns LIKE '%Who%'"); n != 2 {
		t.Errorf("%d were built", n)
	}
}
