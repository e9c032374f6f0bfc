package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// taskColumns are read by scanTask.
var taskColumns = columns.Task.Select("t") + ", p.class, p.title"

func scanTask(r *db.Rows, t *admitto.Task) {
	columns.Task.Scan(r, t)
	own := columns.Task.Width()
	t.Class, t.Title = r.Text(own), r.Text(own+1)
}

// TasksOf returns the tasks of each application, by ID, without those in the trash.
func (tx *Tx) TasksOf(applications []int64) (map[int64][]admitto.Task, error) {
	condition, args := tx.among("t.application_id", applications)
	return grouped(tx.query("SELECT "+taskColumns+" FROM task t JOIN task_template p ON p.id = t.template_id WHERE "+
		condition+
		" AND t.trashed IS NULL ORDER BY t.application_id, t.id", args...), func(r *db.Rows, t *admitto.Task) int64 {
		scanTask(r, t)
		return t.Application
	})
}

// Task reads one task of an application, or answers NotFound, as for one in the trash. Whether the application
// is visible is not asked.
func (tx *Tx) Task(application, id int64) (t admitto.Task, err error) {
	err = one(tx.query("SELECT "+taskColumns+` FROM task t JOIN task_template p ON p.id = t.template_id
		WHERE t.id = $2 AND t.application_id = $1 AND t.trashed IS NULL`, application, id), func(r *db.Rows) { scanTask(r, &t) })
	return t, err
}
