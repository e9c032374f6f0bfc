package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestLivePreview types into a letter in a browser: the preview follows, and the focus stays where it is.
func TestLivePreview(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		cookie := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
		i.Put(fmt.Sprintf("UPDATE offer SET type_id = %s, subject = 'Place', comments = 'Dear %%applicant-Name%%' WHERE id = %d",
			typeID(d, accepted), offer))
		tab := uitest.Open(t, i).Tab(t, uitest.Page{Name: "offer", Path: path, Cookie: cookie}, true)
		tab.Wait("#preview h3", "Place")
		tab.Type("#f-subject", "A")
		tab.Wait("#preview h3", tab.Value("#f-subject"))
		tab.Press("b")
		tab.Wait("#preview h3", tab.Value("#f-subject"))
		if got := tab.Value("#f-subject"); len(got) != len("Place")+2 {
			t.Errorf("the focus was lost: %q", got)
		}
		tab.Click("#f-letter-markers")
		tab.Click(`[data-insert="%offer-Reason%"]`)
		tab.Wait("#preview mark", "%offer-Reason%")
		if d.Number("SELECT count(*) FROM offer WHERE subject <> 'Place' AND comments LIKE 'Dear%'") != 0 {
			t.Error("the preview saves")
		}
	})
}

// TestTwoEditorsInBrowser lets two people edit one offer: the second one sees what the first has saved, chooses, and
// confirms; who confirms from a page of before sends no second letter (screens.md A15).
func TestTwoEditorsInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, path, offer := withOffer(d)
		i.Put(fmt.Sprintf("UPDATE offer SET type_id = %s, subject = 'Place', comments = 'Dear %%applicant-Name%%' WHERE id = %d",
			typeID(d, accepted), offer))
		b := uitest.Open(t, i)
		editor := func(name string) *uitest.Tab {
			return b.Tab(t, uitest.Page{Name: "two-editors", Path: path,
				Cookie: i.Cookie(accounts.Administration, i.Superuser(name))}, true)
		}
		subject := func() string { return d.Lines(fmt.Sprintf("SELECT subject FROM offer WHERE id = %d", offer)) }
		mara, kofi := editor("Mara Lind"), editor("Kofi Haugen")
		const saved = "Saved. The applicant sees nothing yet."
		save := func(tab *uitest.Tab) {
			tab.Reach("button[name=save]")
			tab.Enter()
		}
		mara.Type("#f-subject", "First ")
		save(mara)
		mara.Wait(".notice [role=status]", saved)
		theirs := subject()
		kofi.Type("#f-subject", "Second ")
		save(kofi)
		kofi.Find("[name='keep.subject']")
		if text := kofi.Text("main"); !strings.Contains(text, "Mara Lind") || !strings.Contains(text, theirs) ||
			subject() != theirs {
			t.Fatalf("%q: %s", subject(), text)
		}
		kofi.Pick("[name='keep.subject']", "[name='keep.subject'][value=mine]")
		save(kofi)
		kofi.Wait(".notice [role=status]", saved)
		if !strings.Contains(subject(), "Second") {
			t.Errorf("the subject is %q", subject())
		}
		mails := d.Count("outbox")
		mara.Open(path + "/confirm")
		kofi.Open(path + "/confirm")
		for _, tab := range []*uitest.Tab{mara, kofi} {
			tab.Find("form.confirm")
			tab.Reach("form.confirm button")
			tab.Enter()
			tab.Find(".notice")
		}
		if d.Count("outbox") != mails+1 || d.Count("offer_confirmation") != 1 {
			t.Errorf("%d letters, %d confirmations", d.Count("outbox")-mails, d.Count("offer_confirmation"))
		}
	})
}

// TestEditSectionInBrowser corrects a section of a submitted application by keyboard, with scripts and without: its
// status stays, it is revised, and the history has the value before and after (screens.md A13).
func TestEditSectionInBrowser(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		i, path := submittedForm(d)
		b := uitest.Open(t, i)
		for n, name := range []string{"Anna", "Anita"} {
			tab := b.Tab(t, at(i, path+"profile"), n == 0)
			tab.Reach(`.cardhead a[href$="/profile/edit"]`)
			tab.Enter()
			given := "[name='content.name.given']"
			tab.Find(given)
			tab.Reach(given) // what is in a field that the tabulator leads to is selected
			tab.Write(name)
			send(tab)
			tab.Find(".notice.ok")
			if got := d.Number(`SELECT count(*) FROM application WHERE id = 11 AND status = 'Submitted'
				AND revised > submitted`); got != 1 {
				t.Error("the status changed, or the application is not revised")
			}
			tab.Open("/admin/applications/11/history")
			for _, want := range []string{[]string{"Ana", "Anna"}[n], name} {
				if !strings.Contains(tab.Text("main"), want) {
					t.Errorf("the history lacks %q: %s", want, tab.Text("main"))
				}
			}
		}
	})
}
