package admin_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
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

// TestCrawlAsSuperuser opens a page of each kind that a superuser reaches, with data that try to become markup and with
// names from right to left. Somebody with applications-score alone then requests all of the same addresses: nothing
// answers but what everybody who is signed in has, and the points of their sheets. In the long size only.
func TestCrawlAsSuperuser(t *testing.T) {
	t.Parallel()
	if !apptest.Long() {
		return // it opens hundreds of pages
	}
	i := sitetest.Filled(t)
	i.Poison()
	nameEverybody(i)
	names := 0
	addresses := i.Staff(i.Superuser("Mara Lind")).Crawl("/admin/", 1, func(p *sitetest.Page) {
		sitetest.Harmless(t, p)
		names += isolated(t, p)
	})
	if names < 50 {
		t.Errorf("the name stands on the pages of staff %d times", names)
	}
	reachAsScorer(t, i, addresses)
}

// reachAsScorer requests the addresses as somebody with applications-score alone, and those of points of a sheet that
// is not theirs.
func reachAsScorer(t *testing.T, i *sitetest.Instance, addresses []string) {
	t.Helper()
	scores := regexp.MustCompile(`^/admin/scoresheets/(\d+)/score`)
	own := slices.IndexFunc(addresses, scores.MatchString)
	if own < 0 {
		t.Fatal("no page of points was opened")
	}
	points := addresses[own]
	sheet := scores.FindStringSubmatch(points)[1]
	others := i.Number("SELECT min(id) FROM scoresheet WHERE confirmed IS NULL AND id <> " + sheet)
	scorer := i.Administrator("Kofi Haugen", admitto.ApplicationsScore)
	i.Put(fmt.Sprintf("UPDATE scoresheet SET scorers = '[%d]' WHERE id = %d", scorer+1, others))
	v, nobody := i.Staff(scorer), i.Staff(i.Administrator("No one"))
	if status := v.Do("GET", points, nil).Status; status != 200 {
		t.Errorf("%s answers %d to somebody who scores", points, status)
	}
	if other := fmt.Sprintf("/admin/scoresheets/%d/score", others); v.Do("GET", other, nil).Status < 400 {
		t.Errorf("%s, of other scorers, is answered", other)
	}
	for _, address := range addresses {
		page := v.Do("GET", address, nil)
		switch path, _, _ := strings.Cut(address, "?"); {
		case page.Status >= 400 || scores.MatchString(address):
		case path == "/admin/scoresheets": // leads to the points of their sheets alone
			if page.Find(fmt.Sprintf("main a[href*='/scoresheets/%d/']", others)).Length() != 0 {
				t.Error("the list has a sheet of others")
			}
		case nobody.Do("GET", address, nil).Status >= 400:
			t.Errorf("%s answers %d to somebody who only scores: %.200s", address, page.Status, page.Text("main"))
		}
	}
}

// TestPagesLeadBack wants a way back above every form: it is in the navigation, or below a page that is. A form of
// somebody without a session, and the search, stand alone.
func TestPagesLeadBack(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	ways := map[string]bool{"/admin/search": true, "/admin/confirm-identity": true}
	for _, a := range i.Staff(i.Superuser("Mara Lind")).Open("/admin/").Find("nav a, .menu a").EachIter() {
		ways[a.AttrOr("href", "")] = true
	}
	for _, route := range i.Admin.Routes() {
		if route.Form && route.Parent == "" && !route.Access.IsOpen() && !ways[route.Path] {
			t.Errorf("%s stands below no page", route.Path)
		}
	}
}
