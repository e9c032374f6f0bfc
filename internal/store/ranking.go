package store

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Rankings returns the rankings by ascending ID: those of one of the courses or of all courses, and of one of the
// terms or of all terms. A nil list is no condition.
func (tx *Tx) Rankings(courses, terms []int64) (list []admitto.Ranking, err error) {
	b := &listBuilder{tx: tx}
	where := " WHERE TRUE"
	if courses != nil {
		where += ` AND (NOT EXISTS (SELECT 1 FROM ranking_course x WHERE x.ranking_id = r.id)
			OR EXISTS (SELECT 1 FROM ranking_course x WHERE x.ranking_id = r.id AND ` + tx.dialect.in("x.course_id", b.arg(courses)) + "))"
	}
	if terms != nil {
		where += " AND (r.academic_term_id IS NULL OR " + tx.dialect.in("r.academic_term_id", b.arg(terms)) + ")"
	}
	return tx.rankings(where+" ORDER BY r.id", b.args...)
}

// Ranking reads one ranking, or answers NotFound.
func (tx *Tx) Ranking(id int64) (admitto.Ranking, error) {
	list, err := tx.rankings(" WHERE r.id = $1", id)
	if err != nil {
		return admitto.Ranking{}, err
	}
	if len(list) == 0 {
		return admitto.Ranking{}, &admitto.Error{Kind: admitto.NotFound}
	}
	return list[0], nil
}

func (tx *Tx) rankings(where string, args ...any) (list []admitto.Ranking, err error) {
	var ids []int64
	err = each(tx.query("SELECT "+columns.Ranking.Select("r")+" FROM ranking r"+where, args...), func(r *db.Rows) {
		k := scanned(columns.Ranking, r)
		list, ids = append(list, k), append(ids, k.ID)
	})
	if err != nil || list == nil {
		return nil, err
	}
	courses := map[int64][]int64{}
	err = each(tx.query("SELECT ranking_id, course_id FROM ranking_course WHERE "+tx.dialect.in("ranking_id", 1)+
		" ORDER BY ranking_id, course_id", ids), func(r *db.Rows) {
		courses[r.Int64(0)] = append(courses[r.Int64(0)], r.Int64(1))
	})
	for i := range list {
		list[i].Courses = courses[list[i].ID]
	}
	return list, err
}

// RankingMembers returns the members of a ranking, in no order and without ranks: the offers of visible
// applications that were submitted and pass the courses and filters. It is one statement, driven by the courses,
// else by the term, else by the statuses.
func (tx *Tx) RankingMembers(k *admitto.Ranking) (list []admitto.RankingEntry, err error) {
	b := &listBuilder{tx: tx}
	where := b.rankingMembers(k)
	err = each(tx.query(`SELECT o.id, o.application_id, o.applicant_id, o.course_id, o.priority, o.type_id, t.ranking, o.decision, a.status,
		coalesce(o.type_confirmed_id, 0), o.score_auto,
			o.score_extra FROM offer o JOIN application a ON a.id = o.application_id JOIN offer_type t ON t.id = o.type_id
		WHERE `+where, b.args...), func(r *db.Rows) {
		list = append(list, admitto.RankingEntry{Offer: r.Int64(0), Application: r.Int64(1), Applicant: r.Int64(2),
			Course:   r.Int64(3),
			Priority: int(r.Int64(4)), Type: r.Int64(5), Ranked: admitto.Ranked(r.Text(6)),
			Decision: admitto.Decision(r.Text(7)), Status: admitto.ApplicationStatus(r.Text(8)),
			TypeConfirmed: r.Int64(9),
			Auto:          scanHundredths(r, 10), Extra: scanHundredths(r, 11)})
	})
	return list, err
}

// CountRankingMembers counts the members of a ranking, no further than most + 1.
func (tx *Tx) CountRankingMembers(k *admitto.Ranking, most int) (int64, error) {
	b := &listBuilder{tx: tx}
	where := b.rankingMembers(k)
	return tx.number(fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM offer o JOIN application a ON a.id = o.application_id
		WHERE %s LIMIT $%d) x`, where, b.arg(most+1)), b.args...)
}

// rankingMembers writes the conditions on the members of a ranking.
func (b *listBuilder) rankingMembers(k *admitto.Ranking) string {
	tx := b.tx
	statuses := admitto.RankedStatuses()
	// + 0 and coalesce keep the planner from another index than the one that drives.
	status, term := "a.status", "a.academic_term_id"
	where := "a.visible"
	if len(k.Courses) > 0 {
		where += " AND " + tx.dialect.in("o.course_id", b.arg(k.Courses))
		term += " + 0"
	}
	if k.Term != 0 {
		where += fmt.Sprintf(" AND %s = $%d", term, b.arg(k.Term))
	}
	if len(k.Courses) > 0 || k.Term != 0 {
		status = "coalesce(a.status, '')"
	}
	where += fmt.Sprintf(" AND %s IN ($%d, $%d, $%d, $%d)", status, b.arg(statuses[0]), b.arg(statuses[1]),
		b.arg(statuses[2]), b.arg(statuses[3]))
	return where + b.rankingFilters(&k.Filters)
}

// OffersInReach counts the offers among which the members of a ranking are: those of its courses, else of its term,
// else all. It counts no further than most + 1.
func (tx *Tx) OffersInReach(k *admitto.Ranking, most int) (int64, error) {
	b := &listBuilder{tx: tx}
	where := "TRUE"
	switch {
	case len(k.Courses) > 0:
		where = tx.dialect.in("o.course_id", b.arg(k.Courses))
	case k.Term != 0:
		where = fmt.Sprintf("o.academic_term_id = $%d", b.arg(k.Term))
	}
	return tx.number(fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM offer o WHERE %s LIMIT $%d) x", where,
		b.arg(most+1)), b.args...)
}

// rankingFilters writes the further conditions; they are checked row by row.
func (b *listBuilder) rankingFilters(f *admitto.RankingFilters) (sql string) {
	in := b.tx.dialect.in
	if len(f.Intakes) > 0 {
		sql += " AND " + in("o.intake_id", b.arg(f.Intakes))
	}
	if len(f.Citizenships) > 0 {
		sql += " AND EXISTS (SELECT 1 FROM applicant p WHERE p.id = o.applicant_id AND " +
			in("coalesce(p.citizenship, '')", b.arg(f.Citizenships)) + ")"
	}
	if len(f.Flags) > 0 {
		sql += " AND EXISTS (SELECT 1 FROM application_flag x WHERE x.application_id = a.id AND " + in("x.flag_id",
			b.arg(f.Flags)) + ")"
	}
	if len(f.Statuses) > 0 {
		sql += " AND " + in("coalesce(a.status, '')", b.arg(f.Statuses))
	}
	return sql
}
