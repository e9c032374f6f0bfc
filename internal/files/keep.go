package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// looseKept is how long bytes that nothing refers to are left alone: the one who stored them may be about to refer to
// them.
const looseKept = admitto.Hour

// How long the removal of a file may take, how long nobody else removes or stores the same bytes meanwhile, and how
// long somebody waits who is to store them.
const (
	removalTimeout = 30 * time.Second
	removalLease   = 1 * admitto.Minute
	removalWaited  = 10 * time.Second
)

// KeepFile stores bytes durably before the transaction that refers to them, which must say so with fileKept. When
// that transaction fails, dropFile takes them away again, or TidyFiles does an hour later.
func (s *Service) KeepFile(ctx context.Context, name, mime string, data []byte) (admitto.File, error) {
	sum := sha256.Sum256(data)
	f := admitto.File{Name: name, MIME: mime, Size: int64(len(data)), Hash: hex.EncodeToString(sum[:])}
	return f, s.KeepBytes(ctx, &f, bytes.NewReader(data))
}

// KeepBytes is keepFile for bytes whose hash and size are known.
func (s *Service) KeepBytes(ctx context.Context, f *admitto.File, content io.Reader) error {
	// The row comes first: bytes without one would never be found again after a crash.
	if err := s.holdFile(ctx, f.Hash); err != nil {
		return err
	}
	err := s.backend.Keep(ctx, f.Hash, f.Size, content)
	if err != nil {
		s.DropFile(ctx, f.Hash)
	}
	return err
}

// holdFile notes that bytes are being stored. While the same bytes are being removed it waits, which takes as long as
// the store of files does.
func (s *Service) holdFile(ctx context.Context, hash string) error {
	for deadline := time.Now().Add(removalWaited); ; s.removing.Wait(ctx) {
		var held bool
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			held, err = tx.HoldFile(hash)
			return err
		})
		switch {
		case err != nil || held:
			return err
		case time.Now().After(deadline):
			return &admitto.Error{Kind: admitto.Unavailable, RetryAfter: 5,
				Text: message.Of("file-being-removed")}
		}
	}
}

// FileKept says, in the transaction that refers to the bytes, that they are no longer loose.
func (s *Service) FileKept(tx *store.Tx, hash string) error { return tx.FileKept(hash) }

// DropFile takes bytes away that were stored for nothing, unless somebody else refers to them or is storing the
// same ones. A failure is left to TidyFiles.
func (s *Service) DropFile(ctx context.Context, hash string) {
	ctx = context.WithoutCancel(ctx) // who asked may have gone
	err := s.removeLoose(ctx, hash, func(tx *store.Tx) (bool, error) { return tx.LetFileGo(hash) })
	if err != nil {
		s.log.Error("bytes that nothing refers to were not removed; the next tidying does it", "hash", hash, "cause", err)
	}
}

// removeLoose removes bytes that nothing refers to and then their row: the other way round a crash would leave bytes
// that nobody knows of. isLoose locks the row and reports whether it is to go. The store of files may take long, so no
// transaction waits for it; the row says meanwhile what is happening, and when a crash comes between, TidyFiles does it
// again.
func (s *Service) removeLoose(ctx context.Context, hash string, isLoose func(*store.Tx) (bool, error)) error {
	var until admitto.Time
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		until = 0
		if is, err := isLoose(tx); err != nil || !is {
			return err
		}
		used, err := tx.RefersToFile(hash)
		if err != nil {
			return err
		}
		if used {
			return tx.FileKept(hash)
		}
		if awaited, err := tx.HasMailToOthers(); err != nil || awaited {
			return err // another time
		}
		claim := tx.Now() + removalLease
		claimed, err := tx.ClaimRemoval(hash, claim)
		if claimed {
			until = claim
		}
		return err
	})
	if err != nil || until == 0 {
		return err
	}
	defer s.removing.Decided()
	soon, cancel := context.WithTimeout(ctx, removalTimeout)
	defer cancel()
	failed := s.backend.Remove(soon, hash)
	return errors.Join(failed, s.core.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		return tx.EndRemoval(hash, until, failed == nil)
	}))
}

// TidyFiles removes the bytes of files that nothing has referred to for an hour. Several instances may do so at
// once; it goes on where a crash stopped it.
func (s *Service) TidyFiles(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	const batch = 100
	after := ""
	for {
		var list []string
		var since admitto.Time
		err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
			since = tx.Now() - looseKept
			list, err = tx.LooseFiles(since, after, batch)
			return err
		})
		if err != nil || len(list) == 0 {
			return err
		}
		for _, hash := range list {
			err := s.removeLoose(ctx, hash, func(tx *store.Tx) (bool, error) { return tx.LockLooseFile(hash, since) })
			if err != nil {
				return err
			}
		}
		after = list[len(list)-1]
	}
}
