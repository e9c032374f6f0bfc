package api_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/automation"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// together runs a rule on two instances at once, twice, and then lets the mails leave.
func (s *service) together(t testing.TB, rule func(o *services.Services) error) {
	t.Helper()
	var all sync.WaitGroup
	for _, o := range []*services.Services{s.services, s.secondServices()} {
		all.Go(func() {
			for range 2 {
				if err := rule(o); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if _, err := s.services.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
		t.Fatal(err)
	}
}

// onDay is together for a reminder of a day.
func (s *service) onDay(t testing.TB, day string, remind func(*automation.Service, context.Context, admitto.Caller,
	admitto.Date) error) {
	t.Helper()
	d, err := admitto.ParseDate(day)
	if err != nil {
		t.Fatal(err)
	}
	s.together(t, func(o *services.Services) error {
		return remind(o.Automation, context.Background(), admitto.SystemCaller(), d)
	})
}

// secondServices is another instance of the service on the same database.
func (s *service) secondServices() *services.Services {
	return s.newServices(slog.New(slog.DiscardHandler))
}

// names returns the filled names of the journal after the record.
func (s *service) names(t testing.TB, after int64) (list []string) {
	t.Helper()
	err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{After: after, Limit: 100_000}, func(r *admitto.Record) error {
			list = append(list, r.Filled())
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// show returns the JSON object at a path.
func (s *service) show(t testing.TB, path string) map[string]any {
	t.Helper()
	return s.get(path).want(t, 200).object(t)
}

// Each reminder comes on its days and on no other, once, however many instances look; nobody silenced, and nobody
// whose application is over, gets one.
func TestReminders(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		const draft, reopened, decision = "E-mail was sent: application-draft-reminder",
			"E-mail was sent: application-reopened-reminder", "E-mail was sent: offer-decision-reminder"
		s.putAt(
			`UPDATE application_course SET intake_id = 8 WHERE application_id = 9002 AND course_id = 55`,
			`UPDATE region SET members = '["HU","NL"]' WHERE code = 'EU'`,
			`UPDATE invoice SET reminder = TRUE, reminded = NULL WHERE id IN (2001, 2002)`,
			`UPDATE offer_type SET decide = TRUE WHERE id = 17`)
		drafts, reopens := (*automation.Service).RemindDrafts, (*automation.Service).RemindReopened
		decisions, invoices := (*automation.Service).RemindDecisions, (*automation.Service).RemindInvoices
		for _, c := range []struct {
			day    string
			remind func(*automation.Service, context.Context, admitto.Caller, admitto.Date) error
			want   []string
		}{
			{"2026-06-26", drafts, nil},
			{"2026-06-27", drafts, []string{draft}},
			{"2026-06-27", drafts, nil},
			{"2026-06-30", drafts, []string{draft}},
			{"2026-07-01", drafts, nil},
			{"2026-02-04", reopens, nil},
			{"2026-02-05", reopens, []string{reopened}},
			{"2026-02-06", reopens, nil},
			{"2026-02-15", reopens, []string{reopened}},
			{"2026-02-25", reopens, []string{reopened}},
			{"2026-03-07", reopens, nil},
			{"2026-03-02", decisions, nil},
			{"2026-03-08", decisions, nil},
			{"2026-03-09", decisions, []string{decision}},
			{"2026-03-30", decisions, []string{decision}},
			{"2026-04-06", decisions, nil}, // after a Required deadline
			{"2026-03-04", invoices, nil},
			{"2026-03-05", invoices, []string{"Invoice was reminded", "E-mail was sent: invoice-reminder"}},
			{"2026-03-05", invoices, nil},
			{"2026-02-12", invoices, nil}, // 2001 is collected
		} {
			last := s.lastEvent(t)
			s.onDay(t, c.day, c.remind)
			if got := s.names(t, last); !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", c.day, got, c.want)
			}
		}
		s.putAt("UPDATE application SET status_before = status, status = 'Inactive' WHERE id = 9002")
		before := s.lastEvent(t)
		if s.onDay(t, "2026-06-29", drafts); !slices.Equal(s.names(t, before), []string{draft}) {
			t.Errorf("an inactive application is reminded with %q", s.names(t, before))
		}
		s.putAt("UPDATE application SET status = status_before WHERE id = 9002")
		if s.show(t, "/api/v10/invoices/2002")["reminded"] != "2026-03-09T09:00:00+00:00" {
			t.Error(s.show(t, "/api/v10/invoices/2002"))
		}
		var subjects []string
		for _, m := range s.mail.Taken() {
			subjects = append(subjects, m.Subject)
			if strings.Contains(m.Subject+m.Text+m.HTML, "%") && strings.Contains(m.Text, "%-") {
				t.Errorf("a marker is left: %s", m.Text)
			}
		}
		if !slices.ContainsFunc(subjects, func(s string) bool { return strings.Contains(s, "30 June 2026") }) {
			t.Errorf("subjects %q", subjects)
		}
		for _, c := range []struct{ name, sql, back string }{
			{"silenced by staff", "UPDATE application SET silenced = TRUE", "UPDATE application SET silenced = FALSE"},
			{"silenced by the type of an offer", "UPDATE offer_type SET silence = TRUE WHERE id = 17",
				"UPDATE offer_type SET silence = FALSE"},
			{"withdrawn", "UPDATE application SET status_before = status, status = 'Withdrawn'",
				"UPDATE application SET status = status_before"},
			{"closed", "UPDATE application SET status_before = status, status = 'Closed'",
				"UPDATE application SET status = status_before"},
			{"expired", "UPDATE academic_term SET grace = '2026-03-08'", "UPDATE academic_term SET grace = '2026-10-31'"},
			{"deleted", "UPDATE application SET visible = FALSE", "UPDATE application SET visible = TRUE"},
		} {
			s.putAt(c.sql)
			last := s.lastEvent(t)
			if c.name != "silenced by the type of an offer" { // only 9001 has one
				s.onDay(t, "2026-06-28", drafts)
			}
			s.onDay(t, "2026-03-16", decisions)
			if got := s.names(t, last); got != nil {
				t.Errorf("%s: %q", c.name, got)
			}
			s.putAt(c.back)
		}
		last := s.lastEvent(t)
		s.onDay(t, "2026-03-16", decisions)
		if got := s.names(t, last); !slices.Equal(got, []string{decision}) {
			t.Errorf("back again: %q", got)
		}
	}, inContract)
}

// Tasks are reminded of as their status says, keys end with notices, and both once.
func TestTaskAndKeyReminders(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.putAt(`UPDATE task_template_status SET remind_days = 3, remind_max_days = 7`,
			`INSERT INTO task_template_status (template_id, name, position, title, remind_days, remind_max_days)
				SELECT template_id, 'Odd', 9, 'Odd', 3, 7 FROM task WHERE id = 410`,
			`UPDATE task SET committed = @2026-03-06T08:00:00, status = 'Odd' WHERE id = 410`)
		tasks := func() []string {
			last := s.lastEvent(t)
			s.together(t, func(o *services.Services) error {
				return o.Automation.RemindTasks(context.Background(), admitto.SystemCaller())
			})
			return s.names(t, last)
		}
		want := []string{"Task was reminded", "E-mail was sent: task-reminder"}
		if got := tasks(); !slices.Equal(got, want) {
			t.Errorf("after 3 days: %q", got)
		}
		shown := s.show(t, "/api/v10/applications/9001/tasks")["410"].(map[string]any)
		if got := shown["reminded"]; got != "2026-03-09T09:00:00+00:00" {
			t.Error(got)
		}
		s.clock.Add(2 * admitto.Day)
		if got := tasks(); got != nil {
			t.Errorf("after 5 days: %q", got)
		}
		s.clock.Add(1 * admitto.Day)
		if got := tasks(); !slices.Equal(got, want) {
			t.Errorf("after 6 days: %q", got)
		}
		s.clock.Add(3 * admitto.Day)
		if got := tasks(); got != nil {
			t.Errorf("after 9 days: %q", got)
		}

		s.putAt(`UPDATE administrator SET suspended = FALSE WHERE id = 4`)
		id, _, err := s.services.Keys.CreateKey(t.Context(), usecase.Caller{Caller: admitto.SystemCaller()},
			apikey.NewKey{Label: "Sync of the library", Scope: admitto.ScopeAll, Expires: s.clock.Now() + 20*admitto.Day})
		if err != nil {
			t.Fatal(err)
		}
		keys := func() []string {
			last := s.lastEvent(t)
			s.together(t, func(o *services.Services) error {
				return o.Keys.WatchKeys(context.Background(), admitto.SystemCaller())
			})
			return s.names(t, last)
		}
		sent, expired := []string{"E-mail was sent: admin-key-expiring"}, []string{fmt.Sprintf("API key has expired: %d", id)}
		for _, c := range []struct {
			after admitto.Time
			want  []string
		}{{0, nil}, {6 * admitto.Day, sent}, {admitto.Hour, nil}, {11 * admitto.Day, sent}, {2 * admitto.Day,
			sent}, {admitto.Day, expired}, {admitto.Day, nil}} {
			s.clock.Add(c.after)
			if got := keys(); !slices.Equal(got, c.want) {
				t.Errorf("after %d hours: %q, want %q", c.after/admitto.Hour, got, c.want)
			}
		}
		if last := s.mail.Taken()[len(s.mail.Taken())-1]; last.To.Email != "ann@example.edu" ||
			!strings.Contains(last.Subject, "Sync of the library") {
			t.Errorf("%+v", last)
		}
	}, inContract)
}

// Drafts become inactive, terms end, and automatic invoices without a reason lapse: each once.
func TestStatusRules(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		apply := func(rule func(*automation.Service, context.Context, admitto.Caller) error) []string {
			last := s.lastEvent(t)
			s.together(t, func(o *services.Services) error {
				return rule(o.Automation, context.Background(), admitto.SystemCaller())
			})
			return s.names(t, last)
		}
		status := func() any { return s.show(t, "/api/v10/applications/9002")["status"] }
		inactive := []string{"Application status was changed: Inactive"}
		if got := apply((*automation.Service).MarkInactive); !slices.Equal(got,
			append(slices.Clone(inactive), "E-mail was sent: application-inactive-reminder")) || status() != "Inactive" {
			t.Errorf("%q, %v", got, status())
		}
		s.putAt(fmt.Sprintf(`UPDATE application SET status = 'Draft', revised = %d WHERE id = 9002`, s.clock.Now()))
		s.clock.Add(15*admitto.Day - 1)
		if got := apply((*automation.Service).MarkInactive); got != nil {
			t.Errorf("too early: %q", got)
		}
		s.clock.Add(1)
		if got := apply((*automation.Service).MarkInactive); !slices.Equal(got, inactive) {
			t.Errorf("the second time: %q", got)
		}
		// An application that has expired stays as it is.
		s.putAt(`UPDATE application SET status = 'Draft', revised = 1 WHERE id = 9002`,
			`UPDATE academic_term SET grace = '2026-03-01' WHERE id = 13`)
		if got := apply((*automation.Service).MarkInactive); got != nil {
			t.Errorf("although expired: %q", got)
		}
		s.putAt(`UPDATE academic_term SET grace = '2026-10-31' WHERE id = 13`)

		if got := apply((*automation.Service).TellExpired); got != nil {
			t.Errorf("before the end: %q", got)
		}
		s.clock.Add(instant("2026-04-01T00:15:00") - s.clock.Now())
		expired := []string{"Application has expired"}
		if got := apply((*automation.Service).TellExpired); !slices.Equal(got, expired) {
			t.Errorf("at the end: %q", got)
		}
		s.putAt(`UPDATE academic_term SET grace = '2026-04-10' WHERE id = 12`)
		if got := apply((*automation.Service).TellExpired); got != nil {
			t.Errorf("moved: %q", got)
		}
		s.clock.Add(10 * admitto.Day)
		s.putAt(fmt.Sprintf(`UPDATE application SET grace_override = %d WHERE id = 9004`, s.clock.Now()+admitto.Day))
		if got := apply((*automation.Service).TellExpired); got != nil {
			t.Errorf("overridden: %q", got)
		}
		s.clock.Add(admitto.Day)
		if got := apply((*automation.Service).TellExpired); !slices.Equal(got, expired) {
			t.Errorf("at the second end: %q", got)
		}

		s.putAt(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, payer_name, automatic)
			VALUES (2003, 'Invoice', '10', 1, 4713, 9002, 1, '2026-12-01', 'EUR', 100, 'Kim', TRUE)`)
		if got := apply((*automation.Service).LapseInvoices); got != nil {
			t.Errorf("lapsed without a cause: %q", got)
		}
		s.putAt(fmt.Sprintf(`UPDATE application SET status = 'Withdrawn', withdrawn = %d WHERE id = 9002`, s.clock.Now()))
		s.clock.Add(15*admitto.Minute - 1)
		if got := apply((*automation.Service).LapseInvoices); got != nil {
			t.Errorf("lapsed while it can be undone: %q", got)
		}
		s.clock.Add(1)
		if got := apply((*automation.Service).LapseInvoices); !slices.Equal(got, []string{"Invoice was lapsed"}) {
			t.Errorf("after the undo window: %q", got)
		}
	}, inContract)
}
