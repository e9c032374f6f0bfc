package admin_test

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store"
)

// exported opens the archive that a page was answered with, and returns its files by name.
func exported(t *testing.T, p *sitetest.Page) map[string]string {
	t.Helper()
	if p.Status != 200 || p.Header.Get("Content-Type") != "application/zip" {
		t.Fatalf("%d %s: %.300s", p.Status, p.Header.Get("Content-Type"), p.Body)
	}
	archive, err := zip.NewReader(strings.NewReader(p.Body), int64(len(p.Body)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(content)
	}
	return files
}

// made runs the job that makes what was asked for, and opens the file to which the page leads then.
func made(t *testing.T, d *servicestest.Desk, staff *sitetest.Visitor, path string) map[string]string {
	t.Helper()
	d.Must(d.Services.Privacy.MakeDataExports(t.Context(), admitto.SystemCaller()))
	to, found := staff.Open(path).Find("#file a.primary").Attr("href")
	if !found {
		t.Fatalf("%s", staff.Open(path).Text("main"))
	}
	return exported(t, staff.Open(to))
}

// TestDownloadData has everything in the archive, for those who look after data protection, and says so in the history.
func TestDownloadData(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		i.Keep()
		id := i.Number("SELECT applicant_id FROM application WHERE id = 11")
		path := fmt.Sprintf("/admin/applicants/%d", id)
		i.Put(fmt.Sprintf("UPDATE applicant SET password = 'hash-of-a-secret', address = '<script>alert(1)</script>' WHERE id = %d", id),
			fmt.Sprintf("INSERT INTO note (id, applicant_id, created, colour, pinned, collapsed, text) VALUES "+
				"(9001, %d, 1772000000000000, 'Violet', FALSE, FALSE, 'Calls again on Monday.')", id),
			"INSERT INTO lead_import (id, state, uploaded, uploaded_by, name, encoding, separator, heads, row_count, options, "+
				"counts) VALUES (5, 'finished', 1, 1, 'fair.csv', 'UTF-8', ',', '[\"Shoe size\"]', 1, "+
				`'{"Basis":"Asked for news"}', '{}')`,
			fmt.Sprintf("INSERT INTO lead_row (import_id, line, cells, state, applicant_id) VALUES "+
				"(5, 2, '[\"forty-two\"]', 'created', %d)", id),
			fmt.Sprintf("INSERT INTO access (logged, administrator_id, application_id, what) "+
				"SELECT 1772000000000000, 1, min(id), 'sensitive' FROM application WHERE applicant_id = %d", id))
		without := admitto.AllPermissions().List()
		for n, p := range without {
			if p == admitto.DataProtection {
				without = append(without[:n:n], without[n+1:]...)
				break
			}
		}
		if p := i.Staff(i.Administrator("Some One", without...)).Open(path + "/data"); p.Status != 403 ||
			!strings.Contains(p.Text("main"), "(data-protection)") {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
		to, _ := staff.Open(path).Find(`.cardhead a[href$="/data"]`).Attr("href")
		page := staff.Open(to)
		waits := page.Submit("Make the file")
		if waits.Status != 200 || waits.Find("#file progress").Length() != 1 || waits.Find("#file[hx-get]").Length() != 1 ||
			waits.Find("#file a.primary").Length() != 0 || waits.Find("form .effects").Length() != 0 {
			t.Errorf("%d %s", waits.Status, waits.Body)
		}
		page.Submit("Make the file") // again, before it is made
		files := made(t, d, staff, path+"/data")
		var data struct {
			Applicant struct {
				ID      int64
				Email   string
				Address string
			}
			Notes   []struct{ Text string }
			Imports []struct {
				File, Basis string
				Cells       []struct{ Column, Text string }
			}
			Applications []struct {
				ID       int64
				TermName string `json:"term_name"`
			}
			Accesses     []struct{ Application int64 }
			WhatHappened []struct{ Event string } `json:"what_happened"`
		}
		if err := json.Unmarshal([]byte(files["data.json"]), &data); err != nil {
			t.Fatal(err)
		}
		if data.Applicant.ID != id || data.Applicant.Email == "" || data.Applicant.Address != "<script>alert(1)</script>" ||
			len(data.Imports) != 1 || data.Imports[0].Basis != "Asked for news" || len(data.Imports[0].Cells) != 1 ||
			data.Imports[0].Cells[0].Column != "Shoe size" || data.Imports[0].Cells[0].Text != "forty-two" ||
			len(data.Notes) != 1 || data.Notes[0].Text != "Calls again on Monday." || len(data.Applications) == 0 ||
			data.Applications[0].TermName == "" || len(data.Accesses) != 1 || data.Accesses[0].Application == 0 {
			t.Errorf("%.3000s", files["data.json"])
		}
		readable := files["index.html"]
		if !strings.Contains(readable, "Calls again on Monday.") || strings.Contains(readable, "<script>") {
			t.Errorf("%.3000s", readable)
		}
		for name, content := range files {
			if strings.Contains(content, "hash-of-a-secret") {
				t.Errorf("%s has the password", name)
			}
		}
		staff.Open(to).Submit("Make a new file")
		again := made(t, d, staff, path+"/data")
		if err := json.Unmarshal([]byte(again["data.json"]), &data); err != nil || len(data.WhatHappened) != 2 ||
			data.WhatHappened[0].Event != "Applicant data was exported" {
			t.Errorf("%v %v", err, data.WhatHappened)
		}
		if n := d.Count("data_export"); n != 1 {
			t.Errorf("%d files are kept of one person", n)
		}
		if text := staff.Open(path + "/history").Text("main"); strings.Count(text,
			"All data about the applicant were exported") != 2 {
			t.Errorf("%.600s", text)
		}
		if p := staff.Open("/admin/applicants/99999/data"); p.Status != 404 {
			t.Error(p.Status)
		}
	})
}

// TestDownloadFiles has the files of the applicant in the archive, each as it is kept.
func TestDownloadFiles(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT a.applicant_id FROM document d JOIN application a ON a.id = d.application_id GROUP BY a.applicant_id " +
		"ORDER BY count(*) DESC, a.applicant_id LIMIT 1")
	staff := i.Staff(i.Superuser("Mara Lind"))
	path := fmt.Sprintf("/admin/applicants/%d/data", id)
	staff.Open(path).Submit("Make the file")
	files := made(t, i.Desk, staff, path)
	documents := 0
	for name, content := range files {
		if strings.HasPrefix(name, "documents/") {
			documents++
		}
		if content == "" {
			t.Errorf("%s is empty", name)
		}
	}
	want := i.Number("SELECT count(*) FROM document d JOIN application a ON a.id = d.application_id WHERE a.applicant_id = $1", id)
	if int64(documents) != want || documents == 0 {
		t.Errorf("%d documents instead of %d", documents, want)
	}
	if !strings.Contains(files["data.json"], `"course_name"`) || !strings.Contains(files["data.json"], `"documents/`) {
		t.Errorf("%.2000s", files["data.json"])
	}
}

// TestDataFileEnds downloads a file as long as its days last and by those only who may, and finds nothing of it when it
// is over, when the applicant is deleted, and after the erasing.
func TestDataFileEnds(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		i.Keep()
		ctx, system := t.Context(), admitto.SystemCaller()
		id := i.Number("SELECT applicant_id FROM application WHERE id = 11")
		path := fmt.Sprintf("/admin/applicants/%d/data", id)
		account := i.Administrator("Mara Lind", admitto.AllPermissions().List()...)
		staff := i.Staff(account)
		ask := func() (file string) {
			t.Helper()
			staff.Open(path).Submit("Make the file")
			d.Must(d.Services.Privacy.MakeDataExports(ctx, system))
			page := staff.Open(path)
			if !strings.Contains(page.Text("#file"), "Asked for by Mara Lind") {
				t.Errorf("%s", page.Text("main"))
			}
			file, _ = page.Find("#file a.primary").Attr("href")
			return file
		}
		status := func(v *sitetest.Visitor, address string, want int) {
			t.Helper()
			if p := v.Open(address); p.Status != want {
				t.Errorf("%s: %d instead of %d", address, p.Status, want)
			}
		}
		tidy := func() {
			t.Helper()
			d.Must(d.Services.Maintenance.Tidy(ctx, system))
		}
		file := ask()
		if files := exported(t, staff.Open(file)); files["data.json"] == "" {
			t.Error(files)
		}
		status(i.Staff(i.Administrator("No One", admitto.ApplicantsView)), file, 403)
		if p := i.Visitor().Open(file); !strings.HasPrefix(p.Path, "/admin/sign-in") {
			t.Errorf("%d %s", p.Status, p.Path)
		}
		other := i.Number("SELECT max(id) FROM applicant WHERE id <> $1", id)
		status(staff, strings.Replace(file, fmt.Sprint(id), fmt.Sprint(other), 1), 404)
		status(staff, path+"/77777", 404)

		d.Clock.Add(7*admitto.Day - admitto.Second)
		tidy()
		staff = i.Staff(account)
		status(staff, file, 200)
		d.Clock.Add(admitto.Second)
		status(staff, file, 404)
		if text := staff.Open(path).Text("main"); strings.Contains(text, "Mara Lind") {
			t.Error(text)
		}
		hash := d.Lines("SELECT hash FROM data_export")
		tidy()
		d.Clock.Add(2 * admitto.Hour)
		d.Must(d.Services.Files.TidyFiles(ctx, system))
		if _, _, err := d.Shelf.Open(ctx, strings.TrimSpace(hash)); admitto.KindOf(err) != admitto.NotFound ||
			d.Count("data_export")+d.Count("loose_file") != 0 {
			t.Errorf("%v, %d rows, %d loose", err, d.Count("data_export"), d.Count("loose_file"))
		}

		staff = i.Staff(account)
		file = ask()
		staff.Open(path).Submit("Make a new file") // and deleted before that is made
		d.Must(d.Services.Privacy.DeleteApplicant(ctx, servicestest.Staff(), id))
		status(staff, file, 404)
		d.Must(d.Services.Privacy.MakeDataExports(ctx, system))
		if n := d.Count("data_export"); n != 1 {
			t.Errorf("%d files of a deleted applicant", n)
		}
		hash = d.Lines("SELECT hash FROM data_export")
		d.Clock.Add(2 * admitto.Day)
		d.Must(d.Services.Privacy.EraseDeleted(ctx, system))
		d.Clock.Add(2 * admitto.Hour)
		d.Must(d.Services.Files.TidyFiles(ctx, system))
		if _, _, err := d.Shelf.Open(ctx, strings.TrimSpace(hash)); admitto.KindOf(err) != admitto.NotFound ||
			d.Count("data_export") != 0 {
			t.Errorf("%v, %d rows after the erasing", err, d.Count("data_export"))
		}
		d.Chained()
	})
}

// TestDataFileFails goes on where an instance died, tries again while the store of files is not there, and says at last
// that it could not be made.
func TestDataFileFails(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		i.Keep()
		ctx, system := t.Context(), admitto.SystemCaller()
		id := i.Number("SELECT applicant_id FROM application WHERE id = 11")
		path := fmt.Sprintf("/admin/applicants/%d/data", id)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
		works := d.Shelf.Backend
		d.Shelf.Backend = servicestest.Full{Backend: works}
		staff.Open(path).Submit("Make the file")
		for try := range 5 {
			if text := staff.Open(path).Text("#file"); !strings.Contains(text, "is being made") {
				t.Errorf("try %d: %s", try, text)
			}
			d.Must(d.Services.Privacy.MakeDataExports(ctx, system))
			d.Clock.Add(5 * admitto.Minute)
		}
		page := staff.Open(path)
		if text := page.Text("#file"); !strings.Contains(text, "could not be made") || page.Find("#file a").Length() != 0 ||
			page.Find("#file[hx-get]").Length() != 0 {
			t.Errorf("%s", text)
		}
		if n := strings.Count(d.Log.String(), "could not be exported"); n != 5 {
			t.Errorf("%d failures are logged", n)
		}

		// An instance takes it and dies; what it would note later counts no more.
		d.Shelf.Backend = works
		page.Submit("Make a new file")
		d.Must(d.Store.Write(ctx, func(tx *store.Tx) error {
			taken, found, err := tx.ClaimDataExport(tx.Now() + admitto.Minute)
			if !found || taken.Lease != 1 {
				t.Errorf("%+v", taken)
			}
			return err
		}))
		d.Must(d.Services.Privacy.MakeDataExports(ctx, system))
		if text := staff.Open(path).Text("#file"); !strings.Contains(text, "is being made") {
			t.Error(text)
		}
		d.Clock.Add(admitto.Minute)
		made(t, d, staff, path)
		d.Must(d.Store.Write(ctx, func(tx *store.Tx) error {
			list, err := tx.DataExports(id, false, 5)
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			list[0].Lease = 1
			noted, err := tx.FinishDataExport(&list[0], &admitto.File{Hash: "aa"}, tx.Now())
			if noted {
				t.Error("the file of a lost lease is noted")
			}
			return err
		}))
		if n := d.Count("loose_file"); n != 0 {
			t.Errorf("%d files are loose", n)
		}
	})
}
