package kinds_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestOfferTypeOrder gives offer types places in the lists of staff: the others make room, and no place is empty.
func TestOfferTypeOrder(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Must(i.Store.Seed(t.Context(), "Northfield University", 2026))
		v := i.Staff(i.Superuser("Hana Yildiz"))
		for _, c := range []struct {
			address, button string
			fields          []string
			first, all      string
		}{
			{"/admin/offer-types/4", "Save", []string{"place", "1"}, "4 1 2 3 5", "30 1 30"},
			{"/admin/offer-types/4", "Save", []string{"place", "3"}, "1 2 4 3 5", "30 1 30"},
			{"/admin/offer-types/1", "Save", []string{"place", "9999"}, "2 4 3 5 6", "30 1 30"},
			{"/admin/offer-types/1", "Save", []string{"colour", "#123456"}, "2 4 3 5 6", "30 1 30"},
			{"/admin/offer-types/new", "Add offer type", []string{"title", "Maybe", "place", "2"}, "2 31 4 3 5", "31 1 31"},
			{"/admin/offer-types/new", "Add offer type", []string{"title", "Never"}, "2 31 4 3 5", "32 1 32"},
		} {
			page := v.Open(c.address).Submit(c.button, c.fields...)
			if !strings.Contains(page.Text(".notice"), "was saved") {
				t.Fatal(c.address, c.fields, page.Errors())
			}
			var ids []string
			names := v.Open("/admin/offer-types").Find("main tbody tr a.name")
			for n := range 5 {
				ids = append(ids, strings.TrimPrefix(names.Eq(n).AttrOr("href", ""), "/admin/offer-types/"))
			}
			if got := strings.Join(ids, " "); got != c.first {
				t.Errorf("%s %q: the list begins with %s, not %s", c.address, c.fields, got, c.first)
			}
			all := i.Lines("SELECT CAST(count(DISTINCT position) AS text) || ' ' || CAST(min(position) AS text) || ' ' || " +
				"CAST(max(position) AS text) FROM offer_type")
			if strings.TrimSpace(all) != c.all {
				t.Errorf("%s %q: places %s, not %s", c.address, c.fields, all, c.all)
			}
		}
		types, err := i.Services.Query.OfferTypes(t.Context(), servicestest.Staff().Caller)
		if err != nil || types[0].ID != 2 {
			t.Error(err, types[0].ID)
		}
		before := i.Lines("SELECT position FROM offer_type ORDER BY id")
		for _, bad := range []string{"0", "-1", "10001", "x", ""} {
			page := v.Open("/admin/offer-types/4").Submit("Save", "place", bad)
			if len(page.Errors()) == 0 || page.Find(`[name=place]`).AttrOr("value", "") != bad {
				t.Errorf("%q: %s %q", bad, page.Errors(), page.Find(`[name=place]`).AttrOr("value", ""))
			}
		}
		if after := i.Lines("SELECT position FROM offer_type ORDER BY id"); after != before {
			t.Errorf("places became %s", after)
		}
	})
}

// TestOfferTypeLetter previews the letter of a type as it is typed, with and without scripts: nothing is stored.
func TestOfferTypeLetter(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	id := i.Number("SELECT min(id) FROM offer_type WHERE confirm")
	path := fmt.Sprintf("/admin/offer-types/%d", id)
	rows := func() string { return i.Lines("SELECT subject || comments FROM offer_type ORDER BY id") }
	before := rows()
	typed := []string{"title", "Spring place", "public_title", "", "subject", "About %course-FullName%",
		"comments", "Dear %applicant-Name%, you have: %offer-Type%. %offer-Tpye%"}
	for _, page := range []*sitetest.Page{v.Open(path).Submit("Preview", typed...),
		v.Open("/admin/offer-types/new").Submit("Preview", typed...)} {
		text := page.Text("#preview")
		if !strings.Contains(text, "you have: Spring place.") || strings.Contains(text, "%course") ||
			page.Text("#preview mark") != "%offer-Tpye%" || page.Find("#preview .notice").Length() != 1 {
			t.Errorf("%s: %s", page.Path, text)
		}
		if got := page.Find("[name=title]").AttrOr("value", ""); got != "Spring place" {
			t.Errorf("what was typed became %q", got)
		}
	}
	form := sitetest.Typed(v.Open(path).Find("main form").First())
	form.Set("subject", "Now %applicant-Name%")
	if page := v.Post(path+"/preview", form); page.Status != 200 || !strings.Contains(page.Text("body"), "Now ") ||
		strings.Contains(page.Text("h3"), "%") {
		t.Error(page.Status, page.Text("body"))
	}
	if after := rows(); after != before {
		t.Error("the preview saves")
	}
	if got := v.Open(fmt.Sprintf("/admin/offer-types/%d", i.Number("SELECT min(id) FROM offer_type WHERE NOT confirm"))).
		Text("#preview"); !strings.Contains(got, "no letter yet") && !slices.Contains(strings.Fields(got), "Dear") {
		t.Error(got)
	}
}
