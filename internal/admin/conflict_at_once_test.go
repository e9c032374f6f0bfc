package admin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestConflictAtOnce lets somebody save while another one types what is wrong: the second one is told with one answer
// what is wrong and what the first has saved, and what the first has saved is overwritten only by who chooses so
// (screens.md U7, U10).
func TestConflictAtOnce(t *testing.T) {
	i := sitetest.Filled(t)
	first, second := i.Staff(i.Superuser("Hana Yildiz")), i.Staff(i.Superuser("Ada Okafor"))
	sheet := i.Number("SELECT min(id) FROM scoresheet WHERE type = 'Percent' AND confirmed IS NULL")
	at := fmt.Sprintf("/admin/scoresheets/%d/score?at=%d", sheet,
		i.Number(fmt.Sprintf("SELECT min(id) FROM score WHERE scoresheet_id = %d", sheet)))
	for _, c := range []struct {
		address, button string
		saved           []string // by the first one: a field and its value
		typed, right    []string // by the second one
		wrong           string   // ends of the addresses in the summary
	}{
		{"/admin/terms/1", "Save", []string{"name", "Spring"},
			[]string{"grace-day", "31", "grace-month", "2"}, []string{"grace-day", "28"}, "grace-day"},
		{"/admin/courses/1", "Save", []string{"name", "Physics"}, []string{"quota", "x"}, []string{"quota", "7"}, "quota"},
		{"/admin/courses/1", "Save", []string{"name", "Botany"}, []string{"quota", "-1"}, []string{"quota", "8"}, "quota"},
		{"/admin/series/1", "Save", []string{"name", "Fees"}, []string{"format", "A%nothing%"},
			[]string{"format", "A-%incYearly%-%yearLong%"}, "format"},
		{at, "Save and next", []string{"comments", "Good"}, []string{"points", "x"}, []string{"points", "7.00"}, "points"},
		{at, "Save and next", []string{"comments", "Better"}, []string{"points", "101"}, []string{"points", "8.00"},
			"points"},
		{"/admin/settings/applications", "Save", []string{"applications.max_courses", "4"},
			[]string{"invoices.payment_days", "x"}, []string{"invoices.payment_days", "9"}, "invoices-payment-days"},
	} {
		mine := second.Open(c.address)
		if p := first.Open(c.address).Submit(c.button, c.saved...); p.Status != 200 {
			t.Fatalf("%s: the first one is refused: %q", c.address, p.Errors())
		}
		told := mine.Submit(c.button, c.typed...)
		var wrong []string
		for _, link := range told.Find(".errors a").EachIter() {
			wrong = append(wrong, strings.TrimPrefix(link.AttrOr("href", ""), "#f-"))
		}
		if got := strings.Join(wrong, " "); got != c.wrong {
			t.Errorf("%s: %q is wrong instead of %q", c.address, got, c.wrong)
		}
		if text := told.Text("main"); !strings.Contains(text, "saved this meanwhile") {
			t.Errorf("%s: nobody has saved meanwhile: %q", c.address, told.Errors())
		}
		if p := told.Submit(c.button, c.right...); p.Status != 200 {
			t.Errorf("%s: %d %q", c.address, p.Status, p.Errors())
		}
		now := second.Open(c.address)
		for pair := range slices.Chunk(slices.Concat(c.saved, c.right), 2) {
			field := now.Find(`[name="` + pair[0] + `"]`)
			if got := field.AttrOr("value", field.Text()); strings.TrimSpace(got) != pair[1] {
				t.Errorf("%s: %s is %q instead of %q", c.address, pair[0], got, pair[1])
			}
		}
	}
}

// TestConflictNamesWhatDiffers lets two people change one field of a record: they are asked about that field alone
// (screens.md U10).
func TestConflictNamesWhatDiffers(t *testing.T) {
	i := sitetest.Filled(t)
	first, second := i.Staff(i.Superuser("Hana Yildiz")), i.Staff(i.Superuser("Ada Okafor"))
	for address, field := range map[string]string{"/admin/fees/1": "name", "/admin/tableviews/1": "title",
		"/admin/courses/1": "name", "/admin/offer-types/1": "title", "/admin/intakes/1": "name",
		"/admin/scoresheets/1": "name", "/admin/task-templates/1": "title", "/admin/series/1": "name",
		"/admin/institutions/1": "name", "/admin/terms/1": "name", "/admin/letterheads/1": "name"} {
		mine := second.Open(address)
		first.Open(address).Submit("Save", field, "First")
		asked := map[string]bool{}
		for _, choice := range mine.Submit("Save", field, "Second").Find("[name^='keep.']").EachIter() {
			asked[choice.AttrOr("name", "")] = true
		}
		if len(asked) != 1 || !asked["keep."+field] {
			t.Errorf("%s asks about %v", address, asked)
		}
	}
	i.Put("UPDATE invoice_series SET blocking = TRUE WHERE id = 1")
	mine := second.Open("/admin/series/1")
	first.Open("/admin/series/1").Submit("Save", "blocking", "-")
	if text := mine.Submit("Save", "name", "Third").Text("main"); !strings.Contains(text, "Saved meanwhile: No") {
		t.Errorf("a box without its tick: %s", text)
	}
}
