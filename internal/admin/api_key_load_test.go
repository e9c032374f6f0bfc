package admin_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestKeyLoad shows what a key uses of its quota, what it called last, how often it was refused and what it uses that
// will end; a key that is revoked here is refused by another instance within a second.
func TestKeyLoad(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.APIAdmin))
		made := staff.Open("/admin/api-keys/new").Submit("Create the key", "label", "Student system", "scope", "all",
			"per_minute", "2", "per_hour", "50")
		secret := made.Text("#key")
		keys := d.Services.Keys
		key, err := keys.Authenticate(t.Context(), secret)
		d.Must(err)
		for n, refused := range []bool{false, false, true} {
			if q, err := keys.TakeQuota(t.Context(), key); err != nil || q.Refused != refused {
				t.Fatalf("request %d: %+v %v", n, q, err)
			}
		}
		keys.Called(key.ID, "GET /ping", 10)
		for range 3 {
			keys.Count(admitto.KeyUse{Key: key.ID, Operation: "GET /applicants", Version: 3, What: "version"})
		}
		d.Must(keys.SaveKeyUse(t.Context(), admitto.SystemCaller()))
		text := staff.Open("/admin/api-keys/1").Text("main")
		for _, want := range []string{"last minute2 of 2", "last hour2 of 50", "1 request was refused",
			"GET /ping in version 10",
			"GET /applicants3version"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %s", want, text)
			}
		}
		d.Clock.Add(2 * admitto.Minute)
		if text := staff.Open("/admin/api-keys/1").Text("main"); !strings.Contains(text, "last minute0 of 2") ||
			!strings.Contains(text, "last hour2 of 50") {
			t.Error(text)
		}
		other := d.Another(d.Store, d.Post, nil).Keys
		if k, err := other.Authenticate(t.Context(), secret); err != nil || k == nil {
			t.Fatal(k, err)
		}
		staff.Open("/admin/api-keys/1/revoke").Submit("Revoke the key")
		d.Clock.Add(admitto.Second)
		if k, err := other.Authenticate(t.Context(), secret); err != nil || k != nil {
			t.Errorf("another instance takes the key: %v", err)
		}
		if staff.Open("/admin/").Find(`nav a[href="/admin/api-keys"]`).Length() != 1 {
			t.Error("no item in the menu")
		}
		d.Services.Core.Settings().API.Enabled = false
		if staff.Open("/admin/").Find(`nav a[href="/admin/api-keys"]`).Length() != 0 ||
			staff.Open("/admin/api-keys").Status != 404 {
			t.Error("the item stays without the API")
		}
		d.Clock.Add(31 * admitto.Day)
		d.Must(d.Services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()))
		if n := d.Number("SELECT count(*) FROM api_key_refused"); n != 0 {
			t.Error(n, " counts are kept")
		}
	})
}
