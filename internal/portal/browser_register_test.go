package portal_test

import (
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestRegisterByKeyboard registers without a mouse: refused at first, with all that was typed still there, and then
// taken.
func TestRegisterByKeyboard(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	i.Write("UPDATE consent SET active = FALSE",
		"INSERT INTO consent (id, type, text, link) VALUES (31, 'Mandatory', 'We use what you enter to decide.', ''), (32, 'Voluntary', 'We may write about news.', '')")
	browser := uitest.Open(t, i)
	for name, scripts := range map[string]bool{"keys-register": true, "keys-register-plain": false} {
		tab := browser.Tab(t, uitest.Page{Name: name, Path: "/register"}, scripts)
		write := func(field, text string) {
			tab.Reach("main [name=" + field + "]")
			tab.Write(text)
		}
		write("given", "Ilse")
		write("email", "no address")
		tab.Reach("main [name=consent-32-1]")
		tab.Space()
		tab.Reach("main .btn.primary")
		tab.Enter()
		tab.Find(".errors")
		for field, typed := range map[string]string{"given": "Ilse", "family": "", "email": "no address"} {
			if value := tab.Value("main [name=" + field + "]"); value != typed {
				t.Errorf("%s: %s is %q after the refusal", name, field, value)
			}
		}
		if answered := tab.Count("main [name^=consent-]:checked"); answered != 1 {
			t.Errorf("%s: %d answers after the refusal", name, answered)
		}
		write("family", "Varga")
		write("email", name+"@example.org") // what is reached by the tabulator is selected, so this replaces it
		tab.Reach("main .btn.primary")
		tab.Enter()
		tab.At("/sign-in/mailbox")
		tab.Wait("main .stack p", "We have sent a mail with a link to "+name+"@example.org.")
		i.Mails()
		if n := i.Number("SELECT count(*) FROM applicant WHERE given = 'Ilse' AND family = 'Varga' AND email_key = $1", name+"@example.org"); n != 1 {
			t.Errorf("%s: %d registered", name, n)
		}
	}
}
