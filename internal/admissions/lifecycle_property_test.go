package admissions_test

import (
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/usecase"
	"pgregory.net/rapid"
)

// Whatever is done to applications, in whatever order: every submitted application has one offer for each course it
// was submitted with, priorities have no holes, nobody has two binding acceptances or two open applications in a
// term, no invoice is paid above its total, what is refused names a code, and the journal is whole.
func TestLifecycleProperty(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		d.Write(`UPDATE offer_type SET subject = 'About your application', comments = 'Dear applicant'`,
			`UPDATE course SET status = 'Online'`,
			`INSERT INTO course_intake (course_id, intake_id) VALUES (57, 8)`,
			`INSERT INTO fee (id, name, type, automatic, causing, series_id) VALUES (1, 'Fee', 'Appfee', 'course', 'course added', 1)`,
			`INSERT INTO fee_amount (fee_id, territory, currency, amount, basis) VALUES (1, '001', 'EUR', 1000, 'One-time')`)
		next := int64(1000)
		rapid.Check(t, func(rt *rapid.T) {
			if next++; d.Store.Shared() && next > 1030 {
				return // the rules are the same there; a few stories show that the statements are
			}
			applicant := next
			d.Write(fmt.Sprintf(`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key, citizenship)
				VALUES (%d, 'live', FALSE, 1, 'A', 'B', 'p%d@example.org', 'p%d@example.org', 'HU')`, applicant, applicant, applicant))
			c := &chance{T: rt, d: d, applicant: applicant, by: []usecase.Caller{servicestest.As(admitto.ByApplicant, applicant),
				servicestest.Staff(), servicestest.ByKey()}}
			for range rapid.IntRange(1, 14).Draw(rt, "steps") {
				what, err := c.step()
				if kind := admitto.KindOf(err); kind == admitto.Internal {
					rt.Fatalf("%s: %v", what, err)
				} else if refused, ok := err.(*admitto.Error); ok && kind == admitto.NotAllowedNow &&
					(len(refused.Faults) == 0 || refused.Faults[0].Code == "") {
					rt.Fatalf("%s: no code: %v", what, err)
				}
				c.holds(what)
			}
		})
		d.Chained()
	})
}

// chance does random things to the applications of one applicant.
type chance struct {
	*rapid.T
	d         *servicestest.Desk
	applicant int64
	by        []usecase.Caller
}

// step does one thing and tells which.
func (c *chance) step() (what string, err error) {
	ctx, o := c.d.T.Context(), c.d.Services
	by := rapid.SampledFrom(c.by).Draw(c.T, "by")
	course := rapid.Int64Range(55, 57).Draw(c.T, "course")
	app := c.d.Number("SELECT coalesce(max(id), 0) FROM application WHERE applicant_id = $1", c.applicant)
	offer := c.d.Number("SELECT coalesce(max(id), 0) FROM offer WHERE application_id = $1 AND course_id = $2", app, course)
	invoice := c.d.Number("SELECT coalesce(max(id), 0) FROM invoice WHERE application_id = $1", app)
	steps := []struct {
		name string
		do   func() error
	}{
		{"apply", func() error {
			_, _, err := o.Admissions.Apply(ctx, by, admissions.NewApplication{Applicant: c.applicant, Intake: 8,
				Course: course})
			return err
		}},
		{"add", func() error {
			_, err := o.Admissions.AddCourse(ctx, by, app, admissions.NewCourseOf{Course: course, Priority: 1})
			return err
		}},
		{"remove", func() error { return o.Admissions.RemoveCourse(ctx, by, app, course) }},
		{"move", func() error {
			return o.Admissions.SetCoursePriority(ctx, by, app, course, rapid.IntRange(1, 3).Draw(c.T, "priority"))
		}},
		{"submit", func() error {
			_, err := o.Admissions.Submit(ctx, by, app, admissions.Submission{Reason: "reason"})
			return err
		}},
		{"submit", func() error { _, err := o.Admissions.Submit(ctx, c.by[0], app, admissions.Submission{}); return err }},
		{"reopen", func() error { return o.Admissions.ReopenApplication(ctx, by, app, admissions.Reopening{}) }},
		{"withdraw", func() error { return o.Admissions.Withdraw(ctx, by, app, admitto.Declining{Words: "reason"}) }},
		{"undo withdrawal", func() error { _, err := o.Admissions.UndoWithdrawal(ctx, by, app); return err }},
		{"close", func() error { return o.Admissions.CloseApplication(ctx, by, app, true) }},
		{"undo closing", func() error { return o.Admissions.UndoClosing(ctx, by, app, "reason") }},
		{"freeze", func() error { return o.Admissions.Freeze(ctx, by, app) }},
		{"unfreeze", func() error { return o.Admissions.Unfreeze(ctx, by, app) }},
		{"type", func() error {
			kind := rapid.SampledFrom([]int64{7, 17}).Draw(c.T, "type")
			return o.Admissions.EditOffer(ctx, c.by[1], app, offer, admissions.OfferEdit{Type: &kind})
		}},
		{"confirm", func() error { return o.Admissions.ConfirmOffer(ctx, c.by[1], app, offer, false) }},
		{"answer", func() error {
			return o.Admissions.AnswerOffer(ctx, c.by[0], app, offer, admitto.DecisionFinal, admitto.Declining{})
		}},
		{"collect", func() error {
			_, err := o.Billing.CollectInvoice(ctx, c.by[2], invoice, billing.NewPayment{Amount: 600})
			return err
		}},
		{"wait", func() error { c.d.Clock.Add(admitto.Minute * 6); return nil }},
	}
	chosen := rapid.IntRange(0, len(steps)-1).Draw(c.T, "what")
	if app == 0 {
		chosen = 0
	}
	return steps[chosen].name, steps[chosen].do()
}

// holds fails unless everything that must always be so is so.
func (c *chance) holds(what string) {
	for _, never := range []struct{ what, sql string }{
		{"a submitted course without its offer", `SELECT count(*) FROM application a JOIN application_course k ON k.application_id = a.id
			WHERE a.applicant_id = $1 AND a.status = 'Submitted' AND NOT EXISTS (SELECT 1 FROM offer o WHERE o.application_id = a.id AND o.course_id = k.course_id)`},
		{"priorities with holes", `SELECT count(*) FROM (SELECT k.application_id FROM application a JOIN application_course k ON k.application_id = a.id
			WHERE a.applicant_id = $1 GROUP BY k.application_id HAVING min(k.priority) <> 1 OR max(k.priority) <> count(*)
			OR count(DISTINCT k.priority) <> count(*)) h`},
		{"an application without courses", `SELECT count(*) FROM application a WHERE a.applicant_id = $1
			AND NOT EXISTS (SELECT 1 FROM application_course k WHERE k.application_id = a.id)`},
		{"two binding acceptances", `SELECT count(*) FROM (SELECT a.academic_term_id FROM offer o JOIN application a ON a.id = o.application_id
			JOIN offer_type t ON t.id = o.type_confirmed_id WHERE a.applicant_id = $1 AND o.decision = 'Final' AND t.decline
			GROUP BY a.academic_term_id HAVING count(*) > 1) h`},
		{"a withdrawn application with an offer that is not declined", `SELECT count(*) FROM offer o JOIN application a ON a.id = o.application_id
			WHERE a.applicant_id = $1 AND a.status = 'Withdrawn' AND o.decision <> 'Declined'`},
		{"an invoice paid above its total", `SELECT count(*) FROM invoice WHERE applicant_id = $1 AND paid > total`},
		{"a number given twice", `SELECT count(*) - count(DISTINCT nr) FROM invoice WHERE applicant_id >= $1`},
		{"two open applications",
			`SELECT CASE WHEN count(*) > 1 THEN 1 ELSE 0 END FROM application WHERE applicant_id = $1 AND status <> 'Closed'`},
	} {
		if n := c.d.Number(never.sql, c.applicant); n != 0 {
			c.Fatalf("after %s: %s", what, never.what)
		}
	}
}
