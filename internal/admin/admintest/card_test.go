package admintest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestHead shows the head by rights, and leads through the list that its reader came from.
func TestHead(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Administrator("Mara Lind", everything...))
	list := staff.Open("/admin/applications?term=all&status=Submitted&sort=id")
	var rows []string
	for _, a := range list.Find(`tbody a[href^="/admin/applications/"]`).EachIter() {
		rows = append(rows, a.AttrOr("href", ""))
	}
	if len(rows) < 3 || !strings.Contains(rows[0], "list=") {
		t.Fatalf("rows lead to %q", rows)
	}
	page := staff.Open(rows[1])
	if page.Status != 200 || !strings.Contains(page.Text(".cardhead"), "Submitted ·") {
		t.Fatalf("%d %s", page.Status, page.Text("main"))
	}
	for key, want := range map[string]string{"p": rows[0], "n": rows[2]} {
		if got := page.Find(fmt.Sprintf(`a[data-key=%q]`, key)).AttrOr("href", ""); got != want {
			t.Errorf("%s leads to %q, want %q", key, got, want)
		}
	}
	if first := staff.Open(rows[0]); first.Find(`[data-key=p]`).Length() != 0 || first.Find(`[data-key=n]`).Length() != 1 {
		t.Error("the first of a list has one before it")
	}
	for _, bad := range []string{"%zz", "term=1;2", "offer=1&sort=<script>", strings.Repeat("x", 3000)} {
		if p := staff.Open("/admin/applications/1?list=" + url.QueryEscape(bad)); p.Status != 200 {
			t.Errorf("%q: %d", bad, p.Status)
		}
	}
	own := staff.Open("/admin/applications/1")
	if own.Find(`.cardhead a[href^="/admin/applicants/"]`).Length() != 1 || own.Find("[data-key=n]").Length() != 0 {
		t.Error(own.Text(".cardhead"))
	}
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
	if p := few.Open("/admin/applications/1?list=offer%3D1"); p.Status != 200 ||
		p.Find(`.cardhead a[href^="/admin/applicants/"], [data-key=n], [data-key=p]`).Length() != 0 {
		t.Errorf("%d %s", p.Status, p.Text("main"))
	}
	for _, missing := range []string{"/admin/applications/987654321", "/admin/applications/01", "/admin/applications/x"} {
		if p := staff.Open(missing); p.Status != 404 {
			t.Errorf("%s: %d", missing, p.Status)
		}
	}
}

// TestOverview has the key facts, what is missing, the deadlines with their source and the receipts of every status.
func TestOverview(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Administrator("Mara Lind", everything...))
	for _, status := range admitto.ApplicationStatuses() {
		id := i.Number(fmt.Sprintf("SELECT coalesce(min(id), 0) FROM application WHERE status = '%s' AND visible", status))
		if id == 0 {
			continue
		}
		page := staff.Open(fmt.Sprintf("/admin/applications/%d", id))
		if page.Status != 200 || !strings.Contains(page.Text("main"), "Key facts") ||
			!strings.Contains(page.Text("main"), "Deadlines") {
			t.Errorf("%s: %d %s", status, page.Status, page.Text("main"))
		}
		open := status != admitto.Submitted && status != admitto.Withdrawn && status != admitto.Closed
		if got := strings.Contains(page.Text("main"), "Missing for submission"); got != open {
			t.Errorf("%s: what is missing is shown: %t", status, got)
		}
	}
	task := i.Lines("SELECT t.id || ' ' || t.application_id FROM task t JOIN application a ON a.id = t.application_id AND a.visible " +
		"WHERE t.resolved IS NULL AND t.trashed IS NULL ORDER BY t.id LIMIT 1")
	one, of, _ := strings.Cut(task, " ")
	if staff.Open("/admin/applications/"+of).Find(`main a[href$="/tasks/`+one+`"]`).Length() != 1 {
		t.Errorf("nothing leads to task %s of application %s", one, of)
	}
	hidden := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
	id := i.Number("SELECT application_id FROM offer WHERE type_confirmed_id IS NOT NULL ORDER BY id LIMIT 1")
	path := fmt.Sprintf("/admin/applications/%d", id)
	if !strings.Contains(staff.Open(path).Text("main"), "confirmed:") ||
		strings.Contains(hidden.Open(path).Text("main"), "confirmed:") {
		t.Error("offers are not shown by offers-view")
	}
}

// TestReceipts says on the overview why an attempt to submit was refused, and has the text that the applicant has.
func TestReceipts(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		d.Write("INSERT INTO receipt (id, application_id, made, accepted, text, signature) VALUES " +
			"(7, 11, 1775000000000000, FALSE, 'Receipt 7\nResult refused: deadline-passed task-blocks\n', 'c2lnbmVk'), " +
			"(8, 11, 1775000001000000, TRUE, 'Receipt 8\nResult accepted\n', 'c2lnbmVk')")
		page := i.Staff(i.Administrator("Mara Lind", everything...)).Open("/admin/applications/11")
		text := page.Text("main")
		if strings.Count(text, "a deadline was over") != 1 || strings.Count(text, "a task was not done") != 1 ||
			!strings.Contains(text, "Result accepted") || !strings.Contains(text, "Signature Ed25519 c2lnbmVk") {
			t.Error(text)
		}
	})
}

// TestForm shows every section of forms that are whole, lack something, are frozen or need attention; what is sensitive
// only to those who may see it.
func TestForm(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Administrator("Mara Lind", everything...))
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView))
	id := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted'")
	path := fmt.Sprintf("/admin/applications/%d/form/", id)
	i.Put(fmt.Sprintf("UPDATE application SET frozen = 1 WHERE id = %d", id),
		fmt.Sprintf(`UPDATE application_content SET content = '{"profile":{"name":{"given":"Ana <script>"}},
		"education":[{"institution":"Porto"}],"misc":{"medical":"asthma"},
		"attention":{"profile/birth/date":"someday","misc/medical":"secret words"}}' WHERE application_id = %d`, id),
		fmt.Sprintf("DELETE FROM application_frozen WHERE application_id = %d", id),
		fmt.Sprintf("INSERT INTO application_frozen (application_id, entries) VALUES (%d, '[\"/profile/name/given\"]')", id))
	for _, s := range form.Sections() {
		if p := staff.Open(path + s.Key); p.Status != 200 {
			t.Errorf("%s: %d", s.Key, p.Status)
		} else {
			sitetest.Harmless(t, p)
		}
	}
	for _, none := range []string{"nothing", "Profile", "profile%2Fname"} {
		if p := staff.Open(path + none); p.Status != 404 {
			t.Errorf("%s: %d", none, p.Status)
		}
	}
	text := strings.Join(strings.Fields(staff.Open(path+"profile").Text("main")), " ")
	for _, want := range []string{"Ana <script> Frozen", "Needs attention. As it was typed:someday", "Missing",
		"Date of birth (required)"} {
		if !strings.Contains(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(want, " ", "")) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	whole := strings.Join(strings.Fields(staff.Open(path+"all?sensitive=yes").Text("main")), " ")
	for _, want := range []string{"Ana <script>", "someday", "Porto", "secret words", "(required)"} {
		if !strings.Contains(whole, want) {
			t.Errorf("the whole form lacks %q: %s", want, whole)
		}
	}
	if strings.Contains(whole, "Middle name") || strings.Contains(few.Open(path+"all").Text("main"), "asthma") {
		t.Error("the whole form has empty fields, or what its reader may not see")
	}
	all, some := staff.Open(path+"misc?sensitive=yes").Text("main"), few.Open(path+"misc").Text("main")
	if !strings.Contains(all, "asthma") || !strings.Contains(all, "secret words") || strings.Contains(some, "asthma") ||
		strings.Contains(some, "secret") || !strings.Contains(some, "sensitive") {
		t.Errorf("%s\n%s", all, some)
	}
}
