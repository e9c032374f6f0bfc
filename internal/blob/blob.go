// Package blob keeps the bytes of files: in a folder, in a bucket that speaks S3, or in memory. A file is known
// by the SHA-256 of its bytes, in 64 hexadecimal digits; so the same bytes are kept once, what is stored never
// changes, and storing it again does no harm. Names, media types and owners are in the database.
//
// It may import package admitto and gocloud.dev/blob. A program that keeps files in a bucket imports
// gocloud.dev/blob/s3blob as well: that is a hundred packages, which the tests of the others do without.
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
	"net"
	"os"
	"path/filepath"

	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/message"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/memblob" // mem://, for tests
	"gocloud.dev/gcerrors"

	"github.com/admitto/admitto/internal/admitto"
)

// Store keeps files. It is safe for concurrent use.
type Store struct {
	bucket *blob.Bucket
	folder string // "" when the files are not in a folder
}

// Open opens the store at url, the setting files.url: "" is the folder, which is made for the owner only if it
// is not there; s3://bucket?region=…&endpoint=… a bucket, whose credentials the environment has, where the program has
// its driver; mem:// memory. Whether a bucket answers shows at first use.
func Open(ctx context.Context, url, folder string) (*Store, error) {
	if url != "" {
		bucket, err := blob.OpenBucket(ctx, url)
		if err != nil {
			return nil, fmt.Errorf("the store of files: %w", err)
		}
		return &Store{bucket: bucket}, nil
	}
	bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{CreateDir: true, DirFileMode: 0o700,
		// Next to the file it becomes, or it could not be renamed; no sidecars, the database knows everything else.
		NoTempDir: true, Metadata: fileblob.MetadataDontWrite})
	if err != nil {
		return nil, fmt.Errorf("the folder of files: %w", err)
	}
	return &Store{bucket: bucket, folder: folder}, nil
}

// Check asks the bucket whether it is there and may be used. Its error is a sentence for the operator; it is of kind
// admitto.Unavailable when the server does not answer, which time may cure.
func (s *Store) Check(ctx context.Context) error {
	there, err := s.bucket.IsAccessible(ctx)
	switch {
	case err == nil && there:
		return nil
	case err == nil:
		return errors.New("the bucket of files.url is not there; make it first")
	case gcerrors.Code(err) == gcerrors.PermissionDenied:
		return fmt.Errorf("the bucket of files.url may not be used with the credentials of the environment: %w", err)
	case away(err):
		return unavailable(err)
	}
	return fmt.Errorf("the bucket of files.url cannot be used: %w", err)
}

// away reports whether a server could not be reached, or was not well.
func away(err error) bool {
	var network net.Error
	var answer interface {
		error
		HTTPStatusCode() int
	}
	return errors.As(err, &network) || errors.As(err, &answer) && answer.HTTPStatusCode() >= 500
}

// Close returns the connections back.
func (s *Store) Close() error { return s.bucket.Close() }

// Put stores what r reads, which may be no more than max bytes, and tells its hash and its size. Nothing is kept
// when r fails, when it returns more (too-large), or when ctx ends before; on return the bytes have survived.
func (s *Store) Put(ctx context.Context, r io.Reader, max int64) (hash string, size int64, err error) {
	// The name is known only at the end, so the bytes wait in a file.
	spool, err := disk.NewScratch(s.folder, "incoming-*")
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
// Nothing is kept when r fails, when it returns other bytes, or when ctx ends before.
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
	if err := s.bucket.Delete(ctx, keyOf(hash)); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return unreachable(ctx, err)
	}
	return nil
}

// write stores an object whole or not at all. One that is there already with the right size is left alone; one
// with another size was cut off by a failure of the machine and is made good.
func (s *Store) write(ctx context.Context, hash string, size int64, r io.Reader, durable bool) (err error) {
	key := keyOf(hash)
	if there, err := s.bucket.Attributes(ctx, key); err == nil && there.Size == size {
		return nil
	} else if err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return unreachable(ctx, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var file *os.File
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{ContentType: "application/octet-stream",
		BeforeWrite: func(as func(any) bool) error {
			if as(&file) {
				return file.Chmod(0o600)
			}
			return nil
		}})
	if err != nil {
		return unreachable(ctx, err)
	}
	_, err = io.Copy(w, r)
	if err == nil && durable && file != nil {
		err = file.Sync()
	}
	if err != nil {
		cancel() // Close must give up what was written
		return unreachable(ctx, errors.Join(err, w.Close()))
	}
	if err := w.Close(); err != nil {
		if gcerrors.Code(err) == gcerrors.NotFound {
			return unavailable(err) // the whole bucket: a file need not be there to be written
		}
		return unreachable(ctx, err)
	}
	if durable && s.folder != "" {
		return s.syncFolders(key)
	}
	return nil
}

// syncFolders makes the name of a new file survive, and those of the folders it is in.
func (s *Store) syncFolders(key string) error {
	for path := key; path != "."; {
		path = filepath.Dir(path)
		if err := disk.SyncFolder(filepath.Join(s.folder, path)); err != nil {
			return fmt.Errorf("store a file: %w", err)
		}
	}
	return nil
}

// Open opens the file with the hash, to be read while ctx lasts, and tells its size; not-found when there is
// none. The reader is closed by the caller and is for one goroutine.
func (s *Store) Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if !validHash(hash) {
		return nil, 0, &admitto.Error{Kind: admitto.NotFound}
	}
	r, err := s.bucket.NewReader(ctx, keyOf(hash), nil)
	if err != nil {
		return nil, 0, unreachable(ctx, err)
	}
	return r, r.Size(), nil
}

// Exists reports whether there is a file with the hash.
func (s *Store) Exists(ctx context.Context, hash string) (bool, error) {
	if !validHash(hash) {
		return false, nil
	}
	there, err := s.bucket.Exists(ctx, keyOf(hash))
	if err != nil {
		return false, unreachable(ctx, err)
	}
	return there, nil
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

// unreachable returns the errors of the bucket their kinds: not-found, or unavailable.
func unreachable(ctx context.Context, err error) error {
	switch {
	case gcerrors.Code(err) == gcerrors.NotFound:
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
