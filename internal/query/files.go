package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Photo reads what is known of an applicant's photo; not-found without the applicant or a photo.
func (s *Service) Photo(ctx context.Context, by admitto.Caller, applicant int64) (f admitto.File, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return f, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		f, err = tx.Photo(applicant)
		return err
	})
	return f, err
}

// DocumentsOfApplicant lists the documents of an applicant over all applications, by ID (resources.md 10); their
// owners are the applications. Not-found without the applicant.
func (s *Service) DocumentsOfApplicant(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.File,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		all, err := tx.DocumentsOfApplicants([]int64{applicant})
		list = all[applicant]
		return err
	})
	return list, err
}

// DocumentOfApplicant reads one document of an applicant; not-found as well when it is somebody else's.
func (s *Service) DocumentOfApplicant(ctx context.Context, by admitto.Caller, applicant, id int64) (f admitto.File,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return f, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		f, err = tx.DocumentOfApplicant(applicant, id)
		return err
	})
	return f, err
}

// Documents lists the documents of an application by ID (resources.md 10); not-found without the application.
func (s *Service) Documents(ctx context.Context, by admitto.Caller, application int64) (list []admitto.File,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		all, err := tx.DocumentsOf([]int64{application})
		list = all[application]
		return err
	})
	return list, err
}

// Document reads one document of an application; not-found as well when it is one of another application.
func (s *Service) Document(ctx context.Context, by admitto.Caller, application, id int64) (f admitto.File, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return f, err
	}
	err = s.core.BelowApplication(ctx, by, application, func(tx *store.Tx) error {
		f, err = tx.Document(application, id)
		return err
	})
	return f, err
}
