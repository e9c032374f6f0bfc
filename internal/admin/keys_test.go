package admin_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestKeysOfAnOfficer takes the next applications, reads each, looks at its documents, and sends a letter, by keyboard
// only. What an application may cost is what it costs now, so that it does not become more unseen.
func TestKeysOfAnOfficer(t *testing.T) {
	const most = 17 // keys of one application, besides those that take twenty of them
	i := sitetest.Filled(t)
	officer := i.Superuser("Mara Lind")
	const chosen = "(SELECT application_id FROM offer)"
	i.Put("UPDATE application SET officer_id = NULL, frozen = NULL, status = 'Closed'",
		"UPDATE application SET status = 'Submitted' WHERE visible AND id IN "+chosen,
		"UPDATE offer SET decision = 'Undecided'",
		"UPDATE offer SET type_id = (SELECT id FROM offer_type WHERE title = 'Unreplied')")
	tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "keys", Cookie: i.Cookie(accounts.Administration, officer),
		Path: "/admin/applications?status=Submitted&officer=nobody&term=all"}, true)
	waits := i.Number("SELECT count(*) FROM application WHERE visible AND status = 'Submitted'")
	tab.Reach("button[value=take]")
	tab.Enter()
	tab.Wait(".notice p", "?")
	fmt.Println(apptest.Size(3, 20), tab.Keys(), most, waits)
}
