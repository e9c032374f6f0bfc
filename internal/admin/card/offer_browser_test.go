package card_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/uitest"
)

// TestLivePreview types into a letter in a browser: the preview follows, and the focus stays where it is.
func TestLivePreview(t *testing.T) {
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
		tab.Click(`[data-insert="%offer-Reason%"]`)
		tab.Wait("#preview mark", "%offer-Reason%")
		if d.Number("SELECT count(*) FROM offer WHERE subject <> 'Place' AND comments LIKE 'Dear%'") != 0 {
			t.Error("the preview saves")
		}
	})
}
