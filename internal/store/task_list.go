package store

import (
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// A list of tasks is read cell by cell: terms, templates, statuses and what was done are the cells that match, whose
// counts are kept, and within a cell tasks are in the order of the list. What is left to check are deadlines, which are
// a part of that order, and courses. Where that reads less, the list is walked as a whole, or found by the applications
// that have the courses.

// dueColumn is what tasks are sorted by: the deadline, and those without one last.
const dueColumn = "coalesce(t.deadline, '9999-12-31')"

// countedOfCourses is among how many tasks of courses matches are counted, where these and the cells have many: each is
// found by its application, which takes longer than along an index.
const countedOfCourses = 40_000

// taskListing is a list of tasks.
type taskListing struct {
	tx    *Tx
	q     *admitto.TaskQuery
	cells []string
	n     int64 // tasks in the cells
	all   int64 // tasks in all cells
}

// listTasks prepares a list; nil when nothing can match.
func (tx *Tx) listTasks(q *admitto.TaskQuery) (*taskListing, error) {
	cells, err := tx.TaskCells(0)
	if err != nil {
		return nil, err
	}
	l := &taskListing{tx: tx, q: q}
	for i := range cells {
		c := &cells[i]
		l.all += c.N
		if c.chosen(q) {
			l.cells, l.n = append(l.cells, c.name), l.n+c.N
		}
	}
	if l.n == 0 || q.Courses != nil && len(q.Courses) == 0 {
		return nil, nil
	}
	slices.Sort(l.cells)
	return l, nil
}

// ofCourses is the condition that task t is for one of the courses: its own, or, without one, those of the application
// c.
func (l *taskListing) ofCourses(b *listBuilder) string {
	return l.tx.dialect.in("c.course_id", b.arg(l.q.Courses)) + " AND (t.course_id IS NULL OR t.course_id = c.course_id)"
}

// due are the conditions on the deadline of task t.
func (l *taskListing) due(b *listBuilder) (sql string) {
	from, to := l.q.DeadlineFrom, l.q.DeadlineTo
	if l.q.Overdue {
		if yesterday := l.q.Today.AddDays(-1); to.IsZero() || yesterday.Before(to) {
			to = yesterday
		}
	}
	if !from.IsZero() {
		sql += fmt.Sprintf(" AND %s >= $%d", dueColumn, b.arg(from))
	}
	switch {
	case !to.IsZero():
		sql += fmt.Sprintf(" AND %s <= $%d AND t.deadline IS NOT NULL", dueColumn, b.arg(to))
	case !from.IsZero():
		sql += " AND t.deadline IS NOT NULL"
	}
	return sql
}

// bounded reports whether the query asks for deadlines.
func (l *taskListing) bounded() bool {
	return l.q.Overdue || !l.q.DeadlineFrom.IsZero() || !l.q.DeadlineTo.IsZero()
}

// checked are all conditions on task t but those of its cell.
func (l *taskListing) checked(b *listBuilder) string {
	sql := l.due(b)
	if l.q.Courses != nil {
		sql += " AND EXISTS (SELECT 1 FROM application_course c WHERE c.application_id = t.application_id AND " +
			l.ofCourses(b) + ")"
	}
	return sql
}

// inCells is the condition that task t is in one of the cells.
func (l *taskListing) inCells(b *listBuilder, column string) string {
	return l.tx.dialect.in(column, b.arg(l.cells))
}

// byCourses is what stands after FROM to find all tasks of the courses.
func (l *taskListing) byCourses(b *listBuilder) string {
	return "application_course c" + l.tx.dialect.by("application_course_course") + " CROSS JOIN task t" +
		l.tx.dialect.by("task_application") +
		" WHERE t.application_id = c.application_id AND " + l.ofCourses(b)
}

// once is what follows SELECT where the same task is found by several courses.
func (l *taskListing) once() string {
	if len(l.q.Courses) > 1 {
		return "DISTINCT "
	}
	return ""
}

// narrowByCourses reports whether the tasks of the courses are few, and fewer than those of the cells.
func (l *taskListing) narrowByCourses() (bool, error) {
	if l.q.Courses == nil || l.n <= min(narrowest, narrowEnough) {
		return false, nil
	}
	bound := min(narrowest, l.n-1)
	b := &listBuilder{tx: l.tx}
	from := l.byCourses(b)
	n, err := l.tx.number(fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %s LIMIT $%d) u", from, b.arg(bound+1)),
		b.args...)
	return n <= bound, err
}

// pastPivot is the condition that task t stands behind the pivot of the page in the order of the list, or before it; ""
// for a page without.
func (l *taskListing) pastPivot(b *listBuilder, p *admitto.BrowsePage, pivotDue string) string {
	pivot := max(p.After, p.Before)
	if pivot == 0 {
		return ""
	}
	than := ">"
	if p.Descending != (p.Before != 0) {
		than = "<"
	}
	due, id := b.arg(pivotDue), b.arg(pivot)
	return fmt.Sprintf(" AND %[1]s %[2]s= $%[3]d AND (%[1]s %[2]s $%[3]d OR t.id %[2]s $%[4]d)", dueColumn, than, due, id)
}

// page reads the IDs of a page, at most one more than its rows; those before a pivot with the nearest first.
func (l *taskListing) page(p *admitto.BrowsePage, byCourses bool) ([]int64, error) {
	b := &listBuilder{tx: l.tx}
	pivotDue := ""
	if pivot := max(p.After, p.Before); pivot != 0 {
		var err error
		if pivotDue, err = l.tx.dueOfTask(pivot); err != nil || pivotDue == "" {
			return nil, err
		}
	}
	direction := ""
	if p.Descending != (p.Before != 0) {
		direction = " DESC"
	}
	order := " ORDER BY " + dueColumn + direction + ", t.id" + direction
	reach := p.Skip + int64(p.Rows) + 1
	var sql string
	switch {
	case byCourses:
		sql = "SELECT t.id FROM (SELECT " + l.once() + "t.id FROM " + l.byCourses(b) + " AND " +
			l.inCells(b, "t.cell || ''") + l.due(b) +
			l.pastPivot(b, p, pivotDue) + ") m CROSS JOIN task t" + l.tx.dialect.byID() + " WHERE t.id = m.id"
	case float64(reach)*float64(l.all) < float64(l.n)*float64(min(reach*int64(len(l.cells)), l.n)):
		sql = "SELECT t.id FROM task t" + l.tx.dialect.by("task_due") + " WHERE t.cell IS NOT NULL AND " +
			l.inCells(b, "t.cell || ''") +
			l.checked(b) + l.pastPivot(b, p, pivotDue)
	default:
		cells := b.arg(l.cells)
		stream := "SELECT t.id FROM task t" + l.tx.dialect.by("task_cell") +
			" WHERE t.cell = v.value AND t.cell IS NOT NULL" + l.checked(b) +
			l.pastPivot(b, p, pivotDue) + order + fmt.Sprintf(" LIMIT $%d", b.arg(reach))
		sql = "SELECT t.id FROM (" + l.tx.dialect.forEach(cells, len(l.cells), "text", stream) + ") m CROSS JOIN task t" +
			l.tx.dialect.byID() + " WHERE t.id = m.id"
	}
	sql += order + fmt.Sprintf(" LIMIT $%d", b.arg(p.Rows+1))
	if p.Skip > 0 {
		sql += fmt.Sprintf(" OFFSET $%d", b.arg(p.Skip))
	}
	return l.tx.ids(sql, b.args...)
}

// total counts the matches: by the kept counts, or up to countedTo.
func (l *taskListing) total(byCourses bool) (t Total, err error) {
	if l.q.Courses == nil && !l.bounded() {
		return Total{N: l.n}, nil
	}
	b := &listBuilder{tx: l.tx}
	var from string
	switch {
	case byCourses:
		from = l.byCourses(b) + " AND " + l.inCells(b, "t.cell || ''") + l.due(b)
	case l.q.Courses != nil && l.n > narrowest:
		// Both have many: the matches are counted among a part of the tasks of the courses.
		tasks := "SELECT " + l.once() + "t.id FROM " + l.byCourses(b) +
			fmt.Sprintf(" LIMIT $%d", b.arg(int64(countedOfCourses)))
		from = "(" + tasks + ") m CROSS JOIN task t" + l.tx.dialect.byID() + " WHERE t.id = m.id AND " +
			l.inCells(b, "t.cell || ''") + l.due(b)
		t.More = true
	default:
		from = "task t" + l.tx.dialect.by("task_cell") + " WHERE t.cell IS NOT NULL AND " + l.inCells(b, "t.cell") +
			l.checked(b)
	}
	t.N, err = l.tx.number(fmt.Sprintf("SELECT count(*) FROM (SELECT %st.id FROM %s LIMIT $%d) u", l.once(), from,
		b.arg(int64(countedTo+1))), b.args...)
	if t.N > countedTo {
		return Total{N: countedTo, More: true}, err
	}
	if t.More {
		t.More, err = l.beyond()
	}
	return t, err
}

// beyond reports whether there are more tasks of the courses than matches are counted among.
func (l *taskListing) beyond() (bool, error) {
	b := &listBuilder{tx: l.tx}
	from := l.byCourses(b)
	n, err := l.tx.number(fmt.Sprintf("SELECT count(*) FROM (SELECT %st.id FROM %s LIMIT $%d) u", l.once(), from,
		b.arg(int64(countedOfCourses+1))), b.args...)
	return n > countedOfCourses, err
}

// ListTasks returns the IDs of a page of tasks of visible applications, without those in the trash, by deadline and ID;
// those without a deadline stand last.
func (tx *Tx) ListTasks(q admitto.TaskQuery, p admitto.BrowsePage) (page Listed, err error) {
	l, err := tx.listTasks(&q)
	if err != nil || l == nil {
		return page, err
	}
	byCourses, err := l.narrowByCourses()
	if err != nil {
		return page, err
	}
	if page.IDs, err = l.page(&p, byCourses); err != nil {
		return page, err
	}
	page.Back = p.Skip > 0
	if page.More = len(page.IDs) > p.Rows; page.More {
		page.IDs = page.IDs[:p.Rows]
	}
	if !page.Back && !page.More {
		page.Total.N = int64(len(page.IDs))
		return page, nil
	}
	page.Total, err = l.total(byCourses)
	if page.Total.More { // what is shown is there
		page.Total.N = max(page.Total.N, p.Skip+int64(len(page.IDs)))
	}
	return page, err
}

// dueOfTask is what a task is sorted by, "" for one that no list shows.
func (tx *Tx) dueOfTask(id int64) (due string, err error) {
	err = each(tx.query("SELECT "+dueColumn+" FROM task t WHERE t.id = $1 AND t.cell IS NOT NULL", id),
		func(r *db.Rows) { due = r.Text(0) })
	return due, err
}

// TaskNeighbours returns the tasks before and after one in the list, 0 for none; the task itself need not be in it.
func (tx *Tx) TaskNeighbours(q admitto.TaskQuery, descending bool, id int64) (previous, next int64, err error) {
	l, err := tx.listTasks(&q)
	if err != nil || l == nil {
		return 0, 0, err
	}
	byCourses, err := l.narrowByCourses()
	if err != nil {
		return 0, 0, err
	}
	for _, side := range []struct {
		to   *int64
		page admitto.BrowsePage
	}{{&previous, admitto.BrowsePage{Before: id}}, {&next, admitto.BrowsePage{After: id}}} {
		side.page.Rows, side.page.Descending = 1, descending
		ids, err := l.page(&side.page, byCourses)
		if err != nil {
			return 0, 0, err
		}
		if len(ids) > 0 {
			*side.to = ids[0]
		}
	}
	return previous, next, nil
}

// CountListedTasks counts the tasks of a query.
func (tx *Tx) CountListedTasks(q admitto.TaskQuery) (Total, error) {
	l, err := tx.listTasks(&q)
	if err != nil || l == nil {
		return Total{}, err
	}
	byCourses, err := l.narrowByCourses()
	if err != nil {
		return Total{}, err
	}
	return l.total(byCourses)
}

// SelectTasks returns the IDs of the tasks of a query above one, ascending, at most limit, and whether there are more.
func (tx *Tx) SelectTasks(q admitto.TaskQuery, after int64, limit int) (ids []int64, more bool, err error) {
	l, err := tx.listTasks(&q)
	if err != nil || l == nil {
		return nil, false, err
	}
	b := &listBuilder{tx: tx}
	// All pages together walk the table once, whatever the cells have.
	sql := "SELECT t.id FROM task t" + tx.dialect.byID() + fmt.Sprintf(" WHERE t.id > $%d AND ", b.arg(after)) +
		l.inCells(b, "t.cell || ''") +
		l.checked(b) + fmt.Sprintf(" ORDER BY t.id LIMIT $%d", b.arg(limit+1))
	ids, err = tx.ids(sql, b.args...)
	if more = len(ids) > limit; more {
		ids = ids[:limit]
	}
	return ids, more, err
}

// ListedTask is what a list of staff shows of a task, with its application.
type ListedTask struct {
	admitto.TaskCase
	StatusTitle string // of the template; "" for a status that only this task has
	Tells       bool   // the applicant is told of the status
	Applicant   int64
	Term        int64
}

// ListedTasks returns tasks by ID.
func (tx *Tx) ListedTasks(ids []int64) (map[int64]*ListedTask, error) {
	byID := make(map[int64]*ListedTask, len(ids))
	own := columns.TaskCase.Width() + 2
	err := each(tx.query("SELECT "+taskCaseColumns+`, coalesce(s.title, ''),
		coalesce(s.tells, FALSE), a.applicant_id, a.academic_term_id FROM task t
		JOIN task_template p ON p.id = t.template_id JOIN application a ON a.id = t.application_id
		LEFT JOIN task_template_status s ON s.template_id = t.template_id AND s.name = t.status
		WHERE `+tx.dialect.in("t.id", 1)+" AND t.cell IS NOT NULL", ids), func(r *db.Rows) {
		var t ListedTask
		scanTaskCase(r, &t.TaskCase)
		t.StatusTitle, t.Tells = r.Text(own), r.Bool(own+1)
		t.Applicant, t.Term = r.Int64(own+2), r.Int64(own+3)
		byID[t.ID] = &t
	})
	return byID, err
}

// ListedTask reads a task of a visible application that is not in the trash, or answers NotFound.
func (tx *Tx) ListedTask(id int64) (ListedTask, error) {
	list, err := tx.ListedTasks([]int64{id})
	if err == nil && list[id] == nil {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return ListedTask{}, err
	}
	return *list[id], nil
}
