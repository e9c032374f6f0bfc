package admintest

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestNotes writes notes on the applicant and on an offer, and does with them everything there is to do.
func TestNotes(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		_, err := d.Services.Admissions.Submit(t.Context(), servicestest.Staff(), 11,
			admissions.Submission{Reason: "Papers came by post"})
		d.Must(err)
		offer := fmt.Sprint(d.Number("SELECT min(id) FROM offer WHERE application_id = 11"))
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		const tab = "/admin/applications/11/notes"
		page := staff.Open(tab)
		if bad := page.Submit("Add note", "text", " "); bad.Status != 422 || bad.Find("#f-text-error").Length() != 1 {
			t.Error(bad.Status, bad.Errors())
		}
		if bad := page.Submit("Add note", "text", "Kept", "about", "999"); bad.Status != 422 ||
			bad.Text("#f-text") != "Kept" {
			t.Error(bad.Status, bad.Errors())
		}
		page.Submit("Add note", "text", "About <b>her</b> "+strings.Repeat("x", 80), "colour", "Blue")
		page = staff.Open(tab).Submit("Add note", "text", "About the offer", "about", offer)
		if text := page.Text(".note"); page.Path != tab || page.Find(".note").Length() != 2 ||
			!strings.Contains(text, "On the offer for") || strings.Count(text, "Mara Lind") != 2 ||
			!strings.Contains(text, "Blue") || !strings.Contains(text, "<b>her</b>") {
			t.Fatal(page.Status, text)
		}
		press := func(name, note string) *sitetest.Page {
			t.Helper()
			at := staff.Open(tab)
			button := at.Find(fmt.Sprintf("button[name=%s]", name)).FilterFunction(func(_ int, s *goquery.Selection) bool {
				return strings.Contains(s.Closest("article").Text(), note)
			})
			form := sitetest.Typed(button.Closest("form"))
			form.Set(name, button.AttrOr("value", ""))
			return staff.Post(tab+"/change", form)
		}
		if page = press("pin", "About the offer"); page.Find(".note").First().Find(".row").Length() != 1 {
			t.Error(page.Text("main"))
		}
		if text := staff.Open("/admin/applications/11/history").Text("main"); !strings.Contains(text, "Pinned: No → Yes") {
			t.Errorf("what was done with the note is not said: %s", text)
		}
		if page = press("collapse", "About <b>"); page.Find("details.fold summary").Length() != 1 ||
			!strings.Contains(page.Text("details.fold summary"), "About <b>her</b> xxx") ||
			!strings.Contains(page.Text("details.fold summary"), "…") {
			t.Error(page.Text("main"))
		}
		if page = press("expand", "About <b>"); page.Find("details.fold").Length() != 0 {
			t.Error(page.Text("main"))
		}
		if page = press("remove", "About the offer"); !strings.Contains(page.Text("main"), "Removed notes") {
			t.Error(page.Text("main"))
		}
		if page = press("restore", "About the offer"); strings.Contains(page.Text("main"), "Removed notes") {
			t.Error(page.Text("main"))
		}
		link := staff.Open(tab).Find(`.note a[href*="/notes/`+offer+`/"]`).AttrOr("href", "")
		stale := staff.Open(link)
		if page = staff.Open(link).Submit("Save", "text", "Edited"); page.Path != tab ||
			!strings.Contains(page.Text(".note"), "Edited") {
			t.Error(page.Status, page.Text("main"))
		}
		if page = stale.Submit("Save", "text", "Mine"); page.Status != 422 || !strings.Contains(page.Text("form"), "Edited") {
			t.Error(page.Status, page.Text("main"))
		}
		stale = staff.Open(link)
		press("remove", "Edited")
		page = stale.Submit("Save", "text", "Typed")
		if text := page.Text("main"); page.Status != 422 || !strings.Contains(text, "Mara Lind removed this note") ||
			!strings.Contains(text, "Typed") {
			t.Error(page.Status, text)
		}
		if page = staff.Open(link); page.Path != tab {
			t.Errorf("a removed note is changed on %s", page.Path)
		}
		press("restore", "Edited")
		for _, c := range []struct {
			needs []admitto.Permission
			notes int
			form  bool
		}{{nil, 0, false}, {[]admitto.Permission{admitto.ApplicantsView}, 1, false},
			{[]admitto.Permission{admitto.OffersView, admitto.OffersEdit}, 1, true}} {
			few := i.Staff(i.Administrator(fmt.Sprintf("Kofi %d", len(c.needs)), append(c.needs, admitto.ApplicationsView)...))
			page := few.Open(tab)
			if page.Status != 200 || page.Find(".note").Length() != c.notes ||
				page.Find("main textarea").Length() == 1 != c.form {
				t.Error(c, page.Status, page.Text("main"))
			}
			if !c.form {
				continue
			}
			if page = page.Submit("Add note", "text", "By one who sees offers"); page.Status != 200 ||
				page.Find(".note").Length() != 2 {
				t.Error(page.Status, page.Text("main"))
			}
		}
		d.Sound()
	})
}

// TestHistory filters the history, and takes it as a file: it has every record of the journal about the application.
func TestHistory(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT application_id FROM journal WHERE application_id IS NOT NULL GROUP BY application_id ORDER BY count(*) DESC LIMIT 1")
	staff := i.Staff(i.Administrator("Mara Lind", everything...))
	path := fmt.Sprintf("/admin/applications/%d/history", id)
	file := func(query string) [][]string {
		t.Helper()
		page := staff.Open(path + ".csv" + query)
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(page.Body, "\uFEFF"))).ReadAll()
		if err != nil || page.Status != 200 {
			t.Fatal(page.Status, err)
		}
		return rows[1:]
	}
	want := i.Number(fmt.Sprintf("SELECT count(*) FROM journal WHERE application_id = %d", id))
	if all := file(""); int64(len(all)) != want {
		t.Errorf("%d records, want %d", len(all), want)
	}
	tasks := staff.Open(path + "?group=Tasks")
	rows := file("?group=Tasks")
	if n := tasks.Find(".timeline li").Length(); n == 0 || n != min(len(rows), 50) || int64(len(rows)) == want {
		t.Errorf("%d events about tasks, %d in the file", n, len(rows))
	}
	for _, row := range rows {
		if !strings.Contains(row[3], "ask") {
			t.Error(row)
		}
	}
	if page := staff.Open(path + "?group=Nothing"); page.Find(".timeline li").Length() != int(min(want, 50)) {
		t.Error(page.Text("main"))
	}
}
