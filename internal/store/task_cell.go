package store

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// The tasks overview lists and counts tasks by cell. The column task.cell, which triggers fill, names it: the term of
// the application, the template, whether the task was handed in and resolved, and its status. Tasks in the trash and
// those of invisible applications have none. How many tasks are in a cell is kept, in blocks as large as those of the
// filter pane.

// familyTask is the family in which the tasks of a term are counted by cell.
func familyTask(term int64) string { return "task:" + strconv.FormatInt(term, 10) }

// countCells counts the tasks of all cells, as the other counts are counted.
const countCells = ` UNION ALL SELECT 'task:' || a.academic_term_id, t.cell, t.id / 16384, count(*), min(t.id), max(t.id)
	FROM task t JOIN application a ON a.id = t.application_id WHERE t.cell IS NOT NULL
	GROUP BY a.academic_term_id, t.cell, t.id / 16384`

// TaskCell is how many tasks of a term and a template are in a status, handed in and resolved or not.
type TaskCell struct {
	Term, Template     int64
	HandedIn, Resolved bool
	Status             string
	N                  int64
	name               string
}

// The parts of the number in the name of a cell that says what was done with its tasks.
const (
	cellHandedIn = 1
	cellResolved = 2
)

// cellNamed reads the name of a cell.
func cellNamed(name string) (c TaskCell) {
	part := strings.SplitN(name, ":", 4)
	if len(part) < 4 {
		return c
	}
	c.name, c.Status = name, part[3]
	c.Term, _ = strconv.ParseInt(part[0], 10, 64)
	c.Template, _ = strconv.ParseInt(part[1], 10, 64)
	done, _ := strconv.Atoi(part[2])
	c.HandedIn, c.Resolved = done&cellHandedIn != 0, done&cellResolved != 0
	return c
}

// mostCells bounds how many cells are read: the statuses of templates are few, but programs may set any.
const mostCells = 10_000

// TaskCells returns the cells of a term that have tasks, in no order; 0 is all terms.
func (tx *Tx) TaskCells(term int64) (cells []TaskCell, err error) {
	terms, err := tx.termsOf(term)
	if err != nil {
		return nil, err
	}
	return tx.cellsOf(terms)
}

func (tx *Tx) cellsOf(terms []int64) (cells []TaskCell, err error) {
	err = each(tx.query("SELECT facet, CAST(sum(n) AS bigint) FROM "+tx.dialect.counts()+" WHERE "+
		tx.dialect.in("family", 1)+
		" GROUP BY family, facet HAVING sum(n) > 0 ORDER BY sum(n) DESC, facet LIMIT $2", facetsOf(terms, familyTask),
		int64(mostCells)),
		func(r *db.Rows) {
			c := cellNamed(r.Text(0))
			c.N = r.Int64(1)
			cells = append(cells, c)
		})
	return cells, err
}

// newTask notes that a task was stored, which is counted at the end of the transaction.
func (tx *Tx) newTask(id int64) {
	if tx.tasks == nil {
		tx.tasks = map[int64]string{}
	}
	tx.tasks[id] = ""
}

// tasksOfChange is tasksChange for all tasks of applications.
func (tx *Tx) tasksOfChange(applications []int64) error {
	if len(applications) == 0 {
		return nil
	}
	tasks, err := tx.ids("SELECT t.id FROM task t WHERE "+tx.dialect.in("t.application_id", 1), applications)
	if err != nil {
		return err
	}
	return tx.tasksChange(tasks...)
}

// tasksChange notes that something is about to change by which the tasks are counted; they are counted at the end of
// the transaction. Their applications must be locked.
func (tx *Tx) tasksChange(tasks ...int64) error {
	return noteBefore(&tx.tasks, tasks, tx.cellsOfTasks)
}

// cellsOfTasks returns the names of the cells of tasks.
func (tx *Tx) cellsOfTasks(tasks []int64) (map[int64]string, error) {
	cells := map[int64]string{}
	err := each(tx.query("SELECT t.id, t.cell FROM task t"+tx.dialect.byID()+" WHERE "+tx.dialect.in("t.id", 1)+
		" AND t.cell IS NOT NULL", tasks),
		func(r *db.Rows) { cells[r.Int64(0)] = r.Text(1) })
	return cells, err
}

// countTasks counts the tasks that have changed.
func (tx *Tx) countTasks() error {
	if len(tx.tasks) == 0 {
		return nil
	}
	after, err := tx.cellsOfTasks(slices.Sorted(maps.Keys(tx.tasks)))
	if err != nil {
		return err
	}
	count := func(id int64, cell string, n int64) {
		if cell != "" {
			tx.count(familyTask(cellNamed(cell).Term), cell, id/paneBlock, id, n)
		}
	}
	for id, before := range tx.tasks {
		if before != after[id] {
			count(id, before, -1)
			count(id, after[id], 1)
		}
	}
	return nil
}

// TasksHandedIn counts the tasks that applicants handed in and nobody has resolved.
func (tx *Tx) TasksHandedIn() (n int64, err error) {
	cells, err := tx.TaskCells(0)
	for _, c := range cells {
		if c.HandedIn && !c.Resolved {
			n += c.N
		}
	}
	return n, err
}

// chosen reports whether tasks of the cell can match a query.
func (c *TaskCell) chosen(q *admitto.TaskQuery) bool {
	among := func(list []int64, id int64) bool { return list == nil || slices.Contains(list, id) }
	is := func(wanted *bool, value bool) bool { return wanted == nil || *wanted == value }
	return among(q.TermIDs, c.Term) && among(q.Templates, c.Template) &&
		(q.Statuses == nil || slices.Contains(q.Statuses, c.Status)) &&
		is(q.HandedIn, c.HandedIn) && is(q.Resolved, c.Resolved) && !(q.Overdue && c.Resolved)
}
