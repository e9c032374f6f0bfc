package portal_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestUndoWithdrawalWithOffers withdraws an application with answered offers. One second before the time is over,
// undoing that brings status and decisions back as they were; when it is over, it changes nothing (screens.md P25,
// lifecycle.md T11).
func TestUndoWithdrawalWithOffers(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
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
