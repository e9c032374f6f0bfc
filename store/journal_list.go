package store

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store/db"
)

// EachRecord calls fn for the records of the query in its order, at most q.Limit, and tells whether there
// are more. The value behind the pointer is used again for the next row.
func (tx *Tx) EachRecord(q admitto.JournalQuery, fn func(*admitto.Record) error) (more bool, err error) {
	limit := q.Limit
	q.Limit++ // one more tells whether matches are left out
	sql, args, err := tx.journalList(q, recordColumns)
	if err != nil || sql == "" {
		return false, err
	}
	return upTo(tx.Query(sql, args...), limit, scanRecord, fn)
}

// RecordsEnd gives the last ID of the page of the query, 0 when it leaves no match out.
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
	conditions, rest := b.journalConditions(q, fmt.Sprintf("j.id >= $%d AND j.id <= $%d", lo, hi))
	rest += b.ofTerms(q)
	tail := fmt.Sprintf(" ORDER BY j.id %s LIMIT $%d", direction, limit)
	switch len(conditions) {
	case 0:
		return "SELECT " + columns + " FROM journal j WHERE " + rest + tail, b.args, nil
	case 1:
		return "SELECT " + columns + b.journalBy(conditions[0]) + rest + tail, b.args, nil
	}
	selects := make([]string, len(conditions))
	for i, c := range conditions {
		selects[i] = fmt.Sprintf("SELECT id FROM (SELECT j.id%s%s%s) s%d", b.journalBy(c), rest, tail, i)
	}
	return fmt.Sprintf("SELECT %s FROM (SELECT id FROM (%s) u ORDER BY id %s LIMIT $%d) m JOIN journal j ON j.id = m.id ORDER BY m.id %s",
		columns, strings.Join(selects, " UNION "), direction, limit, direction), b.args, nil
}

// journalStream is a condition that walks an index in the order of IDs.
type journalStream struct{ index, where string }

// journalBy is the part of a statement that reads one stream.
func (b *listBuilder) journalBy(s journalStream) string {
	return " FROM journal j" + b.tx.dialect.by(s.index) + " WHERE " + s.where + " AND "
}

// journalConditions chooses what drives the list: conditions that each walk an index in the order of IDs,
// and the rest, which is checked row by row.
func (b *listBuilder) journalConditions(q admitto.JournalQuery, bounds string) (conditions []journalStream, rest string) {
	rest = bounds
	byID := func(index, column string, ids []int64) {
		switch {
		case ids == nil:
		case conditions == nil && streams(len(ids)):
			for _, id := range ids {
				conditions = append(conditions, journalStream{index, fmt.Sprintf("%s = $%d", column, b.arg(id))})
			}
		default:
			rest += " AND " + b.tx.dialect.in(column, b.arg(ids))
		}
	}
	byID("journal_application", "j.application_id", q.ApplicationIDs)
	byID("journal_applicant", "j.applicant_id", q.ApplicantIDs)
	if q.Events != nil {
		var events []journalStream
		pattern := "j.pattern"
		if conditions != nil {
			pattern += " || ''" // no way to the rows: there are more of a pattern than of an application or an applicant
		}
		for _, e := range q.Events {
			s := journalStream{"journal_pattern", fmt.Sprintf("%s = $%d", pattern, b.arg(e.Pattern))}
			if e.Bind != nil {
				text, _ := json.Marshal(e.Bind) // strings always marshal
				s.index = "journal_bind"
				s.where += fmt.Sprintf(" AND j.bind = $%d", b.arg(string(text)))
			}
			events = append(events, s)
		}
		if conditions == nil && streams(len(events)) {
			conditions = events
		} else {
			rest += " AND " + anyOf(events)
		}
	}
	return conditions, rest
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

// journalBounds gives the lowest and highest ID that can match; times become IDs, since both grow together.
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
		end, err := tx.number("SELECT id FROM journal WHERE logged <= $1 ORDER BY logged DESC, id DESC LIMIT 1", int64(q.ToTime))
		if err != nil {
			return 0, 0, err
		}
		to = min(to, end)
	}
	return from, to, nil
}

// anyOf is the condition that a record is in one of the streams.
func anyOf(list []journalStream) string {
	where := make([]string, len(list))
	for i, s := range list {
		where[i] = s.where
	}
	return "(" + strings.Join(where, " OR ") + ")"
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
	conditions, rest := b.journalConditions(q, bounds)
	switch {
	case len(conditions) == 1:
		return tx.number("SELECT count(*)"+b.journalBy(conditions[0])+rest+b.ofTerms(q), b.args...)
	case len(conditions) > 0:
		rest = anyOf(conditions) + " AND " + rest + b.ofTerms(q)
	case q.TermIDs != nil || q.Years != nil: // from the terms to their applications to their records
		return tx.number(`SELECT count(*) FROM academic_term y JOIN application p ON p.academic_term_id = y.id
			JOIN journal j ON j.application_id = p.id WHERE `+rest+b.terms(q), b.args...)
	case rest == bounds:
		return to - from + 1, nil
	}
	return tx.number("SELECT count(*) FROM journal j WHERE "+rest, b.args...)
}

// JournalDetails gives the payload of a record's details, "" when there are none or they were erased.
func (tx *Tx) JournalDetails(id int64) (payload string, err error) {
	err = each(tx.Query("SELECT payload FROM journal_detail WHERE journal_id = $1", id), func(r *db.Rows) { payload = r.Text(0) })
	return payload, err
}
