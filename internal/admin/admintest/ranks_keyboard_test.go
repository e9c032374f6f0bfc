package admintest

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/uitest"
)

// TestScoreByKeyboard enters twenty points by keyboard only, with scripts and without, and finds what was typed when
// the page was left.
func TestScoreByKeyboard(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	t.Parallel()
	i, sheet, all := toScore(t)
	scores := all[:20]
	address := fmt.Sprintf("/admin/scoresheets/%d/score", sheet)
	browser := uitest.Open(t, i)
	for _, scripts := range []bool{true, false} {
		i.Put(fmt.Sprintf("UPDATE score SET points = NULL, scored = NULL WHERE scoresheet_id = %d", sheet))
		scorer := i.Administrator(fmt.Sprint("Kofi Haugen ", scripts), admitto.ApplicationsScore)
		tab := browser.Tab(t, uitest.Page{Name: fmt.Sprint("keys-score-", scripts), Path: address,
			Cookie: i.Cookie(accounts.Administration, scorer)}, scripts)
		for n, id := range scores {
			tab.Find(fmt.Sprintf("form[action*='at=%s'] #f-points:focus", id))
			tab.Write(fmt.Sprint(n + 1))
			tab.Enter()
		}
		tab.Find(fmt.Sprintf("form[action*='at=%s'] #f-points:focus", append(all[20:], scores...)[0]))
		for n, id := range scores {
			if got := i.Number("SELECT coalesce(points, -1) FROM score WHERE id = " + id); got != int64(n+1)*10_000 {
				t.Errorf("scripts %v: the points of %s are %d, not %d", scripts, id, got, n+1)
			}
		}
		if scripts {
			tab.Open(address + "?at=" + scores[3])
			tab.Find("#f-points:focus")
			tab.Write("9")
			tab.Open("/admin/")
			tab.Find("h1")
			tab.Open(address + "?at=" + scores[3])
			tab.Wait("main form .notice", "Not saved yet. Check and press Save.")
			if got := tab.Value("#f-points"); got != "49" && got != "94.00" && got != "4.009" && got != "9" {
				t.Error("what was typed is lost: ", got)
			}
		}
	}
}
