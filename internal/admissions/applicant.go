package admissions

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/usecase"
)

// SetReference stores an applicant's reference code, "" clears it. The value has the form of the setting.
// Errors: not-found; reference-in-use by another applicant. Writing what is there already changes nothing.
func (s *Service) SetReference(ctx context.Context, by usecase.Caller, id int64, value string) error {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return err
	}
	return s.setCode(ctx, by, id, value, codeField{"reference", (*store.Tx).SetReference,
		func(a *admitto.Applicant) string { return a.Reference }, admitto.ApplicantReferenceSet,
		admitto.ApplicantReferenceCleared})
}

// SetMatriculation stores an applicant's matriculation number, "" clears it. Errors: not-found.
func (s *Service) SetMatriculation(ctx context.Context, by usecase.Caller, id int64, value string) error {
	if err := by.Needs(admitto.MatriculationEdit); err != nil {
		return err
	}
	return s.setCode(ctx, by, id, value, codeField{"matriculation", (*store.Tx).SetMatriculation,
		func(a *admitto.Applicant) string { return a.Matriculation }, admitto.ApplicantMatriculationSet,
		admitto.ApplicantMatriculationGone})
}

// codeField is a code on an applicant that can be set and cleared.
type codeField struct {
	path         string
	set          func(*store.Tx, int64, string) error
	get          func(*admitto.Applicant) string
	wasSet, gone admitto.Pattern
}

func (s *Service) setCode(ctx context.Context, by usecase.Caller, id int64, value string, field codeField) error {
	inUse := &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{usecase.ReferenceInUse()}}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(id)
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.ApplicantRow, ID: id}); err != nil {
			return err
		}
		old := field.get(&a)
		if old == value {
			return nil
		}
		if field.wasSet == admitto.ApplicantReferenceSet {
			holder, err := tx.ApplicantByReference(value)
			if err != nil {
				return err
			}
			if holder != 0 {
				return inUse
			}
		}
		if err := field.set(tx, id, value); err != nil {
			return err
		}
		pattern := field.wasSet
		if value == "" {
			pattern = field.gone
		}
		tx.Record(by.Actor, admitto.Event{Pattern: pattern, Links: admitto.Links{Applicant: id},
			Details: []admitto.Detail{{Path: field.path, Old: old, New: value}}})
		return nil
	})
	if errors.Is(err, db.ErrUnique) {
		return inUse // taken in the same time
	}
	return err
}
