package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// TaskTemplates lists all task templates by title, without statuses, courses and offer types.
func (s *Service) TaskTemplates(ctx context.Context, by admitto.Caller) ([]admitto.TaskTemplate, error) {
	if err := by.Needs(admitto.TaskClassesEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).TaskTemplates)
}

// TaskTemplate reads a task template with all it has, or answers NotFound.
func (s *Service) TaskTemplate(ctx context.Context, by admitto.Caller, id int64) (t admitto.TaskTemplate, err error) {
	if err := by.Needs(admitto.TaskClassesEdit); err != nil {
		return t, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.TaskTemplate, error) { return tx.TaskTemplate(id) })
}

// TaskTemplateUse is how many tasks each template has made; templates without are not in it.
func (s *Service) TaskTemplateUse(ctx context.Context, by admitto.Caller) (map[int64]int64, error) {
	if err := by.Needs(admitto.TaskClassesEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).TemplateUse)
}
