package store

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// CountExactly counts the applications of a query, however many they are. What it reads is bounded by the matches of
// the condition or the term that drives it, so many readers should share one answer.
func (tx *Tx) CountExactly(q admitto.ApplicationQuery) (int64, error) {
	if err := tx.resolveYears(&q); err != nil {
		return 0, err
	}
	l := tx.browse(&q, admitto.BrowsePage{Sort: admitto.ByID})
	if l == nil {
		return 0, nil
	}
	if n, known, err := l.exact(); known || err != nil {
		return n, err
	}
	walked, err := l.walked()
	if err != nil {
		return 0, err
	}
	d, _, err := l.fewest(max(narrowest, walked/3), max(narrowest, walked/6))
	if err != nil {
		return 0, err
	}
	b, sql := l.source(d, false)
	return tx.number("SELECT count(*) FROM "+sql, b.args...)
}

// ofTerm is the condition that the column is the term, 0 being any.
func (b *listBuilder) ofTerm(column string, term int64) string {
	if term == 0 {
		return ""
	}
	return fmt.Sprintf(" AND %s = $%d", column, b.arg(term))
}

// CountApplicantsIn counts the applicants with an application of a term; 0 is any term.
func (tx *Tx) CountApplicantsIn(term int64) (int64, error) {
	b := &listBuilder{tx: tx}
	return tx.number("SELECT count(DISTINCT a.applicant_id) FROM application a WHERE a.visible"+
		b.ofTerm("a.academic_term_id", term), b.args...)
}

// CodeCount is a number by a code.
type CodeCount struct {
	Code string
	N    int64
}

// CitizenshipCounts counts the applications of a term by the citizenship of the applicant, the most frequent first; 0
// is all terms.
func (tx *Tx) CitizenshipCounts(term int64) (list []CodeCount, err error) {
	b := &listBuilder{tx: tx}
	err = each(tx.query("SELECT p.citizenship, count(*) FROM application a JOIN applicant p ON p.id = a.applicant_id WHERE a.visible"+
		b.ofTerm("a.academic_term_id", term)+" GROUP BY p.citizenship ORDER BY count(*) DESC, p.citizenship", b.args...),
		func(r *db.Rows) { list = append(list, CodeCount{r.Text(0), r.Int64(1)}) })
	return list, err
}

// EachSince calls fn for the time of each application of a term since a time; the column is created or submitted.
func (tx *Tx) EachSince(submitted bool, term int64, since admitto.Time, fn func(admitto.Time)) error {
	column := "a.created"
	if submitted {
		column = "coalesce(a.submitted, 0)"
	}
	b := &listBuilder{tx: tx}
	from := fmt.Sprintf(" AND %s >= $%d", column, b.arg(since))
	return each(tx.query("SELECT "+column+" FROM application a WHERE a.visible"+from+b.ofTerm("a.academic_term_id", term),
		b.args...),
		func(r *db.Rows) { fn(r.Time(0)) })
}

// DayCount is how many deadlines there are on a day.
type DayCount struct {
	Day admitto.Date
	N   int64
}

func (tx *Tx) dayCounts(sql string, args ...any) (list []DayCount, err error) {
	err = each(tx.query(sql, args...), func(r *db.Rows) { list = append(list, DayCount{r.Date(0), r.Int64(1)}) })
	return list, err
}

// DecisionDeadlines counts the applications with a confirmed offer that waits for an answer, by the day it is due; term
// 0 is all.
func (tx *Tx) DecisionDeadlines(term int64, from, to admitto.Date) ([]DayCount, error) {
	b := &listBuilder{tx: tx}
	span := fmt.Sprintf(" AND o.decision_deadline >= $%d AND o.decision_deadline <= $%d", b.arg(from), b.arg(to))
	return tx.dayCounts(`SELECT o.decision_deadline, count(DISTINCT o.application_id) FROM offer o JOIN application a ON a.id = o.application_id
		WHERE o.decision_deadline IS NOT NULL AND o.decision = 'None' AND o.confirmed IS NOT NULL AND a.visible`+span+
		b.ofTerm("o.academic_term_id", term)+" GROUP BY o.decision_deadline ORDER BY o.decision_deadline", b.args...)
}

// InvoiceDeadlines counts the unpaid invoices by the day they are due.
func (tx *Tx) InvoiceDeadlines(from, to admitto.Date) ([]DayCount, error) {
	return tx.dayCounts(`SELECT i.deadline, count(*) FROM invoice i WHERE i.collected IS NULL AND i.lapsed IS NULL
		AND i.deadline >= $1 AND i.deadline <= $2 GROUP BY i.deadline ORDER BY i.deadline`, from, to)
}

// InvoicesOverdue counts the unpaid invoices whose day was before the one given.
func (tx *Tx) InvoicesOverdue(today admitto.Date) (int64, error) {
	return tx.number("SELECT count(*) FROM invoice i WHERE i.collected IS NULL AND i.lapsed IS NULL AND i.deadline < $1",
		today)
}

// InvoicesWithSurplus counts the invoices for which more was paid than asked.
func (tx *Tx) InvoicesWithSurplus() (int64, error) {
	return tx.number("SELECT count(*) FROM invoice i WHERE i.paid > i.total")
}

// FailedEmails counts the mails to visible applicants that were given up, of those that somebody may read.
func (tx *Tx) FailedEmails(seen admitto.MailsSeen) (int64, error) {
	return tx.number(`SELECT count(*) FROM email e JOIN applicant p ON p.id = e.applicant_id
		WHERE e.failed IS NOT NULL AND e.delivered IS NULL AND p.visible` + mailsSeen(seen))
}

// SheetLeft is a scoresheet with how many of its scores have no points yet, and by when they are asked for.
type SheetLeft struct {
	Sheet       int64
	Name        string
	Left, Total int64
	Due         admitto.Date // zero: no day
}

// OpenSheets returns the scoresheets that are not confirmed, with what is left of each, by ID.
func (tx *Tx) OpenSheets() (list []SheetLeft, err error) {
	sheets, err := tx.Scoresheets()
	if err != nil {
		return nil, err
	}
	for i := range sheets {
		if h := &sheets[i]; h.Confirmed == 0 {
			list = append(list, SheetLeft{Sheet: h.ID, Name: h.Name, Due: h.Due})
		}
	}
	for i := range list {
		sheet := &list[i]
		if sheet.Left, err = tx.number("SELECT count(*) FROM score WHERE scoresheet_id = $1 AND points IS NULL",
			sheet.Sheet); err != nil {
			return nil, err
		}
		if sheet.Total, err = tx.sumBlocks(familyScore, []string{facetSheet(sheet.Sheet)}, 0, maxID); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Snapshot is the numbers of a term at the end of a day.
type Snapshot struct{ Applicants, Unsubmitted, Submitted, Final int64 }

// SaveSnapshot stores the numbers of a term, in place of those of the same day.
func (tx *Tx) SaveSnapshot(term int64, day admitto.Date, s Snapshot) error {
	_, err := tx.exec(`INSERT INTO term_snapshot (academic_term_id, day, applicants, unsubmitted, submitted, final)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (academic_term_id, day) DO UPDATE SET applicants = excluded.applicants,
		unsubmitted = excluded.unsubmitted, submitted = excluded.submitted, final = excluded.final`,
		term, day, s.Applicants, s.Unsubmitted, s.Submitted, s.Final)
	return err
}

// SnapshotOf returns the numbers of a term at the end of a day, nil when there are none.
func (tx *Tx) SnapshotOf(term int64, day admitto.Date) (s *Snapshot, err error) {
	err = each(tx.query("SELECT applicants, unsubmitted, submitted, final FROM term_snapshot WHERE academic_term_id = $1 AND day = $2",
		term, day), func(r *db.Rows) { s = &Snapshot{r.Int64(0), r.Int64(1), r.Int64(2), r.Int64(3)} })
	return s, err
}
