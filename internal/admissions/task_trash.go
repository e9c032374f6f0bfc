package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// TrashTask puts a task in the trash, where only staff see it and it blocks nothing (lifecycle.md K4). Doing it again
// changes nothing. Errors: not-found.
func (o *Office) TrashTask(ctx context.Context, by Caller, application, id int64) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return o.changeTask(ctx, by, application, id, admitto.TaskTrash, func(tx *store.Tx, d *dossier, t *admitto.TaskCase) error {
		if t.Trashed != 0 {
			return nil
		}
		t.Trashed = tx.Now()
		d.record(tx, admitto.TaskTrashed)
		return tx.SaveTask(t)
	})
}

// RestoreTask takes a task out of the trash (lifecycle.md K4). Doing it again changes nothing. Errors: not-found.
func (o *Office) RestoreTask(ctx context.Context, by Caller, application, id int64) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return o.changeTask(ctx, by, application, id, admitto.TaskRestore, func(tx *store.Tx, d *dossier, t *admitto.TaskCase) error {
		if t.Trashed == 0 {
			return nil
		}
		t.Trashed = 0
		d.record(tx, admitto.TaskRestored)
		return tx.SaveTask(t)
	})
}

// DeleteTask removes a task for good, one in the trash as well (lifecycle.md K5; resources.md 24.5). Its documents stay
// with the application, and the automatic scores are computed again. Errors: not-found.
func (o *Office) DeleteTask(ctx context.Context, by Caller, application, id int64) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return o.changeTask(ctx, by, application, id, admitto.TaskDelete, func(tx *store.Tx, d *dossier, t *admitto.TaskCase) error {
		if err := tx.DeleteTask(t.ID); err != nil {
			return err
		}
		d.record(tx, admitto.TaskDeleted)
		return o.recalculateScores(tx, d.Actor, application)
	})
}

// TaskToDelete answers not-found without the application or the task; one in the trash can be deleted too.
func (o *Office) TaskToDelete(ctx context.Context, by admitto.Caller, application, id int64) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	return o.belowApplication(ctx, by, application, func(tx *store.Tx) error {
		_, err := tx.TaskCase(application, id)
		return err
	})
}
