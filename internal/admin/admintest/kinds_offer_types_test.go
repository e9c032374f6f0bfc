package admintest

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
	page := v.Open(path).Submit("Save", append(typed, "in-ar-1", "%nobody-Name%")...)
	if page.Find("a[href='#f-in-ar-1']").Length() != 1 {
		t.Error("the Arabic subject is not named: ", page.Text(".errors"))
	}
	if errors := strings.Join(page.Errors(), "; "); rows() != before || !strings.Contains(errors,
		"%offer-Tpye% (line 1, place 48) is no marker of this e-mail. The nearest one is %offer-Type%.") ||
		!strings.Contains(errors, "%nobody-Name%") {
		t.Errorf("a letter that cannot be confirmed is saved: %s", errors)
	}
	if got := v.Open(fmt.Sprintf("/admin/offer-types/%d", i.Number("SELECT min(id) FROM offer_type WHERE NOT confirm"))).
		Text("#preview"); !strings.Contains(got, "no letter yet") && !slices.Contains(strings.Fields(got), "Dear") {
		t.Error(got)
	}
}

// TestOfferTypeLanguages previews a letter in the language that is chosen, with the texts that are typed: one without a
// version shows the first, and says so. Nothing is stored of the choice (lifecycle.md R11).
func TestOfferTypeLanguages(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	path := fmt.Sprintf("/admin/offer-types/%d", i.Number("SELECT min(id) FROM offer_type WHERE confirm"))
	typed := []string{"public_title", "Place", "subject", "Yours", "comments", "You have: %offer-Type%, %date-Today%"}
	preview := func(more ...string) *sitetest.Page {
		t.Helper()
		return v.Open(path).Submit("Preview", append(more, typed...)...)
	}
	month := i.Clock.Now().Std().Format("January")
	for _, c := range []struct {
		fields          []string
		lang, has, says string
	}{
		{nil, "", "You have: Place", ""},
		{[]string{"reads", "en"}, "", "You have: Place", ""},
		{[]string{"reads", "xx"}, "", "You have: Place", ""},
		{[]string{"reads", "ar", "in-ar", "مقعد", "in-ar-1", "", "in-ar-2", ""}, "", "You have: مقعد", "no letter in Arabic"},
		{[]string{"reads", "ar", "in-ar", "مقعد", "in-ar-1", "مقعدك", "in-ar-2", "لديك: %offer-Type%، %date-Today%"}, "ar",
			"لديك: مقعد", ""},
	} {
		page := preview(c.fields...)
		letter, text := page.Find("#preview article"), page.Text("#preview")
		lang, _ := letter.Attr("lang")
		if lang == "en" {
			lang = "" // that of the page
		}
		if lang != c.lang || !strings.Contains(text, c.has) || !strings.Contains(text, c.says) ||
			strings.Contains(letter.Text(), month) != (c.lang == "") || strings.Contains(text, "no letter") != (c.says != "") {
			t.Errorf("%q: %q, %s", c.fields, lang, text)
		}
	}
	page := preview("reads", "ar", "in-ar-2", "لديك: %offer-Type%").Submit("Save", "sure", "yes")
	if !strings.Contains(page.Text(".notice"), "was saved") || v.Open(path).Find("[name=reads] option[selected]").
		AttrOr("value", "en") != "en" {
		t.Error(page.Errors(), page.Text(".notice"))
	}
	form := sitetest.Typed(v.Open(path).Find("main form").First())
	form.Set("reads", "ar")
	if live := v.Post(path+"/preview", form); !strings.Contains(live.Text("body"), "لديك: ") {
		t.Error(live.Text("body"))
	}
}

// TestInitialOfferType shows that the switches of the type of every new offer are fixed, with the reason, and refuses
// them all the same where somebody sends them (screens.md A43).
func TestInitialOfferType(t *testing.T) {
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Hana Yildiz"))
	page := v.Open("/admin/offer-types/1")
	boxes := page.Find("[name=switches]")
	if n := boxes.Filter("[disabled]").Length(); n == 0 || n != boxes.Length() ||
		page.Find("[name=ranking][disabled]").Length() != 2 || !strings.Contains(page.Text("main"), "of every new offer") {
		t.Errorf("%d of %d switches are fixed: %s", n, boxes.Length(), page.Text("main"))
	}
	if page = page.Submit("Save", "colour", "#123456"); !strings.Contains(page.Text(".notice"), "was saved") {
		t.Error(page.Errors())
	}
	form := sitetest.Typed(v.Open("/admin/offer-types/1").Find("main form").First())
	form.Set("switches", "confirm")
	page = v.Post("/admin/offer-types/1", form)
	if got := strings.Join(page.Errors(), " "); !strings.Contains(got, "stay as they are") {
		t.Error(got)
	}
	if n := v.Open("/admin/offer-types/2").Find("[name=switches][disabled]").Length(); n != 0 {
		t.Errorf("%d switches of another type are fixed", n)
	}
}
