package admin_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// keptNames are the views that stand above the filters of a page, by their names with where they lead.
func keptNames(p *sitetest.Page) (names []string, places map[string]string) {
	places = map[string]string{}
	for _, li := range p.Find("#filters section[aria-labelledby=kept-views] li").EachIter() {
		name := strings.TrimSpace(li.Find("bdi").Text())
		names, places[name] = append(names, name), li.Find("a:not(.btn)").AttrOr("href", "")
	}
	return names, places
}

// TestKeepView keeps views of both lists under names, calls them something else and removes them, on both engines.
func TestKeepView(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		mara, kofi := i.Staff(i.Administrator("Mara Lind", everything...)), i.Staff(i.Administrator("Kofi Haugen",
			admitto.ApplicantsView, admitto.ApplicationsView))
		for _, name := range []string{"cem", "ana"} {
			added(mara, name+"@example.org", "citizenship", "PT")
		}
		for _, c := range []struct{ list, view, page string }{
			{"/admin/applicants?citizenship=PT&column=email&order=up&page=1&sort=email", "/admin/applicants?citizenship=PT&column=email&order=up&sort=email", "/admin/applicants"},
			{"/admin/applications?officer=me&order=up&sort=submitted&term=all", "/admin/applications?officer=me&order=up&sort=submitted&term=all", "/admin/applications?term=all"},
		} {
			page := mara.Open(c.list)
			keep := page.Find(`.list header a[href*="/keep?"]`).AttrOr("href", "")
			form := mara.Open(keep)
			if form.Status != 200 || !strings.Contains(form.Text("main"), "Keep this view") {
				t.Fatalf("%s: %d", keep, form.Status)
			}
			if p := form.Submit("Keep view", "name", " ", "who", "all"); p.Status != 422 ||
				p.Find("[name=who][value=all][checked]").Length() != 1 {
				t.Errorf("a view without a name is answered with %d", p.Status)
			}
			if p := form.Submit("Keep view", "name", "For whom?", "who", "nobody"); p.Status != 422 {
				t.Errorf("a view that nobody sees is answered with %d", p.Status)
			}
			if p := form.Submit("Keep view", "name", "To be answered", "who", "me"); p.Path != c.view ||
				!strings.Contains(p.Text(".notice"), "“To be answered”") {
				t.Errorf("%s: %s", p.Path, p.Text(".notice"))
			}
			names, places := keptNames(mara.Open(c.page))
			if fmt.Sprint(names) != "[To be answered]" || places["To be answered"] != c.view {
				t.Errorf("kept are %q", places)
			}
			if again := mara.Open(places["To be answered"]); again.Text("table") != page.Text("table") ||
				again.Find("#filters section a[aria-current]").Length() != 1 {
				t.Errorf("%s shows something else", places["To be answered"])
			}
			if p := mara.Open(keep).Submit("Keep view", "name", "TO BE answered", "who", "me"); p.Status != 422 ||
				!strings.Contains(p.Text(".errors, .error"), "another view of this list under this name") {
				t.Errorf("the same name again is answered with %d: %s", p.Status, p.Text("main"))
			}
			if names, _ := keptNames(kofi.Open(c.page)); len(names) != 0 {
				t.Errorf("Kofi sees %q", names)
			}
			change := mara.Open(c.page).Find("#filters section a.btn").AttrOr("href", "")
			if p := kofi.Open(change); p.Status != 404 {
				t.Errorf("the view of somebody else is answered with %d", p.Status)
			}
			hostile := `<script>alert(1)</script>` + "\u202e"
			if p := mara.Open(change).Submit("Keep view", "name", hostile, "who", "all"); p.Path != c.view {
				t.Errorf("%d: %s", p.Status, p.Text("main"))
			}
			p := kofi.Open(c.page)
			sitetest.Harmless(t, p)
			names, places = keptNames(p)
			if len(names) != 1 || places[names[0]] != c.view || p.Find("#filters section a.btn").Length() != 0 {
				t.Errorf("Kofi sees %q", places)
			}
			late := mara.Open(change) // in another tab, while the first one saves
			mara.Open(change).Submit("Keep view", "name", "First", "who", "all")
			told := late.Submit("Keep view", "name", "Second")
			if told.Status != 422 || !strings.Contains(told.Text("main"), "saved this meanwhile") {
				t.Errorf("%d: %s", told.Status, told.Text("main"))
			}
			told.Submit("Keep view", "keep.name", "theirs")
			if names, _ := keptNames(mara.Open(c.page)); fmt.Sprint(names) != "[First]" {
				t.Errorf("kept are %q", names)
			}
			ask := mara.Open(mara.Open(change).Find(`main a[href$="/remove"]`).AttrOr("href", ""))
			if !strings.Contains(ask.Text("main"), "gone for everybody") {
				t.Error(ask.Text("main"))
			}
			if p := ask.Submit("Remove this view"); !strings.HasPrefix(p.Path, c.page[:12]) ||
				!strings.Contains(p.Text(".notice"), "is removed") {
				t.Errorf("%s: %s", p.Path, p.Text(".notice"))
			}
			if names, _ := keptNames(kofi.Open(c.page)); len(names) != 0 {
				t.Errorf("Kofi still sees %q", names)
			}
		}
	})
}

// TestViewsOfOthers leaves out what the reader may not filter by, and lets those who manage administrators look after
// the views of everybody when their owners have left.
func TestViewsOfOthers(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		left, boss := i.Administrator("Vera Holt", everything...), i.Administrator("Mara Lind", everything...)
		heir := i.Administrator("Kofi Haugen", admitto.ApplicationsView)
		vera, mara, kofi := i.Staff(left), i.Staff(boss), i.Staff(heir)
		const list = "/admin/applications?term=all"
		for name, query := range map[string]string{"Drafts": "status=Draft&term=all", "Decided": "decision=Final&term=all",
			"Own": "term=all"} {
			who := map[bool]string{true: "me", false: "all"}[name == "Own"]
			vera.Open("/admin/applications/keep?query="+url.QueryEscape(query)).Submit("Keep view", "name", name, "who", who)
		}
		if names, _ := keptNames(kofi.Open(list)); fmt.Sprint(names) != "[Drafts]" {
			t.Errorf("somebody without offers-view sees %q", names)
		}
		if names, _ := keptNames(mara.Open(list)); fmt.Sprint(names) != "[Decided Drafts]" {
			t.Errorf("Mara sees %q", names)
		}
		change := mara.Open(list).Find("#filters section a.btn").First().AttrOr("href", "")
		if p := mara.Open(change).Submit("Keep view", "name", "Decided ones", "who", "all"); p.Status != 200 {
			t.Error(p.Text("main"))
		}
		page := mara.Open(fmt.Sprintf("/admin/administrators/%d/disable", left))
		if text := page.Text("main"); !strings.Contains(text, "Decided ones") || !strings.Contains(text, "Drafts") ||
			strings.Contains(text, "Own") {
			t.Error(text)
		}
		page.Submit("Disable", "views", fmt.Sprint(heir))
		if n := i.Number(fmt.Sprintf("SELECT count(*) FROM kept_view WHERE owner_id = %d", heir)); n != 2 {
			t.Errorf("%d views have passed on: %s", n, page.Text("main"))
		}
		// Kofi may remove what filters by offers, and is not led to a page that is closed to him.
		names, places := keptNames(kofi.Open(list))
		if fmt.Sprint(names) != "[Decided ones Drafts]" || places["Decided ones"] != "" || places["Drafts"] == "" {
			t.Errorf("%q: %q", names, places)
		}
	})
}

// TestKeepViewRefuses what is no address of a list.
func TestKeepViewRefuses(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for _, bad := range []string{"a=%zz", "text=a%00b", "https://example.org/?a=1", "../roles?x=1",
		strings.Repeat("a=1&", 300)} {
		for _, list := range []string{"applications", "applicants"} {
			p := v.Open("/admin/" + list + "/keep?query=" + url.QueryEscape(bad))
			if p.Status >= 500 {
				t.Fatalf("%q: %d", bad, p.Status)
			}
			if p = p.Submit("Keep view", "name", "Bad", "who", "all"); p.Status != 422 {
				t.Errorf("%q of %s is answered with %d", bad, list, p.Status)
			}
		}
	}
	if n := i.Number("SELECT count(*) FROM kept_view"); n != 0 {
		t.Errorf("%d are kept", n)
	}
}
