package admin_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// shownIDs are the IDs of the events on a page of the journal, from the top.
func shownIDs(p *sitetest.Page) (ids []int64) {
	p.Find("tbody tr").Each(func(_ int, s *goquery.Selection) {
		id, _ := strconv.ParseInt(strings.TrimSpace(s.Find("td").First().Text()), 10, 64)
		ids = append(ids, id)
	})
	return ids
}

// walkJournal follows a list of the journal to its end.
func walkJournal(p *sitetest.Page, v *sitetest.Visitor) (ids []int64) {
	for pages := 0; pages < 100; pages++ {
		ids = append(ids, shownIDs(p)...)
		next := p.Find(`a[rel="next"]`)
		if next.Length() == 0 {
			return ids
		}
		p = v.Open(next.AttrOr("href", ""))
	}
	return ids
}

// TestJournalIsWhole compares lists with the records themselves, in order, for each filter.
func TestJournalIsWhole(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	ada := i.Administrator("Ada Boss", admitto.JournalView, admitto.ApplicantsView)
	staff := i.Staff(ada)
	found, err := i.Services.Query.Journal(t.Context(), admitto.SystemCaller(), admitto.JournalQuery{Limit: 1 << 20})
	all := servicestest.All(t, found, err)
	some := all[len(all)/2]
	for _, r := range all {
		if r.Links.Application != 0 {
			some = r
		}
	}
	term := i.Number(fmt.Sprintf("SELECT academic_term_id FROM application WHERE id = %d", some.Links.Application))
	inTerm := map[int64]bool{}
	for _, id := range strings.Fields(i.Lines(fmt.Sprintf("SELECT id FROM application WHERE academic_term_id = %d",
		term))) {
		n, _ := strconv.ParseInt(id, 10, 64)
		inTerm[n] = true
	}
	group := func(name string) func(*admitto.Record) bool {
		return func(r *admitto.Record) bool {
			return slices.ContainsFunc(admitto.EventKinds(), func(k admitto.EventKind) bool {
				return k.Group == name && k.Pattern == r.Pattern
			})
		}
	}
	last := len(all) - 300
	for address, fits := range map[string]func(*admitto.Record) bool{
		fmt.Sprintf("from=%d", last): func(r *admitto.Record) bool { return r.ID >= int64(last) },
		"to=40":                      func(r *admitto.Record) bool { return r.ID <= 40 },
		"from=30&to=60":              func(r *admitto.Record) bool { return r.ID >= 30 && r.ID <= 60 },
		"event=Offer+was+created":    func(r *admitto.Record) bool { return r.Pattern == admitto.OfferCreated },
		"event=group+Trackers":       group("Trackers"),
		"event=group+Trackers&actor=system": func(r *admitto.Record) bool {
			return group("Trackers")(r) &&
				r.Actor.Kind == admitto.BySystem
		},
		"event=E-mail+was+sent%3A+no+such": func(*admitto.Record) bool { return false },
		"actor=applicant&from=1&to=500": func(r *admitto.Record) bool {
			return r.ID <= 500 &&
				r.Actor.Kind == admitto.ByApplicant
		},
		fmt.Sprintf("actor=administrator-%d", ada): func(r *admitto.Record) bool {
			return r.Actor.Kind == admitto.ByAdministrator && r.Actor.ID == ada
		},
		fmt.Sprintf("applicant=%d", some.Links.Applicant): func(r *admitto.Record) bool {
			return r.Links.Applicant == some.Links.Applicant
		},
		fmt.Sprintf("application=%d&event=Application+was+created", some.Links.Application): func(r *admitto.Record) bool {
			return r.Links.Application == some.Links.Application && r.Pattern == admitto.ApplicationCreated
		},
		fmt.Sprintf("term=%d&event=Offer+was+created", term): func(r *admitto.Record) bool {
			return inTerm[r.Links.Application] && r.Pattern == admitto.OfferCreated
		},
	} {
		var want []int64
		for n := range all {
			if fits(&all[n]) {
				want = append([]int64{all[n].ID}, want...)
			}
		}
		p := staff.Open("/admin/journal?size=250&" + address)
		if got := walkJournal(p, staff); p.Status != 200 || !slices.Equal(got, want) {
			t.Errorf("%s: %d, %d events instead of %d", address, p.Status, len(got), len(want))
		}
	}
	for _, address := range []string{"from=tomorrow", "actor=nobody", "applicant=x", "event=Nothing", "actor=system-x"} {
		if p := staff.Open("/admin/journal?" + address); len(shownIDs(p)) > 0 ||
			!strings.Contains(p.Text(".notice.bad"), "so nothing is listed") {
			t.Errorf("%s is not refused: %s", address, p.Text("main"))
		}
	}
}

// TestJournal shows events with their links and details to those who may see them, and leads back and forth.
func TestJournal(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		ilse := d.Create(servicestest.Ilse())
		d.Deliver()
		d.Write(fmt.Sprintf("UPDATE applicant SET given = 'Ilse' WHERE id = %d", ilse))
		boss := i.Staff(i.Administrator("Ada Boss", admitto.AllPermissions().List()...))
		boss.Open(fmt.Sprintf("/admin/applicants/%d/edit", ilse)).Submit("Save", "skype", "Pécs <b>")
		records := d.Journal()
		id := records[len(records)-1].ID
		reader := i.Staff(i.Administrator("Rita Reader", admitto.JournalView))
		page := reader.Open(fmt.Sprintf("/admin/journal/%d", id))
		if page.Status != 200 || strings.Contains(page.Body, "Pécs") ||
			!strings.Contains(page.Text("main"), "your permissions") {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		page = boss.Open(fmt.Sprintf("/admin/journal/%d", id))
		if text := page.Text("main"); !strings.Contains(text, "Pécs <b>") ||
			!strings.Contains(text, records[len(records)-1].Hash) ||
			!strings.Contains(text, records[len(records)-2].Hash) {
			t.Error(text)
		}
		list := boss.Open("/admin/journal")
		if href := list.Find(`td .row a`).AttrOr("href", ""); href != fmt.Sprintf("/admin/applicants/%d", ilse) {
			t.Error(href)
		}
		if reader.Open("/admin/journal").Find(`td .row a`).Length() != 0 {
			t.Error("a link that the reader may not open")
		}
		for _, p := range []*sitetest.Page{list, page} {
			if forms := p.Find(`main form[method="post"]`); forms.Length() > 0 {
				t.Error(p.Path, " has a form that changes something")
			}
		}
		csv := reader.Open("/admin/journal.csv?from=1")
		if lines := strings.Split(strings.TrimSpace(csv.Body), "\r\n"); len(lines) != len(d.Journal())+1 ||
			strings.Contains(csv.Body, "Pécs") || !strings.HasPrefix(csv.Body, "\uFEFF") { // else spreadsheets guess
			t.Errorf("%d lines of %d", len(lines), len(d.Journal()))
		}
		query := boss.Open(fmt.Sprintf("/admin/journal/query?applicant=%d&from=2026-03-09&actor=system", ilse))
		if text := query.Text("#query"); !strings.HasPrefix(text, "https://admissions.example.edu/api/v10/journal?") ||
			!strings.Contains(text, "bySince=2026-03-09") || !strings.Contains(query.Text("main"), "no filter for who acted") {
			t.Error(query.Text("main"))
		}
		if p := reader.Open("/admin/journal/999999"); p.Status != 404 {
			t.Error(p.Status)
		}
	})
}

// TestJournalVerify checks the chain in the background, and names a record that was tampered with.
func TestJournalVerify(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Create(servicestest.Ilse())
		staff := i.Staff(i.Administrator("Rita Reader", admitto.JournalView))
		check := func() {
			t.Helper()
			d.Must(d.Services.Maintenance.RunJournalCheck(t.Context(), admitto.SystemCaller()))
		}
		page := staff.Open("/admin/journal/verify")
		if !strings.Contains(page.Text("main"), "Nothing was verified yet") {
			t.Error(page.Text("main"))
		}
		if page = page.Submit("Verify", "from", "9000"); page.Status != 422 ||
			page.Find("#f-from").AttrOr("value", "") != "9000" {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		page = page.Submit("Verify", "from", "1")
		if page.Find("#check progress").Length() != 1 ||
			page.Find("#check").AttrOr("hx-get", "") != "/admin/journal/verify" ||
			page.Find(`main form[method="post"]`).Length() != 0 {
			t.Error(page.Text("main"))
		}
		check()
		last := len(d.Journal())
		page = staff.Open("/admin/journal/verify")
		if text := page.Text("main"); !strings.Contains(text, fmt.Sprintf("Verified until ID %d", last)) ||
			page.Find("#check .notice.ok").Length() != 1 || page.Find("#check[hx-get]").Length() != 0 {
			t.Error(text)
		}
		tamper(t, d, 2)
		page.Submit("Verify", "from", "1")
		check()
		page = staff.Open("/admin/journal/verify")
		if text := page.Text("main"); !strings.Contains(text, "broken at ID 2") ||
			!strings.Contains(text, "Verified until ID 1 ") ||
			page.Find("#check .notice.bad a").AttrOr("href", "") != "/admin/journal/2" {
			t.Error(text)
		}
	})
}

// tamper changes a record as somebody with the database can.
func tamper(t *testing.T, d *servicestest.Desk, id int) {
	t.Helper()
	if d.Store.Shared() {
		d.Write("ALTER TABLE journal DISABLE TRIGGER ALL")
	} else {
		d.Write("DROP TRIGGER journal_no_update")
	}
	d.Write(fmt.Sprintf("UPDATE journal SET actor = 'system', actor_id = 99 WHERE id = %d", id))
}

// TestEveryRecordedEventHasASentence finds each kind of event in the tree of filters, said by a message.
func TestEveryRecordedEventHasASentence(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	page := i.Staff(i.Superuser("Ada Boss")).Open("/admin/journal?event=group+Offers")
	if open := page.Find("details.fold[open]").Length(); open != 2 {
		t.Error(open, " parts of the tree are open")
	}
	for _, kind := range admitto.EventKinds() {
		if kind.Since == "" {
			continue
		}
		label := page.Find(fmt.Sprintf(`input[value=%q]`, kind.Pattern)).Parent()
		if text := strings.TrimSpace(label.Text()); text == "" || strings.Contains(text, "?") {
			t.Errorf("no message says %q: %q", kind.Pattern, text)
		}
	}
}
