package api_test

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"

	signin "github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/automation"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// notFromTemplate are the templates of lifecycle.md 8.3 that no mail of this release is made from: those of the portal
// and of the administration, and the message, whose text staff write without markers.
var notFromTemplate = []string{"admin-release-waiting",
	"applicant-email-change", "applicant-message",
	"applicant-password-changed", "applicant-signin-link", "applicant-welcome-imports", "applicant-welcome-register",
	"privacy-request-done", "privacy-request-received", "privacy-request-refused"}

// everyMarker returns a text with a line for each marker that the template may use.
func everyMarker(kind mail.Kind) string {
	var text strings.Builder
	for _, marker := range kind.Markers() {
		text.WriteString("* " + strings.Trim(marker.String(), "%") + " is " + marker.String() + "\n")
	}
	return text.String()
}

// Every template may use every marker that it is allowed: each mail is made from a text that has them all, and none is
// left in what is sent (lifecycle.md 8.3).
func TestEveryMarkerIsFilled(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		kinds := map[string]mail.Kind{}
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			for _, kind := range mail.Kinds() {
				kinds[kind.Code()] = kind
				if err := tx.SetEmailTemplate(kind.Code(), "en", "["+kind.Code()+"]", everyMarker(kind)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s.sendEveryMail(t)
		sent := map[string]bool{}
		for _, m := range s.mail.Taken() {
			code := strings.Trim(m.Subject, "[]")
			if code == m.Subject {
				continue // a text that is not a template
			}
			if sent[code] = true; code == mail.KindOfferLetter.Code() {
				for _, line := range ofApplication {
					if !strings.Contains(m.Text, line) {
						t.Errorf("no %q in %s", line, m.Text)
					}
				}
			}
			if strings.Contains(m.Text, "%") || m.Text == "" {
				t.Errorf("%s: %s", code, m.Text)
			}
			for _, marker := range kinds[code].Markers() {
				if name := strings.Trim(marker.String(), "%"); !strings.Contains(m.Text, name+" is ") {
					t.Errorf("%s: no %s in %s", code, name, m.Text)
				}
			}
		}
		for _, kind := range mail.Kinds() {
			if code := kind.Code(); sent[code] == slices.Contains(notFromTemplate, code) {
				t.Errorf("%s was sent: %v", code, sent[code])
			}
		}
	}, inContract)
}

// ofApplication is what a letter says of the intake, the course and the person where it has the markers.
var ofApplication = []string{"intake-Commence is 31 August 2026\n", "intake-Arrival is 24 August 2026\n",
	"course-Award is Bachelor of Science\n", "applicant-BirthDate is 17 May 2004\n",
	"applicant-Citizenship is Hungary\n", "applicant-Passport is BH0000001\n",
	"applicant-Address is Fő utca 1\n", "7600 Pécs\n", "Hungary\n", "applicant-Matriculation is M-2026-1\n"}

// sendEveryMail does what each kind of mail tells of.
func (s *service) sendEveryMail(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	staff := usecase.Caller{Caller: admitto.AdministratorCaller(3, admitto.AllPermissions(), "")}
	applicant := usecase.Caller{Caller: admitto.ApplicantCaller(4713, "")}
	s.lastID(t, "invoice", 2002)
	s.lastID(t, "invoice_transaction", 9103)
	s.lastID(t, "offer", 7100)
	s.lastID(t, "task", 500)
	s.putAt(
		`UPDATE application_course SET intake_id = 8 WHERE application_id = 9002`,
		`UPDATE applicant SET matriculation = 'M-2026-1' WHERE id = 4711`,
		`UPDATE region SET members = '["HU","NL"]' WHERE code = 'EU'`,
		`UPDATE invoice SET reminder = TRUE, reminded = NULL WHERE id IN (2001, 2002)`,
		`UPDATE offer SET reason = 'Best of all' WHERE id = 7001`,
		`UPDATE offer_type SET decide = TRUE WHERE id = 17`,
		`UPDATE task_template SET active = TRUE, mails = TRUE, causing = 'submitted', all_courses = TRUE, deadline_days = 10, instructions = 'Bring it'`,
		`UPDATE task_template_status SET blocks = FALSE, remind_days = 3, remind_max_days = 7`,
		`INSERT INTO task_template_status (template_id, name, position, title, remind_days, remind_max_days) SELECT template_id, 'Odd', 9, 'Odd', 3, 7 FROM task WHERE id = 410`,
		`UPDATE task SET committed = @2026-03-06T08:00:00, status = 'Odd' WHERE id = 410`,
		`INSERT INTO task_template_status (template_id, name, position, title, tells) SELECT template_id, 'Told', 10, 'Told', TRUE FROM task WHERE id = 410`,
		`UPDATE administrator SET suspended = FALSE WHERE id = 4`,
		`UPDATE consent SET type = 'Voluntary'`, `UPDATE course SET form = '`+servicestest.FormRequiring()+`'`)
	s.create(t, "email=new%40example.org&name=New&reference=N-1")

	// Reminders of the applications as they are.
	s.onDay(t, "2026-06-27", (*automation.Service).RemindDrafts)
	s.onDay(t, "2026-02-05", (*automation.Service).RemindReopened)
	s.onDay(t, "2026-03-09", (*automation.Service).RemindDecisions)
	s.onDay(t, "2026-03-05", (*automation.Service).RemindInvoices)
	s.together(t, func(o *services.Services) error {
		return o.Automation.RemindTasks(context.Background(), admitto.SystemCaller())
	})
	s.together(t, func(o *services.Services) error {
		return o.Automation.MarkInactive(context.Background(), admitto.SystemCaller())
	})
	_, _, err := s.services.Keys.CreateKey(ctx, usecase.Caller{Caller: admitto.SystemCaller()},
		apikey.NewKey{Label: "Library", Scope: admitto.ScopeAll, Expires: s.clock.Now() + 14*admitto.Day})
	must(err)
	none := 1
	busy, _, err := s.services.Keys.CreateKey(ctx, usecase.Caller{Caller: admitto.SystemCaller()},
		apikey.NewKey{Label: "Museum", Scope: admitto.ScopeAll, PerMinute: &none})
	must(err)
	for range 2 {
		_, err := s.services.Keys.TakeQuota(ctx, &admitto.Key{ID: busy, PerMinute: &none})
		must(err)
	}
	must(s.services.Keys.SaveKeyUse(ctx, admitto.SystemCaller()))
	s.together(t, func(o *services.Services) error {
		return o.Keys.WatchKeys(context.Background(), admitto.SystemCaller())
	})

	// Staff.
	_, err = s.services.Accounts.Invite(ctx, staff,
		signin.NewStaff{Name: "New", Email: "new@example.edu", Roles: []int64{1}})
	must(err)
	must(s.services.Accounts.RequestReset(ctx, "new@example.edu", netip.Addr{}))
	must(s.services.Accounts.ChangeOwnEmail(ctx, staff, "other@example.edu"))

	must(s.services.Admissions.HandleTask(ctx, staff, 9001, 410,
		admissions.TaskHandling{Status: "Told", Comment: "Too small", Shared: true}))

	_, err = s.services.Notify.TellScorers(ctx, staff, 6)
	must(err)

	// An application from its submission to its end.
	_, err = s.services.Admissions.Submit(ctx, staff, 9002, admissions.Submission{Reason: "by telephone"})
	must(err)
	must(s.services.Admissions.ReopenApplication(ctx, staff, 9002, admissions.Reopening{Text: "Sign it"}))
	must(s.services.Admissions.ExtendDeadline(ctx, staff, 9002,
		admissions.Extension{Intake: 8, Until: s.clock.Now() + 200*admitto.Day,
			Reason: "ill", Tell: true, Text: "Get well"}))
	_, err = s.services.Admissions.Submit(ctx, staff, 9002, admissions.Submission{Reason: "by telephone"})
	must(err)
	must(s.services.Admissions.Withdraw(ctx, applicant, 9002, admitto.Declining{}))
	_, err = s.services.Admissions.UndoWithdrawal(ctx, applicant, 9002)
	must(err)
	must(s.services.Admissions.CloseApplication(ctx, staff, 9002, true))

	must(s.services.Privacy.AskOwnData(ctx, applicant))
	must(s.services.Privacy.MakeDataExports(ctx, admitto.SystemCaller()))

	// Money and offers.
	s.postJSON(v10("/applications/9001/invoices"), "{"+oneItem+"}").want(t, 201)
	s.postJSON(v10("/invoices/2003/transactions"), `{"amount":10}`).want(t, 201)
	s.do("PUT", offer7001+"/subject", `"[offer-letter]"`).want(t, 204)
	s.do("PUT", offer7001+"/comments", `"`+strings.ReplaceAll(everyMarker(mail.KindOfferLetter), "\n", `\n`)+`"`).want(t,
		204)
	s.do("POST", offer7001+"/confirm", "").want(t, 204)
	must(s.services.Admissions.SetDecision(ctx, staff, 9001, 7001,
		admissions.DecisionChange{Decision: admitto.DecisionFinal, Tell: true}))
	s.leave(t)
}
