package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// UndecidedConsents returns the IDs of the active mandatory consents whose current text an applicant has not
// accepted: undecided or rejected ones (lifecycle.md G10).
func (tx *Tx) UndecidedConsents(applicant int64) (list []int64, err error) {
	err = each(tx.query(`SELECT c.id FROM consent c WHERE c.type = 'Mandatory' AND c.active AND NOT EXISTS (SELECT 1 FROM consent_decision d
		WHERE d.applicant_id = $1 AND d.consent_id = c.id AND d.version = c.version AND d.decision = 'Accept') ORDER BY c.id`, applicant),
		func(r *db.Rows) { list = append(list, r.Int64(0)) })
	return list, err
}

// AskedConsents returns the active consents, the mandatory ones first, with what an applicant has decided about their
// current text; 0 is nobody.
func (tx *Tx) AskedConsents(applicant int64) (list []admitto.AskedConsent, err error) {
	err = each(tx.query(`SELECT c.id, c.type, c.text, c.link, c.version, COALESCE(d.decision, ''), c.versions FROM consent c
		LEFT JOIN consent_decision d ON d.applicant_id = $1 AND d.consent_id = c.id AND d.version = c.version
		WHERE c.active ORDER BY c.type, c.id`, applicant), func(r *db.Rows) {
		list = append(list, admitto.AskedConsent{Consent: admitto.Consent{ID: r.Int64(0), Type: r.Text(1), Text: r.Text(2),
			Link: r.Text(3)}, Version: r.Int64(4), Decision: r.Text(5),
			Versions: readVersions(r, 6)})
	})
	return list, err
}

// LockConsent returns the version of the text of an active consent and keeps it from being changed until the
// transaction ends, or answers NotFound.
func (tx *Tx) LockConsent(id int64) (version int64, err error) {
	err = one(tx.query("SELECT version FROM consent WHERE id = $1 AND active"+tx.forUpdate(lockConsent, id), id),
		func(r *db.Rows) { version = r.Int64(0) })
	return version, err
}

// ConsentDecided returns an applicant's latest decision on a consent, Accept or Reject, and the version of the text it
// was about; "" without one.
func (tx *Tx) ConsentDecided(applicant, consent int64) (decision string, version int64, err error) {
	err = each(tx.query("SELECT decision, version FROM consent_decision WHERE applicant_id = $1 AND consent_id = $2",
		applicant, consent),
		func(r *db.Rows) { decision, version = r.Text(0), r.Int64(1) })
	return decision, version, err
}

// ConsentHistory returns the last decisions of an applicant on all consents, the latest first, at most so many.
func (tx *Tx) ConsentHistory(applicant int64, most int) (list []admitto.ConsentChange, err error) {
	err = each(tx.query(`SELECT h.consent_id, h.version, h.decided, h.decision, c.text, c.versions FROM consent_history h
		JOIN consent c ON c.id = h.consent_id WHERE h.applicant_id = $1 ORDER BY h.id DESC LIMIT $2`, applicant, most),
		func(r *db.Rows) {
			list = append(list, admitto.ConsentChange{Consent: r.Int64(0), Version: r.Int64(1), Decided: r.Time(2),
				Accepted: r.Text(3) == "Accept", Text: r.Text(4), Versions: readVersions(r, 5)})
		})
	return list, err
}

// DecideConsent stores a decision, Accept or Reject, on a version of a consent, and adds it to the history.
func (tx *Tx) DecideConsent(applicant, consent int64, decision string, version int64) error {
	d := admitto.ConsentDecision{Applicant: applicant, Consent: consent, Decided: tx.Now(), Accepted: decision == "Accept"}
	_, err := tx.exec(columns.ConsentDecision.Replace(), columns.ConsentDecision.Values(nil, &d, version)...)
	if err != nil {
		return err
	}
	_, err = tx.exec(columns.ConsentHistory.Load(), columns.ConsentHistory.Values(nil, &d, version)...)
	return err
}

// InsertWish stores a wish and returns its ID.
func (tx *Tx) InsertWish(w *admitto.Wish) (int64, error) {
	return tx.insert(columns.Wish.Insert()+" RETURNING id", columns.Wish.New(w)...)
}

// SetWishNotes replaces the notes of a wish.
func (tx *Tx) SetWishNotes(id int64, notes string) error {
	_, err := tx.exec("UPDATE wish SET notes = $2 WHERE id = $1", id, notes)
	return err
}

// DeleteWish removes a wish.
func (tx *Tx) DeleteWish(id int64) error {
	_, err := tx.exec("DELETE FROM wish WHERE id = $1", id)
	return err
}

// SignInToken finds whose one-time sign-in link has the hash, 0 when there is none that still works at this time.
func (tx *Tx) SignInToken(hash [32]byte) (applicant int64, err error) {
	return tx.number("SELECT applicant_id FROM sign_in_token WHERE hash = $1 AND used IS NULL AND expires > $2", hash[:],
		tx.Now())
}

// UseSignInToken uses a one-time sign-in link up and answers whether it still worked.
func (tx *Tx) UseSignInToken(hash [32]byte) (bool, error) {
	n, err := tx.exec("UPDATE sign_in_token SET used = $2 WHERE hash = $1 AND used IS NULL AND expires > $2", hash[:],
		tx.Now())
	return n > 0, err
}

// ActivateLead notes that the account of an applicant has been signed in to.
func (tx *Tx) ActivateLead(applicant int64) error {
	_, err := tx.exec("UPDATE applicant SET lead = $2, row_version = row_version + 1 WHERE id = $1", applicant, false)
	return err
}
