package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/uitest"
)

// TestSetUpInBrowser goes in a browser, by keyboard, from the link that sets an instance up through every step of the
// check-list, until visitors find a course with the deadlines of their countries (screens.md J1).
func TestSetUpInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i, link := freshOffice(t)
	server := smtpServer(t)
	tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "keys-set-up", Path: link}, true)
	write := func(field, text string) {
		t.Helper()
		tab.Reach(fmt.Sprintf("main [name=%q]", field))
		tab.Write(text)
	}
	press := func(at string) {
		t.Helper()
		tab.Reach("main .btn.primary")
		tab.Enter()
		tab.Find(".notice.ok, .errors")
		if tab.Count(".errors") > 0 {
			t.Fatal(tab.Text(".errors"))
		}
		if at != "" {
			tab.At(at)
		}
	}
	step := func(n int, at string) {
		t.Helper()
		if tab.Address() != "/admin/" {
			tab.Reach(`.nav a[href="/admin/"]`)
			tab.Enter()
			tab.At("/admin/")
		}
		tab.Reach(fmt.Sprintf(".panels dl.kv > div:nth-child(%d) dd a", n))
		tab.Enter()
		tab.At(at)
	}
	for field, text := range map[string]string{"name": "Mara Lind", "email": "mara@example.edu",
		"password": password, "password_again": password, "instance_name": "Northfield University",
		"mail_smtp": server} {
		write(field, text)
	}
	press("/admin/")

	step(1, "/admin/institutions/1")
	write("address", "1 North Road")
	tab.Choose("main [name=country]", "PT")
	press("/admin/institutions/1")
	step(2, "/admin/settings/contact")
	write("portal.contact_phone", "+351 21 000 00 00")
	press("")
	step(3, "/admin/settings/texts")
	write("portal.privacy", "We keep your data safe.")
	press("")
	step(4, "/admin/terms/new") // what the form proposes is what is wanted
	press("/admin/terms/1")
	step(5, "/admin/intakes/new")
	for n, territory := range []string{"EU", "DE"} {
		tab.Reach(fmt.Sprintf("details:has([name=territory-%d]) summary", n+1))
		tab.Enter()
		tab.Choose(fmt.Sprintf("[name=territory-%d]", n+1), territory)
		write(fmt.Sprintf("deadline-%d-day", n+1), fmt.Sprint(10+n))
		write(fmt.Sprintf("deadline-%d-month", n+1), "5")
		write(fmt.Sprintf("deadline-%d-year", n+1), "2026")
	}
	press("/admin/intakes/1")
	step(6, "/admin/courses/new")
	write("name", "Applied Physics")
	press("/admin/courses/1")
	step(6, "/admin/courses/1/status?status=Online")
	press("/admin/courses/1")

	tab.Open("/admin/offer-types/17")
	write("public_title", "We offer you a place")
	write("subject", "A place for %applicant-Name%")
	tab.Wait("#preview h3", "A place for Ilse Varga")
	press("/admin/offer-types/17")
	step(8, "/admin/templates/application-submitted")
	write("subject", "We have your application")
	press("/admin/templates/application-submitted")
	tab.Reach("main [name=test]")
	tab.Enter()
	tab.Wait("main .notice.ok", "A test with this text is on its way to mara@example.edu. It is not saved yet unless you "+
		"have saved it.")
	step(10, "/admin/administrators/invite")
	write("name", "Ines Faro")
	write("email", "ines@example.edu")
	tab.Reach("main [name=roles][value='1']")
	tab.Space()
	press("")
	tab.Open("/admin/")
	if text := tab.Text("main"); strings.Contains(text, "Before applications can come") {
		t.Error("the check-list is still there: ", text)
	}
	i.Deliver()
	sent := false
	for _, m := range i.Post.Taken() {
		sent = sent || m.To.Email == "mara@example.edu" && m.Subject == "We have your application"
	}
	if !sent {
		t.Errorf("the test of the e-mail is not among %+v", i.Post.Taken())
	}
	for country, until := range map[string]string{"DE": "11 May 2026", "FR": "10 May 2026", "BR": "30 April 2026"} {
		tab.Open("/courses/1?citizenship=" + country)
		if text := tab.Text("main"); !strings.Contains(text, "Applied Physics") || !strings.Contains(text, until) {
			t.Errorf("%s: %s is not in %s", country, until, text)
		}
	}
}
