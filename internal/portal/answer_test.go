package portal_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

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
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
		applicant, offers := offered(t, i)
		var pages [2]*sitetest.Page
		for n, id := range offers {
			address := fmt.Sprintf("/my/offers/%d/answer/accept", id)
			pages[n] = i.Applicant(applicant).Open(address)
			want(t, pages[n], address, "Yes, accept")
		}
		var both sync.WaitGroup
		for n := range pages {
			both.Go(func() { pages[n] = pages[n].Submit("Yes, accept") })
		}
		both.Wait()
		won, lost := 0, 1
		if pages[0].Status != http.StatusOK {
			won, lost = 1, 0
		}
		want(t, pages[won], fmt.Sprintf("/my/offers/%d", offers[won]), "You accepted")
		says := fmt.Sprintf("Offer %d was accepted on 1 May 2031, 12:00 UTC, and that is binding for the term. "+
			"Decline it first, or contact", offers[won])
		want(t, pages[lost], fmt.Sprintf("/my/offers/%d/answer/accept", offers[lost]), says)
		if pages[lost].Status == http.StatusOK {
			t.Error("the refusal is answered with 200")
		}
		has := func(final, declined int64) {
			t.Helper()
			if n := i.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE id = %d AND decision = 'Final' OR id = %d AND decision = 'Declined'", final, declined)); n != 2 {
				t.Errorf("%d of 2 decisions", n)
			}
		}
		has(offers[won], offers[lost])
		i.Applicant(applicant).Open(fmt.Sprintf("/my/offers/%d/answer/decline", offers[won])).Submit("Yes, decline")
		want(t, pages[lost].Submit("Yes, accept"), fmt.Sprintf("/my/offers/%d", offers[lost]), "You accepted")
		has(offers[lost], offers[won])
	})
}

// TestDeclinedForGood declines an offer whose type makes that final: no page accepts it any more, not even one that was
// opened before (screens.md P17, lifecycle.md D2).
func TestDeclinedForGood(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
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
		if n := i.Number(fmt.Sprintf("SELECT count(*) FROM offer WHERE id = %d AND decision = 'Declined'", offers[0])); n != 1 {
			t.Error("the decision has changed")
		}
	})
}
