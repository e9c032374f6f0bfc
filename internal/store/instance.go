package store

import (
	"context"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// InstanceFact reads a fact about this database, "" when unset.
func (tx *Tx) InstanceFact(name string) (value string, err error) {
	err = each(tx.query("SELECT value FROM instance WHERE name = $1", name), func(r *db.Rows) { value = r.Text(0) })
	return value, err
}

// SetInstanceFact stores a fact about this database.
func (tx *Tx) SetInstanceFact(name, value string) error {
	_, err := tx.exec(`INSERT INTO instance (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

// SavedSettings returns the settings that are saved in the database, secrets sealed.
func (tx *Tx) SavedSettings() (map[string]string, error) {
	saved := map[string]string{}
	err := each(tx.query("SELECT name, value FROM setting"), func(r *db.Rows) { saved[r.Text(0)] = r.Text(1) })
	return saved, err
}

// SettingChange is when a saved setting was changed, and by whom; the zero value where an earlier release changed it.
type SettingChange struct {
	At admitto.Time
	By admitto.Actor // without the ID of the request
}

// SettingChanges returns the last change of each saved setting.
func (tx *Tx) SettingChanges() (map[string]SettingChange, error) {
	changes := map[string]SettingChange{}
	err := each(tx.query("SELECT name, changed, changed_by, changed_by_id FROM setting"), func(r *db.Rows) {
		changes[r.Text(0)] = SettingChange{r.Time(1), admitto.Actor{Kind: admitto.ActorKind(r.Text(2)), ID: r.Int64(3)}}
	})
	return changes, err
}

// SaveSetting saves a setting for all instances; a secret is sealed.
func (tx *Tx) SaveSetting(name, value string, by admitto.Actor) error {
	_, err := tx.exec(`INSERT INTO setting (name, value, changed, changed_by, changed_by_id) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed = excluded.changed, changed_by = excluded.changed_by,
			changed_by_id = excluded.changed_by_id`, name, value, tx.Now(), string(by.Kind), columns.OrNull(by.ID))
	return err
}

// ForgetSetting removes a saved setting.
func (tx *Tx) ForgetSetting(name string) error {
	_, err := tx.exec("DELETE FROM setting WHERE name = $1", name)
	return err
}

// receiptKeyFact begins the name of a fact that has a public key of receipts, in base64.
const receiptKeyFact = "receipt-key "

// ReceiptKeys returns the public keys that receipts were ever signed under, in base64.
func (tx *Tx) ReceiptKeys() (keys []string, err error) {
	err = each(tx.query("SELECT name FROM instance WHERE name LIKE $1 ORDER BY name", receiptKeyFact+"%"), func(r *db.Rows) {
		keys = append(keys, strings.TrimPrefix(r.Text(0), receiptKeyFact))
	})
	return keys, err
}

// RememberReceiptKey stores a public key of receipts, in base64: those that it signed can be checked after the instance
// key has changed (screens.md P15).
func (s *Store) RememberReceiptKey(ctx context.Context, key string) error {
	known := false
	err := s.Read(ctx, func(tx *Tx) error {
		keys, err := tx.ReceiptKeys()
		known = slices.Contains(keys, key)
		return err
	})
	if err != nil || known {
		return err
	}
	return s.Write(ctx, func(tx *Tx) error { return tx.SetInstanceFact(receiptKeyFact+key, tx.Now().String()) })
}

// Blank reports whether the database holds no applicant (in any state), no tracker and no journal record.
func (tx *Tx) Blank() (bool, error) {
	n, err := tx.number(`SELECT (SELECT count(*) FROM (SELECT 1 FROM applicant LIMIT 1) a) +
		(SELECT count(*) FROM (SELECT 1 FROM tracker LIMIT 1) t) + (SELECT count(*) FROM (SELECT 1 FROM journal LIMIT 1) j)`)
	return n == 0, err
}
