package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store"
)

// TestUnusedRegistrations erases registrations that nobody has used, by the number of days of the page, and leaves
// those that were used or hold anything.
func TestUnusedRegistrations(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		d.Must(d.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.SkipIDs("applicant", 100) }))
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
		unused, _ := d.Registered("unused@example.org")
		used, token := d.Registered("used@example.org")
		noted, _ := d.Registered("noted@example.org")
		applying, _ := d.Registered("applying@example.org")
		_, err := d.Services.Accounts.UseSignInLink(t.Context(), token, "r5")
		d.Must(err)
		d.Write(fmt.Sprintf("INSERT INTO note (id, applicant_id, text, colour, created) VALUES (900, %d, 'Rang', 'Yellow', 1)", noted),
			fmt.Sprintf("UPDATE application SET applicant_id = %d WHERE id = 12", applying))
		if page := staff.Open("/admin/time-rules/unconfirmed").Submit("Save", "rules.unconfirmed_after_days",
			"20"); !strings.Contains(page.Text("main"), "for 20 days") {
			t.Error(page.Text("main"))
		}
		erase := func() { d.Must(d.Services.Privacy.EraseUnused(t.Context(), admitto.SystemCaller())) }
		there := func(id int64) bool { return d.Number("SELECT count(*) FROM applicant WHERE id = $1", id) == 1 }
		d.Clock.Add(20*admitto.Day - 1)
		erase()
		if !there(unused) {
			t.Error("erased too early")
		}
		// A link that still works keeps it.
		d.Clock.Add(1)
		d.Write(fmt.Sprintf("UPDATE sign_in_token SET expires = %d WHERE applicant_id = %d", d.Clock.Now()+admitto.Hour, unused))
		erase()
		if !there(unused) {
			t.Error("erased although its link works")
		}
		d.Clock.Add(2 * admitto.Hour)
		// A preview lists it, with other numbers not, and neither that nor the mode preview erases.
		const preview = "/admin/time-rules/unconfirmed/preview"
		staff = i.Staff(i.Administrator("Mara Lind again", admitto.AllPermissions().List()...)) // the session is over
		listed := fmt.Sprintf(`a[href="/admin/applicants/%d"]`, unused)
		if page := staff.Open(preview); page.Find("tbody tr").Length() != 1 || page.Find(listed).Length() != 1 ||
			!strings.Contains(page.Text("table"), "Ilse Varga") {
			t.Error(page.Text("main"))
		}
		if page := staff.Open(preview + "?rules.unconfirmed_after_days=30"); page.Find(listed).Length() != 0 {
			t.Error(page.Text("main"))
		}
		if text := i.Staff(i.Administrator("Ines Faro", admitto.InstanceAdmin)).Open(preview).Text(
			"table"); strings.Contains(text, "Varga") {
			t.Error(text)
		}
		staff.Open("/admin/time-rules/unconfirmed").Submit("Save", "rules.unconfirmed_mode", "preview")
		if erase(); !there(unused) {
			t.Error("erased by a preview")
		}
		staff.Open("/admin/time-rules/unconfirmed").Submit("Save", "rules.unconfirmed_mode", "automatic")
		before := len(d.Journal())
		erase()
		erase()
		if there(unused) || !there(used) || !there(noted) || !there(applying) {
			t.Error(there(unused), there(used), there(noted), there(applying))
		}
		d.WantSince(before, "Applicant was erased")
		if n := d.Number("SELECT count(*) FROM purged_resource WHERE object_id = $1 AND marked_by IS NULL", unused); n != 1 {
			t.Errorf("%d in the purge list", n)
		}
		d.Chained()
		// The address is free again.
		_, err = d.Services.Accounts.Register(t.Context(),
			accounts.Registration{Family: "Varga", Email: "unused@example.org", RequestID: "r6"})
		d.Must(err)
		d.Mails()
		if again := d.Number("SELECT id FROM applicant WHERE email_key = 'unused@example.org'"); again <= unused {
			t.Errorf("%d came after %d", again, unused)
		}
		d.Sound()
	})
}
