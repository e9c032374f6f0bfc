package admintest

import (
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestCatalogueInBrowser looks at the lists and forms of the catalogue: full, new, refused, and with long names.
func TestCatalogueInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE course SET name = 'Internationale Betriebswirtschaftslehre und Wirtschaftsingenieurwesen (berufsbegleitend)' WHERE id = 2",
		"UPDATE course SET status = 'Draft' WHERE id = 3",
		`UPDATE course SET form = '{"questions":[{"id":1,"required":true},{"id":12},{"id":3}]}' WHERE id IN (2, 4)`)
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	page := func(name, path string) uitest.Page { return uitest.Page{Name: name, Path: path, Cookie: staff} }
	uitest.Check(t, i, page("institutions", "/admin/institutions"), page("institution", "/admin/institutions/1"),
		page("department-new", "/admin/institutions/1/departments/new"),
		page("catalogue-courses", "/admin/courses"), page("catalogue-no-match", "/admin/courses?q=zzz"),
		page("catalogue-course", "/admin/courses/2"), page("course-new", "/admin/courses/new"),
		page("course-status", "/admin/courses/3/status"),
		page("course-form", "/admin/courses/2/form"), page("course-form-copy", "/admin/courses/2/form/copy"),
		page("course-preview", "/admin/courses/2/form/preview/profile"),
		page("course-preview-extras", "/admin/courses/2/form/preview/extras"),
		page("course-question", "/admin/courses/2/form/questions/1"),
		page("course-question-new", "/admin/courses/2/form/questions/new"),
		page("course-questions", "/admin/courses/2/form/questions"),
		page("intakes", "/admin/intakes"), page("intake", "/admin/intakes/1?country=DE"),
		page("intake-new", "/admin/intakes/new"), page("terms", "/admin/terms"), page("term-card", "/admin/terms/1"),
		page("term-new", "/admin/terms/new"), page("term-types", "/admin/terms/types"),
		page("year", "/admin/terms/years/2026"), page("lists", "/admin/lists"), page("list-regions",
			"/admin/lists/regions"),
		page("list-statuses", "/admin/lists/statuses"), page("list-class", "/admin/lists/classes/2"),
		page("list-institutions", "/admin/lists/classes/27"), page("course-import", "/admin/courses/import"),
		page("intake-import", "/admin/intakes/import"),
		page("season-template", "/admin/terms/season?year=2027"), page("season-later", "/admin/terms/season-later"))
}
