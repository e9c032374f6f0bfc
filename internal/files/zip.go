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

// Text is a file of an archive that is made for it.
type Text struct {
	Name    string
	Content []byte
}

// Zip prepares an archive of files, of which there is at least one; name is what each is called in it. It is Archive
// without texts.
func (s *Service) Zip(ctx context.Context, by admitto.Caller, list []admitto.File, name func(*admitto.File) string) (
	write func(io.Writer) error, err error) {
	if err := by.SignedIn(); err != nil {
		return nil, err
	}
	names := make([]string, len(list))
	for i := range list {
		names[i] = name(&list[i])
	}
	return s.Archive(ctx, by, nil, list, names)
}

// Archive prepares an archive of texts and then of files, with the name of each file in it. The first file is opened at
// once, so that a store that is not there is an error before anything is sent. write reads and writes one file after
// the other; its error means that what was written is not whole. It must be called when there is no error.
func (s *Service) Archive(ctx context.Context, by admitto.Caller, texts []Text, list []admitto.File, names []string) (
	write func(io.Writer) error, err error) {
	if err := by.SignedIn(); err != nil {
		return nil, err
	}
	var content io.ReadSeekCloser
	var failed error
	if len(list) > 0 {
		content, failed = s.OpenFile(ctx, by, &list[0])
	}
	if admitto.KindOf(failed) == admitto.Unavailable {
		return nil, failed
	}
	return func(w io.Writer) (err error) {
		archive := zip.NewWriter(w)
		archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(w, flate.BestSpeed)
		})
		for _, t := range texts {
			if failed := addText(archive, t, s.core.Now()); failed != nil {
				if content != nil {
					content.Close() //nolint:errcheck // it was only read
				}
				return failed
			}
		}
		for i := range list {
			f := &list[i]
			if i > 0 {
				content, failed = s.OpenFile(ctx, by, f)
			}
			if failed == nil {
				failed = addToZip(ctx, archive, f, names[i], content)
				content.Close() //nolint:errcheck // it was only read
			}
			if failed != nil {
				return fmt.Errorf("document %d: %w", f.ID, failed)
			}
		}
		return archive.Close()
	}, nil
}

// addText adds a file that was made for the archive.
func addText(archive *zip.Writer, t Text, now admitto.Time) error {
	w, err := archive.CreateHeader(&zip.FileHeader{Name: t.Name, Modified: now.Std(), Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = w.Write(t.Content)
	return err
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
