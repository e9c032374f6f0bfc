package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestTimeRulePreview tries numbers of days: who would be affected is listed, and nothing changes. Names are for those
// who may see applicants.
func TestTimeRulePreview(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
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
		if text := staff.Open("/admin/time-rules/inactive/preview?days=many").Text("main"); !strings.Contains(text,
			"Write a whole number") {
			t.Error(text)
		}
		other := i.Staff(i.Administrator("Ines Faro", admitto.InstanceAdmin))
		if text := other.Open("/admin/time-rules/inactive/preview").Text("main"); strings.Contains(text, "Ann") ||
			!strings.Contains(text, "11") {
			t.Error(text)
		}
		text := staff.Open("/admin/time-rules").Text("main")
		if !strings.Contains(text, "Automatic") || !strings.Contains(text, "Next run") ||
			!strings.Contains(text, "Off Version 1") {
			t.Error(text)
		}
	})
}

// TestTimeRuleModes turns a rule off and on again, and tries other numbers of a reminder: nothing changes by that.
func TestTimeRuleModes(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		// The next run is on another day than now, so the reminder is due a day later than it looks.
		next := d.Services.Core.DayOf(jobs.Next(d.Services, "remind-reopened", d.Clock.Now()))
		d.Write(fmt.Sprintf("UPDATE application SET status = 'Reopened', revised = 1, reopened = %d WHERE id = 11",
			admitto.TimeOf(next.AddDays(-3).In(d.Services.Core.Settings().Instance.Timezone))))
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
		const preview = "/admin/time-rules/reopened-reminder/preview"
		const tried = preview + "?rules.reopened_reminder_after_days="
		if page := staff.Open("/admin/time-rules/reopened-reminder"); page.Find(`a[href="`+preview+`"]`).Length() != 1 {
			t.Error(page.Text("main"))
		}
		for path, found := range map[string]bool{preview: true, tried + "3": true, tried + "4": false, tried +
			"many": false} {
			page := staff.Open(path)
			if text := page.Text("main"); page.Status != 200 || strings.Contains(text, "Ann Lee") != found ||
				strings.HasSuffix(path, "many") != strings.Contains(text, "Write a whole number") {
				t.Errorf("%s: %d %s", path, page.Status, text)
			}
		}
		other := i.Staff(i.Administrator("Ines Faro", admitto.InstanceAdmin)).Open(preview)
		if text := other.Text("table"); strings.Contains(text, "Ann") || !strings.Contains(text, "11") ||
			other.Find("table a").Length() != 0 {
			t.Error(text)
		}
		for _, path := range []string{
			"/admin/time-rules/reminder-hour/preview", "/admin/time-rules/x/preview"} {
			if page := staff.Open(path); page.Status != 404 {
				t.Error(path, page.Status)
			}
		}
		row := func(page *sitetest.Page) string {
			return strings.Join(strings.Fields(page.Find(`tr:contains("Invoices without a reason")`).Text()), " ")
		}
		if text := row(staff.Open("/admin/time-rules")); !strings.Contains(text, "Automatic Version 1") {
			t.Error(text)
		}
		page := staff.Open("/admin/time-rules/lapse").Submit("Save", "rules.lapse_mode", "off")
		if text := row(page); page.Path != "/admin/time-rules" || !strings.Contains(text, "Off Version 2") {
			t.Errorf("%s %s", page.Path, text)
		}
		if text := staff.Open("/admin/time-rules/lapse").Text("main"); !strings.Contains(text,
			"Version 2, valid from 9 March 2026") {
			t.Error(text)
		}
		if d.Services.Core.Settings().Rules.LapseMode != "off" {
			t.Error("the rule is still on")
		}
		if page = staff.Open("/admin/time-rules/lapse").Submit("Save", "rules.lapse_mode", "sometimes"); page.Status != 422 {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		if text := row(staff.Open("/admin/time-rules/lapse").Submit("Save", "rules.lapse_mode",
			"automatic")); !strings.Contains(text, "Automatic Version 3") {
			t.Error(text)
		}
		if d.Status(11) != "Reopened" || d.Count("rule_action") != 0 {
			t.Error("looking changed something")
		}
	})
}
