package store

import (
	"fmt"
	"iter"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// CountByStatus counts applications by status, in no order; statuses without applications are absent.
func (tx *Tx) CountByStatus(q *admitto.ReportQuery) (list []admitto.StatusCount, err error) {
	b := tx.reportBuilder(q)
	err = each(tx.query("SELECT a.status, count(*), count(DISTINCT a.applicant_id) FROM application a WHERE "+
		b.applications()+
		" GROUP BY a.status", b.args...), func(r *db.Rows) {
		list = append(list, admitto.StatusCount{Status: admitto.ApplicationStatus(r.Text(0)), Applications: r.Int64(1),
			Applicants: r.Int64(2)})
	})
	return list, err
}

// CountByCourse counts applications by course and status, by course ID. A condition on courses is met by the
// course that is counted.
func (tx *Tx) CountByCourse(q *admitto.ReportQuery) (list []admitto.CourseCount, err error) {
	b := tx.reportBuilder(q)
	var counts []string
	statuses := admitto.ApplicationStatuses()
	for _, s := range statuses {
		counts = append(counts, fmt.Sprintf("count(*) FILTER (WHERE a.status = $%d)", b.arg(s)))
	}
	own := len(statuses)
	err = each(tx.query(`SELECT n.*, c.name, c.code, i.name FROM (
		SELECT `+strings.Join(counts, ", ")+`, count(*) AS total, count(*) FILTER (WHERE x.priority = 1) AS first_choice, x.course_id
		FROM `+b.chosen()+` GROUP BY x.course_id) n
		JOIN course c ON c.id = n.course_id JOIN institution i ON i.id = c.institution_id ORDER BY n.course_id`, b.args...), func(r *db.Rows) {
		c := admitto.CourseCount{Total: r.Int64(own), FirstChoice: r.Int64(own + 1), Course: r.Int64(own + 2),
			Name: r.Text(own + 3),
			Code: r.Text(own + 4), Institution: r.Text(own + 5), ByStatus: map[admitto.ApplicationStatus]int64{}}
		for i, s := range statuses {
			c.ByStatus[s] = r.Int64(i)
		}
		list = append(list, c)
	})
	return list, err
}

// ProgressByCitizenship tells how far the applicants of each citizenship have come; "" is unknown.
func (tx *Tx) ProgressByCitizenship(q *admitto.ReportQuery) (map[string]admitto.Progress, error) {
	b := tx.reportBuilder(q)
	progress := map[string]admitto.Progress{}
	err := each(tx.query("SELECT c, count(*), sum(s), sum(o), sum(f) FROM (SELECT p.citizenship AS c, "+steps+
		" FROM application a JOIN applicant p ON p.id = a.applicant_id WHERE "+b.applications()+") n GROUP BY c", b.args...),
		func(r *db.Rows) {
			progress[r.Text(0)] = admitto.Progress{Applications: r.Int64(1), Submitted: r.Int64(2), Offered: r.Int64(3),
				Accepted: r.Int64(4)}
		})
	if err != nil {
		return nil, err
	}
	b = tx.reportBuilder(q)
	walk := ""
	if q.Citizenships == nil {
		walk = tx.dialect.byID() // SQLite would walk the index of citizenships and read each applicant
	}
	err = each(tx.query("SELECT p.citizenship, count(*) FROM applicant p"+walk+" WHERE NOT p.lead AND "+b.persons()+
		" GROUP BY p.citizenship", b.args...),
		func(r *db.Rows) {
			p := progress[r.Text(0)]
			p.Applicants = r.Int64(1)
			progress[r.Text(0)] = p
		})
	return progress, err
}

// CountFunnel counts persons by how far they have come. The conditions on applications do not act on the first
// two numbers.
func (tx *Tx) CountFunnel(q *admitto.ReportQuery) (f admitto.Funnel, err error) {
	b := tx.reportBuilder(q)
	err = one(tx.query("SELECT count(*), count(*) FILTER (WHERE NOT p.lead) FROM applicant p WHERE p.visible"+
		b.citizenships(), b.args...),
		func(r *db.Rows) { f.Everybody, f.Applicants = r.Int64(0), r.Int64(1) })
	if err != nil {
		return f, err
	}
	b = tx.reportBuilder(q)
	err = one(tx.query(`SELECT count(*), coalesce(sum(s), 0), coalesce(sum(o), 0), coalesce(sum(f), 0) FROM (
		SELECT applicant_id, max(s) AS s, max(o) AS o, max(f) AS f FROM (SELECT a.applicant_id, `+steps+" FROM application a WHERE "+
		b.applications()+") n GROUP BY applicant_id) n", b.args...), func(r *db.Rows) {
		f.WithApplication, f.Submitted, f.Offered, f.Accepted = r.Int64(0), r.Int64(1), r.Int64(2), r.Int64(3)
	})
	return f, err
}

// ProgressByTracker tells how far those have come who carry each tracker, by tracker ID.
func (tx *Tx) ProgressByTracker(q *admitto.ReportQuery) (list []admitto.TrackerProgress, err error) {
	at := map[int64]int{}
	err = each(tx.query("SELECT id, code FROM tracker ORDER BY id"), func(r *db.Rows) {
		at[r.Int64(0)] = len(list)
		list = append(list, admitto.TrackerProgress{Tracker: r.Int64(0), Code: r.Text(1)})
	})
	if err != nil {
		return nil, err
	}
	b := tx.reportBuilder(q)
	err = each(tx.query("SELECT tracker_id, count(*), sum(s), sum(o), sum(f) FROM (SELECT r.tracker_id, "+steps+
		" FROM applicant_tracker r JOIN application a ON a.applicant_id = r.applicant_id WHERE "+b.applications()+
		") n GROUP BY tracker_id",
		b.args...), func(r *db.Rows) {
		list[at[r.Int64(0)]].Progress = admitto.Progress{Applications: r.Int64(1), Submitted: r.Int64(2), Offered: r.Int64(3),
			Accepted: r.Int64(4)}
	})
	if err != nil {
		return nil, err
	}
	b = tx.reportBuilder(q)
	err = each(tx.query("SELECT r.tracker_id, count(*) FROM applicant_tracker r JOIN applicant p ON p.id = r.applicant_id WHERE NOT p.lead AND "+
		b.persons()+" GROUP BY r.tracker_id", b.args...), func(r *db.Rows) { list[at[r.Int64(0)]].Applicants = r.Int64(1) })
	return list, err
}

// TrackerDetails returns every association of a tracker and a visible applicant, by their IDs. Other statements must
// wait for the end.
func (tx *Tx) TrackerDetails(q *admitto.ReportQuery) iter.Seq2[*admitto.TrackerDetail, error] {
	b := tx.reportBuilder(q)
	return found(tx.query("SELECT "+applicantColumns+`, t.id, t.code, r.assigned, coalesce(n.applications, 0), coalesce(n.submitted, 0)
		FROM applicant_tracker r JOIN tracker t ON t.id = r.tracker_id JOIN applicant a ON a.id = r.applicant_id LEFT JOIN (
			SELECT a.applicant_id, count(*) AS applications, count(a.submitted) AS submitted FROM application a
			WHERE `+b.applications()+` GROUP BY a.applicant_id) n ON n.applicant_id = r.applicant_id
		WHERE a.visible`+b.detailed()+" ORDER BY r.tracker_id, r.applicant_id", b.args...),
		func(r *db.Rows, d *admitto.TrackerDetail) {
			at := columns.Applicant.Width()
			scanApplicant(r, &d.Applicant)
			d.Tracker, d.Code, d.Assigned = r.Int64(at), r.Text(at+1), r.Time(at+2)
			d.Applications, d.Submitted = r.Int64(at+3), r.Int64(at+4)
		})
}

// detailed are the conditions on applicant a whose matching applications are counted in n.
func (b *reportBuilder) detailed() (sql string) {
	if b.q.ByApplications() {
		sql = " AND n.applications IS NOT NULL"
	}
	if b.q.Citizenships != nil {
		sql += " AND " + b.tx.dialect.in("a.citizenship", b.arg(b.q.Citizenships))
	}
	return sql
}
