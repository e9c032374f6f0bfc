package admissions

import (
	"context"
	"errors"
	"io"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Files keeps the bytes of files under the SHA-256 of them, in hexadecimal digits; *blob.Store is one.
type Files interface {
	// Open opens a file to be read while ctx lasts, and tells its size in bytes; not-found without it.
	Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error)
	// Keep stores size bytes that have the hash; when it returns without error, they have survived.
	Keep(ctx context.Context, hash string, size int64, r io.Reader) error
	// Remove removes the file with the hash; that there is none is no error.
	Remove(ctx context.Context, hash string) error
}

// UseFiles says where the bytes of files are. It is called once, before the first request.
func (o *Office) UseFiles(f Files) { o.files = f }

// OpenFile opens the bytes of a file, to be read while ctx lasts; the caller closes them. Not-found when they are
// missing although the database knows the file.
func (o *Office) OpenFile(ctx context.Context, by admitto.Caller, f *admitto.File) (io.ReadSeekCloser, error) {
	if err := by.SignedIn(); err != nil {
		return nil, err
	}
	if o.files == nil {
		return nil, errors.New("the office has no store of files")
	}
	bytes, _, err := o.files.Open(ctx, f.Hash)
	return bytes, err
}

// belowApplicant reads something below an applicant; not-found without the applicant.
func (o *Office) belowApplicant(ctx context.Context, applicant int64, fn func(*store.Tx) error) error {
	return o.read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		return fn(tx)
	})
}

// seesApplication answers not-found without the application, or when the caller is another applicant.
func seesApplication(tx *store.Tx, by admitto.Caller, application int64) error {
	if by.Actor.Kind != admitto.ByApplicant {
		return tx.HasApplication(application)
	}
	a, err := tx.Application(application)
	if err != nil {
		return err
	}
	return onlyOwn(by, a.Applicant)
}

// belowApplication reads something below an application; not-found without the application, or when the caller is
// another applicant.
func (o *Office) belowApplication(ctx context.Context, by admitto.Caller, application int64, fn func(*store.Tx) error) error {
	return o.read(ctx, func(tx *store.Tx) error {
		if err := seesApplication(tx, by, application); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Photo reads what is known of an applicant's photo; not-found without the applicant or a photo.
func (o *Office) Photo(ctx context.Context, by admitto.Caller, applicant int64) (f admitto.File, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return f, err
	}
	err = o.belowApplicant(ctx, applicant, func(tx *store.Tx) error {
		f, err = tx.Photo(applicant)
		return err
	})
	return f, err
}

// DocumentsOfApplicant lists the documents of an applicant over all applications, by ID (resources.md 10); their
// owners are the applications. Not-found without the applicant.
func (o *Office) DocumentsOfApplicant(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.File, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = o.belowApplicant(ctx, applicant, func(tx *store.Tx) error {
		all, err := tx.DocumentsOfApplicants([]int64{applicant})
		list = all[applicant]
		return err
	})
	return list, err
}

// DocumentOfApplicant reads one document of an applicant; not-found as well when it is somebody else's.
func (o *Office) DocumentOfApplicant(ctx context.Context, by admitto.Caller, applicant, id int64) (f admitto.File, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return f, err
	}
	err = o.belowApplicant(ctx, applicant, func(tx *store.Tx) error {
		f, err = tx.DocumentOfApplicant(applicant, id)
		return err
	})
	return f, err
}

// Documents lists the documents of an application by ID (resources.md 10); not-found without the application.
func (o *Office) Documents(ctx context.Context, by admitto.Caller, application int64) (list []admitto.File, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = o.belowApplication(ctx, by, application, func(tx *store.Tx) error {
		all, err := tx.DocumentsOf([]int64{application})
		list = all[application]
		return err
	})
	return list, err
}

// Document reads one document of an application; not-found as well when it is one of another application.
func (o *Office) Document(ctx context.Context, by admitto.Caller, application, id int64) (f admitto.File, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return f, err
	}
	err = o.belowApplication(ctx, by, application, func(tx *store.Tx) error {
		f, err = tx.Document(application, id)
		return err
	})
	return f, err
}
