package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// toScore is an instance with a sheet for applications on which nothing was scored, with documents of those on it.
func toScore(t *testing.T) (i *sitetest.Instance, sheet int64, scores []string) {
	t.Helper()
	i = sitetest.Filled(t)
	sheet = i.Number("SELECT s.scoresheet_id FROM score s JOIN scoresheet t ON t.id = s.scoresheet_id WHERE t.type = 'Percent' AND t.confirmed IS NULL GROUP BY s.scoresheet_id ORDER BY count(*) DESC LIMIT 1")
	if sheet == 0 {
		t.Fatal("there is no open sheet")
	}
	i.Put(fmt.Sprintf("UPDATE score SET points = NULL, scored = NULL WHERE scoresheet_id = %d", sheet))
	scores = strings.Fields(i.Lines(fmt.Sprintf("SELECT id FROM score WHERE scoresheet_id = %d ORDER BY id", sheet)))
	if len(scores) < 5 {
		t.Fatal(scores)
	}
	return i, sheet, scores
}

// TestScoring enters points: each form that is sent goes to the next application; what is wrong stays in its field,
// and what was entered before stays saved.
func TestScoring(t *testing.T) {
	i, sheet, scores := toScore(t)
	scorer := i.Administrator("Kofi Haugen", admitto.ApplicationsScore)
	v := i.Staff(scorer)
	address := fmt.Sprintf("/admin/scoresheets/%d/score", sheet)
	points := func(id string) int64 { return i.Number("SELECT coalesce(points, -1) FROM score WHERE id = " + id) }
	at := func(page *sitetest.Page, id string) {
		t.Helper()
		if !strings.Contains(page.Path, "at="+id) {
			t.Fatalf("%s is open, not %s: %v", page.Path, id, page.Errors())
		}
	}
	if v.Open("/admin/").Find("main a[href='"+address+"']").Length() == 0 {
		t.Error("the dashboard does not lead to the points")
	}
	// The numbers were counted for all; whose the sheet is, and whether it is closed, holds at once.
	for what, line := range map[string]string{"another's": "scorers = '[1]'", "closed": "confirmed = 1"} {
		i.Put(fmt.Sprintf("UPDATE scoresheet SET %s WHERE id = %d", line, sheet))
		if p := v.Open("/admin/"); p.Status != 200 || p.Find("main a[href='"+address+"']").Length() != 0 {
			t.Errorf("%d, the dashboard leads to points of a sheet that is %s", p.Status, what)
		}
		i.Put(fmt.Sprintf("UPDATE scoresheet SET scorers = '', confirmed = NULL WHERE id = %d", sheet))
	}
	page := v.Open("/admin/scoresheets")
	if page.Find("main a[href='"+address+"']").Length() == 0 ||
		page.Find("main a[href='/admin/scoresheets/new']").Length() != 0 {
		t.Error(page.Text("main"))
	}
	page = v.Open(address)
	if page.Find("#f-points[autofocus]").Length() != 1 || !strings.Contains(page.Text(".work"), "0 of ") {
		t.Error(page.Text("main"))
	}
	page = page.Submit("Save and next", "points", "71,5")
	at(page, scores[1])
	for _, bad := range [][2]string{{"points", "many"}, {"points", "100.01"}, {"points", "1.234"},
		{"comments", strings.Repeat("a", 2001)}} {
		page = v.Open(address+"?at="+scores[1]).Submit("Save and next", bad[0], bad[1])
		if len(page.Errors()) != 1 || page.Find("#f-points[autofocus]").Length() != 0 ||
			!strings.Contains(page.Body, bad[1]) {
			t.Errorf("%.40s: %q", bad, page.Errors())
		}
	}
	if points(scores[0]) != 715_000 || points(scores[1]) != -1 {
		t.Error(points(scores[0]), points(scores[1]))
	}
	page = page.Submit("Save and next", "comments", "Well written", "points", "0")
	at(page, scores[2])
	at(page.Submit("Save and next"), scores[3]) // nothing was typed
	if points(scores[1]) != 0 || points(scores[2]) != -1 {
		t.Error("0 are points, and nothing are none: ", points(scores[1]), points(scores[2]))
	}
	page = v.Open(address + "?show=mine")
	if rows := page.Find("main table tbody tr").Length(); rows != 2 || !strings.Contains(page.Text(".tabs"), "2") {
		t.Error(rows, page.Text(".tabs"))
	}
	page = v.Open(address + "?show=missing")
	if rows := page.Find("main table tbody tr").Length(); rows != min(len(scores)-2, 25) {
		t.Error(rows)
	}
	page = v.Open(address + "?at=" + scores[0]).Submit("Clear points")
	if at(page, scores[0]); points(scores[0]) != -1 {
		t.Error("the points stay")
	}
	i.Put("UPDATE applicant SET type = 'Legal', legal = 'Nordic Foundation' WHERE id = (SELECT a.applicant_id FROM application a JOIN score s ON s.application_id = a.id WHERE s.id = " + scores[0] + ")")
	if text := v.Open(address + "?at=" + scores[0]).Text("h1"); !strings.Contains(text, "Nordic Foundation") {
		t.Error("a legal person is called ", text)
	}
	last := v.Open(address+"?at="+scores[len(scores)-1]).Submit("Save and next", "points", "5")
	if at(last, scores[0]); !strings.Contains(last.Text(".notice"), "the last one of the list") {
		t.Error(last.Text(".notice"))
	}
	application := i.Number("SELECT application_id FROM score WHERE id = " + scores[4])
	at(v.Open(fmt.Sprintf("%s?application=%d", address, application)), scores[4])
	if page = v.Open(address + "?application=999999"); !strings.Contains(page.Text(".notice"), "is not on this sheet") {
		t.Error(page.Text("main"))
	}
	i.Put(fmt.Sprintf("UPDATE scoresheet SET confirmed = 1 WHERE id = %d", sheet))
	if page = v.Open(address); page.Find("#f-points").Length() != 0 || !strings.Contains(page.Text(".notice"),
		"confirmed") {
		t.Error(page.Text("main"))
	}
	i.Put(fmt.Sprintf("UPDATE scoresheet SET scorers = '[%d]', confirmed = NULL WHERE id = %d", scorer+1, sheet))
	if page = v.Open(address); page.Status != 404 {
		t.Error("a sheet of others is shown: ", page.Status)
	}
}

// TestScorersAtOnce has two people score the same application: the second one sees both values, and chooses.
func TestScorersAtOnce(t *testing.T) {
	i, sheet, scores := toScore(t)
	address := fmt.Sprintf("/admin/scoresheets/%d/score?at=%s", sheet, scores[0])
	kofi := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsScore))
	ines := i.Staff(i.Administrator("Ines Sousa", admitto.ApplicationsScore))
	page := ines.Open(address)
	kofi.Open(address).Submit("Save and next", "points", "50", "comments", "Weak")
	page = page.Submit("Save and next", "points", "60")
	if text := page.Text("main form"); !strings.Contains(text, "Kofi Haugen") ||
		!strings.Contains(text, "Saved meanwhile: 50.00") || page.Find("[name='keep.points']").Length() != 2 {
		t.Fatal(text)
	}
	lost := ines.Open(address)
	lost.Find("form[action*='at=']").SetAttr("action", strings.ReplaceAll(address, "="+scores[0], "=x"))
	if lost = lost.Submit("Save and next", "points", "1"); lost.Status != 404 {
		t.Error("points that name no application: ", lost.Status)
	}
	page.Submit("Save and next", "keep.points", "mine", "keep.comments", "theirs")
	if got := i.Lines("SELECT points || comments FROM score WHERE id = " + scores[0]); got != "600000Weak" {
		t.Error(got)
	}
}

// TestScorersSee wants that who only scores sees what the sheet shows, and reaches nothing else.
func TestScorersSee(t *testing.T) {
	i, sheet, _ := toScore(t)
	one := strings.Split(i.Lines(fmt.Sprintf(`SELECT s.id || '|' || d.id || '|' || p.family || '|' || a.id FROM score s JOIN application a ON a.id = s.application_id
		JOIN applicant p ON p.id = a.applicant_id JOIN document d ON d.application_id = a.id
		WHERE s.scoresheet_id = %d AND d.trashed IS NULL AND p.family <> '' ORDER BY d.id LIMIT 1`, sheet)), "|")
	if len(one) < 4 {
		t.Fatal("nobody on the sheet has a document: ", one)
	}
	i.Put("INSERT INTO applicant_photo (applicant_id, uploaded, size, hash) SELECT a.applicant_id, 1, d.size, d.hash FROM application a JOIN document d ON d.application_id = a.id WHERE d.id = " + one[1] +
		" AND NOT EXISTS (SELECT 1 FROM applicant_photo p WHERE p.applicant_id = a.applicant_id)")
	address := fmt.Sprintf("/admin/scoresheets/%d/score", sheet)
	below := address + "/" + one[0]
	document, photo := below+"/documents/"+one[1], below+"/photo"
	v := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsScore))
	shows := func(list string) *sitetest.Page {
		i.Put(fmt.Sprintf("UPDATE scoresheet SET shows = '%s' WHERE id = %d", list, sheet))
		return v.Open(address + "?at=" + one[0])
	}
	status := func(path string) int { return v.Do("GET", path, nil).Status }
	page := shows(`["name","photo","documents","education"]`)
	if !strings.Contains(page.Text("h1"), one[2]) ||
		page.Find(".viewer a[href*='documents/"+one[1]+"']").Length() == 0 ||
		page.Find(".viewer aside #f-points").Length() != 1 || page.Find("img.photo").Length() != 1 {
		t.Error(page.Text("main"))
	}
	if d, p := status(document), status(photo); d != 200 || p != 200 {
		t.Error(d, p)
	}
	if page.Find("a[href^='/admin/applications']").Length() != 0 {
		t.Error("the page leads to the application")
	}
	page = shows(`["motivation"]`)
	if strings.Contains(page.Text("main"), one[2]) || page.Find(".viewer, img.photo").Length() != 0 ||
		page.Find("#f-points").Length() != 1 {
		t.Error(page.Text("main"))
	}
	if d, p := status(document), status(photo); d != 404 || p != 404 {
		t.Error(d, p)
	}
	shows(`["documents"]`)
	other := i.Number(fmt.Sprintf("SELECT min(id) FROM document WHERE application_id <> %s AND trashed IS NULL",
		one[3]))
	foreign := i.Number(fmt.Sprintf("SELECT min(id) FROM score WHERE scoresheet_id <> %d", sheet))
	for _, path := range []string{fmt.Sprintf("%s/documents/%d", below, other), document + "0",
		fmt.Sprintf("%s/%d/documents/%s", address, foreign, one[1])} {
		if got := status(path); got != 404 {
			t.Error(path, got)
		}
	}
	if got := status(document + "/download"); got != 200 {
		t.Error(got)
	}
}
