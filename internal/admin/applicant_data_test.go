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

// TestDownloadData has everything in the archive, for those who look after data protection, and says so in the history.
func TestDownloadData(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		id := i.Number("SELECT applicant_id FROM application WHERE id = 11")
		path := fmt.Sprintf("/admin/applicants/%d", id)
		i.Put(fmt.Sprintf("UPDATE applicant SET password = 'hash-of-a-secret', address = '<script>alert(1)</script>' WHERE id = %d", id),
			fmt.Sprintf("INSERT INTO note (id, applicant_id, created, colour, pinned, collapsed, text) VALUES "+
				"(9001, %d, 1772000000000000, 'Violet', FALSE, FALSE, 'Calls again on Monday.')", id))
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
		files := exported(t, page.Submit("Download data"))
		var data struct {
			Applicant struct {
				ID      int64
				Email   string
				Address string
			}
			Notes        []struct{ Text string }
			Applications []struct {
				ID       int64
				TermName string `json:"term_name"`
			}
			WhatHappened []struct{ Event string } `json:"what_happened"`
		}
		if err := json.Unmarshal([]byte(files["data.json"]), &data); err != nil {
			t.Fatal(err)
		}
		if data.Applicant.ID != id || data.Applicant.Email == "" || data.Applicant.Address != "<script>alert(1)</script>" ||
			len(data.Notes) != 1 || data.Notes[0].Text != "Calls again on Monday." || len(data.Applications) == 0 ||
			data.Applications[0].TermName == "" {
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
		again := exported(t, page.Submit("Download data")) // as often as it is pressed
		if err := json.Unmarshal([]byte(again["data.json"]), &data); err != nil || len(data.WhatHappened) != 1 ||
			data.WhatHappened[0].Event != "Applicant data was exported" {
			t.Errorf("%v %v", err, data.WhatHappened)
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
	files := exported(t, staff.Open(fmt.Sprintf("/admin/applicants/%d/data", id)).Submit("Download data"))
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
