package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// blockSize is how many IDs share one count. A count over a range of IDs sums whole blocks and scans at
// most one block at either end.
const blockSize = 1024

// The facets by which objects are counted.
const (
	facetAll = ""    // by block of IDs
	facetDay = "day" // by day of registration; block is the day since 1970
)

func facetCountry(code string) string                     { return "c:" + code }
func facetTracker(id int64) string                        { return "t:" + strconv.FormatInt(id, 10) }
func facetTerm(id int64) string                           { return "a:" + strconv.FormatInt(id, 10) }
func facetStatus(status admitto.ApplicationStatus) string { return "s:" + string(status) }
func facetSheet(id int64) string                          { return "s:" + strconv.FormatInt(id, 10) }

// facetsOf returns the facet of each value.
func facetsOf[T any](values []T, facet func(T) string) []string {
	facets := make([]string, len(values))
	for i, v := range values {
		facets[i] = facet(v)
	}
	return facets
}

type counterKey struct {
	family, facet string
	block         int64
}

type facetKey struct{ family, facet string }

type counter struct{ n, low, high int64 }

// count notes that n objects (negative: fewer) of the family have the facet; it is written at the end of
// the transaction. block is the block of id, or the day.
func (tx *Tx) count(family, facet string, block, id, n int64) {
	tx.addCounter(counterKey{family, facet, block}, counter{n, id, id})
}

func (tx *Tx) addCounter(key counterKey, more counter) {
	if tx.counters == nil {
		tx.counters = map[counterKey]*counter{}
	}
	t := tx.counters[key]
	if t == nil {
		tx.counters[key] = &more
		return
	}
	t.n += more.n
	t.low, t.high = min(t.low, more.low), max(t.high, more.high)
}

// countedKeys are the keys of what the transaction counts, in their order.
func (tx *Tx) countedKeys() []counterKey {
	return slices.SortedFunc(maps.Keys(tx.counters), func(a, b counterKey) int {
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.facet, b.facet), cmp.Compare(a.block, b.block))
	})
}

// counts is the table of counts with those that wait, as it stands after FROM.
func (d dialect) counts() string {
	if d.engine == db.SQLite {
		return "tally" // nothing waits
	}
	return `(SELECT family, facet, block, n, low, high FROM tally
		UNION ALL SELECT family, facet, block, n, low, high FROM tally_waiting) tally`
}

// noteBefore notes by what records are counted before the transaction changes them: those that are not noted yet. read
// returns it for records by ID, without those that are not counted.
func noteBefore[T any](noted *map[int64]T, ids []int64, read func([]int64) (map[int64]T, error)) error {
	var unknown []int64
	for _, id := range ids {
		if _, known := (*noted)[id]; !known {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	if *noted == nil {
		*noted = map[int64]T{}
	}
	before, err := read(unknown)
	for _, id := range unknown {
		(*noted)[id] = before[id]
	}
	return err
}

// addToCounter makes an INSERT add to the counters that are there. Low and high only ever widen, so that they stay true
// bounds when objects go.
const addToCounter = ` ON CONFLICT (family, facet, block) DO UPDATE SET n = tally.n + excluded.n,
	low = CASE WHEN excluded.low < tally.low THEN excluded.low ELSE tally.low END,
	high = CASE WHEN excluded.high > tally.high THEN excluded.high ELSE tally.high END`

// writeCounters drops and adds what was noted, in key order.
func (tx *Tx) writeCounters() error {
	for _, f := range tx.dropped {
		if err := tx.queue("DELETE FROM tally WHERE family = $1 AND facet = $2", f.family, f.facet); err != nil {
			return err
		}
		maps.DeleteFunc(tx.counters, func(k counterKey, _ *counter) bool {
			return k.family == f.family &&
				k.facet == f.facet
		})
	}
	for _, k := range tx.countedKeys() {
		t := tx.counters[k]
		err := tx.queue("INSERT INTO tally (family, facet, block, n, low, high) VALUES ($1, $2, $3, $4, $5, $6)"+addToCounter,
			k.family, k.facet, k.block, t.n, t.low, t.high)
		if err != nil {
			return err
		}
	}
	return nil
}

// sumBlocks adds the counts of the facets in blocks from..to.
func (tx *Tx) sumBlocks(family string, facets []string, from, to int64) (int64, error) {
	if from > to {
		return 0, nil
	}
	return tx.number("SELECT CAST(coalesce(sum(n), 0) AS bigint) FROM "+tx.dialect.counts()+" WHERE family = $1 AND "+
		tx.dialect.in("facet", 2)+" AND block >= $3 AND block <= $4", family, facets, from, to)
}

// spanOfDays returns the count of the days from..to and bounds of the IDs counted there.
func (tx *Tx) spanOfDays(family string, from, to int64) (n, low, high int64, err error) {
	err = one(tx.query(`SELECT CAST(coalesce(sum(n), 0) AS bigint), coalesce(min(low), 1), coalesce(max(high), 0)
		FROM `+tx.dialect.counts()+` WHERE family = $1 AND facet = $2 AND block >= $3 AND block <= $4`, family, facetDay, from, to),
		func(r *db.Rows) { n, low, high = r.Int64(0), r.Int64(1), r.Int64(2) })
	return n, low, high, err
}

// dropFacet notes that the object of a facet is gone for good. Its counts go at the end of the transaction, so
// that what others count meanwhile goes too.
func (tx *Tx) dropFacet(family, facet string) {
	tx.dropped = append(tx.dropped, facetKey{family, facet})
}

// highest returns the highest ID of the family that was ever counted, 0 for none.
func (tx *Tx) highest(family string) (int64, error) {
	id, err := tx.number("SELECT high FROM tally WHERE family = $1 AND facet = $2 ORDER BY block DESC LIMIT 1", family,
		facetAll)
	for k, t := range tx.counters {
		if k.family == family && k.facet == facetAll {
			id = max(id, t.high)
		}
	}
	return id, err
}

// countRange counts what has one of the facets and an ID in from..to, both inclusive: whole blocks from
// the counter, the ends by scan, which must count exactly the same objects between two IDs.
func (tx *Tx) countRange(family string, facets []string, from, to int64,
	scan func(from, to int64) (int64, error)) (int64, error) {
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

// lastID is the highest ID that a query can match, by the one it names (0: none).
func lastID(toID int64) int64 {
	if toID == 0 {
		return maxID
	}
	return min(toID, maxID)
}

func dayOf(t admitto.Time) int64 {
	day := int64(t / admitto.Day)
	if t%admitto.Day < 0 {
		day--
	}
	return day
}

// These count all that counters say: family, facet, block, number, lowest and highest ID. Low and high of a counter may
// be further out.
const (
	countApplicants = ` SELECT 'applicant', '', id / 1024, count(*), min(id), max(id) FROM applicant WHERE visible GROUP BY id / 1024
	UNION ALL SELECT 'applicant', 'c:' || citizenship, id / 1024, count(*), min(id), max(id) FROM applicant WHERE visible
	GROUP BY citizenship, id / 1024
	UNION ALL SELECT 'applicant', 'day', day, count(*), min(id), max(id) FROM (SELECT id,
	(registered - (registered % 86400000000 + 86400000000) % 86400000000) / 86400000000 AS day FROM applicant WHERE visible) d GROUP BY day
	UNION ALL SELECT 'applicant', 't:' || t.tracker_id, t.applicant_id / 1024, count(*), min(t.applicant_id), max(t.applicant_id)
	FROM applicant_tracker t JOIN applicant a ON a.id = t.applicant_id WHERE a.visible GROUP BY t.tracker_id, t.applicant_id / 1024`
	countRecords = ` UNION ALL SELECT 'application', '', id / 1024, count(*), min(id), max(id) FROM application WHERE visible GROUP BY id / 1024
	UNION ALL SELECT 'application', 'a:' || academic_term_id, id / 1024, count(*), min(id), max(id) FROM application WHERE visible
	GROUP BY academic_term_id, id / 1024
	UNION ALL SELECT 'application', 's:' || status, id / 1024, count(*), min(id), max(id) FROM application WHERE visible
	GROUP BY status, id / 1024
	UNION ALL SELECT 'invoice', '', id / 1024, count(*), min(id), max(id) FROM invoice GROUP BY id / 1024
	UNION ALL SELECT 'score', 's:' || s.scoresheet_id, s.id / 1024, count(*), min(s.id), max(s.id)
	FROM score s JOIN application a ON a.id = s.application_id WHERE a.visible GROUP BY s.scoresheet_id, s.id / 1024`
)

// countEverything returns the statement that counts all that the counters of this database say. A backup of an earlier
// release has fewer.
func (tx *Tx) countEverything() (sql string, err error) {
	steps, err := tx.number("SELECT count(*) FROM migration WHERE name = '0009_counts'")
	if steps == 0 {
		return countApplicants, err
	}
	if err != nil {
		return "", err
	}
	if steps, err = tx.number("SELECT count(*) FROM migration WHERE name = '0019_pane'"); steps == 0 {
		return countApplicants + countRecords, err
	}
	if err != nil {
		return "", err
	}
	if steps, err = tx.number("SELECT count(*) FROM migration WHERE name = '0031_tasks'"); steps == 0 {
		return countApplicants + countRecords + countPane, err
	}
	return countApplicants + countRecords + countPane + countCells, err
}

// VerifyCounters recounts everything that counters say and answers an error that names the first difference.
func (tx *Tx) VerifyCounters() error {
	sql, err := tx.countEverything()
	if err != nil {
		return err
	}
	want := map[counterKey]counter{}
	err = each(tx.query(sql), func(r *db.Rows) {
		want[counterKey{r.Text(0), r.Text(1), r.Int64(2)}] = counter{r.Int64(3), r.Int64(4), r.Int64(5)}
	})
	if err != nil {
		return err
	}
	here := "tally" // what an older release has backed up is verified before it is migrated
	if done, err := tx.number("SELECT count(*) FROM migration WHERE name = '0140_waiting'"); err != nil {
		return err
	} else if done > 0 {
		here = tx.dialect.counts()
	}
	var wrong error
	err = each(tx.query("SELECT family, facet, block, CAST(sum(n) AS bigint), min(low), max(high) FROM "+here+
		" GROUP BY family, facet, block"), func(r *db.Rows) {
		key := counterKey{r.Text(0), r.Text(1), r.Int64(2)}
		n, low, high, counted := r.Int64(3), r.Int64(4), r.Int64(5), want[key]
		if n != counted.n || n != 0 && (low > counted.low || high < counted.high) {
			wrong = cmp.Or(wrong, fmt.Errorf("count of %s %q, block %d: %d within %d and %d, counted %d within %d and %d",
				key.family, key.facet,
				key.block, n, low, high, counted.n, counted.low, counted.high))
		}
		delete(want, key)
	})
	if err != nil {
		return err
	}
	for key, counted := range want {
		wrong = cmp.Or(wrong, fmt.Errorf("count of %s %q, block %d is missing, counted %d", key.family, key.facet, key.block,
			counted.n))
	}
	return wrong
}

// RecountCounters counts everything that counters say again, after rows were changed by other means than this package.
// Nothing that this transaction changed may be counted in it.
func (tx *Tx) RecountCounters() error {
	sql, err := tx.countEverything()
	if err == nil {
		_, err = tx.exec("DELETE FROM tally_waiting")
	}
	if err == nil {
		_, err = tx.exec("UPDATE tally SET n = 0")
	}
	if err == nil {
		_, err = tx.exec("INSERT INTO tally (family, facet, block, n, low, high)" + sql + addToCounter)
	}
	return err
}
