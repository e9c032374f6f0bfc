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

// run is what the job does.
func run(i *sitetest.Instance) {
	i.Must(i.Services.Leads.Run(i.T.Context(), admitto.SystemCaller()))
}

// wants fails unless a page says all of some words.
func wants(t *testing.T, p *sitetest.Page, words ...string) {
	t.Helper()
	said := p.Text("body")
	for _, want := range words {
		if !strings.Contains(said, want) {
			t.Fatalf("%d, without %q: %v %.2000s", p.Status, want, p.Errors(), p.Text("main"))
		}
	}
}

// TestImport goes all the way: a file as spreadsheets write it, its columns, the dry run, the leads, the bad rows
// corrected and uploaded again, and the undoing (screens.md A36).
func TestImport(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		d.Write("INSERT INTO consent (id, type, text, version) VALUES (41, 'Voluntary', 'News of the university', 3)")
		tracker := d.Tracker("FAIR")
		i := sitetest.On(d)
		i.Keep()
		v := i.Staff(i.Superuser("Hana Yildiz"))
		people := i.Number("SELECT count(*) FROM applicant")
		wants(t, v.Open("/admin/imports"), "No imports yet", "New import")
		began := len(i.Journal())
		page := v.Open("/admin/imports/new").SubmitFile("file", "Messe K\u00f6ln.csv",
			"Vorname;Nachname;E-Mail;Land;Gr\xf6\xdfe\r\nJ\xf6rg;M\xfcller;joerg@example.org;Germany;5\r\n"+
				"Cyd;Wu;cyd@example.org;;\r\nNo;Body;;;\r\nDee;Lee;=dee@example.org;Utopia;\r\nCyd;Wu;CYD@example.org;;\r\n")
		id := i.Number("SELECT max(id) FROM lead_import")
		path := fmt.Sprintf("/admin/imports/%d", id)
		if page.Path != path+"/options" {
			t.Fatal(page.Path, page.Errors())
		}
		wants(t, page, "Messe K\u00f6ln.csv", "5 rows, Windows-1252, semicolons", "J\u00f6rg", "Gr\u00f6\u00dfe")
		wants(t, page.Submit("Check the rows"), "Say why these people may be kept")
		if page = v.Open(path); page.Path != path+"/options" {
			t.Error(page.Path) // there is nothing to see yet
		}
		page = page.Submit("Check the rows", "basis", "Asked for news at the fair", "tracker", fmt.Sprint(tracker),
			"consent", "41")
		wants(t, page, "Nothing is stored yet", "Import 3 rows", "Line 3 has the same address", "Land: ", "FAIR",
			"News of the university")
		if n := i.Number("SELECT count(*) FROM applicant"); n != people || len(i.Journal()) != began {
			t.Errorf("the dry run has written: %v", i.Since(began))
		}
		wants(t, v.Open(path+"?state=wrong"), "Utopia", "Dee Lee")
		page = v.Open(path).Submit("Import 3 rows")
		wants(t, page, "The import has begun", "Stop")
		wants(t, v.Open(path).Submit("Stop"), "The import was stopped")
		wants(t, v.Open(path).Submit("Go on"), "Being imported")
		run(i)
		page = v.Open(path)
		wants(t, page, "Finished", "Created2", "2 rows were not imported", "Can be undone until")
		if n := i.Number("SELECT count(*) FROM applicant"); n != people+2 {
			t.Errorf("%d applicants", n-people)
		}
		if n := i.Number("SELECT count(*) FROM applicant WHERE given = 'J\u00f6rg' AND citizenship = 'DE' AND lead"); n != 1 {
			t.Error("the lead is not as the file says")
		}
		to, _ := page.Find("tbody a").First().Attr("href")
		wants(t, v.Open(to), "J\u00f6rg M\u00fcller")
		wants(t, v.Open("/admin/imports"), "Messe K\u00f6ln.csv", "Finished", "Hana Yildiz")

		bad := strings.TrimPrefix(v.Do(http.MethodGet, path+"/bad", nil).Body, "\uFEFF")
		if !strings.HasPrefix(bad, "Vorname,Nachname,E-Mail,Land,Gr\u00f6\u00dfe,Reason\r\nNo,Body,,,,") ||
			!strings.Contains(bad, "Dee,Lee,'=dee@example.org,Utopia,,") || strings.Count(bad, "\r\n") != 3 {
			t.Errorf("%q", bad)
		}
		bad = strings.Replace(strings.Replace(bad, "'=dee", "dee", 1), "Utopia", "PT", 1)
		page = v.Open("/admin/imports/new").Submit("Upload", "rows", bad)
		page = page.Submit("Check the rows", "basis", "Fair", "welcome", "")
		wants(t, page, "Import 1 row", "Pasted rows", "UTF-8, commas")
		again := page.Path
		page.Submit("Import 1 row")
		run(i)
		wants(t, v.Open(again), "Created1")

		mails := i.Number("SELECT count(*) FROM outbox")
		wants(t, v.Open(path+"/undo"), "2 leads whom the import created are deleted", "Welcome e-mails")
		page = v.Open(path + "/undo").Submit("Undo the import")
		wants(t, page, "Being undone")
		run(i)
		wants(t, v.Open(path), "Undone", "Deleted again2")
		if n := i.Number("SELECT count(*) FROM applicant WHERE state = 'recovery'"); n != 2 || mails == 0 {
			t.Error(n, mails)
		}
		if page := v.Open(path + "/undo"); page.Path != path {
			t.Error(page.Path)
		}
		i.Clock.Add(40 * admitto.Day)
		i.Must(i.Services.Leads.Tidy(t.Context(), admitto.SystemCaller()))
		wants(t, i.Staff(i.Superuser("Ines Faro")).Open(path), "The rows were deleted", "Deleted again2")
	})
}

// TestBadFiles uploads what cannot be imported: the page says why, keeps what was typed, and nothing is stored.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	for content, want := range map[string]string{
		"":                                       "no rows",
		"\r\n\r\n":                               "no rows",
		"name;e-mail\n":                          "no rows",
		"name\nK\x81ln\n":                        "not a text in UTF-8",
		"PK\x03\x04\x00\x00":                     "not a text in UTF-8",
		"\xff\xfea":                              "not a text in UTF-8",
		"name\n\"open\n":                         "line 2 is not closed",
		"name\n" + strings.Repeat("a\n", 50_001): "more than 50,000 rows",
		"name" + strings.Repeat(",a", 60) + "\nb\n":  "more than 60 columns",
		"name\n" + strings.Repeat("x", 2_501) + "\n": "more than 2,500 characters",
	} {
		page := v.Open("/admin/imports/new").SubmitFile("file", "bad.csv", content)
		if said := strings.Join(page.Errors(), " "); !strings.Contains(said, want) {
			t.Errorf("%.40q: %q, want %q", content, said, want)
		}
	}
	v = i.Staff(i.Superuser("Cyd Wu")) // for whom no file is kept
	page := v.Open("/admin/imports/new").Submit("Upload")
	wants(t, page, "Choose a file or paste rows.")
	wants(t, v.Open("/admin/imports/new").SubmitFile("file", "a.csv", "Bo;bob@example.org", "rows", "A;a@example.org"),
		"not both", "a@example.org")
	wants(t, page.Submit("Upload", "rows", "name;e-mail\n\"open;a@example.org"), "line 2 is not closed", "a@example.org")
	if n := i.Number("SELECT count(*) FROM lead_import"); n != 0 {
		t.Errorf("%d imports", n)
	}
	page = v.Open("/admin/imports/new").Submit("Upload", "rows", "Bo Lind;bob@example.org\nNo;x\n")
	wants(t, page, "Column 1", "Bo Lind", "UTF-8, semicolons")
	wants(t, page.Submit("Check the rows", "basis", "Fair"), "Say which column has the names")
	wants(t, page.Submit("Check the rows", "basis", "Fair", "column-1", "email"), "Another column is that already")
	wants(t, page.Submit("Check the rows", "column-1", "name", "basis", strings.Repeat("x", 1001)), "Write at most 1000")
	for _, field := range []string{"tracker", "consent"} {
		wants(t, page.Submit("Check the rows", "column-1", "name", "basis", "Fair", field, "99999"), "There is a problem")
	}
	page = page.Submit("Check the rows", "column-1", "name", "basis", "Fair")
	path := page.Path
	wants(t, page, "Import 1 row", "Wrong1")
	// Somebody else changes the columns meanwhile: what was looked at is not imported unseen.
	other := i.Staff(i.Superuser("Ines Faro"))
	mine := v.Open(path + "/options")
	wants(t, other.Open(path+"/options").Submit("Check the rows", "basis", "Another fair"), "Import 1 row")
	wants(t, page.Submit("Import 1 row"), "Somebody has changed the import")
	wants(t, mine.Submit("Check the rows", "basis", "My fair"), "Another fair", "My fair")
	wants(t, v.Open(path+"/discard").Submit("Discard the import"), "The import was discarded")
	for _, gone := range []string{path, path + "/options", path + "/bad", path + "/discard", path + "/undo",
		"/admin/imports/0", "/admin/imports/x"} {
		if page := v.Open(gone); page.Status != http.StatusNotFound {
			t.Errorf("%s: %d", gone, page.Status)
		}
	}
}

// Who may import without the other rights sees no cards and sets no trackers.
func TestImporterAlone(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicantsImport))
	i.Put("UPDATE applicant SET email = 'ilse@example.org', email_key = 'ilse@example.org' WHERE id = " +
		fmt.Sprint(i.Number("SELECT min(id) FROM applicant WHERE state = 'live'")))
	page := v.Open("/admin/imports/new").Submit("Upload", "rows", "name;e-mail\nIlse A;ilse@example.org\nBo;bob@example.org\n")
	if page.Find("[name=tracker]").Length() != 0 {
		t.Error("trackers are offered")
	}
	page = page.Submit("Check the rows", "basis", "Fair")
	wants(t, page, "Already known", "Import 2 rows")
	path := page.Path
	page.Submit("Import 2 rows")
	i.Put(fmt.Sprintf("UPDATE lead_import SET work_begun = %d, counts = '{\"created\":20,\"new\":70}'",
		int64(i.Clock.Now()-admitto.Minute)))
	page = v.Open(path)
	wants(t, page, "20 of 90 rows. 20 rows a minute, about 4 minutes left.")
	if page.Find("#state[hx-get]").Length() != 1 || page.Find("#state progress").AttrOr("max", "") != "90" {
		t.Error("the progress is not read again by itself")
	}
	if page.Find("tbody a").Length() != 0 {
		t.Error(page.Find("tbody a").Text())
	}
	for _, path := range []string{"/admin/imports", "/admin/imports/new", page.Path} {
		if page := i.Staff(i.Administrator("No one")).Open(path); page.Status != http.StatusForbidden ||
			!strings.Contains(page.Text("main"), "import-applicants") {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
}
