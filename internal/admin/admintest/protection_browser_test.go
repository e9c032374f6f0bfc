package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestForgottenInBrowser deletes an applicant on the card, restores and deletes them again; the nightly run erases
// them, and nothing of them is left (screens.md J8).
func TestForgottenInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		id := person(d)
		i := sitetest.On(d)
		card := fmt.Sprintf("/admin/applicants/%d", id)
		browser, mara := uitest.Open(t, i), i.Superuser("Mara Lind")
		signIn := func() *uitest.Tab {
			return browser.Tab(t, uitest.Page{Name: "forgotten", Path: card,
				Cookie: i.Cookie(accounts.Administration, mara)}, true)
		}
		tab := signIn()
		remove := func() {
			t.Helper()
			tab.Open(card + "/delete")
			tab.Click("main form.confirm button")
			tab.At("/admin/applicants")
			tab.Open("/admin/data-protection/recovery")
			if text := tab.Text("main table"); !strings.Contains(text, "Quorzal") {
				t.Fatal("the recovery list has not the applicant: ", text)
			}
		}
		remove()
		tab.Click(fmt.Sprintf(`main a[href="/admin/data-protection/recovery/%d/restore"]`, id))
		tab.Click("main form .btn.primary")
		tab.At(card)
		tab.Open("/admin/search?q=quorzal")
		if text := tab.Text("main"); !strings.Contains(text, "Quorzal") {
			t.Error("who is restored is not found: ", text)
		}
		remove()
		d.Clock.Add(3 * admitto.Day)
		d.Must(d.Services.Privacy.EraseDeleted(t.Context(), admitto.SystemCaller()))
		tab = signIn() // the session is over
		for path, words := range map[string]string{card: "erased",
			"/admin/search?q=quorzal": "Nothing found", "/admin/data-protection/recovery": "",
			"/admin/data-protection/purge": fmt.Sprintf("Applicant %d", id)} {
			tab.Open(path)
			if text := tab.Text("main"); !strings.Contains(text, words) ||
				strings.Contains(strings.ToLower(strings.ReplaceAll(text, "“quorzal”", "")), "quorzal") {
				t.Errorf("%s: %s", path, text)
			}
		}
		nothingOf(t, d, "quorzal", "zerafina")
		d.Chained()
		d.Sound()
	})
}
