package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestCardPages looks at the card in a browser.
func TestCardPages(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	one := func(where string) int64 {
		return i.Number("SELECT id FROM application WHERE visible AND " + where + " ORDER BY id DESC LIMIT 1")
	}
	draft, submitted, closed := one("status = 'Draft'"), one("status = 'Submitted'"), one("status = 'Closed'")
	i.Put(fmt.Sprintf("UPDATE applicant SET given = '%s', family = 'سارة <script>alert(1)</script>' WHERE id = "+
		"(SELECT applicant_id FROM application WHERE id = %d)", strings.Repeat("Maximiliane-Alexandra ", 13), closed))
	twice := i.Number("SELECT a.id FROM application a WHERE a.visible AND a.status = 'Submitted' AND (SELECT count(*) FROM application_course c " +
		"WHERE c.application_id = a.id) > 1 ORDER BY a.id DESC LIMIT 1")
	now := i.Number("SELECT o.id FROM offer o JOIN application a ON a.id = o.application_id AND a.status = 'Submitted' JOIN academic_term x " +
		"ON x.id = a.academic_term_id WHERE x.grace > '2026-04-01' ORDER BY o.id LIMIT 1")
	i.Put(fmt.Sprintf("UPDATE offer SET type_id = (SELECT id FROM offer_type WHERE title = 'Accepted'), decision_policy = 'Required', "+
		"subject = 'Your place in %%course-FullName%%', comments = 'Dear %%applicant-GivenName%%,\n\n*we are glad* to offer you a place in "+
		"%%course-FullName%%.\n\n* a copy of your diploma\n* proof of English\n\nPlease answer at %%offer-Link%% by %%offer-DecisionDeadline%%.', "+
		"saved = confirmed + 1 WHERE id = %d", now), "UPDATE course SET quota = 40",
		fmt.Sprintf("INSERT INTO offer_attachment (offer_id, uploaded, name, mime, size, hash) VALUES (%[1]d, 1, 'Letter-7.pdf', "+
			"'application/pdf', 41000, 'a'), (%[1]d, 1, 'House rules of the residence halls and the way there.pdf', 'application/pdf', 9000, 'b')", now))
	i.Put(fmt.Sprintf("UPDATE application SET status = 'Reopened' WHERE id = %d", twice))
	attention := i.Number("SELECT id FROM application WHERE visible AND status = 'Submitted' AND id < $1 ORDER BY id DESC LIMIT 1", submitted)
	i.Put(fmt.Sprintf(`UPDATE application_content SET content = '{"profile":{"name":{"given":"Ana"}},"attention":{"profile/birth/date":"someday",
		"profile/gender":"nonsense"}}' WHERE application_id = %d`, attention))
	offer := fmt.Sprintf("/admin/offers/%d", now)
	pages := []uitest.Page{{Name: "card-submitted", Cookie: staff,
		Path: fmt.Sprintf("/admin/applications/%d?list=term%%3Dall", submitted)}}
	for name, path := range map[string]string{
		"draft":        fmt.Sprintf("/admin/applications/%d", draft),
		"long":         fmt.Sprintf("/admin/applications/%d", closed),
		"submit":       fmt.Sprintf("/admin/applications/%d/submit", draft),
		"extend":       fmt.Sprintf("/admin/applications/%d/extend", draft),
		"close":        fmt.Sprintf("/admin/applications/%d/close", submitted),
		"withdraw":     fmt.Sprintf("/admin/applications/%d/withdraw", submitted),
		"refused":      fmt.Sprintf("/admin/applications/%d/reopen", closed),
		"form":         fmt.Sprintf("/admin/applications/%d/form/profile", draft),
		"whole":        fmt.Sprintf("/admin/applications/%d/form/all", submitted),
		"rows":         fmt.Sprintf("/admin/applications/%d/form/education", submitted),
		"form-edit":    fmt.Sprintf("/admin/applications/%d/form/profile/edit", attention),
		"form-row":     fmt.Sprintf("/admin/applications/%d/form/education/rows/1", submitted),
		"form-misc":    fmt.Sprintf("/admin/applications/%d/form/misc/edit", submitted),
		"form-remove":  fmt.Sprintf("/admin/applications/%d/form/education/rows/1/remove", submitted),
		"form-changes": fmt.Sprintf("/admin/applications/%d/form/changes", submitted),
		"courses":      fmt.Sprintf("/admin/applications/%d/courses", submitted),
		"tasks":        fmt.Sprintf("/admin/applications/%d/tasks", submitted),
		"invoices":     fmt.Sprintf("/admin/applications/%d/invoices", draft),
		"history":      fmt.Sprintf("/admin/applications/%d/history", submitted),
		"officer":      fmt.Sprintf("/admin/applications/%d/officer", submitted),
		"flags":        fmt.Sprintf("/admin/applications/%d/flags", submitted),
		"offer":        offer, "offer-confirm": offer + "/confirm", "offer-decision": offer + "/decision",
		"offer-decided": offer + "/decided", "offer-score": offer + "/score",
		"offer-course-add": fmt.Sprintf("/admin/applications/%d/courses/add", submitted),
		"offer-courses":    fmt.Sprintf("/admin/applications/%d/courses", twice),
	} {
		pages = append(pages, uitest.Page{Name: "card-" + name, Path: path, Cookie: staff})
	}
	uitest.Check(t, i, append(pages, paperPages(i, staff)...)...)
}

// TestMorePages looks at the forms that lead from the card to something that is done, in a browser.
func TestMorePages(t *testing.T) {
	t.Parallel()
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
		"matriculate-no": fmt.Sprintf("/admin/offers/%d/matriculate",
			i.Number("SELECT max(o.id) FROM offer o JOIN offer_type t "+
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

// TestMenuOfActions opens the menu of what is seldom done, with scripts and without, by keyboard only, and goes from it
// to a question.
func TestMenuOfActions(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, _ := withOffer(d)
		page := uitest.Page{Name: "menu-of-actions", Path: "/admin/applications/11",
			Cookie: i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))}
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
