package api

import (
	"io"
	"net/http"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
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
	var write func(io.Writer) error
	if c.r.Method != http.MethodHead {
		if write, err = c.api.services.Files.Zip(c.ctx, c.by(), list, zipName); err != nil {
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
	if err := write(c.w); err != nil {
		if c.ctx.Err() == nil {
			c.info.Problem = err // else the client has gone, which is no fault of ours
		}
		panic(http.ErrAbortHandler) // what was sent must not look complete
	}
	return nil
}

// zipName is what a document is called in an archive (resources.md 24.8).
func zipName(f *admitto.File) string {
	return strconv.FormatInt(f.ID, 10) + "-" + text.SafeName(f.Name)
}
