// Package blob keeps the bytes of files: in a folder, in a bucket that speaks S3, or in memory. A file is known
// by the SHA-256 of its bytes, in 64 hexadecimal digits; so the same bytes are kept once, what is stored never
// changes, and storing it again does no harm. Names, media types and owners are in the database.
package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/message"
)

// Store keeps files. It is safe for concurrent use.
type Store struct {
	objects objects
	spool   string // folder where files wait that are being received; "" for that of the system
}

// objects is where the bytes lie: a folder, a bucket, or memory. The error of what is not there is fs.ErrNotExist.
type objects interface {
	// check is Store.Check.
	check(ctx context.Context) error
	// size tells how many bytes an object has.
	size(ctx context.Context, key string) (int64, error)
	// open opens an object, to be read while ctx lasts, and tells its size.
	open(ctx context.Context, key string) (io.ReadSeekCloser, int64, error)
	// write makes an object of the size bytes that r has, or replaces it. It reads r to its end. The object is there whole
	// or not at all: nothing is kept when r fails or when ctx ends before. One that is durable has survived on return.
	write(ctx context.Context, key string, size int64, r io.Reader, durable bool) error
	// remove removes an object. That there is none may be an error or not.
	remove(ctx context.Context, key string) error
}

// Open opens the store at url, the setting files.url: "" is the folder, which is made for the owner only if it is
// not there; s3://bucket?region=…&endpoint=… a bucket, whose credentials the environment has. Whether a bucket
// answers shows at first use.
func Open(url, folder string) (*Store, error) {
	if url != "" {
		objects, err := openBucket(url)
		if err != nil {
			return nil, fmt.Errorf("the store of files: %w", err)
		}
		return &Store{objects: objects}, nil
	}
	objects, err := openFolder(folder)
	if err != nil {
		return nil, fmt.Errorf("the folder of files: %w", err)
	}
	return &Store{objects: objects, spool: folder}, nil
}

// InMemory returns an empty store in memory, for tests.
func InMemory() *Store { return &Store{objects: new(memory)} }

// Check asks the bucket whether it is there and may be used, and writes into a folder. Its error is a sentence for the
// operator; it is of kind admitto.Unavailable when the server does not answer or the folder takes no files, which time
// may cure.
func (s *Store) Check(ctx context.Context) error { return s.objects.check(ctx) }

// Put stores what r reads, which may be no more than max bytes, and tells its hash and its size. Nothing is kept
// when r fails, when it returns more (too-large), or when ctx ends before; on return the bytes have survived.
func (s *Store) Put(ctx context.Context, r io.Reader, max int64) (hash string, size int64, err error) {
	// The name is known only at the end, so the bytes wait in a file.
	spool, err := disk.NewScratch(s.spool, "incoming-*")
	if err != nil {
		return "", 0, fmt.Errorf("receive a file: %w", err)
	}
	defer spool.Close()
	sum := sha256.New()
	size, err = io.Copy(io.MultiWriter(spool, sum), io.LimitReader(r, max+1))
	switch {
	case err != nil:
		return "", 0, fmt.Errorf("receive a file: %w", err)
	case size > max:
		return "", 0, admitto.Refused(admitto.TooLarge, message.Of("file-too-large", max))
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return "", 0, fmt.Errorf("receive a file: %w", err)
	}
	hash = hex.EncodeToString(sum.Sum(nil))
	return hash, size, s.write(ctx, hash, size, spool, true)
}

// PutFile stores the bytes of a known hash, for invented data; it does not wait until they have survived. A hash
// of other bytes is refused.
func (s *Store) PutFile(ctx context.Context, hash string, data []byte) error {
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash {
		return fmt.Errorf("the bytes do not have the hash %q", hash)
	}
	return s.write(ctx, hash, int64(len(data)), bytes.NewReader(data), false)
}

// Keep stores the size bytes that r reads, which must have the hash; on return without error they have survived.
// Nothing is kept when r fails, when it has other bytes, or when ctx ends before.
func (s *Store) Keep(ctx context.Context, hash string, size int64, r io.Reader) error {
	if !validHash(hash) {
		return fmt.Errorf("%q is no hash", hash)
	}
	return s.write(ctx, hash, size, &verifier{r: r, sum: sha256.New(), hash: hash}, true)
}

// verifier fails at the end of bytes that do not have the hash.
type verifier struct {
	r    io.Reader
	sum  hash.Hash
	hash string
}

func (v *verifier) Read(p []byte) (int, error) {
	n, err := v.r.Read(p)
	v.sum.Write(p[:n]) // never fails
	if err == io.EOF && hex.EncodeToString(v.sum.Sum(nil)) != v.hash {
		err = fmt.Errorf("the bytes do not have the hash %q", v.hash)
	}
	return n, err
}

// Remove removes the file with the hash; that there is none is no error.
func (s *Store) Remove(ctx context.Context, hash string) error {
	if !validHash(hash) {
		return nil
	}
	if err := s.objects.remove(ctx, keyOf(hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unreachable(ctx, err)
	}
	return nil
}

// write stores a file that is not there yet. One with another size was cut off by a failure of the machine and is made
// good.
func (s *Store) write(ctx context.Context, hash string, size int64, r io.Reader, durable bool) error {
	there, err := s.objects.size(ctx, keyOf(hash))
	switch {
	case err == nil && there == size:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return unreachable(ctx, err)
	}
	err = s.objects.write(ctx, keyOf(hash), size, r, durable)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return unavailable(err) // the whole bucket: a file need not be there to be written
	case err != nil:
		return unreachable(ctx, err)
	}
	return nil
}

// Open opens the file with the hash, to be read while ctx lasts, and tells its size; not-found when there is
// none. The reader is closed by the caller and is for one goroutine.
func (s *Store) Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if !validHash(hash) {
		return nil, 0, &admitto.Error{Kind: admitto.NotFound}
	}
	r, size, err := s.objects.open(ctx, keyOf(hash))
	if err != nil {
		return nil, 0, unreachable(ctx, err)
	}
	return r, size, nil
}

// Exists reports whether there is a file with the hash.
func (s *Store) Exists(ctx context.Context, hash string) (bool, error) {
	if !validHash(hash) {
		return false, nil
	}
	_, err := s.objects.size(ctx, keyOf(hash))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, unreachable(ctx, err)
	}
	return true, nil
}

// keyOf is the name of an object: folders of two digits keep each of them small.
func keyOf(hash string) string { return hash[:2] + "/" + hash[2:4] + "/" + hash }

// validHash keeps anything else than a hash from becoming a path.
func validHash(hash string) bool {
	if len(hash) != 2*sha256.Size {
		return false
	}
	for _, c := range []byte(hash) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// unreachable returns the errors of where the bytes lie as their kinds: not-found, or unavailable.
func unreachable(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return (&admitto.Error{Kind: admitto.NotFound}).Because(err)
	case ctx.Err() != nil:
		return err // who asked has gone
	}
	return unavailable(err)
}

// unavailable is the refusal that asks the client to come back later.
func unavailable(cause error) error {
	e := admitto.Refused(admitto.Unavailable, message.Of("files-unavailable")).Because(cause)
	e.RetryAfter = 5
	return e
}
