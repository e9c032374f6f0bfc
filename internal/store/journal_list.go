package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// EachRecord calls fn for the records of the query in its order, at most q.Limit, and reports whether there
// are more. The value behind the pointer is used again for the next row.
func (tx *Tx) EachRecord(q admitto.JournalQuery, fn func(*admitto.Record) error) (more bool, err error) {
	limit := q.Limit
	q.Limit++ // one more reports whether matches are left out
	sql, args, err := tx.journalList(q, recordColumns)
	if err != nil || sql == "" {
		return false, err
	}
	return upTo(tx.query(sql, args...), limit, scanRecord, fn)
}

// RecordsEnd returns the last ID of the page of the query, 0 when it leaves no match out.
func (tx *Tx) RecordsEnd(q admitto.JournalQuery) (int64, error) {
	limit := q.Limit
	q.Limit++
	sql, args, err := tx.journalList(q, "j.id")
	if err != nil || sql == "" {
		return 0, err
	}
	return tx.pageEnd(sql, journalDirection(q), limit, args)
}

func journalDirection(q admitto.JournalQuery) string {
	if q.NewestFirst {
		return "DESC"
	}
	return "ASC"
}

// journalList writes the statement of a list; "" when nothing can match. Like the list of applicants it is
// driven by the narrowest list of the query, one stream of (value, ID) for each item, cut at the limit.
func (tx *Tx) journalList(q admitto.JournalQuery, columns string) (string, []any, error) {
	from, to, err := tx.journalBounds(q)
	if err != nil || from > to {
		return "", nil, err
	}
	direction := journalDirection(q)
	if q.NewestFirst {
		if q.After != 0 {
			to = min(to, q.After-1)
		}
	} else {
		from = max(from, min(q.After, maxID)+1)
	}
	b := &listBuilder{tx: tx}
	lo, hi, limit := b.arg(from), b.arg(to), b.arg(q.Limit)
	drivers, rest := b.journalDrivers(q, fmt.Sprintf("j.id >= $%d AND j.id <= $%d", lo, hi))
	rest += b.ofTerms(q)
	tail := fmt.Sprintf(" ORDER BY j.id %s LIMIT $%d", direction, limit)
	switch {
	case len(drivers) == 0:
		return "SELECT " + columns + " FROM journal j WHERE " + rest + tail, b.args, nil
	case len(drivers) == 1 && drivers[0].list == 0:
		return "SELECT " + columns + b.journalBy(drivers[0]) + rest + tail, b.args, nil
	}
	selects := make([]string, len(drivers))
	for i, d := range drivers {
		ids := "SELECT j.id" + b.journalBy(d) + rest + tail
		if d.list != 0 {
			ids = tx.dialect.forEach(d.list, d.length, d.kind, ids)
		}
		selects[i] = fmt.Sprintf("SELECT id FROM (%s) s%d", ids, i)
	}
	// No record is in two streams.
	return fmt.Sprintf("SELECT %s FROM (SELECT id FROM (%s) u ORDER BY id %s LIMIT $%d) m JOIN journal j ON j.id = m.id ORDER BY m.id %s",
		columns, strings.Join(selects, " UNION ALL "), direction, limit, direction), b.args, nil
}

// journalDriver is a condition that walks an index in the order of IDs: for one value, or for each value of a list
// parameter, which it calls v.value.
type journalDriver struct {
	index, where string
	list, length int    // the parameter, 0 for one value, and how many there are
	kind         string // the type of its values in PostgreSQL
}

// journalBy is the part of a statement that reads one stream.
func (b *listBuilder) journalBy(d journalDriver) string {
	return " FROM journal j" + b.tx.dialect.by(d.index) + " WHERE " + d.where + " AND "
}

// journalDrivers chooses what drives the list: conditions that each walk an index in the order of IDs, and the rest,
// which is checked row by row.
func (b *listBuilder) journalDrivers(q admitto.JournalQuery, bounds string) (drivers []journalDriver, rest string) {
	rest = bounds
	byID := func(index, column string, ids []int64) {
		switch {
		case ids == nil:
		case drivers != nil || len(ids) > maxStreams:
			rest += " AND " + b.tx.dialect.in(column, b.arg(ids))
		default:
			distinct := slices.Compact(slices.Sorted(slices.Values(ids)))
			drivers = []journalDriver{driverOf(b, index, column, distinct)}
		}
	}
	byID("journal_application", "j.application_id", q.ApplicationIDs)
	byID("journal_applicant", "j.applicant_id", q.ApplicantIDs)
	if q.ActorKind != "" {
		drivers, rest = b.byActor(q, drivers, rest)
	}
	if q.Events == nil {
		return drivers, rest
	}
	patterns, filled := splitEvents(q.Events)
	if drivers != nil {
		// No way to the rows: there are more of a pattern than of an application or an applicant.
		return drivers, rest + " AND (" + b.tx.dialect.in("j.pattern || ''",
			b.arg(patterns)) + " OR " + b.tx.dialect.in(filledKey, b.arg(filled)) + ")"
	}
	if len(patterns) > 0 {
		drivers = append(drivers, driverOf(b, "journal_pattern", "j.pattern", patterns))
	}
	if len(filled) > 0 {
		d := driverOf(b, "journal_bind", filledKey, filled)
		if pattern, bind := b.tx.dialect.cutValue(); d.list != 0 {
			d.where = "j.pattern = " + pattern + " AND j.bind = " + bind
		} else {
			pattern, bind, _ := strings.Cut(filled[0], "\n")
			b.args[len(b.args)-1] = pattern
			d.where = fmt.Sprintf("j.pattern = $%d AND j.bind = $%d", len(b.args), b.arg(bind))
		}
		drivers = append(drivers, d)
	}
	return drivers, rest
}

// byActor adds the condition on who acted. The kind stands in the statement, so that it fits the index of its kind.
func (b *listBuilder) byActor(q admitto.JournalQuery, drivers []journalDriver, rest string) ([]journalDriver, string) {
	where := "j.actor = '" + string(admitto.BySystem) + "'"
	index := ""
	switch q.ActorKind {
	case admitto.ByAdministrator:
		where, index = "j.actor = 'administrator'", "journal_administrator"
	case admitto.ByKey:
		where, index = "j.actor = 'api_key'", "journal_api_key"
	case admitto.ByApplicant:
		where = "j.actor = 'applicant'"
	case admitto.BySystem:
	}
	if q.ActorID != 0 {
		where += fmt.Sprintf(" AND j.actor_id = $%d", b.arg(q.ActorID))
	}
	if q.LedByActor() {
		return []journalDriver{{index: index, where: where}}, rest
	}
	return drivers, rest + " AND " + where
}

func driverOf[T any](b *listBuilder, index, column string, list []T) journalDriver {
	if len(list) == 1 {
		return journalDriver{index: index, where: fmt.Sprintf("%s = $%d", column, b.arg(list[0]))}
	}
	return journalDriver{index: index, where: column + " = v.value", list: b.arg(list), length: len(list),
		kind: kindOf(list)}
}

// filledKey is what splitEvents makes of a pattern and its values, in SQL.
const filledKey = "j.pattern || '\n' || j.bind"

// splitEvents returns the patterns asked for with all values, and the others with theirs: the pattern, a line break,
// and the values as they are stored. No record is in both, and nothing is in a list twice.
func splitEvents(events []admitto.EventFilter) (patterns, filled []string) {
	patterns, filled = []string{}, []string{}
	whole, seen := map[admitto.Pattern]bool{}, map[string]bool{}
	for _, e := range events {
		if e.Bind == nil && !whole[e.Pattern] {
			whole[e.Pattern] = true
			patterns = append(patterns, string(e.Pattern))
		}
	}
	for _, e := range events {
		if e.Bind == nil || whole[e.Pattern] {
			continue
		}
		bind, _ := json.Marshal(e.Bind) // strings always marshal, without a line break
		if key := string(e.Pattern) + "\n" + string(bind); !seen[key] {
			seen[key] = true
			filled = append(filled, key)
		}
	}
	return patterns, filled
}

// terms is the condition on academic term y, "" for none.
func (b *listBuilder) terms(q admitto.JournalQuery) (sql string) {
	if q.TermIDs != nil {
		sql += " AND " + b.tx.dialect.in("y.id", b.arg(q.TermIDs))
	}
	if q.Years != nil {
		sql += " AND " + b.tx.dialect.in("y.year", b.arg(q.Years))
	}
	return sql
}

// ofTerms checks row by row that the application is one of the terms.
func (b *listBuilder) ofTerms(q admitto.JournalQuery) string {
	terms := b.terms(q)
	if terms == "" {
		return ""
	}
	return " AND EXISTS (SELECT 1 FROM application p JOIN academic_term y ON y.id = p.academic_term_id WHERE p.id = j.application_id" + terms + ")"
}

// journalBounds returns the lowest and highest ID that can match; times become IDs, since both grow together.
func (tx *Tx) journalBounds(q admitto.JournalQuery) (from, to int64, err error) {
	for _, empty := range []bool{q.Events != nil && len(q.Events) == 0, q.Years != nil && len(q.Years) == 0,
		q.TermIDs != nil && len(q.TermIDs) == 0, q.ApplicantIDs != nil && len(q.ApplicantIDs) == 0,
		q.ApplicationIDs != nil && len(q.ApplicationIDs) == 0} {
		if empty {
			return 1, 0, nil
		}
	}
	last, _, err := tx.JournalHead()
	if err != nil {
		return 0, 0, err
	}
	from, to = max(q.FromID, 1), last
	if q.ToID != 0 {
		to = min(to, q.ToID)
	}
	if q.FromTime != 0 {
		first, err := tx.number("SELECT id FROM journal WHERE logged >= $1 ORDER BY logged, id LIMIT 1", int64(q.FromTime))
		if err != nil || first == 0 {
			return 1, 0, err
		}
		from = max(from, first)
	}
	if q.ToTime != 0 {
		end, err := tx.number("SELECT id FROM journal WHERE logged <= $1 ORDER BY logged DESC, id DESC LIMIT 1",
			int64(q.ToTime))
		if err != nil {
			return 0, 0, err
		}
		to = min(to, end)
	}
	return from, to, nil
}

// JournalBounds returns the lowest and highest ID that can match the query; from above to: nothing can.
func (tx *Tx) JournalBounds(q admitto.JournalQuery) (from, to int64, err error) {
	return tx.journalBounds(q)
}

// CountRecords counts all matches of the query, whatever its limit and After say. Bounds alone are counted
// by the IDs, which have no gaps.
func (tx *Tx) CountRecords(q admitto.JournalQuery) (int64, error) {
	from, to, err := tx.journalBounds(q)
	if err != nil || from > to {
		return 0, err
	}
	b := &listBuilder{tx: tx}
	bounds := fmt.Sprintf("j.id >= $%d AND j.id <= $%d", b.arg(from), b.arg(to))
	drivers, rest := b.journalDrivers(q, bounds)
	switch {
	case len(drivers) > 0:
		rest += b.ofTerms(q)
		counts := make([]string, len(drivers))
		for i, d := range drivers {
			counts[i] = "(" + b.journalCount(d) + rest + ")"
		}
		return tx.number("SELECT "+strings.Join(counts, " + "), b.args...) // no record is in two streams
	case q.TermIDs != nil || q.Years != nil: // from the terms to their applications to their records
		return tx.number(`SELECT count(*) FROM academic_term y JOIN application p ON p.academic_term_id = y.id
			JOIN journal j ON j.application_id = p.id WHERE `+rest+b.terms(q), b.args...)
	case rest == bounds:
		return to - from + 1, nil
	}
	return tx.number("SELECT count(*) FROM journal j WHERE "+rest, b.args...)
}

// journalCount is the part of a statement that counts all streams of a driver.
func (b *listBuilder) journalCount(d journalDriver) string {
	if d.list == 0 {
		return "SELECT count(*)" + b.journalBy(d)
	}
	return "SELECT count(*) FROM " + b.tx.dialect.values(d.list, d.kind) + " CROSS JOIN journal j" +
		b.tx.dialect.by(d.index) + " WHERE " + d.where + " AND "
}

// DetailsOf returns what changed with each of the records, as far as it is kept.
func (tx *Tx) DetailsOf(ids []int64) (map[int64][]admitto.Detail, error) {
	details := make(map[int64][]admitto.Detail, len(ids))
	var broken error
	err := each(tx.query("SELECT journal_id, payload FROM journal_detail WHERE "+tx.dialect.in("journal_id", 1), ids),
		func(r *db.Rows) {
			var list []admitto.Detail
			broken = errors.Join(broken, json.Unmarshal(r.Raw(1), &list))
			details[r.Int64(0)] = list
		})
	return details, errors.Join(err, broken)
}

// ErasedApplicant returns when an applicant was erased, 0 when that did not happen.
func (tx *Tx) ErasedApplicant(id int64) (erased admitto.Time, err error) {
	err = each(tx.query("SELECT j.logged FROM journal j"+tx.dialect.by("journal_applicant")+
		" WHERE j.applicant_id = $1 AND j.pattern = $2 ORDER BY j.id DESC LIMIT 1", id, admitto.ApplicantErased),
		func(r *db.Rows) { erased = r.Time(0) })
	return erased, err
}
