package admin_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestPages looks at every page in a browser.
func TestPages(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	i.Key()
	all, pages := accountPages(t, i)
	pages = append(pages, browsePages(i)...)
	pages = append(pages, settingsPages(staff)...)
	pages = append(pages,
		uitest.Page{Name: "staff-sign-in", Path: "/admin/sign-in"},
		uitest.Page{Name: "applicant", Path: "/admin/applicants/1", Cookie: staff},
		uitest.Page{Name: "api-keys", Path: "/admin/api-keys", Cookie: staff},
		uitest.Page{Name: "api-key-new", Path: "/admin/api-keys/new", Cookie: staff},
		uitest.Page{Name: "api-key", Path: "/admin/api-keys/1", Cookie: staff},
		uitest.Page{Name: "api-key-roll", Path: "/admin/api-keys/1/roll", Cookie: staff},
		uitest.Page{Name: "api-key-revoke", Path: "/admin/api-keys/1/revoke", Cookie: staff},
		uitest.Page{Name: "missing", Path: "/admin/missing", Cookie: staff, Fails: true},
	)
	uitest.Check(t, all, append(pages, notNamed(i, staff, pages)...)...)
}

// notNamed are the pages that need nothing but a look, and that neither a list of pages above nor one of a package
// below names. The lists have those of a record, and the states of the others; families of pages have a test of their
// own.
func notNamed(i *sitetest.Instance, staff *http.Cookie, named []uitest.Page) (pages []uitest.Page) {
	below := pagesBelow(i.T)
	families := regexp.MustCompile(`^/admin/(applicants|batches|emails|invoices|journal|messages|tasks)\b`)
	for _, route := range i.Admin.Routes() {
		isNamed := slices.ContainsFunc(named, func(p uitest.Page) bool {
			path, _, _ := strings.Cut(p.Path, "?")
			return path == route.Path
		})
		if isNamed || below[route.Path] || route.Only ||
			strings.ContainsAny(route.Path, "{.") || families.MatchString(route.Path) {
			continue
		}
		r := httptest.NewRequestWithContext(i.T.Context(), http.MethodGet, "https://admitto.test"+route.Path, nil)
		r.AddCookie(staff)
		w := httptest.NewRecorder()
		i.ServeHTTP(w, r)
		if w.Code == http.StatusOK && strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			pages = append(pages, uitest.Page{Name: route.Name, Path: route.Path, Cookie: staff})
		}
	}
	return pages
}

// pagesBelow are the addresses that the tests of the packages below give to uitest.Check.
func pagesBelow(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "uitest.Check(") {
			continue
		}
		for _, match := range regexp.MustCompile(`page\("[\w-]+",\s*"([^"?]+)`).FindAllStringSubmatch(string(text), -1) {
			named[match[1]] = true
		}
	}
	if !named["/admin/courses"] {
		t.Error("the pages of packages below are not found")
	}
	return named
}
