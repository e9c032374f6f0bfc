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

// TestCriteriaByTwo wants the second of two who change the criteria of a course to choose between both, field by field,
// and neither to lose a line unseen: what only the first has changed is proposed, and what the second has typed into a
// line that the first has removed stands there.
func TestCriteriaByTwo(t *testing.T) {
	i := sitetest.Filled(t)
	v, w := i.Staff(i.Superuser("Hana Yildiz")), i.Staff(i.Superuser("Ada Nagy"))
	course := i.Number("SELECT course_id FROM criterion GROUP BY course_id HAVING count(*) > 1 ORDER BY course_id LIMIT 1")
	lines := int(i.Number(fmt.Sprintf("SELECT count(*) FROM criterion WHERE course_id = %d", course)))
	sheet := i.Number(fmt.Sprintf(`SELECT min(id) FROM scoresheet WHERE id NOT IN (SELECT scoresheet_id FROM criterion
		WHERE course_id = %d)`, course))
	address := fmt.Sprintf("/admin/courses/%d/criteria", course)
	change := func(page *sitetest.Page, typed ...string) *sitetest.Page {
		return page.Submit("Show what would change", typed...).Submit("Save and calculate")
	}
	weight := func(page *sitetest.Page, line int) string {
		return page.Find(fmt.Sprintf("#f-weight-%d", line)).AttrOr("value", "")
	}

	mine := v.Open(address)
	change(w.Open(address), "weight-0", "0.7", "weight-1", "0.25")
	page := change(mine, "weight-0", "0.9")
	text := page.Text("form")
	for _, want := range []string{"Ada Nagy", "Criterion 1: Weight", "0.9", "0.7", "Criterion 2: Weight", "0.25"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not stand in %q", want, text)
		}
	}
	if weight(page, 0) != "0.9" || weight(page, 1) != "0.25" {
		t.Errorf("proposed are %q and %q", weight(page, 0), weight(page, 1))
	}
	page.Submit("Show what would change", "keep.weight-0", "theirs").Submit("Save and calculate")
	if page = v.Open(address); weight(page, 0) != "0.7" || weight(page, 1) != "0.25" {
		t.Errorf("stored are %q and %q", weight(page, 0), weight(page, 1))
	}

	mine, removed := v.Open(address), []string(nil)
	for n := 1; n < lines; n++ {
		removed = append(removed, fmt.Sprintf("sheet-%d", n), "")
	}
	change(w.Open(address), removed...)
	last := lines + 1 // the last empty line of the page, which a page made now does not have
	page = change(mine, fmt.Sprintf("sheet-%d", last), fmt.Sprint(sheet), fmt.Sprintf("weight-%d", last), "0.125")
	if weight(page, last) != "0.125" {
		t.Error(page.Errors(), page.Text("form"))
	}
	change(page)
	if page = v.Open(address); weight(page, 1) != "0.125" || weight(page, 2) != "" {
		t.Error(page.Text("form"))
	}
}
