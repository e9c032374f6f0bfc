package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestCriteria shows what criteria make of a real application before they are stored, and wants the stored score to be
// that of the example afterwards.
func TestCriteria(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	course := i.Number("SELECT course_id FROM offer WHERE score_auto IS NOT NULL GROUP BY course_id ORDER BY count(*) DESC LIMIT 1")
	address := fmt.Sprintf("/admin/courses/%d/criteria", course)
	offers := i.Number(fmt.Sprintf("SELECT count(*) FROM offer o JOIN application a ON a.id = o.application_id WHERE a.visible AND o.course_id = %d",
		course))
	sheet := i.Number(fmt.Sprintf(`SELECT s.scoresheet_id FROM score s JOIN offer o ON o.application_id = s.application_id
		JOIN scoresheet t ON t.id = s.scoresheet_id WHERE o.course_id = %d AND s.points IS NOT NULL AND t.depth = 'Application'
		GROUP BY s.scoresheet_id ORDER BY count(*) DESC LIMIT 1`, course))
	application := i.Number(fmt.Sprintf(`SELECT min(s.application_id) FROM score s JOIN offer o ON o.application_id = s.application_id
		WHERE o.course_id = %d AND s.scoresheet_id = %d AND s.points IS NOT NULL`, course, sheet))
	version := func() int64 {
		return i.Number(fmt.Sprintf("SELECT criteria_version FROM course WHERE id = %d", course))
	}
	before := version()
	if text := v.Open(address).Text("#example"); !strings.Contains(text, "Example: application") {
		t.Error(text)
	}
	typed := func(sheet, weight, application string) *sitetest.Page {
		return v.Open(address).Submit("Show what would change", "sheet-0", sheet, "weight-0", weight, "sheet-1", "",
			"sheet-2", "",
			"sheet-3", "", "application", application)
	}
	of := fmt.Sprint(sheet)
	for _, bad := range [][3]string{{of, "x", ""}, {of, "0", ""}, {of, "1.23456", ""}, {"99999", "0.5", ""},
		{of, "0.5", "99999999"}} {
		page := typed(bad[0], bad[1], bad[2])
		if len(page.Errors()) == 0 || page.Find("button[name=save]").Length() != 0 || version() != before {
			t.Errorf("%q: %q", bad, page.Errors())
		}
	}
	page := typed(of, "0.5", fmt.Sprint(application))
	if text := page.Text("form .notice"); !strings.Contains(text, fmt.Sprintf("recalculates %d offer", offers)) {
		t.Fatal(text, page.Errors())
	}
	if version() != before {
		t.Fatal("looking at criteria stores them")
	}
	example := page.Find("#example dd").First().Text()
	if page := page.Submit("Save and calculate", "weight-0", "0.6"); version() != before ||
		page.Find("button[name=save]").Length() != 1 { // something else than what was looked at
		t.Error("criteria that were not looked at are stored")
	}
	page = page.Submit("Save and calculate")
	if text := page.Text("#calculating"); !strings.Contains(text, fmt.Sprintf("0 of %d calculated", offers)) ||
		version() != before+1 {
		t.Error(text, page.Errors())
	}
	i.Must(i.Services.Scoring.RecalculateWaiting(t.Context(), admitto.SystemCaller()))
	if page = v.Open(address); page.Find("#calculating").Length() != 0 {
		t.Error(page.Text("#calculating"))
	}
	stored := i.Number(fmt.Sprintf("SELECT score_auto FROM offer WHERE application_id = %d AND course_id = %d",
		application,
		course))
	if want := admitto.Hundredths(stored).String(); example != want {
		t.Errorf("the example was %q, stored is %q", example, want)
	}
}

// TestCriteriaByTwo wants the second of two who change the criteria of a course to see that somebody was faster.
func TestCriteriaByTwo(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	address := fmt.Sprintf("/admin/courses/%d/criteria", i.Number("SELECT min(course_id) FROM criterion"))
	first := v.Open(address).Submit("Show what would change", "weight-0", "0.7")
	second := v.Open(address).Submit("Show what would change", "weight-0", "0.9")
	first.Submit("Save and calculate")
	page := second.Submit("Save and calculate")
	if len(page.Errors()) != 1 || page.Find("#f-weight-0").AttrOr("value", "") != "0.9" {
		t.Error(page.Errors(), page.Text("main"))
	}
}
