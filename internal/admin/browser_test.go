package admin_test

import (
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestPages looks at every page in a browser.
func TestPages(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	i.Key()
	all, pages := accountPages(t, i)
	pages = append(pages, browsePages(i)...)
	pages = append(pages, settingsPages(staff)...)
	uitest.Check(t, all, append(pages,
		uitest.Page{Name: "staff-sign-in", Path: "/admin/sign-in"},
		uitest.Page{Name: "applicant", Path: "/admin/applicants/1", Cookie: staff},
		uitest.Page{Name: "api-keys", Path: "/admin/api-keys", Cookie: staff},
		uitest.Page{Name: "api-key-new", Path: "/admin/api-keys/new", Cookie: staff},
		uitest.Page{Name: "api-key", Path: "/admin/api-keys/1", Cookie: staff},
		uitest.Page{Name: "api-key-roll", Path: "/admin/api-keys/1/roll", Cookie: staff},
		uitest.Page{Name: "api-key-revoke", Path: "/admin/api-keys/1/revoke", Cookie: staff},
		uitest.Page{Name: "missing", Path: "/admin/missing", Cookie: staff, Fails: true},
	)...)
}
