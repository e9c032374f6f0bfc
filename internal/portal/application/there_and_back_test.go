package application_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// begun is an applicant of Portugal with a complete application for the first of the courses of prepare, which nothing
// but they keeps from being submitted.
func begun(d *servicestest.Desk, i *sitetest.Instance) (applicant int64, own *sitetest.Visitor) {
	d.T.Helper()
	d.Put("UPDATE task_template SET active = FALSE", "UPDATE fee SET automatic = 'none'",
		"UPDATE consent SET type = 'Voluntary'")
	applicant, token := i.Registered("ilse@example.org")
	d.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", applicant))
	landing := i.Visitor().Open("/sign-in/link/" + token)
	landing.Submit(landing.Text("form button"))
	own = i.Applicant(applicant)
	own.Open("/my/apply/71/71").Submit("Add to my application")
	form := fmt.Sprintf("/my/applications/%d/form/", d.Number("SELECT max(id) FROM application"))
	for _, s := range []struct {
		section, button string
		fields          []string
	}{
		{"profile", "Save", []string{"content.birth.date-day", "3", "content.birth.date-month", "5",
			"content.birth.date-year", "2008", "content.birth.country", "PT"}},
		{"contact", "Save", []string{"content.address.street", "1 Rua", "content.address.city", "Porto",
			"content.address.country", "PT", "content.telephone.mobile", "+351 910 000 000"}},
		{"education/rows/new", "Save this entry", []string{"content.level", "SE", "content.institution", "Escola",
			"content.country", "PT", "content.enrolment-month", "9", "content.enrolment-year", "2023"}},
		{"motivation", "Save", []string{"content.general", "I like numbers."}},
	} {
		page := own.Open(form+s.section).Submit(s.button, s.fields...)
		if !strings.Contains(page.Text(".notice"), "Saved at") {
			d.T.Fatal(page.Path, page.Errors(), page.Text("main"))
		}
	}
	return applicant, own
}

// TestThereAndBackInBrowser is screens.md J5 as its applicant goes it, by keyboard: discarded and taken back,
// submitted, withdrawn and taken back, reopened by admissions and frozen, of which what is frozen cannot be changed,
// submitted again with a further course, closed and opened again.
func TestThereAndBackInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		prepare(i)
		applicant, own := begun(d, i)
		id := d.Number("SELECT max(id) FROM application")
		tab := uitest.Open(t, i).Phone(t, uitest.Page{Name: "there-and-back", Path: "/my",
			Cookie: i.Cookie(accounts.Portal, applicant)})
		h := &hands{Tab: tab, t: t, i: i, application: id}
		is := func(status admitto.ApplicationStatus, words ...string) {
			t.Helper()
			h.Open(h.own(""))
			text := h.Text("main")
			if got := d.Status(id); got != string(status) {
				t.Fatalf("%s instead of %s: %s", got, status, text)
			}
			for _, word := range words {
				if !strings.Contains(text, word) {
					t.Errorf("no %q in %s", word, text)
				}
			}
		}
		const undo = "main form[action$='/undo'] button"
		leave := func() {
			t.Helper()
			h.Open(h.own("/withdraw"))
			h.press("main form.confirm button")
			h.Find(undo)
		}
		back := func(says string) {
			t.Helper()
			h.press(undo)
			h.Wait("main .notice.ok", says)
		}
		submit := func(receipt int) {
			t.Helper()
			h.Open(h.own("/check"))
			h.fields("declared-0!yes")
			h.press("main form .btn.primary")
			h.At(h.own(fmt.Sprintf("/receipts/%d", receipt)))
		}

		leave()
		is(admitto.Closed, "Discarded on 1 May 2031", "Start again")
		back("The application is open again. Everything is as it was before.")
		is(admitto.Draft)
		submit(1)
		leave()
		is(admitto.Withdrawn, "Withdrawn on 1 May 2031", "Contact us")
		back("Everything is as it was before.")
		is(admitto.Submitted, "Submitted on 1 May 2031")

		staff, lifecycle := servicestest.Staff(), i.Services.Admissions
		d.Must(lifecycle.Freeze(t.Context(), staff, id))
		d.Must(lifecycle.ReopenApplication(t.Context(), staff, id, admissions.Reopening{Text: "Add Chemistry, please."}))
		is(admitto.Reopened, "Open again for changes", "Add Chemistry, please.")
		h.Open(h.own("/form/motivation"))
		if text := h.Text("main"); !strings.Contains(text, "fixed") || h.Count("main textarea[readonly]") != 1 {
			t.Error("what is frozen can be written: ", text)
		}
		h.Open(h.own("/courses"))
		if h.Count("main a[href$='/71/remove'], main form[action*='/71/']") != 0 {
			t.Error("a frozen course can be removed or moved: ", h.Text("main"))
		}
		page := own.Post(h.own("/form/motivation"), sitetest.TypedWith(own.Open(h.own("/form/motivation")),
			"content.general", "Another text."))
		if n := d.Number("SELECT count(*) FROM application_content WHERE application_id = $1 AND content LIKE '%I like numbers.%'",
			id); n != 1 {
			t.Error("what is frozen was changed: ", page.Text("main"))
		}
		h.Open("/my/apply/72/71")
		h.press("main form .btn.primary")
		h.Find("main .notice.ok")
		submit(2)
		is(admitto.Submitted, "2. Chemistry")
		if n := d.Number("SELECT count(*) FROM offer WHERE application_id = $1 AND course_id IN (71, 72)", id); n != 2 {
			t.Errorf("%d offers", n)
		}

		d.Must(lifecycle.CloseApplication(t.Context(), staff, id, false))
		is(admitto.Closed, "Closed on 1 May 2031", "Contact us", "See other courses")
		if h.Count(undo) != 0 {
			t.Error("the applicant can undo what admissions closed")
		}
		d.Must(lifecycle.UndoClosing(t.Context(), staff, id, "It was the other one"))
		is(admitto.Submitted)
	})
}
