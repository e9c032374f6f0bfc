package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

const keyColumns = "id, label, owner, scope, operations, created, expires, revoked, last_used, per_minute, per_hour, administrator_id, last_version, last_operation, replaced_by"

func scanKey(r *db.Rows) admitto.Key {
	k := admitto.Key{ID: r.Int64(0), Label: r.Text(1), Owner: r.Text(2), Scope: admitto.Scope(r.Text(3)),
		Created: r.Time(5), Expires: r.Time(6), Revoked: r.Time(7), LastUsed: r.Time(8), Issuer: r.Int64(11),
		LastCall: admitto.KeyCall{Version: int(r.Int64(12)), Operation: r.Text(13)}, Replaced: r.Int64(14)}
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
	err = one(tx.query("SELECT "+keyColumns+" FROM api_key WHERE hash = $1", hash[:]), func(r *db.Rows) { k = scanKey(r) })
	return k, err
}

// Keys returns all keys by ascending ID.
func (tx *Tx) Keys() (list []admitto.Key, err error) {
	err = each(tx.query("SELECT "+keyColumns+" FROM api_key ORDER BY id"),
		func(r *db.Rows) { list = append(list, scanKey(r)) })
	return list, err
}

// Key reads a key; NotFound without one.
func (tx *Tx) Key(id int64) (k admitto.Key, err error) {
	err = one(tx.query("SELECT "+keyColumns+" FROM api_key WHERE id = $1", id), func(r *db.Rows) { k = scanKey(r) })
	return k, err
}

// UpdateKey stores what may change about a key: label, owner, scope, end, quotas, and which key replaced it.
func (tx *Tx) UpdateKey(k *admitto.Key) error {
	operations, perMinute, perHour, err := keyValues(k)
	if err != nil {
		return err
	}
	_, err = tx.exec(`UPDATE api_key SET label = $2, owner = $3, scope = $4, operations = $5, expires = $6, per_minute = $7,
		per_hour = $8, replaced_by = $9, row_version = row_version + 1 WHERE id = $1`, k.ID, k.Label, k.Owner, k.Scope,
		operations, k.Expires, perMinute, perHour, columns.OrNull(k.Replaced))
	return err
}

// keyValues are the operations and the own quotas of a key as its row has them.
func keyValues(k *admitto.Key) (operations string, perMinute, perHour any, err error) {
	text, err := json.Marshal(append([]string{}, k.Operations...))
	if k.PerMinute != nil {
		perMinute = *k.PerMinute
	}
	if k.PerHour != nil {
		perHour = *k.PerHour
	}
	return string(text), perMinute, perHour, err
}

// InsertKey stores a new key and returns its ID.
func (tx *Tx) InsertKey(k *admitto.Key, hash [32]byte) (int64, error) {
	operations, perMinute, perHour, err := keyValues(k)
	if err != nil {
		return 0, err
	}
	return tx.insert(`INSERT INTO api_key (label, owner, scope, operations, hash, created, expires, per_minute, per_hour,
		administrator_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
		k.Label, k.Owner, k.Scope, operations, hash[:], k.Created, k.Expires, perMinute, perHour, columns.OrNull(k.Issuer))
}

// RevokeKey ends a key and answers whether it was active; NotFound when there is none with the ID.
func (tx *Tx) RevokeKey(id int64) (bool, error) {
	n, err := tx.exec("UPDATE api_key SET revoked = $2 WHERE id = $1 AND revoked IS NULL", id, tx.Now())
	if err != nil || n > 0 {
		return n > 0, err
	}
	return false, one(tx.query("SELECT 1 FROM api_key WHERE id = $1", id), func(*db.Rows) {})
}

// TouchKeys notes the last calls of keys; times only go up.
func (tx *Tx) TouchKeys(used map[int64]admitto.KeyCall) error {
	// In one order, so that two instances do not wait for each other.
	order := slices.Sorted(maps.Keys(used))
	return tx.sql.Bulk(`UPDATE api_key SET last_used = $2, last_version = coalesce($3, last_version),
		last_operation = coalesce($4, last_operation) WHERE id = $1 AND (last_used IS NULL OR last_used <= $2)`,
		func(yield func([]any) bool) {
			for _, id := range order {
				row := []any{id, used[id].At, nil, nil}
				if used[id].Operation != "" {
					row[2], row[3] = int64(used[id].Version), used[id].Operation
				}
				if !yield(row) {
					return
				}
			}
		})
}

// QuotaPassed returns when requests of a key passed within the last hour, oldest first, as instances that share the
// database have counted them.
func (tx *Tx) QuotaPassed(key int64) (passed []int64, err error) {
	err = each(tx.query("SELECT passed FROM quota_passed WHERE api_key_id = $1 AND passed > $2 ORDER BY n", key,
		int64(tx.Now()-admitto.Hour)), func(r *db.Rows) { passed = append(passed, r.Int64(0)) })
	return passed, err
}

// QuotaLog is when requests of a key passed, in a database that several instances share. The zero value knows nothing.
type QuotaLog struct {
	Newest int64   // number of the last one in Passed; the requests of a key that passed are numbered from 1 on
	Passed []int64 // microseconds, ascending, without those that matter no more
}

// dropQuotaAfter is after how many requests of a key those that matter no more are dropped.
const dropQuotaAfter = 64

// AddQuota counts n requests of a key that pass at one time, not before the time opens, and returns that time, which it
// takes from the database. It does so only where nobody has counted since known was read, and where nothing is to be
// dropped; else it returns 0, and LockQuota is the way. One statement; only for databases shared by several instances.
func (s *Store) AddQuota(ctx context.Context, key int64, known QuotaLog, n int, opens admitto.Time) (at admitto.Time,
	err error) {
	sql, args := s.AddingQuota(key, known, n, opens)
	if sql == "" {
		return 0, nil
	}
	err = s.db.WriteBriefly(ctx, func(rows *db.Rows) {
		at = 0
		for rows.Next() {
			at = rows.Time(0)
		}
	}, sql, args...)
	return at, err
}

// AddingQuota returns the statement of AddQuota, for an Errand; "" when only LockQuota will do. Its row is the time.
func (s *Store) AddingQuota(key int64, known QuotaLog, n int, opens admitto.Time) (sql string, args []any) {
	last := len(known.Passed) - 1
	if last < 0 || known.Newest/dropQuotaAfter != (known.Newest+int64(n))/dropQuotaAfter {
		return "", nil
	}
	var own any
	if clock := s.db.Clock(); clock != nil {
		own = clock()
	}
	args = []any{key, known.Newest, known.Passed[last], own, int64(opens), quotaLock, quotaLockOf(key)}
	if n > 1 {
		return addQuotas, append(args, n)
	}
	return addQuota, args
}

// addQuota counts one request. Two that count at once want the same number, and who comes second gets nothing; who
// holds LockQuota keeps all out.
const addQuota = `INSERT INTO quota_passed (api_key_id, n, passed) SELECT $1, $2::bigint + 1, at FROM
	(SELECT greatest(coalesce($4, (extract(epoch FROM now()) * 1000000)::bigint), $3) AS at) AS time
	WHERE at >= $5 AND pg_try_advisory_xact_lock_shared($6, $7)
	AND EXISTS (SELECT FROM quota_passed WHERE api_key_id = $1 AND n = $2 AND passed = $3)
	ON CONFLICT DO NOTHING RETURNING passed`

// addQuotas counts $8 of them; who has the first number has the others.
const addQuotas = "WITH first AS (" + addQuota + `), others AS (INSERT INTO quota_passed (api_key_id, n, passed)
	SELECT $1, $2 + i, passed FROM first, generate_series(2, $8) AS i) SELECT passed FROM first`

// quotaLock is the first half of the advisory locks of quotas; the second is made of the key.
const quotaLock = 720394720

// quotaLockOf is the second half. Keys that share it only wait for each other.
func quotaLockOf(key int64) int64 { return key % (1 << 31) }

// LockQuota adds what other instances have counted to what is known of a key's requests, and keeps the count from
// others until the transaction ends. Only for databases shared by several instances.
func (tx *Tx) LockQuota(key int64, known QuotaLog) (QuotaLog, error) {
	if err := tx.queue("SELECT pg_advisory_xact_lock($1, $2)", quotaLock, quotaLockOf(key)); err != nil {
		return QuotaLog{}, err
	}
	log, fits, err := tx.quotaSince(key, known)
	if err == nil && !fits {
		log, _, err = tx.quotaSince(key, QuotaLog{})
	}
	return log, err
}

// quotaSince reads the requests after the known ones. It does not fit when the last one known is not there: a crash has
// emptied the table, or others have dropped it since it matters no more.
func (tx *Tx) quotaSince(key int64, known QuotaLog) (log QuotaLog, fits bool, err error) {
	log, fits = known, known.Newest == 0
	err = each(tx.query("SELECT n, passed FROM quota_passed WHERE api_key_id = $1 AND n >= $2 ORDER BY n", key,
		known.Newest), func(r *db.Rows) {
		n, passed := r.Int64(0), r.Int64(1)
		if n == known.Newest {
			last := len(known.Passed) - 1
			fits = last >= 0 && known.Passed[last] == passed
			return
		}
		log.Newest, log.Passed = n, append(log.Passed, passed)
	})
	return log, fits, err
}

// SaveQuota stores the last requests of the log, as many as were added to it, and now and then drops those that the log
// does not have any more.
func (tx *Tx) SaveQuota(key int64, log QuotaLog, added int) error {
	old := log.Newest - int64(len(log.Passed))
	fresh := len(log.Passed) - added
	for i, passed := range log.Passed[fresh:] {
		n := old + int64(fresh+i) + 1
		if err := tx.queue("INSERT INTO quota_passed (api_key_id, n, passed) VALUES ($1, $2, $3)", key, n,
			passed); err != nil {
			return err
		}
		if n%dropQuotaAfter == 0 {
			if err := tx.queue("DELETE FROM quota_passed WHERE api_key_id = $1 AND n <= $2", key, old); err != nil {
				return err
			}
		}
	}
	return nil
}
