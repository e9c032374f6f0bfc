package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

// TestAddApplications puts the applications that filters choose on a sheet, after a page that shows what would change.
func TestAddApplications(t *testing.T) {
	i, _, _ := toScore(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Second reader")
	sheet := i.Number("SELECT max(id) FROM scoresheet")
	of := fmt.Sprintf("/admin/scoresheets/%d", sheet)
	if page := v.Open(of); page.Find("main a[href='"+of+"/add']").Length() == 0 {
		t.Fatal(page.Text("main"))
	}
	course := i.Number("SELECT o.course_id FROM offer o JOIN application a ON a.id = o.application_id WHERE a.status = 'Submitted' GROUP BY o.course_id ORDER BY count(*) DESC LIMIT 1")
	for _, bad := range [][]string{{"term", "x"}, {"course", "99999"}, {"status", "Lost"}} {
		if page := v.Open(of+"/add").Submit("Show what would change", bad...); len(page.Errors()) != 1 {
			t.Errorf("%q: %q", bad, page.Errors())
		}
	}
	page := v.Open(of+"/add").Submit("Show what would change", "term", "all", "course", fmt.Sprint(course), "status",
		"Submitted")
	if !strings.HasPrefix(page.Path, "/admin/batches/new?") {
		t.Fatal(page.Path, page.Errors())
	}
	reader := i.Staff(i.Administrator("Kofi Haugen", admitto.ScorersEdit))
	if page = reader.Open(of); page.Status != 200 || page.Find("main a[href='"+of+"/add']").Length() != 0 {
		t.Error(page.Status, page.Text("main"))
	}
}

// TestSheetNumbers wants the page of a sheet to say how much is on it, and how much of that waits.
func TestSheetNumbers(t *testing.T) {
	i, sheet, scores := toScore(t)
	i.Put("UPDATE score SET points = 10000, scored = 1 WHERE id = " + scores[0])
	page := i.Staff(i.Superuser("Hana Yildiz")).Open(fmt.Sprintf("/admin/scoresheets/%d", sheet))
	text := page.Text("main .kv")
	for _, want := range []string{fmt.Sprintf("Applications on the sheet%d", len(scores)), "Scored1",
		fmt.Sprintf("Without points%d", len(scores)-1)} {
		if !strings.Contains(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(want, " ", "")) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if rows := page.Find("main table tbody tr").Length(); rows != min(len(scores), 10) {
		t.Error(rows)
	}
}

// TestTellScorers writes to those who are asked for points and can sign in, and to nobody where nothing waits.
func TestTellScorers(t *testing.T) {
	i, sheet, _ := toScore(t)
	kofi := i.Administrator("Kofi Haugen", admitto.ApplicationsScore)
	gone := i.Administrator("Old Scorer", admitto.ApplicationsScore)
	other := i.Administrator("Ines Sousa", admitto.ApplicationsScore)
	i.Put(fmt.Sprintf("UPDATE scoresheet SET scorers = '[%d,%d]' WHERE id = %d", kofi, gone, sheet),
		fmt.Sprintf("UPDATE administrator SET suspended = TRUE WHERE id = %d", gone))
	v := i.Staff(i.Superuser("Hana Yildiz"))
	tell := fmt.Sprintf("/admin/scoresheets/%d/tell", sheet)
	page := v.Open(tell)
	if text := page.Text("main"); !strings.Contains(text, "Kofi Haugen") || strings.Contains(text, "Old Scorer") ||
		strings.Contains(text, "Ines Sousa") {
		t.Error(text)
	}
	before := i.Number("SELECT count(*) FROM outbox")
	page = page.Submit("Tell the scorers")
	if text := page.Text(".notice"); !strings.Contains(text, "1 e-mail is on its way") ||
		i.Number("SELECT count(*) FROM outbox") != before+1 {
		t.Error(text)
	}
	i.Put(fmt.Sprintf("UPDATE scoresheet SET scorers = '' WHERE id = %d", sheet))
	if text := v.Open(tell).Text("main"); !strings.Contains(text, "Ines Sousa") || strings.Contains(text,
		"Old Scorer") {
		t.Error(text, other)
	}
	i.Put(fmt.Sprintf("UPDATE score SET points = 0, scored = 1 WHERE scoresheet_id = %d", sheet))
	if page = v.Open(tell); strings.Contains(page.Text("main"), "gets an e-mail") {
		t.Error("nothing waits, and the page says who is told of it: ", page.Text("main"))
	}
	if page = page.Submit("Tell the scorers"); len(page.Errors()) != 1 {
		t.Error(page.Errors())
	}
}
