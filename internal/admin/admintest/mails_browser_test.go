package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestMailPages looks at the pages of mails in a browser.
func TestMailPages(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	id := i.Number("SELECT application_id FROM email WHERE application_id IS NOT NULL GROUP BY application_id ORDER BY count(*) DESC, application_id LIMIT 1")
	failed := i.Number("SELECT max(id) FROM email WHERE application_id = $1", id)
	general := i.Number("SELECT min(e.id) FROM email e JOIN application a ON a.applicant_id = e.applicant_id WHERE e.application_id IS NULL AND a.id = $1", id)
	i.Put(fmt.Sprintf("UPDATE email SET delivered = NULL, failed = 1775000000000000, tries = 51, reply = '550 5.1.1 <%s@example.org>: "+
		"Recipient address rejected: User unknown in virtual mailbox table' WHERE id = %d",
		strings.Repeat("averylongname", 12), failed),
		fmt.Sprintf("INSERT INTO email_attachment (id, email_id, uploaded, name, mime, size, hash) "+
			"VALUES (99001, %d, 1, '%s.pdf', 'application/pdf', 7, 'aa')", failed, strings.Repeat("Letter of admission ", 8)),
		fmt.Sprintf("UPDATE email SET delivered = NULL, failed = NULL, tries = 3, reply = '451 4.7.1 Greylisted, try again later' WHERE id = %d", general),
		fmt.Sprintf("UPDATE email SET failed = delivered, reply = 'archive@example.edu: 550' WHERE application_id = %d AND id = "+
			"(SELECT min(id) FROM email WHERE application_id = %d)", id, id))
	empty := i.Number("SELECT max(id) FROM application WHERE visible AND applicant_id <> (SELECT applicant_id FROM application WHERE id = $1)", id)
	i.Put(fmt.Sprintf("DELETE FROM email WHERE applicant_id = (SELECT applicant_id FROM application WHERE id = %d)",
		empty))
	var pages []uitest.Page
	for name, path := range map[string]string{
		"list":       fmt.Sprintf("/admin/applications/%d/emails", id),
		"empty":      fmt.Sprintf("/admin/applications/%d/emails", empty),
		"failed":     fmt.Sprintf("/admin/applications/%d/emails/%d", id, failed),
		"write":      fmt.Sprintf("/admin/messages/new?application=%d&start=template", id),
		"all-failed": "/admin/emails",
		"nobody":     "/admin/messages/new",
		"delayed":    fmt.Sprintf("/admin/applications/%d/emails/%d", id, general),
	} {
		pages = append(pages, uitest.Page{Name: "mail-" + name, Path: path, Cookie: staff})
	}
	uitest.Check(t, i, pages...)
}
