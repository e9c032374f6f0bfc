package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

const familyApplicant = "applicant"

var (
	applicantColumns = columns.Applicant.Select("a")
	insertApplicant  = columns.Applicant.Insert() + " RETURNING id"
	insertNote       = columns.Note.Insert() + " RETURNING id"
)

func scanApplicant(r *db.Rows, a *admitto.Applicant) { columns.Applicant.Scan(r, a) }

// Applicant reads one visible applicant, or answers NotFound.
func (tx *Tx) Applicant(id int64) (a admitto.Applicant, err error) {
	err = one(tx.query("SELECT "+applicantColumns+" FROM applicant a WHERE a.id = $1 AND a.visible", id),
		func(r *db.Rows) { scanApplicant(r, &a) })
	return a, err
}

// LockApplicant reads one visible applicant and keeps it from being changed by others until the transaction
// ends, or answers NotFound.
func (tx *Tx) LockApplicant(id int64) (a admitto.Applicant, err error) {
	err = one(tx.query("SELECT "+applicantColumns+" FROM applicant a WHERE a.id = $1 AND a.visible"+
		tx.forUpdate(lockApplicant, id), id),
		func(r *db.Rows) { scanApplicant(r, &a) })
	return a, err
}

// HasApplicant answers NotFound when no visible applicant has the ID.
func (tx *Tx) HasApplicant(id int64) error {
	return one(tx.query("SELECT 1 FROM applicant WHERE id = $1 AND visible", id), func(*db.Rows) {})
}

// ApplicantByEmail finds the applicant who holds the address, the one being created included; 0 for none.
func (tx *Tx) ApplicantByEmail(key string) (id int64, state admitto.ApplicantState, err error) {
	err = each(tx.query("SELECT id, state FROM applicant WHERE email_key = $1 AND state <> 'recovery'", key),
		func(r *db.Rows) { id, state = r.Int64(0), admitto.ApplicantState(r.Text(1)) })
	return id, state, err
}

// ApplicantByReference finds the applicant who holds the reference code; 0 for none.
func (tx *Tx) ApplicantByReference(reference string) (int64, error) {
	return tx.number("SELECT id FROM applicant WHERE reference = $1 AND reference <> '' AND state <> 'recovery'",
		reference)
}

// InsertApplicant stores a new applicant and returns its ID. emailKey is the normal form of the address;
// when somebody holds it, or the reference, the error is db.ErrUnique.
func (tx *Tx) InsertApplicant(a *admitto.Applicant, emailKey string) (int64, error) {
	if visible(a.State) {
		// As in ActivateApplicant: the order of IDs is the order of commits.
		if err := tx.LockOrder(); err != nil {
			return 0, err
		}
	}
	id, err := tx.insert(insertApplicant, columns.Applicant.New(a, emailKey)...)
	if err == nil && visible(a.State) {
		tx.countApplicant(id, a.Citizenship, a.Registered, 1)
		tx.indexLater(id)
	}
	return id, err
}

// ActivateApplicant makes a pending applicant visible and returns its ID; found is false when it is not pending
// (any more). Clients read incrementally by ID, so an applicant must never appear below one that they may
// have read already: when a later one was quicker, and mayRenumber, the applicant gets the next ID instead.
// Others read by the time of registration. So that is now, and never before that of an applicant who is visible.
func (tx *Tx) ActivateApplicant(id int64, mayRenumber bool) (visibleID int64, found bool, err error) {
	// Everybody who makes applicants visible waits here, so that the order of IDs is the order of commits.
	if err := tx.LockOrder(); err != nil {
		return 0, false, err
	}
	newest, err := tx.highest(familyApplicant)
	if err != nil {
		return 0, false, err
	}
	visibleID = id
	if newest > id && mayRenumber {
		if visibleID, err = tx.nextID("applicant"); err != nil {
			return 0, false, err
		}
	}
	var a admitto.Applicant
	err = each(tx.query(`UPDATE applicant SET id = $2, state = 'live', registered = $3 WHERE id = $1 AND state = 'pending'
		RETURNING citizenship, registered`, id, visibleID, max(tx.Now(), tx.head.logged)),
		func(r *db.Rows) { a.Citizenship, a.Registered, found = r.Text(0), r.Time(1), true })
	if err != nil || !found {
		return 0, false, err
	}
	tx.countApplicant(visibleID, a.Citizenship, a.Registered, 1)
	tx.indexLater(visibleID)
	trackers, err := tx.trackerIDsOf(visibleID)
	if err != nil {
		return 0, false, err
	}
	for _, t := range trackers {
		tx.count(familyApplicant, facetTracker(t), visibleID/blockSize, visibleID, 1)
	}
	return visibleID, true, err
}

// ApplicantState tells the state of an account, "" when there is none with the ID.
func (tx *Tx) ApplicantState(id int64) (state admitto.ApplicantState, err error) {
	err = each(tx.query("SELECT state FROM applicant WHERE id = $1", id),
		func(r *db.Rows) { state = admitto.ApplicantState(r.Text(0)) })
	return state, err
}

// RemovePendingApplicant erases an applicant whose creation failed, with everything that hangs on it.
func (tx *Tx) RemovePendingApplicant(id int64) (bool, error) {
	n, err := tx.exec("DELETE FROM applicant WHERE id = $1 AND state = 'pending'", id)
	return n > 0, err
}

func (tx *Tx) countApplicant(id int64, citizenship string, registered admitto.Time, n int64) {
	block := id / blockSize
	tx.count(familyApplicant, facetAll, block, id, n)
	tx.count(familyApplicant, facetCountry(citizenship), block, id, n)
	tx.count(familyApplicant, facetDay, dayOf(registered), id, n)
}

func visible(s admitto.ApplicantState) bool {
	return s == admitto.ApplicantLive || s == admitto.ApplicantBlocked
}

// SetReference stores the reference code, "" clears it. Somebody else holding it is db.ErrUnique.
func (tx *Tx) SetReference(id int64, value string) error {
	tx.indexLater(id)
	_, err := tx.exec("UPDATE applicant SET reference = $2, row_version = row_version + 1 WHERE id = $1", id, value)
	return err
}

// SetMatriculation stores the matriculation number, "" clears it.
func (tx *Tx) SetMatriculation(id int64, value string) error {
	tx.indexLater(id)
	_, err := tx.exec("UPDATE applicant SET matriculation = $2, row_version = row_version + 1 WHERE id = $1", id, value)
	return err
}

// SetPassword stores the hash of a password, temporary when it must be changed at the first sign-in.
func (tx *Tx) SetPassword(id int64, hash string, temporary bool) error {
	return tx.queue("UPDATE applicant SET password = $2, password_temporary = $3 WHERE id = $1", id, hash, temporary)
}

// InsertSignInToken stores the hash of a one-time sign-in link.
func (tx *Tx) InsertSignInToken(applicant int64, hash [32]byte, expires admitto.Time) error {
	return tx.queue("INSERT INTO sign_in_token (hash, applicant_id, created, expires) VALUES ($1, $2, $3, $4)",
		hash[:], applicant, tx.Now(), expires)
}

// InsertNote stores a note on an applicant and returns its ID.
func (tx *Tx) InsertNote(applicant int64, n *admitto.Note) (int64, error) {
	return tx.insert(insertNote, columns.Note.New(n, applicant, nil)...)
}

// VisibleNotes returns the texts of the active notes of each applicant, by age.
func (tx *Tx) VisibleNotes(applicants []int64) (map[int64][]string, error) {
	notes := map[int64][]string{}
	err := each(tx.query("SELECT applicant_id, text FROM note WHERE "+tx.dialect.in("applicant_id", 1)+
		" AND removed IS NULL ORDER BY applicant_id, id", applicants), func(r *db.Rows) {
		notes[r.Int64(0)] = append(notes[r.Int64(0)], r.Text(1))
	})
	return notes, err
}
