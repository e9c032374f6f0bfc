package files

import (
	"context"
	"errors"
	"io"

	"github.com/admitto/admitto/internal/admitto"
)

// Backend keeps the bytes of files under the SHA-256 of them, in hexadecimal digits; *blob.Store is one.
type Backend interface {
	// Open opens a file to be read while ctx lasts, and tells its size in bytes; not-found without it.
	Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error)
	// Keep stores size bytes that have the hash; when it returns without error, they have survived.
	Keep(ctx context.Context, hash string, size int64, r io.Reader) error
	// Remove removes the file with the hash; that there is none is no error.
	Remove(ctx context.Context, hash string) error
}

// OpenFile opens the bytes of a file, to be read while ctx lasts; the caller closes them. Not-found when they are
// missing although the database knows the file.
func (s *Service) OpenFile(ctx context.Context, by admitto.Caller, f *admitto.File) (io.ReadSeekCloser, error) {
	if err := by.SignedIn(); err != nil {
		return nil, err
	}
	bytes, _, err := s.backend.Open(ctx, f.Hash)
	return bytes, err
}

// ReadPublic reads the first bytes, at most so many, of a file that is open to everybody; not-found when they are
// missing.
func (s *Service) ReadPublic(ctx context.Context, hash string, most int64) ([]byte, error) {
	file, _, err := s.backend.Open(ctx, hash)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, most))
	return content, errors.Join(err, file.Close())
}
