package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store/db"
)

// blockSize is how many IDs share one count. A count over a range of IDs sums whole blocks and scans at
// most one block at either end.
const blockSize = 1024

// The facets by which objects are counted.
const (
	facetAll = ""    // by block of IDs
	facetDay = "day" // by day of registration; block is the day since 1970
)

func facetCountry(code string) string { return "c:" + code }
func facetTracker(id int64) string    { return "t:" + strconv.FormatInt(id, 10) }

type tallyKey struct {
	family, facet string
	block         int64
}

type facetKey struct{ family, facet string }

type tally struct{ n, low, high int64 }

// count notes that n objects (negative: fewer) of the family have the facet; it is written at the end of
// the transaction. block is the block of id, or the day.
func (tx *Tx) count(family, facet string, block, id, n int64) {
	if tx.tallies == nil {
		tx.tallies = map[tallyKey]*tally{}
	}
	key := tallyKey{family, facet, block}
	t := tx.tallies[key]
	if t == nil {
		t = &tally{low: id, high: id}
		tx.tallies[key] = t
	}
	t.n += n
	t.low, t.high = min(t.low, id), max(t.high, id)
}

// writeTallies drops and adds what was noted, in key order. Low and high only ever widen, so that they stay
// true bounds when objects go.
func (tx *Tx) writeTallies() error {
	for _, f := range tx.dropped {
		if _, err := tx.Exec("DELETE FROM tally WHERE family = $1 AND facet = $2", f.family, f.facet); err != nil {
			return err
		}
		maps.DeleteFunc(tx.tallies, func(k tallyKey, _ *tally) bool { return k.family == f.family && k.facet == f.facet })
	}
	if len(tx.tallies) == 0 {
		return nil
	}
	keys := make([]tallyKey, 0, len(tx.tallies))
	for k := range tx.tallies {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b tallyKey) int {
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.facet, b.facet), cmp.Compare(a.block, b.block))
	})
	return tx.Bulk(`INSERT INTO tally (family, facet, block, n, low, high) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (family, facet, block) DO UPDATE SET n = tally.n + excluded.n,
		low = CASE WHEN excluded.low < tally.low THEN excluded.low ELSE tally.low END,
		high = CASE WHEN excluded.high > tally.high THEN excluded.high ELSE tally.high END`,
		func(yield func([]any) bool) {
			for _, k := range keys {
				t := tx.tallies[k]
				if !yield([]any{k.family, k.facet, k.block, t.n, t.low, t.high}) {
					return
				}
			}
		})
}

// sumBlocks adds the counts of the facets in blocks from..to.
func (tx *Tx) sumBlocks(family string, facets []string, from, to int64) (int64, error) {
	if from > to {
		return 0, nil
	}
	return tx.number("SELECT CAST(coalesce(sum(n), 0) AS bigint) FROM tally WHERE family = $1 AND "+
		tx.dialect.in("facet", 2)+" AND block >= $3 AND block <= $4", family, facets, from, to)
}

// spanOfDays gives the count of the days from..to and bounds of the IDs counted there.
func (tx *Tx) spanOfDays(family string, from, to int64) (n, low, high int64, err error) {
	err = one(tx.Query(`SELECT CAST(coalesce(sum(n), 0) AS bigint), coalesce(min(low), 1), coalesce(max(high), 0)
		FROM tally WHERE family = $1 AND facet = $2 AND block >= $3 AND block <= $4`, family, facetDay, from, to),
		func(r *db.Rows) { n, low, high = r.Int64(0), r.Int64(1), r.Int64(2) })
	return n, low, high, err
}

// dropFacet notes that the object of a facet is gone for good. Its counts go at the end of the transaction, so
// that what others count meanwhile goes too.
func (tx *Tx) dropFacet(family, facet string) {
	tx.dropped = append(tx.dropped, facetKey{family, facet})
}

// highest gives the highest ID of the family that was ever counted, 0 for none.
func (tx *Tx) highest(family string) (int64, error) {
	id, err := tx.number("SELECT high FROM tally WHERE family = $1 AND facet = $2 ORDER BY block DESC LIMIT 1", family, facetAll)
	for k, t := range tx.tallies {
		if k.family == family && k.facet == facetAll {
			id = max(id, t.high)
		}
	}
	return id, err
}

// countRange counts what has one of the facets and an ID in from..to, both inclusive: whole blocks from
// the tally, the ends by scan, which must count exactly the same objects between two IDs.
func (tx *Tx) countRange(family string, facets []string, from, to int64, scan func(from, to int64) (int64, error)) (int64, error) {
	if from > to {
		return 0, nil
	}
	if from == 1 {
		from = 0 // nobody has it, and the first block is whole
	}
	first, last := from/blockSize, to/blockSize
	var n int64
	add := func(from, to int64) error {
		part, err := scan(from, to)
		n += part
		return err
	}
	if first == last && (from%blockSize != 0 || (to+1)%blockSize != 0) {
		return n, add(from, to)
	}
	if from%blockSize != 0 {
		if err := add(from, (first+1)*blockSize-1); err != nil {
			return 0, err
		}
		first++
	}
	if (to+1)%blockSize != 0 && to != maxID {
		if err := add(last*blockSize, to); err != nil {
			return 0, err
		}
		last--
	}
	whole, err := tx.sumBlocks(family, facets, first, last)
	return n + whole, err
}

// maxID is above every ID.
const maxID = int64(1_000_000_000_000_000_000)

func dayOf(t admitto.Time) int64 {
	day := int64(t / admitto.Day)
	if t%admitto.Day < 0 {
		day--
	}
	return day
}

// VerifyTallies recounts everything that tallies say and answers an error that names the first difference.
func (tx *Tx) VerifyTallies() error {
	want := map[tallyKey]int64{}
	err := each(tx.Query(`SELECT '' AS facet, id / 1024 AS block, count(*) FROM applicant WHERE visible GROUP BY 2
		UNION ALL SELECT 'c:' || citizenship, id / 1024, count(*) FROM applicant WHERE visible GROUP BY 1, 2
		UNION ALL SELECT 'day', (registered - (registered % 86400000000 + 86400000000) % 86400000000) / 86400000000, count(*)
		FROM applicant WHERE visible GROUP BY 2
		UNION ALL SELECT 't:' || t.tracker_id, t.applicant_id / 1024, count(*) FROM applicant_tracker t
		JOIN applicant a ON a.id = t.applicant_id WHERE a.visible GROUP BY 1, 2`), func(r *db.Rows) {
		want[tallyKey{familyApplicant, r.Text(0), r.Int64(1)}] = r.Int64(2)
	})
	if err != nil {
		return err
	}
	var wrong error
	err = each(tx.Query("SELECT family, facet, block, n FROM tally"), func(r *db.Rows) {
		key := tallyKey{r.Text(0), r.Text(1), r.Int64(2)}
		if n := r.Int64(3); n != want[key] && wrong == nil {
			wrong = fmt.Errorf("tally of %s %q, block %d: %d, counted %d", key.family, key.facet, key.block, n, want[key])
		}
		delete(want, key)
	})
	if err != nil {
		return err
	}
	for key, n := range want {
		if n != 0 && wrong == nil {
			wrong = fmt.Errorf("tally of %s %q, block %d is missing, counted %d", key.family, key.facet, key.block, n)
		}
	}
	return wrong
}
