package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// CountOffers counts offers by their current type, for every type that is Online or used, by ID.
func (tx *Tx) CountOffers(q *admitto.ReportQuery) (list []admitto.OfferCount, err error) {
	b := tx.reportBuilder(q)
	err = each(tx.query(`SELECT t.id, t.title, t.ranking, coalesce(n.none, 0), coalesce(n.final, 0), coalesce(n.declined, 0),
		coalesce(n.total, 0), coalesce(n.confirmed, 0) FROM offer_type t LEFT JOIN (
			SELECT o.type_id, count(*) FILTER (WHERE o.decision = 'None') AS none, count(*) FILTER (WHERE o.decision = 'Final') AS final,
				count(*) FILTER (WHERE o.decision = 'Declined') AS declined, count(*) AS total, count(o.confirmed) AS confirmed
			FROM application a CROSS JOIN offer o`+tx.dialect.by("offer_checked")+` WHERE o.application_id = a.id AND `+
		b.applications()+` GROUP BY o.type_id) n ON n.type_id = t.id
		WHERE t.status = 'Online' OR n.total IS NOT NULL ORDER BY t.id`, b.args...), func(r *db.Rows) {
		list = append(list, admitto.OfferCount{Type: r.Int64(0), Title: r.Text(1), Ranking: admitto.Ranked(r.Text(2)),
			None:  r.Int64(3),
			Final: r.Int64(4), Declined: r.Int64(5), Total: r.Int64(6), Confirmed: r.Int64(7)})
	})
	return list, err
}

// CountTasks counts the tasks that are not in the trash by class and status, in no order. They are counted by template
// first: SQLite sorts what it counts, and titles take it twice as long as IDs.
func (tx *Tx) CountTasks(q *admitto.ReportQuery) (list []admitto.TaskCount, err error) {
	b := tx.reportBuilder(q)
	err = each(tx.query(`SELECT p.class, p.title, n.status, CAST(sum(n.tasks) AS bigint), CAST(sum(n.resolved) AS bigint),
		min(n.oldest) FROM (
			SELECT k.template_id, k.status, count(*) AS tasks, count(k.resolved) AS resolved,
				min(CASE WHEN k.resolved IS NULL THEN k.created END) AS oldest
			FROM application a CROSS JOIN task k`+tx.dialect.by("task_checked")+`
			WHERE k.application_id = a.id AND k.trashed IS NULL AND `+b.applications()+` GROUP BY k.template_id, k.status) n
		JOIN task_template p ON p.id = n.template_id GROUP BY p.class, p.title, n.status`, b.args...), func(r *db.Rows) {
		list = append(list, admitto.TaskCount{Class: r.Text(0), Title: r.Text(1), Status: r.Text(2), Tasks: r.Int64(3),
			Resolved:         r.Int64(4),
			OldestUnresolved: r.Time(5)})
	})
	return list, err
}

// CountByIntake counts applications for the intakes by intake, citizenship of the applicant and the quarter of an hour
// in which a course of the intake was first submitted: that of the last deadline of the intake that was over by then,
// or the one before the first deadline, for else there were about as many counts as applications. A condition on
// courses is met by that course.
func (tx *Tx) CountByIntake(q *admitto.ReportQuery, intakes []admitto.IntakeEnds) (list []admitto.IntakeCount,
	err error) {
	if len(intakes) == 0 {
		return nil, nil
	}
	intakes = slices.SortedFunc(slices.Values(intakes), func(a, b admitto.IntakeEnds) int {
		return cmp.Compare(a.Intake, b.Intake)
	})
	b := tx.reportBuilder(q)
	err = each(tx.query(`SELECT t.intake_id, p.citizenship, `+sinceDeadlines(intakes)+` AS q, count(*) FROM (
			SELECT x.intake_id, a.applicant_id, min(x.submitted) / `+quarter+" AS q FROM "+b.chosen()+`
			AND x.intake_id IS NOT NULL GROUP BY a.id, x.intake_id) t
		CROSS JOIN applicant p WHERE p.id = t.applicant_id GROUP BY 1, 2, 3`, b.args...), func(r *db.Rows) {
		n := admitto.IntakeCount{Intake: r.Int64(0), Citizenship: r.Text(1), Quarter: r.Int64(2), N: r.Int64(3)}
		if slices.ContainsFunc(intakes, func(in admitto.IntakeEnds) bool { return in.Intake == n.Intake }) {
			list = append(list, n)
		}
	})
	return list, err
}

// sinceDeadlines is the last of the ends that t.q has reached, those of the intake t.intake_id. Intakes are found by
// halves: a join with a list of them would look at the whole list for each row.
func sinceDeadlines(intakes []admitto.IntakeEnds) string {
	if len(intakes) > 1 {
		half := len(intakes) / 2
		return fmt.Sprintf("CASE WHEN t.intake_id < %d THEN %s ELSE %s END", intakes[half].Intake,
			sinceDeadlines(intakes[:half]), sinceDeadlines(intakes[half:]))
	}
	var sql strings.Builder
	sql.WriteString("CASE WHEN t.q IS NULL THEN NULL")
	ends := intakes[0].Ends
	reached := ends[0] - 1
	for _, end := range ends {
		fmt.Fprintf(&sql, " WHEN t.q < %d THEN %d", end, reached)
		reached = end
	}
	fmt.Fprintf(&sql, " ELSE %d END", reached)
	return sql.String()
}

// SumScores sums the scores of every scoresheet, by its ID.
func (tx *Tx) SumScores(q *admitto.ReportQuery) (list []admitto.ScoreCount, err error) {
	b := tx.reportBuilder(q)
	err = each(tx.query(`SELECT t.id, t.name, t.scale, coalesce(n.entries, 0), coalesce(n.scored, 0), n.lowest, n.total, n.highest
		FROM scoresheet t LEFT JOIN (
			SELECT s.scoresheet_id, count(*) AS entries, count(s.points) AS scored, min(s.points) AS lowest,
				CAST(sum(s.points) AS bigint) AS total, max(s.points) AS highest
			FROM score s JOIN application a ON a.id = s.application_id WHERE `+b.applications()+` GROUP BY s.scoresheet_id) n
		ON n.scoresheet_id = t.id ORDER BY t.id`, b.args...), func(r *db.Rows) {
		list = append(list, admitto.ScoreCount{Scoresheet: r.Int64(0), Name: r.Text(1), Scale: int(r.Int64(2)),
			Entries: r.Int64(3),
			Scored:  r.Int64(4), Lowest: admitto.Points(r.Int64(5)), Sum: admitto.Points(r.Int64(6)),
			Highest: admitto.Points(r.Int64(7))})
	})
	return list, err
}
