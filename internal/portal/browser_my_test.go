package portal_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestMyPagesInBrowser looks at the pages on which applicants fill in, submit and follow their applications.
func TestMyPagesInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE consent SET active = FALSE")
	one := func(sql string) int64 {
		t.Helper()
		id := i.Number(sql)
		if id == 0 {
			t.Fatal("there is none: ", sql)
		}
		return id
	}
	draft := one("SELECT max(a.id) FROM application a JOIN academic_term t ON t.id = a.academic_term_id WHERE a.visible AND a.status = 'Draft' AND t.grace > '2026-03-09' AND EXISTS (SELECT 1 FROM task k WHERE k.application_id = a.id AND k.trashed IS NULL)")
	offer := one("SELECT max(o.id) FROM offer o JOIN application a ON a.id = o.application_id JOIN academic_term t ON t.id = a.academic_term_id JOIN offer_type y ON y.id = o.type_confirmed_id WHERE o.confirmed IS NOT NULL AND a.status = 'Submitted' AND y.decide AND o.decision = 'None' AND t.grace > '2026-03-09'")
	i.Put(fmt.Sprintf("UPDATE offer SET decision_deadline = '2026-05-01' WHERE id = %d", offer),
		fmt.Sprintf("UPDATE offer_confirmation SET deadline = '2026-05-01', policy = 'Required' WHERE offer_id = %d", offer))
	sent := one(fmt.Sprintf("SELECT application_id FROM offer WHERE id = %d", offer))
	of := func(application int64) int64 {
		return one(fmt.Sprintf("SELECT applicant_id FROM application WHERE id = %d", application))
	}
	for _, id := range []int64{of(draft), of(sent)} {
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", id))
	}
	filling, waiting := i.Cookie(accounts.Portal, of(draft)), i.Cookie(accounts.Portal, of(sent))
	task := one(fmt.Sprintf("SELECT min(id) FROM task WHERE application_id = %d AND trashed IS NULL", draft))
	i.Put(fmt.Sprintf("UPDATE task SET notes_administrator = 'The picture is too dark to read.\n\nScan it again, or take it by daylight.', notes_shared = TRUE WHERE id = %d", task))
	paying := one("SELECT max(id) FROM invoice WHERE applicant_id IS NOT NULL AND collected IS NULL AND lapsed IS NULL AND instructions <> ''")
	payer := one(fmt.Sprintf("SELECT applicant_id FROM invoice WHERE id = %d", paying))
	i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", payer))
	mail := one(fmt.Sprintf("SELECT max(id) FROM email WHERE applicant_id = %d", of(sent)))
	i.Put("DELETE FROM data_request",
		fmt.Sprintf("INSERT INTO data_request (id, applicant_id, kind, reason, received, recorded) "+
			"VALUES (901, %d, 'erase', 'I study somewhere else.', '2026-03-02', 1772000000000000)", of(draft)))
	address := fmt.Sprintf("/my/applications/%d", draft)
	i.Put(fmt.Sprintf("INSERT INTO receipt (id, application_id, made, accepted, text, signature) VALUES (900001, %d, 1767600000000000, TRUE, 'Receipt 900001\nApplication 9\n', 'bm8gc2lnbmF0dXJl')", sent))
	uitest.Check(t, i,
		uitest.Page{Name: "my-board", Path: "/my", Cookie: filling},
		uitest.Page{Name: "my-application", Path: address, Cookie: filling},
		uitest.Page{Name: "my-profile", Path: address + "/form/profile", Cookie: filling},
		uitest.Page{Name: "my-education", Path: address + "/form/education", Cookie: filling},
		uitest.Page{Name: "my-entry", Path: address + "/form/education/rows/new", Cookie: filling},
		uitest.Page{Name: "my-documents", Path: address + "/documents", Cookie: filling},
		uitest.Page{Name: "my-courses", Path: address + "/courses", Cookie: filling},
		uitest.Page{Name: "my-check", Path: address + "/check", Cookie: filling},
		uitest.Page{Name: "my-discard", Path: address + "/withdraw", Cookie: filling},
		uitest.Page{Name: "my-tasks", Path: "/my/tasks", Cookie: filling},
		uitest.Page{Name: "my-task", Path: fmt.Sprintf("/my/tasks/%d", task), Cookie: filling},
		uitest.Page{Name: "my-submitted", Path: fmt.Sprintf("/my/applications/%d", sent), Cookie: waiting},
		uitest.Page{Name: "my-offer", Path: fmt.Sprintf("/my/offers/%d", offer), Cookie: waiting},
		uitest.Page{Name: "my-answer", Path: fmt.Sprintf("/my/offers/%d/answer/decline", offer), Cookie: waiting},
		uitest.Page{Name: "my-withdraw", Path: fmt.Sprintf("/my/applications/%d/withdraw", sent), Cookie: waiting},
		uitest.Page{Name: "my-messages", Path: "/my/messages", Cookie: waiting},
		uitest.Page{Name: "my-message", Path: fmt.Sprintf("/my/messages/%d", mail), Cookie: waiting},
		uitest.Page{Name: "my-invoices", Path: "/my/invoices", Cookie: i.Cookie(accounts.Portal, payer)},
		uitest.Page{Name: "my-invoice", Path: fmt.Sprintf("/my/invoices/%d", paying),
			Cookie: i.Cookie(accounts.Portal, payer)},
		uitest.Page{Name: "my-photo", Path: "/my/photo", Cookie: waiting},
		uitest.Page{Name: "my-data", Path: "/my/privacy", Cookie: waiting},
		uitest.Page{Name: "my-receipt", Path: fmt.Sprintf("/my/applications/%d/receipts/900001", sent), Cookie: waiting},
		uitest.Page{Name: "my-erasure", Path: "/my/privacy/erasure", Cookie: waiting},
		uitest.Page{Name: "my-data-asked", Path: "/my/privacy", Cookie: filling},
		uitest.Page{Name: "my-erasure-withdraw", Path: "/my/privacy/erasure/withdraw", Cookie: filling},
		uitest.Page{Name: "receipts", Path: "/receipts"},
	)
}
