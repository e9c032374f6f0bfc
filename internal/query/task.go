package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Tasks lists the tasks of an application by ID (resources.md 8), without those in the trash; not-found without
// the application.
func (s *Service) Tasks(ctx context.Context, by admitto.Caller, application int64) (list []admitto.Task, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		all, err := tx.TasksOf([]int64{application})
		list = all[application]
		return err
	})
	return list, err
}

// Task reads one task of an application; not-found as well when it is in the trash or one of another
// application.
func (s *Service) Task(ctx context.Context, by admitto.Caller, application, id int64) (t admitto.Task, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return t, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		t, err = tx.Task(application, id)
		return err
	})
	return t, err
}

// TaskDocuments lists the documents that are attached to a task, by ID (resources.md 24.6); not-found without
// the application or the task.
func (s *Service) TaskDocuments(ctx context.Context, by admitto.Caller, application, task int64) (list []admitto.File,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		if _, err := tx.Task(application, task); err != nil {
			return err
		}
		list, err = tx.DocumentsOfTask(task)
		return err
	})
	return list, err
}

// TaskDocument reads one document of a task; not-found as well when it is not attached to it.
func (s *Service) TaskDocument(ctx context.Context, by admitto.Caller, application, task, id int64) (admitto.File,
	error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return admitto.File{}, err
	}
	list, err := s.TaskDocuments(ctx, by, application, task)
	if err != nil {
		return admitto.File{}, err
	}
	for _, f := range list {
		if f.ID == id {
			return f, nil
		}
	}
	return admitto.File{}, &admitto.Error{Kind: admitto.NotFound}
}

// TaskClass is the class of a task template with its statuses.
type TaskClass = store.TaskClass

// TaskClasses lists the classes of all task templates with their statuses, by the ID of the template.
func (s *Service) TaskClasses(ctx context.Context, by admitto.Caller) (list []TaskClass, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).TaskClasses)
}
