package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestApplicantPages looks at the pages about applicants in a browser: full, empty, refused, and with long
// names.
func TestApplicantPages(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	mara := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	rich := i.Number("SELECT applicant_id FROM application GROUP BY applicant_id ORDER BY count(*) DESC, applicant_id LIMIT 1")
	bare := i.Number("SELECT max(id) FROM applicant") // 60th
	long := rich + 1
	name := strings.Repeat("Maximiliane-Alexandra ", 13)
	i.Put(fmt.Sprintf("DELETE FROM applicant_photo WHERE applicant_id IN (%d, %d)", rich, long),
		fmt.Sprintf("UPDATE applicant SET given = '%s', family = 'سارة <script>alert(1)</script>', state = 'blocked', "+
			"unconfirmed = TRUE, lead = TRUE WHERE id = %d", name, long),
		fmt.Sprintf("INSERT INTO note (id, applicant_id, created, colour, pinned, collapsed, text) VALUES "+
			"(9001, %[1]d, 1772000000000000, 'Violet', TRUE, FALSE, 'She calls again on Monday.'), "+
			"(9002, %[1]d, 1772000000000000, 'Green', FALSE, FALSE, 'Met at the fair in Porto.\nWants a scholarship.')", rich))
	at := func(id int64, tab string) string { return fmt.Sprintf("/admin/applicants/%d%s", id, tab) }
	var pages []uitest.Page
	add := func(name, path string) {
		pages = append(pages, uitest.Page{Name: "applicant-" + name, Path: path, Cookie: mara})
	}
	for _, tab := range []string{"", "applications", "emails", "invoices", "consents", "notes", "history"} {
		path := tab
		if tab != "" {
			path = "/" + tab
		}
		add("tab-"+tab, at(rich, path))
		if tab == "applications" || tab == "notes" || tab == "invoices" {
			add("empty-"+tab, at(bare, path))
		}
	}
	add("long", at(long, ""))
	add("list", "/admin/applicants?size=25")
	add("list-filtered", "/admin/applicants?lead=no&blocked=no&from=2024-01-01&sort=applicant&size=25")
	add("list-none", "/admin/applicants?text=nobody-has-this&from=tomorrow")
	add("add", "/admin/applicants/new")
	add("edit", at(rich, "/edit"))
	add("trackers", at(rich, "/trackers"))
	add("reference", at(rich, "/reference"))
	add("delete", at(long, "/delete"))
	staff := i.Staff(i.Superuser("Jon Berg"))
	ask := func(id int64) { staff.Open(at(id, "/data")).Submit("Make the file") }
	ask(rich)
	i.Must(i.Services.Privacy.MakeDataExports(t.Context(), admitto.SystemCaller()))
	ask(long)
	add("data", at(bare, "/data"))
	add("data-ready", at(rich, "/data"))
	add("data-running", at(long, "/data"))
	uitest.Check(t, i, pages...)
}
