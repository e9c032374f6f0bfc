package store

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store/db"
)

const keyColumns = "id, label, owner, scope, operations, created, expires, revoked, last_used, per_minute, per_hour, administrator_id"

func scanKey(r *db.Rows) admitto.Key {
	k := admitto.Key{ID: r.Int64(0), Label: r.Text(1), Owner: r.Text(2), Scope: admitto.Scope(r.Text(3)),
		Created: r.Time(5), Expires: r.Time(6), Revoked: r.Time(7), LastUsed: r.Time(8), Issuer: r.Int64(11)}
	// Written by InsertKey; a list that cannot be read allows nothing.
	_ = json.Unmarshal(r.Raw(4), &k.Operations)
	if !r.Null(9) {
		n := int(r.Int64(9))
		k.PerMinute = &n
	}
	if !r.Null(10) {
		n := int(r.Int64(10))
		k.PerHour = &n
	}
	return k
}

// KeyByHash finds a key by the hash of its text, revoked and expired ones too, or answers NotFound.
func (tx *Tx) KeyByHash(hash [32]byte) (k admitto.Key, err error) {
	err = one(tx.Query("SELECT "+keyColumns+" FROM api_key WHERE hash = $1", hash[:]), func(r *db.Rows) { k = scanKey(r) })
	return k, err
}

// Keys gives all keys by ascending ID.
func (tx *Tx) Keys() (list []admitto.Key, err error) {
	err = each(tx.Query("SELECT "+keyColumns+" FROM api_key ORDER BY id"), func(r *db.Rows) { list = append(list, scanKey(r)) })
	return list, err
}

// InsertKey stores a new key and gives its ID.
func (tx *Tx) InsertKey(k *admitto.Key, hash [32]byte) (int64, error) {
	operations, err := json.Marshal(append([]string{}, k.Operations...))
	if err != nil {
		return 0, err
	}
	var perMinute, perHour any
	if k.PerMinute != nil {
		perMinute = *k.PerMinute
	}
	if k.PerHour != nil {
		perHour = *k.PerHour
	}
	return tx.insert(`INSERT INTO api_key (label, owner, scope, operations, hash, created, expires, per_minute, per_hour,
		administrator_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
		k.Label, k.Owner, k.Scope, string(operations), hash[:], k.Created, k.Expires, perMinute, perHour, orNull(k.Issuer))
}

// RevokeKey ends a key and answers whether it was in force; NotFound when there is none with the ID.
func (tx *Tx) RevokeKey(id int64) (bool, error) {
	n, err := tx.Exec("UPDATE api_key SET revoked = $2 WHERE id = $1 AND revoked IS NULL", id, tx.Now())
	if err != nil || n > 0 {
		return n > 0, err
	}
	return false, one(tx.Query("SELECT 1 FROM api_key WHERE id = $1", id), func(*db.Rows) {})
}

// TouchKeys notes when keys were last used; times only go up.
func (tx *Tx) TouchKeys(used map[int64]admitto.Time) error {
	return tx.Bulk("UPDATE api_key SET last_used = $2 WHERE id = $1 AND (last_used IS NULL OR last_used < $2)",
		func(yield func([]any) bool) {
			// In one order, so that two instances do not wait for each other.
			for _, id := range slices.Sorted(maps.Keys(used)) {
				if !yield([]any{id, used[id]}) {
					return
				}
			}
		})
}

// LockQuota reads when requests of a key passed, oldest first, and keeps the count from others until the
// transaction ends. Only for databases shared by several instances.
func (tx *Tx) LockQuota(key int64) (passed []int64, err error) {
	err = each(tx.Query(`INSERT INTO quota (api_key_id) VALUES ($1) ON CONFLICT (api_key_id)
		DO UPDATE SET api_key_id = excluded.api_key_id RETURNING array_to_json(passed)::text`, key), func(r *db.Rows) {
		// The database's own JSON of its own integers.
		_ = json.Unmarshal(r.Raw(0), &passed)
	})
	return passed, err
}

// SaveQuota stores when requests of a key passed.
func (tx *Tx) SaveQuota(key int64, passed []int64) error {
	_, err := tx.Exec("UPDATE quota SET passed = $2 WHERE api_key_id = $1", key, passed)
	return err
}

// Hasty lets the transaction be acknowledged before it is on disk. Only for counts that may be forgotten.
func (tx *Tx) Hasty() error {
	if tx.dialect.engine != db.PostgreSQL {
		return nil
	}
	_, err := tx.Exec("SET LOCAL synchronous_commit = off")
	return err
}
