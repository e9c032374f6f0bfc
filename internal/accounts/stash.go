package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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

// DropForm forgets what was kept of the form at a path, and its files.
func (s *Service) DropForm(ctx context.Context, area Area, account int64, path string) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DropStash(string(area), account, path); err != nil {
			return err
		}
		return tx.DropStashFiles(string(area), account, path)
	})
}

// DropFormFile forgets the file that was kept of a field of the form at a path.
func (s *Service) DropFormFile(ctx context.Context, area Area, account int64, path, field string) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		return tx.DropStashFile(string(area), account, path, field)
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

// Bounds of the files that are kept of forms which could not be saved (screens.md U8).
const (
	// MaxStashFile is the most bytes of a file.
	MaxStashFile = 10 << 20
	// maxStashFiles is the most bytes of all files of an account, and stashFileCount how many there are at most.
	maxStashFiles  = 3 * MaxStashFile
	stashFileCount = 20
)

// KeptFile is a file of a form that could not be saved.
type KeptFile struct {
	Field   string `json:"-"` // that it was chosen in
	Name    string
	Type    string // as the browser says
	Content []byte `json:"-"`
}

// KeepFormFiles keeps files that an account has chosen in the form at a path, each in the place of what was kept of its
// field. The oldest files of the account make room. Errors: too-large.
func (s *Service) KeepFormFiles(ctx context.Context, area Area, account int64, path string, files []KeptFile) error {
	sealed := make([][]byte, len(files))
	for i := range files {
		f := &files[i]
		if len(f.Content) > MaxStashFile {
			return admitto.Refused(admitto.TooLarge, message.Of("form-too-large", MaxStashFile))
		}
		head, err := json.Marshal(f)
		if err != nil {
			return err
		}
		// One line for what is known of the file, then the file.
		sealed[i] = s.key.Seal(stashPurpose(area, account), append(append(head, '\n'), f.Content...))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		for i := range files {
			f := &files[i]
			err := tx.KeepStashFile(string(area), account, path, f.Field, len(f.Content), sealed[i])
			if err != nil {
				return err
			}
		}
		list, err := tx.StashFilesOf(string(area), account)
		if err != nil {
			return err
		}
		var bytes int64
		for i, f := range list {
			if bytes += f.Size; bytes <= maxStashFiles && i < stashFileCount {
				continue
			}
			if err := tx.DropStashFile(string(area), account, f.Path, f.Field); err != nil {
				return err
			}
		}
		return nil
	})
}

// KeptFormFiles returns the files that were kept of the form at a path.
func (s *Service) KeptFormFiles(ctx context.Context, area Area, account int64,
	path string) (list []KeptFile, err error) {
	var sealed map[string][]byte
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		sealed, err = tx.StashFiles(string(area), account, path, tx.Now()-stashKept)
		return err
	})
	if err != nil {
		return nil, err
	}
	for field, text := range sealed {
		plain, err := s.key.Open(stashPurpose(area, account), text)
		if err != nil {
			return nil, err
		}
		f, err := keptFile(plain)
		if err != nil {
			return nil, err
		}
		f.Field = field
		list = append(list, f)
	}
	return list, nil
}

func keptFile(plain []byte) (f KeptFile, err error) {
	for i, c := range plain {
		if c == '\n' {
			f.Content = plain[i+1:]
			return f, json.Unmarshal(plain[:i], &f)
		}
	}
	return f, fmt.Errorf("a kept file of %d bytes has no head", len(plain))
}
