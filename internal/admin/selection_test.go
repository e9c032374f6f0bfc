package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestSelectionOverPages selects rows on two pages of a list in a browser, flags them, takes that back, goes
// from row to row by the keys, opens a card, and goes on and back.
func TestSelectionOverPages(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	i.Put("DELETE FROM application_flag", "UPDATE flag SET name = 'A' WHERE id = (SELECT min(id) FROM flag)",
		"UPDATE flag SET name = 'Scholarship candidate' WHERE id = (SELECT max(id) FROM flag)")
	flagged := func() int64 { return i.Number("SELECT count(*) FROM application_flag") }
	tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "selection", Path: "/admin/applications?size=25&term=all",
		Cookie: staff}, true)
	const first, said, flags = "tbody td.meta a", "[data-selected]", ".bulk [name=flag]"
	short := tab.Shape(flags)
	if tab.Choose(flags, fmt.Sprint(i.Number("SELECT max(id) FROM flag"))); tab.Shape(flags) == short {
		t.Errorf("a long name of a flag is cut: it has %s", short)
	}
	top := tab.Text(first)
	tab.Click("tbody tr:nth-child(1) [name=id]")
	tab.Click("tbody tr:nth-child(3) [name=id]")
	tab.Wait(said, "2 selected")
	tab.Click(`.pager a[href*="page=2"]`)
	tab.Wait(first, fmt.Sprint(i.Number("SELECT id FROM application WHERE visible ORDER BY id DESC LIMIT 1 OFFSET 25")))
	tab.Wait(said, "2 selected")
	tab.Click("tbody tr:nth-child(2) [name=id]")
	tab.Wait(said, "3 selected")
	tab.Click("button[value=flag]")
	tab.Wait(said, "Nothing selected")
	if n := flagged(); n != 3 || tab.Count(".notice form") != 1 {
		t.Errorf("%d are flagged", n)
	}
	tab.Click(".notice form button")
	tab.Wait(".notice", "3 applications are as they were before.")
	if n := flagged(); n != 0 {
		t.Errorf("%d stay flagged", n)
	}
	// What is cleared stays cleared on the other pages.
	tab.Click("tbody tr:nth-child(2) [name=id]")
	tab.Wait(said, "1 selected")
	tab.Click("[data-unpick]")
	tab.Wait(said, "Nothing selected")
	tab.Click(`.pager a[href$="term=all"]`)
	tab.Wait(first, top)
	tab.Wait(said, "Nothing selected")
	tab.Press("j")
	tab.Press("j")
	tab.Wait(".name:focus", tab.Text("tbody tr:nth-child(2) .name"))
	second := tab.Text("tbody tr:nth-child(2) td.meta a")
	tab.Click("tbody tr:nth-child(1) td.meta a")
	tab.Wait(".cardhead h1 .num", top)
	tab.Click(`.cardhead a[href*="/` + second + `?"]`)
	tab.Wait(".cardhead h1 .num", second)
	tab.Click(".crumbs a")
	tab.Wait(first, top)
}

// TestMoreActions freezes selected rows by the menu of the bar, with scripts by keyboard over two pages, and without.
func TestMoreActions(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	b := uitest.Open(t, i)
	page := uitest.Page{Name: "more-actions", Path: "/admin/applications?size=25&term=all",
		Cookie: i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))}
	const menu = ".bulk details[data-menu]"
	tab := b.Tab(t, page, true)
	tab.Click("tbody tr:nth-child(1) [name=id]")
	tab.Click(`.pager a[href*="page=2"]`)
	tab.Wait("[data-selected]", "1 selected")
	tab.Click("tbody tr:nth-child(2) [name=id]")
	tab.Wait("[data-selected]", "2 selected")
	tab.ReachBack(menu + " > summary")
	tab.Enter()
	tab.Reach(menu + " button[value=freeze]")
	tab.Enter()
	tab.Wait("h1", "Freeze")
	if n := tab.Count("input[type=hidden][name=id]"); n != 2 {
		t.Errorf("%d are taken along", n)
	}
	plain := b.Tab(t, page, false)
	plain.Click("tbody tr:nth-child(1) [name=id]")
	plain.Click(menu + " > summary")
	plain.Click(menu + " button[value=freeze]")
	plain.Wait("h1", "Freeze")
}

// TestAllMatching changes all applications of a list that has several pages, without scripts, and more than 50 by a
// batch.
func TestAllMatching(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	i.Put("DELETE FROM application_flag")
	many := i.Number("SELECT count(*) FROM application WHERE visible AND status = 'Submitted'")
	const list = "/admin/applications?size=25&status=Submitted&term=all"
	form := v.Open(list).Find("form[data-picks]")
	if many <= 25 || many > 50 || form.Find("[name=all]").Length() != 1 {
		t.Fatalf("%d applications: %s", many, form.Find(".bulk").Text())
	}
	values := sitetest.Typed(form)
	values.Set("do", "flag")
	values.Set("all", "1")
	values.Set("flag", fmt.Sprint(i.Number("SELECT min(id) FROM flag")))
	if p := v.Post(form.AttrOr("action", ""), values); p.Path != list ||
		i.Number("SELECT count(*) FROM application_flag f JOIN application a ON a.id = f.application_id WHERE a.status = 'Submitted'") != many {
		t.Errorf("%s: %s", p.Path, p.Text(".notice"))
	}
	form = v.Open("/admin/applications?size=25&term=all").Find("form[data-picks]")
	if form.Find("[name=all]").Length() != 1 {
		t.Error("not all are offered")
	}
	before := i.Number("SELECT count(*) FROM application_flag")
	if p := v.Post(form.AttrOr("action", ""), values); i.Number("SELECT count(*) FROM application_flag") != before ||
		p.Path != fmt.Sprintf("/admin/batches/%d", i.Number("SELECT max(id) FROM batch")) {
		t.Errorf("more than 50 lead to %s: %s", p.Path, p.Text(".notice"))
	}
}

// TestApplicantsSelected leads from selected applicants to the batch that changes them.
func TestApplicantsSelected(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	form := v.Open("/admin/applicants").Find("form[data-picks]")
	for _, action := range []string{"tracker", "untracker", "message"} {
		if form.Find("button[value="+action+"]").Length() != 1 {
			t.Errorf("%s is not offered: %s", action, form.Find(".bulk").Text())
		}
	}
	values := sitetest.Typed(form)
	values.Set("do", "message")
	values.Set("all", "1")
	p := v.Post(form.AttrOr("action", ""), values)
	if !strings.HasPrefix(p.Path, "/admin/batches/new") || p.Status != 200 {
		t.Errorf("%d %s", p.Status, p.Path)
	}
	few := i.Administrator("Kofi Haugen", admitto.ApplicantsView)
	if n := i.Staff(few).Open("/admin/applicants").Find(".bulk").Length(); n != 0 {
		t.Error("who may do nothing is offered something")
	}
}
