package admin_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestTextSettings saves texts of several languages, refuses wrong values all at once, and shows them in the portal.
func TestTextSettings(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
		page := staff.Open("/admin/settings").Submit("Save", "instance.languages", "en, ar", "portal.accent", "#7CB8F2",
			"instance.currency", "euros", "instance.timezone", "Mars")
		if len(page.Errors()) != 3 || page.Find(`[name="portal.accent"]`).AttrOr("value", "") != "#7CB8F2" ||
			!strings.Contains(page.Text("main"), "is 1.84:1, and 4.5:1 is needed") {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		page = page.Submit("Save", "portal.accent", "#7A1FA2", "instance.currency", "CZK", "instance.timezone",
			"Europe/Prague")
		if page.Status != 200 {
			t.Fatal(page.Errors())
		}
		page = staff.Open("/admin/settings/contact").Submit("Save", "portal.contact_email", "no", "portal.contact_phone",
			"no")
		if len(page.Errors()) != 2 {
			t.Errorf("%v", page.Errors())
		}
		page.Submit("Save", "portal.contact_email", "help@example.org", "portal.contact_phone", "+420 123 456",
			"portal.contact_hours", "Monday to Friday", "portal.contact_hours.ar", "من الاثنين", "portal.contact_address",
			"1 Main Street\nPrague")
		page = staff.Open("/admin/settings/texts").Submit("Save", "portal.help",
			"<script>alert(1)</script>\n\n* See https://example.org/help.", "portal.privacy", "We keep it.")
		if page.Status != 200 || !strings.Contains(page.Find(`[name="portal.help"]`).Text(), "<script>") {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		if got := d.Lines("SELECT value FROM setting WHERE name = 'portal.contact_hours'"); !strings.Contains(got, `"ar":"من`) {
			t.Error(got)
		}
		help := i.Visitor().Open("/help")
		for _, want := range []string{"help@example.org", "+420 123 456", "Monday to Friday", "1 Main Street",
			"<script>alert(1)"} {
			if !strings.Contains(help.Text("main"), want) {
				t.Errorf("help lacks %s", want)
			}
		}
		if strings.Contains(help.Body, "<script>alert") ||
			help.Find(`main a[href="https://example.org/help"]`).Length() != 1 {
			t.Error(help.Body)
		}
		if text := i.Visitor().Open("/privacy").Text("main"); !strings.Contains(text, "We keep it.") ||
			!strings.Contains(text, "true and complete") {
			t.Error(text)
		}
		page = staff.Open("/admin/settings/applications").Submit("Save", "offers.decision_days_default", "2")
		if page.Status != 422 || len(page.Errors()) != 1 || !strings.Contains(page.Errors()[0], "less than the days") {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		page = staff.Open("/admin/settings/mail").Submit("Save", "mail.reply_to", "Office <office@example.org>")
		if to := d.Services.Core.Settings().Mail.ReplyTo; to == nil || to.Address != "office@example.org" {
			t.Errorf("%v %v", to, page.Errors())
		}
		if page = page.Submit("Send test"); page.Status != 422 || len(page.Errors()) != 1 {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		staff.Open("/admin/settings/texts").Submit("Save", "portal.help", "")
		if d.Lines("SELECT value FROM setting WHERE name = 'portal.help'") != "" {
			t.Error("an empty text is saved")
		}
	})
}
