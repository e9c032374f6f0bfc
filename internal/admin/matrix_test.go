package admin_test

import (
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestMatrix requests every page and action as every built-in role, as somebody with each single permission, and as
// somebody with none.
func TestMatrix(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	visitors, may := map[string]*sitetest.Visitor{}, map[string]admitto.Permissions{}
	for _, role := range admitto.BuiltInRoles() {
		visitors[role.Code], may[role.Code] = i.Staff(i.WithRole("Role "+role.Code, role.ID)), role.Permissions
	}
	for _, p := range admitto.AllPermissions().List() {
		visitors[p.String()], may[p.String()] = i.Staff(i.Administrator("Only "+p.String(), p)), admitto.PermissionsOf(p)
	}
	visitors["none"], may["none"] = i.Staff(i.Administrator("No one")), 0
	i.Matrix(i.Admin, visitors, may)
}

// TestCrawl opens every page that a superuser reaches, with data that try to become markup.
func TestCrawl(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Poison()
	i.Staff(i.Superuser("Mara Lind")).Crawl("/admin/", func(p *sitetest.Page) { sitetest.Harmless(t, p) })
}
