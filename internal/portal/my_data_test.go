package portal_test

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestMyData downloads what is kept about one: every section, document and letter of the portal is in it, and nothing
// that staff keep for themselves. Nobody else gets the file, and it goes after its days (screens.md P23).
func TestMyData(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		i.AtWork()
		i.Keep()
		id := i.Number("SELECT applicant_id FROM application WHERE id = 11")
		entered := func() *sitetest.Visitor { return i.Applicant(id) }
		i.Put(fmt.Sprintf("INSERT INTO note (id, applicant_id, created, colour, pinned, collapsed, text) VALUES "+
			"(9001, %d, 1772000000000000, 'Violet', FALSE, FALSE, 'Calls again on Monday.')", id),
			"UPDATE offer SET comments = 'A draft of staff', reason = 'Best of all' WHERE application_id = 11",
			fmt.Sprintf("UPDATE applicant SET reference = 'STAFF-1', citizenship = 'PT' WHERE id = %d", id))
		own := entered()
		page := own.Open("/my/privacy").Submit("Make my file")
		if page.Path != "/my/privacy" || page.Find("#file progress").Length() != 1 || page.Find("#file form").Length() != 0 {
			t.Fatal(page.Path, page.Text("main"))
		}
		i.Must(i.Services.Privacy.MakeDataExports(t.Context(), admitto.SystemCaller()))
		if n := i.Number(fmt.Sprintf("SELECT count(*) FROM email WHERE applicant_id = %d AND message LIKE '%%/my/privacy%%'", id)); n != 1 {
			t.Errorf("%d mails say that the file is there", n)
		}
		to, _ := own.Open("/my/privacy").Find("#file a.primary").Attr("href")
		files := unzipped(t, own.Open(to))
		var data struct {
			Applicant    struct{ ID int64 }
			Applications []struct{ ID int64 }
		}
		if err := json.Unmarshal([]byte(files["data.json"]), &data); err != nil || data.Applicant.ID != id ||
			len(data.Applications) == 0 {
			t.Errorf("%v %.2000s", err, files["data.json"])
		}
		for name, content := range files {
			for _, secret := range []string{"Calls again on Monday.", "A draft of staff", "Best of all", "STAFF-1", "trackers",
				"score_auto", "flags"} {
				if strings.Contains(content, secret) {
					t.Errorf("%s has %q", name, secret)
				}
			}
		}
		other := i.Applicant(i.Number("SELECT max(id) FROM applicant WHERE id <> $1", id))
		i.Put("UPDATE applicant SET citizenship = 'PT'")
		for visitor, status := range map[*sitetest.Visitor]int{own: 200, other: 404} {
			if got := visitor.Open(to); got.Status != status {
				t.Errorf("%d instead of %d", got.Status, status)
			}
		}
		if got := i.Visitor().Open(to); !strings.HasPrefix(got.Path, "/sign-in") {
			t.Errorf("%d at %s for nobody", got.Status, got.Path)
		}
		for _, path := range []string{"/my/privacy/files/77", "/my/privacy/files/x"} {
			if got := own.Open(path); got.Status != 404 {
				t.Errorf("%s: %d", path, got.Status)
			}
		}
		// Staff who ask for theirs at the same time get all, and not the file of the applicant.
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
		staff.Open(fmt.Sprintf("/admin/applicants/%d/data", id)).Submit("Make the file")
		own.Open("/my/privacy").Submit("Make a new file")
		i.Must(i.Services.Privacy.MakeDataExports(t.Context(), admitto.SystemCaller()))
		whole, _ := staff.Open(fmt.Sprintf("/admin/applicants/%d/data", id)).Find("#file a.primary").Attr("href")
		if files := unzipped(t, staff.Open(whole)); !strings.Contains(files["data.json"], "Calls again on Monday.") {
			t.Error("the file for staff has no notes")
		}
		if n := i.Count("own_data_export"); n != 1 {
			t.Errorf("%d files are kept", n)
		}
		to, _ = own.Open("/my/privacy").Find("#file a[href^='/my/privacy/files/']").Attr("href")
		i.Clock.Add(7 * admitto.Day)
		if got := entered().Open(to); got.Status != 404 {
			t.Error(got.Status, "after its days")
		}
		i.Must(i.Services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()))
		if n := i.Count("own_data_export"); n != 0 {
			t.Errorf("%d files are kept after their days", n)
		}
	})
}

// unzipped are the files of an archive by name.
func unzipped(t *testing.T, p *sitetest.Page) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(strings.NewReader(p.Body), int64(len(p.Body)))
	if err != nil || p.Status != 200 {
		t.Fatalf("%v: %d %.300s", err, p.Status, p.Body)
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
