package admin_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// settingPages are the addresses of all forms of settings.
func settingPages(staff *sitetest.Visitor) (pages []string) {
	for _, start := range []string{"/admin/settings", "/admin/time-rules"} {
		links := staff.Open(start).Find("main a")
		for n := range links.Length() {
			href := links.Eq(n).AttrOr("href", "")
			if strings.HasPrefix(href, start) && !slices.Contains(pages, href) {
				pages = append(pages, href)
			}
		}
	}
	return pages
}

// TestEverySettingHasAForm fails for a setting that may be saved and that no page has, that two have, or that no
// message names.
func TestEverySettingHasAForm(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	staff := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
	found := map[string]string{}
	for _, address := range settingPages(staff) {
		page := staff.Open(address)
		for _, row := range config.Table() {
			field := page.Find(`[name="` + row.Name + `"]`).First()
			if field.Length() == 0 {
				continue
			}
			if found[row.Name] != "" || row.StartOnly {
				t.Errorf("%s is on %s and %s", row.Name, found[row.Name], address)
			}
			found[row.Name] = address
			if strings.Contains(page.Text("main"), row.Name) {
				t.Errorf("no message names %s", row.Name)
			}
		}
	}
	for _, row := range config.Table() {
		if !row.StartOnly && found[row.Name] == "" {
			t.Errorf("no page has %s", row.Name)
		}
	}
}

// TestSettings changes settings, refuses wrong values and what somebody else changed meanwhile, and never shows a
// secret.
func TestSettings(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
		address := "/admin/settings/applications"
		first := staff.Open(address)
		page := first.Submit("Save", "applications.max_courses", "many", "invoices.payment_days", "30")
		if page.Status != 422 || len(page.Errors()) != 1 || page.Errors()[0] != "Write a whole number from 1 to 100" ||
			page.Find(`[name="applications.max_courses"]`).AttrOr("value", "") != "many" ||
			page.Find(`[name="invoices.payment_days"]`).AttrOr("value", "") != "30" {
			t.Errorf("%d %v %s", page.Status, page.Errors(), page.Text("main"))
		}
		page = page.Submit("Save", "applications.max_courses", "12")
		if text := page.Text(".notice div"); !strings.HasPrefix(text, "Saved at ") || page.Status != 200 {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		if s := d.Services.Core.Settings(); s.Applications.MaxCourses != 12 || s.Invoices.PaymentDays != 30 {
			t.Errorf("%+v", s.Applications)
		}
		if text := staff.Open(address).Text("main"); !strings.Contains(text, "Default: 14 days. Changed by Mara Lind on ") {
			t.Error(text)
		}

		page = first.Submit("Save", "applications.max_courses", "8")
		if page.Status != 422 || d.Services.Core.Settings().Applications.MaxCourses != 12 ||
			!strings.Contains(page.Text("main"), "Mara Lind") {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		page = page.Submit("Save", "keep.invoices.payment_days", "theirs")
		if s := d.Services.Core.Settings(); s.Applications.MaxCourses != 8 || s.Invoices.PaymentDays != 30 {
			t.Errorf("%d %+v %+v %s", page.Status, s.Applications, s.Invoices, page.Text("main"))
		}

		secret := "smtp://u:hunter2hunter2@mail.example.org"
		page = staff.Open("/admin/settings/mail").Submit("Save", "mail.smtp", "nonsense hunter2hunter2")
		if page.Status != 422 || strings.Contains(page.Body, "hunter2") {
			t.Errorf("%d %s", page.Status, page.Text("main"))
		}
		page = page.Submit("Save", "mail.smtp", secret)
		if string(d.Services.Core.Settings().Mail.SMTP) != secret || strings.Contains(page.Body, "hunter2") {
			t.Error(page.Text("main"))
		}
		if page = page.Submit("Save"); string(d.Services.Core.Settings().Mail.SMTP) != secret {
			t.Error("an empty field took the secret away")
		}
		page.Submit("Save", "mail.smtp.clear", "yes")
		if d.Services.Core.Settings().Mail.SMTP != "" {
			t.Error("the secret is still set")
		}

		page = staff.Open("/admin/settings/api").Submit("Save", "api.default_version", "1", "api.oldest_version", "5")
		if page.Status != 422 || len(page.Errors()) != 1 || !strings.Contains(page.Errors()[0], "is older than") {
			t.Errorf("%d %v", page.Status, page.Errors())
		}
		page = staff.Open("/admin/time-rules/inactive").Submit("Save", "rules.inactive_after_days", "10")
		if page.Path != "/admin/time-rules" || !strings.Contains(page.Text("main"), "for 10 days") {
			t.Errorf("%s %s", page.Path, page.Text("main"))
		}
		staff.Open("/admin/time-rules/inactive").Submit("Save", "rules.inactive_after_days", "15")
		if d.Lines("SELECT value FROM setting WHERE name = 'rules.inactive_after_days'") != "" {
			t.Error("the default is saved")
		}
		for _, address := range []string{"/admin/settings/nothing", "/admin/time-rules/x"} {
			if page = staff.Open(address); page.Status != 404 {
				t.Errorf("%s: %d", address, page.Status)
			}
		}
		d.WantSince(0, "Setting was changed: applications.max_courses", "Setting was changed: invoices.payment_days",
			"Setting was changed: applications.max_courses", "Setting was changed: mail.smtp",
			"Setting was changed: mail.smtp", "Setting was changed: rules.inactive_after_days",
			"Setting was changed: rules.inactive_after_days")
	})
}

// TestFixedSetting shows what wins over the page, and leaves it alone.
func TestFixedSetting(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	fixed, err := config.Load(config.Sources{Env: []string{"ADMITTO_INSTANCE_CURRENCY=CZK"}})
	if err != nil {
		t.Fatal(err)
	}
	*i.Services.Core.Settings() = *fixed // as if it had been started with them
	staff := i.Staff(i.Administrator("Mara Lind", admitto.InstanceAdmin))
	page := staff.Open("/admin/settings")
	field := page.Find(`[name="instance.currency"]`)
	if _, disabled := field.Attr("disabled"); !disabled || field.AttrOr("value", "") != "CZK" ||
		!strings.Contains(page.Text("main"), "environment variable ADMITTO_INSTANCE_CURRENCY") {
		t.Error(page.Text("main"))
	}
	if page = page.Submit("Save", "instance.name", "Aleph"); page.Status != 200 ||
		i.Services.Core.Settings().Instance.Name != "Aleph" {
		t.Errorf("%d %v", page.Status, page.Errors())
	}
}
