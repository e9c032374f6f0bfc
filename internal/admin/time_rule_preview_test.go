package admin_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestTimeRulePreview tries numbers of days: who would be affected is listed, and nothing changes. Names are for those
// who may see applicants.
func TestTimeRulePreview(t *testing.T) {
	onEach(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
		if text := staff.Open("/admin/time-rules/inactive").Text("main"); !strings.Contains(text, "Preview") {
			t.Error(text)
		}
		page := staff.Open("/admin/time-rules/inactive/preview?days=10")
		if text := page.Text("main"); page.Status != 200 || !strings.Contains(text, "the number were 10") ||
			!strings.Contains(text, "Ann Lee") || strings.Contains(text, "Bo Dijk") || d.Status(11) != "Draft" {
			t.Errorf("%d %s", page.Status, text)
		}
		if text := staff.Open("/admin/time-rules/inactive/preview?days=many").Text("main"); !strings.Contains(text, "Write a whole number") {
			t.Error(text)
		}
		other := i.Staff(i.Administrator("Ines Faro", admitto.InstanceAdmin))
		if text := other.Open("/admin/time-rules/inactive/preview").Text("main"); strings.Contains(text, "Ann") || !strings.Contains(text, "11") {
			t.Error(text)
		}
		text := staff.Open("/admin/time-rules").Text("main")
		if !strings.Contains(text, "Automatic") || !strings.Contains(text, "Next run") || strings.Contains(text, "decline") {
			t.Error(text)
		}
	})
}
