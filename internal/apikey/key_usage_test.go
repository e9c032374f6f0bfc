package apikey_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// TestUnusualUse mails the owner of a key whose quota refused calls, and of one that is used again after months, once a
// day each; nobody is told of keys that are used as usual, or that have ended.
func TestUnusualUse(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Write("INSERT INTO administrator (id, name, email) VALUES (70, 'Mara Lind', 'mara@example.edu'), (71, 'Gone', 'gone@example.edu')",
			"UPDATE administrator SET suspended = TRUE WHERE id = 71")
		keys, one, secrets := d.Services.Keys, 1, map[int64]string{}
		newKey := func(owner string) *admitto.Key {
			t.Helper()
			_, secret, err := keys.CreateKey(t.Context(), servicestest.ByKey(),
				apikey.NewKey{Label: "Key of " + owner, Owner: owner,
					Scope: admitto.ScopeAll, PerMinute: &one})
			d.Must(err)
			k, err := keys.Authenticate(t.Context(), secret)
			d.Must(err)
			secrets[k.ID] = secret
			return k
		}
		busy, calm, ended := newKey("mara lind"), newKey("gone@example.edu"), newKey("MARA@example.edu")
		call := func(k *admitto.Key, times int) {
			t.Helper()
			for range times {
				_, err := keys.Authenticate(t.Context(), secrets[k.ID])
				d.Must(err)
				q, err := keys.TakeQuota(t.Context(), k)
				d.Must(err)
				if !q.Refused {
					keys.Called(k.ID, "GET /ping", 10)
				}
			}
		}
		told := func(want ...string) {
			t.Helper()
			for range 2 {
				d.Must(keys.SaveKeyUse(t.Context(), admitto.SystemCaller()))
				d.Must(keys.WatchKeys(t.Context(), admitto.SystemCaller()))
			}
			var got []string
			for _, m := range d.Mails() {
				got = append(got, m.To.Email+": "+m.Subject)
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%q, want %q", got, want)
			}
		}
		of := func(label string) string {
			return "mara@example.edu: The API key \"" + label + "\" is used in an unusual way"
		}
		call(busy, 1)
		call(calm, 1)
		call(ended, 1)
		told()
		call(busy, 3)
		told(of("Key of mara lind"))
		d.Clock.Add(5 * admitto.Hour)
		call(busy, 3)
		told()
		d.Clock.Add(20 * admitto.Hour)
		call(busy, 3)
		call(ended, 3)
		d.Must(keys.RevokeKey(t.Context(), servicestest.ByKey(), ended.ID))
		told(of("Key of mara lind"))
		d.Clock.Add(80 * admitto.Day)
		call(calm, 1)
		told()
		d.Clock.Add(91 * admitto.Day)
		told()
		call(busy, 1)
		told(of("Key of mara lind"))
	})
}
