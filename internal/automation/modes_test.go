package automation_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
)

// A preview of reminders names whom they would go to, with other numbers too, in parts, and changes nothing. A rule in
// the mode preview counts them, one that is off does nothing, and an automatic one reminds just those.
func TestModesOfRules(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		a, core := d.Services.Automation, d.Services.Core
		ago := func(days int) admitto.Time { return d.Clock.Now() - admitto.Time(days)*admitto.Day }
		add := func(id, days int) {
			d.Write(fmt.Sprintf("INSERT INTO applicant (id, state, lead, registered, email, email_key, family) VALUES (%d, 'live', FALSE, 1, 'p%[1]d@example.org', 'p%[1]d@example.org', 'Lee %[1]d')", id),
				fmt.Sprintf("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, reopened) VALUES (%d, %[1]d, 13, 'Reopened', 1, 1, %d)",
					id, ago(days)))
		}
		add(40, 3)
		add(41, 4)
		add(42, 5)
		const all = "SELECT id || ' ' || status || ' ' || row_version FROM application ORDER BY id"
		before, records := d.Lines(all), len(d.Journal())
		still := func() {
			t.Helper()
			if d.Lines(all) != before || len(d.Journal()) != records || d.Count("outbox") != 0 || d.Count("rule_action") != 0 {
				t.Errorf("something changed: %d mails, %d actions", d.Count("outbox"), d.Count("rule_action"))
			}
		}
		preview := func(job string, set *config.Settings) (ids []int64) {
			t.Helper()
			for after, parts := int64(0), 0; after != 0 || parts == 0; parts++ {
				found, err := a.Preview(t.Context(), admitto.SystemCaller(), job, set, d.Clock.Now(), after)
				d.Must(err)
				for _, c := range found.List {
					if ids = append(ids, c.Application); c.Applicant != c.Application ||
						c.Name.Family != fmt.Sprintf("Lee %d", c.Application) {
						t.Errorf("%+v", c)
					}
				}
				if after = found.Next; parts == 20 {
					t.Fatal("there is no end")
				}
			}
			still()
			return ids
		}
		const job = "remind-reopened"
		if got := preview(job, core.Settings()); !slices.Equal(got, []int64{40}) {
			t.Errorf("3 days: %v", got)
		}
		later, ok := core.Settings().With(map[string]string{"rules.reopened_reminder_after_days": "5"})
		if got := preview(job, later); !ok || !slices.Equal(got, []int64{42}) {
			t.Errorf("5 days: %v", got)
		}
		for _, wrong := range []map[string]string{{"rules.reopened_reminder_after_days": "x"}, {"rules.none": "1"}} {
			if _, ok := core.Settings().With(wrong); ok {
				t.Error(wrong)
			}
		}
		for _, other := range []string{"remind-draft", "remind-decision", "remind-invoice", "remind-task", "lapse"} {
			if got := preview(other, core.Settings()); got != nil {
				t.Errorf("%s: %v", other, got)
			}
		}
		if _, err := a.Preview(t.Context(), admitto.SystemCaller(), "keys", core.Settings(), 1,
			0); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}

		run := func(mode string) int {
			t.Helper()
			d.Must(d.Services.Maintenance.ChangeSettings(t.Context(), servicestest.Staff(), nil,
				config.Change{Name: "rules.reopened_reminder_mode", Value: &mode}))
			d.Must(a.RemindReopened(t.Context(), admitto.SystemCaller(), core.DayOf(d.Clock.Now())))
			runs, err := a.LastRuns(t.Context(), admitto.SystemCaller(), job)
			d.Must(err)
			if done := runs[job].Done; (mode == config.RuleAutomatic) != (done > 0) {
				t.Errorf("%s: done for %d", mode, done)
			}
			records = len(d.Journal())
			return runs[job].Would
		}
		// From now on there are more than one part of a preview.
		for id := 50; id < 550; id++ {
			add(id, 4+id%2)
		}
		add(600, 3)
		before = d.Lines(all)
		// those of 42 and of each second one are 6 days then, none 3
		d.Clock.Add(admitto.Day)
		if _, err := a.RunJob(t.Context(), admitto.SystemCaller(), job, hourly, nil); err != nil { // has missed nothing yet
			t.Fatal(err)
		}
		add(601, 3)
		add(602, 3)
		before = d.Lines(all)
		if got := preview(job, core.Settings()); !slices.Equal(got, []int64{601, 602}) {
			t.Errorf("in parts: %v", got)
		}
		if would := run(config.RuleOff); would != 0 {
			t.Errorf("off: %d", would)
		}
		still()
		if would := run(config.RulePreview); would != 2 {
			t.Errorf("preview: %d", would)
		}
		still()
		if would := run(config.RuleAutomatic); would != 0 || d.Count("outbox") != 2 {
			t.Errorf("automatic: %d, %d mails", would, d.Count("outbox"))
		}
		if got := d.Lines("SELECT DISTINCT rule || ' ' || version FROM rule_action ORDER BY 1"); got !=
			"remind-reopened 4 remind-reopened-number 4" { // three changes of the mode
			t.Errorf("kept with what it did: %q", got)
		}
	})
}

// While the mail of a reminder is silenced, nobody is reminded: neither a run nor a preview finds anybody, nothing is
// claimed, and the reminder is sent when that is lifted (lifecycle.md 8.3).
func TestSilencedReminder(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		a, core := d.Services.Automation, d.Services.Core
		d.Write(fmt.Sprintf("UPDATE application SET status = 'Reopened', reopened = %d WHERE id = 11",
			d.Clock.Now()-3*admitto.Day))
		mode := config.RuleAutomatic
		d.Must(d.Services.Maintenance.ChangeSettings(t.Context(), servicestest.Staff(), nil,
			config.Change{Name: "rules.reopened_reminder_mode", Value: &mode}))
		records := len(d.Journal())
		remind := func(silenced bool) int64 {
			t.Helper()
			d.Must(core.Write(t.Context(), func(tx *store.Tx) error {
				return tx.SaveMailKind("application-reopened-reminder", silenced, 1)
			}))
			found, err := a.Preview(t.Context(), admitto.SystemCaller(), "remind-reopened", core.Settings(), d.Clock.Now(), 0)
			d.Must(err)
			if wanted := len(found.List) == 1; wanted == silenced {
				t.Errorf("silenced %v: the preview finds %+v", silenced, found.List)
			}
			d.Must(a.RemindReopened(t.Context(), admitto.SystemCaller(), core.DayOf(d.Clock.Now())))
			return d.Count("outbox")
		}
		if n := remind(true); n != 0 || d.Count("rule_action") != 0 || len(d.Journal()) != records {
			t.Errorf("%d mails, %d actions, %q", n, d.Count("rule_action"), d.Since(records))
		}
		if n := remind(false); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
}
