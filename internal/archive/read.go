package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// These bound the memory that reading takes, whatever the file asks for: a forged one of some hundred kilobytes unpacks
// to gigabytes.
const (
	maxWindow   = 64 << 20 // of zstd
	maxHead     = 4 << 10  // of format.json
	maxPart     = 32 << 20 // of the rows in one entry: partSize, and one row more
	maxManifest = 1 << 20  // of manifest.json
	maxTables   = 1000
)

// Archive is a backup that was read to its end and found good.
type Archive struct {
	Manifest *Manifest
	file     *os.File
	size     int64
	files    []string // their hashes
}

// Open opens a backup and reads it whole: the seal, every hash of the manifest, every file's own. The error tells what
// is wrong with it. The caller closes it.
func Open(ctx context.Context, path string) (a *Archive, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	a = &Archive{file: file, size: info.Size()}
	if err := checkSeal(file, a.size); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := a.verify(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

// walker goes through the entries, one after the other.
type walker struct {
	ctx    context.Context
	packed *zstd.Decoder
	tar    *tar.Reader
	head   *tar.Header // of the current entry; nil behind the last
}

// walk begins at the first entry behind format.json.
func (a *Archive) walk(ctx context.Context) (*walker, error) {
	packed, err := zstd.NewReader(io.NewSectionReader(a.file, 0, a.size-sealSize), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	w := &walker{ctx: ctx, packed: packed, tar: tar.NewReader(packed)}
	if err := w.begin(); err != nil {
		packed.Close()
		return nil, err
	}
	return w, nil
}

func (w *walker) begin() error {
	if err := w.next(); err != nil {
		return err
	}
	var head struct{ Format int }
	if w.name() != formatEntry || w.decode(&head, maxHead) != nil {
		return errDamaged
	}
	if head.Format != format {
		return fmt.Errorf("it has format %d, which this binary does not know: it was made by a newer release", head.Format)
	}
	return w.next()
}

func (w *walker) close() { w.packed.Close() }

// next goes to the next entry. Behind the last one the rest is read as well, so that the checksum of the compressed
// bytes is compared.
func (w *walker) next() (err error) {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.head, err = w.tar.Next()
	if err == io.EOF {
		w.head = nil
		_, err = io.Copy(io.Discard, w.packed)
	}
	return err
}

// name is that of the current entry, "" behind the last.
func (w *walker) name() string {
	if w.head == nil {
		return ""
	}
	return w.head.Name
}

// fits refuses an entry that says to be longer than what a backup has there, before anything of it is read.
func (w *walker) fits(most int64) error {
	if w.head != nil && w.head.Size > most {
		return fmt.Errorf("%w: %.100q has %d bytes, and at most %d are taken", errDamaged, w.head.Name, w.head.Size, most)
	}
	return nil
}

// decode reads an entry of JSON of at most so many bytes.
func (w *walker) decode(v any, most int64) error {
	if err := w.fits(most); err != nil {
		return err
	}
	d := json.NewDecoder(w.tar)
	d.UseNumber()
	return d.Decode(v)
}

// table returns the rest of the lines of the table whose entry is the current one, and goes on to the next entry that
// is none of it.
func (w *walker) table(name string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var part bytes.Buffer
		for n := 1; w.name() == fmt.Sprintf("%s%s/%06d.jsonl", tablesFolder, name, n); n++ {
			part.Reset()
			if err := w.fits(maxPart); err != nil {
				yield(nil, err)
				return
			}
			if _, err := part.ReadFrom(w.tar); err != nil {
				yield(nil, err)
				return
			}
			if part.Len() == 0 || part.Bytes()[part.Len()-1] != '\n' {
				yield(nil, errDamaged)
				return
			}
			for line := range bytes.Lines(part.Bytes()) {
				if !yield(line[:len(line)-1], nil) {
					return
				}
			}
			if err := w.next(); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// eachFile calls fn for each file, with its bytes, and ends behind the last.
func (w *walker) eachFile(fn func(hash string, size int64, r io.Reader) error) error {
	for {
		hash, is := strings.CutPrefix(w.name(), filesFolder)
		if !is {
			return nil
		}
		if err := fn(hash, w.head.Size, w.tar); err != nil {
			return err
		}
		if err := w.next(); err != nil {
			return err
		}
	}
}

// verify reads everything and compares it with the manifest, which comes last.
func (a *Archive) verify(ctx context.Context) error {
	w, err := a.walk(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	var files FilesSum
	all := sha256.New()
	last := ""
	err = w.eachFile(func(hash string, size int64, r io.Reader) error {
		if hash <= last { // each is there once, so that the list of them is no longer than what can be packed
			return errDamaged
		}
		if err := copyHashed(io.Discard, r, hash); err != nil {
			return err
		}
		last = hash
		a.files = append(a.files, hash)
		files.Count++
		files.Bytes += size
		fmt.Fprintln(all, hash)
		return nil
	})
	if err != nil {
		return err
	}
	files.SHA256 = hex.EncodeToString(all.Sum(nil))
	sums := map[string]*tableSummer{}
	for w.name() != manifestEntry {
		name, _, _ := strings.Cut(strings.TrimPrefix(w.name(), tablesFolder), "/")
		if sums[name] != nil || len(sums) == maxTables || !strings.HasPrefix(w.name(), tablesFolder) {
			return errDamaged
		}
		sum := newTableSummer()
		for line, err := range w.table(name) {
			if err != nil {
				return err
			}
			sum.add(line)
		}
		if sum.rows == 0 { // else the same entry would be looked at for ever
			return errDamaged
		}
		sums[name] = sum
	}
	a.Manifest = &Manifest{}
	if err := w.decode(a.Manifest, maxManifest); err != nil {
		return damaged(err)
	}
	if err := w.next(); err != nil || w.head != nil {
		return errors.Join(errDamaged, err)
	}
	return a.Manifest.agrees(files, sums)
}

// damaged makes an error say that the file is damaged, once.
func damaged(err error) error {
	if errors.Is(err, errDamaged) {
		return err
	}
	return errors.Join(errDamaged, err)
}

// agrees compares what was found with what must be there.
func (m *Manifest) agrees(files FilesSum, sums map[string]*tableSummer) error {
	if files != m.Files {
		return fmt.Errorf("%d files are in it, %d by the manifest, or others", files.Count, m.Files.Count)
	}
	for i := range m.Tables {
		t := &m.Tables[i]
		sum := sums[t.Name]
		delete(sums, t.Name)
		if sum == nil {
			sum = newTableSummer() // without rows there is no entry
		}
		if err := sum.matches(t); err != nil {
			return err
		}
	}
	if len(sums) > 0 {
		return errDamaged
	}
	return nil
}
