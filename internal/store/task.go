package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// taskColumns are read by scanTask, in this order.
const taskColumns = `t.id, t.application_id, t.created, t.reminded, t.committed, t.resolved, p.class, p.title, t.status,
	t.notes_applicant, t.notes_administrator`

func scanTask(r *db.Rows) admitto.Task {
	return admitto.Task{ID: r.Int64(0), Application: r.Int64(1), Created: r.Time(2), Reminded: r.Time(3), Committed: r.Time(4),
		Resolved: r.Time(5), Class: r.Text(6), Title: r.Text(7), Status: r.Text(8), NotesApplicant: r.Text(9), NotesAdministrator: r.Text(10)}
}

// TasksOf returns the tasks of each application, by ID, without those in the trash.
func (tx *Tx) TasksOf(applications []int64) (map[int64][]admitto.Task, error) {
	condition, args := tx.among("t.application_id", applications)
	return grouped(tx.query("SELECT "+taskColumns+" FROM task t JOIN task_template p ON p.id = t.template_id WHERE "+condition+
		" AND t.trashed IS NULL ORDER BY t.application_id, t.id", args...), func(r *db.Rows, t *admitto.Task) int64 {
		*t = scanTask(r)
		return t.Application
	})
}

// Task reads one task of an application, or answers NotFound, as for one in the trash. Whether the application
// is visible is not asked.
func (tx *Tx) Task(application, id int64) (t admitto.Task, err error) {
	err = one(tx.query("SELECT "+taskColumns+` FROM task t JOIN task_template p ON p.id = t.template_id
		WHERE t.id = $2 AND t.application_id = $1 AND t.trashed IS NULL`, application, id), func(r *db.Rows) { t = scanTask(r) })
	return t, err
}
