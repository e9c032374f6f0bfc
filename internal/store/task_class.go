package store

import "github.com/admitto/admitto/internal/store/db"

// TaskClass is the class of a task template, with the names of the statuses that its tasks may have.
type TaskClass struct {
	Template int64
	Class    string
	Statuses []string
}

// TaskClasses returns the classes of all task templates, by the ID of the template.
func (tx *Tx) TaskClasses() (list []TaskClass, err error) {
	err = each(tx.query(`SELECT p.id, p.class, coalesce(s.name, '') FROM task_template p
		LEFT JOIN task_template_status s ON s.template_id = p.id ORDER BY p.id, s.position, s.name`), func(r *db.Rows) {
		if n := len(list); n == 0 || list[n-1].Template != r.Int64(0) {
			list = append(list, TaskClass{Template: r.Int64(0), Class: r.Text(1)})
		}
		if name := r.Text(2); name != "" {
			last := &list[len(list)-1]
			last.Statuses = append(last.Statuses, name)
		}
	})
	return list, err
}
