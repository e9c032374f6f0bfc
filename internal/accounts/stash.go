package accounts

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// What is kept of forms that could not be saved (screens.md U8): for how long, how many of an account, and how large.
const (
	stashKept  = 24 * admitto.Hour
	stashCount = 20
	// MaxStash is the most bytes that are kept of one form.
	MaxStash = 1 << 20
)

// KeepForm keeps what an account has typed into the form at a path, in the place of what was kept of it. The page that
// calls it knows from a signed field whose form it was: often nobody is signed in any more.
func (s *Service) KeepForm(ctx context.Context, area Area, account int64, path string, form []byte) error {
	if len(form) > MaxStash {
		return admitto.Refused(admitto.TooLarge, message.Of("form-too-large", MaxStash))
	}
	sealed := s.key.Seal(stashPurpose(area, account), form)
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.KeepStash(string(area), account, path, sealed); err != nil {
			return err
		}
		return tx.TrimStash(string(area), account, stashCount)
	})
}

// stashPurpose seals what is kept for one account alone.
func stashPurpose(area Area, account int64) string { return fmt.Sprintf("stash %s %d", area, account) }

// KeptForm returns what was kept of the form at a path; nil when there is nothing.
func (s *Service) KeptForm(ctx context.Context, area Area, account int64, path string) (form []byte, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		form, err = tx.Stash(string(area), account, path, tx.Now()-stashKept)
		return err
	})
	if err != nil || form == nil {
		return nil, err
	}
	return s.key.Open(stashPurpose(area, account), form)
}

// KeptPaths returns the paths of the forms of which something is kept, text or files.
func (s *Service) KeptPaths(ctx context.Context, area Area, account int64) (paths []string, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		paths, err = tx.StashPaths(string(area), account, tx.Now()-stashKept)
		return err
	})
	return paths, err
}

// DropForm forgets what was kept of the form at a path, and its files.
func (s *Service) DropForm(ctx context.Context, area Area, account int64, path string) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DropStash(string(area), account, path); err != nil {
			return err
		}
		return tx.DropStashFiles(string(area), account, path)
	})
}

// tokensKept is how long links that have ended are remembered.
const tokensKept = 30 * admitto.Day

// TidyAccounts removes what has served its time: sessions, kept forms and their files, answers
// of forms that were sent, failed sign-ins, links of staff.
func (s *Service) TidyAccounts(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	inPortions := func(remove func(*store.Tx) (int64, error)) error {
		for {
			var n int64
			err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
				n, err = remove(tx)
				return err
			})
			if err != nil || n == 0 {
				return err
			}
		}
	}
	sessions := func(area Area) func(*store.Tx) (int64, error) {
		return func(tx *store.Tx) (int64, error) {
			idle, total := sessionLimits(s.core, area)
			begun := admitto.Time(0)
			if total != 0 {
				begun = tx.Now() - total
			}
			return tx.TidySessions(string(area), tx.Now()-idle, begun)
		}
	}
	return errors.Join(
		inPortions(sessions(Administration)),
		inPortions(sessions(Portal)),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyStash(tx.Now() - stashKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyStashFiles(tx.Now() - stashKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidySentForms(tx.Now() - sentKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidySignInFailures(tx.Now() - failuresCount) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyAccountTokens(tx.Now() - tokensKept) }),
	)
}

// Bounds of the files that are kept of forms which are not saved yet (screens.md U8, P11): so many files of an account,
// and so many times the bytes that one may have (documents.max_bytes).
const (
	keptFiles = 20
	keptSizes = 10
)

// leastFileBytes is what files of forms may always have: those that staff import are as large.
const leastFileBytes = 5 << 20

// partBytes is how many bytes of a file are sealed at once; all parts but the last have as many.
const partBytes = 1 << 20

// KeptFile is a file of a form that is not saved yet. It may still be arriving.
type KeptFile struct {
	ID      string `json:"-"` // names it among those of its account
	Field   string `json:"-"` // that it was chosen in
	Name    string
	Type    string // as the browser says
	Size    int64  `json:"-"` // bytes
	Arrived int64  `json:"-"` // bytes that are here

	path, key string
}

// Whole reports whether all of the file is here.
func (f *KeptFile) Whole() bool { return f.Arrived == f.Size }

// row is the file as it is stored.
func (f *KeptFile) row() *store.StashFile {
	return &store.StashFile{Path: f.path, Field: f.key, Size: f.Size, Lacking: f.Size - f.Arrived}
}

// keptFile is a file as it was stored.
func keptFile(row *store.StashFile) KeptFile {
	f := KeptFile{ID: row.Field, Field: row.Field, Size: row.Size, Arrived: row.Size - row.Lacking, path: row.Path,
		key: row.Field}
	if at := strings.LastIndexByte(row.Field, '\n'); at >= 0 {
		f.Field, f.ID = row.Field[:at], row.Field[at+1:]
	}
	return f
}

// MostFileBytes is the most bytes of a file of a form: those of a document, and no less than other forms take. Who
// takes the file has a bound of its own.
func (s *Service) MostFileBytes() int64 {
	return max(s.core.Settings().Documents.MaxBytes, leastFileBytes)
}

// BeginFile makes room for a file of the form at a path, of which nothing is there yet; it is named by the ID it gets.
// The oldest files of other forms make room, and with force those of this one, too. Errors: too-large.
func (s *Service) BeginFile(ctx context.Context, area Area, account int64, path string, f KeptFile,
	force bool) (KeptFile, error) {
	most := s.MostFileBytes()
	if f.Size > most {
		return f, admitto.Refused(admitto.TooLarge, message.Of("file-too-large", most))
	}
	head, err := json.Marshal(f)
	if err != nil {
		return f, err
	}
	f.ID, f.path, f.Arrived = rand.Text(), path, 0
	f.key = f.Field + "\n" + f.ID
	row := f.row()
	row.Sealed = s.key.Seal(stashPurpose(area, account), append(head, '\n'))
	return f, s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockStashFiles(account); err != nil {
			return err
		}
		list, err := tx.StashFilesOf(string(area), account, tx.Now()-stashKept)
		if err != nil {
			return err
		}
		files, sum := len(list)+1, f.Size
		for i := range list {
			sum += list[i].Size
		}
		for i := len(list) - 1; i >= 0 && (files > keptFiles || sum > keptSizes*most); i-- {
			old := &list[i]
			if old.Path == path && !force {
				continue
			}
			if err := tx.DropStashFile(string(area), account, old.Path, old.Field); err != nil {
				return err
			}
			files, sum = files-1, sum-old.Size
		}
		if files > keptFiles || sum > keptSizes*most {
			return admitto.Refused(admitto.TooLarge, message.Of("too-many-files-waiting"))
		}
		return tx.BeginStashFile(string(area), account, row)
	})
}

// AddToFile keeps what r reads as the bytes of a file behind those that are here, and tells how it is then. What has
// come before r fails is kept as well; that r ends early is no error. Errors: changed-meanwhile when
// others add to it, too, or it is gone; too-large when r has more than is lacking.
func (s *Service) AddToFile(ctx context.Context, area Area, account int64, f KeptFile, r io.Reader) (KeptFile, error) {
	ctx = context.WithoutCancel(ctx) // what has come counts although the line broke
	part := make([]byte, 0, min(partBytes, f.Size)+1)
	start := f.Arrived / partBytes * partBytes
	if f.Arrived > start {
		begun, err := s.part(ctx, area, account, &f, start)
		if err != nil {
			return f, err
		}
		part = append(part, begun...)
	}
	for {
		before, most := len(part), int(min(partBytes, f.Size-start))
		n, failed := io.ReadFull(r, part[before:most])
		part = part[:before+n]
		if n > 0 {
			sealed := s.key.Seal(stashPurpose(area, account), part)
			added := false
			err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
				added, err = tx.AddStashPart(string(area), account, f.row(), int64(n), start, sealed)
				return err
			})
			if err == nil && !added {
				err = &admitto.Error{Kind: admitto.ChangedMeanwhile}
			}
			if err != nil {
				return f, err
			}
			f.Arrived += int64(n)
		}
		switch {
		case errors.Is(failed, io.EOF), errors.Is(failed, io.ErrUnexpectedEOF):
			return f, nil
		case failed != nil:
			return f, failed
		case f.Whole():
			if n, _ := r.Read(make([]byte, 1)); n > 0 {
				return f, admitto.Refused(admitto.TooLarge, message.Of("file-too-large", f.Size))
			}
			return f, nil
		}
		start, part = start+partBytes, part[:0]
	}
}

// part opens the part of a file from start on.
func (s *Service) part(ctx context.Context, area Area, account int64, f *KeptFile, start int64) ([]byte, error) {
	var sealed []byte
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		sealed, err = tx.StashPart(string(area), account, f.row(), start)
		return err
	})
	if err == nil && sealed == nil {
		err = &admitto.Error{Kind: admitto.ChangedMeanwhile}
	}
	if err != nil {
		return nil, err
	}
	return s.key.Open(stashPurpose(area, account), sealed)
}

// CopyFile writes all bytes of a file that is whole. Errors: changed-meanwhile when it is gone.
func (s *Service) CopyFile(ctx context.Context, area Area, account int64, f *KeptFile, w io.Writer) error {
	var start int64
	rows, err := s.keptRows(ctx, area, account, f.path)
	if err != nil {
		return err
	}
	for i := range rows {
		if rows[i].Field != f.key {
			continue
		}
		_, first, err := s.openHead(area, account, &rows[i])
		if err != nil {
			return err
		}
		n, err := w.Write(first) // a release before kept all bytes there
		if start = int64(n); err != nil {
			return err
		}
	}
	for start < f.Size {
		part, err := s.part(ctx, area, account, f, start)
		if err != nil {
			return err
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
		start += int64(len(part))
	}
	return nil
}

// openHead reads what is known of a file, and the bytes that stand with it.
func (s *Service) openHead(area Area, account int64, row *store.StashFile) (f KeptFile, first []byte, err error) {
	plain, err := s.key.Open(stashPurpose(area, account), row.Sealed)
	if err != nil {
		return f, nil, err
	}
	head, first, found := bytes.Cut(plain, []byte("\n"))
	if !found {
		return f, nil, fmt.Errorf("a kept file of %d bytes has no head", len(plain))
	}
	f = keptFile(row)
	return f, first, json.Unmarshal(head, &f)
}

func (s *Service) keptRows(ctx context.Context, area Area, account int64,
	path string) (rows []store.StashFile, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		rows, err = tx.StashFiles(string(area), account, path, tx.Now()-stashKept)
		return err
	})
	return rows, err
}

// KeptFiles returns the files that were kept of the form at a path, the first one first.
func (s *Service) KeptFiles(ctx context.Context, area Area, account int64, path string) (list []KeptFile, err error) {
	rows, err := s.keptRows(ctx, area, account, path)
	for i := range rows {
		f, _, err := s.openHead(area, account, &rows[i])
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, err
}

// ArrivingFile finds a file of an account by its ID, without its name; not-found.
func (s *Service) ArrivingFile(ctx context.Context, area Area, account int64, id string) (f KeptFile, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.StashFilesOf(string(area), account, tx.Now()-stashKept)
		for i := range list {
			if f = keptFile(&list[i]); f.ID == id && f.Field != f.key {
				return nil
			}
		}
		if err == nil {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	return f, err
}

// DropKeptFile forgets a file that was kept.
func (s *Service) DropKeptFile(ctx context.Context, area Area, account int64, f *KeptFile) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		return tx.DropStashFile(string(area), account, f.path, f.key)
	})
}
