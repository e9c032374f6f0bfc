package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestTabs opens every tab with its count, and each by its own permission: without applications-view the head has the
// applicant, the ID and the status alone.
func TestTabs(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT application_id FROM offer WHERE type_confirmed_id IS NOT NULL ORDER BY id LIMIT 1")
	i.Put(fmt.Sprintf("UPDATE offer SET type_id = (SELECT min(id) FROM offer_type WHERE id <> offer.type_confirmed_id) "+
		"WHERE application_id = %d", id), "INSERT INTO flag (id, created, name, name_key) VALUES (991, 1, 'Secret mark', 'secret mark')",
		fmt.Sprintf("INSERT INTO application_flag (application_id, flag_id, assigned) VALUES (%d, 991, 1)", id))
	path := fmt.Sprintf("/admin/applications/%d", id)
	staff := i.Staff(i.Administrator("Mara Lind", everything...))
	page := staff.Open(path)
	tabs := map[string]string{"": "", "/form/all": "", "/courses": "application_course", "/tasks": "task",
		"/invoices": "invoice", "/history": "journal"}
	for tab, table := range tabs {
		p := staff.Open(path + tab)
		if p.Status != 200 || p.Find(`.tabs a[aria-current]`).AttrOr("href", "") != path+tab {
			t.Errorf("%s: %d %q", tab, p.Status, p.Text(".tabs"))
		}
		if table == "" {
			continue
		}
		want := i.Number(fmt.Sprintf("SELECT count(*) FROM %s WHERE application_id = %d", table, id))
		if got := page.Text(fmt.Sprintf(`.tabs a[href=%q] .count`, path+tab)); got != fmt.Sprint(want) {
			t.Errorf("%s has %s, want %d", tab, got, want)
		}
		shown := map[string]string{"task": "tbody tr", "invoice": "tbody tr", "journal": ".timeline li",
			"application_course": "main section.card"}[table]
		if got := p.Find(shown).Length(); int64(got) != min(want, 50) {
			t.Errorf("%s shows %d, want %d", tab, got, want)
		}
	}
	open := fmt.Sprintf("/admin/applications/%d/form/",
		i.Number("SELECT min(id) FROM application WHERE visible AND status = 'Submitted'"))
	whole, ways := staff.Open(open+"all"), 0
	for _, section := range []string{"education", "languages"} {
		for _, a := range staff.Open(open + section).Find(`main a[href*="/rows/"]:not([href$="/remove"])`).EachIter() {
			if ways++; whole.Find(fmt.Sprintf("main a[href=%q]", a.AttrOr("href", ""))).Length() != 1 {
				t.Errorf("nothing leads from the whole form to %s", a.AttrOr("href", ""))
			}
		}
	}
	if ways < 3 {
		t.Errorf("the sections have %d ways to change their entries", ways)
	}
	whose := page.Text(".crumbs [aria-current]")
	for _, below := range []string{"/tasks/new", "/documents/upload", "/courses/add", "/scores/add"} {
		if text := staff.Open(path + below).Text(".crumbs"); whose == "" || !strings.Contains(text, whose) {
			t.Errorf("%s does not say whose it is, %q: %s", below, whose, text)
		}
	}
	if text := staff.Open(path + "/courses").Text("main"); !strings.Contains(text, "Type, not confirmed") ||
		!strings.Contains(text, "Confirmed type") {
		t.Error("working and confirmed types are not apart")
	}
	for tab, needs := range map[string]admitto.Permission{"/invoices": admitto.AccountingView,
		"/courses": admitto.OffersView} {
		few := i.Staff(i.Administrator("Only "+needs.String(), needs))
		p := few.Open(path + tab)
		if p.Status != 200 || p.Find(".tabs a").Length() != 1 || p.Find(".cardhead .tags > *").Length() != 1 ||
			strings.Contains(p.Text("main"), "Secret mark") || p.Find(".cardhead .acts a").Length() != 0 {
			t.Errorf("%s: %d %s", tab, p.Status, p.Text("main"))
		}
		if p := few.Open(path); p.Status != 403 {
			t.Errorf("the overview by %s: %d", needs, p.Status)
		}
	}
}

// TestOfficer takes an application, gives it back, and leaves that of somebody else alone.
func TestOfficer(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted'")
	i.Put(fmt.Sprintf("UPDATE application SET officer_id = NULL WHERE id = %d", id))
	path := fmt.Sprintf("/admin/applications/%d", id)
	me := i.Administrator("Kofi Haugen", admitto.ApplicationsView)
	kofi, boss := i.Staff(me), i.Staff(i.Administrator("Mara Lind", everything...))
	accountant := i.Administrator("Ina Cash", admitto.AccountingView)
	if p := boss.Open(path + "/officer"); p.Find(fmt.Sprintf("option[value='%d']", me)).Length() != 1 ||
		p.Find(fmt.Sprintf("option[value='%d']", accountant)).Length() != 0 {
		t.Error(p.Text("select"))
	}
	i.Put(fmt.Sprintf("UPDATE application SET officer_id = %d WHERE id = %d", accountant, id))
	if p := boss.Open(path + "/officer"); p.Find(fmt.Sprintf("option[value='%d'][selected]", accountant)).Length() != 1 {
		t.Error(p.Text("select")) // who could see it before
	}
	i.Put(fmt.Sprintf("UPDATE application SET officer_id = NULL WHERE id = %d", id))
	if p := kofi.Open(path+"/officer").Submit("Save", "officer", fmt.Sprint(me)); !strings.Contains(p.Text(".cardhead"),
		"Officer: Kofi Haugen") {
		t.Error(p.Text("main"))
	}
	if p := boss.Open(path + "/history"); !strings.Contains(p.Text(".timeline li:first-child"), "Kofi Haugen") {
		t.Error(p.Text(".timeline li:first-child"))
	}
	if p := boss.Open(path+"/officer").Submit("Save", "officer", "0"); !strings.Contains(p.Text(".cardhead"),
		"No officer") {
		t.Error(p.Text("main"))
	}
	// Nobody is told of what they did themselves in another window, nor of what they choose as well.
	old, other := boss.Open(path+"/officer"), kofi.Open(path+"/officer")
	boss.Open(path+"/officer").Submit("Save", "officer", fmt.Sprint(me))
	for _, p := range []*sitetest.Page{other.Submit("Save", "officer", fmt.Sprint(me)),
		old.Submit("Save", "officer", "2")} {
		if p.Status != 200 || p.Path != path || p.Find(".notice:not([hidden])").Length() != 1 {
			t.Errorf("%d %s %d: %.500s", p.Status, p.Path, p.Find(".notice:not([hidden])").Length(), p.Text("main"))
		}
	}
	old = boss.Open(path + "/officer")
	boss.Open(path+"/officer").Submit("Save", "officer", "0")
	kofi.Open(path+"/officer").Submit("Save", "officer", fmt.Sprint(me))
	if p := old.Submit("Save", "officer", "2"); p.Status != 422 || !strings.Contains(p.Text("main"), "Kofi Haugen") {
		t.Errorf("%d %.500s", p.Status, p.Text("main"))
	}
	boss.Open(path + "/officer").Submit("Discard what I typed")
	boss.Open(path+"/officer").Submit("Save", "officer", "2")
	if p := kofi.Open(path + "/officer"); p.Find("#f-officer").Length() != 0 {
		t.Error("the officer can be taken off by somebody else")
	}
}
