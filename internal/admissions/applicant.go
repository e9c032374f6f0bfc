package admissions

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/message"
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

// SavePhoto keeps the photo of an applicant in place of the one before, as filekind.Photo makes it (screens.md P12,
// lifecycle.md 3.5). Errors: not-found; invalid-parameter for an empty file; too-large; unsupported-media-type.
func (s *Service) SavePhoto(ctx context.Context, by usecase.Caller, applicant int64, content []byte) error {
	if err := by.NeedsOrOwns(admitto.ApplicantsEdit, applicant); err != nil {
		return err
	}
	switch most := s.core.Settings().Documents.MaxBytes; {
	case len(content) == 0:
		return admitto.Refuse(admitto.InvalidParameter, "document.file", "", message.Of("file-empty"))
	case int64(len(content)) > most:
		return admitto.Refused(admitto.TooLarge, message.Of("file-too-large", most))
	}
	photo, err := s.drawPhoto(ctx, content)
	if err != nil {
		return err
	}
	f, err := s.files.KeepFile(ctx, "photo.jpg", "image/jpeg", photo)
	if err != nil {
		return err
	}
	f.Owner = applicant
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := loosenPhoto(tx, applicant, f.Hash); err != nil {
			return err
		}
		f.Uploaded = tx.Now()
		if err := tx.SavePhoto(&f); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.PhotoSaved, Links: admitto.Links{Applicant: applicant}})
		if err := s.files.FileKept(tx, f.Hash); err != nil {
			return err
		}
		return by.Done(tx)
	})
	if err != nil {
		s.files.DropFile(ctx, f.Hash)
	}
	return err
}

// RemovePhoto takes the photo of an applicant away. Errors: not-found without the applicant or a photo.
func (s *Service) RemovePhoto(ctx context.Context, by usecase.Caller, applicant int64) error {
	if err := by.NeedsOrOwns(admitto.ApplicantsEdit, applicant); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		was, err := loosenPhoto(tx, applicant, "")
		if err != nil {
			return err
		}
		if !was {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		if err := tx.RemovePhoto(applicant); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.PhotoRemoved, Links: admitto.Links{Applicant: applicant}})
		return by.Done(tx)
	})
}

// loosenPhoto locks an applicant and reports whether there is a photo, whose bytes are not needed any more unless they
// are those that come.
func loosenPhoto(tx *store.Tx, applicant int64, next string) (was bool, err error) {
	if _, err := tx.LockApplicant(applicant); err != nil {
		return false, err
	}
	before, err := tx.Photo(applicant)
	switch {
	case admitto.KindOf(err) == admitto.NotFound:
		return false, nil
	case err != nil || before.Hash == next:
		return true, err
	}
	return true, tx.LoosenFile(before.Hash)
}

// drawPhoto makes a photo while nobody else does: pictures take much memory.
func (s *Service) drawPhoto(ctx context.Context, content []byte) ([]byte, error) {
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
		return filekind.Photo(content)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
