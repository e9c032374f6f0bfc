package admintest

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestSheetThatStays offers no deletion of a sheet with points, and says before why and what to do (screens.md A26).
func TestSheetThatStays(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	i.Put("DELETE FROM criterion WHERE scoresheet_id = 1")
	page := v.Open("/admin/scoresheets/1")
	if text := page.Text("main"); page.Find("[href$='/1/delete']").Length() != 0 ||
		!strings.Contains(text, "There are points, comments or details on it") || strings.Contains(text, "course use it") ||
		page.Find("main a[href='/admin/scoresheets/1/score']").Length() < 2 {
		t.Error(text)
	}
	page = v.Open("/admin/scoresheets/1/delete")
	if page.Text("h1") != "IELTS cannot be deleted" || page.Find("main form button").Length() != 0 ||
		page.Find("main a[href='/admin/scoresheets/1#lock']").Length() != 1 {
		t.Error(page.Text("main"))
	}
	page = v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Essay")
	essay := page.Path
	if page.Find("[href='"+essay+"/delete']").Length() != 1 {
		t.Error("an empty sheet cannot be deleted: ", page.Text("main"))
	}
	v.Open("/admin/courses/1/criteria").Submit("Show what would change", "sheet-0",
		essay[strings.LastIndex(essay, "/")+1:], "weight-0", "1").Submit("Save and calculate")
	if text := v.Open(essay).Text("main"); !strings.Contains(text, "Criteria of 1 course use it") ||
		strings.Contains(text, "There are points") {
		t.Error(text)
	}
}

// TestOwnRange says which points a type takes that has a range of its own, before and after it is chosen; what was
// typed as a range does not stand in the way.
func TestOwnRange(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	page := v.Open("/admin/scoresheets/new")
	if text := page.Text("option[value=IELTS]"); text != "IELTS: 0.0 to 9.0 in steps of 0.5" {
		t.Error(text)
	}
	page = page.Submit("Add scoresheet", "name", "Test", "type", "IELTS", "scale", "x", "min", "low", "max", "100")
	if text := page.Text(".notice"); !strings.Contains(text, "from 0.0 to 9.0 in steps of 0.5") ||
		!strings.Contains(text, "low to 100") || page.Find("#f-max").AttrOr("value", "") != "9.0" {
		t.Error(page.Errors(), text)
	}
	page = page.Submit("Save", "name", "Another test")
	if text := page.Text(".notice"); strings.Contains(text, "does not count") {
		t.Error(text)
	}
	v.Open("/admin/choose/language/ar")
	list := v.Open("/admin/scoresheets").Text("main table")
	for _, option := range v.Open("/admin/scoresheets/new").Find("[name=type] option").EachIter() {
		name := option.AttrOr("value", "")
		isFree := map[string]bool{"Number": true, "Percent": true, "GPA4": true, "Mapped": true}[name]
		if got := strings.Contains(option.Text(), name); got == isFree || isFree && strings.Contains(list, name) {
			t.Errorf("%s is called %q, and the list says %q", name, option.Text(), list)
		}
	}
	v.Open("/admin/choose/language/en")
	if hint := v.Open("/admin/scoresheets/1/score").Text("#f-points-hint"); hint != "0.0 to 9.0 in steps of 0.5" {
		t.Errorf("%q", hint)
	}
}
