package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// otherStatus stands in the journal for the name of a status that is not one of the template: what people typed does
// not go there (lifecycle.md 10.1).
const otherStatus = "other"

// changeTask runs a change of one task of an application in a write transaction: the task is found, the table of
// events asked, then the caller's condition and the row version of the caller's screen.
func (o *Office) changeTask(ctx context.Context, by Caller, application, id int64, event admitto.TaskEvent,
	change func(*store.Tx, *dossier, *admitto.TaskCase) error) error {
	return o.write(ctx, func(tx *store.Tx) error {
		d, err := lockApplication(tx, by, application)
		if err != nil {
			return err
		}
		t, err := tx.TaskCase(application, id)
		if err != nil {
			return err
		}
		refused := admitto.TaskStep(event, t.State(), by.Actor.Kind)
		if admitto.KindOf(refused) == admitto.NotFound {
			return refused
		}
		if err := by.Sees(t.RowVersion); err != nil {
			return err
		}
		if refused != nil {
			return refused
		}
		return change(tx, d, &t)
	})
}

// SetTaskStatus sets the status of a task (lifecycle.md K3). Staff choose one of the template or of this task; the API
// may name any: one of the template without letter case, and one that nobody knows is added to this task only. Errors:
// not-found; invalid-body for a status that staff cannot choose.
func (o *Office) SetTaskStatus(ctx context.Context, by Caller, application, id int64, name string) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return o.changeTask(ctx, by, application, id, admitto.TaskSetStatus, func(tx *store.Tx, d *dossier, t *admitto.TaskCase) error {
		template, err := tx.TaskTemplate(t.Template)
		if err != nil {
			return err
		}
		status, known := template.StatusLike(name)
		if known {
			name = status.Name // as the template spells it
		}
		if t.Status == name {
			return nil
		}
		if !known {
			if by.Actor.Kind == admitto.ByAdministrator {
				if own, err := tx.HasOwnTaskStatus(id, name); err != nil || !own {
					return unknownStatus(err)
				}
			}
			if err := tx.AddTaskStatus(id, name); err != nil {
				return err
			}
		}
		was := *t
		t.Committed = tx.Now()
		applyStatus(tx, t, name, status)
		if err := tx.SaveTask(t); err != nil {
			return err
		}
		recordStatus(tx, d, &was, t, known)
		return nil
	})
}

func unknownStatus(err error) error {
	if err != nil {
		return err
	}
	return &admitto.Error{Kind: admitto.InvalidBody, Faults: []admitto.Fault{{HasPointer: true, Code: "status-unknown",
		Text: message.Of("status-unknown")}}}
}

// applyStatus returns a task a status and what its switches bring. A status without switches, which only this task has,
// is the zero one.
func applyStatus(tx *store.Tx, t *admitto.TaskCase, name string, status admitto.TaskStatus) {
	t.Status, t.Closed, t.Resolved = name, status.Closes, 0
	if status.Resolves {
		t.Resolved = tx.Now()
	}
}

// recordStatus records that a task has another status, and that it is resolved now. known tells that the status is
// one of the template.
func recordStatus(tx *store.Tx, d *dossier, was, is *admitto.TaskCase, known bool) {
	bind := is.Status
	if !known {
		bind = otherStatus
	}
	tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskStatusSet, Bind: []string{bind}, Links: d.links(),
		Details: []admitto.Detail{{Path: "status", Old: was.Status, New: is.Status}}})
	if is.Resolved != 0 && was.Resolved == 0 {
		d.record(tx, admitto.TaskResolved)
	}
}
