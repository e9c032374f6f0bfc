package admin_test

import (
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestLedgerInBrowser looks at the lists of invoices and payments: as they are, with filters, with a filter that cannot
// be read, and with nothing in them.
func TestLedgerInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	uitest.Check(t, i,
		uitest.Page{Name: "ledger-invoices", Path: "/admin/invoices", Cookie: staff},
		uitest.Page{Name: "ledger-overdue", Path: "/admin/invoices?state=overdue&mark=overdue&currency=EUR", Cookie: staff},
		uitest.Page{Name: "ledger-none", Path: "/admin/invoices?mark=detached&state=lapsed", Cookie: staff},
		uitest.Page{Name: "ledger-unread", Path: "/admin/invoices?issued_from=soon", Cookie: staff},
		uitest.Page{Name: "ledger-transactions", Path: "/admin/transactions", Cookie: staff})
}
