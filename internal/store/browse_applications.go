package store

import (
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// asksMore reports whether the filter asks anything.
func asksMore(f *admitto.BrowseFilter) bool {
	return f.Citizenships != nil || f.Trackers != nil || f.Officers != nil || f.NoOfficer || f.TaskTemplates != nil ||
		f.TaskStatuses != nil || f.OpenTask || f.Unpaid || f.SubmittedOnce != nil || f.InQuota || f.Matriculated != nil ||
		f.Expired != nil || f.Frozen != nil || f.OfferAsConfirmed != nil || f.DecidedSince != 0 || f.ChangedSince != 0 ||
		f.RefusedFrom != 0 || f.RefusedTo != 0 || f.AsksAnswer() || f.Terms != nil
}

// isExpired is the condition that application a is expired (lifecycle.md 3.1).
func (b *appBuilder) isExpired() string {
	return fmt.Sprintf("(coalesce(a.grace_override, 0) <= $%d AND EXISTS (SELECT 1 FROM academic_term g WHERE g.id = a.academic_term_id + 0 AND g.grace <> '' AND g.grace < $%d))",
		b.arg(b.q.Now), b.arg(b.q.Today))
}

// unpaidInvoice is the condition that application a has an invoice that is to be paid.
const unpaidInvoice = "EXISTS (SELECT 1 FROM invoice i WHERE i.application_id = a.id AND i.collected IS NULL AND i.lapsed IS NULL)"

// inQuota are the types of offers that take a place.
const inQuota = "SELECT t.id FROM offer_type t WHERE t.ranking = 'In quota'"

// asConfirmed is the condition that the type of an offer is the one that was confirmed, or another one. It is written
// as PostgreSQL keeps statistics of it.
func asConfirmed(offer string, same bool) string {
	sign := "<>"
	if same {
		sign = "="
	}
	return fmt.Sprintf(" AND coalesce(%[1]s.type_confirmed_id, 0) - %[1]s.type_id %[2]s 0", offer, sign)
}

// offerRest are the conditions on offer x that no list of values makes.
func (b *appBuilder) offerRest() (sql string) {
	if as := b.q.OfferAsConfirmed; as != nil {
		sql += asConfirmed("x", *as)
	}
	if b.q.DecidedSince != 0 {
		sql += fmt.Sprintf(" AND x.decided + 0 >= $%d", b.arg(b.q.DecidedSince))
	}
	return sql
}

// browsed are the conditions of BrowseFilter, checked application by application, but for those on offers.
func (b *appBuilder) browsed() (sql string) {
	f, d := &b.q.BrowseFilter, b.tx.dialect
	truth := func(wanted *bool, condition string) {
		if wanted != nil && *wanted {
			sql += " AND " + condition
		} else if wanted != nil {
			sql += " AND NOT " + condition
		}
	}
	if f.Citizenships != nil {
		sql += " AND EXISTS (SELECT 1 FROM applicant p WHERE p.id = a.applicant_id AND " +
			d.in("coalesce(p.citizenship, '')", b.arg(f.Citizenships)) + ")"
	}
	if f.Trackers != nil {
		sql += " AND EXISTS (SELECT 1 FROM applicant_tracker t WHERE t.applicant_id = a.applicant_id AND " +
			d.in("t.tracker_id", b.arg(f.Trackers)) + ")"
	}
	switch {
	case f.Officers != nil && f.NoOfficer:
		sql += " AND (" + d.in("a.officer_id + 0", b.arg(f.Officers)) + " OR a.officer_id + 0 IS NULL)"
	case f.Officers != nil:
		sql += " AND " + d.in("a.officer_id + 0", b.arg(f.Officers))
	case f.NoOfficer:
		sql += " AND a.officer_id + 0 IS NULL"
	}
	if f.TaskTemplates != nil || f.TaskStatuses != nil || f.OpenTask {
		sql += " AND EXISTS (SELECT 1 FROM task k" + d.by("task_checked") + " WHERE k.application_id = a.id" + b.tasks("k") +
			")"
	}
	if f.Unpaid {
		sql += " AND " + unpaidInvoice
	}
	truth(f.SubmittedOnce, "coalesce(a.submitted, 0) <> 0")
	if f.InQuota {
		sql += " AND EXISTS (SELECT 1 FROM offer n WHERE n.application_id = a.id AND n.confirmed IS NOT NULL AND n.type_confirmed_id + 0 IN (" + inQuota + "))"
	}
	truth(f.Matriculated, "EXISTS (SELECT 1 FROM applicant p WHERE p.id = a.applicant_id AND p.matriculation <> '')")
	if f.Expired != nil {
		truth(f.Expired, b.isExpired())
	}
	truth(f.Frozen, "coalesce(a.frozen, 0) <> 0")
	if f.ChangedSince != 0 {
		sql += fmt.Sprintf(" AND a.applicant_changed + 0 >= $%d AND a.applicant_changed > a.submitted", b.arg(f.ChangedSince))
	}
	if f.RefusedFrom != 0 || f.RefusedTo != 0 {
		sql += " AND EXISTS (SELECT 1 FROM receipt r WHERE r.application_id = a.id" + b.refused() + ")"
	}
	if f.AsksAnswer() {
		sql += " AND EXISTS (SELECT 1 FROM " + b.checked(offerRows) + "x.application_id = a.id" + b.answerDue("x", f) + ")"
	}
	return sql + b.hasWords(f.Terms, "a.applicant_id")
}

// tasks are the conditions on a task.
func (b *appBuilder) tasks(alias string) string {
	f, d := &b.q.BrowseFilter, b.tx.dialect
	sql := " AND " + alias + ".trashed IS NULL"
	if f.TaskTemplates != nil {
		sql += " AND " + d.in(alias+".template_id", b.arg(f.TaskTemplates))
	}
	if f.TaskStatuses != nil {
		sql += " AND " + d.in(alias+".status", b.arg(f.TaskStatuses))
	}
	if f.OpenTask {
		sql += " AND " + alias + ".resolved IS NULL"
	}
	return sql
}

// refused are the conditions on a receipt r.
func (b *appBuilder) refused() string {
	sql := " AND NOT r.accepted"
	if b.q.RefusedFrom != 0 {
		sql += fmt.Sprintf(" AND r.made >= $%d", b.arg(b.q.RefusedFrom))
	}
	if b.q.RefusedTo != 0 {
		sql += fmt.Sprintf(" AND r.made <= $%d", b.arg(b.q.RefusedTo))
	}
	return sql
}

// answerDue are the conditions that an offer waits for an answer that is due in the days of a filter.
func (b *listBuilder) answerDue(offer string, f *admitto.BrowseFilter) string {
	sql := strings.ReplaceAll(" AND o.decision_deadline IS NOT NULL AND o.decision = 'None' AND o.confirmed IS NOT NULL", "o.",
		offer+".")
	if !f.AnswerFrom.IsZero() {
		sql += fmt.Sprintf(" AND %s.decision_deadline >= $%d", offer, b.arg(f.AnswerFrom))
	}
	if !f.AnswerTo.IsZero() {
		sql += fmt.Sprintf(" AND %s.decision_deadline <= $%d", offer, b.arg(f.AnswerTo))
	}
	return sql
}

// browse prepares a page of applications; nil when nothing can match. Years must be resolved.
func (tx *Tx) browse(q *admitto.ApplicationQuery, page admitto.BrowsePage) *listing {
	conditions, none := applicationConditions(q)
	if none || emptyMore(&q.BrowseFilter) {
		return nil
	}
	l := &listing{tx: tx, table: "application", page: page}
	l.begin = func(d *driver) (*listBuilder, string) {
		b := &appBuilder{listBuilder: listBuilder{tx: tx}, q: q, conditions: conditions}
		if d != nil && d.rest != nil {
			b.q = d.rest
			b.conditions, _ = applicationConditions(d.rest)
		}
		where := b.rest()
		if q.FromID != 0 {
			where += fmt.Sprintf(" AND a.id >= $%d", b.arg(q.FromID))
		}
		if q.ToID != 0 {
			where += fmt.Sprintf(" AND a.id <= $%d", b.arg(q.ToID))
		}
		return &b.listBuilder, where
	}
	l.drivers = tx.applicationDrivers(q, conditions)
	l.order = tx.applicationOrder(q, page.Sort)
	l.exact = func() (int64, bool, error) { return tx.countedApplications(q, conditions) }
	l.byID = tx.applicationWalk(q, "application_term", "")
	l.newest = func(n, all int64) (int64, error) {
		if len(q.TermIDs) == 1 {
			return tx.number("SELECT a.id FROM application a"+tx.dialect.by("application_term")+
				" WHERE a.academic_term_id = $1 ORDER BY a.id DESC LIMIT 1 OFFSET $2", q.TermIDs[0], n)
		}
		highest, err := tx.HighestApplication()
		return highest - int64(float64(highest)*float64(n)/float64(all)), err
	}
	l.walked = func() (int64, error) {
		all := admitto.ApplicationQuery{}
		if len(q.TermIDs) == 1 {
			all.TermIDs = q.TermIDs
		}
		return tx.CountApplications(all)
	}
	return l
}

func emptyMore(f *admitto.BrowseFilter) bool {
	return f.Citizenships != nil && len(f.Citizenships) == 0 || f.Trackers != nil && len(f.Trackers) == 0 ||
		f.Officers != nil && len(f.Officers) == 0 && !f.NoOfficer || f.TaskTemplates != nil && len(f.TaskTemplates) == 0 ||
		f.TaskStatuses != nil && len(f.TaskStatuses) == 0
}

// applicationDrivers returns the conditions that may drive a list, those that are mostly narrow first.
func (tx *Tx) applicationDrivers(q *admitto.ApplicationQuery, conditions []appCondition) (list []driver) {
	f, d := &q.BrowseFilter, tx.dialect
	add := func(key string, from func(b *listBuilder) string) { list = append(list, driver{key: key, from: from}) }
	// theirs adds the applications of the people that a condition finds, whose ID is id.
	theirs := func(people, id string, where func(b *listBuilder) string) {
		list = append(list, driver{key: "x.id", from: func(b *listBuilder) string {
			return people + " CROSS JOIN application x" + d.by("application_applicant") + " WHERE x.applicant_id = " + id +
				" AND " + where(b)
		}, people: func(b *listBuilder) string { return people + " WHERE " + where(b) }})
	}
	// without notes that the last driver checks all of what it takes out of the query.
	without := func(out func(*admitto.ApplicationQuery)) {
		rest := *q
		out(&rest)
		list[len(list)-1].rest = &rest
	}
	own := func(b *listBuilder) *appBuilder { return &appBuilder{listBuilder: *b, q: q} }
	const ofApplicant = "application x"
	for _, term := range f.Terms {
		theirs("applicant_word w", "w.applicant_id", func(b *listBuilder) string {
			return fmt.Sprintf("w.word >= $%d AND w.word < $%d", b.arg(term), b.arg(prefixEnd(term)))
		})
	}
	if f.RefusedFrom != 0 || f.RefusedTo != 0 {
		add("r.application_id", func(b *listBuilder) string {
			o := own(b)
			sql := "receipt r" + d.by("receipt_refused") + " WHERE r.made IS NOT NULL" + o.refused()
			*b = o.listBuilder
			return sql
		})
	}
	if f.AsksAnswer() {
		add("x.application_id", func(b *listBuilder) string {
			return "offer x" + d.by("offer_deadline") + " WHERE x.application_id IS NOT NULL" + b.answerDue("x", f)
		})
	}
	if f.Officers != nil && !f.NoOfficer {
		add("x.id", func(b *listBuilder) string {
			return ofApplicant + d.by("application_officer") + " WHERE " + d.in("x.officer_id", b.arg(f.Officers)) +
				" AND x.visible AND x.officer_id IS NOT NULL"
		})
	}
	if f.ChangedSince != 0 {
		add("x.id", func(b *listBuilder) string {
			return ofApplicant + d.by("application_changed") + fmt.Sprintf(
				" WHERE x.visible AND x.applicant_changed > x.submitted AND x.applicant_changed >= $%d", b.arg(f.ChangedSince))
		})
	}
	if f.Frozen != nil && *f.Frozen {
		add("x.id", func(*listBuilder) string {
			return ofApplicant + d.by("application_frozen_id") + " WHERE x.visible AND x.frozen IS NOT NULL"
		})
	}
	for i := range conditions {
		c := &conditions[i]
		key := c.key()
		add(key, func(b *listBuilder) string {
			from := c.table + " x" + d.by(c.index) + " WHERE "
			if c.list == nil {
				return from + "x." + c.column
			}
			from += d.in("x."+c.column, b.arg(c.list))
			if c.table == itself {
				from += " AND x.visible"
			}
			return from
		})
		switch {
		case c.table == flagRows:
			without(func(q *admitto.ApplicationQuery) { q.Flags = nil })
		case c.table == courseRows && oneOfCourses(conditions): // several must be met by the same course
			without(func(q *admitto.ApplicationQuery) {
				q.Courses, q.CourseIntakes, q.CourseInstitutions, q.CourseTypes = nil, nil, nil, nil
			})
		}
	}
	if statuses, _ := storedStatuses(q); q.TermIDs != nil && statuses != nil {
		add("x.id", func(b *listBuilder) string {
			return ofApplicant + d.by("application_term_status") + " WHERE " + d.in("x.academic_term_id", b.arg(q.TermIDs)) +
				" AND " + d.in("x.status", b.arg(statuses)) + " AND x.visible"
		})
	}
	if f.DecidedSince != 0 {
		add("x.application_id", func(b *listBuilder) string {
			return "offer x" + d.by("offer_decided") +
				fmt.Sprintf(" WHERE x.decided IS NOT NULL AND x.decided >= $%d", b.arg(f.DecidedSince))
		})
	}
	if f.TaskTemplates != nil || f.TaskStatuses != nil {
		index := "task_open"
		if f.TaskTemplates == nil {
			index = "task_in_status"
		}
		add("x.application_id", func(b *listBuilder) string {
			o := own(b)
			sql := "task x" + d.by(index) + " WHERE x.trashed IS NULL" + o.tasks("x")
			*b = o.listBuilder
			return sql
		})
		without(func(q *admitto.ApplicationQuery) { q.TaskTemplates, q.TaskStatuses, q.OpenTask = nil, nil, false })
	}
	if f.Unpaid {
		add("x.application_id", func(*listBuilder) string {
			return "invoice x" + d.by("invoice_due_application") +
				" WHERE x.collected IS NULL AND x.lapsed IS NULL AND x.application_id IS NOT NULL"
		})
		without(func(q *admitto.ApplicationQuery) { q.Unpaid = false })
	}
	if f.Trackers != nil {
		theirs("applicant_tracker t", "t.applicant_id",
			func(b *listBuilder) string { return d.in("t.tracker_id", b.arg(f.Trackers)) })
		without(func(q *admitto.ApplicationQuery) { q.Trackers = nil })
	}
	if f.Citizenships != nil {
		theirs("applicant p"+d.by("applicant_citizenship"), "p.id",
			func(b *listBuilder) string { return "p.visible AND " + d.in("p.citizenship", b.arg(f.Citizenships)) })
		without(func(q *admitto.ApplicationQuery) { q.Citizenships = nil })
	}
	if f.Matriculated != nil && *f.Matriculated {
		theirs("applicant p"+d.by("applicant_matriculated"), "p.id",
			func(*listBuilder) string { return "p.matriculation <> ''" })
		without(func(q *admitto.ApplicationQuery) { q.Matriculated = nil })
	}
	if f.SubmittedOnce != nil && !*f.SubmittedOnce {
		add("x.id", func(*listBuilder) string {
			return ofApplicant + d.by("application_submitted_all") + " WHERE x.visible AND coalesce(x.submitted, 0) = 0"
		})
	}
	if f.Expired != nil && *f.Expired {
		add("x.id", func(b *listBuilder) string {
			return ofApplicant + d.by("application_term") + fmt.Sprintf(
				" WHERE x.academic_term_id IN (SELECT g.id FROM academic_term g WHERE g.grace <> '' AND g.grace < $%d)",
				b.arg(f.Today))
		})
	}
	if f.InQuota {
		add("x.application_id", func(*listBuilder) string {
			return "offer x" + d.by("offer_type_confirmed") +
				" WHERE x.type_confirmed_id IS NOT NULL AND x.type_confirmed_id IN (" + inQuota + ")"
		})
	}
	return append(list, tx.timeDrivers(q)...)
}

// oneOfCourses reports whether there is but one condition on courses.
func oneOfCourses(conditions []appCondition) bool {
	n := 0
	for i := range conditions {
		if conditions[i].table == courseRows {
			n++
		}
	}
	return n == 1
}

// timeDrivers are those of the times of applications.
func (tx *Tx) timeDrivers(q *admitto.ApplicationQuery) (list []driver) {
	for _, span := range (&appBuilder{listBuilder: listBuilder{tx: tx}, q: q}).times() {
		list = append(list, driver{key: "a.id", from: func(b *listBuilder) string {
			o := &appBuilder{listBuilder: *b, q: q}
			sql := "application a" + tx.dialect.by("application_"+span.column) + " WHERE a.visible" + span.sql(o, "")
			if span.column == "submitted" {
				sql += " AND a.submitted IS NOT NULL"
			}
			*b = o.listBuilder
			return sql
		}})
	}
	return list
}

// applicationWalk writes a walk by the index of a single term, or else by the one of all; "" is the table.
func (tx *Tx) applicationWalk(q *admitto.ApplicationQuery, oneTerm, all string) func(b *listBuilder) string {
	return func(b *listBuilder) string {
		if len(q.TermIDs) == 1 {
			return "application a" + tx.dialect.by(oneTerm) + fmt.Sprintf(" WHERE a.visible AND a.academic_term_id = $%d",
				b.arg(q.TermIDs[0]))
		}
		if all == "" {
			return "application a" + tx.dialect.byID() + " WHERE a.visible"
		}
		return "application a" + tx.dialect.by(all) + " WHERE a.visible"
	}
}

// applicationOrder returns how a list is walked in an order. A single term has indexes of its own.
func (tx *Tx) applicationOrder(q *admitto.ApplicationQuery, sort admitto.BrowseSort) order {
	d := tx.dialect
	walk := func(oneTerm, all string) func(b *listBuilder) string { return tx.applicationWalk(q, oneTerm, all) }
	switch sort {
	case admitto.ByName:
		o := order{columns: []string{"s.name_key", "s.applicant_id", "a.id"}, text: true, join: "applicant_search s",
			joined: "s.applicant_id = a.applicant_id"}
		o.walk = func(*listBuilder) string {
			return "applicant_search s" + d.by("applicant_search_name") + " CROSS JOIN application a" +
				d.by("application_applicant") +
				" WHERE a.applicant_id = s.applicant_id AND a.visible"
		}
		return o
	case admitto.ByStatus:
		return order{columns: []string{"a.status", "a.id"}, text: true,
			walk: walk("application_term_status", "application_status_id")}
	case admitto.BySubmitted:
		return order{columns: []string{"coalesce(a.submitted, 0)", "a.id"},
			walk: walk("application_term_submitted", "application_submitted_all")}
	case admitto.ByRevised:
		return order{columns: []string{"a.revised", "a.id"}, walk: walk("application_term_revised", "application_revised")}
	}
	o := order{columns: []string{"a.id"}, walk: walk("application_term", "")}
	if statuses, _ := storedStatuses(q); len(statuses) == 1 && len(q.TermIDs) <= 1 {
		o.walk = func(b *listBuilder) string { // the status is not spread over all IDs, but these indexes have them in order
			if len(q.TermIDs) == 1 {
				return "application a" + d.by("application_term_status") + fmt.Sprintf(
					" WHERE a.visible AND a.academic_term_id = $%d AND a.status = $%d", b.arg(q.TermIDs[0]), b.arg(statuses[0]))
			}
			return "application a" + d.by("application_status_id") +
				fmt.Sprintf(" WHERE a.visible AND a.status = $%d", b.arg(statuses[0]))
		}
	}
	return o
}

// countedApplications counts what terms and statuses alone select.
func (tx *Tx) countedApplications(q *admitto.ApplicationQuery, conditions []appCondition) (int64, bool, error) {
	plain := q.FromID == 0 && q.ToID == 0 && q.OfferConfirmed == nil && !asksMore(&q.BrowseFilter) &&
		len((&appBuilder{q: q}).times()) == 0
	_, apart := storedStatuses(q)
	for i := range conditions {
		plain = plain && conditions[i].table == itself && conditions[i].column != applicantColumn
	}
	switch {
	case !plain || apart:
		return 0, false, nil
	case len(conditions) < 2:
		n, err := tx.CountApplications(*q)
		return n, true, err
	}
	statuses, _ := storedStatuses(q)
	var facets []string
	for _, term := range q.TermIDs {
		for _, status := range statuses {
			facets = append(facets, facetTermStatus(term, admitto.ApplicationStatus(status)))
		}
	}
	n, err := tx.sumBlocks(familyApplication, facets, 0, maxID)
	return n, true, err
}

// BrowseApplications returns the IDs of a page of applications; counted says that the total is wanted, too.
func (tx *Tx) BrowseApplications(q admitto.Browse, counted bool) (Listed, error) {
	if err := tx.resolveYears(&q.ApplicationQuery); err != nil {
		return Listed{}, err
	}
	l := tx.browse(&q.ApplicationQuery, q.Page)
	if l == nil {
		return Listed{}, nil
	}
	return l.read(counted)
}

// BrowsedApplication is what a list of staff shows of an application itself.
type BrowsedApplication struct {
	admitto.Application
	Officer          int64
	ApplicantChanged admitto.Time
	Expired          bool
	OpenTasks        int64
}

// BrowsedApplications returns applications by ID.
func (tx *Tx) BrowsedApplications(ids []int64, today admitto.Date, now admitto.Time) (map[int64]*BrowsedApplication,
	error) {
	byID := make(map[int64]*BrowsedApplication, len(ids))
	b := &appBuilder{listBuilder: listBuilder{tx: tx},
		q: &admitto.ApplicationQuery{BrowseFilter: admitto.BrowseFilter{Today: today, Now: now}}}
	sql := "SELECT " + applicationColumns + ", a.officer_id, a.applicant_changed, " + b.isExpired() + `,
		(SELECT count(*) FROM task k WHERE k.application_id = a.id AND k.trashed IS NULL AND k.resolved IS NULL)
		FROM application a WHERE ` + tx.dialect.in("a.id", b.arg(ids)) + " AND a.visible"
	own := columns.Application.Width()
	err := each(tx.query(sql, b.args...), func(r *db.Rows) {
		var a BrowsedApplication
		scanApplication(r, &a.Application)
		a.Officer, a.ApplicantChanged, a.Expired, a.OpenTasks = r.Int64(own), r.Time(own+1), r.Bool(own+2), r.Int64(own+3)
		byID[a.ID] = &a
	})
	return byID, err
}

// CountBrowsed counts the applications of a query.
func (tx *Tx) CountBrowsed(q admitto.ApplicationQuery) (Total, error) {
	if err := tx.resolveYears(&q); err != nil {
		return Total{}, err
	}
	l := tx.browse(&q, admitto.BrowsePage{Sort: admitto.ByID})
	if l == nil {
		return Total{}, nil
	}
	c, err := l.choose(true)
	if err != nil {
		return Total{}, err
	}
	return l.total(c)
}
