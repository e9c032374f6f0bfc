package store

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Deleted is an applicant in the recovery list.
type Deleted struct {
	admitto.Applicant
	StateBefore     admitto.ApplicantState
	Deleted         admitto.Time
	DeletedBy       int64
	ForgetRequested admitto.Time
}

// LockDeleted reads an applicant of the recovery list and keeps it from being changed by others until the transaction
// ends, or answers NotFound.
func (tx *Tx) LockDeleted(id int64) (d Deleted, err error) {
	own := columns.Applicant.Width()
	err = one(tx.query("SELECT "+applicantColumns+`, a.state_before, a.deleted, a.deleted_by, a.forget_requested FROM applicant a
		WHERE a.id = $1 AND a.state = 'recovery'`+tx.forUpdate(lockApplicant, id), id), func(r *db.Rows) {
		scanApplicant(r, &d.Applicant)
		d.StateBefore, d.Deleted, d.DeletedBy, d.ForgetRequested = admitto.ApplicantState(r.Text(own)), r.Time(own+1),
			r.Int64(own+2), r.Time(own+3)
	})
	return d, err
}

// DeletedBefore returns the applicants above an ID that were deleted by the time.
func (tx *Tx) DeletedBefore(after int64, by admitto.Time) ([]Candidate, error) {
	return tx.candidates("SELECT a.id, 0 FROM applicant a WHERE a.deleted IS NOT NULL AND a.state = 'recovery' AND a.deleted <= $2"+
		candidatePage("a.id"), after, by)
}

// unusedFrom selects registrations up to $2 that nobody has used a link of, whose links are over at $3, and that hold
// nothing.
const unusedFrom = ` FROM applicant a WHERE a.unconfirmed AND a.state = 'live' AND a.signed_in IS NULL AND a.registered <= $2
	AND NOT EXISTS (SELECT 1 FROM sign_in_token s WHERE s.applicant_id = a.id AND s.used IS NULL AND s.expires > $3)` + holdsNothing

// holdsNothing is the condition that nothing hangs on applicant a which somebody would miss.
const holdsNothing = `
	AND NOT EXISTS (SELECT 1 FROM application x WHERE x.applicant_id = a.id)
	AND NOT EXISTS (SELECT 1 FROM invoice x WHERE x.applicant_id = a.id)
	AND NOT EXISTS (SELECT 1 FROM note x WHERE x.applicant_id = a.id)`

// TakenBackRegistrations returns the applicants whose registration was taken back by who made it.
func (tx *Tx) TakenBackRegistrations() ([]int64, error) {
	return tx.ids(`SELECT id FROM applicant WHERE registration_proof IS NOT NULL AND state = 'recovery' AND deleted_by IS NULL
		ORDER BY id LIMIT 100`)
}

// UnusedRegistrations returns the registrations above an ID, up to a time, that were never used and hold nothing.
func (tx *Tx) UnusedRegistrations(after int64, by admitto.Time) ([]Candidate, error) {
	return tx.candidates("SELECT a.id, 0"+unusedFrom+candidatePage("a.id"), after, by, tx.Now())
}

// IsUnusedRegistration reports whether a locked applicant is one of UnusedRegistrations.
func (tx *Tx) IsUnusedRegistration(applicant int64, by admitto.Time) (bool, error) {
	n, err := tx.number("SELECT count(*)"+unusedFrom+" AND a.id = $1", applicant, by, tx.Now())
	return n > 0, err
}

// HideApplicant puts a visible, locked applicant into the recovery list: it, its applications and all below them are
// invisible at once, its links to sign in are dead and mails on their way to it are dropped.
func (tx *Tx) HideApplicant(a *admitto.Applicant, by int64) error {
	for _, step := range []struct {
		sql  string
		args []any
	}{
		{`UPDATE applicant SET state_before = state, state = 'recovery', deleted = $2, deleted_by = $3, row_version = row_version + 1
			WHERE id = $1`, []any{a.ID, tx.Now(), columns.OrNull(by)}},
		{"DELETE FROM sign_in_token WHERE applicant_id = $1", []any{a.ID}},
		{"DELETE FROM outbox WHERE applicant_id = $1 AND kind = $2", []any{a.ID, OrdinaryMail}},
	} {
		if _, err := tx.exec(step.sql, step.args...); err != nil {
			return err
		}
	}
	if err := tx.showApplications(a.ID, false); err != nil {
		return err
	}
	tx.indexLater(a.ID)
	return tx.countWithTrackers(a, -1)
}

// showApplications makes the applications of an applicant visible or invisible and counts them and their scores.
func (tx *Tx) showApplications(applicant int64, visible bool) error {
	n := int64(-1)
	if visible {
		n = 1
	}
	ids, err := tx.ids("SELECT id FROM application WHERE applicant_id = $1 ORDER BY id", applicant)
	if err == nil {
		err = tx.offersChange(ids...)
	}
	if err == nil {
		err = tx.tasksOfChange(ids)
	}
	if err != nil {
		return err
	}
	err = each(tx.query(`UPDATE application SET visible = $2, row_version = row_version + 1 WHERE applicant_id = $1 AND visible <> $2
		RETURNING id, academic_term_id, status, coalesce(frozen, 0) <> 0`, applicant, visible), func(r *db.Rows) {
		tx.countApplication(r.Int64(0), r.Int64(1), admitto.ApplicationStatus(r.Text(2)), n)
		if r.Bool(3) {
			tx.countFrozen(r.Int64(0), r.Int64(1), n)
		}
	})
	if err != nil {
		return err
	}
	return each(tx.query("SELECT s.id, s.scoresheet_id FROM application a JOIN score s ON s.application_id = a.id WHERE a.applicant_id = $1", applicant),
		func(r *db.Rows) { tx.countScore(r.Int64(0), r.Int64(1), n) })
}

// ShowApplicant takes a locked applicant out of the recovery list. Email and reference are those it has from now on;
// when somebody else holds one of them the error is db.ErrUnique.
func (tx *Tx) ShowApplicant(d *Deleted, email, emailKey, reference string) error {
	if _, err := tx.exec(`UPDATE applicant SET state = $2, state_before = '', deleted = NULL, deleted_by = NULL, email = $3, email_key = $4,
		reference = $5, row_version = row_version + 1 WHERE id = $1`, d.ID, d.StateBefore, email, emailKey, reference); err != nil {
		return err
	}
	if err := tx.showApplications(d.ID, true); err != nil {
		return err
	}
	tx.indexLater(d.ID)
	return tx.countWithTrackers(&d.Applicant, 1)
}

// countWithTrackers counts an applicant under everything it is counted by.
func (tx *Tx) countWithTrackers(a *admitto.Applicant, n int64) error {
	tx.countApplicant(a.ID, a.Citizenship, a.Registered, n)
	trackers, err := tx.trackerIDsOf(a.ID)
	for _, t := range trackers {
		tx.count(familyApplicant, facetTracker(t), a.ID/blockSize, a.ID, n)
	}
	return err
}

// HolderOfEmail returns who holds an address in its normal form, 0 for nobody; deleted applicants hold none.
func (tx *Tx) HolderOfEmail(emailKey string) (int64, error) {
	return tx.number("SELECT id FROM applicant WHERE email_key = $1 AND state <> 'recovery'", emailKey)
}

// EmailKey reads the normal form of an applicant's address.
func (tx *Tx) EmailKey(applicant int64) (key string, err error) {
	err = one(tx.query("SELECT email_key FROM applicant WHERE id = $1", applicant), func(r *db.Rows) { key = r.Text(0) })
	return key, err
}

// ApplicationsToErase returns the applications of an applicant by ID, invisible ones too.
func (tx *Tx) ApplicationsToErase(applicant int64) (list []admitto.Application, err error) {
	err = each(tx.query("SELECT "+applicationColumns+" FROM application a WHERE a.applicant_id = $1 ORDER BY a.id"+
		tx.forUpdate(lockApplication, 0), applicant),
		func(r *db.Rows) {
			var a admitto.Application
			scanApplication(r, &a)
			list = append(list, a)
		})
	return list, err
}

// InvoiceToErase is an invoice of an applicant who is erased, with what its events link to; Kept says that it must
// stay.
type InvoiceToErase struct {
	Links admitto.Links
	Kept  bool
}

// InvoicesToErase returns the invoices of an applicant by ID, locked. Those of a permanent series and those with a
// transaction are kept.
func (tx *Tx) InvoicesToErase(applicant int64) (list []InvoiceToErase, err error) {
	err = each(tx.query(`SELECT i.id, i.application_id, i.course_id, s.permanent, EXISTS (SELECT 1 FROM invoice_transaction t WHERE t.invoice_id = i.id)
		FROM invoice i JOIN invoice_series s ON s.id = i.series_id WHERE i.applicant_id = $1
		OR i.application_id IN (SELECT id FROM application WHERE applicant_id = $1) ORDER BY i.id`, applicant), func(r *db.Rows) {
		list = append(list, InvoiceToErase{Kept: r.Bool(3) || r.Bool(4),
			Links: admitto.Links{Applicant: applicant, Application: r.Int64(1), Course: r.Int64(2), Invoice: r.Int64(0)}})
	})
	return list, err
}

// DetachInvoice keeps an invoice without its applicant: the name of the payer, the items and the number stay.
func (tx *Tx) DetachInvoice(id int64) error {
	_, err := tx.exec(`UPDATE invoice SET applicant_id = NULL, application_id = NULL, payer_email = '', email_id = NULL,
		row_version = row_version + 1 WHERE id = $1`, id)
	return err
}

// hashesOfApplicant are the files that an applicant's rows refer to.
const hashesOfApplicant = `SELECT hash FROM applicant_photo WHERE applicant_id = $1
	UNION SELECT d.hash FROM document d JOIN application a ON a.id = d.application_id WHERE a.applicant_id = $1
	UNION SELECT x.hash FROM email_attachment x JOIN email e ON e.id = x.email_id WHERE e.applicant_id = $1
	UNION SELECT x.hash FROM offer_attachment x JOIN offer o ON o.id = x.offer_id WHERE o.applicant_id = $1
	UNION SELECT hash FROM data_export WHERE applicant_id = $1 AND hash <> ''
	UNION SELECT hash FROM own_data_export WHERE applicant_id = $1 AND hash <> ''
	UNION SELECT b.hash FROM export_blob b JOIN export e ON e.id = b.export_id JOIN application a ON a.id = e.application_id WHERE a.applicant_id = $1`

// LoosenFilesOf notes that an applicant, who is being erased, refers to no files any more; a job removes the bytes
// that nobody else refers to.
func (tx *Tx) LoosenFilesOf(applicant int64) error {
	hashes := map[string]bool{}
	err := each(tx.query(hashesOfApplicant, applicant), func(r *db.Rows) { hashes[r.Text(0)] = true })
	if err != nil {
		return err
	}
	err = each(tx.query(`SELECT c.attachments FROM offer_confirmation c JOIN offer o ON o.id = c.offer_id
		WHERE o.applicant_id = $1 AND c.attachments <> '[]'`, applicant), func(r *db.Rows) {
		var files []struct{ Hash string }
		_ = json.Unmarshal(r.Raw(0), &files) // names match in any letter case; our own list
		for _, f := range files {
			hashes[f.Hash] = true
		}
	})
	if err != nil {
		return err
	}
	for _, hash := range sortedKeys(hashes) {
		if err := tx.LoosenFile(hash); err != nil {
			return err
		}
	}
	return nil
}

// ForgetDetails erases old and new values from the journal that concern an applicant; its records stay, and the chain
// still verifies.
func (tx *Tx) ForgetDetails(applicant int64) error {
	if err := tx.takeNow(); err != nil {
		return err
	}
	_, err := tx.exec(`DELETE FROM journal_detail WHERE journal_id IN (SELECT id FROM journal WHERE applicant_id = $1
		UNION SELECT j.id FROM journal j JOIN application a ON a.id = j.application_id WHERE a.applicant_id = $1)`, applicant)
	return err
}

// RecordsOf returns an applicant and what is about them that calls are about.
func (tx *Tx) RecordsOf(applicant int64) (list []admitto.Row, err error) {
	for _, kind := range []struct {
		of  admitto.RowKind
		sql string
	}{
		{admitto.ApplicantRow, "SELECT id FROM applicant WHERE id = $1"},
		{admitto.ApplicationRow, "SELECT id FROM application WHERE applicant_id = $1"},
		{admitto.InvoiceRow, "SELECT id FROM invoice WHERE applicant_id = $1"},
		{admitto.ScoreRow, "SELECT s.id FROM score s JOIN application a ON a.id = s.application_id WHERE a.applicant_id = $1"},
	} {
		err := each(tx.query(kind.sql, applicant), func(r *db.Rows) {
			list = append(list, admitto.Row{Kind: kind.of, ID: r.Int64(0)})
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// EraseApplicant removes the rows of an applicant in the recovery list with everything that hangs on them.
func (tx *Tx) EraseApplicant(id int64) error {
	_, err := tx.exec("DELETE FROM applicant WHERE id = $1 AND state = 'recovery'", id)
	return err
}

func sortedKeys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
