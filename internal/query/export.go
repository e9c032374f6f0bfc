package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Exports lists the exports of an application by ID (resources.md 9); not-found without the application.
func (s *Service) Exports(ctx context.Context, by admitto.Caller, application int64) (list []admitto.Export,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		list, err = tx.ExportsOf(application)
		return err
	})
	return list, err
}

// Export reads one export of an application; not-found as well when it is one of another application.
func (s *Service) Export(ctx context.Context, by admitto.Caller, application, id int64) (e admitto.Export, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return e, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		e, err = tx.Export(application, id)
		return err
	})
	return e, err
}

// Blobs lists the files of an export in their order, none before it was processed, and none that has expired
// (resources.md 9); not-found without the application or the export.
func (s *Service) Blobs(ctx context.Context, by admitto.Caller, application, export int64) (list []admitto.Blob,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		e, err := tx.Export(application, export)
		if err != nil || e.Processed == 0 {
			return err
		}
		list, err = tx.BlobsOf(export, tx.Now())
		return err
	})
	return list, err
}

// Blob reads what is known of the file of an export that has the key; not-found as well once it has expired.
func (s *Service) Blob(ctx context.Context, by admitto.Caller, application, export int64, key string) (admitto.Blob,
	error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return admitto.Blob{}, err
	}
	list, err := s.Blobs(ctx, by, application, export)
	return usecase.Found(list, err, func(b *admitto.Blob) bool { return b.Key() == key })
}
