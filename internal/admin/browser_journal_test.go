package admin_test

import (
	"strconv"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestJournalPages looks at the pages of the journal in a browser: full, filtered, empty, refused, under way and
// broken.
func TestJournalPages(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	ada := i.Superuser("Ada Boss")
	staff := i.Cookie(accounts.Administration, ada)
	few := i.Cookie(accounts.Administration, i.Administrator("Kofi Haugen", admitto.JournalView))
	v := i.Staff(ada)
	rich := i.Number("SELECT applicant_id FROM application GROUP BY applicant_id ORDER BY count(*) DESC, applicant_id LIMIT 1")
	v.Open("/admin/applicants/"+strconv.FormatInt(rich, 10)+"/edit").Submit("Save", "skype",
		"wolfeschlegelsteinhausenbergerdorff-montgomery-of-northfield", "given", "Maria سارة")
	detail := "/admin/journal/" + strconv.FormatInt(i.Number("SELECT max(journal_id) FROM journal_detail"), 10)
	v.Open("/admin/journal/verify").Submit("Verify", "from", "1")
	i.Must(i.Services.Maintenance.RunJournalCheck(t.Context(), admitto.SystemCaller()))
	of := func(name, path string) uitest.Page {
		return uitest.Page{Name: "journal-" + name, Path: path, Cookie: staff}
	}
	uitest.Check(t, i, of("list", "/admin/journal?size=25"), of("filtered", "/admin/journal?event=group+Offers&event="+
		"Offer+was+edited%3A+3&actor=system&from=2025-01-01&size=25"), of("none", "/admin/journal?applicant=999999"),
		of("unread", "/admin/journal?from=tomorrow"), of("record", detail),
		of("query", "/admin/journal/query?event=group+Trackers&actor=system"), of("verify", "/admin/journal/verify"),
		uitest.Page{Name: "journal-list-few", Path: "/admin/journal?size=25", Cookie: few},
		uitest.Page{Name: "journal-record-few", Path: detail, Cookie: few})
}
