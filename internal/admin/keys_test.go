package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestKeysOfAnOfficer takes the next twenty applications and works through the first of them by keyboard only: reads
// the whole form, accepts the documents, sends the letter, and goes on to the next. It fails when that costs more keys
// than now.
func TestKeysOfAnOfficer(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	const mostToTake, mostOfOne, mostOfDocument = 9, 11, 3 // as docs/staff.md says
	i := sitetest.Filled(t)
	i.Put("UPDATE academic_term SET grace = '2999-12-31'", // none has expired
		"UPDATE application SET officer_id = NULL, frozen = NULL, status = 'Closed'",
		"UPDATE application SET status = 'Submitted' WHERE visible AND id IN (SELECT application_id FROM offer)",
		"UPDATE offer SET type_id = (SELECT id FROM offer_type WHERE title = 'Unreplied')")
	letters := func() int64 { return i.Number("SELECT count(*) FROM offer_confirmation") }
	accepted := func() int64 {
		return i.Number("SELECT count(*) FROM task WHERE status = 'Accepted'")
	}
	tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "keys",
		Cookie: i.Cookie(accounts.Administration, i.Superuser("Mara Lind")),
		Path:   "/admin/applications?status=Submitted&officer=nobody&term=all"}, true)
	tab.Press("e")
	tab.Reach("button[value=take]")
	tab.Enter()
	tab.Wait(".notice button.link", "Undo")
	tab.Press("j")
	tab.Enter()
	tab.Wait(".tabs [aria-current=page]", "Overview")
	taken := tab.Keys()
	t.Logf("%d keys take 20 applications and open the first", taken)
	if taken > mostToTake {
		t.Errorf("they were %d", mostToTake)
	}
	for n := range 12 {
		before, sent := tab.Keys(), letters()
		who := tab.Text(".cardhead h1")
		toTab(tab, 2)
		if sections := tab.Count("[data-walk] a"); tab.Count("main section.card") < sections-1 {
			t.Errorf("%s: not all of %d sections to read", who, sections-1)
		}
		toTab(tab, 5)
		documents, done := checkDocuments(tab), accepted()
		toTab(tab, 3)
		tab.Press("e")
		tab.Enter()
		tab.Find("#f-subject")
		tab.Press("e")
		tab.Press("a")
		tab.Press("c")
		tab.Send()
		tab.Wait(".notice [role=status]", "Saved. The applicant sees nothing yet.")
		tab.Press("e")
		tab.Send()
		tab.Find("form.confirm")
		tab.Press("e")
		tab.Enter()
		tab.Find("#f-subject")
		if letters() != sent+1 || done == 0 {
			t.Fatalf("%s: %d letters, %s", who, letters()-sent, tab.Text("main"))
		}
		keys := tab.Keys() - before
		t.Logf("application %d: %d keys with %d documents", n+1, keys, documents)
		if keys > mostOfOne+mostOfDocument*documents {
			t.Errorf("they were %d and %d a document", mostOfOne, mostOfDocument)
		}
		next := strings.Split(tab.Path("a[data-key=n]"), "/")[3]
		tab.Press("n")
		tab.Wait(".cardhead h1 .num", next)
	}
}

// toTab opens a tab of the card by its number.
func toTab(tab *uitest.Tab, n int) {
	name := tab.Text(fmt.Sprintf(".tabs li:nth-child(%d) a", n))
	tab.Press(fmt.Sprint(n))
	tab.Wait(".tabs [aria-current=page]", name)
}

// checkDocuments goes through the documents, accepts the task of each, and returns how many there are.
func checkDocuments(tab *uitest.Tab) (n int) {
	n = tab.Count(".viewer > ul li")
	for at := 1; at <= n; at++ {
		next := ""
		if at < n {
			next = tab.Text(fmt.Sprintf(".viewer > ul li:nth-child(%d) a", at+1))
		}
		if tab.Count(".viewer aside select") == 0 {
			tab.Press("j")
		} else {
			tab.Press("e")
			tab.Press("a")
			tab.Send()
			if at == n {
				tab.Wait(".notice [role=status]", "Saved. This is the last document.")
			}
		}
		if at < n {
			tab.Wait(".viewer > ul a[aria-current]", next)
		}
	}
	return n
}
