package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// KeptNumbers returns numbers as they were kept last and when they were counted; "" for none.
func (tx *Tx) KeptNumbers(name string) (value string, at admitto.Time, err error) {
	err = each(tx.query("SELECT value, at FROM kept_numbers WHERE name = $1", name),
		func(r *db.Rows) { value, at = r.Text(0), r.Time(1) })
	return value, at, err
}

// KeepNumbers keeps numbers in place of former ones of the name.
func (tx *Tx) KeepNumbers(name, value string, at admitto.Time) error {
	_, err := tx.exec(`INSERT INTO kept_numbers (name, at, value) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET at = excluded.at, value = excluded.value WHERE excluded.at > kept_numbers.at`, name, at, value)
	return err
}
