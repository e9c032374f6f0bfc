package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestFaultsAtOnce types what cannot even be read next to what only a rule refuses: both are said with one answer, each
// at its field, nothing else is said, and nothing is stored (screens.md U7).
func TestFaultsAtOnce(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	records := len(i.Journal())
	day := func(name, d, m, y string) []string {
		return []string{name + "-day", d, name + "-month", m, name + "-year", y}
	}
	long := strings.Repeat("ط", 300)
	open := fmt.Sprintf("/admin/invoices/%d",
		i.Number("SELECT min(id) FROM invoice WHERE collected IS NULL AND lapsed IS NULL"))
	for _, c := range []struct {
		address, button string
		fields          []string
		wrong           string // ends of the addresses in the summary, in the order of the page
	}{
		{"/admin/terms/new", "Add term", append(day("start", "31", "2", "2027"), "name", "", "year", "1066"),
			"name year start-day"},
		{"/admin/terms/1", "Save", append(day("grace", "31", "2", "2027"), "name", "", "in-ar", long),
			"name grace-day in-ar"},
		{"/admin/intakes/new", "Add intake", append(day("deadline-1", "x", "2", "2027"), "name", "", "decision_days", "x"),
			"name term territory-1 deadline-1-day decision-days"},
		{"/admin/courses/new", "Add course", []string{"name", "", "quota", "x", "code", "A, B", "in-ar-4", long},
			"name in-ar-4 code quota"},
		{"/admin/offer-types/new", "Add offer type", []string{"title", "", "place", "x", "colour", "blue"},
			"title colour place"},
		{"/admin/task-templates/new", "Add task template", []string{"title", "", "max_documents", "x", "remind-1", "y"},
			"title class max-documents remind-1"},
		{"/admin/scoresheets/new", "Add scoresheet", []string{"name", "", "scale", "9", "min", "x", "date", "Maybe"},
			"name scale min date"},
		{"/admin/scoresheets/new", "Add scoresheet", []string{"name", "", "max", "x"}, "name max"},
		{"/admin/rankings/new", "Add ranking", []string{"name", "", "quota", "x", "citizenships", "XX"},
			"name quota citizenships"},
		{"/admin/courses/1/criteria", "Show what would change", []string{"sheet-0", "999", "weight-0", "x"},
			"sheet-0 weight-0"},
		{"/admin/series/new", "Add series", []string{"name", "", "format", "A%nothing%", "in-ar-1",
			strings.Repeat(long, 20)},
			"name format in-ar-1"},
		{"/admin/fees/new", "Add fee", []string{"name", "", "territory-0", "", "amount-0", "x", "currency-0", "EUR",
			"days", "y"}, "name territory-0 amount-0 days"},
		{"/admin/trackers/new", "Add tracker", []string{"code", "A B", "kind", "amount", "value", "0", "currency", ""},
			"code value currency"},
		{"/admin/letterheads/new", "Add letterhead", []string{"name", "", "head", long + long}, "name head"},
		{"/admin/api-keys/new", "Create the key", []string{"label", "", "expires", "7000", "per_minute", "x",
			"per_hour", "-1"}, "label expires per-minute per-hour"},
		{"/admin/lists/statuses", "Save", []string{"title-0", "", "in-ar-3", long}, "title-0 in-ar-3"},
		{"/admin/settings/texts", "Save", []string{"portal.privacy.ar", strings.Repeat(long, 70)}, "portal-privacy-ar"},
		{"/admin/consents/new", "Add consent", []string{"text", "", "link", "x", "in-ar", strings.Repeat(long, 20)},
			"text in-ar link"},
		{"/admin/settings/applications", "Save", []string{"applications.max_courses", "x",
			"offers.decision_days_default", "2"}, "applications-max-courses offers-decision-days-default"},
		{"/admin/settings/api", "Save", []string{"quota.per_minute", "x", "api.default_version", "1",
			"api.oldest_version", "5"}, "api-default-version quota-per-minute"},
		{"/admin/settings/api", "Save", []string{"api.default_version", "x", "api.oldest_version", "9"},
			"api-default-version"},
		{"/admin/data-protection/requests/new", "Record", append(day("received", "31", "2", "2026"), "kind", ""),
			"applicant kind received-day"},
		{"/admin/data-protection/requests/new", "Record", append(day("received", "1", "1", "2090"), "applicant", "x"),
			"applicant kind received-day"},
		{open + "/collect", "Record payment", append(day("day", "1", "1", "2090"), "amount", "99999"), "amount day-day"},
	} {
		page := v.Open(c.address).Submit(c.button, c.fields...)
		var wrong []string
		for _, link := range page.Find(".errors a").EachIter() {
			wrong = append(wrong, strings.TrimPrefix(link.AttrOr("href", ""), "#f-"))
		}
		if got := strings.Join(wrong, " "); got != c.wrong || page.Status != 422 {
			t.Errorf("%s: %d %q instead of %q: %q", c.address, page.Status, got, c.wrong, page.Errors())
		}
	}
	if n := len(i.Journal()); n != records {
		t.Errorf("%d records were written: %v", n-records, i.Since(records))
	}
}
