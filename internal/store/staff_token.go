package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// AccountToken is a link that was sent to a member of staff.
type AccountToken struct {
	Purpose       string
	Administrator int64
	Email         string // where it was sent
	Expires       admitto.Time
	Used          admitto.Time // 0: not yet
}

// InsertAccountToken keeps a new link; former ones of the purpose end.
func (tx *Tx) InsertAccountToken(hash [32]byte, t *AccountToken) error {
	if err := tx.EndAccountTokens(t.Administrator, t.Purpose); err != nil {
		return err
	}
	_, err := tx.exec(`INSERT INTO account_token (hash, purpose, administrator_id, email, created, expires)
		VALUES ($1, $2, $3, $4, $5, $6)`, hash[:], t.Purpose, t.Administrator, t.Email, tx.Now(), t.Expires)
	return err
}

// EndAccountTokens ends the links of a purpose that an administrator has. Those that were used stay: a page that is
// sent twice says so.
func (tx *Tx) EndAccountTokens(administrator int64, purpose string) error {
	_, err := tx.exec("DELETE FROM account_token WHERE administrator_id = $1 AND purpose = $2 AND used IS NULL",
		administrator, purpose)
	return err
}

// AccountToken finds a link; false for none.
func (tx *Tx) AccountToken(hash [32]byte) (t AccountToken, found bool, err error) {
	err = each(tx.query("SELECT purpose, administrator_id, email, expires, used FROM account_token WHERE hash = $1",
		hash[:]),
		func(r *db.Rows) {
			found = true
			t = AccountToken{Purpose: r.Text(0), Administrator: r.Int64(1), Email: r.Text(2), Expires: r.Time(3),
				Used: r.Time(4)}
		})
	return t, found, err
}

// UseAccountToken uses a link up and reports whether it still worked.
func (tx *Tx) UseAccountToken(hash [32]byte) (bool, error) {
	n, err := tx.exec("UPDATE account_token SET used = $2 WHERE hash = $1 AND used IS NULL AND expires > $2", hash[:],
		tx.Now())
	return n > 0, err
}

// InsertSetupToken keeps a new link to the set-up; former ones end.
func (tx *Tx) InsertSetupToken(hash [32]byte, expires admitto.Time) error {
	if _, err := tx.exec("DELETE FROM setup_token"); err != nil {
		return err
	}
	_, err := tx.exec("INSERT INTO setup_token (hash, created, expires) VALUES ($1, $2, $3)", hash[:], tx.Now(), expires)
	return err
}

// HasSetupToken reports whether a link to the set-up was ever made, as far as that is remembered.
func (tx *Tx) HasSetupToken() (bool, error) {
	n, err := tx.number("SELECT 1 FROM setup_token LIMIT 1")
	return n > 0, err
}

// SetupTokenWorks reports whether a link to the set-up works.
func (tx *Tx) SetupTokenWorks(hash [32]byte) (bool, error) {
	n, err := tx.number("SELECT 1 FROM setup_token WHERE hash = $1 AND used IS NULL AND expires > $2", hash[:], tx.Now())
	return n > 0, err
}

// UseSetupToken uses a link to the set-up up and reports whether it still worked.
func (tx *Tx) UseSetupToken(hash [32]byte) (bool, error) {
	n, err := tx.exec("UPDATE setup_token SET used = $2 WHERE hash = $1 AND used IS NULL AND expires > $2", hash[:],
		tx.Now())
	return n > 0, err
}

// NameInstitution changes the name of an institution.
func (tx *Tx) NameInstitution(id int64, name string) error {
	_, err := tx.exec("UPDATE institution SET name = $2 WHERE id = $1", id, name)
	return err
}
