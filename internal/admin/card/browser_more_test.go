package card_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestMorePages looks at the forms that lead from the card to something that is done, in a browser.
func TestMorePages(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	submitted := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted'")
	reopened := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted' AND id < $1", submitted)
	i.Put(fmt.Sprintf("UPDATE application SET status = 'Reopened', reopened = 1775000000000000, reopen_until = '2026-06-12', reopen_text = '%s' "+
		"WHERE id = %d", "Please upload page 2 of your diploma. "+strings.Repeat("Supercalifragilistic", 10), reopened),
		fmt.Sprintf("UPDATE document SET unread = TRUE WHERE application_id = %d", reopened))
	final := i.Number("SELECT max(o.id) FROM offer o JOIN application a ON a.id = o.application_id JOIN applicant p ON p.id = a.applicant_id " +
		"WHERE o.decision = 'Final' AND p.matriculation = ''")
	again := i.Number("SELECT max(o.id) FROM offer o JOIN applicant p ON p.id = o.applicant_id WHERE o.decision = 'Final' AND p.matriculation <> ''")
	numbered(i, "%yearShort%-%incYearly:5%")
	var pages []uitest.Page
	for name, path := range map[string]string{
		"matriculate":     fmt.Sprintf("/admin/offers/%d/matriculate", final),
		"matriculate-new": fmt.Sprintf("/admin/offers/%d/matriculate", again),
		"matriculate-no": fmt.Sprintf("/admin/offers/%d/matriculate", i.Number("SELECT max(o.id) FROM offer o JOIN offer_type t "+
			"ON t.id = o.type_id WHERE o.decision = 'None' AND o.confirmed IS NULL")),
		"offer-final": fmt.Sprintf("/admin/offers/%d", final),
		"reopened":    fmt.Sprintf("/admin/applications/%d", reopened),
		"reopen":      fmt.Sprintf("/admin/applications/%d/reopen", submitted),
		"silence":     fmt.Sprintf("/admin/applications/%d/silence", submitted),
		"extended":    fmt.Sprintf("/admin/applications/%d/extend", submitted),
	} {
		pages = append(pages, uitest.Page{Name: "card-" + name, Path: path, Cookie: staff})
	}
	uitest.Check(t, i, pages...)
}

// TestMenuOfActions opens the menu of what is seldom done, with scripts and without, by keyboard only, and goes from it to
// a question.
func TestMenuOfActions(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, _ := withOffer(d)
		page := uitest.Page{Name: "menu-of-actions", Path: "/admin/applications/11", Cookie: i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))}
		b := uitest.Open(t, i)
		for _, scripts := range []bool{true, false} {
			tab := b.Tab(t, page, scripts)
			tab.Reach(".cardhead .menu > summary")
			tab.Enter()
			tab.Find(".cardhead .menu[open]")
			tab.Reach(`.cardhead .menu a[href$="/freeze"]`)
			tab.Enter()
			tab.Find("form.confirm")
			tab.At("/admin/applications/11/freeze")
		}
	})
}
