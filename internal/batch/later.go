package batch

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// laterActions are those that give applicants something: more time, a task, a matriculation number.
func laterActions() []action {
	return []action{
		{name: "extend", title: message.Of("batch-extend"), sources: ofApplications, reaches: true,
			fields: []string{"intake", "until", "reason", "tell", "told"},
			needs:  []admitto.Permission{admitto.ApplicationsEdit}, check: extensionThere, change: changeDeadline,
			apply: extendDeadline, undo: undoDeadline},
		{name: "task", title: message.Of("batch-task"), sources: ofApplications, reaches: true, byMail: true,
			fields: []string{"task"},
			needs:  []admitto.Permission{admitto.TasksEdit}, check: taskThere, change: changeTask, apply: createTask,
			undo: undoTask},
		{name: "matriculate", title: message.Of("batch-matriculate"), sources: ofApplications, reaches: true,
			unnoticed: true,
			fields:    []string{"course"}, needs: []admitto.Permission{admitto.MatriculationEdit, admitto.OffersView},
			check: matriculationThere, change: changeNumber, apply: matriculate, undo: undoNumber},
	}
}

// extensionThere wants an intake, a day that is not over, and a reason.
func extensionThere(w *work) error {
	refusal := &admitto.Error{Kind: admitto.InvalidParameter}
	fail := func(path admitto.Path, text message.Text) {
		refusal.Faults = append(refusal.Faults, admitto.Fault{Path: path, Text: text})
	}
	if _, err := w.tx.Intake(w.params.Intake); admitto.KindOf(err) == admitto.NotFound {
		fail("batch.intake", message.Of("batch-no-intake"))
	} else if err != nil {
		return err
	}
	if w.params.Until.IsZero() || w.until() <= w.tx.Now() {
		fail("batch.until", message.Of("time-passed"))
	}
	if strings.TrimSpace(w.params.Reason) == "" {
		fail("batch.reason", message.Of("reason-required"))
	}
	if len(refusal.Faults) > 0 {
		return refusal
	}
	return nil
}

// until is the end of the day that a batch says.
func (w *work) until() admitto.Time {
	return w.params.Until.End(w.s.core.Settings().Instance.Timezone)
}

// extension is how the list writes a later deadline; "" for none.
func extension(until admitto.Time) string {
	if until == 0 {
		return ""
	}
	return strconv.FormatInt(int64(until), 10)
}

func changeDeadline(w *work, id int64) (admitto.BatchRecord, error) {
	c, a, err := application(w, id)
	if err != nil {
		return c, err
	}
	if _, err := admitto.ApplicationStep(admitto.ExtendDeadline, a.Status, admitto.ByAdministrator); err != nil {
		return c, err
	}
	courses, err := w.tx.CoursesOfApplications([]int64{id})
	if err != nil {
		return c, err
	}
	has := false
	for _, k := range courses[id] {
		has = has || k.Intake == w.params.Intake
	}
	if !has {
		return c, left(message.Of("no-course-in-intake", w.params.Intake))
	}
	applicant, err := w.tx.Applicant(c.Applicant)
	if err != nil {
		return c, err
	}
	if why, err := w.admissions.MayExtendTo(w.tx, &applicant, w.params.Intake, w.until()); err != nil {
		return c, err
	} else if !why.IsZero() {
		return c, left(why)
	}
	was, err := w.tx.DeadlineExtensions(id)
	if err != nil {
		return c, err
	}
	c.Was, c.Becomes = extension(was[w.params.Intake]), extension(w.until())
	if c.Was == c.Becomes {
		return c, unchanged()
	}
	if w.params.Tell {
		err = tells(&c)(w.admissions.ExtensionMail(w.tx, w.ahead(id), w.extension()))
	}
	return c, err
}

// extension is what a batch gives each application.
func (w *work) extension() admissions.Extension {
	return admissions.Extension{Intake: w.params.Intake, Until: w.until(), Reason: w.params.Reason, Tell: w.params.Tell,
		Text: w.params.Text}
}

func extendDeadline(w *work, c *admitto.BatchRecord) error {
	return w.admissions.ExtendDeadline(w, w.by, c.Record, w.extension())
}

// undoDeadline puts back the deadline that the application had, if nobody has extended it again.
func undoDeadline(w *work, c *admitto.BatchRecord) error {
	now, err := w.tx.DeadlineExtensions(c.Record)
	if err != nil {
		return err
	}
	if extension(now[w.params.Intake]) != c.Becomes {
		return changedSince()
	}
	if w.preview {
		return nil
	}
	var was int64
	if c.Was != "" {
		if was, err = strconv.ParseInt(c.Was, 10, 64); err != nil {
			return err
		}
	}
	return w.admissions.PutBackDeadline(w, w.by, c.Record, w.params.Intake, admitto.Time(was),
		message.Of("batch-undo-reason", w.batch).String())
}

func taskThere(w *work) error {
	p, err := w.tx.TaskTemplate(w.params.Task)
	if admitto.KindOf(err) == admitto.NotFound || err == nil && !p.Active {
		return admitto.Refuse(admitto.InvalidParameter, "batch.task", "", message.Of("batch-no-template"))
	}
	return err
}

// changeTask leaves out applications that have an open task of the template.
func changeTask(w *work, id int64) (admitto.BatchRecord, error) {
	c, a, err := application(w, id)
	if err != nil {
		return c, err
	}
	if a.Status == admitto.Withdrawn || a.Status == admitto.Closed {
		return c, left(message.Of("event-not-allowed", a.Status, admitto.TaskCreate))
	}
	p, err := w.tx.TaskTemplate(w.params.Task)
	if err != nil {
		return c, err
	}
	tasks, err := w.tx.TaskCasesOf(id)
	if err != nil {
		return c, err
	}
	for i := range tasks {
		if tasks[i].Template == w.params.Task && tasks[i].Resolved == 0 && tasks[i].Trashed == 0 {
			return c, left(message.Of("batch-has-task"))
		}
	}
	if p.Mails {
		err = tells(&c)(w.admissions.NewTaskMail(w.tx, w.ahead(id), &p))
	}
	c.Was, c.Becomes = notSet, set
	return c, err
}

func createTask(w *work, c *admitto.BatchRecord) error {
	_, err := w.admissions.CreateTask(w, w.by, c.Record, w.params.Task, 0)
	return err
}

// undoTask deletes the task that the batch made, if nobody has worked on it.
func undoTask(w *work, c *admitto.BatchRecord) error {
	tasks, err := w.tx.TaskCasesOf(c.Record)
	if err != nil {
		return err
	}
	for i := range tasks {
		t := &tasks[i]
		if t.Template == w.params.Task && t.Created >= w.prepared && t.Committed == 0 && t.Resolved == 0 && t.Trashed == 0 {
			if w.preview {
				return nil
			}
			return w.admissions.DeleteTask(w, w.by, c.Record, t.ID)
		}
	}
	return changedSince()
}

func matriculationThere(w *work) error {
	if err := offersThere(w); err != nil {
		return err
	}
	if w.s.core.Settings().Matriculation.Format == "" {
		return admitto.Refuse(admitto.InvalidParameter, "batch.course", "", message.Of("matriculation-format-missing"))
	}
	return nil
}

// changeNumber leaves out who has a number, and whose offer is not accepted.
func changeNumber(w *work, id int64) (admitto.BatchRecord, error) {
	c, _, err := application(w, id)
	if err != nil {
		return c, err
	}
	o, err := w.offer(id)
	if err != nil {
		return c, err
	}
	now, err := w.admissions.MatriculationNow(w, w.by, id, o.ID)
	if err != nil {
		return c, err
	}
	if len(now.Faults) > 0 {
		return c, left(now.Faults[0].Text)
	}
	if now.Old != "" {
		return c, unchanged()
	}
	c.Was, c.Becomes = notSet, set
	return c, nil
}

func matriculate(w *work, c *admitto.BatchRecord) error {
	id, err := w.offerID(c)
	if err != nil {
		return err
	}
	number, err := w.admissions.Matriculate(w, w.by, c.Record, id, admissions.Matriculation{})
	if err == nil {
		c.Becomes = number
	}
	return err
}

// undoNumber takes the number away that the batch gave, if it is still the one. It is not given to anybody else.
func undoNumber(w *work, c *admitto.BatchRecord) error {
	by, err := w.tx.BatchOfMatriculation(c.Applicant)
	if err != nil {
		return err
	}
	if by != w.batch {
		return changedSince()
	}
	if w.preview {
		return nil
	}
	return w.admissions.SetMatriculation(w, w.by, c.Applicant, "")
}
