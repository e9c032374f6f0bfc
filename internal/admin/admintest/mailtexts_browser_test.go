package admintest

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestTemplatesInBrowser looks at the list and at editors.
func TestTemplatesInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i := sitetest.Filled(t)
	me := i.Superuser("Hana Yildiz")
	staff := i.Cookie(accounts.Administration, me)
	i.Put(`INSERT INTO email_template (code, language, subject, body) VALUES ('application-submitted', 'en',
		'%institution-Name%: your application for %course-FullName%, %term-Name%', 'Dear %applicant-GivenName%,

thank you. We have your application and look at it within *two weeks*.

h2. What happens now

* You can follow it: "your application":%application-Link%
* Your number is %application-ID%, and that of your receipt %receipt-Number%.

Kind regards
%institution-Name%')`,
		fmt.Sprintf("INSERT INTO email_kind (code, silenced, edited, edited_by, row_version) VALUES ('application-submitted', FALSE, 1773046800000000, %d, 2), "+
			"('application-closed', TRUE, 1773046800000000, %[1]d, 2)", me))
	i.Put("UPDATE letterhead SET head = 'Northfield University\nOffice of Admissions\n1 North Road, 2780 Oeiras', foot = 'Bank: PT50 0000 0000 0000 0000 0000 0 · Register 500 000 000\nadmissions@example.edu · +351 21 000 00 00' WHERE id = 1")
	uitest.Check(t, i, uitest.Page{Name: "letterheads", Path: "/admin/letterheads", Cookie: staff},
		uitest.Page{Name: "letterheads-one", Path: "/admin/letterheads/1", Cookie: staff},
		uitest.Page{Name: "letterheads-new", Path: "/admin/letterheads/new", Cookie: staff},
		uitest.Page{Name: "mailtexts-list", Path: "/admin/templates", Cookie: staff},
		uitest.Page{Name: "mailtexts-one", Path: "/admin/templates/application-submitted", Cookie: staff},
		uitest.Page{Name: "mailtexts-shipped", Path: "/admin/templates/applicant-welcome-api", Cookie: staff},
		uitest.Page{Name: "mailtexts-silenced", Path: "/admin/templates/application-closed", Cookie: staff},
		uitest.Page{Name: "mailtexts-default", Path: "/admin/templates/application-submitted/default", Cookie: staff})
}
