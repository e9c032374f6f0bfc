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

// withOffer is an instance with an application that was submitted: application 11 with an offer for course 55.
func withOffer(d *servicestest.Desk) (i *sitetest.Instance, path string, offer int64) {
	i = sitetest.On(d)
	d.AtWork()
	d.Submit(servicestest.Staff(), "Came by post", "")
	offer = d.Number("SELECT id FROM offer WHERE application_id = 11 ORDER BY priority LIMIT 1")
	return i, fmt.Sprintf("/admin/offers/%d", offer), offer
}

const accepted = "Accepted"

func typeID(d *servicestest.Desk, title string) string {
	return fmt.Sprint(d.Number("SELECT id FROM offer_type WHERE title = '" + title + "'"))
}

// TestOfferEditor saves, previews, confirms and sends again, on both engines. Saving is not sending: the applicant sees
// nothing of it. The preview is the mail, byte for byte.
func TestOfferEditor(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open(path)
		if page.Status != 200 || page.Find("button[name=confirm]").Length() != 0 ||
			!strings.Contains(page.Text("main"), "no type that could be confirmed") {
			t.Errorf("an initial type can be confirmed: %d %s", page.Status, page.Text("main"))
		}
		if typed := page.Submit("Preview", "type", typeID(d, accepted)); typed.Find("button[name=confirm]").Length() != 1 ||
			strings.Contains(typed.Text("main"), "no type that could be confirmed") {
			t.Errorf("a type that is previewed cannot be confirmed: %s", typed.Text("main"))
		}
		mails := d.Count("outbox")
		letter := "Dear %applicant-Name%,\n\nyou have a *place* in %course-FullName%, <b>&amp;\n\n* one\n* two\n\nAnswer at \"the portal\":%offer-Link% by %offer-DecisionDeadline%."
		saved := page.Submit("Save", "type", typeID(d, accepted), "subject", "About %course-FullName%", "letter", letter,
			"policy", "Required")
		if !strings.Contains(saved.Text(".notice.ok"), "The applicant sees nothing yet") || d.Count("outbox") != mails {
			t.Errorf("%d %q %s", saved.Status, saved.Errors(), saved.Text("main"))
		}
		if n := d.Number("SELECT count(*) FROM offer WHERE confirmed IS NOT NULL OR type_confirmed_id IS NOT NULL"); n != 0 {
			t.Errorf("%d offers are confirmed by saving", n)
		}
		unknown := saved.Submit("Preview", "letter", letter+" %offer-Deadlin%")
		if got := unknown.Text("#preview mark"); got != "%offer-Deadlin%" ||
			unknown.Text("#f-letter") != strings.Join(strings.Fields(letter), " ")+" %offer-Deadlin%" {
			t.Errorf("%q %s", got, unknown.Text("main"))
		}
		refused := saved.Submit("Confirm and send letter", "letter", letter+" %offer-Deadlin%")
		if refused.Status != 422 || len(refused.Errors()) != 1 || !strings.Contains(refused.Errors()[0], "%offer-Deadlin%") {
			t.Errorf("%d %q", refused.Status, refused.Errors())
		}
		ask := refused.Submit("Confirm and send letter", "letter", letter)
		if ask.Path != path+"/confirm" || !strings.Contains(ask.Text("form.confirm"), "ann@example.org") {
			t.Fatalf("%d %s %q %s", ask.Status, ask.Path, ask.Errors(), ask.Text("main"))
		}
		plain := staff.Open(path).Find("#preview details p.pre").Text()
		shown := staff.Open(path).Text("#preview .letter > p, #preview .letter > ul")
		done := ask.Submit("Confirm and send letter")
		if !strings.Contains(done.Text(".notice.ok"), "is on its way") || done.Path != path {
			t.Errorf("%d %q %s", done.Status, done.Errors(), done.Text("main"))
		}
		ask.Submit("Confirm and send letter") // pressed twice
		if d.Count("outbox") != mails+1 {
			t.Errorf("%d letters", d.Count("outbox")-mails)
		}
		d.Deliver()
		taken := d.Post.Taken()
		if last := taken[len(taken)-1]; last.Text != plain || plain == "" {
			t.Errorf("the preview has\n%q, the mail\n%q", plain, last.Text)
		}
		if want := "Dear Ann Lee,you have a place in Energy, <b>&amp;onetwoAnswer at the portal by 23 March 2026."; shown != want {
			t.Errorf("%q", shown)
		}
		after := staff.Open(path)
		if after.Find("#preview .notice.info").Length() != 1 ||
			!strings.Contains(after.Text("main"), "Accepted · 9 March 2026, 09:00 (UTC) · Sent") {
			t.Errorf("%s", after.Text("main"))
		}
		again := after.Find(`a[href="` + path + `/send-again"]`)
		if again.Length() != 1 {
			t.Error("the letter cannot be sent again")
		}
		staff.Open(path + "/send-again").Submit("Send the letter again")
		if n := d.Deliver(); n != 1 {
			t.Errorf("%d letters again", n)
		}
		journal := d.Journal()
		for _, want := range []admitto.Pattern{admitto.OfferEdited, admitto.OfferConfirmed, admitto.OfferLetterSentAgain} {
			if !slices.ContainsFunc(journal, func(r admitto.Record) bool {
				return r.Pattern == want &&
					r.Links.Offer == offer
			}) {
				t.Errorf("%s is not in the journal", want)
			}
		}
		if note := after.Find(`a[href="` + path + `/notes"]`); note.Length() != 1 {
			t.Error("no note can be added")
		}
		if noted := staff.Open(path+"/notes").Submit("Add note", "text",
			"Ask the <dean>"); noted.Find(`a[href^="/admin/applications/11/notes/"]`).Length() != 1 ||
			!strings.Contains(noted.Text("main"), "Ask the <dean>") {
			t.Error(noted.Text("main"))
		}
	})
}

// TestOfferConflict lets two people save the same offer, on both engines: the second one sees who saved what, and
// chooses.
func TestOfferConflict(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		mara, kofi := i.Staff(i.Administrator("Mara Lind", everything...)), i.Staff(i.Administrator("Kofi Haugen",
			everything...))
		mine := mara.Open(path)
		kofi.Open(path).Submit("Save", "type", typeID(d, accepted), "subject", "Theirs", "letter", "The same")
		conflict := mine.Submit("Save", "subject", "Mine", "letter", "The same")
		text := conflict.Text("main")
		if conflict.Status != 422 || !strings.Contains(text, "Kofi Haugen") || !strings.Contains(text, "Theirs") ||
			!strings.Contains(text, "Yours: Unreplied") || !strings.Contains(text, "Saved meanwhile: "+accepted) ||
			conflict.Find("[name='keep.letter']").Length() != 0 {
			t.Fatalf("%d %s", conflict.Status, text)
		}
		conflict.Submit("Save", "keep.subject", "mine", "keep.type", "theirs", "keep.policy", "theirs")
		if n := d.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE id = %d AND subject = 'Mine' AND comments = 'The same' AND type_id = %s",
			offer, typeID(d, accepted))); n != 1 {
			t.Error(mara.Open(path).Text("main"))
		}

		// Who changed another field is asked about that of the colleague alone, and sees what it is now.
		mine = mara.Open(path)
		kofi.Open(path).Submit("Save", "subject", "Newer")
		conflict = mine.Submit("Save", "letter", "Changed")
		if subject := conflict.Find("[name=subject]").AttrOr("value", ""); conflict.Status != 422 || subject != "Newer" ||
			conflict.Find("[name='keep.subject']").Length() != 2 || conflict.Find("[name='keep.letter']").Length() != 0 {
			t.Fatalf("%d %q %s", conflict.Status, subject, conflict.Text("main"))
		}
		conflict.Submit("Save", "subject", "Typed over it")
		if n := d.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE id = %d AND subject = 'Typed over it' AND comments = 'Changed'",
			offer)); n != 1 {
			t.Error(mara.Open(path).Text("main"))
		}
	})
}

// TestOfferAttachments puts files on a letter and takes them off, and makes a PDF of it, on both engines.
func TestOfferAttachments(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, _ := withOffer(d)
		i.Keep()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open(path).Submit("Save", "type", typeID(d, accepted), "subject", "S", "letter", "Text of the letter")
		page = page.Submit("Attach letter as PDF", "subject", "Kept")
		if page.Find("[name=subject]").AttrOr("value", "") != "Kept" || !strings.Contains(page.Text(".files"), ".pdf") {
			t.Errorf("%d %q %s", page.Status, page.Errors(), page.Text("main"))
		}
		file := staff.Open(fmt.Sprintf("%s/files/%d", path, d.Number("SELECT max(id) FROM offer_attachment")))
		if file.Header.Get("Content-Type") != "application/pdf" {
			t.Error(file.Status, file.Header)
		}
		page = page.SubmitFile("file", "a \"b\".txt", "House rules", "attach", "yes", "subject", "With rules")
		if d.Lines("SELECT name FROM offer_attachment") != "a \"b\".txt" || // the PDF has not the new subject
			page.Find("[name=subject]").AttrOr("value", "") != "With rules" ||
			!strings.Contains(page.Text("main"), "The PDF of the letter was taken off") {
			t.Errorf("%d %q %s", page.Status, page.Errors(), page.Text(".files"))
		}
		page.SubmitFile("file", "c.txt", "Ways here", "attach", "yes")
		page = staff.Open(path)
		order := func() string { return d.Lines("SELECT substr(name, 1, 1) FROM offer_attachment ORDER BY place, id") }
		if page.Find("button[name=file-up]").Length() != 1 || page.Find("button[name=file-down]").Length() != 1 {
			t.Errorf("the buttons that move: %s", page.Text(".files"))
		}
		moved := staff.Open(path).Submit("Save", "file-up", fmt.Sprint(d.Number("SELECT max(id) FROM offer_attachment")),
			"subject", "Moved")
		if order() != "c a" || !strings.HasPrefix(moved.Text(".files"), "c.txt") ||
			moved.Find("[name=subject]").AttrOr("value", "") != "Moved" {
			t.Errorf("%q %q: %s", order(), moved.Errors(), moved.Text(".files"))
		}
		staff.Open(path).Submit("Save", "file-up", fmt.Sprint(d.Number(
			"SELECT max(id) FROM offer_attachment"))) // the first one
		staff.Open(path).Submit("Save", "file-down", "999999")
		if order() != "c a" {
			t.Error(order())
		}
		staff.Open(path).Submit("Remove c.txt")
		rules := staff.Open(staff.Open(path).Find(".files a").AttrOr("href", ""))
		if rules.Body != "House rules" || !strings.HasPrefix(rules.Header.Get("Content-Disposition"), "attachment") {
			t.Error(rules.Status, rules.Header)
		}
		bad := staff.Open(path).SubmitFile("file", "letter.pdf", "<html><script>alert(1)</script></html>", "attach", "yes",
			"letter", "Not lost")
		if bad.Status != 422 || len(bad.Errors()) != 1 || bad.Text("#f-letter") != "Not lost" ||
			bad.Find(".errors a").AttrOr("href", "") != "#f-file" || d.Count("offer_attachment") != 1 ||
			d.Number("SELECT count(*) FROM offer WHERE comments = 'Not lost'") != 0 {
			t.Errorf("%d %q %s", bad.Status, bad.Errors(), bad.Find(".errors a").AttrOr("href", ""))
		}
		page = staff.Open(path).Submit("Attach letter as PDF")
		page.Submit("Remove Letter-2.pdf")
		page.Submit("Remove Letter-2.pdf") // somebody was quicker
		if n := d.Count("offer_attachment"); n != 1 {
			t.Errorf("%d attachments: %q", n, page.Errors())
		}
		d.Deliver()
		mails := len(d.Post.Taken())
		staff.Open(path + "/confirm").Submit("Confirm and send letter")
		d.Deliver()
		if taken := d.Post.Taken(); len(taken) != mails+1 || len(taken[mails].Attachments) != 1 {
			t.Errorf("%d mails", len(taken)-mails)
		}
		journal := d.Journal()
		for _, want := range []admitto.Pattern{admitto.OfferAttachmentAdded, admitto.OfferAttachmentRemoved,
			admitto.OfferLetterGenerated} {
			if !slices.ContainsFunc(journal, func(r admitto.Record) bool {
				return r.Pattern == want &&
					r.Links.Application == 11
			}) {
				t.Errorf("%s is not in the journal", want)
			}
		}
		d.Chained()
	})
}

// TestOfferRights opens the editor with some of its permissions.
func TestOfferRights(t *testing.T) {
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, _ := withOffer(d)
		boss := i.Staff(i.Administrator("Mara Lind", everything...))
		boss.Open(path).Submit("Save", "type", typeID(d, accepted), "subject", "S", "letter", "L")
		reader := i.Staff(i.Administrator("Ida Reader", admitto.OffersView))
		if p := reader.Open(path); p.Status != 200 || p.Find("main form").Length() != 0 || p.Find("#preview").Length() != 1 {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
		editor := i.Staff(i.Administrator("Ida Editor", admitto.OffersView, admitto.OffersEdit))
		if p := editor.Open(path); p.Find("button[name=confirm]").Length() != 0 || p.Find("button[name=save]").Length() != 1 {
			t.Error(p.Text("main"))
		}
		if p := editor.Open(path + "/confirm"); p.Status != 403 {
			t.Errorf("confirmed without the permission: %d", p.Status)
		}
		if p := i.Staff(i.Administrator("Ida Viewer", admitto.ApplicationsView)).Open(path); p.Status != 403 {
			t.Errorf("%d", p.Status)
		}
		for _, missing := range []string{"/admin/offers/999999", "/admin/offers/0", "/admin/offers/x"} {
			if p := boss.Open(missing); p.Status != 404 {
				t.Errorf("%s: %d", missing, p.Status)
			}
		}
	})
}

// TestOwnReason types a reason without choosing "Own words", and next to another one: it is never dropped. A day for
// the answer that is over is said before the letter leaves.
func TestOwnReason(t *testing.T) {
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		reason := func() string { return d.Lines(fmt.Sprintf("SELECT reason FROM offer WHERE id = %d", offer)) }
		page := staff.Open(path).Submit("Save", "type", typeID(d, accepted), "subject", "S", "letter", "L",
			"own", "Best of all", "policy", "Required", "deadline-day", "1", "deadline-month", "3", "deadline-year", "2026")
		if reason() != "Best of all" || page.Find("#f-reason option[selected]").AttrOr("value", "") != "own" {
			t.Errorf("%q %q", reason(), page.Errors())
		}
		if p := staff.Open(path).Submit("Save", "reason", ""); reason() != "" {
			t.Errorf("it cannot be taken away: %q %q", reason(), p.Errors())
		}
		d.Write("INSERT INTO offer_reason (offer_type_id, reason) VALUES (" + typeID(d, accepted) + ", 'Marks')")
		listed := staff.Open(path).Find(`#f-reason option[value^="r"]`).First().AttrOr("value", "")
		if p := staff.Open(path).Submit("Save", "reason", listed, "own", "Mine"); p.Status != 422 ||
			!strings.Contains(p.Text("main"), "Own words") || reason() != "" {
			t.Errorf("%d %q %q", p.Status, p.Errors(), reason())
		}
		for _, at := range []string{path, path + "/confirm"} {
			if text := staff.Open(at).Text("main"); !strings.Contains(text, "1 March 2026 is over") {
				t.Errorf("%s: %s", at, text)
			}
		}
		mails, ask := d.Count("outbox"), staff.Open(path+"/confirm")
		if n := ask.Find("form.confirm").Length(); n != 0 || ask.Find(`a[href$="#f-deadline-day"]`).Length() != 1 {
			t.Errorf("a letter that cannot be answered is offered: %s", ask.Text("main"))
		}
		if p := staff.Open(path).Submit("Confirm and send letter"); p.Status != 422 ||
			!strings.Contains(strings.Join(p.Errors(), " "), "Choose a later day for the answer") {
			t.Errorf("%d %q", p.Status, p.Errors())
		}
		next := []string{"deadline-day", "11", "deadline-month", "3", "deadline-year", "2026"}
		ask = staff.Open(path).Submit("Confirm and send letter", append(next, "own", "Best of all")...)
		d.Clock.Add(3 * admitto.Day)
		staff = i.Staff(i.Administrator("Ida Late", everything...))
		if p := staff.Open(ask.Path); p.Find("form.confirm").Length() != 0 || d.Count("outbox") != mails {
			t.Errorf("it leaves when the day is over: %s", p.Text("main"))
		}
	})
}

// TestConfirmTwice presses the button of one page ten times at once: one letter leaves.
func TestConfirmTwice(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, _ := withOffer(d)
		account := i.Administrator("Mara Lind", everything...)
		staff := i.Staff(account)
		staff.Open(path).Submit("Save", "type", typeID(d, accepted), "subject", "S", "letter", "L")
		mails := d.Count("outbox")
		var all sync.WaitGroup
		for range 10 {
			page := i.Staff(account).Open(path + "/confirm")
			all.Go(func() { page.Submit("Confirm and send letter") })
		}
		all.Wait()
		if n := d.Count("outbox") - mails; n != 1 {
			t.Errorf("%d letters", n)
		}
	})
}

// TestOverlooked says what staff are likely to overlook in a letter before it leaves.
func TestOverlooked(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		i.Keep()
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		failed := typeID(d, "Failed")
		d.Write("INSERT INTO offer_reason (id, offer_type_id, reason) VALUES (901, "+failed+", 'Marks')",
			"UPDATE offer_type SET subject = 'You have failed', comments = 'Sorry', decide = TRUE WHERE id = "+failed,
			"UPDATE offer_type SET subject = 'You are in', comments = 'Hello', decide = TRUE WHERE title = '"+accepted+"'")
		// A percent sign that was meant for a marker is none of the letter's words.
		page := staff.Open(path).Submit("Save", "type", typeID(d, accepted))
		page = page.Submit("Confirm and send letter", "letter", "Dear %Name%")
		if page.Status != 422 || !strings.Contains(strings.Join(page.Errors(), " "), "There is no marker %Name%") {
			t.Errorf("%d %q", page.Status, page.Errors())
		}
		// A reason of another type, and none where the type has some.
		page = staff.Open(path).Submit("Save", "type", typeID(d, accepted), "letter", "Hello", "reason", "r901")
		if page.Status != 422 || !strings.Contains(strings.Join(page.Errors(), " "), "a reason of “Failed”") {
			t.Errorf("%d %q", page.Status, page.Errors())
		}
		page = staff.Open(path).Submit("Confirm and send letter", "type", failed, "letter", "Sorry, Ann")
		if page.Status != 422 || !strings.Contains(strings.Join(page.Errors(), " "), "Choose a reason of this type") {
			t.Errorf("%d %q", page.Status, page.Errors())
		}
		// The letter is staff's own, and so its subject stays when the type changes.
		staff.Open(path).Submit("Save", "type", failed, "subject", "You have failed", "letter", "Words of my own",
			"reason", "r901")
		page = staff.Open(path).Submit("Save", "type", typeID(d, accepted))
		if !strings.Contains(page.Text("main"), "The reason went with the former type.") ||
			d.Lines(fmt.Sprintf("SELECT reason FROM offer WHERE id = %d", offer)) != "" {
			t.Error(page.Status, page.Errors(), page.Text("main"))
		}
		for _, at := range []string{path, path + "/confirm"} {
			if text := staff.Open(at).Text("main"); !strings.Contains(text, "The subject is that of “Failed”.") {
				t.Errorf("%s: %s", at, text)
			}
		}
		// A file of a letter that was sent stays, also when the next letter drops it.
		page = staff.Open(path).Submit("Attach letter as PDF", "subject", "You are in")
		name := page.Text(".files a")
		if text := staff.Open(path + "/confirm").Text("main"); !strings.Contains(text, "Goes with it: "+name) ||
			!strings.Contains(text, "will be asked") && !strings.Contains(text, "can answer") {
			t.Error(text)
		}
		staff.Open(path + "/confirm").Submit("Confirm and send letter")
		d.Write(fmt.Sprintf("UPDATE offer SET decision = 'Final' WHERE id = %d", offer))
		page = staff.Open(path).Submit("Save", "letter", "Other words")
		if d.Count("offer_attachment") != 0 || page.Find(".files a").Length() != 0 {
			t.Error(page.Text(".files"))
		}
		kept := page.Find("a[href*='/files/']")
		if file := staff.Open(kept.AttrOr("href", "")); kept.Text() != name || file.Header.Get("Content-Type") !=
			"application/pdf" {
			t.Error(kept.Text(), file.Status)
		}
		// Who has answered is asked again only where that is ticked.
		if text := staff.Open(path + "/confirm").Text("main"); !strings.Contains(text, "The answer stays: Final.") ||
			strings.Contains(text, "will be asked") {
			t.Error(text)
		}
	})
}
