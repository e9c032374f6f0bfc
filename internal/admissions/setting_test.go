package admissions_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
)

// What one instance saves the others follow; the journal has each change once, and a secret lies sealed.
func TestSettingsReachOtherInstances(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		store := d.connect()
		defer store.Close()
		other := d.another(store, d.post, nil)
		before := len(d.journal())
		change := func(name string, value *string) {
			t.Helper()
			if err := d.office.ChangeSetting(t.Context(), staff(), name, value); err != nil {
				t.Fatal(err)
			}
			if err := other.RefreshSettings(t.Context(), admitto.SystemCaller()); err != nil {
				t.Fatal(err)
			}
		}
		seven, secret := "7", "smtp://u:hunter2hunter2@mail.example.org"
		change("quota.per_minute", &seven)
		change("quota.per_minute", &seven) // changes nothing
		change("mail.smtp", &secret)
		for _, o := range []*admissions.Office{d.office, other} {
			if s := o.Settings(); s.Quota.PerMinute != 7 || string(s.Mail.SMTP) != secret {
				t.Errorf("%+v", s.Quota)
			}
		}
		if text := d.lines("SELECT value FROM setting WHERE name = 'mail.smtp'"); text == "" || strings.Contains(text, "hunter2") {
			t.Errorf("saved as %q", text)
		}
		change("mail.smtp", nil)
		if other.Settings().Mail.SMTP != "" {
			t.Error("a setting that was taken away still counts")
		}
		var got []string
		for _, r := range d.journal()[before:] {
			if r.Pattern != admitto.SettingChanged || r.Actor.Kind != admitto.ByAdministrator || len(r.Details) > 0 {
				t.Errorf("%+v", r)
			}
			got = append(got, r.Bind...)
		}
		if want := "quota.per_minute mail.smtp mail.smtp"; strings.Join(got, " ") != want {
			t.Errorf("journal: %v", got)
		}
		many := "many"
		if err := d.office.ChangeSetting(t.Context(), staff(), "quota.per_minute", &many); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Error(err)
		}
		if err := d.office.ChangeSetting(t.Context(), admissions.Caller{}, "quota.per_minute", nil); admitto.KindOf(err) != admitto.NotPermitted {
			t.Error(err)
		}
	})
}
