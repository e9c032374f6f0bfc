package portal_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// offered is an applicant with letters for the courses 71 and 72 whose type asks for a binding answer.
func offered(t *testing.T, i *sitetest.Instance) (applicant int64, offers [2]int64) {
	t.Helper()
	i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
	id, own := atWork(t, i, "answers@example.org")
	want(t, own.Open("/my/apply/72/71").Submit("Add to my application"), fmt.Sprintf("/my/applications/%d", id), "")
	i.Put(fmt.Sprintf("UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = %d", id),
		"INSERT INTO offer_type (id, status, title, title_key, public_title, colour, ranking, confirm, decide, decline) VALUES (901, 'Online', 'Place', 'place-901', 'Place', '#B7E356', 'In quota', TRUE, TRUE, TRUE)")
	for n, course := range []int64{71, 72} {
		offers[n] = 901 + int64(n)
		i.Put(fmt.Sprintf("INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, confirmed, type_id, type_confirmed_id) SELECT %d, id, applicant_id, %d, 71, 71, %d, 1, 1, 901, 901 FROM application WHERE id = %d", offers[n], course, n+1, id),
			fmt.Sprintf("INSERT INTO offer_confirmation (offer_id, confirmed, type_id, subject, body, html, policy, source) VALUES (%d, 1, 901, 'Your place', 'We offer you a place.', '', 'Advisory', '')", offers[n]))
	}
	return i.Number(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", id)), offers
}

// TestTwoBrowsersAccept accepts two offers in two browsers at once: one wins, and the page of the other names it with
// its time and the way out, by which the other can be accepted after all (screens.md P17, lifecycle.md B1).
func TestTwoBrowsersAccept(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		var pages [2]*sitetest.Page
		for n, id := range offers {
			address := fmt.Sprintf("/my/offers/%d/answer/accept", id)
			pages[n] = i.Applicant(applicant).Open(address)
			want(t, pages[n], address, "Yes, accept")
		}
		var both sync.WaitGroup
		arabic := i.Applicant(applicant)
		arabic.Lang = "ar"
		var later [2]*sitetest.Page
		for n, id := range offers {
			later[n] = arabic.Open(fmt.Sprintf("/my/offers/%d/answer/accept", id))
		}
		i.Put("UPDATE offer_confirmation SET html = '<!DOCTYPE html>\n<html lang=\"en\"><body>\n<p>We offer you a place.</p>\n</body>\n</html>\n'")
		if page := arabic.Open(fmt.Sprintf("/my/offers/%d", offers[0])); page.Find("h2 [lang=en]").Text() != "Your place" {
			t.Error("the title of the letter has no language: ", page.Body)
		}
		for n := range pages {
			both.Go(func() { pages[n] = pages[n].Submit("Yes, accept") })
		}
		both.Wait()
		won, lost := 0, 1
		if pages[0].Status != http.StatusOK {
			won, lost = 1, 0
		}
		want(t, pages[won], fmt.Sprintf("/my/offers/%d", offers[won]), "You accepted")
		if next := pages[won].Text("main .kv"); !strings.Contains(next, "What comes next") {
			t.Error("after the answer nothing says what comes next: ", next)
		}
		i.Put("INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (79, 2031, 'Late', 1, '2031-09-01', '', '2033-01-31')",
			"INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) "+
				fmt.Sprintf("VALUES (979, %d, 79, 'Draft', 1, 1)", applicant))
		asked := i.Applicant(applicant).Open(fmt.Sprintf("/help?page=my-offer&id=%d", offers[won]))
		if mail := asked.Find("main a[href^='mailto:']").AttrOr("href", ""); !strings.Contains(mail, "application%201%29") {
			t.Error("the mail does not name the application of the letter: ", mail)
		}
		if crumbs := i.Applicant(applicant).Open("/my/offers/77"); crumbs.Status != http.StatusNotFound ||
			strings.Contains(crumbs.Body, "/my/applications/77") {
			t.Error("the way to an offer that is none: ", crumbs.Status, crumbs.Body)
		}
		names := [2]string{"Online Économie", "Private Économie"}
		says := fmt.Sprintf("The offer for %s, autumn 2031 was accepted on 1 May 2031, 12:00 (UTC), and that is binding for the term. "+
			"Decline it first, or contact", names[won])
		want(t, pages[lost], fmt.Sprintf("/my/offers/%d/answer/accept", offers[lost]), says)
		if pages[lost].Status != http.StatusConflict {
			t.Error("the refusal is answered with ", pages[lost].Status)
		}
		if href, _ := pages[lost].Find("main a:contains('Open the letter')").Attr("href"); href != pages[won].Path {
			t.Error("the way out leads to ", href)
		}
		const help = "main a[href^='/help?about=offer&application=']"
		if pages[lost].Find(help).Length() != 1 {
			t.Error("nobody can be asked:", pages[lost].Text("main"))
		}
		i.Put(`UPDATE course SET names = '{"ar": {"name": "علم الاقتصاد"}}'`,
			`UPDATE intake SET versions = '{"ar": {"name": "خريف 2031"}}'`)
		press, _ := later[lost].Find("main form button.primary").Attr("value")
		later[lost] = later[lost].Submit(cmp.Or(press, later[lost].Text("main form button.primary")))
		if text := later[lost].Text("main"); !strings.Contains(text, "علم الاقتصاد، خريف 2031 في 1 مايو 2031، 12:00 (UTC)") ||
			strings.Contains(text, "May") {
			t.Error("in Arabic it says:", later[lost].Status, text)
		}
		has := func(final, declined int64) {
			t.Helper()
			if n := i.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE id = %d AND decision = 'Final' OR id = %d AND decision = 'Declined'", final, declined)); n != 2 {
				t.Errorf("%d of 2 decisions", n)
			}
		}
		has(offers[won], offers[lost])
		if text := pages[lost].Text("main"); pages[lost].Find("main form button.primary").Length() != 0 ||
			strings.Contains(text, "This declines") {
			t.Error("what was refused is offered again:", text)
		}
		own, lostAt := i.Applicant(applicant), fmt.Sprintf("/my/offers/%d", offers[lost])
		want(t, own.Open("/my"), "/my", "You accepted on 1 May 2031")
		decline := fmt.Sprintf("/my/offers/%d/answer/decline", offers[won])
		want(t, own.Open(decline), decline, names[lost]+" stays declined until you answer that offer again.")
		for _, path := range []string{lostAt, lostAt + "/answer/accept"} {
			page := own.Open(path)
			want(t, page, path, fmt.Sprintf("%s, autumn 2031 was accepted on 1 May 2031, 12:00 (UTC), and that is binding",
				names[won]))
			if page.Find("main a[href$='/answer/accept'], main form button.primary").Length() != 0 ||
				strings.Contains(page.Text("main"), "If you accept") || page.Find(help).Length() != 1 ||
				page.Find("main a:contains('Open the letter')").AttrOr("href", "") != pages[won].Path {
				t.Error("before the press:", page.Text("main"))
			}
			for _, crumb := range page.Find("nav.crumbs a").EachIter() {
				href := crumb.AttrOr("href", "")
				if title := own.Open(href).Text("h1"); title != strings.TrimSpace(crumb.Text()) && href != "/my" {
					t.Errorf("%s: %q leads to %q", path, crumb.Text(), title)
				}
			}
			if page.Find("nav.crumbs a").Length() < 2 || !strings.Contains(page.Text("nav.crumbs"), "My applications") {
				t.Error(page.Text("nav.crumbs"))
			}
		}
		i.Applicant(applicant).Open(fmt.Sprintf("/my/offers/%d/answer/decline", offers[won])).Submit("Yes, decline")
		// The declined offer of the seed says until when it can be accepted again: the last day of the term.
		want(t, own.Open(fmt.Sprintf("/my/offers/%d", offers[won])), fmt.Sprintf("/my/offers/%d", offers[won]),
			"Can still be accepted until")
		want(t, own.Open(lostAt+"/answer/accept").Submit("Yes, accept"), lostAt, "You accepted")
		has(offers[lost], offers[won])
	})
}

// TestBoundByOtherApplication says before the press that an offer of a closed application of the term was accepted and
// is binding, and which offers of it accepting declines (screens.md P16, P17, lifecycle.md B1).
func TestBoundByOtherApplication(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		i.Put("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted) SELECT 990, applicant_id, academic_term_id, 'Closed', 1, 1, 1 FROM application",
			fmt.Sprintf("UPDATE offer SET application_id = 990 WHERE id = %d", offers[1]))
		own, here := i.Applicant(applicant), fmt.Sprintf("/my/offers/%d", offers[0])
		want(t, own.Open(here+"/answer/accept"), here+"/answer/accept", "This declines Private Économie")
		there := fmt.Sprintf("/my/offers/%d", offers[1])
		i.Put(fmt.Sprintf("UPDATE offer SET decision = 'Final', decided = 1 WHERE id = %d", offers[1]))
		for _, path := range []string{here, here + "/answer/accept"} {
			page := own.Open(path)
			want(t, page, path, "autumn 2031 was accepted on 1 January 1970, 00:00 (UTC), and that is binding")
			if page.Find("main a[href^='/help?about=offer&application=']").Length() != 1 ||
				!strings.Contains(page.Text("main"), "only admissions can change that") ||
				page.Find("main form button.primary, main a[href$='/answer/accept']").Length() != 0 ||
				page.Find("main a:contains('Open the letter')").AttrOr("href", "") != there {
				t.Error(page.Text("main"))
			}
		}
	})
}

// TestAnswerTold says in the mail about an answer which answer it is, also where staff have recorded it (lifecycle.md
// D1 to D3).
func TestAnswerTold(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		i.Mails()
		told := func(sentence string) {
			t.Helper()
			m := i.Mail()
			for _, form := range []string{m.Text, m.HTML} {
				if !strings.Contains(form, sentence) {
					t.Errorf("%q is not in %s", sentence, form)
				}
			}
		}
		own, address := i.Applicant(applicant), fmt.Sprintf("/my/offers/%d", offers[0])
		own.Open(address + "/answer/accept").Submit("Yes, accept")
		told("The offer is accepted.")
		own.Open(address + "/answer/decline").Submit("Yes, decline")
		told("The offer is declined.")
		application := i.Number("SELECT max(id) FROM application")
		i.Must(i.Services.Admissions.SetDecision(t.Context(), servicestest.Staff(), application, offers[0],
			admissions.DecisionChange{Decision: admitto.DecisionNone, Tell: true}))
		told("The offer is not answered.")
	})
}

// TestDeclinedForGood declines an offer whose type makes that final: no page accepts it any more, not even one that was
// opened before (screens.md P17, lifecycle.md D2).
func TestDeclinedForGood(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		i.Put("UPDATE offer_type SET strict_declined = TRUE WHERE id = 901")
		own, address := i.Applicant(applicant), fmt.Sprintf("/my/offers/%d", offers[0])
		before := own.Open(address + "/answer/accept")
		page := own.Open(address + "/answer/decline")
		want(t, page, address+"/answer/decline", "cannot")
		want(t, page.Submit("Yes, decline"), address, "You declined")
		page = own.Open(address + "/answer/accept")
		want(t, page, address, "You declined")
		if page.Find("main a[href*='/answer/']").Length() != 0 {
			t.Error("the offer can be answered again:", page.Text("main"))
		}
		page = before.Submit("Yes, accept")
		if want(t, page, address+"/answer/accept", "which is final"); page.Status == http.StatusOK ||
			!strings.Contains(strings.Join(page.Errors(), " "), "contact the admissions office") {
			t.Error(page.Status, page.Errors())
		}
		if page.Find("main a[href^='/help?about=offer&application=']").Length() != 1 {
			t.Error("nobody can be asked:", page.Text("main"))
		}
		if n := i.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE id = %d AND decision = 'Declined'", offers[0])); n != 1 {
			t.Error("the decision has changed")
		}
	})
}

// TestLetterAsPDF downloads the letter of an offer: what was sent, on the letterhead that staff had taken for it, after
// it was sent and while the offer is shown, and nothing that staff have written since (screens.md P16).
func TestLetterAsPDF(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		address := fmt.Sprintf("/my/offers/%d", offers[0])
		own := i.Applicant(applicant)
		text := func() string {
			t.Helper()
			page := own.Open(address)
			link, _ := page.Find("main a:contains('Letter as PDF')").Attr("href")
			if link != address+"/letter" {
				t.Fatalf("the page leads to %q: %s", link, page.Text("main"))
			}
			file := own.Open(link)
			if file.Status != 200 || file.Header.Get("Content-Type") != "application/pdf" ||
				file.Header.Get("Content-Disposition") != fmt.Sprintf(`attachment; filename="letter-%d.pdf"`, offers[0]) {
				t.Fatalf("%d %s", file.Status, file.Header)
			}
			return pdftest.Text(t, []byte(file.Body))
		}
		has := func(text string, want ...string) {
			t.Helper()
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("%q is missing: %s", w, text)
				}
			}
		}
		i.Put("UPDATE applicant SET given = 'Ilse', family = 'Varga'",
			"UPDATE offer_confirmation SET confirmed = 1000",
			"INSERT INTO letterhead (id, name, created, modified, head) VALUES (91, 'Old', 1, 1, 'Old Hall'), (92, 'New', 1, 1, 'New Hall')")
		has(text(), "Your place", "We offer you a place.", "Ilse Varga", "1 January 1970", "Page 1 of 1")
		i.Put(fmt.Sprintf("INSERT INTO offer_letter (id, offer_id, rendered, letterhead_id) VALUES (901, %[1]d, 900, 91), (902, %[1]d, 1001, 92)", offers[0]),
			"UPDATE offer SET subject = 'Not yet', comments = 'Not decided yet.'")
		sent := text()
		has(sent, "Old Hall", "We offer you a place.")
		if strings.Contains(sent, "Not") || strings.Contains(sent, "New Hall") {
			t.Error("what staff prepare is in it:", sent)
		}
		i.Put("UPDATE application SET status = 'Withdrawn', status_before = 'Submitted', withdrawn = 1")
		has(text(), "We offer you a place.")

		_, other := signedIn(t, i, "other@example.org")
		for _, v := range []*sitetest.Visitor{other, i.Visitor()} {
			if file := v.Open(address + "/letter"); strings.Contains(file.Body, "%PDF") || file.Status == 200 &&
				!strings.HasPrefix(file.Path, "/sign-in") && !strings.HasPrefix(file.Path, "/my/welcome") {
				t.Errorf("somebody else gets %d %s", file.Status, file.Path)
			}
		}
		i.Put(fmt.Sprintf("UPDATE offer SET confirmed = NULL, type_confirmed_id = NULL WHERE id = %d", offers[0]))
		for _, path := range []string{address, "/my/offers/0", "/my/offers/x", "/my/offers/-1",
			"/my/offers/9223372036854775808", "/my/offers/900719925474099"} {
			if file := own.Open(path + "/letter"); file.Status != 404 {
				t.Errorf("%s: %d", path, file.Status)
			}
		}
	})
}

// TestLetterFormatted shows the letter of an offer as its mail has it, with headings and bold words, and a text that is
// not of the service as text; the stored message has its heading, too (screens.md P16, P20, lifecycle.md O6).
func TestLetterFormatted(t *testing.T) {
	i := sitetest.Filled(t)
	applicant, offers := offered(t, i)
	letter, err := mail.Template{Subject: "Your place", Body: "h2. Welcome\n\nA *full* place.\n"}.Render(mail.Values{})
	i.Must(err)
	i.Put(fmt.Sprintf("UPDATE offer_confirmation SET body = '%s', html = '%s' WHERE offer_id = %d", letter.Text,
		letter.HTML, offers[0]), fmt.Sprintf("UPDATE offer_confirmation SET html = '<b>x</b>' WHERE offer_id = %d", offers[1]),
		fmt.Sprintf("INSERT INTO email (id, applicant_id, inserted, from_name, from_email, subject, message) VALUES (990, %d, 1, 'N', 'n@example.org', 'Your place', '%s')",
			applicant, letter.Text))
	own := i.Applicant(applicant)
	page := own.Open(fmt.Sprintf("/my/offers/%d", offers[0]))
	if page.Text("main .letter h3") != "Welcome" || page.Text("main .letter b") != "full" ||
		strings.Contains(page.Text("main"), "----") {
		t.Error(page.Text("main"))
	}
	page = own.Open(fmt.Sprintf("/my/offers/%d", offers[1]))
	if page.Find("main b:contains(x)").Length() != 0 || !strings.Contains(page.Text("main"), "We offer you a place.") {
		t.Error(page.Text("main"))
	}
	page = own.Open("/my/messages/990")
	if page.Text("main .prose h3") != "Welcome" || strings.Contains(page.Text("main"), "----") {
		t.Error(page.Text("main"))
	}
}

// TestUndoWithdrawalWithOffers withdraws an application with answered offers. One second before the time is over,
// undoing that brings status and decisions back as they were; when it is over, it changes nothing (screens.md P25,
// lifecycle.md T11).
func TestUndoWithdrawalWithOffers(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "undo@example.org")
		for _, course := range []int{71, 72} {
			i.Put(fmt.Sprintf("INSERT INTO offer (application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, type_id) SELECT id, applicant_id, %d, 71, 71, %d, 1, (SELECT min(id) FROM offer_type) FROM application WHERE id = %d", course, course, id))
		}
		have := func(what, status string, first, second admitto.Decision) {
			t.Helper()
			if i.Number(fmt.Sprintf("SELECT count(*) FROM application WHERE id = %d AND status = '%s'", id, status)) != 1 ||
				i.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE application_id = %d AND (course_id = 71 AND decision = '%s' OR course_id = 72 AND decision = '%s')", id, first, second)) != 2 {
				t.Errorf("%s: not %s with %s and %s", what, status, first, second)
			}
		}
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = %d", id),
			fmt.Sprintf("UPDATE offer SET confirmed = inserted, type_confirmed_id = type_id, decided = inserted, decision = 'Final' WHERE application_id = %d AND course_id = 71", id))
		have("before", "Submitted", "Final", "None")
		address := fmt.Sprintf("/my/applications/%d", id)
		page := own.Open(address + "/withdraw").Submit("Withdraw application")
		have("withdrawn", "Withdrawn", "Declined", "Declined")
		i.Clock.Add(15*admitto.Minute - admitto.Second)
		want(t, page.Submit("Undo"), address, "Everything is as it was before.")
		have("after 14:59", "Submitted", "Final", "None")
		page = own.Open(address + "/withdraw").Submit("Withdraw application")
		i.Clock.Add(15 * admitto.Minute)
		want(t, page.Submit("Undo"), address, "is over")
		have("after 15:00", "Withdrawn", "Declined", "Declined")
	})
}

// TestWhoDecided says of an answer that the applicant did not give who recorded it, and of an application that staff
// closed since when it is (screens.md 4.1).
func TestWhoDecided(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		own, application := i.Applicant(applicant), i.Number("SELECT max(id) FROM application")
		says := func(path string, texts ...string) {
			t.Helper()
			for _, text := range texts {
				want(t, own.Open(path), path, text)
			}
		}
		decide := func(offer int64, decision admitto.Decision) {
			t.Helper()
			i.Must(i.Services.Admissions.SetDecision(t.Context(), servicestest.Staff(), application, offer,
				admissions.DecisionChange{Decision: decision}))
		}
		decide(offers[0], admitto.DecisionDeclined)
		says(fmt.Sprintf("/my/offers/%d", offers[0]), "Declined. Recorded by admissions on 1 May 2031", "Contact us")
		decide(offers[0], admitto.DecisionNone)
		own.Open(fmt.Sprintf("/my/offers/%d/answer/accept", offers[0])).Submit("Yes, accept")
		says(fmt.Sprintf("/my/offers/%d", offers[0]), "You accepted on 1 May 2031")
		says(fmt.Sprintf("/my/offers/%d", offers[1]), "Declined when you accepted Online Économie", "Contact us")
		i.Must(i.Services.Admissions.CloseApplication(t.Context(), servicestest.Staff(), application, false))
		says(fmt.Sprintf("/my/applications/%d", application), "Closed on 1 May 2031", "Contact us", "See other courses")
	})
}

// TestWithdrawnInTwoTabs presses Withdraw in a second tab, and accepts in a third: both say that the application is
// withdrawn, and until when that can be undone (screens.md P17, P25).
func TestWithdrawnInTwoTabs(t *testing.T) {
	i := sitetest.Filled(t)
	applicant, offers := offered(t, i)
	own := i.Applicant(applicant)
	address := fmt.Sprintf("/my/applications/%d", i.Number("SELECT application_id FROM offer WHERE id = $1", offers[0]))
	accept := own.Open(fmt.Sprintf("/my/offers/%d/answer/accept", offers[0]))
	first, second := own.Open(address+"/withdraw"), own.Open(address+"/withdraw")
	want(t, first.Submit("Withdraw application"), address, "You can undo this until")
	want(t, second.Submit("Withdraw application"), address, "Nothing was changed now: Withdrawn on 1 May 2031.")
	if text := accept.Submit("Yes, accept").Text("main"); !strings.Contains(text, "undo the withdrawal until") {
		t.Error(text)
	}
}

// TestOfferThatIsOver has no buttons below an offer of an application that is withdrawn or expired, and none after the
// last day of a required answer; what was accepted before that can still be declined (screens.md P16, lifecycle.md D3).
func TestOfferThatIsOver(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		address := fmt.Sprintf("/my/offers/%d", offers[0])
		own := i.Applicant(applicant)
		buttons := func(what string, ways ...string) {
			t.Helper()
			page, got := own.Open(address), []string{}
			for _, link := range page.Find("main a[href^='" + address + "/answer/']").EachIter() {
				got = append(got, strings.TrimPrefix(link.AttrOr("href", ""), address+"/answer/"))
			}
			if page.Status != 200 || strings.Join(got, " ") != strings.Join(ways, " ") {
				t.Errorf("%s: %d, %q instead of %q: %s", what, page.Status, got, ways, page.Text("main"))
			}
			for _, way := range []string{"accept", "decline"} {
				if !slices.Contains(ways, way) {
					want(t, own.Open(address+"/answer/"+way), address, "")
				}
			}
		}
		buttons("waiting", "accept", "decline")
		i.Put("UPDATE offer SET comments = 'Not decided yet.', subject = 'Not yet'")
		if text := own.Open(address).Text("main"); strings.Contains(text, "Not") ||
			!strings.Contains(text, "We offer you") {
			t.Error("what staff prepare is shown: ", text)
		}
		i.Put("UPDATE application SET status = 'Withdrawn', status_before = 'Submitted', withdrawn = 1")
		buttons("withdrawn")
		i.Put("UPDATE application SET status = 'Submitted'", "UPDATE academic_term SET grace = '2031-04-30' WHERE id = 71")
		buttons("expired")
		over := fmt.Sprintf("/my/applications/%d", i.Number("SELECT application_id FROM offer WHERE id = $1", offers[0]))
		for _, path := range []string{"/my", over} {
			text := own.Open(path).Text("main")
			if !strings.Contains(text, "The admission period has ended") || strings.Contains(text, "Submitted on") ||
				path != "/my" && !strings.Contains(text, "See other courses") {
				t.Error(path, text)
			}
		}
		i.Put("UPDATE academic_term SET grace = '2031-10-31' WHERE id = 71",
			"UPDATE offer_confirmation SET policy = 'Required', deadline = '2031-05-01'",
			"UPDATE offer SET decision_policy = 'Required', decision_deadline = '2031-05-01'")
		buttons("on the last day", "accept", "decline")
		// It is what comes next, as long as it can be answered.
		application := fmt.Sprintf("/my/applications/%d", i.Number("SELECT max(id) FROM application"))
		asked := func(yes bool) {
			t.Helper()
			for _, path := range []string{"/my", application} {
				press := "main a[href='" + address + "']:contains('Read and answer')"
				if page := own.Open(path); page.Find(press).Length() > 0 != yes && path == "/my" ||
					strings.Contains(page.Text("main"), "please answer") != yes {
					t.Errorf("%s: %s", path, page.Text("main"))
				}
			}
		}
		asked(true)
		before := own.Open(address + "/answer/accept")
		i.Put("UPDATE offer_confirmation SET deadline = '2031-04-29'", "UPDATE offer SET decision_deadline = '2031-04-29'")
		buttons("after the last day")
		want(t, own.Open(address), address, "contact")
		asked(false)
		page := before.Submit("Yes, accept")
		if page.Status == http.StatusOK || len(page.Errors()) != 1 {
			t.Error("accepted too late: ", page.Status, page.Errors(), page.Text("main"))
		}
		i.Put(fmt.Sprintf("UPDATE offer SET decision = 'Final', decided = 1 WHERE id = %d", offers[0]))
		buttons("accepted", "decline")
		page = own.Open(address + "/answer/decline")
		want(t, page, address+"/answer/decline", "You cannot take this back.")
		want(t, page.Submit("Yes, decline"), address, "You declined")
	})
}

// TestDeclinedUnanswered accepts an offer while another course has no letter yet: that one is declined with the
// others, and no page lets its applicant wait for an answer, or says once more that an answer declines it (screens.md
// 4.1, P17).
func TestDeclinedUnanswered(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		i.Put(fmt.Sprintf("DELETE FROM offer_confirmation WHERE offer_id = %d", offers[1]),
			fmt.Sprintf("UPDATE offer SET confirmed = NULL, type_confirmed_id = NULL WHERE id = %d", offers[1]),
			fmt.Sprintf("UPDATE offer_confirmation SET deadline = '2099-05-01' WHERE offer_id = %d", offers[0]))
		own, address := i.Applicant(applicant), fmt.Sprintf("/my/offers/%d", offers[0])
		application := fmt.Sprintf("/my/applications/%d", i.Number("SELECT max(id) FROM application"))
		if page := own.Open(application); !strings.Contains(page.Text("main"), "No answer yet") {
			t.Fatal(page.Text("main"))
		}
		page := own.Open(address + "/answer/accept")
		if !strings.Contains(page.Text("main"), "This declines") {
			t.Fatal(page.Text("main"))
		}
		want(t, page.Submit("Yes, accept"), address, "An e-mail confirms it")
		for _, at := range []string{application, "/my"} {
			if text := own.Open(at).Text("main"); strings.Contains(text, "No answer yet") ||
				!strings.Contains(text, "Declined when you accepted") {
				t.Errorf("%s: %s", at, text)
			}
		}
		page = own.Open(address + "/answer/decline")
		if text := page.Text("main"); !strings.Contains(text, "stays declined, too") ||
			strings.Contains(text, "answer that offer again") {
			t.Error("what follows from declining:", text)
		}
		page.Submit("Yes, decline")
		if text := own.Open(address).Text("main"); strings.Contains(text, "your other offer") {
			t.Error("it is declined already:", text)
		}
		if text := own.Open(address + "/answer/accept").Text("main"); strings.Contains(text, "This declines") {
			t.Error("it is declined already:", text)
		}
		text := own.Open(application).Text("main")
		for _, said := range []string{"You accepted the offer for ", "You declined the offer for "} {
			if !strings.Contains(text, said) {
				t.Errorf("what happened does not have %q: %s", said, text)
			}
		}
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Withdrawn', withdrawn = 1 WHERE applicant_id = %d", applicant),
			fmt.Sprintf("UPDATE offer SET decision_origin = 'withdrawn' WHERE id = %d", offers[1]))
		if text := own.Open(application).Text("main"); !strings.Contains(text, "Declined when you withdrew") {
			t.Error("withdrawn:", text)
		}
	})
}

// TestDaysToAnswer says how long an answer can be given, and that a late one still counts where it does (screens.md
// P16, lifecycle.md 4.4).
func TestDaysToAnswer(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		own, address := i.Applicant(applicant), fmt.Sprintf("/my/offers/%d", offers[0])
		today := admitto.DateOf(i.Clock.Now().Std())
		for _, c := range []struct {
			days   int
			policy string
			want   []string
		}{
			{10, admitto.PolicyRequired, []string{"10 days left.", "Please answer by"}},
			{0, admitto.PolicyRequired, []string{"This is the last day.", "Please answer by"}},
			{-1, admitto.PolicyRequired, []string{"It is over.", "Not answered in time", "The time to answer is over."}},
			{-1, admitto.PolicyAdvisory, []string{"It is over.", "It was asked for by", "You can still answer"}},
		} {
			i.Put(fmt.Sprintf("UPDATE offer_confirmation SET policy = '%s', deadline = '%s' WHERE offer_id = %d", c.policy,
				today.AddDays(c.days), offers[0]))
			text := own.Open(address).Text("main")
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s, %d days: no %q in %s", c.policy, c.days, want, text)
				}
			}
		}
		// Another offer of which the time is over stays declined when the accepted one is declined (lifecycle.md D3).
		i.Put(fmt.Sprintf("UPDATE offer_confirmation SET policy = 'Required', deadline = '%s' WHERE offer_id = %d",
			today.AddDays(-1), offers[1]))
		own.Open(address + "/answer/accept").Submit("Yes, accept")
		for day, want := range map[int]string{-1: "stays declined, too", 3: "until you answer that offer again"} {
			i.Put(fmt.Sprintf("UPDATE offer_confirmation SET deadline = '%s' WHERE offer_id = %d", today.AddDays(day),
				offers[1]))
			if text := own.Open(address + "/answer/decline").Text("main"); !strings.Contains(text, want) {
				t.Errorf("no %q in %s", want, text)
			}
		}
	})
}
