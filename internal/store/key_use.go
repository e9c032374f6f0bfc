package store

import (
	"cmp"
	"maps"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// AddKeyUses adds to the counts of what keys used; keys must exist.
func (tx *Tx) AddKeyUses(counts map[admitto.KeyUse]int64) error {
	// In one order, so that two instances do not wait for each other.
	order := slices.SortedFunc(maps.Keys(counts), func(a, b admitto.KeyUse) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Version, b.Version),
			cmp.Compare(a.What, b.What), cmp.Compare(a.Day.String(), b.Day.String()))
	})
	return tx.sql.Bulk(`INSERT INTO api_key_use (api_key_id, operation, version, what, day, n) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (api_key_id, operation, version, what, day) DO UPDATE SET n = api_key_use.n + excluded.n`,
		func(yield func([]any) bool) {
			for _, use := range order {
				if !yield([]any{use.Key, use.Operation, use.Version, use.What, use.Day, counts[use]}) {
					return
				}
			}
		})
}

// KeyUses returns what a key used from a day on, by operation, version and what; NotFound when there is no such key.
func (tx *Tx) KeyUses(key int64, since admitto.Date) (list []admitto.KeyUseSum, err error) {
	if err := one(tx.query("SELECT 1 FROM api_key WHERE id = $1", key), func(*db.Rows) {}); err != nil {
		return nil, err
	}
	err = each(tx.query(`SELECT operation, version, what, min(day), max(day), cast(sum(n) AS bigint) FROM api_key_use
		WHERE api_key_id = $1 AND day >= $2 GROUP BY operation, version, what ORDER BY version, operation, what`, key, since), func(r *db.Rows) {
		list = append(list, admitto.KeyUseSum{Operation: r.Text(0), Version: int(r.Int64(1)), What: r.Text(2),
			First: r.Date(3), Last: r.Date(4), Count: r.Int64(5)})
	})
	return list, err
}

// TidyKeyUses removes the counts of days before the one given, at most 1,000, and answers how many.
func (tx *Tx) TidyKeyUses(before admitto.Date) (int64, error) {
	return tx.exec(`DELETE FROM api_key_use WHERE (api_key_id, operation, version, what, day) IN
		(SELECT api_key_id, operation, version, what, day FROM api_key_use WHERE day < $1 ORDER BY day LIMIT 1000)`, before)
}

// AddRefused adds to the counts of calls that quotas refused; keys must exist.
func (tx *Tx) AddRefused(counts map[admitto.KeyHour]int64) error {
	order := slices.SortedFunc(maps.Keys(counts), func(a, b admitto.KeyHour) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Hour, b.Hour))
	})
	return tx.sql.Bulk(`INSERT INTO api_key_refused (api_key_id, hour, n) VALUES ($1, $2, $3)
		ON CONFLICT (api_key_id, hour) DO UPDATE SET n = api_key_refused.n + excluded.n`, func(yield func([]any) bool) {
		for _, k := range order {
			if !yield([]any{k.Key, k.Hour, counts[k]}) {
				return
			}
		}
	})
}

// Refused returns how many calls of a key were refused by its quota from an hour on.
func (tx *Tx) Refused(key int64, since admitto.Time) (int64, error) {
	return tx.number("SELECT cast(coalesce(sum(n), 0) AS bigint) FROM api_key_refused WHERE api_key_id = $1 AND hour >= $2", key,
		since)
}

// TidyRefused removes the counts of hours before the one given, at most 1,000, and answers how many.
func (tx *Tx) TidyRefused(before admitto.Time) (int64, error) {
	return tx.exec(`DELETE FROM api_key_refused WHERE (api_key_id, hour) IN (SELECT api_key_id, hour FROM api_key_refused
		WHERE hour < $1 ORDER BY hour LIMIT 1000)`, before)
}

// KeysUnusual returns the keys, by ID, that a quota refused from an hour on or that the rule named by returned acted on
// since the time, unless the rule named by told acted on them since.
func (tx *Tx) KeysUnusual(returned, told string, hour, since admitto.Time) (list []int64, err error) {
	err = each(tx.query(`SELECT k.id FROM api_key k WHERE (EXISTS (SELECT 1 FROM api_key_refused u WHERE u.api_key_id = k.id AND u.hour >= $1)
		OR EXISTS (SELECT 1 FROM rule_action a WHERE a.rule = $2 AND a.record = k.id AND a.done >= $4))
		AND NOT EXISTS (SELECT 1 FROM rule_action a WHERE a.rule = $3 AND a.record = k.id AND a.done > $4) ORDER BY k.id`,
		hour, returned, told, since), func(r *db.Rows) { list = append(list, r.Int64(0)) })
	return list, err
}

// RuleActedSince reports whether a rule acted on the record after the time.
func (tx *Tx) RuleActedSince(rule string, record int64, since admitto.Time) (bool, error) {
	n, err := tx.number("SELECT count(*) FROM rule_action WHERE rule = $1 AND record = $2 AND done > $3", rule, record,
		since)
	return n > 0, err
}

// ActiveStaff returns ID, name and address of the administrators who may sign in, by ID.
func (tx *Tx) ActiveStaff() (list []admitto.Administrator, err error) {
	err = each(tx.query("SELECT id, name, email FROM administrator WHERE NOT suspended AND NOT removed ORDER BY id"),
		func(r *db.Rows) {
			list = append(list, admitto.Administrator{ID: r.Int64(0), Name: r.Text(1), Email: r.Text(2)})
		})
	return list, err
}
