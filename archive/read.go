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
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory that unpacking takes, whatever the file asks for.
const maxWindow = 64 << 20

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
	head   *tar.Header // of the present entry; nil behind the last
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
	if w.name() != formatEntry || w.decode(&head) != nil {
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

// name is that of the present entry, "" behind the last.
func (w *walker) name() string {
	if w.head == nil {
		return ""
	}
	return w.head.Name
}

// decode reads an entry of JSON.
func (w *walker) decode(v any) error {
	d := json.NewDecoder(w.tar)
	d.UseNumber()
	return d.Decode(v)
}

// table gives the rest of the lines of the table whose entry is the present one, and goes on to the next entry that is
// none of it.
func (w *walker) table(name string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var part bytes.Buffer
		for n := 1; w.name() == fmt.Sprintf("%s%s/%06d.jsonl", tablesFolder, name, n); n++ {
			part.Reset()
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
	err = w.eachFile(func(hash string, size int64, r io.Reader) error {
		a.files = append(a.files, hash)
		files.Count++
		files.Bytes += size
		fmt.Fprintln(all, hash)
		return copyHashed(io.Discard, r, hash)
	})
	if err != nil {
		return err
	}
	if !slices.IsSorted(a.files) {
		return errDamaged
	}
	files.SHA256 = hex.EncodeToString(all.Sum(nil))
	sums := map[string]*tableSummer{}
	for w.name() != manifestEntry {
		name, _, _ := strings.Cut(strings.TrimPrefix(w.name(), tablesFolder), "/")
		if sums[name] != nil || !strings.HasPrefix(w.name(), tablesFolder) {
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
	if err := w.decode(a.Manifest); err != nil {
		return errors.Join(errDamaged, err)
	}
	if err := w.next(); err != nil || w.head != nil {
		return errors.Join(errDamaged, err)
	}
	return a.Manifest.agrees(files, sums)
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
