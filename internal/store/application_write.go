package store

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// ApplicationInTerm returns the application of an applicant in a term that is not Closed; its ID is 0 when there is
// none. The applicant must be locked, so that nobody makes one meanwhile.
func (tx *Tx) ApplicationInTerm(applicant, term int64) (a admitto.Application, err error) {
	err = each(tx.query("SELECT "+applicationColumns+` FROM application a WHERE a.applicant_id = $1 AND a.academic_term_id = $2
		AND a.status <> 'Closed'`, applicant, term), func(r *db.Rows) { scanApplication(r, &a) })
	return a, err
}

// InsertApplication stores a new application of a visible applicant and returns its ID. The order of commits must be
// locked (LockOrder), since clients read applications incrementally by ID.
func (tx *Tx) InsertApplication(a *admitto.Application) (int64, error) {
	id, err := tx.insert(insertApplication, columns.Application.New(a)...)
	if err == nil {
		tx.countApplication(id, a.Term, a.Status, 1)
		if a.Frozen != 0 {
			tx.countFrozen(id, a.Term, 1)
		}
	}
	return id, err
}

const familyApplication = "application"

// countApplication counts a visible application under everything it is counted by.
func (tx *Tx) countApplication(id, term int64, status admitto.ApplicationStatus, n int64) {
	for _, facet := range []string{facetAll, facetTerm(term), facetStatus(status)} {
		tx.count(familyApplication, facet, id/blockSize, id, n)
	}
	tx.count(familyApplication, facetTermStatus(term, status), id/paneBlock, id, n)
}

// countStatus counts a visible, locked application under another status than the one that it has.
func (tx *Tx) countStatus(id int64, to admitto.ApplicationStatus) error {
	return each(tx.query("SELECT status, academic_term_id FROM application WHERE id = $1 AND visible AND status <> $2", id,
		string(to)),
		func(r *db.Rows) { tx.countOtherStatus(id, r.Int64(1), admitto.ApplicationStatus(r.Text(0)), to) })
}

func (tx *Tx) countOtherStatus(id, term int64, from, to admitto.ApplicationStatus) {
	tx.count(familyApplication, facetStatus(from), id/blockSize, id, -1)
	tx.count(familyApplication, facetStatus(to), id/blockSize, id, 1)
	tx.count(familyApplication, facetTermStatus(term, from), id/paneBlock, id, -1)
	tx.count(familyApplication, facetTermStatus(term, to), id/paneBlock, id, 1)
}

// countChange counts a locked application as it is about to be stored.
func (tx *Tx) countChange(a *admitto.ApplicationCase) error {
	submits := false
	err := each(tx.query(`SELECT status, academic_term_id, coalesce(submitted, 0) <> 0, coalesce(frozen, 0) <> 0 FROM application
		WHERE id = $1 AND visible`, a.ID), func(r *db.Rows) {
		if was := admitto.ApplicationStatus(r.Text(0)); was != a.Status {
			tx.countOtherStatus(a.ID, r.Int64(1), was, a.Status)
		}
		submits = r.Bool(2) != (a.Submitted != 0)
		switch frozen := a.Frozen != 0; {
		case frozen && !r.Bool(3):
			tx.countFrozen(a.ID, r.Int64(1), 1)
		case !frozen && r.Bool(3):
			tx.countFrozen(a.ID, r.Int64(1), -1)
		}
	})
	if err == nil && submits {
		err = tx.offersChange(a.ID)
	}
	return err
}

// SaveApplication stores the status of an application and the times that go with it.
func (tx *Tx) SaveApplication(a *admitto.ApplicationCase) error {
	a.RowVersion++
	if err := tx.countChange(a); err != nil {
		return err
	}
	_, err := tx.exec(`UPDATE application SET status = $2, status_before = $3, withdrawn = $4, submitted = $5, resubmitted = $6,
		reopened = $7, frozen = $8, row_version = row_version + 1 WHERE id = $1`, a.ID, string(a.Status), string(a.StatusBefore),
		a.Withdrawn, a.Submitted, a.Resubmitted, a.Reopened, a.Frozen)
	return err
}

// TouchApplication raises the row version, after a change of what an application holds.
func (tx *Tx) TouchApplication(id int64) error {
	_, err := tx.exec("UPDATE application SET row_version = row_version + 1 WHERE id = $1", id)
	return err
}

// SetGraceOverride stores until when, and why, the grace day of the term does not end an application.
func (tx *Tx) SetGraceOverride(application int64, until admitto.Time, reason string) error {
	_, err := tx.exec("UPDATE application SET grace_override = $2, grace_reason = $3, row_version = row_version + 1 WHERE id = $1",
		application, until, reason)
	return err
}

// SetReopening stores what staff told the applicant when they reopened an application, and by when it is to be
// submitted again; the zero Date is no day.
func (tx *Tx) SetReopening(application int64, text string, until admitto.Date) error {
	_, err := tx.exec("UPDATE application SET reopen_text = $2, reopen_until = $3 WHERE id = $1", application, text, until)
	return err
}

// Reopening returns what SetReopening stored.
func (tx *Tx) Reopening(application int64) (text string, until admitto.Date, err error) {
	err = one(tx.query("SELECT reopen_text, reopen_until FROM application WHERE id = $1", application), func(r *db.Rows) {
		text, until = r.Text(0), r.Date(1)
	})
	return text, until, err
}

// SetSilenced stores whether staff want no reminders for an application.
func (tx *Tx) SetSilenced(application int64, silenced bool) error {
	_, err := tx.exec("UPDATE application SET silenced = $2, row_version = row_version + 1 WHERE id = $1", application,
		silenced)
	return err
}

// SaveFrozen stores what of an application the applicant may not change; nil: nothing any more.
func (tx *Tx) SaveFrozen(application int64, entries []string) error {
	if len(entries) == 0 {
		_, err := tx.exec("DELETE FROM application_frozen WHERE application_id = $1", application)
		return err
	}
	raw, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO application_frozen (application_id, entries) VALUES ($1, $2)
		ON CONFLICT (application_id) DO UPDATE SET entries = excluded.entries`, application, string(raw))
	return err
}

// DeadlineExtensions returns the later deadlines of an application, by intake.
func (tx *Tx) DeadlineExtensions(application int64) (map[int64]admitto.Time, error) {
	byIntake := map[int64]admitto.Time{}
	err := each(tx.query("SELECT intake_id, until FROM deadline_extension WHERE application_id = $1", application),
		func(r *db.Rows) { byIntake[r.Int64(0)] = r.Time(1) })
	return byIntake, err
}

// ExtendDeadline stores a later deadline of an application for an intake, in place of the one before.
func (tx *Tx) ExtendDeadline(application, intake int64, until admitto.Time, reason string) error {
	_, err := tx.exec(`INSERT INTO deadline_extension (application_id, intake_id, until, reason) VALUES ($1, $2, $3, $4)
		ON CONFLICT (application_id, intake_id) DO UPDATE SET until = excluded.until, reason = excluded.reason`,
		application, intake, until, reason)
	return err
}

// EndExtension takes a later deadline of an application away.
func (tx *Tx) EndExtension(application, intake int64) error {
	_, err := tx.exec("DELETE FROM deadline_extension WHERE application_id = $1 AND intake_id = $2", application, intake)
	return err
}

// InsertReceipt stores an attempt to submit and returns its number, which becomes part of what is signed.
func (tx *Tx) InsertReceipt(application int64, made admitto.Time, accepted bool) (int64, error) {
	return tx.insert("INSERT INTO receipt (application_id, made, accepted, text, signature) VALUES ($1, $2, $3, '', '') RETURNING id",
		application, made, accepted)
}

// SignReceipt stores the text of a receipt and its signature.
func (tx *Tx) SignReceipt(id int64, text, signature string) error {
	_, err := tx.exec("UPDATE receipt SET text = $2, signature = $3 WHERE id = $1", id, text, signature)
	return err
}

// EarlierContents is what stands in the other applications of an applicant that something was filled in, at most most
// of them, the latest first.
func (tx *Tx) EarlierContents(applicant, but int64, most int) (list []form.Content, err error) {
	var wrong error
	err = each(tx.query(`SELECT a.id, c.content FROM application a JOIN application_content c ON c.application_id = a.id
		WHERE a.applicant_id = $1 AND a.id <> $2 AND a.visible AND a.status <> 'Blank' ORDER BY a.id DESC LIMIT $3`,
		applicant, but, most), func(r *db.Rows) {
		content, err := form.Read(r.Bytes(1))
		if err != nil {
			wrong = fmt.Errorf("content of application %d: %w", r.Int64(0), err)
		}
		list = append(list, content)
	})
	return list, cmp.Or(err, wrong)
}

// Receipts returns the receipts of an application, the oldest first.
func (tx *Tx) Receipts(application int64) (list []admitto.Receipt, err error) {
	err = each(tx.query("SELECT id, application_id, made, accepted, text, signature FROM receipt WHERE application_id = $1 ORDER BY id", application),
		func(r *db.Rows) {
			list = append(list, admitto.Receipt{Number: r.Int64(0), Application: r.Int64(1), Made: r.Time(2),
				Accepted: r.Bool(3), Text: r.Text(4),
				Signature: r.Text(5)})
		})
	return list, err
}

// InsertApplicationCourse puts a course on an application; those of its priority and behind it move down.
func (tx *Tx) InsertApplicationCourse(c *admitto.ApplicationCourse, courseType string, late bool) error {
	_, err := tx.exec("UPDATE application_course SET priority = priority + 1 WHERE application_id = $1 AND priority >= $2",
		c.Application, c.Priority)
	if err != nil {
		return err
	}
	if _, err := tx.exec(columns.ApplicationCourse.Load(), columns.ApplicationCourse.Values(nil, c, courseType,
		late)...); err != nil {
		return err
	}
	return tx.TouchApplication(c.Application)
}

// DeleteApplicationCourse takes a course off an application; those behind it move up.
func (tx *Tx) DeleteApplicationCourse(c *admitto.ApplicationCourse) error {
	if _, err := tx.exec("DELETE FROM application_course WHERE application_id = $1 AND course_id = $2", c.Application,
		c.Course); err != nil {
		return err
	}
	_, err := tx.exec("UPDATE application_course SET priority = priority - 1 WHERE application_id = $1 AND priority > $2",
		c.Application, c.Priority)
	if err != nil {
		return err
	}
	return tx.TouchApplication(c.Application)
}

// MoveApplicationCourse sets another priority of a course of an application; those between the old and the new one
// move towards the old one.
func (tx *Tx) MoveApplicationCourse(c *admitto.ApplicationCourse, priority int) error {
	first, last, step := c.Priority, priority, -1
	if priority < c.Priority {
		first, last, step = priority, c.Priority, 1
	}
	_, err := tx.exec(`UPDATE application_course SET priority = CASE WHEN course_id = $2 THEN $3 ELSE priority + $4 END
		WHERE application_id = $1 AND priority >= $5 AND priority <= $6`, c.Application, c.Course, priority, step, first, last)
	if err != nil {
		return err
	}
	return tx.TouchApplication(c.Application)
}

// SubmitApplicationCourse stores the first submission of a course, and whether it came late.
func (tx *Tx) SubmitApplicationCourse(application, course int64, late bool) error {
	_, err := tx.exec(`UPDATE application_course SET submitted = $3, late = late OR $4 WHERE application_id = $1 AND course_id = $2
		AND submitted IS NULL`, application, course, tx.Now(), late)
	return err
}

// MayReopenHimself reports whether the applicant may reopen the application: at least one of its offers is confirmed,
// and the type of every confirmed one says so (lifecycle.md T8).
func (tx *Tx) MayReopenHimself(application int64) (bool, error) {
	n, err := tx.number(`SELECT CASE WHEN count(*) > 0 AND count(*) = count(CASE WHEN t.reopen THEN 1 END) THEN 1 ELSE 0 END
		FROM offer o JOIN offer_type t ON t.id = o.type_confirmed_id WHERE o.application_id = $1 AND o.confirmed IS NOT NULL`, application)
	return n == 1, err
}

// HasSavedOffer reports whether staff have worked on an offer of the application: saved or confirmed one.
func (tx *Tx) HasSavedOffer(application int64) (bool, error) {
	n, err := tx.number("SELECT count(*) FROM offer WHERE application_id = $1 AND (saved IS NOT NULL OR confirmed IS NOT NULL)",
		application)
	return n > 0, err
}

// HasConfirmedOffer reports whether the offer for a course of an application was confirmed.
func (tx *Tx) HasConfirmedOffer(application, course int64) (bool, error) {
	n, err := tx.number("SELECT count(*) FROM offer WHERE application_id = $1 AND course_id = $2 AND confirmed IS NOT NULL", application, course)
	return n > 0, err
}
