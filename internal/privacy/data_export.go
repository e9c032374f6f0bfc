package privacy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// How exports of the data about one person are made and kept (lifecycle.md 13).
const (
	exportKept  = 7 * admitto.Day
	exportLease = 1 * admitto.Minute // without a sign of life of who makes one
	exportTries = 5
	exportAfter = 1 * admitto.Minute // a try that failed, and longer each time
	mostExports = 5                  // that are listed
)

// AskDataExport asks for an archive with everything that is kept about an applicant, what only staff see included, to
// be read before it is handed out (lifecycle.md 13); the journal has who asked. It is made in the background. While
// one waits or is being made, asking again changes nothing. Returns the ID of the export. Errors: not-permitted;
// not-found without the applicant.
func (s *Service) AskDataExport(ctx context.Context, by usecase.Caller, applicant int64) (id int64, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return 0, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockApplicant(applicant); err != nil {
			return err
		}
		var asked bool
		id, asked, err = tx.AskDataExport(applicant, by.Actor.ID, tx.Now()+exportKept)
		if err == nil && asked {
			tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantDataExported,
				Links: admitto.Links{Applicant: applicant}})
		}
		return err
	})
	select {
	case s.asked <- struct{}{}:
	default:
	}
	return id, err
}

// ExportsWaiting can be read from when an export of the data about somebody was asked for.
func (s *Service) ExportsWaiting() <-chan struct{} { return s.asked }

// Export is an export of the data about an applicant, with the name of who asked for it.
type Export struct {
	admitto.DataExport
	AskedBy string
}

// DataExports lists the newest exports of the data about an applicant, newest first: those that wait, are being made,
// could not be made, and can be downloaded. Errors: not-permitted, not-found.
func (s *Service) DataExports(ctx context.Context, by admitto.Caller, applicant int64) (list []Export, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		found, err := tx.DataExports(applicant, false, mostExports)
		if err != nil {
			return err
		}
		list, err = withAskers(tx, found)
		return err
	})
	return list, err
}

// withAskers returns exports with the names of who asked for them.
func withAskers(tx *store.Tx, found []admitto.DataExport) (list []Export, err error) {
	var staff []int64
	for i := range found {
		staff = append(staff, found[i].Administrator)
	}
	names, err := tx.AdministratorNames(staff)
	for i := range found {
		list = append(list, Export{found[i], names[found[i].Administrator]})
	}
	return list, err
}

// OpenDataExport opens the archive that an export is, to be read while ctx lasts; the caller closes it. Who may no
// longer have it gets nothing, whatever the address. Errors: not-permitted; not-found without the applicant or the
// export, as long as it is not made, and once its days are over.
func (s *Service) OpenDataExport(ctx context.Context, by admitto.Caller, applicant, id int64) (io.ReadSeekCloser,
	error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return nil, err
	}
	return s.openExport(ctx, by, applicant, false, id)
}

// openExport opens an archive of one kind that can still be downloaded.
func (s *Service) openExport(ctx context.Context, by admitto.Caller, applicant int64, own bool, id int64) (
	io.ReadSeekCloser, error) {
	var e admitto.DataExport
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		if e, err = tx.DataExport(applicant, own, id); err == nil && !e.Ready(tx.Now()) {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.files.OpenFile(ctx, by, &admitto.File{Hash: e.Hash})
}

// MakeDataExports makes what waits, one after the other; what an instance left that is no more is begun again. One
// that cannot be made is tried again later, at most some times, and then said to have failed.
func (s *Service) MakeDataExports(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	for {
		w := exporting{Service: s, ctx: ctx, by: by}
		var found bool
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			w.export, found, err = tx.ClaimDataExport(tx.Now() + exportLease)
			return err
		})
		if err != nil || !found {
			return err
		}
		if err := w.try(); err != nil {
			return err
		}
	}
}

// exporting is an export that is being made under a lease.
type exporting struct {
	*Service
	ctx    context.Context
	by     admitto.Caller
	export admitto.DataExport
	kept   admitto.Time
}

// try makes the export; a failure is noted and logged, and is no reason not to make the next one.
func (w *exporting) try() error {
	err := errors.New("it was begun and not finished")
	if w.export.Lease <= exportTries {
		err = w.make()
	}
	switch {
	case err == nil || errors.Is(err, errLost):
		return nil
	case admitto.KindOf(err) == admitto.NotFound && w.gone():
		return w.core.Write(w.ctx, func(tx *store.Tx) error { return tx.DropDataExport(&w.export) })
	}
	lasting := context.WithoutCancel(w.ctx)
	if stopped := w.ctx.Err(); stopped != nil { // the next start, or another instance, goes on
		_, failed := w.keepUntil(lasting, 0)
		return errors.Join(stopped, failed)
	}
	w.log.Error("the data about an applicant could not be exported", "applicant", w.export.Applicant,
		"try", w.export.Lease, "cause", err)
	if w.export.Lease < exportTries {
		_, err = w.keepUntil(lasting, admitto.Time(w.export.Lease)*exportAfter)
		return err
	}
	return w.core.Write(lasting, func(tx *store.Tx) error {
		_, err := tx.FinishDataExport(&w.export, &admitto.File{}, tx.Now()+exportKept)
		return err
	})
}

// gone reports whether the applicant is not there any more.
func (w *exporting) gone() bool {
	err := w.core.Read(w.ctx, func(tx *store.Tx) error { return tx.HasApplicant(w.export.Applicant) })
	return admitto.KindOf(err) == admitto.NotFound
}

// keepUntil keeps the lease for so long; false when it was lost.
func (w *exporting) keepUntil(ctx context.Context, long admitto.Time) (kept bool, err error) {
	err = w.core.Write(ctx, func(tx *store.Tx) error {
		kept, err = tx.KeepDataExportLease(&w.export, tx.Now()+long)
		return err
	})
	return kept, err
}

// make reads everything in one transaction, so that it is of one time, and writes the archive to the store of files.
func (w *exporting) make() error {
	var data personalData
	err := w.core.Read(w.ctx, func(tx *store.Tx) error {
		reads, err := w.core.LanguageOf(tx, w.export.Applicant)
		if err != nil {
			return err
		}
		data = personalData{Exported: tx.Now(), own: w.export.Own, reads: reads, in: w.saying(w.export.Own, reads)}
		return data.read(tx, w.export.Applicant)
	})
	if err != nil {
		return err
	}
	texts, err := data.texts()
	if err != nil {
		return err
	}
	file, err := disk.NewScratch("", "admitto-data-*")
	if err != nil {
		return err
	}
	out := summed{file: file, sum: sha256.New(), alive: w.alive}
	write, err := w.files.Archive(w.ctx, w.by, texts, data.files, data.places)
	if err == nil {
		err = write(&out)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = w.keep(&admitto.File{Hash: hex.EncodeToString(out.sum.Sum(nil)), Size: out.size}, &out)
	}
	return errors.Join(err, file.Close())
}

// keep stores the archive and notes it. When somebody else has made the export meanwhile, or the applicant is gone, it
// is for nothing.
func (w *exporting) keep(f *admitto.File, archive io.Reader) error {
	if err := w.files.KeepBytes(w.ctx, f, archive); err != nil {
		return err
	}
	var noted bool
	err := w.core.Write(w.ctx, func(tx *store.Tx) (err error) {
		if noted, err = tx.FinishDataExport(&w.export, f, tx.Now()+exportKept); err != nil || !noted {
			return err
		}
		if w.export.Own {
			if err := w.tellReady(tx, &w.export); err != nil {
				return err
			}
		}
		return w.files.FileKept(tx, f.Hash)
	})
	if err != nil || !noted {
		w.files.DropFile(w.ctx, f.Hash)
	}
	return err
}

// errLost ends an export that another instance has taken.
var errLost = errors.New("another instance has taken the export")

// alive keeps the lease while the archive is being written.
func (w *exporting) alive() error {
	now := w.core.Now()
	if w.kept != 0 && now-w.kept < exportLease/4 {
		return nil
	}
	kept, err := w.keepUntil(w.ctx, exportLease)
	if err == nil && !kept {
		err = errLost
	}
	w.kept = now
	return err
}

// summed is a file; it counts and hashes what is written, and calls alive before each part that is written or read.
type summed struct {
	file  io.ReadWriter
	sum   hash.Hash
	size  int64
	alive func() error
}

func (s *summed) Write(p []byte) (int, error) {
	if err := s.alive(); err != nil {
		return 0, err
	}
	n, err := s.file.Write(p)
	_, _ = s.sum.Write(p[:n]) // never fails
	s.size += int64(n)
	return n, err
}

func (s *summed) Read(p []byte) (int, error) {
	if err := s.alive(); err != nil {
		return 0, err
	}
	return s.file.Read(p)
}
