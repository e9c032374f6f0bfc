package admissions_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// The actors of these tests: applicant 1, administrator 3, and a key.
func ann() admissions.Caller   { return as(admitto.ByApplicant, 1) }
func staff() admissions.Caller { return as(admitto.ByAdministrator, 1) }

// atWork is fair with an administrator, and courses that ask for nothing.
func (d *desk) atWork() {
	d.t.Helper()
	d.fair()
	d.must(d.store.Write(d.t.Context(), func(tx *store.Tx) error { return tx.SkipIDs("application", 100) }))
	d.write(`INSERT INTO administrator (id, name, email) VALUES (1, 'Ann Admin', 'admin@example.edu')`,
		`INSERT INTO course_intake (course_id, intake_id) VALUES (56, 8)`, `UPDATE consent SET type = 'Voluntary'`, `UPDATE course SET form = '{}'`)
}

// chained fails unless the chain of the journal is whole.
func (d *desk) chained() {
	d.t.Helper()
	if id, reason, err := d.office.VerifyJournal(d.t.Context(), admitto.SystemCaller(), 1, 0, func(int64) {}); id != 0 || err != nil {
		d.t.Errorf("the journal is broken at %d: %s, %v", id, reason, err)
	}
}

func (d *desk) status(application int64) string {
	d.t.Helper()
	a, _, err := d.office.Application(d.t.Context(), admitto.SystemCaller(), application, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(a.Status)
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// submit submits application 11 and must succeed or be refused with the codes.
func (d *desk) submit(by admissions.Caller, reason, want string) {
	d.t.Helper()
	r, err := d.office.Submit(d.t.Context(), by, 11, reason)
	if want != "" {
		if got := codes(d.t, err); got != want {
			d.t.Errorf("codes %q, want %q", got, want)
		}
	} else {
		d.must(err)
	}
	if (r.Number == 0) != (want != "" && by.Actor.Kind != admitto.ByApplicant) || r.Number != 0 && r.Accepted != (want == "") {
		d.t.Errorf("receipt %+v", r)
	}
}

// What stops a submission, and what an administrator may set aside (T7).
func TestSubmitGuards(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.atWork()
		last := len(d.journal())
		d.write(`UPDATE course SET form = '{"motivation":["general"]}' WHERE id = 55`, `UPDATE consent SET type = 'Mandatory' WHERE id = 1`)
		d.submit(ann(), "", "section-incomplete consent-missing")
		d.wantSince(last, "Application submission was refused: section-incomplete+consent-missing")
		d.submit(byKey(), "", "application-draft")
		d.submit(staff(), "", "section-incomplete")
		d.write(`UPDATE applicant SET citizenship = '' WHERE id = 1`, `INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred)
			VALUES (8, '001', '2026-03-08', '', TRUE)`, `UPDATE intake SET policy = 'Strict (submit)'`, `UPDATE academic_term SET grace = '2026-03-08'`,
			`UPDATE invoice_series SET blocking = TRUE WHERE id = 1`,
			`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, paid, payer_name) VALUES (1, 'Invoice', '1', 1, 1, 1, '2026-12-01', 'EUR', 100, 0, 'A')`,
			`INSERT INTO task (id, application_id, template_id, created, status) SELECT 1, 11, template_id, 1, name FROM task_template_status ORDER BY template_id, position LIMIT 1`,
			`UPDATE task_template_status SET blocks = TRUE`)
		all := "citizenship-missing territory-barred territory-barred deadline-passed deadline-passed section-incomplete task-blocks invoice-unpaid application-expired"
		d.submit(ann(), "", all+" consent-missing")
		d.submit(staff(), "", all)
		d.submit(staff(), "The applicant called", "citizenship-missing territory-barred territory-barred application-expired")
		d.write(`UPDATE applicant SET citizenship = 'HU' WHERE id = 1`, `UPDATE intake_deadline SET barred = FALSE`, `UPDATE academic_term SET grace = '2026-10-31'`)
		d.submit(staff(), " ", strings.Replace(all[strings.Index(all, "deadline-"):], " application-expired", "", 1))
		d.write(`DELETE FROM application_course WHERE application_id = 11`)
		d.submit(staff(), "The applicant called", "no-course")
		d.write(`INSERT INTO application_course (application_id, course_id, intake_id, institution_id, priority, added) VALUES (11, 55, 8, 1, 1, 1)`)
		last = len(d.journal())
		d.submit(staff(), "The applicant called", "")
		d.wantSince(last, "Application was submitted", "Offer was created")
		if n := d.number(`SELECT count(*) FROM journal_detail WHERE payload LIKE '%The applicant called%' AND payload LIKE '%task-blocks%'`); n != 1 {
			t.Errorf("the reason is in %d details", n)
		}
		receipts, err := d.office.Receipts(t.Context(), admitto.SystemCaller(), 11)
		if err != nil || len(receipts) != 3 {
			t.Fatal(receipts, err)
		}
		for _, r := range receipts {
			signature, err := base64.StdEncoding.DecodeString(r.Signature)
			if err != nil || !ed25519.Verify(d.office.ReceiptKey(), []byte(r.Text), signature) || ed25519.Verify(d.office.ReceiptKey(), []byte(r.Text+" "), signature) {
				t.Errorf("%+v", r)
			}
			if r.Accepted != strings.Contains(r.Text, "Result accepted\nCourses 1. course 55\n") || !strings.Contains(r.Text, "T09:00:00.000+00:00 UTC\n") {
				t.Error(r.Text)
			}
		}
		d.chained()
	})
}

// An application from the first submission to the last withdrawal (T7 to T13).
func TestApplicationStory(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.atWork()
		ctx, o := t.Context(), d.office
		last := len(d.journal())
		events := func(want ...string) {
			t.Helper()
			d.wantSince(last, want...)
			last = len(d.journal())
			d.clock.Add(admitto.Minute)
		}
		mailed := func(template, attachment string) {
			t.Helper()
			before := len(d.post.Taken())
			if n := d.deliver(); n != 1 {
				t.Fatalf("%d mails left", n)
			}
			m := d.post.Taken()[before]
			if attachment != "" && (len(m.Attachments) != 1 || !strings.Contains(string(m.Attachments[0].Data), attachment)) || strings.Contains(m.Text, "%") {
				t.Errorf("%+v", m)
			}
			events("E-mail was sent: " + template)
		}
		refused := func(err error, want string) {
			t.Helper()
			if got := codes(t, err); got != want {
				t.Errorf("codes %q, want %q", got, want)
			}
			if n := len(d.journal()); n != last {
				t.Errorf("a refusal recorded %q", d.since(last))
			}
		}
		d.submit(ann(), "", "")
		events("Application was submitted", "Offer was created", "Offer was created")
		mailed("application-submitted", "Result accepted")
		d.submit(ann(), "", "application-submitted")
		events("Application submission was refused: application-submitted")
		refused(o.ReopenApplication(ctx, ann(), 11), "reopen-not-offered")
		refused(o.ReopenApplication(ctx, byKey(), 11), "application-submitted")
		for _, err := range []error{o.Withdraw(ctx, as(admitto.ByApplicant, 2), 11, ""), o.ReopenApplication(ctx, staff(), 99)} {
			wantKind(t, err, admitto.NotFound)
		}
		d.must(o.ReopenApplication(ctx, staff(), 11))
		events("Application was reopened")
		mailed("application-reopened", "")
		d.must(o.RemoveCourse(ctx, ann(), 11, 56))
		events("Course was removed from application")
		refused(o.RemoveCourse(ctx, ann(), 11, 55), "last-course")
		d.submit(ann(), "", "")
		events("Application was re-submitted", "Offer decision was set: Declined")
		mailed("application-resubmitted", "Receipt")

		wantKind(t, o.Withdraw(ctx, staff(), 11, ""), admitto.InvalidParameter)
		d.must(o.Withdraw(ctx, ann(), 11, ""))
		events("Application was withdrawn", "Offer decision was set: Declined")
		mailed("application-withdrawn", "")
		refused(o.Withdraw(ctx, ann(), 11, ""), "application-withdrawn")
		_, err := o.UndoWithdrawal(ctx, ann(), 11)
		d.must(err)
		if got := d.status(11); got != "Submitted" {
			t.Error(got)
		}
		last = len(d.journal())
		d.clock.Add(admitto.Minute)
		mailed("application-withdrawal-reverted", "")
		d.must(o.Withdraw(ctx, staff(), 11, "asked by letter"))
		d.deliver()
		d.clock.Add(15 * admitto.Minute)
		last = len(d.journal())
		_, err = o.UndoWithdrawal(ctx, ann(), 11)
		refused(err, "undo-time-over")

		// A withdrawn application that was closed is withdrawn again afterwards.
		d.must(o.CloseApplication(ctx, staff(), 11, true))
		events("Application was closed")
		mailed("application-closed", "")
		refused(o.CloseApplication(ctx, staff(), 11, true), "application-closed")
		refused(o.UndoClosing(ctx, byKey(), 11, "x"), "application-closed")
		wantKind(t, o.UndoClosing(ctx, staff(), 11, " "), admitto.InvalidParameter)
		d.write(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (13, 1, 13, 'Blank', 1, 1)`)
		refused(o.UndoClosing(ctx, staff(), 11, "a mistake"), "application-exists")
		d.must(o.CloseApplication(ctx, byKey(), 13, false))
		last = len(d.journal())
		d.must(o.UndoClosing(ctx, staff(), 11, "a mistake"))
		events("Application closing was reverted")
		if got := d.status(11); got != "Withdrawn" {
			t.Error(got)
		}
		if _, err = o.UndoWithdrawal(ctx, staff(), 11); err != nil || d.status(11) != "Submitted" {
			t.Error(err, d.status(11))
		}
		d.deliver()
		old := staff()
		old.Version = 1
		last = len(d.journal())
		wantKind(t, o.ReopenApplication(ctx, old, 11), admitto.ChangedMeanwhile)
		d.must(o.CloseApplication(ctx, staff(), 11, false))
		d.must(o.UndoClosing(ctx, staff(), 11, "a mistake"))
		if got := d.status(11); got != "Submitted" || d.deliver() != 0 {
			t.Error(got)
		}
		d.chained()
	})
}

// Deadlines, extensions, expiry and its lifting (3.3, T14, T15), and what is frozen for the applicant (3.6).
func TestApplicationTimes(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.atWork()
		ctx, o := t.Context(), d.office
		d.write(`INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-03-08', '', FALSE)`, `UPDATE intake SET policy = 'Strict (submit, hard)'`,
			`DELETE FROM application_course WHERE course_id = 56`)
		now := d.clock.Now()
		last := len(d.journal())
		_, err := o.AddCourse(ctx, ann(), 11, admissions.NewCourseOf{Course: 56})
		if got := codes(t, err); got != "deadline-passed" {
			t.Error(got)
		}
		for _, err := range []error{o.ExtendDeadline(ctx, staff(), 11, 8, now+admitto.Hour, ""), o.ExtendDeadline(ctx, staff(), 11, 9, now+admitto.Hour, "ill"),
			o.ExtendDeadline(ctx, staff(), 11, 8, now, "ill")} {
			wantKind(t, err, admitto.InvalidParameter)
		}
		wantKind(t, o.ExtendDeadline(ctx, ann(), 11, 8, now+admitto.Hour, "ill"), admitto.NotPermitted)
		d.must(o.ExtendDeadline(ctx, staff(), 11, 8, now+admitto.Hour, "ill"))
		d.must(o.ExtendDeadline(ctx, staff(), 11, 8, now+admitto.Hour, "ill")) // the same again
		d.wantSince(last, "Application deadline was extended: 8")
		d.must(o.Freeze(ctx, byKey(), 11))
		if _, err := o.AddCourse(ctx, ann(), 11, admissions.NewCourseOf{Course: 56, Priority: 1}); codes(t, err) != "frozen" {
			t.Error(err)
		}
		_, err = o.AddCourse(ctx, ann(), 11, admissions.NewCourseOf{Course: 56})
		d.must(err)
		if got := codes(t, o.RemoveCourse(ctx, ann(), 11, 55)) + codes(t, o.SetCoursePriority(ctx, ann(), 11, 56, 1)); got != "frozenfrozen" {
			t.Error(got)
		}
		d.must(o.RemoveCourse(ctx, ann(), 11, 56))
		d.must(o.Unfreeze(ctx, staff(), 11))
		d.clock.Add(admitto.Hour)
		d.submit(ann(), "", "deadline-passed")

		if got := codes(t, o.LiftExpiry(ctx, staff(), 11, d.clock.Now()+admitto.Day, "late mail")); got != "application-not-expired" {
			t.Error(got)
		}
		d.write(`UPDATE academic_term SET grace = '2026-03-08'`, `UPDATE intake SET policy = 'Rolling'`)
		d.submit(ann(), "", "application-expired")
		last = len(d.journal())
		d.must(o.LiftExpiry(ctx, staff(), 11, d.clock.Now()+admitto.Day, "late mail"))
		d.wantSince(last, "Application expiry was lifted")
		d.submit(ann(), "", "")
		d.clock.Add(admitto.Day)
		if got := codes(t, o.ReopenApplication(ctx, staff(), 11)) + " " + codes(t, o.Withdraw(ctx, ann(), 11, "")); got != "application-expired application-expired" {
			t.Error(got)
		}
		d.chained()
	})
}
