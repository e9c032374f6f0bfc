// Package archive keeps a whole instance in one file, database and files, and brings it back (cli.md: backup, restore,
// copy). It may import package admitto, store and blob, and klauspost/compress for zstd.
//
// The file is a tar compressed with zstd, so tar --zstd -tf reads it. Its entries, in this order:
//
//	format.json                  the number of the format
//	files/<SHA-256>              the bytes of each file that the database refers to
//	tables/<name>/<n>.jsonl      the rows of each table, one JSON list a line, in parts of about a mebibyte
//	manifest.json                what must be in it: Manifest
//
// Behind the compressed bytes stands a frame that zstd skips, with the SHA-256 of everything before it, so that no
// byte of the file can change unseen. Tables come after those that they refer to. The file is not encrypted, and the
// instance key is not in it.
package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/dump"
)

// format is the number of the current form of the file.
const format = 1

// The names of the entries.
const (
	formatEntry   = "format.json"
	manifestEntry = "manifest.json"
	filesFolder   = "files/"
	tablesFolder  = "tables/"
)

// Manifest is what a backup says about itself, and what its content must be.
type Manifest struct {
	Made time.Time `json:"made"` // of the snapshot, by the clock of the database
	// Engine is SQLite or PostgreSQL, and Steps are the migrations with their checksums on that engine.
	Engine string             `json:"engine"`
	Steps  []store.SchemaStep `json:"migrations"`
	// KeyFingerprint tells which instance key opens what is sealed, "" when the database knew none.
	KeyFingerprint string `json:"instance_key_fingerprint"`
	// The head of the journal: the ID of its last record, 0 for none, and its hash.
	JournalLast int64  `json:"journal_last"`
	JournalHash string `json:"journal_hash"`
	// LastIDs are the highest IDs that were given out, by table.
	LastIDs map[string]int64 `json:"last_ids"`
	Tables  []TableSum       `json:"tables"`
	Files   FilesSum         `json:"files"`
}

// TableSum is a table with the number of its rows and the SHA-256 over their lines.
type TableSum struct {
	dump.Table
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"`
}

// FilesSum sums all files up: how many, their bytes, and the SHA-256 over their hashes in the order of the archive.
type FilesSum struct {
	Count  int64  `json:"count"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Rows is the number of rows of all tables.
func (m *Manifest) Rows() (n int64) {
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

// Progress, when it is not nil, is told now and then how much of the whole is done, in rows and files.
type Progress func(done, total int64)

// meter counts for a Progress.
type meter struct {
	tell        Progress
	done, total int64
}

func (m *meter) step() {
	if m.done++; m.tell != nil && (m.done%1000 == 0 || m.done == m.total) {
		m.tell(m.done, max(m.done, m.total))
	}
}

// tableSummer hashes the lines of a table and counts them.
type tableSummer struct {
	hash hash.Hash
	rows int64
}

func newTableSummer() *tableSummer { return &tableSummer{hash: sha256.New()} }

// add takes one line without its end; neither write can fail.
func (s *tableSummer) add(line []byte) {
	s.hash.Write(line)
	s.hash.Write([]byte{'\n'})
	s.rows++
}

func (s *tableSummer) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// matches reports whether the rows are those of the manifest.
func (s *tableSummer) matches(want *TableSum) error {
	switch {
	case s.rows != want.Rows:
		return fmt.Errorf("table %s has %d rows instead of %d", want.Name, s.rows, want.Rows)
	case s.sum() != want.SHA256:
		return fmt.Errorf("the rows of table %s do not have the hash of the manifest", want.Name)
	}
	return nil
}

// The seal at the end of the file is a skippable frame of zstd: its magic number, the length of its content, 32, and
// the SHA-256.
const sealSize = 8 + sha256.Size

func sealFrame(sum []byte) []byte {
	frame := binary.LittleEndian.AppendUint32(nil, 0x184D2A50)
	frame = binary.LittleEndian.AppendUint32(frame, sha256.Size)
	return append(frame, sum...)
}

var errDamaged = errors.New("the file is no backup of Admitto, or it is damaged")

// checkSeal reads the whole file and compares it with its seal.
func checkSeal(f io.ReaderAt, size int64) error {
	if size <= sealSize {
		return errDamaged
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size-sealSize)); err != nil {
		return err
	}
	frame := make([]byte, sealSize)
	if _, err := f.ReadAt(frame, size-sealSize); err != nil {
		return err
	}
	if !bytes.Equal(frame, sealFrame(sum.Sum(nil))) {
		return errDamaged
	}
	return nil
}
