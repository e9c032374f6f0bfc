package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// otherStatus stands in the journal for the name of a status that is not one of the template: what people typed does
// not go there (lifecycle.md 10.1).
const otherStatus = "other"

// changeTask runs a change of one task of an application in a write transaction: the task is found, the table of
// events asked, then the caller's condition and the row version of the caller's screen.
func (s *Service) changeTask(ctx context.Context, by usecase.Caller, application, id int64, event admitto.TaskEvent,
	change func(*store.Tx, *usecase.LockedApplication, *admitto.TaskCase) error) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, application)
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
func (s *Service) SetTaskStatus(ctx context.Context, by usecase.Caller, application, id int64, name string) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return s.changeTask(ctx, by, application, id, admitto.TaskSetStatus,
		func(tx *store.Tx, d *usecase.LockedApplication, t *admitto.TaskCase) error {
			was := *t
			status, known, err := setStatus(tx, by, t, name)
			if err != nil || t.Status == was.Status {
				return err
			}
			t.Committed = tx.Now()
			applyStatus(tx, t, t.Status, status)
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
	return &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{{Path: "task.status",
		Code: "status-unknown",
		Text: message.Of("status-unknown")}}}
}

// applyStatus sets the status of a task and what its switches bring. A status without switches, which only this task
// has, is the zero one.
func applyStatus(tx *store.Tx, t *admitto.TaskCase, name string, status admitto.TaskStatus) {
	t.Status, t.Closed, t.Resolved = name, status.Closes, 0
	if status.Resolves {
		t.Resolved = tx.Now()
	}
}

// recordStatus records that a task has another status, and that it is resolved now. known tells that the status is
// one of the template.
func recordStatus(tx *store.Tx, d *usecase.LockedApplication, was, is *admitto.TaskCase, known bool) {
	bind := is.Status
	if !known {
		bind = otherStatus
	}
	tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskStatusSet, Bind: []string{bind}, Links: d.TaskLinks(is.ID),
		Details: []admitto.Detail{{Path: "status", Old: was.Status, New: is.Status}}})
	if is.Resolved != 0 && was.Resolved == 0 {
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskResolved, Links: d.TaskLinks(is.ID)})
	}
}

// TaskBefore is what a task was before its status was set.
type TaskBefore struct {
	Status              string
	Committed, Resolved admitto.Time
}

// PutBackTask gives a task the status that it had, with the times of then, and tells nobody (lifecycle.md 11.3).
// Errors: not-found; invalid-parameter for a status that the task can no longer have.
func (s *Service) PutBackTask(ctx context.Context, by usecase.Caller, application, id int64, before TaskBefore) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return s.changeTask(ctx, by, application, id, admitto.TaskSetStatus,
		func(tx *store.Tx, d *usecase.LockedApplication, t *admitto.TaskCase) error {
			was := *t
			status, known, err := setStatus(tx, by, t, before.Status)
			if err != nil || t.Status == was.Status {
				return err
			}
			applyStatus(tx, t, t.Status, status)
			t.Committed, t.Resolved = before.Committed, before.Resolved
			if err := tx.SaveTask(t); err != nil {
				return err
			}
			recordStatus(tx, d, &was, t, known)
			return nil
		})
}

// TrashTask puts a task in the trash, where only staff see it and it blocks nothing (lifecycle.md K4). Doing it again
// changes nothing. Errors: not-found.
func (s *Service) TrashTask(ctx context.Context, by usecase.Caller, application, id int64) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return s.changeTask(ctx, by, application, id, admitto.TaskTrash, func(tx *store.Tx, d *usecase.LockedApplication,
		t *admitto.TaskCase) error {
		if t.Trashed != 0 {
			return nil
		}
		t.Trashed = tx.Now()
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskTrashed, Links: d.TaskLinks(t.ID)})
		return tx.SaveTask(t)
	})
}

// RestoreTask takes a task out of the trash (lifecycle.md K4). Doing it again changes nothing. Errors: not-found.
func (s *Service) RestoreTask(ctx context.Context, by usecase.Caller, application, id int64) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return s.changeTask(ctx, by, application, id, admitto.TaskRestore,
		func(tx *store.Tx, d *usecase.LockedApplication, t *admitto.TaskCase) error {
			if t.Trashed == 0 {
				return nil
			}
			t.Trashed = 0
			tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskRestored, Links: d.TaskLinks(t.ID)})
			return tx.SaveTask(t)
		})
}

// DeleteTask removes a task for good, one in the trash as well (lifecycle.md K5; resources.md 24.5). Its documents stay
// with the application, and the automatic scores are computed again. Errors: not-found.
func (s *Service) DeleteTask(ctx context.Context, by usecase.Caller, application, id int64) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return s.changeTask(ctx, by, application, id, admitto.TaskDelete, func(tx *store.Tx, d *usecase.LockedApplication,
		t *admitto.TaskCase) error {
		if err := tx.DeleteTask(t.ID); err != nil {
			return err
		}
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskDeleted, Links: d.TaskLinks(t.ID)})
		return s.scoring.RecalculateScores(tx, d.Actor, application)
	})
}

// TaskToDelete answers not-found without the application or the task; one in the trash can be deleted too.
func (s *Service) TaskToDelete(ctx context.Context, by admitto.Caller, application, id int64) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		_, err := tx.TaskCase(application, id)
		return err
	})
}
