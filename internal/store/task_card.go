package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// TaskCasesOf returns the tasks of an application, by ID, those in the trash included.
func (tx *Tx) TaskCasesOf(application int64) (list []admitto.TaskCase, err error) {
	err = each(tx.query("SELECT "+taskCaseColumns+` FROM task t JOIN task_template p ON p.id = t.template_id
		WHERE t.application_id = $1 ORDER BY t.id`, application), func(r *db.Rows) {
		var t admitto.TaskCase
		scanTaskCase(r, &t)
		list = append(list, t)
	})
	return list, err
}

// TaskTemplatesByID reads templates with their statuses, without courses and offer types; nil stands for the active
// ones.
func (tx *Tx) TaskTemplatesByID(ids []int64) (map[int64]*admitto.TaskTemplate, error) {
	templates := map[int64]*admitto.TaskTemplate{}
	where, args := "active", []any(nil)
	if ids != nil {
		where, args = tx.among("id", ids)
	}
	err := each(tx.query("SELECT "+templateColumns+" FROM task_template WHERE "+where, args...), func(r *db.Rows) {
		t := scanTemplate(r)
		templates[t.ID] = &t
	})
	if err != nil {
		return nil, err
	}
	err = each(tx.query("SELECT "+statusColumns+`, s.template_id FROM task_template_status s JOIN task_template p ON p.id = s.template_id
		WHERE p.id IN (SELECT id FROM task_template WHERE `+where+") ORDER BY s.template_id, s.position, s.name", args...),
		func(r *db.Rows) {
			t := templates[r.Int64(statusWidth)]
			t.Statuses = append(t.Statuses, scanStatus(r))
		})
	return templates, err
}

// OwnTaskStatuses returns the statuses that only one task each of an application has, by the ID of the task.
func (tx *Tx) OwnTaskStatuses(application int64) (map[int64][]string, error) {
	names := map[int64][]string{}
	err := each(tx.query(`SELECT s.task_id, s.name FROM task t JOIN task_status s ON s.task_id = t.id WHERE t.application_id = $1
		ORDER BY s.task_id, s.name`, application), func(r *db.Rows) {
		names[r.Int64(0)] = append(names[r.Int64(0)], r.Text(1))
	})
	return names, err
}

// CardDocument is a document with the task that it belongs to, 0 for none.
type CardDocument struct {
	admitto.File
	Task   int64
	Unread bool // no staff have opened it yet
}

// CardDocuments returns the documents of an application, by ID.
func (tx *Tx) CardDocuments(application int64) (list []CardDocument, err error) {
	err = each(tx.query("SELECT "+documentColumns+
		", coalesce(d.task_id, 0), d.unread FROM document d WHERE d.application_id = $1 "+
		"AND d.trashed IS NULL ORDER BY d.id", application), func(r *db.Rows) {
		own := columns.Document.Width()
		list = append(list, CardDocument{scanned(columns.Document, r), r.Int64(own), r.Bool(own + 1)})
	})
	return list, err
}

// awaited is the condition that task t of application a waits for the applicant (lifecycle.md K2), who has not handed
// it in; $2 is today, $3 the time.
const awaited = `t.resolved IS NULL AND NOT t.closed AND a.status NOT IN ('Closed', 'Withdrawn') AND NOT EXISTS (
	SELECT 1 FROM task_template_status s WHERE s.template_id = t.template_id AND s.name = t.status AND s.public
	AND NOT s.is_default) AND` + notExpired

// OpenTasks counts the tasks that an applicant has to do.
func (tx *Tx) OpenTasks(applicant int64, today admitto.Date) (int64, error) {
	return tx.number(`SELECT count(*) FROM application a JOIN task t ON t.application_id = a.id WHERE a.applicant_id = $1
		AND a.visible AND t.trashed IS NULL AND `+awaited, applicant, today, tx.Now())
}

// OwnTask is a task as the list of its applicant has it.
type OwnTask struct {
	admitto.TaskCase
	Term int64 // of its application
	Open bool  // it waits for the applicant
	Over bool  // its application is: nothing is done about it any more
}

// TasksOfApplicant returns a page of the tasks of an applicant, those to do first, then by their day, and how many
// there are in all. The trash is left out.
func (tx *Tx) TasksOfApplicant(applicant int64, today admitto.Date, limit, offset int) (list []OwnTask, total int64,
	err error) {
	const from = ` FROM application a JOIN task t ON t.application_id = a.id JOIN task_template p ON p.id = t.template_id
		WHERE a.applicant_id = $1 AND a.visible AND t.trashed IS NULL`
	if total, err = tx.number("SELECT count(*)"+from, applicant); err != nil || total == 0 {
		return nil, 0, err
	}
	err = each(tx.query("SELECT "+taskCaseColumns+", a.academic_term_id, "+
		"CASE WHEN "+awaited+" THEN 1 ELSE 0 END AS waits, "+
		"CASE WHEN a.status NOT IN ('Closed', 'Withdrawn') AND"+notExpired+" THEN 0 ELSE 1 END"+from+
		" ORDER BY waits DESC, "+dueColumn+", t.id DESC LIMIT $4 OFFSET $5",
		applicant, today, tx.Now(), limit, offset), func(r *db.Rows) {
		var t OwnTask
		scanTaskCase(r, &t.TaskCase)
		own := columns.TaskCase.Width() + 2
		t.Term, t.Open, t.Over = r.Int64(own), r.Int64(own+1) == 1, r.Int64(own+2) == 1
		list = append(list, t)
	})
	return list, total, err
}
