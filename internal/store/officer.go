package store

import "github.com/admitto/admitto/internal/store/db"

// OfficerOf is who works on a visible application, 0 for nobody.
func (tx *Tx) OfficerOf(application int64) (officer int64, err error) {
	err = one(tx.query("SELECT officer_id FROM application WHERE id = $1 AND visible", application),
		func(r *db.Rows) { officer = r.Int64(0) })
	return officer, err
}

// SetOfficer stores who works on an application, 0 for nobody.
func (tx *Tx) SetOfficer(application, officer int64) error {
	var to any
	if officer != 0 {
		to = officer
	}
	_, err := tx.exec("UPDATE application SET officer_id = $2 WHERE id = $1", application, to)
	return err
}
