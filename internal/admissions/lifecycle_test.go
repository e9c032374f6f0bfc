package admissions_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
)

// What stops a submission, and what an administrator may set aside (T7).
func TestSubmitGuards(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		last := len(d.Journal())
		d.Write("UPDATE course SET form = '"+servicestest.FormRequiring("motivation/general")+"' WHERE id = 55",
			`UPDATE consent SET type = 'Mandatory' WHERE id = 1`)
		d.Submit(servicestest.Ann(), "", "section-incomplete consent-missing")
		d.WantSince(last, "Application submission was refused: section-incomplete+consent-missing")
		d.Submit(servicestest.ByKey(), "", "application-draft")
		d.Submit(servicestest.Staff(), "", "section-incomplete")
		d.Write(`UPDATE applicant SET citizenship = '' WHERE id = 1`, `INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred)
			VALUES (8, '001', '2026-03-08', '', TRUE)`, `UPDATE intake SET policy = 'Strict (submit)'`,
			`UPDATE academic_term SET grace = '2026-03-08'`,
			`UPDATE invoice_series SET blocking = TRUE WHERE id = 1`,
			`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, paid, payer_name) VALUES (1, 'Invoice', '1', 1, 1, 1, '2026-12-01', 'EUR', 100, 0, 'A')`,
			`INSERT INTO task (id, application_id, template_id, created, status) SELECT 1, 11, template_id, 1, name FROM task_template_status ORDER BY template_id, position LIMIT 1`,
			`UPDATE task_template_status SET blocks = TRUE`)
		all := "citizenship-missing territory-barred territory-barred deadline-passed deadline-passed section-incomplete task-blocks invoice-unpaid application-expired"
		d.Submit(servicestest.Ann(), "", all+" consent-missing")
		d.Submit(servicestest.Staff(), "", all)
		d.Submit(servicestest.Staff(), "The applicant called",
			"citizenship-missing territory-barred territory-barred application-expired")
		d.Write(`UPDATE applicant SET citizenship = 'HU' WHERE id = 1`, `UPDATE intake_deadline SET barred = FALSE`,
			`UPDATE academic_term SET grace = '2026-10-31'`)
		d.Submit(servicestest.Staff(), " ", strings.Replace(all[strings.Index(all, "deadline-"):], " application-expired", "",
			1))
		d.Write(`DELETE FROM application_course WHERE application_id = 11`)
		d.Submit(servicestest.Staff(), "The applicant called", "no-course")
		d.Write(`INSERT INTO application_course (application_id, course_id, intake_id, institution_id, priority, added) VALUES (11, 55, 8, 1, 1, 1)`)
		last = len(d.Journal())
		d.Submit(servicestest.Staff(), "The applicant called", "")
		d.WantSince(last, "Application was submitted", "Offer was created")
		if n := d.Number(`SELECT count(*) FROM journal_detail WHERE payload LIKE '%The applicant called%' AND payload LIKE '%task-blocks%'`); n != 1 {
			t.Errorf("the reason is in %d details", n)
		}
		receipts, err := d.Services.Query.Receipts(t.Context(), admitto.SystemCaller(), 11)
		if err != nil || len(receipts) != 3 {
			t.Fatal(receipts, err)
		}
		for _, r := range receipts {
			signature, err := base64.StdEncoding.DecodeString(r.Signature)
			public, bad := base64.StdEncoding.DecodeString(d.Services.Admissions.ReceiptKey())
			if err != nil || bad != nil || !ed25519.Verify(public, []byte(r.Text), signature) ||
				ed25519.Verify(public, []byte(r.Text+" "), signature) {
				t.Errorf("%+v", r)
			}
			if r.Accepted != strings.Contains(r.Text, "Result accepted\nCourses 1. course 55\n") ||
				!strings.Contains(r.Text, "T09:00:00.000+00:00 UTC\n") {
				t.Error(r.Text)
			}
		}
		d.Chained()
	})
}

// An application from the first submission to the last withdrawal (T7 to T13).
func TestApplicationStory(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		ctx, o := t.Context(), d.Services
		last := len(d.Journal())
		events := func(want ...string) {
			t.Helper()
			d.WantSince(last, want...)
			last = len(d.Journal())
			d.Clock.Add(admitto.Minute)
		}
		mailed := func(template, attachment string) {
			t.Helper()
			before := len(d.Post.Taken())
			if n := d.Deliver(); n != 1 {
				t.Fatalf("%d mails left", n)
			}
			m := d.Post.Taken()[before]
			if attachment != "" && (len(m.Attachments) != 1 || !strings.Contains(string(m.Attachments[0].Data), attachment)) ||
				strings.Contains(m.Text, "%") {
				t.Errorf("%+v", m)
			}
			events("E-mail was sent: " + template)
		}
		refused := func(err error, want string) {
			t.Helper()
			if got := servicestest.Codes(t, err); got != want {
				t.Errorf("codes %q, want %q", got, want)
			}
			if n := len(d.Journal()); n != last {
				t.Errorf("a refusal recorded %q", d.Since(last))
			}
		}
		d.Submit(servicestest.Ann(), "", "")
		events("Application was submitted", "Offer was created", "Offer was created")
		mailed("application-submitted", "Result accepted")
		d.Submit(servicestest.Ann(), "", "application-submitted")
		events("Application submission was refused: application-submitted")
		refused(o.Admissions.ReopenApplication(ctx, servicestest.Ann(), 11, admissions.Reopening{}), "reopen-not-offered")
		refused(o.Admissions.ReopenApplication(ctx, servicestest.ByKey(), 11, admissions.Reopening{}),
			"application-submitted")
		for _, err := range []error{o.Admissions.Withdraw(ctx, servicestest.As(admitto.ByApplicant, 2), 11,
			admitto.Declining{}),
			o.Admissions.ReopenApplication(ctx, servicestest.Staff(), 99, admissions.Reopening{})} {
			servicestest.WantKind(t, err, admitto.NotFound)
		}
		d.Must(o.Admissions.ReopenApplication(ctx, servicestest.Staff(), 11, admissions.Reopening{}))
		events("Application was reopened")
		mailed("application-reopened", "")
		d.Must(o.Admissions.RemoveCourse(ctx, servicestest.Ann(), 11, 56))
		events("Course was removed from application")
		refused(o.Admissions.RemoveCourse(ctx, servicestest.Ann(), 11, 55), "last-course")
		d.Submit(servicestest.Ann(), "", "")
		events("Application was re-submitted", "Offer decision was set: Declined")
		mailed("application-resubmitted", "Receipt")

		servicestest.WantKind(t, o.Admissions.Withdraw(ctx, servicestest.Staff(), 11, admitto.Declining{}),
			admitto.InvalidParameter)
		d.Must(o.Admissions.Withdraw(ctx, servicestest.Ann(), 11, admitto.Declining{}))
		events("Application was withdrawn", "Offer decision was set: Declined")
		mailed("application-withdrawn", "")
		refused(o.Admissions.Withdraw(ctx, servicestest.Ann(), 11, admitto.Declining{}), "application-withdrawn")
		_, err := o.Admissions.UndoWithdrawal(ctx, servicestest.Ann(), 11)
		d.Must(err)
		if got := d.Status(11); got != "Submitted" {
			t.Error(got)
		}
		last = len(d.Journal())
		d.Clock.Add(admitto.Minute)
		mailed("application-withdrawal-reverted", "")
		d.Must(o.Admissions.Withdraw(ctx, servicestest.Staff(), 11, admitto.Declining{Words: "asked by letter"}))
		d.Deliver()
		d.Clock.Add(15 * admitto.Minute)
		last = len(d.Journal())
		_, err = o.Admissions.UndoWithdrawal(ctx, servicestest.Ann(), 11)
		refused(err, "undo-time-over")

		// A withdrawn application that was closed is withdrawn again afterwards.
		d.Must(o.Admissions.CloseApplication(ctx, servicestest.Staff(), 11, true))
		events("Application was closed")
		mailed("application-closed", "")
		refused(o.Admissions.CloseApplication(ctx, servicestest.Staff(), 11, true), "application-closed")
		refused(o.Admissions.UndoClosing(ctx, servicestest.ByKey(), 11, "x"), "application-closed")
		servicestest.WantKind(t, o.Admissions.UndoClosing(ctx, servicestest.Staff(), 11, " "), admitto.InvalidParameter)
		d.Write(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (13, 1, 13, 'Blank', 1, 1)`)
		refused(o.Admissions.UndoClosing(ctx, servicestest.Staff(), 11, "a mistake"), "application-exists")
		d.Must(o.Admissions.CloseApplication(ctx, servicestest.ByKey(), 13, false))
		last = len(d.Journal())
		d.Must(o.Admissions.UndoClosing(ctx, servicestest.Staff(), 11, "a mistake"))
		events("Application closing was reverted")
		if got := d.Status(11); got != "Withdrawn" {
			t.Error(got)
		}
		if _, err = o.Admissions.UndoWithdrawal(ctx, servicestest.Staff(), 11); err != nil || d.Status(11) != "Submitted" {
			t.Error(err, d.Status(11))
		}
		d.Deliver()
		old := servicestest.Staff()
		old.Version = 1
		last = len(d.Journal())
		servicestest.WantKind(t, o.Admissions.ReopenApplication(ctx, old, 11, admissions.Reopening{}),
			admitto.ChangedMeanwhile)
		d.Must(o.Admissions.CloseApplication(ctx, servicestest.Staff(), 11, false))
		d.Must(o.Admissions.UndoClosing(ctx, servicestest.Staff(), 11, "a mistake"))
		if got := d.Status(11); got != "Submitted" || d.Deliver() != 0 {
			t.Error(got)
		}
		d.Chained()
	})
}

// Deadlines, extensions, expiry and its lifting (3.3, T14, T15), and what is frozen for the applicant (3.6).
func TestApplicationTimes(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		ctx, o := t.Context(), d.Services
		d.Write(`INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-03-08', '', FALSE)`, `UPDATE intake SET policy = 'Strict (submit, hard)'`,
			`DELETE FROM application_course WHERE course_id = 56`)
		now := d.Clock.Now()
		last := len(d.Journal())
		_, err := o.Admissions.AddCourse(ctx, servicestest.Ann(), 11, admissions.NewCourseOf{Course: 56})
		if got := servicestest.Codes(t, err); got != "deadline-passed" {
			t.Error(got)
		}
		for _, err := range []error{o.Admissions.ExtendDeadline(ctx, servicestest.Staff(), 11,
			admissions.Extension{Intake: 8, Until: now + admitto.Hour, Reason: ""}),
			o.Admissions.ExtendDeadline(ctx, servicestest.Staff(), 11,
				admissions.Extension{Intake: 9, Until: now + admitto.Hour, Reason: "ill"}),
			o.Admissions.ExtendDeadline(ctx, servicestest.Staff(), 11,
				admissions.Extension{Intake: 8, Until: now, Reason: "ill"})} {
			servicestest.WantKind(t, err, admitto.InvalidParameter)
		}
		servicestest.WantKind(t, o.Admissions.ExtendDeadline(ctx, servicestest.Ann(), 11,
			admissions.Extension{Intake: 8, Until: now + admitto.Hour, Reason: "ill"}),
			admitto.NotPermitted)
		d.Must(o.Admissions.ExtendDeadline(ctx, servicestest.Staff(), 11,
			admissions.Extension{Intake: 8, Until: now + admitto.Hour, Reason: "ill"}))
		d.Must(o.Admissions.ExtendDeadline(ctx, servicestest.Staff(), 11,
			admissions.Extension{Intake: 8, Until: now + admitto.Hour, Reason: "ill"})) // the same again
		d.WantSince(last, "Application deadline was extended: 8")
		d.Must(o.Admissions.Freeze(ctx, servicestest.ByKey(), 11))
		if _, err := o.Admissions.AddCourse(ctx, servicestest.Ann(), 11, admissions.NewCourseOf{Course: 56,
			Priority: 1}); servicestest.Codes(t, err) != "frozen" {
			t.Error(err)
		}
		_, err = o.Admissions.AddCourse(ctx, servicestest.Ann(), 11, admissions.NewCourseOf{Course: 56})
		d.Must(err)
		if got := servicestest.Codes(t, o.Admissions.RemoveCourse(ctx, servicestest.Ann(), 11, 55)) + servicestest.Codes(t,
			o.Admissions.SetCoursePriority(ctx, servicestest.Ann(), 11, 56, 1)); got != "frozenfrozen" {
			t.Error(got)
		}
		d.Must(o.Admissions.RemoveCourse(ctx, servicestest.Ann(), 11, 56))
		d.Must(o.Admissions.Unfreeze(ctx, servicestest.Staff(), 11))
		d.Clock.Add(admitto.Hour)
		d.Submit(servicestest.Ann(), "", "deadline-passed")

		if got := servicestest.Codes(t, o.Admissions.LiftExpiry(ctx, servicestest.Staff(), 11, d.Clock.Now()+admitto.Day,
			"late mail")); got != "application-not-expired" {
			t.Error(got)
		}
		d.Write(`UPDATE academic_term SET grace = '2026-03-08'`, `UPDATE intake SET policy = 'Rolling'`)
		d.Submit(servicestest.Ann(), "", "application-expired")
		last = len(d.Journal())
		d.Must(o.Admissions.LiftExpiry(ctx, servicestest.Staff(), 11, d.Clock.Now()+admitto.Day, "late mail"))
		d.WantSince(last, "Application expiry was lifted")
		d.Submit(servicestest.Ann(), "", "")
		d.Clock.Add(admitto.Day)
		if got := servicestest.Codes(t, o.Admissions.ReopenApplication(ctx, servicestest.Staff(), 11,
			admissions.Reopening{})) + " " +
			servicestest.Codes(t, o.Admissions.Withdraw(ctx, servicestest.Ann(), 11,
				admitto.Declining{})); got != "application-expired application-expired" {
			t.Error(got)
		}
		d.Chained()
	})
}

// TestCopyForm starts an application with the form and the documents of an earlier one, and with nothing else of it
// (lifecycle.md T1).
func TestCopyForm(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		ctx, o, staff := t.Context(), d.Services, servicestest.Staff()
		d.Write(`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (14, 2026, 'Spring', 2, '2027-02-01', '2027-03-31', '2027-06-30')`,
			`INSERT INTO intake (id, name, policy, academic_term_id) VALUES (9, 'Spring 2027', 'Rolling', 14)`,
			`INSERT INTO course_intake (course_id, intake_id) VALUES (55, 9)`)
		d.Write(`INSERT INTO document (id, application_id, uploaded, name, mime, size, hash, trashed) VALUES
				(501, 11, 1, 'Diploma.pdf', 'application/pdf', 7, 'ab', NULL), (502, 11, 1, 'Old.pdf', 'application/pdf', 7, 'cd', 1)`,
			`INSERT INTO application_content (application_id, content) VALUES (11, '{"profile": {"citizenship": "EE"},
				"contact": {"address": {"city": "Pécs"}}, "extras": [{"id": 17, "name": "Diploma", "type": "file", "document": 501},
				{"id": 18, "name": "Old", "type": "file", "document": 502}]}')`)
		d.Put("UPDATE application SET frozen = 1 WHERE id = 11")

		in := admissions.NewApplication{Applicant: 1, Course: 55, Intake: 9, CopyOf: 11}
		last, rows := len(d.Journal()), d.Count("application")
		for name, c := range map[string]struct {
			by   admitto.ActorKind
			from int64
			want admitto.Kind
		}{
			"by the applicant":  {admitto.ByApplicant, 11, admitto.NotPermitted},
			"by a key":          {admitto.ByKey, 11, admitto.NotPermitted},
			"of somebody else":  {admitto.ByAdministrator, 12, admitto.InvalidParameter},
			"of an unknown one": {admitto.ByAdministrator, 99, admitto.InvalidParameter},
		} {
			bad := in
			bad.CopyOf = c.from
			if _, _, err := o.Admissions.Apply(ctx, servicestest.As(c.by, 1), bad); admitto.KindOf(err) != c.want {
				t.Errorf("%s: %v", name, err)
			}
		}
		into := in
		into.Intake = 8 // its term has application 11
		if _, _, err := o.Admissions.Apply(ctx, staff, into); admitto.KindOf(err) != admitto.NotAllowedNow {
			t.Error(err)
		}
		if len(d.Journal()) != last || d.Count("application") != rows {
			t.Errorf("a refusal left %q", d.Since(last))
		}

		id, created, err := o.Admissions.Apply(ctx, staff, in)
		if err != nil || !created {
			t.Fatal(id, created, err)
		}
		d.WantSince(last, "Application was created by cloning", "Course was added to application", "Document was uploaded",
			"Application status was changed: Draft", "Application was edited")
		if s := d.Status(id); s != "Draft" {
			t.Error(s)
		}
		if n := d.Number("SELECT count(*) FROM application WHERE id = $1 AND frozen IS NULL AND submitted IS NULL", id); n != 1 {
			t.Error("more than the form is copied")
		}
		if n := d.Number("SELECT count(*) FROM application_course WHERE application_id = $1", id); n != 1 {
			t.Error(n, " courses")
		}
		if n := d.Number(`SELECT count(*) FROM document d JOIN document e ON d.hash = e.hash WHERE d.application_id = $1 AND
			e.application_id = 11 AND d.id <> e.id AND d.task_id IS NULL`, id); n != 1 {
			t.Error(n, " documents")
		}
		if n := d.Number("SELECT count(*) FROM loose_file"); n != 0 {
			t.Error(n, " loose files")
		}
		var copied admitto.Extra
		err = d.Store.Read(ctx, func(tx *store.Tx) error {
			content, err := tx.ApplicationContent(id)
			if err != nil || len(content.Extras) != 1 {
				t.Fatalf("%+v, %v", content, err)
			}
			copied = content.Extras[0]
			profile, _ := content.Sections["profile"].(map[string]any)
			contact, _ := content.Sections["contact"].(map[string]any)
			address, _ := contact["address"].(map[string]any)
			if profile["citizenship"] != "HU" || address["city"] != "Pécs" {
				t.Errorf("%+v", content.Sections)
			}
			return nil
		})
		own := d.Number("SELECT id FROM document WHERE application_id = $1", id)
		if err != nil || copied.ID != 17 || copied.Document != own {
			t.Errorf("%+v names another document than %d, %v", copied, own, err)
		}
		d.Chained()
	})
}

// An applicant discards what was never submitted, takes that back for a while, and may begin again; what staff have
// closed stays closed for the applicant (T22, T13).
func TestDiscard(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		ctx, o, ann := t.Context(), d.Services.Admissions, servicestest.Ann()
		codes := func(err error, want string) {
			t.Helper()
			if got := servicestest.Codes(t, err); got != want {
				t.Errorf("codes %q, want %q", got, want)
			}
		}
		before := d.Status(11)
		last, mails := len(d.Journal()), len(d.Post.Taken())
		d.Must(o.CloseApplication(ctx, ann, 11, true))
		d.WantSince(last, "Application was closed")
		if r := d.Journal()[last]; r.Actor.Kind != admitto.ByApplicant {
			t.Errorf("%+v", r.Actor)
		}
		if d.Deliver(); len(d.Post.Taken()) != mails {
			t.Error("an applicant who discards gets an e-mail about it")
		}
		codes(o.CloseApplication(ctx, ann, 11, false), "application-closed")
		servicestest.WantKind(t, o.UndoClosing(ctx, servicestest.As(admitto.ByApplicant, 2), 11, ""), admitto.NotFound)
		last = len(d.Journal())
		d.Clock.Add(15*admitto.Minute - 1)
		d.Must(o.UndoClosing(ctx, ann, 11, ""))
		d.WantSince(last, "Application closing was reverted")
		if got := d.Status(11); got != before {
			t.Errorf("it is %s, was %s", got, before)
		}
		d.Must(o.CloseApplication(ctx, ann, 11, false))
		d.Clock.Add(15 * admitto.Minute)
		codes(o.UndoClosing(ctx, ann, 11, ""), "undo-time-over")
		d.Must(o.UndoClosing(ctx, servicestest.Staff(), 11, "a mistake"))
		d.Must(o.CloseApplication(ctx, servicestest.Staff(), 11, false))
		codes(o.UndoClosing(ctx, ann, 11, ""), "undo-time-over")
		d.Must(o.UndoClosing(ctx, servicestest.Staff(), 11, "a mistake"))

		// With another application of the term the discarded one does not come back.
		d.Must(o.CloseApplication(ctx, ann, 11, false))
		d.Write(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (13, 1, 13, 'Blank', 1, 1)`)
		codes(o.UndoClosing(ctx, ann, 11, ""), "application-exists")
		d.Write("UPDATE application SET status = 'Closed' WHERE id = 13", "UPDATE academic_term SET grace = '2026-03-08'")
		d.Must(o.UndoClosing(ctx, servicestest.Staff(), 11, "a mistake"))
		codes(o.CloseApplication(ctx, ann, 11, false), "application-expired")
		d.Write("UPDATE academic_term SET grace = '2026-10-31'", "UPDATE application SET status = 'Reopened' WHERE id = 11")
		codes(o.CloseApplication(ctx, ann, 11, false), "application-reopened")
		d.Chained()
	})
}

// After the submission the applicant changes contact data and nothing else of the form (T21); documents may be added
// and not removed.
func TestOpenAfterSubmission(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		ctx, o, ann := t.Context(), d.Services.Admissions, servicestest.Ann()
		d.Submit(ann, "", "")
		last := len(d.Journal())
		save := func(section, field, value string) error {
			return o.PatchContent(ctx, ann, 11, admissions.ContentPatch{
				Members: map[string]any{section: map[string]any{field: value}}})
		}
		d.Must(save("contact", "email", "new@example.org"))
		d.WantSince(last, "Application was edited")
		if got := d.Status(11); got != "Submitted" {
			t.Errorf("it is %s", got)
		}
		if got := servicestest.Codes(t, save("motivation", "general", "I want to")); got != "application-submitted" {
			t.Errorf("codes %q", got)
		}
		mixed := admissions.ContentPatch{Members: map[string]any{"contact": map[string]any{"email": "b@example.org"},
			"motivation": map[string]any{"general": "I want to"}}}
		if got := servicestest.Codes(t, o.PatchContent(ctx, ann, 11, mixed)); got != "application-submitted" {
			t.Errorf("codes %q", got)
		}
		d.Shelf.Backend = servicestest.Drawer{}
		d.Write("INSERT INTO document (id, application_id, uploaded, name, mime, size, hash) VALUES (70, 11, 1, 'a.txt', 'text/plain', 7, 'aa')")
		if got := servicestest.Codes(t, o.RemoveDocument(ctx, ann, 11, 70, "")); got != "application-submitted" {
			t.Errorf("codes %q", got)
		}
		d.Must(o.Withdraw(ctx, ann, 11, admitto.Declining{}))
		if got := servicestest.Codes(t, save("contact", "email", "c@example.org")); !strings.Contains(got,
			"application-withdrawn") {
			t.Errorf("codes %q", got)
		}
		d.Chained()
	})
}

// Why an applicant declines is kept with the decision and goes with it; a withdrawal gives its reason to each offer
// that it declines (D3, T10).
func TestDeclining(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		ctx, o := t.Context(), d.Services.Admissions
		d.AtWork()
		d.Submit(servicestest.Staff(), "Came by post", "")
		offer := d.Number("SELECT min(id) FROM offer")
		d.Write("UPDATE offer SET confirmed = 1, type_confirmed_id = (SELECT id FROM offer_type WHERE title = 'Accepted')")
		kept := func() string {
			return d.Lines("SELECT decision || ' ' || decline_class || ' ' || decline_words FROM offer ORDER BY id")
		}
		decline := func(why admitto.Declining) error {
			return o.AnswerOffer(ctx, servicestest.Ann(), 11, offer, admitto.DecisionDeclined, why)
		}
		for _, wrong := range []admitto.Declining{{Class: "visa"}, {Class: "UNI"}, {Words: strings.Repeat("é", 501)},
			{Words: "a\x00b"}} {
			servicestest.WantKind(t, decline(wrong), admitto.InvalidParameter)
			servicestest.WantKind(t, o.Withdraw(ctx, servicestest.Ann(), 11, wrong), admitto.InvalidParameter)
		}
		before := kept()
		d.Must(decline(admitto.Declining{Class: "VISA", Words: strings.Repeat("é", 500)}))
		if got := kept(); !strings.Contains(got, "Declined VISA é") || got == before {
			t.Error(got)
		}
		if n := d.Number("SELECT count(*) FROM journal_detail WHERE payload LIKE '%Visa refused or too late: é%'"); n != 1 {
			t.Errorf("%d details", n)
		}
		d.Must(o.AnswerOffer(ctx, servicestest.Ann(), 11, offer, admitto.DecisionFinal, admitto.Declining{Class: "VISA"}))
		if got := kept(); strings.Contains(got, "VISA") {
			t.Errorf("an accepted offer keeps why it was declined: %s", got)
		}
		d.Must(o.Withdraw(ctx, servicestest.Ann(), 11, admitto.Declining{Class: "DEFER", Words: "Next year"}))
		if got := kept(); !strings.Contains(got, "Declined DEFER Next year") {
			t.Error(got)
		}
		_, err := o.UndoWithdrawal(ctx, servicestest.Ann(), 11)
		d.Must(err)
		if got := kept(); strings.Contains(got, "DEFER") {
			t.Errorf("an undone withdrawal keeps its reason: %s", got)
		}
		d.Must(o.Withdraw(ctx, servicestest.Staff(), 11, admitto.Declining{Words: "asked by letter"}))
		if got := kept(); strings.Contains(got, "asked by letter") {
			t.Errorf("what staff say is no reason of the applicant: %s", got)
		}
	})
}

// TestExtensionMails says in the mail about a later deadline what is true of the application.
func TestExtensionMails(t *testing.T) {
	t.Parallel()
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		d.Write("INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-03-20', '', FALSE)")
		for n, c := range []struct{ status, says, not string }{
			{"Draft", "You can complete and submit your application until then.", "already"},
			{"Inactive", "You can complete and submit your application until then.", "already"},
			{"Reopened", "submit it again until then.", "complete"},
			{"Submitted", "is submitted, and need not be submitted again", "You can"},
		} {
			d.Write("UPDATE application SET status = '" + c.status + "' WHERE id = 11")
			d.Must(d.Services.Admissions.ExtendDeadline(t.Context(), servicestest.Staff(), 11, admissions.Extension{Intake: 8,
				Until: d.Clock.Now() + admitto.Time(40+n)*admitto.Day, Reason: "ill", Tell: true}))
			if m := d.Mail(); !strings.Contains(m.Text, c.says) || strings.Contains(m.Text, c.not) ||
				!strings.HasPrefix(m.Subject, "New deadline") {
				t.Errorf("%s: %q %s", c.status, m.Subject, m.Text)
			}
		}
	})
}

// TestTogether lets staff, the applicant and a rule act on the same application at the same time: each acts on what the
// other has left, in either order, and nothing of what they did is lost.
func TestTogether(t *testing.T) {
	t.Parallel()
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		ctx, o := t.Context(), d.Services
		both := func(acts ...func() error) {
			t.Helper()
			var all sync.WaitGroup
			for _, act := range acts {
				all.Go(func() {
					if err := act(); err != nil && admitto.KindOf(err) != admitto.NotAllowedNow {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		answer := func(id int64) func() error {
			return func() error {
				return o.Admissions.AnswerOffer(ctx, servicestest.Ann(), 11, id, admitto.DecisionFinal, admitto.Declining{})
			}
		}
		reopen := func() error {
			return o.Admissions.ReopenApplication(ctx, servicestest.Staff(), 11, admissions.Reopening{})
		}
		d.Submit(servicestest.Staff(), "by post", "")
		id := d.Number("SELECT min(id) FROM offer WHERE application_id = 11")
		type state struct {
			status           string
			offer            string
			binding, reopens int64
		}
		now := func() state {
			return state{d.Status(11), d.Words("SELECT decision FROM offer WHERE id = $1", id), d.Count("binding_acceptance"),
				d.Number("SELECT count(*) FROM journal WHERE pattern = 'Application was reopened'")}
		}
		for round := range int64(8) {
			d.Write("DELETE FROM binding_acceptance", "UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = 11",
				"UPDATE offer_type SET confirm = TRUE, decide = TRUE, decline = TRUE WHERE id = 17",
				"UPDATE offer SET confirmed = 1, type_id = 17, type_confirmed_id = 17, decision = 'None', decided = NULL, "+
					"decision_origin = '' WHERE application_id = 11")
			both(reopen, answer(id))
			if got, want := now(), (state{"Reopened", "Final", 1, round + 1}); got != want {
				t.Fatalf("round %d: reopened and answered: %+v, want %+v", round, got, want)
			}
			d.Write("UPDATE application SET status = 'Draft', submitted = NULL, revised = 1 WHERE id = 11",
				"DELETE FROM rule_action")
			both(func() error { return o.Automation.MarkInactive(ctx, admitto.SystemCaller()) }, func() error {
				_, err := o.Admissions.Submit(ctx, servicestest.Staff(), 11, admissions.Submission{Reason: "by post"})
				return err
			})
			if got := d.Status(11); got != "Submitted" {
				t.Fatalf("round %d: at rest and submitted: %s", round, got)
			}
			d.Write("DELETE FROM binding_acceptance", "UPDATE offer SET decision = 'None', decision_origin = '' WHERE application_id = 11")
			both(answer(id), func() error {
				return o.Admissions.SetDecision(ctx, servicestest.Staff(), 11, id,
					admissions.DecisionChange{Decision: admitto.DecisionDeclined, Reason: "Visa refused"})
			})
			if got := now(); (got.offer == "Final") != (got.binding == 1) || got.offer == "None" {
				t.Fatalf("round %d: answered by two: %+v", round, got)
			}
		}
		d.Chained()
	})
}
