package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// A list of applicants is driven by the narrowest thing the query names, always in the order of IDs:
//
//	e-mail addresses  the unique index finds each; there are no more matches than addresses
//	trackers          one stream of (tracker, applicant) for each, every stream cut at the limit
//	citizenships      one stream of (citizenship, applicant) for each, every stream cut at the limit
//	anything else     the primary key, from the lowest ID that can match
//
// Since every stream is cut at the limit, the work depends on the limit and not on the number of matches.
// Registration times bound the IDs through the counts of days, and are then checked row by row.

// maxStreams is how many streams one statement merges; a longer list is looked up as a whole.
const maxStreams = 32

// listBuilder collects the text and the parameters of one statement.
type listBuilder struct {
	tx   *Tx
	args []any
}

// arg adds a parameter and returns its number.
func (b *listBuilder) arg(v any) int {
	b.args = append(b.args, v)
	return len(b.args)
}

// EachApplicant calls fn for the visible applicants of the query, by ascending ID, at most q.Limit, and
// reports whether there are more. The value behind the pointer is used again for the next row. It costs one
// statement, and one more when the query is bounded by time.
func (tx *Tx) EachApplicant(q admitto.ApplicantQuery, fn func(*admitto.Applicant) error) (more bool, err error) {
	limit := q.Limit
	q.Limit++ // one more reports whether matches are left out
	sql, args, err := tx.applicantList(q, applicantColumns)
	if err != nil || sql == "" {
		return false, err
	}
	return upTo(tx.query(sql, args...), limit, scanApplicant, fn)
}

// ApplicantsEnd returns the last ID of the page of the query, 0 when it leaves no match out.
func (tx *Tx) ApplicantsEnd(q admitto.ApplicantQuery) (int64, error) {
	limit := q.Limit
	q.Limit++
	sql, args, err := tx.applicantList(q, "a.id")
	if err != nil || sql == "" {
		return 0, err
	}
	return tx.pageEnd(sql, "ASC", limit, args)
}

// ApplicantPages does as EachApplicant, but hands over pages between which fn may run other statements.
// The page is used again.
func (tx *Tx) ApplicantPages(q admitto.ApplicantQuery, fn func([]admitto.Applicant) error) (more bool, err error) {
	return inPages(q.Limit, func(limit int, add func(*admitto.Applicant) error) (bool, error) {
		q.Limit = limit
		return tx.EachApplicant(q, add)
	}, func(last *admitto.Applicant) { q.After = last.ID }, fn)
}

// within bounds the IDs by two parameters. For a list that e-mail addresses drive, + 0 says that the bounds are no way
// to the rows: PostgreSQL would read the whole primary key under a generic plan.
func within(lo, hi int, q admitto.ApplicantQuery) string {
	form := "a.visible AND a.id >= $%d AND a.id <= $%d"
	if q.EmailKeys != nil {
		form = "a.visible AND a.id + 0 >= $%d AND a.id + 0 <= $%d"
	}
	return fmt.Sprintf(form, lo, hi)
}

// applicantList writes the statement of a list; "" when nothing can match.
func (tx *Tx) applicantList(q admitto.ApplicantQuery, columns string) (string, []any, error) {
	from, to, err := tx.applicantBounds(q)
	if err != nil {
		return "", nil, err
	}
	if from = max(from, min(q.After, maxID)+1); from > to {
		return "", nil, nil
	}
	b := &listBuilder{tx: tx}
	lo, hi, limit := b.arg(from), b.arg(to), b.arg(q.Limit)
	rest := within(lo, hi, q) + b.times(q)
	order := fmt.Sprintf(" ORDER BY a.id LIMIT $%d", limit)
	plain := "SELECT " + columns + " FROM applicant a WHERE "
	switch {
	case q.EmailKeys != nil:
		return plain + rest + b.emails(q) + b.citizenships(q) + b.trackers(q.TrackerIDs) + b.trackers(q.TrackerCodeIDs) +
			order, b.args, nil
	case streams(len(q.TrackerIDs)):
		rest += b.citizenships(q) + b.trackers(q.TrackerCodeIDs)
		return applicantStreams(b, columns, q.TrackerIDs, b.trackerStream(rest, lo, hi, limit), limit), b.args, nil
	case streams(len(q.TrackerCodeIDs)):
		rest += b.citizenships(q) + b.trackers(q.TrackerIDs)
		return applicantStreams(b, columns, q.TrackerCodeIDs, b.trackerStream(rest, lo, hi, limit), limit), b.args, nil
	case streams(len(q.Citizenships)):
		rest += b.trackers(q.TrackerIDs) + b.trackers(q.TrackerCodeIDs)
		return applicantStreams(b, columns, q.Citizenships, b.citizenshipStream(rest, limit), limit), b.args, nil
	}
	return plain + rest + b.citizenships(q) + b.trackers(q.TrackerIDs) + b.trackers(q.TrackerCodeIDs) + order, b.args, nil
}

func streams(items int) bool { return items > 0 && items <= maxStreams }

// applicantStreams merges the streams of the values, each in the order of IDs and cut at the limit. One value
// has a text of its own.
func applicantStreams[T any](b *listBuilder, columns string, list []T, stream func(value string) string,
	limit int) string {
	columns = "SELECT " + columns
	if len(list) == 1 {
		return columns + strings.TrimPrefix(stream(fmt.Sprintf("$%d", b.arg(list[0]))), "SELECT a.id")
	}
	return fmt.Sprintf("%s FROM (SELECT id FROM (%s) u ORDER BY id LIMIT $%d) m JOIN applicant a ON a.id = m.id ORDER BY m.id",
		columns, b.tx.dialect.forEach(b.arg(list), len(list), kindOf(list), stream("v.value")), limit)
}

// kindOf names the type of the values of a list in PostgreSQL.
func kindOf(list any) string {
	if _, numbers := list.([]int64); numbers {
		return "bigint"
	}
	return "text"
}

// trackerStream says CROSS JOIN, which is the order of the tables to SQLite and nothing to PostgreSQL.
func (b *listBuilder) trackerStream(rest string, lo, hi, limit int) func(value string) string {
	return func(value string) string {
		return fmt.Sprintf(`SELECT a.id FROM applicant_tracker t CROSS JOIN applicant a
			WHERE a.id = t.applicant_id AND t.tracker_id = %s AND t.applicant_id >= $%d AND t.applicant_id <= $%d AND %s
			ORDER BY t.applicant_id LIMIT $%d`, value, lo, hi, rest, limit)
	}
}

func (b *listBuilder) citizenshipStream(rest string, limit int) func(value string) string {
	return func(value string) string {
		return fmt.Sprintf("SELECT a.id FROM applicant a%s WHERE a.citizenship = %s AND %s ORDER BY a.id LIMIT $%d",
			b.tx.dialect.by("applicant_citizenship"), value, rest, limit)
	}
}

func (b *listBuilder) emails(q admitto.ApplicantQuery) string {
	if q.EmailKeys == nil {
		return ""
	}
	return " AND " + b.tx.dialect.in("a.email_key", b.arg(q.EmailKeys)) + " AND a.state <> 'recovery'"
}

// citizenships checks row by row; coalesce keeps SQLite from sorting all matches by way of the index.
func (b *listBuilder) citizenships(q admitto.ApplicantQuery) string {
	if q.Citizenships == nil {
		return ""
	}
	return " AND " + b.tx.dialect.in("coalesce(a.citizenship, '')", b.arg(q.Citizenships))
}

func (b *listBuilder) trackers(ids []int64) string {
	if ids == nil {
		return ""
	}
	return " AND EXISTS (SELECT 1 FROM applicant_tracker x WHERE x.applicant_id = a.id AND " +
		b.tx.dialect.in("x.tracker_id", b.arg(ids)) + ")"
}

// times checks row by row; + 0 keeps the planner from sorting all matches by way of the index.
func (b *listBuilder) times(q admitto.ApplicantQuery) (sql string) {
	if q.FromTime != 0 {
		sql += fmt.Sprintf(" AND a.registered + 0 >= $%d", b.arg(q.FromTime))
	}
	if q.ToTime != 0 {
		sql += fmt.Sprintf(" AND a.registered + 0 <= $%d", b.arg(q.ToTime))
	}
	return sql
}

// applicantBounds returns the lowest and highest ID that can match.
func (tx *Tx) applicantBounds(q admitto.ApplicantQuery) (from, to int64, err error) {
	from, to = max(q.FromID, 1), maxID
	if q.ToID != 0 {
		to = min(q.ToID, maxID)
	}
	if emptyList(q) {
		return 1, 0, nil
	}
	if q.FromTime == 0 && q.ToTime == 0 {
		return from, to, nil
	}
	firstDay, lastDay := timeDays(q)
	_, low, high, err := tx.spanOfDays(familyApplicant, firstDay, lastDay)
	return max(from, low), min(to, high), err
}

func timeDays(q admitto.ApplicantQuery) (first, last int64) {
	first, last = dayOf(q.FromTime), maxID
	if q.FromTime == 0 {
		first = -maxID
	}
	if q.ToTime != 0 {
		last = dayOf(q.ToTime)
	}
	return first, last
}

// CountApplicants counts all matches of the query, whatever its limit and After say.
func (tx *Tx) CountApplicants(q admitto.ApplicantQuery) (int64, error) {
	from, to, err := tx.applicantBounds(q)
	if err != nil || from > to {
		return 0, err
	}
	lists := 0
	for _, given := range []bool{q.EmailKeys != nil, q.TrackerIDs != nil, q.TrackerCodeIDs != nil, q.Citizenships != nil} {
		if given {
			lists++
		}
	}
	timed := q.FromTime != 0 || q.ToTime != 0
	trackers := slices.Concat(q.TrackerIDs, q.TrackerCodeIDs)
	switch {
	case lists == 0 && !timed:
		return tx.countRange(familyApplicant, []string{facetAll}, from, to, func(from, to int64) (int64, error) {
			return tx.number("SELECT count(*) FROM applicant a WHERE a.visible AND a.id >= $1 AND a.id <= $2", from, to)
		})
	case lists == 0 && q.FromID == 0 && q.ToID == 0:
		return tx.countDays(q)
	case lists == 1 && !timed && q.Citizenships != nil:
		facets := make([]string, len(q.Citizenships))
		for i, code := range q.Citizenships {
			facets[i] = facetCountry(code)
		}
		return tx.countRange(familyApplicant, facets, from, to, func(from, to int64) (int64, error) {
			return tx.number("SELECT count(*) FROM applicant a WHERE a.visible AND a.id >= $1 AND a.id <= $2 AND "+
				tx.dialect.in("coalesce(a.citizenship, '')", 3), from, to, q.Citizenships)
		})
	case lists == 1 && !timed && len(trackers) == 1:
		return tx.countRange(familyApplicant, []string{facetTracker(trackers[0])}, from, to,
			func(from, to int64) (int64, error) {
				return tx.number(`SELECT count(*) FROM applicant_tracker t CROSS JOIN applicant a
				WHERE a.id = t.applicant_id AND t.tracker_id = $1 AND t.applicant_id >= $2 AND t.applicant_id <= $3 AND a.visible`, trackers[0], from, to)
			})
	}
	sql, args := tx.applicantCount(q, from, to)
	return tx.number(sql, args...)
}

// countDays counts by registration time: whole days from the counter, the ends by the index.
func (tx *Tx) countDays(q admitto.ApplicantQuery) (int64, error) {
	first, last := timeDays(q)
	scan := func(from, to admitto.Time) (int64, error) {
		return tx.number("SELECT count(*) FROM applicant a WHERE a.visible AND a.registered >= $1 AND a.registered <= $2",
			int64(from), int64(to))
	}
	dayStart := func(day int64) admitto.Time { return admitto.Time(day) * admitto.Day }
	if q.FromTime != 0 && q.ToTime != 0 && first == last {
		return scan(q.FromTime, q.ToTime)
	}
	var n int64
	if q.FromTime != 0 {
		part, err := scan(q.FromTime, dayStart(first+1)-1)
		if err != nil {
			return 0, err
		}
		n += part
		first++
	}
	if q.ToTime != 0 {
		part, err := scan(dayStart(last), q.ToTime)
		if err != nil {
			return 0, err
		}
		n += part
		last--
	}
	whole, err := tx.sumBlocks(familyApplicant, []string{facetDay}, first, last)
	return n + whole, err
}

// applicantCount writes the counting statement of a combined query. What it reads is bounded by the matches
// of its narrowest list.
func (tx *Tx) applicantCount(q admitto.ApplicantQuery, from, to int64) (string, []any) {
	b := &listBuilder{tx: tx}
	rest := within(b.arg(from), b.arg(to), q) + b.times(q)
	driver := func(ids []int64) string {
		return fmt.Sprintf("SELECT count(*) FROM (SELECT DISTINCT t.applicant_id AS id FROM applicant_tracker t WHERE %s) m CROSS JOIN applicant a WHERE a.id = m.id AND ",
			tx.dialect.in("t.tracker_id", b.arg(ids)))
	}
	const plain = "SELECT count(*) FROM applicant a WHERE "
	switch {
	case q.EmailKeys != nil:
		return plain + rest + b.emails(q) + b.citizenships(q) + b.trackers(q.TrackerIDs) +
			b.trackers(q.TrackerCodeIDs), b.args
	case q.TrackerIDs != nil:
		return driver(q.TrackerIDs) + rest + b.citizenships(q) + b.trackers(q.TrackerCodeIDs), b.args
	case q.TrackerCodeIDs != nil:
		return driver(q.TrackerCodeIDs) + rest + b.citizenships(q), b.args
	case q.Citizenships != nil:
		return plain + rest + " AND " + tx.dialect.in("a.citizenship", b.arg(q.Citizenships)), b.args
	}
	return plain + rest, b.args
}

// emptyList reports whether a list filter is present without an item that exists, so that nothing matches.
func emptyList(q admitto.ApplicantQuery) bool {
	return q.EmailKeys != nil && len(q.EmailKeys) == 0 || q.Citizenships != nil && len(q.Citizenships) == 0 ||
		q.TrackerIDs != nil && len(q.TrackerIDs) == 0 || q.TrackerCodeIDs != nil && len(q.TrackerCodeIDs) == 0
}
