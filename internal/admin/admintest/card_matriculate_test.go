package admintest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// numbered sets the format of matriculation numbers.
func numbered(i *sitetest.Instance, format string) {
	i.Staff(i.Superuser("Ada Boss")).Open("/admin/settings/numbers").Submit("Save", "matriculation.format", format)
}

// TestMatriculate gives an applicant the next number, another one with a reason, one that somebody else has, and one
// with a letter, on both engines.
func TestMatriculate(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		ask := func() *sitetest.Page { return staff.Open(path + "/matriculate") }
		if p := ask(); p.Find("#f-number").Length() != 0 || p.Find("main .notice").Length() != 1 {
			t.Errorf("matriculated before anything was accepted: %s", p.Text("main"))
		}
		i.Put(fmt.Sprintf("UPDATE offer SET decision = 'Final', decided = 1 WHERE id = %d", offer))
		if p := ask().Submit("Matriculate"); p.Status != 422 || len(p.Errors()) != 1 {
			t.Errorf("no number and no format: %d %q", p.Status, p.Errors())
		}
		numbered(i, "%yearShort%-%incYearly:5%")
		if p := ask(); !strings.Contains(p.Text("main"), "26-00001") || p.Find("#f-reason").Length() != 0 {
			t.Error(p.Text("main"))
		}
		for _, typed := range []string{"two words", "<script>", strings.Repeat("7", 65), "٣", "a\u202eb"} {
			if p := ask().Submit("Matriculate", "number", typed); p.Status != 422 ||
				p.Find("#f-number").AttrOr("value", "") == "" {
				t.Errorf("%q: %d", typed, p.Status)
			} else if strings.Contains(p.Text("main"), "[A-Z") {
				t.Errorf("%q: a pattern is shown to people: %s", typed, p.Text("main"))
			}
		}
		number := func() string { return d.Lines("SELECT matriculation FROM applicant WHERE id = 1") }
		done := ask().Submit("Matriculate")
		if number() != "26-00001" || !strings.Contains(done.Text("main"), "26-00001") ||
			done.Path != "/admin/applications/11" {
			t.Errorf("%q %s %s", number(), done.Path, done.Text("main"))
		}
		if p := ask().Submit("Matriculate"); p.Status != 422 || number() != "26-00001" {
			t.Errorf("replaced without a reason: %d %q", p.Status, p.Errors())
		}
		ask().Submit("Matriculate", "reason", "Typed wrong")
		if number() != "26-00002" {
			t.Error(number())
		}
		i.Put("UPDATE applicant SET matriculation = 'M-17' WHERE id = 2")
		also := ask().Submit("Matriculate", "number", "M-17", "reason", "As before")
		if number() != "26-00002" || !strings.Contains(also.Text("main"), "Applicant 2 has the number M-17, too") {
			t.Errorf("%s: %s", number(), also.Text("main"))
		}
		also.Submit("Matriculate")
		if number() != "M-17" {
			t.Error(number())
		}
		mails := d.Count("outbox")
		letter := ask().Submit("Matriculate", "number", "M-18", "reason", "x", "type", typeID(d, accepted))
		if d.Count("outbox") != mails || number() != "M-17" || !strings.Contains(letter.Text("main"), "ann@example.org") {
			t.Errorf("%d mails, %s: %s", d.Count("outbox")-mails, number(), letter.Text("main"))
		}
		letter.Submit("Matriculate and send letter")
		if d.Count("outbox") != mails+1 || number() != "M-18" ||
			d.Number("SELECT count(*) FROM offer WHERE confirmed IS NOT NULL") != 1 {
			t.Errorf("%d mails, %s", d.Count("outbox")-mails, number())
		}
		history := staff.Open("/admin/applicants/1/history").Text("main")
		for _, want := range []string{"Typed wrong", "As before", "26-00002"} {
			if !strings.Contains(history, want) {
				t.Errorf("%q is not in the history: %s", want, history)
			}
		}
		for _, page := range []string{path, "/admin/applications/11/courses", "/admin/applicants/1"} {
			if staff.Open(page).Find(`a[href="`+path+`/matriculate"]`).Length() != 1 {
				t.Errorf("%s does not lead there", page)
			}
		}
		other := i.Staff(i.Administrator("Kofi Haugen", admitto.OffersView, admitto.ApplicationsView))
		if p := other.Open(path + "/matriculate"); p.Status != 403 {
			t.Errorf("without the permission: %d", p.Status)
		}
	})
}

// TestMatriculateByTwo gives a number where somebody else has just given one: the second one reads who it was and
// which, and replaces it only with a reason.
func TestMatriculateByTwo(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		i.Put(fmt.Sprintf("UPDATE offer SET decision = 'Final', decided = 1 WHERE id = %d", offer))
		numbered(i, "%inc:3%")
		number := func() string { return d.Lines("SELECT matriculation FROM applicant WHERE id = 1") }
		mara := i.Staff(i.Administrator("Mara Lind", everything...))
		ida := i.Staff(i.Administrator("Ida Late", everything...))
		late := mara.Open(path + "/matriculate")
		ida.Open(path + "/matriculate").Submit("Matriculate")
		page := late.Submit("Matriculate")
		if text := page.Text("main"); page.Status != 422 || number() != "001" || len(page.Errors()) != 0 ||
			!strings.Contains(text, "Ida Late changed this meanwhile") || !strings.Contains(text, "Number so far001") {
			t.Errorf("%d %q: %s", page.Status, page.Errors(), text)
		}
		if page = page.Submit("Matriculate"); page.Status != 422 || number() != "001" || len(page.Errors()) != 1 {
			t.Errorf("replaced without a reason: %d %q %s", page.Status, page.Errors(), number())
		}
		if page.Submit("Matriculate", "reason", "Of another year"); number() != "002" {
			t.Error(number())
		}
	})
}

// TestMatriculateTogether presses "Matriculate" for 20 applicants at once, on both engines: they get 20 numbers that
// follow each other.
func TestMatriculateTogether(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, _, offer := withOffer(d)
		numbered(i, "%inc:3%")
		const n = 20
		for id := 100; id < 100+n; id++ {
			i.Put(fmt.Sprintf("INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (%d, 'live', FALSE, 1, 'p%[1]d@example.org', 'p%[1]d@example.org')", id),
				fmt.Sprintf("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) SELECT %d, %[1]d, academic_term_id, 'Submitted', 1, 1 FROM application WHERE id = 11", id),
				fmt.Sprintf("INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id, decision) SELECT %d, %[1]d, %[1]d, "+
					"course_id, institution_id, 1, 1, type_id, 'Final' FROM offer WHERE id = %d", id, offer))
		}
		staff := i.Administrator("Mara Lind", everything...)
		var all sync.WaitGroup
		for id := 100; id < 100+n; id++ {
			page := i.Staff(staff).Open(fmt.Sprintf("/admin/offers/%d/matriculate", id))
			all.Go(func() { page.Submit("Matriculate") })
		}
		all.Wait()
		got := strings.Fields(d.Lines("SELECT matriculation FROM applicant WHERE id >= 100 ORDER BY matriculation"))
		var want []string
		for k := range n {
			want = append(want, fmt.Sprintf("%03d", k+1))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	})
}
