package batch

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// ofTasks is what the actions are for whose records are tasks.
var ofTasks = []admitto.BatchSource{admitto.OfTasks}

// taskActions are those with tasks.
func taskActions() []action {
	return []action{{name: "task-status", title: message.Of("batch-task-status"), sources: ofTasks, reaches: true,
		byMail: true,
		fields: []string{"status"}, needs: []admitto.Permission{admitto.TasksEdit}, check: statusThere,
		change: changeTaskStatus,
		apply:  setTaskStatus, undo: undoTaskStatus}}
}

// statusThere wants a status; whether a task may have it is asked for each.
func statusThere(w *work) error {
	if strings.TrimSpace(w.params.Status) == "" {
		return admitto.Refuse(admitto.InvalidParameter, "batch.status", "", message.Of("batch-no-task-status"))
	}
	return nil
}

// handled is how the list writes what a task was: its status, and when it was handed in and resolved.
func handled(t *admitto.TaskCase) string {
	return fmt.Sprintf("%s\n%d\n%d", t.Status, int64(t.Committed), int64(t.Resolved))
}

// changeTaskStatus leaves out tasks that cannot have the status, and those that have it.
func changeTaskStatus(w *work, id int64) (c admitto.BatchRecord, err error) {
	t, err := w.tx.ListedTask(id)
	if err != nil {
		return c, err
	}
	c = admitto.BatchRecord{Record: id, Applicant: t.Applicant, Version: t.RowVersion}
	p, err := w.tx.TaskTemplate(t.Template)
	if err != nil {
		return c, err
	}
	status, known := p.Status(w.params.Status)
	if !known {
		if known, err = w.tx.HasOwnTaskStatus(id, w.params.Status); err != nil {
			return c, err
		}
	}
	switch {
	case !known:
		return c, left(message.Of("batch-task-without-status"))
	case t.Status == w.params.Status:
		return c, unchanged()
	}
	if status.Tells {
		err = tells(&c)(w.admissions.TaskStatusMail(w.tx, w.ahead(t.Application), &t.TaskCase, w.params.Status))
	}
	c.Was, c.Becomes = handled(&t.TaskCase), w.params.Status
	return c, err
}

func setTaskStatus(w *work, c *admitto.BatchRecord) error {
	t, err := w.tx.ListedTask(c.Record)
	if err != nil {
		return err
	}
	return w.admissions.HandleTask(w, w.by, t.Application, t.ID,
		admissions.TaskHandling{Status: w.params.Status, OnlyStatus: true})
}

// undoTaskStatus puts back what the task was, if nobody has changed its status since.
func undoTaskStatus(w *work, c *admitto.BatchRecord) error {
	t, err := w.tx.ListedTask(c.Record)
	if err != nil {
		return err
	}
	if t.Status != c.Becomes || t.RowVersion != c.Version+1 {
		return changedSince()
	}
	was := strings.Split(c.Was, "\n")
	if len(was) != 3 {
		return changedSince()
	}
	committed, err := strconv.ParseInt(was[1], 10, 64)
	if err != nil {
		return err
	}
	resolved, err := strconv.ParseInt(was[2], 10, 64)
	if err != nil || w.preview {
		return err
	}
	return w.admissions.PutBackTask(w, w.by, t.Application, t.ID,
		admissions.TaskBefore{Status: was[0], Committed: admitto.Time(committed),
			Resolved: admitto.Time(resolved)})
}
