package admintest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// applicationsOf are those on a sheet, in the order of its scores.
func applicationsOf(i *sitetest.Instance, sheet int64) []string {
	return strings.Fields(i.Lines(fmt.Sprintf("SELECT application_id FROM score WHERE scoresheet_id = %d ORDER BY id", sheet)))
}

// TestImportPoints takes a file of points: nothing is written before it is pressed, who is not on the sheet is put on
// it, what an empty cell is in stays, and the same file again changes nothing (screens.md A26).
func TestImportPoints(t *testing.T) {
	i, sheet, scores := toScore(t)
	i.Keep()
	v := i.Staff(i.Superuser("Hana Yildiz"))
	events := func() int64 { return i.Number("SELECT max(id) FROM journal") }
	on := applicationsOf(i, sheet)
	other := strings.TrimSpace(i.Lines(fmt.Sprintf("SELECT min(id) FROM application WHERE visible AND id NOT IN (SELECT application_id FROM score WHERE scoresheet_id = %d)", sheet)))
	i.Put("UPDATE score SET points = 500000, scored = 1, comments = 'Stays' WHERE id = " + scores[1])
	address := fmt.Sprintf("/admin/scoresheets/%d/import", sheet)
	of := fmt.Sprintf("/admin/scoresheets/%d", sheet)
	if v.Open(of).Find("main a[href='"+address+"']").Length() != 1 {
		t.Error("the sheet does not lead to the import")
	}
	began := events()
	content := fmt.Sprintf("Application;Points;Comments\r\n%s;71,5;Clear\r\n%s;60.25;\r\n%s;;\r\n%s;0;\r\n%s;;'=1+1\r\n", on[0],
		on[1], on[2], other, on[3])
	page := v.Open(address).SubmitFile("file", "points.csv", content)
	text := strings.Join(strings.Fields(page.Text("main")), " ")
	for _, want := range []string{"Nothing is stored yet", "New1", "Changed3", "Unchanged1", "points: 50.00 → 60.25",
		"points: → 71.50", "comments: → =1+1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	if events() != began || i.Number(fmt.Sprintf("SELECT count(*) FROM score WHERE scoresheet_id = %d", sheet)) !=
		int64(len(on)) {
		t.Fatal("the dry run has written")
	}
	page = page.Submit("Import 4 rows")
	if said := page.Text(".notice"); page.Path != of || !strings.Contains(said, "1 new, 3 changed, 1 unchanged") {
		t.Fatal(page.Path, page.Errors(), page.Text("main"))
	}
	got := i.Lines(fmt.Sprintf("SELECT application_id || ' ' || coalesce(points, -1) || ' ' || comments FROM score WHERE scoresheet_id = %d ORDER BY id",
		sheet))
	for _, want := range []string{on[0] + " 715000 Clear", on[1] + " 602500 Stays", other + " 0", on[3] + " -1 =1+1"} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	said := i.Lines(fmt.Sprintf("SELECT pattern FROM journal WHERE id > %d", began))
	if strings.Count(said, string(admitto.ScoreAdded)) != 1 || strings.Count(said, string(admitto.ScorePointsSet)) != 3 {
		t.Errorf("the journal has %s", said)
	}
	written := events()
	whole := v.Do(http.MethodGet, fmt.Sprintf("/admin/scoresheets/%d/export", sheet), nil).Body
	for _, content := range []string{content, whole} {
		page = v.Open(address).SubmitFile("file", "points.csv", content)
		if text := page.Text("main"); !strings.Contains(text, "nothing to import") {
			t.Errorf("%.200s: %v %.400s", content, page.Errors(), text)
		}
	}
	if n := events(); n != written {
		t.Errorf("%d events of what did not change", n-written)
	}
	// What somebody else changes between the look and the button is shown before it is overwritten.
	page = v.Open(address).SubmitFile("file", "points.csv", "application,points\n"+on[4]+",10\n")
	i.Put("UPDATE score SET points = 880000, scored = 1 WHERE id = " + scores[4])
	page = page.Submit("Import 1 row")
	if text := page.Text("main"); !strings.Contains(text, "Something was changed since you looked") ||
		!strings.Contains(text, "points: 88.00 → 10.00") {
		t.Errorf("it is overwritten unseen: %.400s", text)
	}
	if page = page.Submit("Import 1 row"); page.Path != of || i.Number("SELECT points FROM score WHERE id = "+scores[4]) !=
		100_000 {
		t.Error(page.Path, page.Errors())
	}
}

// TestImportOnBoth imports points on each engine, and the automatic score of an offer follows from them.
func TestImportOnBoth(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		v := i.Staff(i.Superuser("Hana Yildiz"))
		v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Interview", "min", "0", "max", "10")
		sheet := i.Number("SELECT max(id) FROM scoresheet")
		i.Put(fmt.Sprintf("INSERT INTO criterion (course_id, scoresheet_id, position, weight) VALUES (55, %d, 1, 20000)", sheet))
		i.Put("INSERT INTO offer (id, application_id, applicant_id, course_id, intake_id, institution_id, priority, type_id, inserted) " +
			"VALUES (9001, 12, 2, 55, 8, 1, 1, (SELECT min(id) FROM offer_type), 1)")
		address := fmt.Sprintf("/admin/scoresheets/%d/import", sheet)
		content := "points,application\n7,12\n0,11\n"
		page := v.Open(address).SubmitFile("file", "a.csv", content).Submit("Import 2 rows")
		if said := page.Text(".notice"); !strings.Contains(said, "2 new") {
			t.Fatal(page.Errors(), page.Text("main"))
		}
		if got := i.Number("SELECT coalesce(score_auto, -1) FROM offer WHERE id = 9001"); got != 14_00 {
			t.Errorf("the automatic score is %d", got)
		}
		whole := v.Do(http.MethodGet, fmt.Sprintf("/admin/scoresheets/%d/export", sheet), nil).Body
		if whole != "\uFEFFapplication,points,comments\r\n12,7,\r\n11,0,\r\n" {
			t.Errorf("%q", whole)
		}
		page = v.Open(address).SubmitFile("file", "a.csv", whole)
		if text := page.Text("main"); !strings.Contains(text, "nothing to import") {
			t.Error(page.Errors(), text)
		}
		// What counts as a percentage follows the range of the sheet, and what counts as points does not.
		i.Put(fmt.Sprintf("UPDATE criterion SET percent = TRUE, weight = 10000 WHERE scoresheet_id = %d", sheet))
		for _, change := range []struct {
			most          string
			version, auto int64
		}{{"20", 1, 35_00}, {"20", 1, 35_00}, {"14", 2, 50_00}} {
			v.Open(fmt.Sprintf("/admin/scoresheets/%d", sheet)).Submit("Save", "max", change.most)
			if err := i.Services.Scoring.RecalculateWaiting(t.Context(), admitto.SystemCaller()); err != nil {
				t.Fatal(err)
			}
			version := i.Number("SELECT criteria_version FROM course WHERE id = 55")
			auto := i.Number("SELECT coalesce(score_auto, -1) FROM offer WHERE id = 9001")
			if version != change.version || auto != change.auto {
				t.Errorf("up to %s points: version %d of the criteria, automatic score %d", change.most, version, auto)
			}
		}
	})
}

// TestImportBadPoints names line, column and reason of each row, and stores nothing of a file with one that is wrong.
func TestImportBadPoints(t *testing.T) {
	i, sheet, _ := toScore(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	events := func() int64 { return i.Number("SELECT max(id) FROM journal") }
	on := applicationsOf(i, sheet)
	i.Put(fmt.Sprintf("UPDATE scoresheet SET language = 'Required', reference = 'Optional' WHERE id = %d", sheet))
	hidden := on[1]
	i.Put("UPDATE application SET visible = FALSE WHERE id = " + hidden)
	began := events()
	for _, bad := range [][2]string{
		{"", "no rows below"},
		{"application,points\n", "no rows below"},
		{"application\nK\x81ln\n", "not a text in UTF-8"},
		{"application,points\n\"open,1\n", "line 2 is not closed"},
		{"application\n" + strings.Repeat(on[0]+"\n", 5_001), "more than 5,000 rows"},
		{"application" + strings.Repeat(",a", 60) + "\n1\n", "more than 50 columns"},
		{"application,colour\n" + on[0] + ",red\n", "is no column"},
		{"application,offer\n" + on[0] + ",1\n", "is no column"},
		{"application,points,POINTS\n" + on[0] + ",1,2\n", "stands there twice"},
		{"points\n1\n", "needs the column application"},
		{"application,points,language\n" + on[0] + ",1,en,more\n", "more cells than there are columns (3)"},
		{"application,points,language\n,1,en\n", "application: "},
		{"application,points,language\n0,1,en\n", "application: "},
		{"application,points,language\nabc,1,en\n", "application: "},
		{"application,points,language\n99999999,1,en\n", "There is no application 99999999"},
		{"application,points,language\n" + hidden + ",1,en\n", "There is no application " + hidden},
		{"application,points,language\n" + on[0] + ",100.01,en\n", "points: Write points from 0.00 to 100.00."},
		{"application,points,language\n" + on[0] + ",-1,en\n", "points: Write points from 0.00 to 100.00."},
		{"application,points,language\n" + on[0] + ",1.234,en\n", "points: "},
		{"application,points,language\n" + on[0] + ",many,en\n", "points: \"many\" is not a number"},
		{"application,points,language\n" + on[0] + ",1e1,en\n", "points: "},
		{"application,points\n" + on[0] + ",1\n", "language: "}, // the sheet demands it
		{"application,points,language\n" + on[0] + ",1,xx\n", "language: "},
		{"application,points,language,reference\n" + on[0] + ",1,en," + strings.Repeat("x", 65) + "\n", "reference: "},
		{"application,points,language,comments\n" + on[0] + ",1,en," + strings.Repeat("x", 2001) + "\n", "comments: "},
		{"application,points,language\n" + on[0] + ",1,en\n" + on[0] + ",2,en\n", "Line 2 is about the same record"},
	} {
		page := v.Open(fmt.Sprintf("/admin/scoresheets/%d/import", sheet)).SubmitFile("file", "a.csv", bad[0])
		said := strings.Join(strings.Fields(strings.Join(page.Errors(), " ")+" "+page.Text("main")), " ")
		if !strings.Contains(said, bad[1]) || page.Find("button[name=write]").Length() > 0 {
			t.Errorf("%.60q: %q is not in %.900s", bad[0], bad[1], said)
		}
	}
	if n := events(); n != began {
		t.Errorf("%d events", n-began)
	}
	// A good row next to a bad one is not stored either.
	page := v.Open(fmt.Sprintf("/admin/scoresheets/%d/import", sheet)).SubmitFile("file", "a.csv",
		"application,points,language\n"+on[0]+",50,en\n"+on[2]+",500,en\n")
	if text := page.Text("main"); !strings.Contains(text, "1 row is wrong, so nothing can be imported") ||
		page.Find("button[name=write]").Length() > 0 {
		t.Error(text)
	}
}

// TestImportLabels takes points of a sheet for offers by their labels, and names the labels where there is no such one.
func TestImportLabels(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	v.Open("/admin/scoresheets/new").Submit("Add scoresheet", "name", "Folder", "type", "Mapped", "by_offer", "yes",
		"scale", "2", "min", "-1.05", "max", "2.5", "maps", "good = 2.5\nbad = -1.05")
	sheet := i.Number("SELECT max(id) FROM scoresheet")
	offers := strings.Fields(i.Lines("SELECT application_id || ' ' || id FROM offer ORDER BY id LIMIT 2"))
	row := func(n int, points string) string {
		return fmt.Sprintf("%s,%s,%s\n", offers[2*n], offers[2*n+1], points)
	}
	open := func(content string) *sitetest.Page {
		return v.Open(fmt.Sprintf("/admin/scoresheets/%d/import", sheet)).SubmitFile("file", "a.csv", content)
	}
	for _, bad := range [][2]string{{"application,points\n" + offers[0] + ",good\n", "needs the column offer"},
		{"application,offer,points\n" + offers[0] + ",,good\n", "offer: "},
		{"application,offer,points\n" + offers[0] + ",99999999,good\n", "has no offer 99999999"},
		{"application,offer,points\n" + row(0, "fair"), "-1.05 (bad), 2.50 (good)"},
		{"application,offer,points\n" + row(0, "1"), "-1.05 (bad), 2.50 (good)"}} {
		page := open(bad[0])
		if said := strings.Join(page.Errors(), " ") + " " + page.Text("main"); !strings.Contains(said, bad[1]) {
			t.Errorf("%q: %q is not in %s", bad[0], bad[1], said)
		}
	}
	page := open("application,offer,points\n" + row(0, "Good") + row(1, `"-1,05"`)).Submit("Import 2 rows")
	if said := page.Text(".notice"); !strings.Contains(said, "2 new") {
		t.Fatal(page.Errors(), page.Text("main"))
	}
	if got := i.Lines(fmt.Sprintf("SELECT CAST(points AS text) FROM score WHERE scoresheet_id = %d ORDER BY points",
		sheet)); got != "-10500 25000" {
		t.Error(got)
	}
}

// TestImportLocked refuses a file for a sheet that is locked or that others score, with the reason, to those who do not
// keep scoresheets; nobody imports without the permission for it.
func TestImportLocked(t *testing.T) {
	i, sheet, _ := toScore(t)
	on := applicationsOf(i, sheet)
	address := fmt.Sprintf("/admin/scoresheets/%d/import", sheet)
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.ScoresImport, admitto.ApplicationsScore))
	alone := i.Staff(i.Administrator("Ines Faro", admitto.ScoresImport))
	hana := i.Staff(i.Superuser("Hana Yildiz"))
	content := "application,points\n" + on[0] + ",50\n"
	if page := alone.Open("/admin/scoresheets"); page.Find("main a[href='"+address+"']").Length() != 1 {
		t.Errorf("who imports finds no sheet: %d", page.Status)
	}
	looked := few.Open(address).SubmitFile("file", "a.csv", content)
	kept := few.Open(address)
	for name, lock := range map[string][2]string{"confirmed": {"confirmed = 1", "confirmed = NULL"},
		"others": {"scorers = '[1]'", "scorers = ''"}} {
		want := map[string]string{"confirmed": "The scoresheet is confirmed.", "others": "asked to score"}[name]
		i.Put(fmt.Sprintf("UPDATE scoresheet SET %s WHERE id = %d", lock[0], sheet))
		for at, page := range []*sitetest.Page{few.Open(address), looked.Submit("Import 1 row"),
			kept.SubmitFile("file", "a.csv", content), alone.Open(address)} {
			if said := page.Text("main"); !strings.Contains(said, want) || page.Find("main form").Length() > 0 {
				t.Errorf("%s %d: %d %v %s", name, at, page.Status, page.Errors(), said)
			}
		}
		if n := i.Number(fmt.Sprintf("SELECT count(*) FROM score WHERE points IS NOT NULL AND scoresheet_id = %d", sheet)); n != 0 {
			t.Fatalf("%s: %d points", name, n)
		}
		export := few.Open(strings.Replace(address, "import", "export", 1))
		if (export.Status == http.StatusOK) != (name == "confirmed") {
			t.Errorf("%s: the export answers %d", name, export.Status)
		}
		if page := hana.Open(address); page.Find("main input[type=file]").Length() != 1 {
			t.Errorf("%s: who keeps scoresheets cannot import: %s", name, page.Text("main"))
		}
		i.Put(fmt.Sprintf("UPDATE scoresheet SET %s WHERE id = %d", lock[1], sheet))
	}
	scorer := i.Staff(i.Administrator("Bo Lind", admitto.ScorersEdit, admitto.ApplicationsScore))
	for _, path := range []string{address, fmt.Sprintf("/admin/scoresheets/%d/export", sheet)} {
		if page := scorer.Open(path); page.Status != http.StatusForbidden ||
			!strings.Contains(page.Text("main"), "import-scores") {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
	if page := scorer.Open(fmt.Sprintf("/admin/scoresheets/%d", sheet)); page.Status != http.StatusOK ||
		page.Find("main a[href='"+address+"']").Length() != 0 {
		t.Error("the import is offered")
	}
	page := alone.Open(address).SubmitFile("file", "a.csv", content).Submit("Import 1 row")
	if page.Path != "/admin/scoresheets" || i.Number(fmt.Sprintf("SELECT points FROM score WHERE scoresheet_id = %d AND application_id = %s", sheet, on[0])) != 500_000 {
		t.Error(page.Path, page.Errors())
	}
}

// TestManyPoints exports more points than are read at once, and checks a file of them with as many statements as one of
// a single row.
func TestManyPoints(t *testing.T) {
	i, sheet, _ := toScore(t)
	const first, last = 700_001, 701_100
	many := fmt.Sprintf("WITH RECURSIVE many(id) AS (SELECT %d UNION ALL SELECT id + 1 FROM many WHERE id < %d) ", first, last)
	i.Put("INSERT INTO applicant (id, state, lead, registered, email, email_key) "+many+
		"SELECT id, 'live', FALSE, 1, id || '@a.org', id || '@a.org' FROM many",
		"INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) "+many+
			"SELECT id, id, (SELECT min(id) FROM academic_term), 'Submitted', 1, 1 FROM many",
		fmt.Sprintf("INSERT INTO score (scoresheet_id, application_id, points, scored) %s SELECT %d, id, 900000, 1 FROM many",
			many, sheet))
	v := i.Staff(i.Superuser("Hana Yildiz"))
	whole := v.Do(http.MethodGet, fmt.Sprintf("/admin/scoresheets/%d/export", sheet), nil).Body
	lines := strings.Split(strings.TrimSpace(whole), "\r\n")
	if on := applicationsOf(i, sheet); len(lines) != 1+len(on) {
		t.Fatalf("%d lines for %d scores", len(lines), len(on))
	}
	if !strings.HasPrefix(lines[len(lines)-1], fmt.Sprint(last, ",90.00,")) {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
	checked := func(content string) uint64 {
		page := v.Open(fmt.Sprintf("/admin/scoresheets/%d/import", sheet))
		before := i.Store.Statements()
		if text := page.SubmitFile("file", "a.csv", content).Text("main"); !strings.Contains(text, "nothing to import") {
			t.Fatal(text)
		}
		return uint64(i.Store.Statements() - before)
	}
	one := checked(lines[0] + "\n" + lines[len(lines)-1] + "\n")
	if all := checked(whole); all > one+2 { // a large file is kept in parts
		t.Errorf("%d statements for all, %d for one", all, one)
	}
}
