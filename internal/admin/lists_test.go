package admin_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// headsOf are the titles of the columns of a list.
func headsOf(p *sitetest.Page) (titles []string) {
	for _, s := range p.Find(".list thead th").EachIter() {
		if title := strings.TrimSpace(s.Text()); title != "" {
			titles = append(titles, title)
		}
	}
	return titles
}

// TestColumns chooses columns by the form at the head of a list; filters keep them, and files have the same.
func TestColumns(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for _, c := range []struct{ path, column, title, gone string }{
		{"/admin/applications?term=all", "officer", "Officer", "Flag"},
		{"/admin/applicants", "phone", "Telephone", "E-mail"},
	} {
		page := v.Open(c.path)
		usual := headsOf(page)
		base, _, _ := strings.Cut(c.path, "?")
		form := sitetest.Typed(page.Find(".list > header form"))
		if same := v.Open(base + "?" + form.Encode()); strings.Contains(same.Path, "column=") ||
			!slices.Equal(headsOf(same), usual) {
			t.Errorf("the form that nobody changed leads to %s", same.Path)
		}
		form["column"] = append(slices.DeleteFunc(form["column"], func(v string) bool {
			return v == "flags" || v == "email"
		}), c.column)
		page = v.Open(base + "?" + form.Encode())
		heads := headsOf(page)
		if !slices.Contains(heads, c.title) || slices.Contains(heads, c.gone) ||
			!strings.Contains(page.Path, "column="+c.column) {
			t.Errorf("%s has %q", page.Path, heads)
		}
		filters := sitetest.Typed(page.Find("#filters"))
		if same := v.Open(base + "?" + filters.Encode()); !slices.Equal(headsOf(same), heads) {
			t.Errorf("the filters lead from %q to %q", heads, headsOf(same))
		}
		chooser := sitetest.Typed(v.Open(c.path + map[bool]string{true: "&", false: "?"}[strings.Contains(c.path, "?")] +
			"text=an&citizenship=HU&citizenship=PK").Find(".list > header form"))
		if chooser.Get("text") != "an" || len(chooser["citizenship"]) != 2 {
			t.Errorf("the columns are chosen without the filters: %v", chooser)
		}
		file := v.Open(page.Find(`.list > header a[href*="csv"]`).AttrOr("href", ""))
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.Body, "\uFEFF"))).ReadAll()
		if err != nil || len(rows) < 2 || !slices.Contains(rows[0], c.title) || slices.Contains(rows[0], c.gone) ||
			!slices.Contains(rows[0], "Citizenship") {
			t.Errorf("%v: the file begins with %q", err, rows[:1])
		}
		if page := v.Open(c.path + strings.ReplaceAll("?&column=%22%3E%3Cscript%3E&column=nothing", "?",
			map[bool]string{true: "", false: "?"}[strings.Contains(c.path, "?")])); !slices.Equal(headsOf(page), usual) {
			t.Errorf("unknown columns: %q", headsOf(page))
		}
	}
}

// TestBehindTheLastPage leads to the last page, and an unknown term can be taken out.
func TestBehindTheLastPage(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for _, path := range []string{"/admin/applications?size=25&term=all", "/admin/applicants?size=25"} {
		for _, n := range []string{"9", "99999999"} {
			page := v.Open(path + "&page=" + n)
			if rows := page.Find("tbody tr").Length(); page.Status != 200 || rows == 0 || rows > 25 ||
				page.Find(`.pager [rel=next], .pager a[aria-label*=Next]`).Length() != 0 || strings.Contains(page.Path, "page="+n) {
				t.Errorf("%s&page=%s leads to %s with %d rows", path, n, page.Path, rows)
			}
		}
	}
	for _, path := range []string{"/admin/applications?term=999", "/admin/applicants?term=999"} {
		page := v.Open(path)
		if !strings.Contains(page.Text(".chips"), "999") || page.Find(".empty a").Length() == 0 {
			t.Errorf("%s: %s", path, page.Text(".list"))
		}
	}
	page := v.Open("/admin/applicants?text=nobody-has-this&lead=no")
	if !strings.Contains(page.Text(".empty"), "Without “Search: nobody-has-this” (") {
		t.Error(page.Text(".empty"))
	}
	for _, a := range page.Find(".empty a").EachIter() {
		want := strings.TrimSuffix(a.Text()[strings.LastIndex(a.Text(), "(")+1:], ")")
		if got := leading.FindString(v.Open(a.AttrOr("href", "")).Text(".list > header strong")); got != want && want != "0" {
			t.Errorf("%s has %s", a.Text(), got)
		}
	}
}

// TestCardsOfAList leads from card to card in the order of the list, with its filter, and back.
func TestCardsOfAList(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		for _, name := range []string{"cem", "ana", "bob", "dan"} {
			added(staff, name+"@example.org", "citizenship", "PT")
		}
		list := "/admin/applicants?citizenship=PT&order=up&sort=email"
		page := staff.Open(list)
		var shown []string
		for _, a := range page.Find("tbody a.name").EachIter() {
			shown = append(shown, a.AttrOr("href", ""))
		}
		card := staff.Open(shown[0])
		for n, want := range shown {
			if card.Path != want {
				t.Fatalf("card %d is %s, not %s", n, card.Path, want)
			}
			if has := card.Find("a[data-key=p]").Length() == 1; has != (n > 0) {
				t.Errorf("card %d: previous card %v", n, has)
			}
			if n+1 < len(shown) {
				card = staff.Open(card.Find("a[data-key=n]").AttrOr("href", ""))
			}
		}
		if card.Find("a[data-key=n]").Length() != 0 {
			t.Error("a card follows the last one")
		}
		tab := staff.Open(card.Find(`.tabs a[href*="/notes"]`).AttrOr("href", ""))
		if got := backTo(tab); !strings.HasPrefix(got, list+"#row-") {
			t.Errorf("the list is at %q: %s", got, tab.Path)
		}
		if got := tab.Find("a[data-key=p]").AttrOr("href", ""); !strings.Contains(got, "/notes?list=") {
			t.Errorf("the card before a tab is %q", got)
		}
		for _, bad := range []string{"%zz", "page=x", "from=tomorrow", strings.Repeat("a", 2000)} {
			if page := staff.Open("/admin/applicants/1?list=" + strings.ReplaceAll(bad, "%", "%25")); page.Status != 200 {
				t.Errorf("%s is answered with %d", bad, page.Status)
			}
		}
	})
}
