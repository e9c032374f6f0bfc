package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// taskCaseColumns are read by scanTaskCase.
var taskCaseColumns = columns.TaskCase.Select("t") + ", p.class, p.title"

func scanTaskCase(r *db.Rows, t *admitto.TaskCase) {
	columns.TaskCase.Scan(r, t)
	own := columns.TaskCase.Width()
	t.Class, t.Title = r.Text(own), r.Text(own+1)
}

// TaskCase reads a task of an application, one in the trash as well, or answers NotFound. The one who changes tasks has
// the application locked, which keeps others from changing the task.
func (tx *Tx) TaskCase(application, id int64) (t admitto.TaskCase, err error) {
	err = one(tx.query("SELECT "+taskCaseColumns+` FROM task t JOIN task_template p ON p.id = t.template_id
		WHERE t.id = $2 AND t.application_id = $1`, application, id), func(r *db.Rows) { scanTaskCase(r, &t) })
	return t, err
}

// BlockingTasks returns the tasks of an application, by ID, that stop its submission: not in the trash, with a status
// that blocks (lifecycle.md G7).
func (tx *Tx) BlockingTasks(application int64) (list []admitto.Task, err error) {
	err = each(tx.query("SELECT "+taskColumns+` FROM task t JOIN task_template p ON p.id = t.template_id
		JOIN task_template_status s ON s.template_id = t.template_id AND s.name = t.status
		WHERE t.application_id = $1 AND t.trashed IS NULL AND s.blocks ORDER BY t.id`, application),
		func(r *db.Rows) {
			var t admitto.Task
			scanTask(r, &t)
			list = append(list, t)
		})
	return list, err
}

// templateColumns are read by scanTemplate.
var templateColumns = columns.TaskTemplate.Select("")

func scanTemplate(r *db.Rows) admitto.TaskTemplate { return scanned(columns.TaskTemplate, r) }

// TaskTemplate reads a template with its statuses, courses and offer types, or answers NotFound.
func (tx *Tx) TaskTemplate(id int64) (t admitto.TaskTemplate, err error) {
	list, err := tx.taskTemplates("id = $1", id)
	if err == nil && len(list) == 0 {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return t, err
	}
	return list[0], nil
}

// TaskTemplatesFor returns the active templates that a cause (created, submitted, confirmed) triggers, by ID.
func (tx *Tx) TaskTemplatesFor(cause string) ([]admitto.TaskTemplate, error) {
	return tx.taskTemplates("causing = $1 AND active", cause)
}

func (tx *Tx) taskTemplates(where string, arg any) (list []admitto.TaskTemplate, err error) {
	err = each(tx.query("SELECT "+templateColumns+" FROM task_template WHERE "+where+" ORDER BY id", arg),
		func(r *db.Rows) {
			list = append(list, scanTemplate(r))
		})
	for i := range list {
		t := &list[i]
		if t.Courses, err = tx.ids("SELECT course_id FROM task_template_course WHERE template_id = $1 ORDER BY course_id",
			t.ID); err != nil {
			return nil, err
		}
		if t.OfferTypes, err = tx.ids("SELECT offer_type_id FROM task_template_offer_type WHERE template_id = $1 ORDER BY offer_type_id", t.ID); err != nil {
			return nil, err
		}
		if t.Statuses, err = tx.taskStatuses(t.ID); err != nil {
			return nil, err
		}
	}
	return list, err
}

// statusColumns are read by scanStatus; statusWidth is how many there are.
const (
	statusColumns = `s.name, s.title, s.description, s.public, s.is_default, s.blocks, s.resolves, s.closes, s.requires_document, s.remind_days,
	s.remind_max_days, s.tells`
	statusWidth = 12
)

func scanStatus(r *db.Rows) admitto.TaskStatus {
	return admitto.TaskStatus{Name: r.Text(0), Title: r.Text(1), Description: r.Text(2), Public: r.Bool(3),
		Default: r.Bool(4),
		Blocks:  r.Bool(5), Resolves: r.Bool(6), Closes: r.Bool(7), RequiresDocument: r.Bool(8), RemindDays: int(r.Int64(9)),
		RemindMaxDays: int(r.Int64(10)), Tells: r.Bool(11)}
}

func (tx *Tx) taskStatuses(template int64) (list []admitto.TaskStatus, err error) {
	err = each(tx.query("SELECT "+statusColumns+
		" FROM task_template_status s WHERE s.template_id = $1 ORDER BY s.position, s.name",
		template), func(r *db.Rows) { list = append(list, scanStatus(r)) })
	return list, err
}

// ids runs a query for one column of IDs.
func (tx *Tx) ids(sql string, args ...any) (list []int64, err error) {
	err = each(tx.query(sql, args...), func(r *db.Rows) { list = append(list, r.Int64(0)) })
	return list, err
}

// HasOwnTaskStatus reports whether a status was added to this task only.
func (tx *Tx) HasOwnTaskStatus(task int64, name string) (bool, error) {
	n, err := tx.number("SELECT count(*) FROM task_status WHERE task_id = $1 AND name = $2", task, name)
	return n > 0, err
}

// AddTaskStatus adds a status to this task only; doing it again changes nothing.
func (tx *Tx) AddTaskStatus(task int64, name string) error {
	_, err := tx.exec("INSERT INTO task_status (task_id, name) VALUES ($1, $2) ON CONFLICT (task_id, name) DO NOTHING",
		task, name)
	return err
}

// InsertTask stores a new task and returns its ID.
func (tx *Tx) InsertTask(t *admitto.TaskCase) (int64, error) {
	id, err := tx.insert(columns.TaskCase.Insert()+" RETURNING id", columns.TaskCase.New(t)...)
	if err == nil {
		tx.newTask(id)
	}
	return id, err
}

// SaveTask stores status, notes and the times of a task, and raises its row version.
func (tx *Tx) SaveTask(t *admitto.TaskCase) error {
	if err := tx.tasksChange(t.ID); err != nil {
		return err
	}
	_, err := tx.exec(`UPDATE task SET status = $2, committed = $3, resolved = $4, closed = $5, notes_applicant = $6, trashed = $7,
		notes_administrator = $8, notes_shared = $9, row_version = row_version + 1 WHERE id = $1`,
		t.ID, t.Status, t.Committed, t.Resolved, t.Closed, t.NotesApplicant, t.Trashed, t.NotesAdministrator, t.Shared)
	return err
}

// DeleteTask removes a task for good; its documents stay with the application.
func (tx *Tx) DeleteTask(id int64) error {
	if err := tx.tasksChange(id); err != nil {
		return err
	}
	_, err := tx.exec("DELETE FROM task WHERE id = $1", id)
	return err
}

// CountTaskDocuments tells how many documents are attached to a task, without those in the trash.
func (tx *Tx) CountTaskDocuments(task int64) (int64, error) {
	return tx.number("SELECT count(*) FROM document WHERE task_id = $1 AND trashed IS NULL", task)
}
