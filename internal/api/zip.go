package api

import (
	"archive/zip"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/web"
)

// zipInput is what an archive of documents takes (resources.md 24.8).
type zipInput struct {
	SkipExtractedPages params.Ignored `name:"skip-extracted-pages"`
}

// getApplicationDocumentsZip answers GET /applications/{id}/documents/zip (resources.md 24.8).
func (a *API) getApplicationDocumentsZip(c *call) error {
	list, err := a.services.Query.Documents(c.ctx, c.by(), c.ids[0])
	return c.zipOf(list, err)
}

// getApplicationTaskDocumentsZip answers GET /applications/{id}/tasks/{id}/documents/zip (resources.md 24.6).
func (a *API) getApplicationTaskDocumentsZip(c *call) error {
	list, err := a.services.Query.TaskDocuments(c.ctx, c.by(), c.ids[0], c.ids[1])
	return c.zipOf(list, err)
}

// zipOf answers an archive of documents of an application, as a stream: one file after the other is read and
// written, and what fails midway ends the connection, so that no part looks like the whole.
func (c *call) zipOf(list []admitto.File, err error) error {
	if err == nil && len(list) == 0 {
		err = &admitto.Error{Kind: admitto.NotFound, Text: message.Of("no-documents")}
	}
	if err != nil {
		return err
	}
	query, err := c.queryArgs()
	if err == nil {
		err = c.decode(query, &zipInput{})
	}
	if err != nil {
		return err
	}
	var first io.ReadSeekCloser
	if c.r.Method != http.MethodHead {
		if first, err = c.api.services.Files.OpenFile(c.ctx, c.by(), &list[0]); admitto.KindOf(err) == admitto.Unavailable {
			return err // nothing is sent yet, so this is a clean error
		}
	}
	h := c.w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", web.ContentDisposition(web.Attachment,
		"application-"+strconv.FormatInt(c.ids[0], 10)+"-documents.zip"))
	h.Set("Cache-Control", "private, no-store")
	c.beginStream()
	if c.r.Method == http.MethodHead {
		return nil
	}
	if err == nil {
		err = c.writeZip(list, first)
	}
	if err != nil {
		if c.ctx.Err() == nil {
			c.info.Problem = err // else the client has gone, which is no fault of ours
		}
		panic(http.ErrAbortHandler) // what was sent must not look complete
	}
	return nil
}

// writeZip writes the archive; the first file is open already.
func (c *call) writeZip(list []admitto.File, content io.ReadSeekCloser) (err error) {
	archive := zip.NewWriter(c.w)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser,
		error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	for i := range list {
		if content == nil {
			if content, err = c.api.services.Files.OpenFile(c.ctx, c.by(), &list[i]); err != nil {
				return fmt.Errorf("document %d: %w", list[i].ID, err)
			}
		}
		err := addToZip(c.ctx, archive, &list[i], content)
		content.Close() // nothing was written
		if content = nil; err != nil {
			return fmt.Errorf("document %d: %w", list[i].ID, err)
		}
	}
	return archive.Close()
}

// addToZip adds one file. Only text becomes smaller; the other kinds are compressed by themselves.
func addToZip(ctx context.Context, archive *zip.Writer, f *admitto.File, content io.Reader) error {
	entry := zip.FileHeader{Name: strconv.FormatInt(f.ID, 10) + "-" + web.SafeName(f.Name), Modified: f.Uploaded.Std(),
		Method: zip.Store}
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
