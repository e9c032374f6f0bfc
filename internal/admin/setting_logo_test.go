package admin_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store"
)

func logoOf(t *testing.T, w, h int) string {
	t.Helper()
	out := &bytes.Buffer{}
	if err := png.Encode(out, image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLogo uploads a logo, shows it at the top of the portal, changes it and takes it away; what is no picture is
// refused, stays until it is removed, and nothing else is saved with it.
func TestLogo(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		i.Keep()
		staff := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
		visitor := i.Visitor()
		logo := func() string { return visitor.Open("/help").Find(".logo img").AttrOr("src", "") }
		if logo() != "" || visitor.Open("/help").Text(".logo") == "" {
			t.Error("there is a logo before one was chosen")
		}

		page := staff.Open("/admin/settings").SubmitFile("portal.logo", "logo.svg", "<svg onload='alert(1)'/>",
			"instance.name", "New Name", "instance.currency", "euros")
		if said := page.Errors(); page.Status != 422 || len(said) != 2 ||
			!strings.Contains(strings.Join(said, " "), "no PNG or JPEG") ||
			page.Find(`a[href="#f-portal-logo"]`).Length() != 1 ||
			page.Find("#f-portal-logo").AttrOr("aria-invalid", "") != "true" ||
			!strings.Contains(page.Text(".files"), "logo.svg kept") ||
			page.Find(`[name="instance.name"]`).AttrOr("value", "") != "New Name" {
			t.Errorf("%d %q %s", page.Status, said, page.Text("main"))
		}
		page = page.Submit("Save", "instance.currency", "EUR")
		if said := page.Errors(); page.Status != 422 || len(said) != 1 ||
			d.Services.Core.Settings().Instance.Name == "New Name" {
			t.Errorf("%d %q", page.Status, said)
		}
		page = page.Submit("Remove this file logo.svg")
		if page.Find(".files").Length() != 0 || page.Find(`[name="instance.name"]`).AttrOr("value", "") != "New Name" {
			t.Error(page.Text("main"))
		}
		page = page.SubmitFile("portal.logo", "logo.png", logoOf(t, 120, 40))
		first := logo()
		if page.Status != 200 || !strings.HasPrefix(first, "/brand/logo-") ||
			page.Find(".files img").AttrOr("src", "") != first ||
			d.Services.Core.Settings().Instance.Name != "New Name" || d.Number("SELECT count(*) FROM stash_file") != 0 {
			t.Errorf("%d %q %s", page.Status, page.Errors(), first)
		}
		if alt := visitor.Open("/help").Find(".logo img").AttrOr("alt", ""); alt != "New Name" {
			t.Error(alt)
		}
		if n := d.Number("SELECT count(*) FROM loose_file"); n != 0 {
			t.Errorf("%d files are loose", n)
		}
		answer := visitor.Open(first)
		if answer.Status != 200 || answer.Header.Get("Content-Type") != "image/png" ||
			answer.Header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.Contains(answer.Header.Get("Cache-Control"), "immutable") || answer.Body != logoOf(t, 120, 40) {
			t.Errorf("%d %v", answer.Status, answer.Header)
		}
		for _, address := range []string{"/brand/logo-", "/brand/logo-x.png", first + "x",
			"/brand/logo-..%2F..%2Fetc%2Fpasswd",
			"/brand/logo-" + strings.Repeat("0", 64) + ".png", strings.Replace(first, ".png", ".jpg", 1)} {
			if page := visitor.Open(address); page.Status != 404 {
				t.Errorf("%s: %d", address, page.Status)
			}
		}
		d.Must(d.Store.Read(t.Context(), func(tx *store.Tx) error {
			referred, err := tx.ReferredFiles()
			if !strings.Contains(strings.Join(referred, " "), first[len("/brand/logo-"):len("/brand/logo-")+64]) {
				t.Error("a backup lacks the logo")
			}
			return err
		}))

		if page = staff.Open("/admin/settings").SubmitFile("portal.logo", "logo.png",
			logoOf(t, 100, 30)); page.Status != 200 || logo() == first {
			t.Errorf("%d %s", page.Status, logo())
		}
		d.Clock.Add(2 * admitto.Hour)
		d.Must(d.Services.Files.TidyFiles(t.Context(), admitto.SystemCaller()))
		second := logo()
		if visitor.Open(first).Status != 404 || visitor.Open(second).Status != 200 {
			t.Error("the former logo is answered, or the current one is not")
		}
		if page = staff.Open("/admin/settings").Submit("Save", "portal.logo.clear", "yes"); page.Status != 200 ||
			logo() != "" ||
			page.Find(".files").Length() != 0 {
			t.Errorf("%d %s", page.Status, logo())
		}
		if n := d.Number("SELECT count(*) FROM journal WHERE pattern = 'Setting was changed: ?' AND bind LIKE '%portal.logo%'"); n != 3 {
			t.Errorf("%d changes are journaled", n)
		}

		// The name of a picture that is not kept is refused where settings have no form.
		unknown := strings.Repeat("0", 64) + ".png"
		by := servicestest.Staff()
		err := d.Services.Maintenance.ChangeSetting(t.Context(), by, "portal.logo", &unknown)
		if admitto.KindOf(err) != admitto.InvalidParameter {
			t.Error(err)
		}
		if _, err := d.Services.Maintenance.KeepLogo(t.Context(), by, make([]byte, 65<<10)); admitto.KindOf(err) !=
			admitto.TooLarge {
			t.Error(err)
		}
	})
}
