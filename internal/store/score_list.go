package store

import (
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// A list of scores is driven by the narrowest thing the query names: applications by the index of (sheet,
// application), times of scoring by that of (sheet, time), scores without points by the one that holds only
// them, and anything else by (sheet, ID) in the order of IDs. Terms are checked row by row.

// EachScore calls fn for the scores of the query by ascending ID, at most q.Limit, and reports whether there are
// more. sheet is the one that the query names. The value behind the pointer is used again for the next row.
func (tx *Tx) EachScore(sheet *admitto.Scoresheet, q admitto.ScoreQuery, fn func(*admitto.Score) error) (more bool,
	err error) {
	if emptyScores(q) {
		return false, nil
	}
	b := &listBuilder{tx: tx}
	sql := b.scoreList(q, scoreColumns)
	return upTo(tx.query(sql, b.args...), q.Limit, scanScore, func(s *admitto.Score) error {
		s.Scale, s.Maps = sheet.Scale, sheet.Maps
		return fn(s)
	})
}

// ScoresEnd returns the last ID of the page of the query, 0 when it leaves no match out.
func (tx *Tx) ScoresEnd(q admitto.ScoreQuery) (int64, error) {
	if emptyScores(q) {
		return 0, nil
	}
	b := &listBuilder{tx: tx}
	sql := b.scoreList(q, "s.id")
	return tx.pageEnd(sql, "ASC", q.Limit, b.args)
}

// scoreList writes the statement of a list, and of one more, which reports whether matches are left out.
func (b *listBuilder) scoreList(q admitto.ScoreQuery, columns string) string {
	return "SELECT " + columns + " FROM score s JOIN application a ON a.id = s.application_id WHERE a.visible AND " +
		b.scores(q, q.After) + b.scoreTerms(q) + fmt.Sprintf(" ORDER BY %s LIMIT $%d", scoreOrder(q), b.arg(q.Limit+1))
}

// CountScores counts all matches of the query, whatever its limit and After say.
func (tx *Tx) CountScores(q admitto.ScoreQuery) (int64, error) {
	switch {
	case emptyScores(q):
		return 0, nil
	case q.Terms != nil || q.Applications != nil || q.Scored != nil || q.Scorer != 0 || q.FromTime != 0 ||
		q.ToTime != 0:
		return tx.scanScores(q)
	}
	return tx.countRange(familyScore, []string{facetSheet(q.Scoresheet)}, max(q.FromID, 1), lastID(q.ToID),
		func(from, to int64) (int64, error) {
			q.FromID, q.ToID = from, to
			return tx.scanScores(q)
		})
}

// scanScores counts the matches of a query. Without terms it counts in an index alone, and takes off the scores of
// the few invisible applications.
func (tx *Tx) scanScores(q admitto.ScoreQuery) (int64, error) {
	b := &listBuilder{tx: tx}
	where := b.scores(q, 0)
	if q.Terms != nil {
		return tx.number("SELECT count(*) FROM score s JOIN application a ON a.id = s.application_id WHERE a.visible AND "+
			where+
			b.scoreTerms(q), b.args...)
	}
	// From the invisible applications to their scores: CROSS JOIN keeps the order of the tables on SQLite, + 0 keeps
	// the planner from going through the sheet once for each of them.
	hidden := strings.Replace(where, "s.scoresheet_id", "s.scoresheet_id + 0", 1)
	return tx.number("SELECT (SELECT count(*) FROM score s WHERE "+where+
		`) - (SELECT count(*) FROM application a CROSS JOIN score s
		WHERE NOT a.visible AND s.application_id = a.id AND `+hidden+")", b.args...)
}

// scoreOrder is what the list is ordered by. Where something narrower than the sheet is named, + 0 keeps the
// planner from walking the whole sheet in the order of IDs.
func scoreOrder(q admitto.ScoreQuery) string {
	if q.Applications != nil || q.FromTime != 0 || q.ToTime != 0 {
		return "s.id + 0"
	}
	return "s.id"
}

// scores writes the conditions on the scores themselves; after is the last ID of the page before. The lowest ID
// is always named, since that makes the planner take an index in the order of IDs.
func (b *listBuilder) scores(q admitto.ScoreQuery, after int64) string {
	id := scoreOrder(q)
	sql := fmt.Sprintf("s.scoresheet_id = $%d AND %s >= $%d", b.arg(q.Scoresheet), id,
		b.arg(max(q.FromID, min(after, maxID)+1)))
	if q.ToID != 0 {
		sql += fmt.Sprintf(" AND %s <= $%d", id, b.arg(q.ToID))
	}
	if q.Applications != nil {
		sql += " AND " + b.tx.dialect.in("s.application_id", b.arg(q.Applications))
	}
	if q.FromTime != 0 {
		sql += fmt.Sprintf(" AND s.scored >= $%d", b.arg(q.FromTime))
	}
	if q.ToTime != 0 {
		sql += fmt.Sprintf(" AND s.scored <= $%d", b.arg(q.ToTime))
	}
	if q.Scorer != 0 {
		sql += fmt.Sprintf(" AND s.scorer_id = $%d AND s.scorer_kind = $%d", b.arg(q.Scorer),
			b.arg(string(admitto.ByAdministrator)))
	}
	switch {
	case q.Scored == nil:
	case *q.Scored:
		sql += " AND s.points IS NOT NULL"
	default:
		sql += " AND s.points IS NULL"
	}
	return sql
}

func (b *listBuilder) scoreTerms(q admitto.ScoreQuery) string {
	if q.Terms == nil {
		return ""
	}
	return " AND " + b.tx.dialect.in("a.academic_term_id", b.arg(q.Terms))
}

// emptyScores reports whether a list filter is present without an item, so that nothing matches.
func emptyScores(q admitto.ScoreQuery) bool {
	return q.Terms != nil && len(q.Terms) == 0 || q.Applications != nil && len(q.Applications) == 0
}
