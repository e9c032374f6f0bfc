package admintest

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestNothingThereYet opens pages of an instance that was just set up: each says what is missing and leads to where it
// is made, who may not make it reads it without the link, and once it is there nothing is said any more.
func TestNothingThereYet(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		v := i.Staff(i.Superuser("Hana Yildiz"))
		only := i.Staff(i.Administrator("Kofi Haugen", admitto.CoursesEdit, admitto.IntakesEdit))
		for _, c := range []struct{ address, says, link string }{
			{"/admin/courses/new", "There is no intake yet.", "/admin/intakes/new"},
			{"/admin/intakes/new", "there is none yet.", "/admin/terms/new"},
			{"/admin/criteria", "There are no courses", "/admin/courses/new"},
			{"/admin/reports/ReportStatus", "Nothing that this report counts is recorded yet.", ""},
			{"/admin/reports/ReportStatus?term=all&citizenship=EE", "Take one out", ""},
		} {
			page := v.Open(c.address)
			if !strings.Contains(page.Text("main"), c.says) ||
				c.link != "" && page.Find(`main a[href="`+c.link+`"]`).Length() == 0 {
				t.Error(c.address, page.Text("main"))
			}
		}
		page := only.Open("/admin/intakes/new")
		if !strings.Contains(page.Text("main"), "there is none yet.") ||
			page.Find(`main a[href="/admin/terms/new"]`).Length() > 0 {
			t.Error(page.Text("main"))
		}
		v.Open("/admin/terms/new").Submit("Add term", "name", "Autumn 2027", "year", "2027", "type", "2", "start-day", "1",
			"start-month", "9", "start-year", "2027", "grace-day", "1", "grace-month", "10", "grace-year", "2027",
			"finish-day", "1", "finish-month", "2", "finish-year", "2028")
		if text := v.Open("/admin/intakes/new").Text("main"); strings.Contains(text, "there is none yet.") {
			t.Error(text)
		}
	})
}
