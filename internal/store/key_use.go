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

// KeyUses returns what a key used, over all days, by operation, version and what; NotFound when there is no such key.
func (tx *Tx) KeyUses(key int64) (list []admitto.KeyUseSum, err error) {
	if err := one(tx.query("SELECT 1 FROM api_key WHERE id = $1", key), func(*db.Rows) {}); err != nil {
		return nil, err
	}
	err = each(tx.query(`SELECT operation, version, what, min(day), max(day), cast(sum(n) AS bigint) FROM api_key_use
		WHERE api_key_id = $1 GROUP BY operation, version, what ORDER BY version, operation, what`, key), func(r *db.Rows) {
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
