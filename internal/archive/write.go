package archive

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/dump"
)

// partSize is about how many bytes of rows one entry of the tar holds: its length must be known before it begins.
const partSize = 1 << 20

// Create writes a backup of the database and its files to a new file at path, while others go on working, and returns
// its manifest. What is in it was true at one time. On return without error the file was read back, every hash was
// compared, and it has survived; with an error there is no file at path. One that is there already is left alone.
func Create(ctx context.Context, path string, s *store.Store, files *blob.Store, tell Progress) (m *Manifest,
	err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already; give the backup another name", path)
		}
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // for the owner only
	if err != nil {
		return nil, err
	}
	defer func() {
		file.Close()
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	if m, err = write(ctx, file, s, files, tell); err != nil {
		return nil, err
	}
	if err = file.Sync(); err != nil {
		return nil, err
	}
	written, err := Open(ctx, file.Name())
	if err != nil {
		return nil, fmt.Errorf("the backup was written, but it cannot be read back: %w", err)
	}
	// Windows does not rename what is open.
	if err = errors.Join(written.Close(), file.Close()); err != nil {
		return nil, err
	}
	if err = os.Rename(file.Name(), path); err != nil {
		return nil, err
	}
	return m, disk.SyncFolder(filepath.Dir(path))
}

// writer writes the entries.
type writer struct {
	tar   *tar.Writer
	made  time.Time
	meter meter
}

// write writes the backup and its seal.
func write(ctx context.Context, out io.Writer, s *store.Store, files *blob.Store, tell Progress) (m *Manifest,
	err error) {
	sum := sha256.New()
	packed, err := zstd.NewWriter(io.MultiWriter(out, sum))
	if err != nil {
		return nil, err
	}
	w := &writer{tar: tar.NewWriter(packed), meter: meter{tell: tell}}
	err = s.Read(ctx, func(tx *store.Tx) error {
		m, err = w.snapshot(ctx, tx, s.EngineName(), files)
		return err
	})
	if err == nil {
		err = w.tar.Close()
	}
	if err = errors.Join(err, packed.Close()); err != nil {
		return nil, err
	}
	_, err = out.Write(sealFrame(sum.Sum(nil)))
	return m, err
}

// snapshot writes everything that the transaction sees.
func (w *writer) snapshot(ctx context.Context, tx *store.Tx, engine string, files *blob.Store) (*Manifest, error) {
	m, list, err := describe(ctx, tx, engine, files)
	if err != nil {
		return nil, err
	}
	w.made = m.Made
	if w.meter.tell != nil {
		w.meter.total = int64(len(list.all))
		for _, t := range m.Tables {
			n, err := dump.CountRows(tx, t.Name)
			if err != nil {
				return nil, err
			}
			w.meter.total += n
		}
	}
	if err := w.entry(formatEntry, fmt.Appendf(nil, "{\"format\": %d}\n", format)); err != nil {
		return nil, err
	}
	if m.Files, err = w.files(ctx, list, files); err != nil {
		return nil, err
	}
	for i := range m.Tables {
		if err := w.table(&m.Tables[i], dump.Rows(tx, &m.Tables[i].Table)); err != nil {
			return nil, err
		}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	return m, w.entry(manifestEntry, append(text, '\n'))
}

// listing is the hashes of files, sorted. Those that are loose may be needed by a waiting mail, whose text is sealed;
// they may also go while they are copied, which is no fault then.
type listing struct {
	all   []string
	loose map[string]bool
}

// describe begins the manifest of what the transaction sees, and lists its files: those that the database refers to,
// and of the loose ones those that are there. With files nil it lists no loose ones.
func describe(ctx context.Context, tx *store.Tx, engine string, files *blob.Store) (m *Manifest, list listing,
	err error) {
	tables, err := dump.Tables(tx)
	if err != nil {
		return nil, list, err
	}
	m = &Manifest{Engine: engine, Made: tx.Now().Std()}
	for _, t := range tables {
		m.Tables = append(m.Tables, TableSum{Table: t})
	}
	var errs [5]error
	m.Steps, errs[0] = tx.SchemaSteps()
	m.KeyFingerprint, errs[1] = tx.KeyFingerprint()
	m.JournalLast, m.JournalHash, errs[2] = tx.JournalHead()
	m.LastIDs, errs[3] = dump.LastIDs(tx)
	list, errs[4] = listFiles(ctx, tx, files)
	return m, list, errors.Join(errs[:]...)
}

func listFiles(ctx context.Context, tx *store.Tx, files *blob.Store) (list listing, err error) {
	if list.all, err = tx.ReferredFiles(); err != nil || files == nil {
		return list, err
	}
	loose, err := tx.AllLooseFiles()
	if err != nil {
		return list, err
	}
	list.loose = map[string]bool{}
	referred := list.all
	for _, hash := range loose {
		if _, is := slices.BinarySearch(referred, hash); is {
			continue
		}
		there, err := files.Exists(ctx, hash)
		if err != nil {
			return list, err
		}
		if there {
			list.loose[hash] = true
			list.all = append(list.all, hash)
		}
	}
	slices.Sort(list.all)
	return list, nil
}

// errMissing says that a file is not in its store.
func errMissing(hash string) error {
	return fmt.Errorf("the file %s, which the database refers to, is missing in the store of files", hash)
}

func (w *writer) header(name string, size int64) error {
	return w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600,
		ModTime: w.made.Truncate(time.Second)})
}

// entry writes a whole entry.
func (w *writer) entry(name string, content []byte) error {
	if err := w.header(name, int64(len(content))); err != nil {
		return err
	}
	_, err := w.tar.Write(content)
	return err
}

// files writes the bytes of all files. One that is missing or has other bytes ends the backup: it would not be one.
func (w *writer) files(ctx context.Context, list listing, files *blob.Store) (sum FilesSum, err error) {
	all := sha256.New()
	for _, name := range list.all {
		w.meter.step()
		size, err := w.file(ctx, name, files)
		if admitto.KindOf(err) == admitto.NotFound {
			if list.loose[name] {
				continue
			}
			err = errMissing(name)
		}
		if err != nil {
			return sum, err
		}
		sum.Count++
		sum.Bytes += size
		fmt.Fprintln(all, name)
	}
	sum.SHA256 = hex.EncodeToString(all.Sum(nil))
	return sum, nil
}

func (w *writer) file(ctx context.Context, name string, files *blob.Store) (size int64, err error) {
	r, size, err := files.Open(ctx, name)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	if err := w.header(filesFolder+name, size); err != nil {
		return 0, err
	}
	return size, copyHashed(w.tar, r, name)
}

// copyHashed copies bytes that must have the hash.
func copyHashed(to io.Writer, from io.Reader, want string) error {
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(to, sum), from); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("the bytes of file %s have the hash %s: the file is damaged", want, got)
	}
	return nil
}

// table writes the rows of a table in parts and sums them up.
func (w *writer) table(t *TableSum, lines iter.Seq2[[]byte, error]) error {
	sum := newTableSummer()
	var part []byte
	parts := 0
	flush := func() error {
		if len(part) == 0 {
			return nil
		}
		parts++
		err := w.entry(fmt.Sprintf("%s%s/%06d.jsonl", tablesFolder, t.Name, parts), part)
		part = part[:0]
		return err
	}
	for line, err := range lines {
		if err != nil {
			return err
		}
		sum.add(line)
		part = append(append(part, line...), '\n')
		if len(part) >= partSize {
			if err := flush(); err != nil {
				return err
			}
		}
		w.meter.step()
	}
	t.Rows, t.SHA256 = sum.rows, sum.sum()
	return flush()
}
