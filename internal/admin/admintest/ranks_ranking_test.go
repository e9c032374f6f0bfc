package admintest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// contest is an instance with a ranking of one course whose offers have scores that tie on every level.
func contest(t *testing.T) (i *sitetest.Instance, ranking string, offers []string) {
	t.Helper()
	i = sitetest.Filled(t)
	course := i.Number("SELECT o.course_id FROM offer o JOIN application a ON a.id = o.application_id WHERE a.status = 'Submitted' GROUP BY o.course_id ORDER BY count(*) DESC LIMIT 1")
	of := fmt.Sprintf("SELECT o.id FROM offer o JOIN application a ON a.id = o.application_id WHERE a.status = 'Submitted' AND o.course_id = %d", course)
	offers = strings.Fields(i.Lines(of + " ORDER BY o.application_id, o.id"))
	if len(offers) < 4 {
		t.Fatal("too few offers of one course: ", offers)
	}
	pending := i.Number("SELECT min(id) FROM offer_type WHERE ranking = 'Pending'")
	i.Put(fmt.Sprintf("UPDATE offer SET type_id = %d, decision = 'None', score_auto = 5000, score_extra = NULL, priority = 2 WHERE id IN (%s)",
		pending, of), "UPDATE offer SET priority = 1 WHERE id = "+offers[2],
		"UPDATE offer SET score_auto = 6000, decision = 'Declined' WHERE id = "+offers[3])
	v := i.Staff(i.Superuser("Hana Yildiz"))
	page := v.Open("/admin/rankings/new").Submit("Add ranking", "name", "The best", "quota", "2", "courses",
		fmt.Sprint(course), "statuses", "Submitted")
	if text := page.Text("h1"); text != "The best" {
		t.Fatal(text, page.Errors())
	}
	return i, page.Path, offers
}

// ranksOf are the applications of a list in its order.
func ranksOf(p *sitetest.Page) (list []string) {
	p.Find("main .list > .tablewrap tbody tr:not(.line) td.main .below").Each(func(_ int, s *goquery.Selection) {
		list = append(list, strings.TrimPrefix(s.Text(), "Application "))
	})
	return list
}

// TestRanking wants the order with ties on every level, the line below the rank of the last place, and those who
// compete no more without a rank.
func TestRanking(t *testing.T) {
	i, path, offers := contest(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	page := v.Open(path)
	application := func(offer string) string { return i.Lines("SELECT application_id FROM offer WHERE id = " + offer) }
	want := []string{application(offers[2]), application(offers[0]), application(offers[1])}
	if got := ranksOf(page); len(got) < 3 || strings.Join(got[:3], " ") != strings.Join(want, " ") {
		t.Errorf("%v, not %v", got, want)
	}
	if at := page.Find("main .list > .tablewrap tbody tr").Index(); at != 0 ||
		page.Find("main .list > .tablewrap tbody tr").Eq(2).AttrOr("class", "") != "line" {
		t.Error("the line is not below the second rank: ", page.Text(".line"))
	}
	// The first two by the quota can be given a type: the batch is of these two, in this course.
	href := page.Find(`main a[href*="action=offer-type"]`).AttrOr("href", "")
	if text := page.Find(`main a[href*="action=offer-type"]`).Text(); text != "Set the type of the first 2" {
		t.Error(text)
	}
	place := i.Number("SELECT min(id) FROM offer_type WHERE ranking = 'In quota' AND status = 'Online'")
	batch := v.Open(href).Submit("Show what would change", "type", fmt.Sprint(place))
	if !strings.HasPrefix(batch.Path, "/admin/batches/") {
		t.Fatal(batch.Path, batch.Errors())
	}
	records := strings.Fields(i.Lines("SELECT record FROM batch_record ORDER BY record"))
	wanted := []string{application(offers[2]), application(offers[0])}
	slices.Sort(records)
	slices.Sort(wanted)
	if !slices.Equal(records, wanted) {
		t.Errorf("the batch is of %v, not %v", records, wanted)
	}
	if few := i.Staff(i.Administrator("Kofi Haugen", admitto.OffersView)).Open(path); few.Find(
		`main a[href*="action=offer-type"]`).Length() > 0 {
		t.Error("who may not prepare offers is led there")
	}
	// Several courses may have one name; what tells them apart is their code.
	called := i.Lines("SELECT c.code || ' ' || c.name FROM course c JOIN offer o ON o.course_id = c.id WHERE o.id = " + offers[0])
	if facts, rows := page.Text("main dl"), page.Text("main .list tbody"); called == "" ||
		!strings.Contains(facts, called) || !strings.Contains(rows, called) {
		t.Errorf("%q is not in %q or %q", called, facts, rows)
	}
	folded := page.Text("main .fold")
	if !strings.Contains(folded, "entry without rank") && !strings.Contains(folded, "entries without rank") ||
		!strings.Contains(folded, application(offers[3])) || !strings.Contains(folded, "Declined") {
		t.Error(folded)
	}
	page = v.Open(path + "?show=unranked")
	if got := ranksOf(page); !strings.Contains(strings.Join(got, " "), application(offers[3])) ||
		strings.Contains(strings.Join(got, " "), application(offers[0])) {
		t.Error(got)
	}
	for _, bad := range [][]string{{"name", ""}, {"quota", "-1"}, {"quota", "many"}, {"citizenships", "XX, HU"},
		{"statuses", "Draft"}, {"intakes", "999"}, {"flags", "x"}, {"term", "999"}, {"courses", "999"}} {
		page := v.Open(path+"/edit").Submit("Save", bad...)
		if len(page.Errors()) == 0 {
			t.Errorf("%q was taken", bad)
		}
	}
	page = v.Open(path+"/edit").Submit("Save", "citizenships", "pt, hu", "statuses", "Closed")
	if text := page.Text("main"); !strings.Contains(text, "Hungary, Portugal") || !strings.Contains(text, "Closed") ||
		i.Lines("SELECT filters FROM ranking WHERE name = 'The best'") !=
			`{"intakes":[],"citizenships":["HU","PT"],"flags":[],"statuses":["Closed"]}` {
		t.Error(text, i.Lines("SELECT filters FROM ranking WHERE name = 'The best'"))
	}
}

// TestExtraInPlace changes an extra score in the list: the ranks follow, what is wrong stays in its field, and who may
// not change offers sees the score alone.
func TestExtraInPlace(t *testing.T) {
	i, path, offers := contest(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	edit := path + "?extra=" + offers[1]
	page := v.Open(path)
	if page.Find("main a[href='"+edit+"']").Length() != 1 {
		t.Fatal(page.Text("main table"))
	}
	for _, bad := range []string{"many", "1.234", "10000"} {
		page = v.Open(edit).Submit("Save", "extra", bad)
		if len(page.Errors()) != 1 || page.Find("#f-extra").AttrOr("value", "") != bad {
			t.Errorf("%q: %q", bad, page.Errors())
		}
	}
	other := v.Open(edit)
	page = v.Open(edit).Submit("Save", "extra", "12,5")
	if got := ranksOf(page); len(got) == 0 ||
		got[0] != i.Lines("SELECT application_id FROM offer WHERE id = "+offers[1]) ||
		!strings.Contains(page.Text("main table"), "62.50") {
		t.Error(got, page.Text("main table"))
	}
	if page = other.Submit("Save", "extra", "3"); !strings.Contains(page.Text("main form"), "Saved meanwhile: 12.50") {
		t.Error(page.Text("main form"))
	}
	if page.Submit("Save", "keep.extra",
		"mine"); i.Number("SELECT score_extra FROM offer WHERE id = "+offers[1]) != 300 {
		t.Error("what was chosen is not stored")
	}
	v.Open(edit).Submit("Save", "extra", "")
	if n := i.Number("SELECT count(*) FROM offer WHERE score_extra IS NULL AND id = " + offers[1]); n != 1 {
		t.Error("the extra score is not cleared")
	}
	reader := i.Staff(i.Administrator("Kofi Haugen", admitto.OffersView))
	if page = reader.Open(edit); page.Status != 200 || page.Find("#f-extra, main a[href*='extra=']").Length() != 0 {
		t.Error(page.Status, page.Text("main table"))
	}
	if page = reader.Post(edit, map[string][]string{"extra": {"5"}}); page.Status < 400 {
		t.Error("who may not change offers changes a score: ", page.Status)
	}
}

// TestRankings wants the reader's term in the address of the list, and the size of each ranking.
func TestRankings(t *testing.T) {
	i, _, _ := contest(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	page := v.Open("/admin/rankings")
	if !strings.Contains(page.Path, "term=") {
		t.Error(page.Path)
	}
	page = v.Open("/admin/rankings?term=all&q=The+best")
	text := page.Text("main table")
	if !strings.Contains(text, "The best") || !strings.Contains(text, "All terms") {
		t.Error(text)
	}
	if page.Find("main form input[type=hidden][name=term][value=all]").Length() == 0 {
		t.Error("the search forgets the term")
	}
}
