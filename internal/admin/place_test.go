package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// step is where a card leads by a key.
func step(p *sitetest.Page, key string) string {
	return p.Find("a[data-key="+key+"]").AttrOr("href", "")
}

// backTo is where the way to a page begins.
func backTo(p *sitetest.Page) string { return p.Find(".crumbs a").First().AttrOr("href", "") }

// listOf is the list that backTo leads to.
func listOf(p *sitetest.Page) string {
	list, _, _ := strings.Cut(backTo(p), "#")
	return list
}

// TestPlaceInAList leads from card to card over the pages of a list, and back to the page with the record.
func TestPlaceInAList(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for _, c := range []struct{ list, rows, act string }{
		{"/admin/applications?order=up&size=25&sort=applicant&term=all", "tbody td.meta a", "Set officer"},
		{"/admin/applicants?order=up&size=25&sort=applicant", "tbody a.name", "Edit"},
	} {
		var all []string
		for _, page := range []string{"", "&page=2", "&page=3"} {
			for _, a := range v.Open(c.list + page).Find(c.rows).EachIter() {
				all = append(all, a.AttrOr("href", ""))
			}
		}
		if len(all) < 55 {
			t.Fatalf("%s has %d rows", c.list, len(all))
		}
		for n, address := range all {
			if n%12 > 1 && n != 24 && n != 25 && n != len(all)-1 {
				continue
			}
			card := v.Open(address)
			previous, next := "", ""
			if n > 0 {
				previous = all[n-1]
			}
			if n+1 < len(all) {
				next = all[n+1]
			}
			if step(card, "p") != previous || step(card, "n") != next {
				t.Errorf("card %d of %s leads to %q and %q, not %q and %q", n, c.list, step(card, "p"), step(card, "n"), previous,
					next)
			}
			want := strings.Replace(c.list, "?", fmt.Sprintf("?page=%d&", n/25+1), 1)
			if n < 25 {
				want = c.list
			}
			_, row, _ := strings.Cut(backTo(card), "#")
			got := v.Open(backTo(card))
			if there := got.Find(c.rows).FilterFunction(func(_ int, a *goquery.Selection) bool {
				return a.AttrOr("href", "") == address && a.Closest("tr").AttrOr("id", "") == row
			}); got.Path != sorted(want) || row == "" || there.Length() != 1 {
				t.Errorf("card %d leads back to row %q of %s, not %s", n, row, got.Path, want)
			}
			tab := v.Open(card.Find(".tabs a").Last().AttrOr("href", ""))
			if backTo(tab) != backTo(card) || (step(tab, "n") == "") != (next == "") {
				t.Errorf("the tab of card %d leads back to %s and on to %s", n, backTo(tab), step(tab, "n"))
			}
			if n > 1 {
				continue
			}
			message := v.Open(card.Find(`a[href^="/admin/messages/new"]`).First().AttrOr("href", ""))
			left := v.Open(message.Find(`main form a[href*="/emails"]`).First().AttrOr("href", ""))
			if backTo(left) != backTo(card) || step(left, "n") == "" {
				t.Errorf("from a message card %d leads back to %s and on to %q", n, backTo(left), step(left, "n"))
			}
		}
	}
}

// sorted is an address with its parameters in the order of their names.
func sorted(address string) string {
	path, query, _ := strings.Cut(address, "?")
	if at := strings.Index(query, "page="); at == 0 { // page stands between order and size
		page, rest, _ := strings.Cut(query, "&")
		order, rest, _ := strings.Cut(rest, "&")
		query = order + "&" + page + "&" + rest
	}
	return path + "?" + query
}

// TestPlaceStays leads on as before when what is done on a card takes it out of the list, or elsewhere in it.
func TestPlaceStays(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	i.Put("UPDATE application SET officer_id = NULL")
	for _, list := range []string{"/admin/applications?officer=nobody&order=up&size=25&sort=revised&term=all"} {
		var rows []string
		for _, a := range v.Open(list).Find("tbody td.meta a").EachIter() {
			rows = append(rows, a.AttrOr("href", ""))
		}
		card := v.Open(rows[2])
		form := v.Open(card.Find(`.cardhead a[href*="/officer"]`).AttrOr("href", ""))
		if got := form.Find(".crumbs a").Last().AttrOr("href", ""); !strings.Contains(got, "list=") {
			t.Errorf("the way back from the form is %q", got)
		}
		card = form.Submit("Save", "officer", form.Find("[name=officer] option").Last().AttrOr("value", ""))
		path, _, _ := strings.Cut(rows[2], "?")
		if !strings.HasPrefix(card.Path, path+"?list=") || step(card, "p") != rows[1] || step(card, "n") != rows[3] {
			t.Fatalf("%s leads to %q and %q, not %q and %q", card.Path, step(card, "p"), step(card, "n"), rows[1], rows[3])
		}
		next := v.Open(step(card, "n"))
		if listOf(next) != list || step(next, "n") != rows[4] {
			t.Errorf("the next card leads back to %s and on to %s", backTo(next), step(next, "n"))
		}
		// Its own place is now that of the row before: the one that was opened left the list.
		if p := v.Open(step(next, "p")); !strings.HasPrefix(p.Path, strings.Split(rows[1], "?")[0]) {
			t.Errorf("the card before is %s, not %s", p.Path, rows[1])
		}
	}
	// Somebody else's list, records that are gone, and what is no place.
	for _, bad := range []string{"row=-1", "row=99999999999999999999", "near=1", "near=a.b", "near=-1.5", "near=0.0",
		"row=3%26near=1.2"} {
		if p := v.Open("/admin/applications/1?list=" + bad); p.Status != 200 {
			t.Errorf("%s is answered with %d", bad, p.Status)
		}
	}
}

// TestCrumbsOpen leads nobody to a page that is closed to them.
func TestCrumbsOpen(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT min(application_id) FROM offer")
	for name, c := range map[string]struct {
		tab string
		may admitto.Permission
	}{"Offers Only": {"courses", admitto.OffersView}, "Money Only": {"invoices", admitto.AccountingView}} {
		p := i.Staff(i.Administrator(name, c.may)).Open(fmt.Sprintf("/admin/applications/%d/%s", id, c.tab))
		if p.Status != 200 || p.Find(".crumbs a").Length() != 0 || !strings.Contains(p.Text(".crumbs"), "Applications") {
			t.Errorf("%s: %d, %s", name, p.Status, p.Text(".crumbs"))
		}
	}
	p := i.Staff(i.Superuser("Mara Lind")).Open(fmt.Sprintf("/admin/applications/%d", id))
	if freeze := p.Find(`.cardhead a[href$="freeze"]`).Length(); freeze > 1 {
		t.Errorf("the card offers %d of freeze and unfreeze", freeze)
	}
}
