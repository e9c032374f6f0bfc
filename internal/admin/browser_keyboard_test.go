package admin_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestByKeyboard does in a browser, without a mouse, what staff do all day: sign in, find an applicant and go on from
// card to card and back, add one and correct the telephone number, and flag two applications of a
// list.
func TestByKeyboard(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	mara := i.Superuser("Mara Lind")
	canSignIn(i, mara)
	i.Put("DELETE FROM application_flag")
	page := uitest.Page{Name: "keys-sign-in", Path: "/admin/sign-in?next=%2Fadmin%2Faccount"}
	tab := uitest.Open(t, i).Tab(t, page, true)
	tab.Reach("[name=email]")
	tab.Write("mara.lind@example.edu")
	tab.Reach("[name=password]")
	tab.Write(password)
	tab.Enter()
	tab.At("/admin/account")

	// A filter, the card of the second row, those after and before it, and back to the list as it was.
	tab.Press("g")
	tab.Press("p")
	tab.At("/admin/applicants")
	tab.Reach("#filter-text")
	tab.Write("an")
	tab.Reach(".filters .btn.primary")
	tab.Enter()
	tab.Wait(".chips .chip", "Search: an")
	list := tab.Address()
	names := []string{tab.Text("tbody tr:nth-child(1) .name"), tab.Text("tbody tr:nth-child(2) .name"),
		tab.Text("tbody tr:nth-child(3) .name")}
	ids := []string{"1", "2", "3"}
	for n := range ids {
		ids[n] = tab.Text(fmt.Sprintf("tbody tr:nth-child(%d) td.meta", n+1))
	}
	tab.Press("j")
	tab.Press("j")
	tab.Wait(".name:focus", names[1])
	tab.Enter()
	tab.Wait(".cardhead h1 .num", ids[1])
	tab.Press("n")
	tab.Wait(".cardhead h1 .num", ids[2])
	tab.Press("p")
	tab.Wait(".cardhead h1 .num", ids[1])
	tab.Reach(".crumbs a")
	tab.Enter()
	tab.At(list)
	tab.Wait("tbody tr:nth-child(1) .name", names[0])

	// Another applicant, and a correction on the card.
	tab.Reach(`[href="/admin/applicants/new"]`)
	tab.Enter()
	tab.At("/admin/applicants/new")
	for _, field := range [][2]string{{"email", "bo.dahl@example.org"}, {"given", "Bo"}, {"family", "Dahl"}} {
		tab.Reach("main [name=" + field[0] + "]")
		tab.Write(field[1])
	}
	tab.Reach("main .btn.primary")
	tab.Enter()
	tab.Find(".cardhead")
	id := i.Number("SELECT id FROM applicant WHERE email = 'bo.dahl@example.org'")
	tab.Reach(fmt.Sprintf(`.cardhead a[href="/admin/applicants/%d/edit"]`, id))
	tab.Enter()
	tab.At(fmt.Sprintf("/admin/applicants/%d/edit", id))
	tab.Reach("main [name=phone]")
	tab.Write("+45 555 010 22")
	tab.Reach("main .btn.primary")
	tab.Enter()
	tab.At(fmt.Sprintf("/admin/applicants/%d", id))
	if n := i.Number("SELECT count(*) FROM applicant WHERE id = $1 AND phone = '+45 555 010 22'", id); n != 1 {
		t.Error("the telephone number was not saved")
	}

	// Two rows of a filtered list.
	tab.Press("g")
	tab.Press("a")
	tab.Wait("main h1", "Applications")
	tab.Reach("[name=status][value=Submitted]")
	tab.Space()
	tab.Reach(".filters .btn.primary")
	tab.Enter()
	tab.Wait(".chips .chip", "Progress: Submitted")
	list = tab.Address()
	for n := 1; n <= 2; n++ {
		tab.Reach(fmt.Sprintf("tbody tr:nth-child(%d) [name=id]", n))
		tab.Space()
	}
	tab.Wait("[data-selected]", "2 selected")
	tab.ReachBack("button[value=flag]")
	tab.Enter()
	tab.Wait("[data-selected]", "Nothing selected")
	tab.At(list)
	if n := i.Number("SELECT count(*) FROM application_flag"); n != 2 {
		t.Errorf("%d applications have the flag", n)
	}
}
