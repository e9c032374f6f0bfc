package maintenance_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/usecase"
)

// What one instance saves the others follow; the journal has each change once, and a secret lies sealed.
func TestSettingsReachOtherInstances(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		store := d.Connect()
		defer store.Close()
		other := d.Another(store, d.Post, nil)
		before := len(d.Journal())
		change := func(name string, value *string) {
			t.Helper()
			if err := d.Services.Maintenance.ChangeSetting(t.Context(), servicestest.Staff(), name, value); err != nil {
				t.Fatal(err)
			}
			if err := other.Maintenance.RefreshSettings(t.Context(), admitto.SystemCaller()); err != nil {
				t.Fatal(err)
			}
		}
		seven, secret := "7", "smtp://u:hunter2hunter2@mail.example.org"
		change("quota.per_minute", &seven)
		change("quota.per_minute", &seven) // changes nothing
		change("mail.smtp", &secret)
		for _, o := range []*services.Services{d.Services, other} {
			if s := o.Core.Settings(); s.Quota.PerMinute != 7 || string(s.Mail.SMTP) != secret {
				t.Errorf("%+v", s.Quota)
			}
		}
		if text := d.Lines("SELECT value FROM setting WHERE name = 'mail.smtp'"); text == "" ||
			strings.Contains(text, "hunter2") {
			t.Errorf("saved as %q", text)
		}
		if text := d.Lines("SELECT changed_by || ' ' || changed_by_id FROM setting WHERE name = 'quota.per_minute' AND changed > 0"); text != "administrator 1" {
			t.Errorf("changed by %q", text)
		}
		change("mail.smtp", nil)
		if other.Core.Settings().Mail.SMTP != "" {
			t.Error("a setting that was taken away still counts")
		}
		var got []string
		for _, r := range d.Journal()[before:] {
			if r.Pattern != admitto.SettingChanged || r.Actor.Kind != admitto.ByAdministrator {
				t.Errorf("%+v", r)
			}
			got = append(got, r.Bind...)
			if (r.Bind[0] == "mail.smtp") != (r.DetailHash == "") {
				t.Errorf("%s: its values are not kept as they should be", r.Bind[0])
			}
		}
		if text := d.Lines("SELECT payload FROM journal_detail WHERE payload LIKE '%quota.per_minute%'"); !strings.Contains(text,
			`"old":"180","new":"7"`) {
			t.Errorf("the values are kept as %s", text)
		}
		if want := "quota.per_minute mail.smtp mail.smtp"; strings.Join(got, " ") != want {
			t.Errorf("journal: %v", got)
		}
		many := "many"
		if err := d.Services.Maintenance.ChangeSetting(t.Context(), servicestest.Staff(), "quota.per_minute",
			&many); admitto.KindOf(err) != admitto.InvalidParameter ||
			!strings.Contains(err.Error(), `quota.per_minute from interface: "many" is refused; it must be`) {
			t.Error(err)
		}
		if err := d.Services.Maintenance.ChangeSetting(t.Context(), usecase.Caller{}, "quota.per_minute",
			nil); admitto.KindOf(err) != admitto.NotPermitted {
			t.Error(err)
		}
	})
}
