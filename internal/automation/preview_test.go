package automation_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services/servicestest"
)

// A preview of fewer days names the drafts that the rule makes Inactive once that number is saved, and changes nothing.
func TestPreviewInactive(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		a := d.Services.Automation
		ago := func(days int) admitto.Time { return d.Clock.Now() - admitto.Time(days)*admitto.Day }
		add := func(id int, status string, revised admitto.Time) {
			d.Write(fmt.Sprintf("INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (%d, 'live', FALSE, 1, 'p%[1]d@example.org', 'p%[1]d@example.org')", id),
				fmt.Sprintf("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (%d, %[1]d, 13, '%s', 1, %d)",
					id, status, revised))
		}
		for i, c := range []struct {
			status string
			days   int
		}{{"Draft", 3}, {"Draft", 10}, {"Draft", 12}, {"Draft", 16}, {"Reopened", 20}, {"Submitted", 20}, {"Draft", 20}} {
			add(20+i, c.status, ago(c.days))
		}
		for id := 31; id <= 33; id++ {
			add(id, "Draft", 1)
		}
		// One that the rule has dealt with, one of a term that is over, one that was extended, and one that is hidden.
		d.Write(`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (14, 2025, 'Autumn', 2, '2025-08-31', '2025-10-31', '2026-01-31')`,
			fmt.Sprintf("INSERT INTO rule_action (rule, record, occurrence, done) VALUES ('inactive', 26, '%d', 1)", ago(20)),
			"UPDATE application SET academic_term_id = 14 WHERE id IN (31, 32)",
			fmt.Sprintf("UPDATE application SET grace_override = %d WHERE id = 32", d.Clock.Now()+admitto.Day),
			"UPDATE application SET visible = FALSE WHERE id = 33")
		preview := func(days int) (ids []int64) {
			t.Helper()
			r, err := a.PreviewInactive(t.Context(), admitto.SystemCaller(), days)
			d.Must(err)
			for _, one := range r.List {
				ids = append(ids, one.Application)
			}
			if int(r.Total) != len(ids) {
				t.Errorf("%d are said, %d are listed", r.Total, len(ids))
			}
			return ids
		}
		const all = "SELECT id || ' ' || status || ' ' || revised || ' ' || row_version FROM application ORDER BY id"
		before, records := d.Lines(all), len(d.Journal())
		if got := preview(15); !slices.Equal(got, []int64{11, 23, 32}) {
			t.Errorf("15 days: %v", got)
		}
		ten := preview(10)
		if !slices.Equal(ten, []int64{11, 21, 22, 23, 32}) {
			t.Errorf("10 days: %v", ten)
		}
		if d.Lines(all) != before || len(d.Journal()) != records || d.Services.Core.Settings().Rules.InactiveAfterDays != 15 {
			t.Error("looking changed something")
		}

		value := "10"
		d.Must(d.Services.Maintenance.ChangeSettings(t.Context(), servicestest.Staff(), nil,
			config.Change{Name: "rules.inactive_after_days", Value: &value}))
		versions, err := d.Services.Maintenance.SettingVersions(t.Context(), admitto.SystemCaller(),
			[]string{"rules.inactive_after_days"}, []string{"rules.reopened_reminder_max"}, nil)
		if err != nil || len(versions) != 3 || versions[0].Number != 2 ||
			versions[0].Since != d.Clock.Now() || versions[1].Number != 1 || versions[1].Since != 0 || versions[2].Number != 1 {
			t.Errorf("versions %v, %v", versions, err)
		}
		if _, err := a.RunJob(t.Context(), admitto.SystemCaller(), "inactive", hourly,
			nil); err != nil { // has missed nothing yet
			t.Fatal(err)
		}
		d.Must(a.MarkInactive(t.Context(), admitto.SystemCaller()))
		var made []int64
		for _, id := range []int64{11, 12, 20, 21, 22, 23, 24, 25, 26, 31, 32} {
			if d.Status(id) == string(admitto.Inactive) {
				made = append(made, id)
			}
		}
		if !slices.Equal(made, ten) || preview(10) != nil {
			t.Errorf("made inactive: %v, left: %v", made, preview(10))
		}
		runs, err := a.LastRuns(t.Context(), admitto.SystemCaller(), "inactive", "lapse")
		if r := runs["inactive"]; err != nil || r.Done != len(ten) || r.At == 0 || len(runs) != 1 {
			t.Errorf("%+v, %v", runs, err)
		}
	})
}
