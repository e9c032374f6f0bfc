package store

import (
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// Reports are aggregates: each statement reads what the conditions leave and answers few rows. Times are
// counted by quarters of an hour, which the caller puts into days of its time zone.

// quarter is the length of admitto.Quarter in SQL.
const quarter = "900000000"

// reportBuilder writes the conditions of a report.
type reportBuilder struct {
	listBuilder
	q *admitto.ReportQuery
}

func (tx *Tx) reportBuilder(q *admitto.ReportQuery) *reportBuilder {
	return &reportBuilder{listBuilder{tx: tx}, q}
}

// ids adds the condition that the column has one of the IDs, if there is a list.
func (b *reportBuilder) ids(column string, ids []int64) string {
	if ids == nil {
		return ""
	}
	return " AND " + b.tx.dialect.in(column, b.arg(ids))
}

// applications are the conditions on application a and its applicant.
func (b *reportBuilder) applications() string {
	sql := b.terms()
	if courses := b.courses("m"); courses != "" {
		sql += " AND EXISTS (SELECT 1 FROM application_course m WHERE m.application_id = a.id" + courses + ")"
	}
	return sql
}

// terms are the conditions on application a without those on its courses.
func (b *reportBuilder) terms() string {
	sql := "a.visible" + b.ids("a.academic_term_id", b.q.Terms)
	if b.q.Years != nil {
		sql += " AND a.academic_term_id IN (SELECT id FROM academic_term WHERE " + b.tx.dialect.in("year",
			b.arg(b.q.Years)) + ")"
	}
	if b.q.Citizenships != nil {
		sql += " AND EXISTS (SELECT 1 FROM applicant c WHERE c.id = a.applicant_id AND " +
			b.tx.dialect.in("c.citizenship", b.arg(b.q.Citizenships)) + ")"
	}
	return sql
}

// courses are the conditions on one course of an application.
func (b *reportBuilder) courses(alias string) string {
	return b.ids(alias+".intake_id", b.q.Intakes) + b.ids(alias+".course_id", b.q.Courses) + b.ids(alias+".institution_id",
		b.q.Institutions)
}

// chosen is what stands after FROM for applications a and their courses x, with all conditions. The courses are found
// by their applications unless there are conditions on them.
func (b *reportBuilder) chosen() string {
	if b.q.Intakes == nil && b.q.Courses == nil && b.q.Institutions == nil {
		return "application a CROSS JOIN application_course x" + b.tx.dialect.by("application_course_checked") +
			" WHERE x.application_id = a.id AND " + b.terms()
	}
	return "application_course x JOIN application a ON a.id = x.application_id WHERE " + b.terms() + b.courses("x")
}

// persons are the conditions on applicant p. Where there are conditions on applications, one of the
// applicant's must meet them.
func (b *reportBuilder) persons() string {
	sql := "p.visible" + b.citizenships()
	if b.q.ByApplications() {
		// As a list, so that the applications of a term drive it, and not all applicants.
		sql += " AND p.id IN (SELECT a.applicant_id FROM application a WHERE " + b.applications() + ")"
	}
	return sql
}

func (b *reportBuilder) citizenships() string {
	if b.q.Citizenships == nil {
		return ""
	}
	return " AND " + b.tx.dialect.in("p.citizenship", b.arg(b.q.Citizenships))
}

// steps are 1 or 0 for how far application a has come: s submitted, o offered, f accepted. The offers are looked
// through once, and not for each application.
const steps = `CASE WHEN a.submitted IS NULL THEN 0 ELSE 1 END AS s,
	CASE WHEN a.id IN (SELECT o.application_id FROM offer o WHERE o.application_id IS NOT NULL AND o.confirmed IS NOT NULL
		AND o.type_confirmed_id IN (` + inQuota + `)) THEN 1 ELSE 0 END AS o,
	CASE WHEN a.id IN (SELECT o.application_id FROM offer o WHERE o.application_id IS NOT NULL AND o.decision = 'Final')
		THEN 1 ELSE 0 END AS f`

// Regions returns the territories between country and world, in their order.
func (tx *Tx) Regions() (list []admitto.Region, err error) {
	var broken error
	err = each(tx.query("SELECT code, name, members FROM region ORDER BY position"), func(r *db.Rows) {
		region := admitto.Region{Code: r.Text(0), Name: r.Text(1)}
		if err := json.Unmarshal(r.Raw(2), &region.Members); err != nil {
			broken = fmt.Errorf("members of region %s: %w", region.Code, err)
		}
		list = append(list, region)
	})
	if err == nil {
		err = broken
	}
	return list, err
}
