package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// content is a form that is known.
const content = `{"profile":{"name":{"given":"Ana","family":"Silva"},"birth":{"date":"2007-03-27"},"gender":"F"},
	"education":[{"institution":"Porto","enrolment":"2021-09"},{"institution":"Braga"}],"languages":[{"name":"pt","native":true}],
	"misc":{"medical":"asthma","additional":"late train"}}`

// submittedForm is a submitted application with a form that is known, and where its sections are.
func submittedForm(d *servicestest.Desk) (i *sitetest.Instance, path string) {
	i = sitetest.On(d)
	d.AtWork()
	d.Submit(servicestest.Staff(), "Came by post", "")
	d.Write("DELETE FROM application_content WHERE application_id = 11",
		"INSERT INTO application_content (application_id, content) VALUES (11, '"+content+"')",
		"UPDATE application SET revised = created WHERE id = 11")
	d.Clock.Add(admitto.Hour)
	return i, "/admin/applications/11/form/"
}

// flat is a text with one space between its words.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// packed is a text without spaces: cells of a table stand next to each other.
func packed(text string) string { return strings.Join(strings.Fields(text), "") }

// TestEditSection saves a section of a submitted application: its status stays, it is revised, and the history has the
// old and the new value. What is malformed is kept as it was typed.
func TestEditSection(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open(path + "profile/edit")
		if page.Status != 200 || page.Find(`[name="content.birth.date-day"]`).AttrOr("value", "") != "27" {
			t.Fatalf("%d %s", page.Status, page.Text("main"))
		}
		done := page.Submit("Save", "content.name.given", "Anna", "content.birth.date-day", "31", "content.birth.date-month",
			"2",
			"content.gender", "nonsense", "content.idcode", "code <b>17</b>")
		if done.Status != 200 || !strings.Contains(done.Text("main"), "need attention") {
			t.Fatalf("%d %s", done.Status, done.Text("main"))
		}
		if got := done.Find(`[name="content.birth.date-day"]`).AttrOr("value", ""); got != "31" {
			t.Errorf("the day that was typed is %q", got)
		}
		if errs := strings.Join(done.Errors(), "|"); !strings.Contains(errs, "There is no such day") ||
			!strings.Contains(errs, "Choose one") {
			t.Error(errs)
		}
		read := staff.Open(path + "profile")
		for _, want := range []string{"Anna", "Needs attention. As it was typed: 31 2 2007", "nonsense"} {
			if text := packed(read.Text("main")); !strings.Contains(text, packed(want)) {
				t.Errorf("%q is not in %s", want, text)
			}
		}
		if n := i.Number("SELECT count(*) FROM application WHERE id = 11 AND status = 'Submitted' AND revised > submitted"); n != 1 {
			t.Error("the status changed, or the application is not revised")
		}
		said := flat(staff.Open("/admin/applications/11/history").Text("main"))
		for _, want := range []string{"Ana", "Anna", "Date of birth (as it was typed)", "2007-02-31"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in the history: %s", want, said)
			}
		}
		done = done.Submit("Save", "content.birth.date-day", "28", "content.gender", "F")
		if text := flat(done.Text("main")); strings.Contains(text, "Needs attention") ||
			!strings.Contains(text, "Saved at") ||
			!strings.Contains(text, "28 February 2007") {
			t.Error(text)
		}
		changes := packed(staff.Open(path + "changes").Text("main"))
		for _, want := range []string{"Given name Ana Anna", "27 March 2007", "28 February 2007"} {
			if !strings.Contains(changes, packed(want)) {
				t.Errorf("%q is not in %s", want, changes)
			}
		}
		if strings.Contains(changes, packed("as it was typed")) {
			t.Error("a value that needed attention and does no more is a change")
		}
	})
}

// TestCitizenshipOfAccount shows staff the citizenship of the account in the form, where it cannot be changed; changed
// on the applicant, the form follows, also after the submission.
func TestCitizenshipOfAccount(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open(path + "profile/edit")
		applicant := fmt.Sprintf("/admin/applicants/%d/edit", i.Number("SELECT applicant_id FROM application WHERE id = 11"))
		if page.Find(`main a[href="`+applicant+`"]`).Length() != 1 ||
			!strings.Contains(flat(page.Text("main")), "The citizenship is that of the account") {
			t.Error(page.Text("main"))
		}
		stated := func() string { return flat(staff.Open(path + "profile").Text("main")) }
		typed := sitetest.Typed(page.Find(`main form[method="post"]`).First())
		typed.Set("content.citizenship", "NG")
		if done := staff.Post(path+"profile/edit", typed); done.Status != 200 {
			t.Fatal(done.Status, done.Text("main"))
		}
		if now := stated(); !strings.Contains(now, "Hungary") {
			t.Errorf("the form does not state the citizenship of the account: %s", now)
		}
		staff.Open(applicant).Submit("Save", "citizenship", "NG")
		if now := stated(); !strings.Contains(now, "Nigeria") {
			t.Errorf("the form does not follow the account: %s", now)
		}
		if n := i.Number("SELECT count(*) FROM application WHERE id = 11 AND status = 'Submitted'"); n != 1 {
			t.Error("the status changed")
		}
		said := flat(staff.Open("/admin/applications/11/history").Text("main"))
		if !strings.Contains(said, "Citizenship: Hungary → Nigeria") {
			t.Errorf("the history does not name the countries: %s", said)
		}
		one, other := staff.Open(path+"profile/edit"), staff.Open(path+"profile/edit")
		one.Submit("Save", "content.birth.date-day", "26")
		if asked := flat(other.Submit("Save", "content.birth.date-day", "1").Text("form")); !strings.Contains(asked,
			"Yours: 1 March 2007") || !strings.Contains(asked, "Saved meanwhile: 26 March 2007") ||
			strings.Contains(asked, "Yours: Not stated") {
			t.Errorf("the days are not in words: %s", asked)
		}
	})
}

// TestEditRows adds, changes, moves and removes entries of a section.
func TestEditRows(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		staff.Open(path+"education/rows/new").Submit("Save", "content.institution", "Évora", "content.enrolment-month", "13",
			"content.enrolment-year", "2022")
		page := staff.Open(path + "education/rows/3")
		if page.Find(`[name="content.enrolment-month"]`).AttrOr("value", "") != "13" || len(page.Errors()) != 1 {
			t.Fatalf("%d %q %s", page.Status, page.Errors(), page.Text("main"))
		}
		order := func() string { return strings.Join(titles(staff.Open(path+"education")), ", ") }
		if got := order(); got != "Porto, Braga, Évora" {
			t.Fatal(got)
		}
		list := staff.Open(path + "education")
		up := list.Find(`form[action$="/rows/3/up"]`)
		staff.Post(up.AttrOr("action", ""), sitetest.Typed(up))
		if got := order(); got != "Porto, Évora, Braga" {
			t.Error(got)
		}
		if page := staff.Open(path + "education/rows/2"); page.Find(`[name="content.enrolment-month"]`).AttrOr("value",
			"") != "13" {
			t.Error("what needs attention did not move with its entry")
		}
		asked := staff.Open(path + "education/rows/1/remove")
		if done := asked.Submit("Remove"); !strings.Contains(done.Text("main"), "The entry was removed") {
			t.Error(done.Text("main"))
		}
		if got := order(); got != "Évora, Braga" {
			t.Error(got)
		}
		for _, none := range []string{"education/rows/0", "education/rows/9", "education/rows/01", "education/rows/x",
			"education/edit",
			"profile/rows/1", "nothing/edit"} {
			if p := staff.Open(path + none); p.Status != 404 {
				t.Errorf("%s: %d", none, p.Status)
			}
		}
	})
}

// titles are those of the boxes of a page.
func titles(p *sitetest.Page) (list []string) {
	for _, h := range p.Find(".card > header > h2").EachIter() {
		list = append(list, strings.TrimSpace(h.Text()))
	}
	return list
}

// TestContactStaysOpen freezes an application: its contact data stay open, which the tab and the applicant see.
func TestContactStaysOpen(t *testing.T) {
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		save := func(section, field, value string) error {
			return d.Services.Admissions.SaveSection(t.Context(), servicestest.Ann(), 11,
				admissions.SectionEdit{Section: section, Typed: map[string][]string{field: {value}}})
		}
		d.Must(save("contact", "telephone/mobile", "+36 1 234"))
		d.Must(save("profile", "birth/place", "Pest"))
		d.Must(d.Services.Admissions.Freeze(t.Context(), servicestest.Staff(), 11))
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		for section, frozen := range map[string]bool{"contact": false, "profile": true} {
			text := staff.Open("/admin/applications/11/form/" + section).Find("dd").Text()
			if strings.Contains(text, "Frozen") != frozen {
				t.Errorf("%s: frozen %t: %s", section, !frozen, text)
			}
		}
		d.Must(save("contact", "telephone/mobile", "+36 1 235"))
		if save("profile", "birth/place", "Buda") == nil {
			t.Error("frozen data can be changed")
		}
	})
}

// TestEditMeanwhile lets two people change the same section: the second one sees who changed what, and chooses. A
// change of something else is no conflict.
func TestEditMeanwhile(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		first, second := i.Staff(i.Administrator("Mara Lind", everything...)), i.Staff(i.Administrator("Kofi Haugen",
			everything...))
		mine, contact := second.Open(path+"profile/edit"), second.Open(path+"contact/edit")
		first.Open(path+"profile/edit").Submit("Save", "content.name.given", "Anna", "content.birth.date-day", "5",
			"content.passport.number", "X1")
		if done := contact.Submit("Save", "content.address.city", "Lisboa"); !strings.Contains(done.Text("main"),
			"Saved at") {
			t.Errorf("another section is a conflict: %s", done.Text("main"))
		}
		asked := mine.Submit("Save", "content.name.given", "Anita", "content.name.family", "Costa", "content.birth.date-day",
			"6")
		text := flat(asked.Text("main"))
		for _, want := range []string{"Mara Lind", "Anita", "Anna", "5 March 2007", "6 March 2007", "Given name",
			"Date of birth"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %.700s", want, text)
			}
		}
		done := asked.Submit("Save", "keep.content.name.given", "mine", "keep.content.birth.date", "theirs",
			"keep.content.passport.number", "theirs", "keep.content.name.family", "mine")
		text = flat(done.Text("main"))
		for _, want := range []string{"Saved at", "Anita", "Costa", "5 March 2007", "X1"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %.700s", want, text)
			}
		}
	})
}

// TestEditSensitive leaves alone what its reader may not see, and changes it for those who may.
func TestEditSensitive(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView, admitto.ApplicationsEdit))
		page := few.Open(path + "misc/edit")
		if page.Find(`[name="content.medical"], [name="content.needs"]`).Length() != 0 {
			t.Fatal("sensitive fields are shown")
		}
		page.Submit("Save", "content.additional", "no train", "content.medical", "nothing")
		// The use case leaves them alone, too, whatever an interface lets through.
		without := servicestest.Staff()
		without.Permissions = admitto.PermissionsOf(admitto.ApplicationsView, admitto.ApplicationsEdit)
		d.Must(i.Services.Admissions.SaveSection(t.Context(), without, 11, admissions.SectionEdit{Section: "misc",
			Typed: map[string][]string{"medical": {"nothing"}}}))
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		opened := d.Count("access")
		for _, at := range []string{"misc", "all"} {
			folded := staff.Open(path + at)
			if text := folded.Text("main"); strings.Contains(text, "asthma") || d.Count("access") != opened {
				t.Errorf("%s: sensitive fields are shown unasked: %s", at, text)
			}
			show := folded.Find(`a:contains("Show sensitive data")`).AttrOr("href", "")
			read := staff.Open(show).Text("main")
			if opened++; !strings.Contains(read, "asthma") || at == "misc" && !strings.Contains(read, "no train") ||
				d.Count("access") != opened {
				t.Errorf("%s, %q: %d lines: %s", at, show, d.Count("access"), read)
			}
			if text := few.Open(show).Text("main"); strings.Contains(text, "asthma") || d.Count("access") != opened {
				t.Error(text)
			}
		}
		if n := d.Number("SELECT count(*) FROM access WHERE application_id = 11 AND what = 'sensitive' AND " +
			"administrator_id = (SELECT id FROM administrator WHERE name = 'Mara Lind')"); n != opened {
			t.Errorf("%d of %d lines say who it was", n, opened)
		}
		few.Open(path + "misc/edit")
		if d.Count("access") != opened {
			t.Error("a form without sensitive fields is in the access log")
		}
		if staff.Open(path + "misc/edit"); d.Count("access") != opened+1 {
			t.Error("a form with sensitive fields is not in the access log")
		}
		staff.Open(path+"misc/edit").Submit("Save", "content.medical", strings.Repeat("x", 5000))
		if said := few.Open("/admin/applications/11/history").Text("main"); strings.Contains(said, "xxx") ||
			strings.Contains(said, "asthma") {
			t.Error("the history shows sensitive data")
		}
		if only := i.Staff(i.Administrator("Ivo Berg", admitto.ApplicationsView)); only.Open(path+
			"misc/edit").Status != 403 ||
			strings.Contains(only.Open(path+"misc").Text("main"), "Edit section") {
			t.Error("somebody without the permission may edit")
		}
		for _, after := range []struct {
			days admitto.Time
			left bool
		}{{399, true}, {2, false}} {
			i.Clock.Add(after.days * admitto.Day)
			i.Must(i.Services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()))
			if n := d.Count("access"); (n != 0) != after.left {
				t.Errorf("%d days later %d lines are left", after.days, n)
			}
		}
	})
}

// TestEditEverySection opens the form of every section, and saves it unchanged: nothing is recorded.
func TestEditEverySection(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Administrator("Mara Lind", everything...))
	id := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Draft'")
	before := i.Number("SELECT count(*) FROM journal")
	for _, s := range form.Sections() {
		at := fmt.Sprintf("/admin/applications/%d/form/%s/edit", id, s.Key)
		if s.Rows {
			if staff.Open(fmt.Sprintf("/admin/applications/%d/form/%s/rows/new", id, s.Key)).Status != 200 {
				t.Errorf("%s: no entry can be added", s.Key)
			}
			at = fmt.Sprintf("/admin/applications/%d/form/%s/rows/1", id, s.Key)
			if staff.Open(at).Status == 404 {
				continue
			}
		}
		page := staff.Open(at)
		if page.Status != 200 {
			t.Errorf("%s: %d", s.Key, page.Status)
			continue
		}
		sitetest.Harmless(t, page)
		if done := page.Submit("Save"); !strings.Contains(done.Text("main"), "Saved at") {
			t.Errorf("%s: %d %s", s.Key, done.Status, flat(done.Text("main")))
		}
	}
	if after := i.Number("SELECT count(*) FROM journal"); after != before {
		t.Errorf("%d records were written", after-before)
	}
}

// TestEditAnswers answers questions of every type, well and badly: what is outside of the rules is kept as it was
// typed.
func TestEditAnswers(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		d.Write(`INSERT INTO question (id, name, type, options, fields) VALUES (901, 'Plain', 'text', '[]', '[]'), (902, 'Long', 'longtext', '[]', '[]'),
			(903, 'Figure', 'number', '[]', '[]'), (904, 'When', 'date', '[]', '[]'), (905, 'Where', 'country', '[]', '[]'),
			(906, 'Tongue', 'language', '[]', '[]'), (907, 'One of', 'choice', '["Red","Blue"]', '[]'), (908, 'Some of', 'choices', '["Red","Blue"]', '[]'),
			(909, 'Dormitory', 'yesno', '[]', '[]'), (910, 'Funds', 'money', '[]', '[]'), (911, 'Free', 'choices', '[]', '[]'),
			(912, 'Paper', 'file', '[]', '[]')`,
			`UPDATE course SET form = '{"questions":[{"id":901},{"id":902},{"id":903},{"id":904},{"id":905},{"id":906},{"id":907},{"id":908},
			{"id":909},{"id":910},{"id":911},{"id":912,"required":true}]}'`)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open(path + "extras/edit")
		if page.Find(".field").Length() != 15 { // a date has three more
			t.Fatalf("%d %d %.700s", page.Status, page.Find(".field").Length(), page.Text("main"))
		}
		bad := page.Submit("Save", "content.901", strings.Repeat("x", 300), "content.902", "two\nlines", "content.903",
			"many",
			"content.904-day", "31", "content.904-month", "6", "content.904-year", "2026", "content.905", "ZZ", "content.906",
			"xx",
			"content.907", "Green", "content.908", "Red", "content.908", "Green", "content.909", "maybe", "content.910",
			"250 euro",
			"content.911", "north\nsouth")
		if n := len(bad.Errors()); n != 9 || !strings.Contains(bad.Text("main"), "need attention") {
			t.Errorf("%d %q", n, bad.Errors())
		}
		for name, want := range map[string]string{"content.903": "many", "content.904-day": "31", "content.910": "250 euro"} {
			if got := bad.Find(fmt.Sprintf("[name=%q]", name)).AttrOr("value", ""); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		for name, want := range map[string]string{"content.905": "ZZ", "content.906": "xx", "content.907": "Green",
			"content.909": "maybe"} {
			if got := bad.Find(fmt.Sprintf("[name=%q] [selected]", name)).AttrOr("value", ""); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		good := bad.Submit("Save", "content.901", "fine", "content.903", "7.5", "content.904-day", "30", "content.905", "PT",
			"content.906", "pt",
			"content.907", "Blue", "content.908", "Red", "content.908", "Blue", "content.909", "yes", "content.910",
			"250.00 EUR")
		text := packed(good.Text("main"))
		for _, want := range []string{"Saved at", "Plain fine", "Long two lines", "Figure 7.5", "Some of Red, Blue",
			"Dormitory Yes",
			"Free north, south", "Funds"} {
			if !strings.Contains(text, packed(want)) {
				t.Errorf("%q is not in %s", want, text)
			}
		}
		staff.Open(path+"visa/edit").Submit("Save", "content.required", "no", "content.type", "STU")
		staff.Open(path+"visa/edit").Submit("Save", "content.required", "yes")
		for address, want := range map[string][]string{
			"/admin/applications/11/history": {"Plain: Not stated → fine", "Where: Not stated → Portugal",
				"Dormitory: Not stated → Yes", "Some of: Not stated → Red, Blue", "When: Not stated → 30 June 2026",
				"Visa required: No → Yes", "Type of visa: Not stated → Student visa"},
			path + "changes": {"Plain Not statedfine", "Where Not statedPortugal", "Dormitory Not statedYes",
				"Visa required Not statedYes", "Type of visa Not statedStudent visa"}} {
			text := staff.Open(address).Text("main")
			for _, line := range want {
				if !strings.Contains(text, line) {
					t.Errorf("%s does not say %q: %s", address, line, text)
				}
			}
			if strings.Contains(text, `"text"`) || strings.Contains(text, "true") {
				t.Errorf("%s says what programs read: %s", address, text)
			}
		}
		done := staff.Open(path+"extras/edit").Submit("Save", "content.901", "", "content.908", "-", "content.909", "")
		if text := packed(done.Text("main")); !strings.Contains(text, "Savedat") || strings.Contains(text, "Plainfine") ||
			!strings.Contains(text, packed("Figure 7.5")) {
			t.Error(text)
		}
	})
}

// TestEditKept brings back what was typed and not saved: fields whose names sound like secrets among it.
func TestEditKept(t *testing.T) {
	t.Parallel()
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		typed := sitetest.Typed(staff.Open(path + "contact/edit").Find("main form"))
		typed.Set("content.address.postalcode", "1000-205")
		typed.Set("content.address.city", "Lisboa")
		if kept := staff.Do("POST", "/admin/draft", typed); kept.Status >= 300 {
			t.Fatal(kept.Status)
		}
		page := staff.Open(path + "contact/edit")
		for name, want := range map[string]string{"postalcode": "1000-205", "city": "Lisboa"} {
			if got := page.Find(fmt.Sprintf(`[name="content.address.%s"]`, name)).AttrOr("value", ""); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if !strings.Contains(page.Text("main"), "Not saved yet") {
			t.Errorf("%.500s", page.Text("main"))
		}
		page.Submit("Save")
		if again := staff.Open(path + "contact/edit"); strings.Contains(again.Text("main"), "Not saved yet") {
			t.Error("what was saved is still kept")
		}
	})
}

// TestEditGone saves an entry that somebody else has removed or moved meanwhile.
func TestEditGone(t *testing.T) {
	t.Parallel()
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		first, second := i.Staff(i.Administrator("Mara Lind", everything...)), i.Staff(i.Administrator("Kofi Haugen",
			everything...))
		moved, gone := second.Open(path+"education/rows/2"), second.Open(path+"education/rows/1")
		list := first.Open(path + "education")
		up := list.Find(`form[action$="/rows/2/up"]`)
		first.Post(up.AttrOr("action", ""), sitetest.Typed(up))
		if done := moved.Submit("Save", "content.city", "Minho"); !strings.Contains(done.Text("main"), "Saved at") {
			t.Errorf("%.500s", done.Text("main"))
		}
		if text := packed(first.Open(path + "education").Text("main .card")); strings.Index(text,
			"Minho") > strings.Index(text, "Porto") {
			t.Error("another entry was changed than the one that was shown", text)
		}
		first.Open(path + "education/rows/2/remove").Submit("Remove")
		asked := gone.Submit("Save", "content.city", "Gaia")
		if text := asked.Text("main"); strings.Contains(text, "Braga") || !strings.Contains(text, "removed or replaced") ||
			asked.Find(`[name="content.city"]`).AttrOr("value", "") != "Gaia" {
			t.Errorf("%.500s", text)
		}
		if got := strings.Join(titles(first.Open(path+"education")), ", "); got != "Braga" {
			t.Error(got)
		}
		if done := asked.Submit("Save"); !strings.Contains(done.Text("main"), "Saved at") {
			t.Errorf("%.500s", done.Text("main"))
		}
		if got := strings.Join(titles(first.Open(path+"education")), ", "); got != "Braga, Porto" {
			t.Error(got)
		}
		stale := second.Open(path + "education/rows/1/remove")
		first.Open(path + "education/rows/1/remove").Submit("Remove")
		stale.Submit("Remove")
		if got := strings.Join(titles(first.Open(path+"education")), ", "); got != "Porto" {
			t.Error("another entry was removed than the one that was shown", got)
		}
	})
}

// leave types into the form of a page, as scripts keep it, and goes away.
func leave(staff *sitetest.Visitor, path string, fields ...string) {
	typed := sitetest.Typed(staff.Open(path).Find("main form").First())
	for n := 0; n < len(fields); n += 2 {
		typed.Set(fields[n], fields[n+1])
	}
	staff.Do("POST", "/admin/draft", typed)
}

// TestKeptSince shows what a colleague has saved since somebody typed something that was kept: both values, who and
// when. The kept one can be thrown away on every page (screens.md U8, U10).
func TestKeptSince(t *testing.T) {
	t.Parallel()
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		first, second := i.Staff(i.Administrator("Mara Lind", everything...)), i.Staff(i.Administrator("Kofi Haugen",
			everything...))
		offer := fmt.Sprintf("/admin/offers/%d", d.Number("SELECT id FROM offer"))
		for _, c := range []struct {
			path, field, mine, theirs string
			other                     []string // a field that only the colleague changes, with its value
		}{
			{path + "contact/edit", "content.address.city", "Lisboa", "Porto", []string{"content.address.street", "Rua Nova"}},
			{path + "education/rows/1", "content.city", "Maia", "Gaia", []string{"content.course", "Letras"}},
			{offer, "subject", "Mine", "Theirs", []string{"letter", "Dear Ana"}},
		} {
			leave(first, c.path, c.field, c.mine)
			second.Open(c.path).Submit("Save", c.field, c.theirs, c.other[0], c.other[1])
			page := first.Open(c.path)
			text := page.Text("main")
			for _, want := range []string{"is not saved. Kofi Haugen saved other values since", "Yours: " + c.mine,
				"Saved meanwhile: " + c.theirs, "Saved meanwhile: " + c.other[1], "Discard what I typed"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: %q is not in %.300s", c.path, want, text)
				}
			}
			if page.Status != 200 || strings.HasPrefix(page.Text("title"), "Error") {
				t.Errorf("%s: %d %q", c.path, page.Status, page.Text("title"))
			}
			if got := page.Find(`[name="`+c.field+`"]`).AttrOr("value", ""); got != c.mine {
				t.Errorf("%s: %q", c.path, got)
			}
			// What nobody touched is the colleague's; what was typed is saved without being asked about again.
			page.Submit("Save")
			now := sitetest.Typed(first.Open(c.path).Find("main form"))
			if now.Get(c.field) != c.mine || now.Get(c.other[0]) != c.other[1] {
				t.Errorf("%s: %q and %q are saved", c.path, now.Get(c.field), now.Get(c.other[0]))
			}
			leave(first, c.path, c.field, "Again")
			second.Open(c.path).Submit("Save", c.field, c.theirs)
			done := first.Open(c.path).Submit("Discard what I typed")
			if got := done.Find(`[name="`+c.field+`"]`).AttrOr("value", ""); got != c.theirs {
				t.Errorf("%s: %q after discarding, %.500s", c.path, got, done.Text("main"))
			}
			if text := first.Open(c.path).Text("main"); strings.Contains(text, "not saved") {
				t.Errorf("%s: %.500s", c.path, text)
			}
		}
		reopen := "/admin/applications/11/reopen"
		leave(first, reopen, "text", "Your diploma, please")
		second.Open("/admin/applications/11/silence").Submit("Stop reminders")
		page := first.Open(reopen)
		if text := page.Text("main"); !strings.Contains(text, "is not saved. Kofi Haugen changed this since") {
			t.Errorf("%.900s", text)
		}
		done := page.Submit("Discard what I typed")
		if typed := sitetest.Typed(done.Find("main form")); typed.Get("text") == "Your diploma, please" {
			t.Error(typed.Encode())
		}
	})
}
