package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestAPIKeys makes a key, which is shown once and nowhere afterwards, changes it, replaces it and revokes it.
func TestAPIKeys(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		mara := i.Administrator("Mara Lind", admitto.APIAdmin)
		staff := i.Staff(mara)
		page := staff.Open("/admin/api-keys")
		if !strings.Contains(page.Text("main"), "No API keys yet") {
			t.Error(page.Text("main"))
		}
		page = staff.Open("/admin/api-keys/new").Submit("Create the key", "label", " ", "scope", "operations", "per_hour",
			"x")
		if page.Status != 422 || len(page.Errors()) != 3 || page.Find("#f-per-hour").AttrOr("value", "") != "x" {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		page = page.Submit("Create the key", "per_hour", "")
		if page.Status != 422 || len(page.Errors()) != 2 {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		page = page.Submit("Create the key", "label", "Student system", "operations", "reading applicants", "expires", "30")
		secret := page.Text("#key")
		if page.Status != 200 || !strings.HasPrefix(secret, "admitto_") || page.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %s", page.Status, page.Text("main"))
		}
		key, err := d.Services.Keys.Authenticate(t.Context(), secret)
		if err != nil || key == nil || !key.Allows("GET", "/applicants/{id}") || key.Allows("GET", "/ping") ||
			key.Allows("POST", "/applicants") {
			t.Fatalf("%+v %v", key, err)
		}
		if call := page.Text("#call"); !strings.HasSuffix(call, "/applicants'") {
			t.Errorf("the first call is none that the key may make: %s", call)
		}
		card := staff.Open("/admin/api-keys/1")
		if text := card.Text("main"); !strings.Contains(text, "No request was refused in 24 hours (429).") {
			t.Error(text)
		}
		for _, p := range []*sitetest.Page{card, staff.Open("/admin/api-keys"), staff.Open("/admin/api-keys/new")} {
			if strings.Contains(p.Body, secret) {
				t.Error(p.Path, " shows the key again")
			}
		}
		if d.Readable(secret) {
			t.Error("the key lies in the database")
		}
		if page = card.Submit("Save", "label", "Students", "scope", "read-only"); page.Text("main .notice div") !=
			"Saved. It counts within a second." || page.Text("h1") != "Students" {
			t.Errorf("%d %v", page.Status, page.Text("main"))
		}
		d.Clock.Add(admitto.Second)
		if key, err = d.Services.Keys.Authenticate(t.Context(), secret); err != nil || !key.Allows("GET", "/ping") {
			t.Errorf("%+v %v", key, err)
		}
		if page = staff.Open("/admin/api-keys/1/roll").Submit("Replace the key", "hours", " "); page.Status != 422 {
			t.Errorf("no hours end the old key: %d %s", page.Status, page.Text("main"))
		}
		fresh := staff.Open("/admin/api-keys/1/roll").Submit("Replace the key", "hours", "2").Text("#key")
		d.Clock.Add(admitto.Hour)
		for _, text := range []string{secret, fresh} {
			if key, err = d.Services.Keys.Authenticate(t.Context(), text); err != nil || key == nil {
				t.Errorf("in the first hours both keys count: %v", err)
			}
		}
		d.Clock.Add(admitto.Hour)
		if old, err := d.Services.Keys.Authenticate(t.Context(), secret); err != nil || old != nil {
			t.Errorf("%+v %v", old, err)
		}
		staff = i.Staff(mara) // the proof of identity is too old by now
		page = staff.Open("/admin/api-keys/2/revoke").Submit("Revoke the key")
		if again := staff.Open("/admin/api-keys/2/revoke"); again.Path != "/admin/api-keys/2" {
			t.Errorf("a key that is revoked can be revoked at %s", again.Path)
		}
		if key, err = d.Services.Keys.Authenticate(t.Context(), fresh); err != nil || key != nil ||
			!strings.Contains(page.Text("main"), "Revoked on 9 March 2026") {
			t.Errorf("%+v %v %s", key, err, page.Text("main"))
		}
		if page = staff.Open("/admin/api-keys/9"); page.Status != 404 {
			t.Error(page.Status)
		}
		d.WantSince(0, "API key was created: 1", "API key was edited: 1", "API key was created: 2",
			"API key was edited: 1", "API key was revoked: 2")
	})
}

// TestAPIKeyRolledTwice has two members of staff replace a key at once: one of them does, and the other is led to the
// new key. It is valid as long as the old one was to be, which the end of the old one does not shorten.
func TestAPIKeyRolledTwice(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		staff, other := i.Staff(i.Administrator("Mara Lind", admitto.APIAdmin)), i.Staff(i.Administrator("Hana Yildiz",
			admitto.APIAdmin))
		staff.Open("/admin/api-keys/new").Submit("Create the key", "label", "CRM", "scope", "read-only", "expires", "30")
		ends := i.Number("SELECT expires FROM api_key")
		mine, theirs, again := staff.Open("/admin/api-keys/1/roll"), other.Open("/admin/api-keys/1/roll"),
			staff.Open("/admin/api-keys/1/roll")
		if text := mine.Text("main"); !strings.Contains(text, "until 8 April 2026") {
			t.Error(text)
		}
		if page := mine.Submit("Replace the key", "hours", "2"); page.Status != 200 || page.Text("#key") == "" {
			t.Fatal(page.Status, page.Text("main"))
		}
		for _, late := range []*sitetest.Page{theirs, again} {
			if page := late.Submit("Replace the key", "hours", "0"); page.Status != 422 ||
				!strings.Contains(page.Text("main"), "Another key was made in the place of this one") {
				t.Errorf("%d %s", page.Status, page.Text("main"))
			}
		}
		page := other.Open("/admin/api-keys/1/roll")
		if page.Find(`main a[href="/admin/api-keys/2"]`).Length() != 1 || page.Find("main form").Length() != 0 {
			t.Error(page.Text("main"))
		}
		page = other.Open("/admin/api-keys/1")
		if text := page.Text("main"); !strings.Contains(text, "Replaced by") ||
			!strings.Contains(text, "Valid until 9 March 2026, ") {
			t.Error(text)
		}
		if got := d.Lines("SELECT expires FROM api_key WHERE id <> 1"); got != fmt.Sprint(ends) {
			t.Errorf("the new keys end at %s, not at %d", got, ends)
		}
		// The one in its place can be replaced in its turn, and at once.
		if page = other.Open("/admin/api-keys/2/roll").Submit("Replace the key", "hours", "0"); page.Status != 200 {
			t.Error(page.Status, page.Text("main"))
		}
		if text := other.Open("/admin/api-keys/2/roll").Text("main"); !strings.Contains(text, "The key has ended") {
			t.Error(text)
		}
	})
}

// TestAPIKeyByTwo has two members of staff change a key at once: the second chooses what stays. What is saved as it was
// is no change, also of a key that ends within a day, and the journal says what changed (lifecycle.md R7, R8).
func TestAPIKeyByTwo(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		staff, other := i.Staff(i.Administrator("Mara Lind", admitto.APIAdmin)), i.Staff(i.Administrator("Hana Yildiz",
			admitto.APIAdmin))
		staff.Open("/admin/api-keys/new").Submit("Create the key", "label", "CRM", "scope", "read-only", "expires", "30")
		ends := i.Number("SELECT expires FROM api_key")
		mine, theirs := staff.Open("/admin/api-keys/1"), other.Open("/admin/api-keys/1")
		if page := staff.Open("/admin/api-keys/1").Submit("Save"); page.Text("main .notice div") !=
			"Saved. It counts within a second." {
			t.Error(page.Text("main"))
		}
		d.WantSince(0, "API key was created: 1")
		theirs.Submit("Save", "label", "Contacts")
		page := mine.Submit("Save", "scope", "all", "label", "CRM 2")
		if text := page.Text("main form"); !strings.Contains(text, "Saved meanwhile: Contacts") ||
			!strings.Contains(text, "Hana Yildiz") {
			t.Fatal(text)
		}
		if page = page.Submit("Save", "keep.label", "theirs", "keep.scope", "mine"); page.Text("h1") != "Contacts" {
			t.Error(page.Errors(), page.Text("main"))
		}
		if got := i.Lines("SELECT label || ' ' || scope FROM api_key"); strings.TrimSpace(got) != "Contacts all" {
			t.Error(got)
		}
		if after := i.Number("SELECT expires FROM api_key"); after != ends {
			t.Errorf("the key ends %d microseconds later", after-ends)
		}
		d.WantSince(0, "API key was created: 1", "API key was edited: 1", "API key was edited: 1")
		event := i.Number("SELECT max(id) FROM journal")
		reader := i.Staff(i.Administrator("Kofi Haugen", admitto.JournalView))
		if text := reader.Open(fmt.Sprintf("/admin/journal/%d", event)).Text("main"); !strings.Contains(text, "read-only") {
			t.Error(text)
		}
	})
}
