package store

import "github.com/admitto/admitto/internal/store/db"

// TaskClass is a task template, with the statuses that its tasks may have, in their order.
type TaskClass struct {
	Template     int64
	Class, Title string
	Statuses     []TaskStatusName
}

// TaskStatusName is a status of a task template, as the store names it and as people read it, and whether it tells the
// applicant.
type TaskStatusName struct {
	Name, Title string
	Tells       bool
}

// StatusTitle is a status as people read it: its own name where the template does not have it.
func (t *TaskClass) StatusTitle(name string) string {
	for _, s := range t.Statuses {
		if s.Name == name {
			return s.Title
		}
	}
	return name
}

// TaskClasses returns all task templates, by ID.
func (tx *Tx) TaskClasses() (list []TaskClass, err error) {
	err = each(tx.query(`SELECT p.id, p.class, p.title, coalesce(s.name, ''), coalesce(s.title, ''),
		coalesce(s.tells, FALSE) FROM task_template p
		LEFT JOIN task_template_status s ON s.template_id = p.id ORDER BY p.id, s.position, s.name`), func(r *db.Rows) {
		if n := len(list); n == 0 || list[n-1].Template != r.Int64(0) {
			list = append(list, TaskClass{Template: r.Int64(0), Class: r.Text(1), Title: r.Text(2)})
		}
		if name := r.Text(3); name != "" {
			last := &list[len(list)-1]
			last.Statuses = append(last.Statuses, TaskStatusName{name, r.Text(4), r.Bool(5)})
		}
	})
	return list, err
}
