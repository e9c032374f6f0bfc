package admin_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/usecase"
)

// everything is what somebody with all permissions may do.
var everything = admitto.AllPermissions().List()

// added is an applicant whom staff added through the page.
func added(staff *sitetest.Visitor, email string, fields ...string) *sitetest.Page {
	return staff.Open("/admin/applicants/new").Submit("Add applicant", append([]string{"email", email, "given", "Ana",
		"family", "Silva", "citizenship", "PT"}, fields...)...)
}

// TestAddApplicant adds once, however often it is pressed, and stores nothing for an address that is known.
func TestAddApplicant(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		tracker := d.Tracker("FAIR27")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		form := staff.Open("/admin/applicants/new")
		page := form.Submit("Add applicant", "email", "ana.silva@example.org", "given", "Ana", "family", "Silva",
			"citizenship", "PT", "tracker", fmt.Sprint(tracker), "note", "Met in Porto")
		if page.Path != "/admin/applicants/1" || page.Text("h1") != "Ana Silva 1" ||
			!strings.Contains(page.Text("main"), "FAIR27") || !strings.Contains(page.Text(".cardhead"), "Lead") {
			t.Fatalf("%s %s", page.Path, page.Text("main"))
		}
		if notes := staff.Open("/admin/applicants/1/notes"); !strings.Contains(notes.Text(".note"), "Met in Porto") {
			t.Error(notes.Text("main"))
		}
		again := form.Submit("Add applicant", "email", "ANA.silva@example.org", "given", "Anna", "family", "Silva", "phone",
			"+351 1")
		if again.Status != 422 || d.Count("applicant") != 1 ||
			again.Find(`.notice a[href="/admin/applicants/1"]`).Length() != 1 ||
			again.Find("#f-given").AttrOr("value", "") != "Anna" || again.Find("#f-phone").AttrOr("value", "") != "+351 1" {
			t.Errorf("%d %s", again.Status, again.Text("main"))
		}
		bad := form.Submit("Add applicant", "email", "nonsense", "family", "", "note", "kept")
		if bad.Status != 422 || len(bad.Errors()) != 2 || bad.Text("#f-note") != "kept" || d.Count("applicant") != 1 {
			t.Errorf("%d %q", bad.Status, bad.Errors())
		}
		if mails := d.Count("outbox"); mails != 1 {
			t.Error(mails, " mails")
		}
		if added(staff, "quiet@example.org", "welcome", "-"); d.Count("outbox") != 1 || d.Count("applicant") != 2 {
			t.Error("a mail without the tick")
		}
	})
}

// TestApplicantActions does everything that a card offers: each is in the history, with who did it.
func TestApplicantActions(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Tracker("FAIR27")
		boss := i.Staff(i.Administrator("Ada Boss", everything...))
		added(boss, "ana.silva@example.org")
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		at := func(tab string) *sitetest.Page { return staff.Open("/admin/applicants/1" + tab) }
		var want []string
		did := func(page *sitetest.Page, event string) {
			t.Helper()
			if page.Status != 200 {
				t.Fatalf("%s: %d %s", event, page.Status, page.Text("main"))
			}
			want = append(want, event)
			first := at("/history").Find(".timeline li").First()
			if text := strings.Join(strings.Fields(first.Text()), " "); !strings.HasPrefix(text, event+" by Mara Lind") {
				t.Errorf("%q, want %q", text, event)
			}
		}
		did(at("/edit").Submit("Save", "given", "Ana Rita", "phone", "+351 22 1"), "The data of the applicant were changed")
		if text := at("/history").Text(".timeline li:first-child"); !strings.Contains(text, "Given name: ") &&
			!strings.Contains(text, "given: Ana → Ana Rita") {
			t.Error(text)
		}
		did(at("/reference").Submit("Save", "reference", "R-17"), "The reference code was set")
		did(at("/trackers").Submit("Assign", "tracker", "1"), "A tracker was assigned")
		did(at("/trackers").Submit("Take off FAIR27"), "A tracker was taken off")
		did(at("/notes").Submit("Add note", "text", "Calls on Monday", "colour", "Blue"), "A note was added")
		did(at("/notes").Submit("Pin Calls on Monday"), "A note was changed")
		if note := at("/notes").Find(".note.blue"); !strings.Contains(note.Text(), "Pinned") {
			t.Error(note.Text())
		}
		edit := at("/notes").Find(`a[href$="/notes/1"]`)
		if edit.Length() != 1 {
			t.Fatal("no link to edit the note")
		}
		did(at("/notes/1").Submit("Save", "text", "Calls on Tuesday"), "A note was changed")
		did(at("/notes").Submit("Remove Calls on Tuesday"), "A note was taken off the card")
		did(at("/notes").Submit("Put back Calls on Tuesday"), "A note was put back on the card")
		did(at("/new-email").Submit("Save", "email", "ana@example.org"), "The e-mail address was changed")
		before := d.Count("outbox")
		if page := at("/sign-in-link").Submit("Send sign-in link"); d.Count("outbox") != before+1 ||
			!strings.Contains(page.Text(".notice"), "on its way to ana@example.org") {
			t.Error(page.Text("main"))
		}
		did(at("/block").Submit("Block"), "The applicant was blocked")
		if page := at(""); !strings.Contains(page.Text(".cardhead"), "Blocked") ||
			page.Find(`a[href$="/sign-in-link"]`).Length() != 0 {
			t.Error(page.Text(".cardhead"))
		}
		did(at("/unblock").Submit("Unblock"), "The applicant was unblocked")
		if got := at("/history").Find(".timeline li").Length(); int64(got) !=
			d.Number("SELECT count(*) FROM journal WHERE applicant_id = 1") {
			t.Error(got, " events are not those of the journal")
		}
		page := at("/delete").Submit("Delete")
		if page.Path != "/admin/applicants" || !strings.Contains(page.Text(".notice"), "Applicant 1 was deleted") ||
			at("").Status != 404 || strings.Contains(staff.Open("/admin/applicants").Text("table"), "Ana") {
			t.Errorf("%s %s", page.Path, page.Text("main"))
		}
		if last := d.Journal()[len(d.Journal())-1]; last.Pattern != admitto.ApplicantDeleted || last.Actor.ID != 2 {
			t.Error(last)
		}
	})
}

// TestApplicantRefusals are what pages of a card say against: with everything typed still there.
func TestApplicantRefusals(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Ada Boss", everything...))
		added(staff, "ana.silva@example.org")
		added(staff, "other@example.org")
		staff.Open("/admin/applicants/2/reference").Submit("Save", "reference", "TAKEN")
		clash := staff.Open("/admin/applicants/1/reference").Submit("Save", "reference", "TAKEN")
		if clash.Status != 422 || clash.Find(`.notice a[href="/admin/applicants/2"]`).Length() != 1 ||
			clash.Find("#f-reference").AttrOr("value", "") != "TAKEN" ||
			!strings.Contains(clash.Text(".hint"), "Letters from A to Z, digits") {
			t.Errorf("%d %s", clash.Status, clash.Text("main"))
		}
		for _, c := range []struct{ page, button, field, value string }{
			{"reference", "Save", "reference", "no spaces"}, {"reference", "Save", "reference", "<script>"},
			{"edit", "Save", "family", ""}, {"edit", "Save", "given", strings.Repeat("x", 300)},
			{"new-email", "Save", "email", "a@b@c"}, {"new-email", "Save", "email", "OTHER@example.org"},
			{"notes", "Add note", "text", "  "}, {"notes", "Add note", "text", strings.Repeat("y", 3000)},
			{"trackers", "Assign", "tracker", ""},
		} {
			page := staff.Open("/admin/applicants/1/"+c.page).Submit(c.button, c.field, c.value)
			typed := page.Find("#f-" + c.field)
			value := typed.AttrOr("value", strings.TrimPrefix(typed.Text(), "\n"))
			if page.Status != 422 || len(page.Errors()) != 1 || c.page != "trackers" && value != c.value {
				t.Errorf("%s %.20q: %d %q %.20q", c.page, c.value, page.Status, page.Errors(), value)
			}
		}
		// Somebody else saves while a form is open.
		form := staff.Open("/admin/applicants/1/edit")
		i.Staff(i.Administrator("Mara Lind", everything...)).Open("/admin/applicants/1/edit").Submit("Save", "family",
			"Santos", "citizenship", "EE")
		meant := form.Submit("Save", "family", "Sousa")
		if text := meant.Text("form"); meant.Status != 422 || !strings.Contains(text, "Yours: Sousa") ||
			!strings.Contains(text, "Saved meanwhile: Santos") || !strings.Contains(text, "Mara Lind") ||
			!strings.Contains(text, "Saved meanwhile: Estonia") {
			t.Errorf("%d %s", meant.Status, text)
		}
		if page := meant.Submit("Save"); page.Text("h1") != "Ana Sousa 1" {
			t.Error(page.Text("main"))
		}
		for _, path := range []string{"/admin/applicants/77", "/admin/applicants/0", "/admin/applicants/1x",
			"/admin/applicants/1/notes/5", "/admin/applicants/1/emails/99", "/admin/applicants/1/photo"} {
			if page := staff.Open(path); page.Status != 404 {
				t.Error(path, page.Status)
			}
		}
	})
}

// TestErasedApplicant is said to those who protect data, and to nobody else.
func TestErasedApplicant(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	erased := i.Number("SELECT max(id) FROM applicant")
	d := i.Desk
	d.Must(d.Services.Privacy.DeleteApplicant(t.Context(), usecase.Caller{Caller: admitto.AdministratorCaller(1,
		admitto.AllPermissions(), "")}, erased))
	d.Clock.Add(3 * admitto.Day)
	// The preview of the rule names who was deleted to those only who may bring people back.
	const preview = "/admin/time-rules/erasure/preview"
	name := i.Lines(fmt.Sprintf("SELECT family FROM applicant WHERE id = %d", erased))
	if page := i.Staff(i.Superuser("Ada Boss")).Open(preview); !strings.Contains(page.Text("table"), name) ||
		page.Find("table a").Length() != 0 {
		t.Error(page.Text("main"))
	}
	if text := i.Staff(i.Administrator("Kim", admitto.InstanceAdmin,
		admitto.ApplicantsView)).Open(preview).Text("table"); strings.Contains(text,
		name) || !strings.Contains(text, fmt.Sprint(erased)) {
		t.Error(text)
	}
	d.Must(d.Services.Privacy.EraseDeleted(t.Context(), admitto.Caller{Actor: admitto.System(),
		Permissions: admitto.AllPermissions()}))
	path := fmt.Sprintf("/admin/applicants/%d", erased)
	if page := i.Staff(i.Superuser("Mara Lind")).Open(path); page.Text("h1") != "This applicant was erased" {
		t.Error(page.Text("main"))
	}
	if page := i.Staff(i.Administrator("Tom", admitto.ApplicantsView)).Open(path); page.Status != 404 {
		t.Error(page.Status)
	}
}

// TestApplicantTabs are those that the reader may open, without what they may not see.
func TestApplicantTabs(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT min(applicant_id) FROM application")
	path := fmt.Sprintf("/admin/applicants/%d", id)
	for _, c := range []struct {
		name    string
		may     []admitto.Permission
		tabs    string
		buttons string
	}{
		{"View", []admitto.Permission{admitto.ApplicantsView}, "Applicant E-mails Consents Notes", ""},
		{"Money", []admitto.Permission{admitto.ApplicantsView, admitto.AccountingView},
			"Applicant E-mails Invoices Consents Notes", ""},
		{"Edit", []admitto.Permission{admitto.ApplicantsView, admitto.ApplicationsView, admitto.ApplicantsEdit},
			"Applicant Applications E-mails Consents Notes History", "Edit Send sign-in link More actions View as applicant Block"},
		{"Delete", []admitto.Permission{admitto.ApplicantsView, admitto.JournalView, admitto.ApplicantsDelete},
			"Applicant E-mails Consents Notes History", "Delete"},
		{"Write", []admitto.Permission{admitto.ApplicantsView, admitto.ApplicationsView, admitto.MessagesSend},
			"Applicant Applications E-mails Consents Notes History", "Write a message"},
	} {
		staff := i.Staff(i.Administrator(c.name, c.may...))
		page := staff.Open(path)
		if tabs := page.Text(".tabs"); page.Status != 200 || tabs != c.tabs && strings.Join(strings.Fields(tabs), "") !=
			strings.ReplaceAll(c.tabs, " ", "") {
			t.Errorf("%s: %d %q", c.name, page.Status, tabs)
		}
		if got := strings.ReplaceAll(page.Text(".cardhead .acts"), " ", ""); got != strings.ReplaceAll(c.buttons, " ", "") {
			t.Errorf("%s: %q", c.name, got)
		}
		if c.name == "Write" {
			if to, _ := page.Find("dt a").Attr("href"); !strings.HasPrefix(to, "/admin/applications/") {
				t.Errorf("the overview leads from an application to %q", to)
			}
			to, _ := page.Find(".cardhead .acts a").Attr("href")
			if page = staff.Open(to); page.Status != 200 || page.Find("[name=subject]").Length() != 1 {
				t.Errorf("%s: %d %s", to, page.Status, page.Text("main"))
			}
		}
		if c.name == "View" {
			if page = staff.Open(path + "/applications"); page.Status != 403 ||
				!strings.Contains(page.Text("main"), "(applications-view)") {
				t.Errorf("%d %s", page.Status, page.Text("main"))
			}
			if page = staff.Open(path + "/notes"); page.Find("form textarea").Length() != 0 {
				t.Error("a note can be written")
			}
		}
	}
}

// TestUnreadableFilters lists nobody, and says so, when a filter in the address cannot be read.
func TestUnreadableFilters(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for _, query := range []string{"from=abc", "to=2026-02-30", "citizenship=ZZ", "tracker=abc", "lead=maybe", "blocked=x",
		"consent=x", "term=abc"} {
		for _, path := range []string{"/admin/applicants?", "/admin/applicants.csv?"} {
			page := v.Open(path + query)
			if page.Find("tbody tr").Length() != 0 || page.Find(".notice.bad").Length() == 0 {
				t.Errorf("%s%s lists people: %.200s", path, query, page.Text("main"))
			}
		}
	}
}

// TestApplicantsList counts as the API does, and its file has the same rows in the same order.
func TestApplicantsList(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Superuser("Mara Lind"))
	tracker := i.Number("SELECT min(tracker_id) FROM applicant_tracker")
	by := admitto.AdministratorCaller(1, admitto.AllPermissions(), "")
	for _, c := range []struct {
		query string
		same  admitto.ApplicantQuery
	}{
		{"", admitto.ApplicantQuery{}},
		{"citizenship=HU", admitto.ApplicantQuery{Citizenships: []string{"HU"}}},
		{"citizenship=HU&citizenship=tr", admitto.ApplicantQuery{Citizenships: []string{"HU", "TR"}}},
		{fmt.Sprintf("tracker=%d", tracker), admitto.ApplicantQuery{TrackerIDs: []int64{tracker}}},
		{"from=2025-01-01&to=2025-06-30", admitto.ApplicantQuery{
			FromTime: admitto.Date{Year: 2025, Month: 1, Day: 1}.End(servicestest.Began().Location()) - admitto.Day,
			ToTime:   admitto.Date{Year: 2025, Month: 7, Day: 1}.End(servicestest.Began().Location()) - admitto.Day - 1}},
		{fmt.Sprintf("tracker=%d&from=2025-01-01", tracker), admitto.ApplicantQuery{TrackerIDs: []int64{tracker},
			FromTime: admitto.Date{Year: 2025, Month: 1, Day: 1}.End(servicestest.Began().Location()) - admitto.Day}},
	} {
		list, err := i.Services.Query.Applicants(t.Context(), by, c.same, nil, nil)
		if err == nil {
			err = list.Count()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, order := range []string{"", "&sort=applicant", "&sort=registered&order=down", "&sort=email"} {
			page := staff.Open("/admin/applicants?size=250&" + c.query + order)
			shown := strings.Fields(page.Text(".list > header strong"))
			if n, _ := strconv.Atoi(shown[0]); int64(n) != list.Total && (shown[0] != "One" || list.Total != 1) {
				t.Errorf("%s: %q, and the API counts %d", c.query, shown, list.Total)
			}
			var rows, file []string
			for _, row := range page.Find("tbody tr").EachIter() {
				rows = append(rows, row.Find("td.meta").Text())
			}
			href := page.Find(`.list > header a[href*="csv"]`).AttrOr("href", "")
			records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(staff.Open(href).Body, "\uFEFF"))).ReadAll()
			if err != nil {
				t.Fatal(href, err)
			}
			for _, record := range records[1:] {
				file = append(file, record[0])
			}
			if !slices.Equal(rows, file) || len(rows) == 0 {
				t.Errorf("%s: rows %v, file %v", c.query+order, rows, file)
			}
		}
	}
	for query, want := range map[string]string{"lead=yes&blocked=no&duplicate=yes&term=1&consent=1-accepted&text=an": "",
		"from=tomorrow":        "Write the day",
		"text=nobody-has-this": "Nobody matches", "lead=x&tracker=y&consent=1-z&term=-1": ""} {
		if page := staff.Open("/admin/applicants?" + query); page.Status != 200 ||
			!strings.Contains(page.Text("main"), want) {
			t.Errorf("%s: %d %s", query, page.Status, page.Text("main"))
		}
	}
	blind := i.Staff(i.Administrator("Tom", admitto.ApplicantsView)).Open("/admin/applicants?term=1")
	if head := blind.Text("thead"); strings.Contains(head, "Applications") ||
		blind.Find("#filters [name=term]").Length() != 0 {
		t.Error(head)
	}
}

// TestEventsAreSaid wants a sentence for every event that is recorded.
func TestEventsAreSaid(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Superuser("Mara Lind"))
	for _, id := range []int64{1, 2, 6} {
		page := staff.Open(fmt.Sprintf("/admin/applicants/%d/history", id))
		if page.Status == 200 && (page.Find(".timeline li").Length() == 0 ||
			strings.Contains(page.Text(".timeline"), "event.")) {
			t.Error(page.Text("main"))
		}
	}
}
