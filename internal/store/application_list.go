package store

import (
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// A list of applications is driven by the narrowest thing the query names (see applicationConditions for
// the order), always in the order of IDs:
//
//	up to 32 values   one stream of (value, application) for each, every stream cut at the limit
//	a longer list     everything that has one of the values, sorted; the work is that of counting
//	applicants        in the same way, as an applicant has few applications
//	only times        the index of the time, sorted; the work is that of counting
//	anything else     the primary key, from the lowest ID that can match
//
// Everything else the query asks is checked row by row. Columns that must not drive stand in an expression
// (+ 0, coalesce), so that neither planner walks their index and sorts all matches.

// appCondition is one list filter: a row of the table, or the application itself, has one of the values.
type appCondition struct {
	table  string
	column string
	index  string // of (column, application)
	number bool   // the column holds integers
	length int
	list   any // all values, as one parameter; nil for a condition without values
	first  any // value
}

// key is the application's ID in a row of the table.
func (c *appCondition) key() string {
	if c.table == itself {
		return "x.id"
	}
	return "x.application_id"
}

func idCondition(table, column, index string, ids []int64) appCondition {
	c := appCondition{table: table, column: column, index: index, number: true, length: len(ids), list: ids}
	if len(ids) > 0 {
		c.first = ids[0]
	}
	return c
}

func wordCondition(table, column, index string, words []string) appCondition {
	c := appCondition{table: table, column: column, index: index, length: len(words), list: words}
	if len(words) > 0 {
		c.first = words[0]
	}
	return c
}

// The tables of the conditions. Conditions on one of them must be met by one row of it.
const (
	itself     = "application"
	flagRows   = "application_flag"
	courseRows = "application_course"
	offerRows  = "offer"
)

// isConfirmed is the condition that has no values.
const isConfirmed = "confirmed IS NOT NULL"

// applicationConditions returns the list filters that are present, the one to drive the list first. none tells
// that one of them is empty, so that nothing matches.
func applicationConditions(q *admitto.ApplicationQuery) (list []appCondition, none bool) {
	ids := func(table, column, index string, ids []int64) {
		if ids != nil {
			list = append(list, idCondition(table, column, index, ids))
			none = none || len(ids) == 0
		}
	}
	words := func(table, column, index string, words []string) {
		if words != nil {
			list = append(list, wordCondition(table, column, index, words))
			none = none || len(words) == 0
		}
	}
	ids(itself, applicantColumn, "application_applicant", q.Applicants)
	ids(flagRows, "flag_id", "sqlite_autoindex_application_flag_1", q.Flags)
	ids(courseRows, "course_id", "application_course_course", q.Courses)
	ids(courseRows, "intake_id", "application_course_intake", q.CourseIntakes)
	ids(offerRows, "type_id", "offer_type_application", q.OfferTypes)
	ids(offerRows, "institution_id", "offer_institution_application", q.OfferInstitutions)
	ids(courseRows, "institution_id", "application_course_institution", q.CourseInstitutions)
	words(offerRows, "decision", "offer_decision_application", q.OfferDecisions)
	statuses, _ := storedStatuses(q)
	if q.ByOutcome && len(q.Statuses) == 1 && q.Statuses[0] == string(admitto.Accepted) && !q.AsksOffers() {
		words(offerRows, "decision", "offer_decision_application", []string{string(admitto.DecisionFinal)})
	}
	if q.OfferConfirmed != nil && *q.OfferConfirmed {
		list = append(list, appCondition{table: offerRows, column: isConfirmed, index: "offer_confirmed", length: 1})
	}
	words(courseRows, "course_type", "application_course_type", q.CourseTypes)
	ids(itself, "academic_term_id", "application_term", q.TermIDs)
	words(itself, statusColumn, "application_status_id", statuses)
	return list, none
}

// storedStatuses returns the statuses as they are stored of what the query asks for, nil for no condition, and reports
// whether some applications with them read as something else, which the outcome must tell apart.
func storedStatuses(q *admitto.ApplicationQuery) (stored []string, apart bool) {
	if !q.ByOutcome || q.Statuses == nil {
		return q.Statuses, false
	}
	stored = []string{} // not nil: a filter that matches nothing is still a filter
	for _, status := range admitto.ApplicationStatuses() {
		asked := 0
		outcomes := status.Outcomes()
		for _, outcome := range outcomes {
			if slices.Contains(q.Statuses, string(outcome)) {
				asked++
			}
		}
		if asked > 0 {
			stored, apart = append(stored, string(status)), apart || asked < len(outcomes)
		}
	}
	return stored, apart
}

// Columns that are treated in a way of their own.
const (
	applicantColumn = "applicant_id"
	statusColumn    = "status"
)

// appBuilder writes the statements of one query.
type appBuilder struct {
	listBuilder
	q          *admitto.ApplicationQuery
	lo, hi     int // parameters: the bounds of IDs
	driver     *appCondition
	conditions []appCondition // the others
}

// applicationBuilder prepares the statements of a query; nil when nothing can match.
func (tx *Tx) applicationBuilder(q *admitto.ApplicationQuery, from int64) *appBuilder {
	b := &appBuilder{listBuilder: listBuilder{tx: tx}, q: q}
	conditions, none := applicationConditions(q)
	if from = max(from, 1); none || emptyMore(&q.BrowseFilter) || from > lastID(q.ToID) {
		return nil
	}
	b.lo, b.hi = b.arg(from), b.arg(lastID(q.ToID))
	if len(conditions) > 0 {
		b.driver, b.conditions = &conditions[0], conditions[1:]
	}
	return b
}

// resolveYears turns the years of the query into terms.
func (tx *Tx) resolveYears(q *admitto.ApplicationQuery) error {
	if q.Years == nil {
		return nil
	}
	sql, args := "SELECT id FROM academic_term WHERE "+tx.dialect.in("year", 1), []any{q.Years}
	if q.TermIDs != nil {
		sql += " AND " + tx.dialect.in("id", 2)
		args = append(args, q.TermIDs)
	}
	terms := []int64{} // not nil: a filter that matches nothing is still a filter
	err := each(tx.query(sql+" ORDER BY id", args...), func(r *db.Rows) { terms = append(terms, r.Int64(0)) })
	q.TermIDs, q.Years = terms, nil
	return err
}

// EachApplication calls fn for the visible applications of the query, by ascending ID, at most q.Limit, and
// reports whether there are more. The value behind the pointer is used again for the next row. It costs one
// statement, and one more when the query names years.
func (tx *Tx) EachApplication(q admitto.ApplicationQuery, fn func(*admitto.Application) error) (more bool, err error) {
	if err := tx.resolveYears(&q); err != nil {
		return false, err
	}
	b := tx.applicationBuilder(&q, max(q.FromID, min(q.After, maxID)+1))
	if b == nil {
		return false, nil
	}
	return upTo(tx.query(b.list(columnsOf(q.ByOutcome), q.Limit+1), b.args...), q.Limit, scanApplication, fn)
}

// ApplicationsEnd returns the last ID of the page of the query, 0 when it leaves no match out.
func (tx *Tx) ApplicationsEnd(q admitto.ApplicationQuery) (int64, error) {
	if err := tx.resolveYears(&q); err != nil {
		return 0, err
	}
	b := tx.applicationBuilder(&q, max(q.FromID, min(q.After, maxID)+1))
	if b == nil {
		return 0, nil
	}
	sql := b.list("a.id", q.Limit+1)
	return tx.pageEnd(sql, "ASC", q.Limit, b.args)
}

// ApplicationPages does as EachApplication, but hands over pages between which fn may run other statements.
// The page is used again.
func (tx *Tx) ApplicationPages(q admitto.ApplicationQuery, fn func([]admitto.Application) error) (more bool,
	err error) {
	if err := tx.resolveYears(&q); err != nil {
		return false, err
	}
	return inPages(q.Limit, func(limit int, add func(*admitto.Application) error) (bool, error) {
		q.Limit = limit
		return tx.EachApplication(q, add)
	}, func(last *admitto.Application) { q.After = last.ID }, fn)
}

// CountApplications counts all matches of the query, whatever its limit and After say. What it reads is
// bounded by the matches of the condition that drives it.
func (tx *Tx) CountApplications(q admitto.ApplicationQuery) (int64, error) {
	if err := tx.resolveYears(&q); err != nil {
		return 0, err
	}
	b := tx.applicationBuilder(&q, q.FromID)
	if b == nil {
		return 0, nil
	}
	facets := b.tallied()
	if facets == nil {
		return tx.number(b.count(), b.args...)
	}
	return tx.countRange(familyApplication, facets, max(q.FromID, 1), lastID(q.ToID), func(from, to int64) (int64, error) {
		q.ToID = to
		b := tx.applicationBuilder(&q, from)
		return tx.number(b.count(), b.args...)
	})
}

// tallied returns the facets whose counts answer the query; nil when nothing was counted that way.
func (b *appBuilder) tallied() []string {
	q := b.q
	switch {
	case len(b.conditions) > 0 || b.timed() || q.OfferConfirmed != nil || asksMore(&q.BrowseFilter):
		return nil
	case b.driver == nil:
		return []string{facetAll}
	case q.TermIDs != nil:
		return facetsOf(q.TermIDs, facetTerm)
	case q.Statuses != nil:
		statuses, apart := storedStatuses(q)
		if apart {
			return nil
		}
		return facetsOf(statuses, func(s string) string { return facetStatus(admitto.ApplicationStatus(s)) })
	}
	return nil
}

// list writes the statement of a list of at most limit applications.
func (b *appBuilder) list(columns string, limit int) string {
	cut := b.arg(limit)
	selected := "SELECT " + columns
	switch {
	case b.driver == nil && b.timed():
		return fmt.Sprintf("%s FROM %s ORDER BY a.id + 0 LIMIT $%d", selected, b.byTime(), cut)
	case b.driver == nil:
		return fmt.Sprintf("%s FROM application a WHERE %s%s ORDER BY a.id LIMIT $%d", selected, b.bounds("a.id"), b.rest(),
			cut)
	case !b.streamed():
		return fmt.Sprintf("%s FROM %s ORDER BY m.id LIMIT $%d", selected, b.whole(), cut)
	}
	ids := b.stream(fmt.Sprintf(" ORDER BY 1 LIMIT $%d", cut))
	if d := b.driver; d.length > 1 {
		ids = b.tx.dialect.forEach(b.arg(d.list), d.length, kindOf(d.list), ids)
	}
	return fmt.Sprintf("%s FROM (SELECT id FROM (%s) u ORDER BY id LIMIT $%d) m CROSS JOIN application a WHERE a.id = m.id ORDER BY m.id", selected, ids, cut)
}

// count writes the counting statement.
func (b *appBuilder) count() string {
	const counted = "SELECT count(*) FROM "
	switch {
	case b.driver == nil && b.timed():
		return counted + b.byTime()
	case b.driver == nil:
		return counted + "application a WHERE " + b.bounds("a.id") + b.rest()
	case b.driver.length > 1 && b.driver.table == itself && b.streamed(): // an application has one value
		return counted + "application a" + b.tx.dialect.by(b.driver.index) + " WHERE " +
			b.tx.dialect.in("a."+b.driver.column, b.arg(b.driver.list)) + " AND " + b.bounds("a.id") + b.rest()
	case b.driver.length > 1 || !b.streamed():
		return counted + b.whole()
	}
	return counted + "(" + b.stream("") + ") u"
}

// streamed reports whether each value of the driver gets a walk of its own. An applicant has few
// applications, so theirs are found and sorted at once.
func (b *appBuilder) streamed() bool {
	return b.driver.length <= maxStreams && b.driver.column != applicantColumn
}

// whole writes what stands after FROM to find everything that has one of the driver's values; the IDs are m.
func (b *appBuilder) whole() string {
	d := b.driver
	return fmt.Sprintf(`(SELECT DISTINCT %s AS id FROM %s x%s WHERE %s AND %s) m CROSS JOIN application a WHERE a.id = m.id AND a.visible%s`,
		d.key(), d.table, b.tx.dialect.by(d.index), b.tx.dialect.in("x."+d.column, b.arg(d.list)), b.driven(), b.rest())
}

// stream finds the IDs that have one value of the driver, by its index in the order of IDs; tail cuts them. Of several
// values it is the one that forEach calls v.value.
func (b *appBuilder) stream(tail string) string {
	d := b.driver
	value := ""
	switch {
	case d.length > 1:
		value = " = v.value"
	case d.list != nil:
		value = fmt.Sprintf(" = $%d", b.arg(d.first))
	}
	if d.table == itself {
		return "SELECT a.id FROM application a" + b.tx.dialect.by(d.index) + " WHERE a." + d.column + value + " AND " +
			b.bounds("a.id") + b.rest() + tail
	}
	// Several rows of an application may have the value; the limit counts it once. CROSS keeps SQLite from
	// turning the join around.
	return "SELECT DISTINCT x.application_id AS id FROM " + d.table + " x" + b.tx.dialect.by(d.index) +
		" CROSS JOIN application a WHERE a.id = x.application_id AND x." + d.column + value + " AND " + b.driven() +
		" AND a.visible" + b.rest() + tail
}

// driven are the conditions on the driver's rows next to its value.
func (b *appBuilder) driven() string {
	d := b.driver
	sql := fmt.Sprintf("%s >= $%d AND %s <= $%d", d.key(), b.lo, d.key(), b.hi) + b.same(d.table)
	if d.column == statusColumn {
		sql += " AND x.visible" // the condition of the index
	}
	return sql
}

// bounds are the conditions on visibility and ID.
func (b *appBuilder) bounds(id string) string {
	return fmt.Sprintf("a.visible AND %s >= $%d AND %s <= $%d", id, b.lo, id, b.hi)
}

// passive writes a condition so that no planner walks the index of the column.
func (b *appBuilder) passive(alias string, c *appCondition) string {
	switch {
	case c.list == nil:
		return " AND " + alias + "." + c.column
	case c.number:
		return " AND " + b.tx.dialect.in(alias+"."+c.column+" + 0", b.arg(c.list))
	}
	return " AND " + b.tx.dialect.in("coalesce("+alias+"."+c.column+", '')", b.arg(c.list))
}

// same are the other conditions on the row x of a table.
func (b *appBuilder) same(table string) (sql string) {
	if table == itself {
		return "" // rest checks them
	}
	for i := range b.conditions {
		if c := &b.conditions[i]; c.table == table {
			sql += b.passive("x", c)
		}
	}
	if table == offerRows {
		sql += b.offerRest()
	}
	return sql
}

// checked is what stands after FROM to check the rows x of an application, up to the conditions. SQLite takes an index
// that has everything only when it is told to.
func (b *appBuilder) checked(table string) string {
	index := ""
	switch table {
	case courseRows, offerRows:
		index = b.tx.dialect.by(table + "_checked")
	}
	return table + " x" + index + " WHERE "
}

// rest are the conditions that are checked application by application.
func (b *appBuilder) rest() (sql string) {
	for i := range b.conditions {
		if c := &b.conditions[i]; c.table == itself {
			sql += b.passive("a", c)
		}
	}
	for _, table := range []string{flagRows, courseRows, offerRows} {
		if b.driver != nil && b.driver.table == table {
			continue // driven writes them
		}
		if same := b.same(table); same != "" {
			// This x hides the one of the driver.
			sql += " AND EXISTS (SELECT 1 FROM " + b.checked(table) + "x.application_id = a.id" + same + ")"
		}
	}
	if _, apart := storedStatuses(b.q); apart {
		sql += " AND " + b.tx.dialect.in("("+outcomeOf+")", b.arg(b.q.Statuses))
	}
	if b.q.AsksOffers() {
		sql += " AND coalesce(a.submitted, 0) <> 0" // submitted at least once
	}
	if b.q.OfferConfirmed != nil && !*b.q.OfferConfirmed {
		sql += " AND NOT EXISTS (SELECT 1 FROM offer n WHERE n.application_id = a.id AND n." + isConfirmed + ")"
	}
	for _, t := range b.times() {
		sql += t.sql(b, " + 0")
	}
	return sql + b.browsed()
}

// appSpan is a range of a time column, inclusive; 0 is no end.
type appSpan struct {
	column   string
	from, to admitto.Time
}

// times returns the ranges that the query asks, the one to drive first.
func (b *appBuilder) times() (list []appSpan) {
	q := b.q
	created := appSpan{"created", max(q.FromTime, q.CreatedSince), q.ToTime}
	if q.FromTime == 0 || q.CreatedSince == 0 {
		created.from = q.FromTime + q.CreatedSince // the one that is set, which may lie before 1970
	}
	if created.from != 0 && created.to != 0 {
		list = append(list, created)
	}
	if q.RevisedSince != 0 {
		list = append(list, appSpan{"revised", q.RevisedSince, 0})
	}
	if q.SubmittedSince != 0 {
		list = append(list, appSpan{"submitted", q.SubmittedSince, 0})
	}
	if (created.from != 0) != (created.to != 0) {
		list = append(list, created)
	}
	return list
}

func (b *appBuilder) timed() bool { return len(b.times()) > 0 }

// sql writes the range; passive is appended to the column, so that it does not drive.
func (s appSpan) sql(b *appBuilder, passive string) (sql string) {
	if s.from != 0 {
		sql += fmt.Sprintf(" AND a.%s%s >= $%d", s.column, passive, b.arg(s.from))
	}
	if s.to != 0 {
		sql += fmt.Sprintf(" AND a.%s%s <= $%d", s.column, passive, b.arg(s.to))
	}
	return sql
}

// byTime writes what stands after FROM to find everything in the first range by the index of its time.
func (b *appBuilder) byTime() string {
	first := b.times()[0]
	sql := "application a" + b.tx.dialect.by("application_"+first.column) + " WHERE " + b.bounds("a.id + 0") + first.sql(b,
		"")
	if first.column == "submitted" {
		sql += " AND a.submitted IS NOT NULL" // the condition of the index
	}
	return sql + b.rest()
}
