package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestImportsInBrowser looks at the pages of imports: none, a file and its columns, a dry run, one under way, one that
// is done, and what is asked before it is undone or discarded.
func TestImportsInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	ada := i.Superuser("Ada Boss")
	staff := i.Cookie(accounts.Administration, ada)
	page := func(name, path string) uitest.Page {
		return uitest.Page{Name: "import-" + name, Path: path, Cookie: staff}
	}
	uitest.Check(t, i, page("none", "/admin/imports"))
	v := i.Staff(ada)
	uploads := 0
	uploaded := func() string {
		uploads++
		lines := []string{"First name;Last name;E-mail;Country;Phone;What they want to study"}
		for n := range 70 {
			lines = append(lines, fmt.Sprintf("Eva;Internationale Studieninteressierte No%d;"+
				"eva.internationale.studieninteressierte%d@fair%d.example.org;DE;+49 30 12345%02d;Physics", n, n%65, uploads, n))
		}
		lines = append(lines, "Bo;;bob;Utopia;call me;", ";Wu;cyd@@example.org;;;")
		return v.Open("/admin/imports/new").Submit("Upload", "rows", strings.Join(lines, "\n")).Path
	}
	at := func(options string) string { return strings.TrimSuffix(options, "/options") }
	ready := func() string {
		path := uploaded()
		v.Open(path).Submit("Check the rows", "basis", "Asked for news at the fair in Lisbon, lists signed",
			"tracker", fmt.Sprint(i.Number("SELECT min(id) FROM tracker")))
		return at(path)
	}
	job := func() { i.Must(i.Services.Leads.Run(t.Context(), admitto.SystemCaller())) }
	done, undone := ready(), ready()
	for _, path := range []string{done, undone} {
		v.Open(path).Submit(v.Open(path).Find("#import-start").Text())
		job()
	}
	v.Open(undone + "/undo").Submit("Undo the import")
	job()
	running, other := ready(), ready()
	v.Open(running).Submit(v.Open(running).Find("#import-start").Text())
	i.Put("UPDATE lead_import SET lease_until = 9000000000000000 WHERE state = 'running'")
	uitest.Check(t, i, page("list", "/admin/imports"), page("new", "/admin/imports/new"), page("columns", uploaded()),
		page("ready", other), page("wrong", other+"?state=wrong"), page("running", running), page("done", done),
		page("undone", undone), page("discard", other+"/discard"), page("undo", done+"/undo"))
}
