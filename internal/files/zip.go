package files

import (
	"archive/zip"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
)

// Zip prepares an archive of files, of which there is at least one; name is what each is called in it. The first file is
// opened at once, so that a store that is not there is an error before anything is sent. write reads and writes one file
// after the other; its error means that what was written is not whole. It must be called when there is no error.
func (s *Service) Zip(ctx context.Context, by admitto.Caller, list []admitto.File, name func(*admitto.File) string) (
	write func(io.Writer) error, err error) {
	if err := by.SignedIn(); err != nil {
		return nil, err
	}
	content, failed := s.OpenFile(ctx, by, &list[0])
	if admitto.KindOf(failed) == admitto.Unavailable {
		return nil, failed
	}
	return func(w io.Writer) (err error) {
		archive := zip.NewWriter(w)
		archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(w, flate.BestSpeed)
		})
		for i := range list {
			f := &list[i]
			if i > 0 {
				content, failed = s.OpenFile(ctx, by, f)
			}
			if failed == nil {
				failed = addToZip(ctx, archive, f, name(f), content)
				content.Close() //nolint:errcheck // it was only read
			}
			if failed != nil {
				return fmt.Errorf("document %d: %w", f.ID, failed)
			}
		}
		return archive.Close()
	}, nil
}

// addToZip adds one file. Only text becomes smaller; the other kinds are compressed by themselves.
func addToZip(ctx context.Context, archive *zip.Writer, f *admitto.File, name string, content io.Reader) error {
	entry := zip.FileHeader{Name: name, Modified: f.Uploaded.Std(), Method: zip.Store}
	if strings.HasPrefix(f.MIME, "text/") {
		entry.Method = zip.Deflate
	}
	w, err := archive.CreateHeader(&entry)
	if err != nil {
		return err
	}
	n, err := io.Copy(w, content)
	if err == nil && n != f.Size {
		err = fmt.Errorf("it has %d bytes instead of %d", n, f.Size)
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}
