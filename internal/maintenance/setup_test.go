package maintenance_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// refusedFor returns the paths of the faults of a refusal, and its code.
func refusedFor(t *testing.T, err error) (paths []string, code string) {
	t.Helper()
	var e *admitto.Error
	if !errors.As(err, &e) {
		t.Fatalf("no refusal: %v", err)
	}
	for _, f := range e.Faults {
		paths, code = append(paths, string(f.Path)), f.Code
	}
	return paths, code
}

func TestSetUp(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		if err := d.Store.Seed(t.Context(), "Admitto", 2026); err != nil {
			t.Fatal(err)
		}
		m, ctx := d.Services.Maintenance, t.Context()
		first, err := m.FirstSetupLink(ctx, admitto.SystemCaller())
		if again, err := m.FirstSetupLink(ctx, admitto.SystemCaller()); first == "" || again != "" || err != nil {
			t.Errorf("%q, then %q, %v", first, again, err)
		}
		link, err2 := m.NewSetupLink(ctx, admitto.SystemCaller())
		token, ours := strings.CutPrefix(link, "https://admissions.example.edu/setup/")
		if err != nil || err2 != nil || !ours || d.Readable(token) {
			t.Fatalf("%q, %v, %v", link, err, err2)
		}
		former, _ := strings.CutPrefix(first, "https://admissions.example.edu/setup/")
		for _, dead := range []string{former, "", "x"} {
			if _, code := refusedFor(t, m.SetupOpen(ctx, dead)); code != "setup-link-dead" {
				t.Errorf("refused as %q", code)
			}
		}
		d.Clock.Add(admitto.Day - 1)
		in := maintenance.Setup{Settings: map[string]string{"instance.name": "Northfield", "instance.timezone": "Nowhere",
			"mail.smtp": "gopher://x"}, Name: "", Email: "kim", Password: "password1"}
		_, err = m.SetUp(ctx, token, in)
		paths, _ := refusedFor(t, err)
		want := []string{"administrator.email", "administrator.name", "administrator.password", "instance.timezone",
			"mail.smtp"}
		if slices.Sort(paths); !slices.Equal(paths, want) {
			t.Errorf("%v", paths)
		}
		if words, err := m.TrySetupMail(ctx, token, "smtp://127.0.0.1:1?tls=none"); err != nil || words == "" {
			t.Errorf("a mail server that is not there: %q, %v", words, err)
		}
		in = maintenance.Setup{Settings: map[string]string{"instance.name": "Northfield",
			"instance.timezone": "Europe/Lisbon",
			"instance.currency": "HUF", "mail.smtp": "smtp://user:vEryHidd3n@mail.example.edu:587"},
			Name: "Kim Doe", Email: "kim@example.edu", Password: "a fine new password"}
		id, err := m.SetUp(ctx, token, in)
		if err != nil {
			t.Fatal(err)
		}
		who, err := d.Services.Accounts.StaffMember(ctx, id)
		if err != nil || who.Permissions != admitto.AllPermissions() {
			t.Errorf("%+v, %v", who, err)
		}
		if s := d.Services.Core.Settings(); s.Instance.Name != "Northfield" || s.Instance.Currency != "HUF" ||
			s.Instance.Timezone.String() != "Europe/Lisbon" || d.Readable("vEryHidd3n") {
			t.Errorf("%+v", s.Instance)
		}
		if n := d.Number("SELECT count(*) FROM institution WHERE id = 1 AND name = 'Northfield'"); n != 1 {
			t.Error("the institution has another name")
		}
		var patterns []admitto.Pattern
		for _, r := range d.Journal() {
			patterns = append(patterns, r.Pattern)
		}
		if !slices.Contains(patterns, admitto.InstanceSetUp) || !slices.Contains(patterns, admitto.StaffCreated) {
			t.Errorf("%v", patterns)
		}
		_, err = m.SetUp(ctx, token, in)
		if paths, code := refusedFor(t, err); len(paths) > 0 || code != "" {
			t.Errorf("a second set-up: %v", err)
		}
		_, err = m.NewSetupLink(ctx, admitto.SystemCaller())
		servicestest.WantKind(t, err, admitto.NotAllowedNow)
		d.Sound(token)
	})
}
