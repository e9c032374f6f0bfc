package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestKinds makes, changes and removes one of each, and looks at what the journal says.
func TestKinds(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		v := i.Staff(i.Superuser("Hana Yildiz"))
		began := len(i.Journal())
		saved := func(page *sitetest.Page) *sitetest.Page {
			t.Helper()
			if !strings.Contains(page.Text(".notice"), "was saved") {
				t.Fatal(page.Path, page.Errors(), page.Text("main"))
			}
			return page
		}
		saved(v.Open("/admin/flags/new").Submit("Add flag", "name", "Grant"))
		page := v.Open("/admin/flags/new").Submit("Add flag", "name", "grant")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "Grant has this name already") {
			t.Error(errors)
		}
		saved(v.Open("/admin/flags/1").Submit("Save", "name", "Scholarship"))
		v.Open("/admin/flags/1/delete").Submit("Delete flag")
		saved(v.Open("/admin/trackers/new").Submit("Add tracker", "code", "FAIR26", "kind", "percent", "value", "12.5"))
		page = saved(v.Open("/admin/trackers/1").Submit("Save", "kind", "amount", "value", "20", "currency", "eur"))
		if text := page.Text("main"); !strings.Contains(text, "/r/FAIR26") {
			t.Error(text)
		}
		page = saved(v.Open("/admin/trackers/new").Submit("Add tracker", "code", "A/B?#%"))
		link := page.Text("#link")
		link = strings.Fields(link[strings.Index(link, "/r/"):])[0]
		if page := i.Visitor().Open(link); page.Status != 200 || !strings.Contains(page.Text("h1"), "Register") {
			t.Errorf("%s: %d %s", link, page.Status, page.Text("main"))
		}
		v.Open("/admin/trackers/2/delete").Submit("Delete tracker")
		if got := i.Lines("SELECT CAST(coalesce(percent, 0) AS text) || ' ' || CAST(amount AS text) || ' ' || currency FROM tracker"); strings.Join(strings.Fields(got), " ") !=
			"0 2000 EUR" {
			t.Error(got)
		}
		// A list names what is not in use, or the default, too.
		for path, name := range map[string]string{"/admin/task-templates": "Copy of passport or identity card",
			"/admin/series": "General"} {
			if text := v.Open(path).Text("table a.name"); !strings.Contains(text, name) {
				t.Error(path, text)
			}
		}
		// The title changes at once; a reason that is gone is gone.
		saved(v.Open("/admin/offer-types/4").Submit("Save", "title", "Refused", "reasons", "Too late\nNo place"))
		saved(v.Open("/admin/offer-types/4").Submit("Save", "reasons", "No place"))
		if got := i.Lines("SELECT t.title || ' ' || t.public_title || ' ' || r.reason FROM offer_type t JOIN offer_reason r ON r.offer_type_id = t.id WHERE t.id = 4"); strings.Join(strings.Fields(got), " ") != "Refused Rejected by sending No place" {
			t.Error(got)
		}
		page = v.Open("/admin/offer-types/1").Submit("Save", "switches", "confirm")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "type of every new offer") {
			t.Error(errors)
		}
		saved(v.Open("/admin/consents/new").Submit("Add consent", "text", "We may write to you.",
			"link", "https://example.org/news"))
		i.Put("INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (9, 'live', FALSE, 1, 'a@b.org', 'a@b.org')",
			"INSERT INTO consent_decision (applicant_id, consent_id, decided, decision, version) VALUES (9, 3, 1, 'Accept', 1)",
			"INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (10, 'live', FALSE, 1, 'c@b.org', 'c@b.org')")
		text := v.Open("/admin/consents").Text("main")
		if !strings.Contains(strings.Join(strings.Fields(text), " "), "We may write to you. https://example.org/newsVoluntary1101") {
			t.Error(text)
		}
		page = v.Open("/admin/consents/3").Submit("Save", "text", "We may write to you about news.")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "asked again") {
			t.Error(errors)
		}
		page = v.Open("/admin/consents/3")
		if text := saved(page.Submit("Save", "text", "We may write to you!", "correction", "yes")).Text("main"); text == "" {
			t.Error("nothing is shown")
		}
		if n := i.Number("SELECT count(*) FROM consent c JOIN consent_decision d ON d.consent_id = c.id AND d.version = c.version WHERE c.id = 3 AND c.version = 2"); n != 1 {
			t.Error("the decision does not hold any more")
		}
		saved(v.Open("/admin/series/new").Submit("Add series", "name", "Deposits", "format", "D%yearShort%-%incYearly:3%"))
		page = v.Open("/admin/series/2")
		if text := page.Text("main"); !strings.Contains(text, "D26-001, D26-002, D26-003") {
			t.Error(text)
		}
		page = page.Submit("Save", "format", "D%incYearly:3%")
		if errors := page.Errors(); len(errors) != 1 {
			t.Error(errors)
		}
		for format, why := range map[string]string{"A%incYearly%": "A1 would be given on 20 November 2026 and again on 20 November 2027",
			"%yearlong%-%inc%":        "%yearlong% is not a marker; %yearLong% is one.",
			"%yearLong%%incYearly:0%": "%incYearly:0% is no marker; %incYearly:4% is one, with a width from 1 to 18."} {
			page = v.Open("/admin/series/2").Submit("Save", "format", format)
			if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, why) {
				t.Error(format, errors)
			}
		}
		page = v.Open("/admin/series/new").Submit("Add series", "name", "More deposits", "format", "D%yearShort%-%inc:3%")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors,
			"Deposits can give such numbers, too: D26-001.") {
			t.Error(errors)
		}
		i.Put("UPDATE invoice_series SET last_number = 'G-17', last_issued = 1 WHERE id = 1") // by a format it had before
		page = v.Open("/admin/series/new").Submit("Add series", "name", "Grants", "format", "G-%inc%")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors,
			"General can give such numbers, too: G-17.") {
			t.Error(errors)
		}
		saved(v.Open("/admin/series/2").Submit("Save", "name", "Deposits of fees")) // its own numbers are no clash
		page = v.Open("/admin/series/1").Submit("Save", "default", "-")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "One series is the default") {
			t.Error(errors)
		}
		page = v.Open("/admin/task-templates/new").Submit("Add task template", "title", "Photo", "class", "Photo!",
			"switches-0", "blocks")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "small letters") ||
			!strings.Contains(errors, "exactly one status") {
			t.Error(errors)
		}
		saved(v.Open("/admin/task-templates/new").Submit("Add task template", "title", "Photo", "class", "own-photo",
			"cause", "submitted", "name-5", "Lost", "switches-5", "resolves"))
		id := i.Number("SELECT id FROM task_template WHERE class = 'own-photo'")
		path := fmt.Sprintf("/admin/task-templates/%d", id)
		saved(v.Open(path).Submit("Save", "instructions", "Send *one* photo.", "description-5",
			"It was lost.", "deadline_days", "10"))
		page = v.Open(path)
		if rows := page.Find("main table.matrix tbody tr"); rows.Length() != 6 || rows.First().Find(".tag").Length() != 1 ||
			!strings.HasPrefix(rows.First().Text(), "Pending") || !strings.Contains(page.Text("main dl"), "own-photo") {
			t.Error(rows.Length(), page.Text("main dl"), page.Text("main table"))
		}
		page = v.Open(path).Submit("Save", "switches-1", "default", "scope", "listed", "max_documents", "0")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "exactly one status") ||
			!strings.Contains(errors, "at least one course") {
			t.Error(errors)
		}
		if got := i.Lines(fmt.Sprintf("SELECT name || ' ' || description FROM task_template_status WHERE template_id = %d AND (is_default OR name = 'Lost') ORDER BY position", id)); strings.Join(strings.Fields(got), " ") != "Pending Lost It was lost." {
			t.Error(got)
		}
		if n := i.Number(fmt.Sprintf("SELECT row_version FROM task_template WHERE id = %d AND deadline_days = 10", id)); n != 2 {
			t.Error("row version", n)
		}
		// A status that no task has goes, and so does a template that has made none.
		page = v.Open(path).Submit("Save", "gone-5", "yes", "per_course", "yes", "document_kinds", "pdf", "in-ar", "صورة")
		saved(page)
		if text := page.Text("main"); strings.Contains(text, "Lost") || !strings.Contains(text, "PDF. At most") {
			t.Error(text)
		}
		page = v.Open(path).Submit("Save", "gone-0", "yes")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "exactly one status") {
			t.Error(errors)
		}
		i.Put("INSERT INTO institution (id, status, mode, name) VALUES (9, 'Online', 'Internal', 'N')",
			"INSERT INTO academic_year (year, name, start) VALUES (2031, '2031/32', '2031-09-01')",
			"INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (9, 2031, 'Autumn 2031', 1, '2031-09-01', '2031-10-31', '2032-01-31')",
			"INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, visible) VALUES (9, 9, 9, 'Draft', 1, 1, TRUE)",
			fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) VALUES (9, 9, %d, 1, 'Accepted')", id))
		page = v.Open(path).Submit("Save", "gone-3", "yes")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "Tasks have this status") {
			t.Error(errors)
		}
		page = v.Open(path + "/delete").Submit("Delete template")
		if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "can only be switched off") {
			t.Error(errors, page.Text("main"))
		}
		i.Put("DELETE FROM task WHERE id = 9")
		page = v.Open(path + "/delete").Submit("Delete template")
		if text := page.Text(".notice"); !strings.Contains(text, "was deleted") {
			t.Error(page.Errors(), text)
		}
		got := strings.Join(i.Since(began), ", ")
		want := "Flag was created, Flag was edited, Flag was deleted, Tracker was created, Tracker was edited, Tracker was created, Tracker was deleted, " +
			"Offer type was edited: 4, Offer type was edited: 4, Consent was created: 3, Consent was edited: 3, " +
			"Invoice series was created: 2, Invoice series was edited: 2, " +
			fmt.Sprintf("Task template was created: %d, Task template was edited: %d, Task template was edited: %d, Task template was deleted: %d", id, id, id, id)
		if got != want {
			t.Error(got)
		}
	})
}

// TestKindsInBrowser looks at the lists and forms.
func TestKindsInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Hana Yildiz"))
	var pages []uitest.Page
	for _, list := range []string{"flags", "trackers", "offer-types", "consents", "series", "task-templates",
		"fees"} {
		id := i.Number("SELECT min(id) FROM " + map[string]string{"flags": "flag", "trackers": "tracker",
			"offer-types": "offer_type WHERE confirm", "consents": "consent", "series": "invoice_series",
			"task-templates": "task_template", "fees": "fee"}[list])
		pages = append(pages, uitest.Page{Name: "kinds-" + list, Path: "/admin/" + list, Cookie: staff},
			uitest.Page{Name: "kinds-" + list + "-one", Path: fmt.Sprintf("/admin/%s/%d", list, id), Cookie: staff})
	}
	uitest.Check(t, i, append(pages, uitest.Page{Name: "kinds-delete", Path: "/admin/flags/1/delete", Cookie: staff},
		uitest.Page{Name: "kinds-template-delete", Path: "/admin/task-templates/1/delete", Cookie: staff})...)
}
