package card_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestMorePages looks at the forms that lead from the card to something that is done, in a browser.
func TestMorePages(t *testing.T) {
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	submitted := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted'")
	reopened := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted' AND id < $1", submitted)
	i.Put(fmt.Sprintf("UPDATE application SET status = 'Reopened', reopened = 1775000000000000, reopen_until = '2026-06-12', reopen_text = '%s' "+
		"WHERE id = %d", "Please upload page 2 of your diploma. "+strings.Repeat("Supercalifragilistic", 10), reopened),
		fmt.Sprintf("UPDATE document SET unread = TRUE WHERE application_id = %d", reopened))
	var pages []uitest.Page
	for name, path := range map[string]string{
		"reopened": fmt.Sprintf("/admin/applications/%d", reopened),
		"reopen":   fmt.Sprintf("/admin/applications/%d/reopen", submitted),
		"silence":  fmt.Sprintf("/admin/applications/%d/silence", submitted),
		"extended": fmt.Sprintf("/admin/applications/%d/extend", submitted),
	} {
		pages = append(pages, uitest.Page{Name: "card-" + name, Path: path, Cookie: staff})
	}
	uitest.Check(t, i, pages...)
}
