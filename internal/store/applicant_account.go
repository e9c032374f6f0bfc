package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// ApplicantAccount is an applicant with what they sign in with, and how pages are shown to them.
type ApplicantAccount struct {
	admitto.Applicant
	Password    string // its hash, "" without one
	Temporary   bool   // the password must be changed at the next sign-in
	Language    string // "" for what the browser wants
	Scheme      string // "" for what the browser wants
	SignedIn    admitto.Time
	Unconfirmed bool // registered, and never used a link
	RowVersion  int64
}

const accountColumns = `, a.password, a.password_temporary, a.language, a.scheme, a.signed_in, a.unconfirmed, a.row_version
	FROM applicant a WHERE `

func scanAccount(r *db.Rows, a *ApplicantAccount) {
	own := columns.Applicant.Width()
	scanApplicant(r, &a.Applicant)
	a.Password, a.Temporary, a.Language, a.Scheme = r.Text(own), r.Bool(own+1), r.Text(own+2), r.Text(own+3)
	a.SignedIn, a.Unconfirmed, a.RowVersion = r.Time(own+4), r.Bool(own+5), r.Int64(own+6)
}

// ApplicantAccount reads the account of a visible applicant, or answers NotFound.
func (tx *Tx) ApplicantAccount(id int64) (a ApplicantAccount, err error) {
	err = one(tx.query("SELECT "+applicantColumns+accountColumns+"a.id = $1 AND a.visible", id),
		func(r *db.Rows) { scanAccount(r, &a) })
	return a, err
}

// LockApplicantAccount reads the account of a visible applicant and keeps it from being changed by others until the
// transaction ends, or answers NotFound.
func (tx *Tx) LockApplicantAccount(id int64) (a ApplicantAccount, err error) {
	err = one(tx.query("SELECT "+applicantColumns+accountColumns+"a.id = $1 AND a.visible"+
		tx.forUpdate(lockApplicant, id), id), func(r *db.Rows) { scanAccount(r, &a) })
	return a, err
}

// NoteSignIn keeps that an applicant signed in now, which confirms the address. Row versions do not change: nothing
// that people edit does.
func (tx *Tx) NoteSignIn(applicant int64) error {
	_, err := tx.exec("UPDATE applicant SET signed_in = $2, unconfirmed = $3, registration_proof = NULL WHERE id = $1",
		applicant, tx.Now(), false)
	return err
}

// SetUnconfirmed notes that nobody has used a link sent to the address of a registered applicant yet. Proof is the hash
// of what the browser has that registered them; nil for none.
func (tx *Tx) SetUnconfirmed(applicant int64, proof []byte) error {
	_, err := tx.exec("UPDATE applicant SET unconfirmed = $2, registration_proof = $3 WHERE id = $1", applicant, true,
		proof)
	return err
}

// LockRegistration locks the applicant whom a browser registered, by its proof, and returns it with the address in its
// normal form: only one whose links nobody has used, and that holds nothing; else found is false.
func (tx *Tx) LockRegistration(proof []byte) (a admitto.Applicant, emailKey string, found bool, err error) {
	id, err := tx.number("SELECT id FROM applicant WHERE registration_proof = $1", proof)
	if err != nil || id == 0 {
		return a, "", false, err
	}
	if a, err = tx.LockApplicant(id); err != nil {
		if admitto.KindOf(err) == admitto.NotFound {
			err = nil
		}
		return a, "", false, err
	}
	err = each(tx.query("SELECT a.email_key FROM applicant a WHERE a.id = $1 AND a.registration_proof = $2"+
		" AND a.unconfirmed AND a.state = 'live' AND a.signed_in IS NULL"+holdsNothing, id, proof),
		func(r *db.Rows) { emailKey, found = r.Text(0), true })
	return a, emailKey, found, err
}

// ApplicantLanguage returns the language that an applicant chose for pages and mails, "" for none; also of one that is
// not visible yet.
func (tx *Tx) ApplicantLanguage(applicant int64) (language string, err error) {
	err = each(tx.query("SELECT language FROM applicant WHERE id = $1", applicant),
		func(r *db.Rows) { language = r.Text(0) })
	return language, err
}

// SetPreferences stores how pages are shown to an applicant.
func (tx *Tx) SetPreferences(applicant int64, language, scheme string) error {
	_, err := tx.exec("UPDATE applicant SET language = $2, scheme = $3 WHERE id = $1", applicant, language, scheme)
	return err
}

// SaveApplicant stores what people edit of a visible applicant: names, contact data, citizenship. before is what it
// was, and is kept under lock.
func (tx *Tx) SaveApplicant(before, a *admitto.Applicant) error {
	tx.indexLater(a.ID)
	_, err := tx.exec(`UPDATE applicant SET type = $2, given = $3, middle = $4, family = $5, parent = $6, legal = $7, phone = $8,
		skype = $9, citizenship = $10, address = $11, vatin = $12, row_version = row_version + 1 WHERE id = $1`, a.ID,
		a.Type, a.Name.Given, a.Name.Middle, a.Name.Family, a.Name.Parent, a.Name.Legal, a.Phone, a.Skype, a.Citizenship,
		a.Address, a.VATIN)
	if err == nil && before.Citizenship != a.Citizenship {
		block := a.ID / blockSize
		tx.count(familyApplicant, facetCountry(before.Citizenship), block, a.ID, -1)
		tx.count(familyApplicant, facetCountry(a.Citizenship), block, a.ID, 1)
	}
	return err
}

// SetApplicantEmail stores another address with its normal form; when somebody has it the error is db.ErrUnique.
func (tx *Tx) SetApplicantEmail(applicant int64, email, emailKey string) error {
	tx.indexLater(applicant)
	_, err := tx.exec("UPDATE applicant SET email = $2, email_key = $3, row_version = row_version + 1 WHERE id = $1",
		applicant, email, emailKey)
	return err
}

// SetApplicantState blocks a live applicant, or makes a blocked one live; both are visible.
func (tx *Tx) SetApplicantState(applicant int64, state admitto.ApplicantState) error {
	_, err := tx.exec("UPDATE applicant SET state = $2, row_version = row_version + 1 WHERE id = $1", applicant, state)
	return err
}

// HasSubmitted reports whether an applicant has submitted an application of a term that is open on the day: its last
// day for applying is not over.
func (tx *Tx) HasSubmitted(applicant int64, day admitto.Date) (bool, error) {
	n, err := tx.number(`SELECT 1 FROM application a JOIN academic_term t ON t.id = a.academic_term_id WHERE a.applicant_id = $1
		AND a.submitted IS NOT NULL AND (t.grace IS NULL OR t.grace >= $2) LIMIT 1`, applicant, day.String())
	return n != 0, err
}
