package admin_test

import (
	"os"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

func TestMain(m *testing.M) { os.Exit(apptest.Run(m)) }

// TestMatrix requests every page and action as every built-in role and as somebody with none, and in the long size as
// somebody with each single permission, too.
func TestMatrix(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	visitors, may := map[string]*sitetest.Visitor{}, map[string]admitto.Permissions{}
	for _, role := range admitto.BuiltInRoles() {
		visitors[role.Code], may[role.Code] = i.Staff(i.WithRole("Role "+role.Code, role.ID)), role.Permissions
	}
	for _, p := range apptest.Size(nil, admitto.AllPermissions().List()) {
		visitors[p.String()], may[p.String()] = i.Staff(i.Administrator("Only "+p.String(), p)), admitto.PermissionsOf(p)
	}
	visitors["none"], may["none"] = i.Staff(i.Administrator("No one")), 0
	i.Matrix(i.Admin, visitors, may)
}

// TestCrawlAsSuperuser opens a page of each kind that a superuser reaches, with data that try to become markup.
func TestCrawlAsSuperuser(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Poison()
	i.Staff(i.Superuser("Mara Lind")).Crawl("/admin/", 1,
		func(p *sitetest.Page) { sitetest.Harmless(t, p) })
}
