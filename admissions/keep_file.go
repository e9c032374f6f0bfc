package admissions

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store"
)

// looseKept is how long bytes that nothing refers to are left alone: whoever stored them may be about to refer to
// them.
const looseKept = admitto.Hour

// keepFile stores bytes durably before the transaction that refers to them, which must say so with fileKept. When
// that transaction fails, dropFile takes them away again, or TidyFiles does an hour later.
func (o *Office) keepFile(ctx context.Context, name, mime string, data []byte) (admitto.File, error) {
	sum := sha256.Sum256(data)
	f := admitto.File{Name: name, MIME: mime, Size: int64(len(data)), Hash: hex.EncodeToString(sum[:])}
	return f, o.keepBytes(ctx, &f, bytes.NewReader(data))
}

// keepBytes is keepFile for bytes whose hash and size are known.
func (o *Office) keepBytes(ctx context.Context, f *admitto.File, content io.Reader) error {
	if o.files == nil {
		return errors.New("the office has no store of files")
	}
	// The row comes first: bytes without one would never be found again after a crash.
	if err := o.write(ctx, func(tx *store.Tx) error { return tx.HoldFile(f.Hash) }); err != nil {
		return err
	}
	err := o.files.Keep(ctx, f.Hash, f.Size, content)
	if err != nil {
		o.dropFile(ctx, f.Hash)
	}
	return err
}

// fileKept says, in the transaction that refers to the bytes, that they are no longer loose.
func (o *Office) fileKept(tx *store.Tx, hash string) error { return tx.FileKept(hash) }

// dropFile takes bytes away that were stored for nothing, unless somebody else refers to them or is storing the
// same ones. A failure is left to TidyFiles.
func (o *Office) dropFile(ctx context.Context, hash string) {
	ctx = context.WithoutCancel(ctx) // who asked may have gone
	err := o.write(ctx, func(tx *store.Tx) error {
		last, err := tx.LetFileGo(hash)
		if err != nil || !last {
			return err
		}
		return o.removeLoose(ctx, tx, hash)
	})
	if err != nil {
		o.log.Error("bytes that nothing refers to were not removed; the next tidying does it", "hash", hash, "cause", err)
	}
}

// removeLoose removes bytes whose row is locked, when nothing refers to them, and then the row: the other way
// round a crash would leave bytes that nobody knows of.
func (o *Office) removeLoose(ctx context.Context, tx *store.Tx, hash string) error {
	used, err := tx.RefersToFile(hash)
	if err != nil {
		return err
	}
	if !used {
		if awaited, err := tx.HasMailToOthers(); err != nil || awaited {
			return err // another time
		}
		if err := o.files.Remove(ctx, hash); err != nil {
			return err
		}
	}
	return tx.FileKept(hash)
}

// TidyFiles removes the bytes of files that nothing has referred to for an hour. Several instances may do so at
// once; it goes on where a crash stopped it.
func (o *Office) TidyFiles(ctx context.Context) error {
	if o.files == nil {
		return nil
	}
	const batch = 100
	after := ""
	for {
		var list []string
		var since admitto.Time
		err := o.read(ctx, func(tx *store.Tx) (err error) {
			since = tx.Now() - looseKept
			list, err = tx.LooseFiles(since, after, batch)
			return err
		})
		if err != nil || len(list) == 0 {
			return err
		}
		for _, hash := range list {
			err := o.write(ctx, func(tx *store.Tx) error {
				if is, err := tx.LockLooseFile(hash, since); err != nil || !is {
					return err
				}
				return o.removeLoose(ctx, tx, hash)
			})
			if err != nil {
				return err
			}
		}
		after = list[len(list)-1]
	}
}
