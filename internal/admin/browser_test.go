package admin_test

import (
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestPages looks at every page in a browser.
func TestPages(t *testing.T) {
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	uitest.Check(t, i,
		uitest.Page{Name: "sign-in", Path: "/admin/sign-in"},
		uitest.Page{Name: "dashboard", Path: "/admin/", Cookie: staff},
		uitest.Page{Name: "missing", Path: "/admin/missing", Cookie: staff, Fails: true},
	)
}
