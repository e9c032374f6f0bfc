package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/web"
)

// listApplicationExports answers GET /applications/{id}/exports (resources.md 9).
func (a *API) listApplicationExports(c *call) error {
	list, err := a.services.Query.Exports(c.ctx, c.by(), c.ids[0])
	return wholeList(c, list, err, func(e *admitto.Export) int64 { return e.ID }, exportRecord)
}

// getApplicationExport answers GET /applications/{id}/exports/{id}.
func (a *API) getApplicationExport(c *call) error {
	e, err := a.services.Query.Export(c.ctx, c.by(), c.ids[0], c.ids[1])
	return wholeRecord(c, e, err, exportRecord)
}

// listApplicationExportBlobs answers GET /applications/{id}/exports/{id}/blobs.
func (a *API) listApplicationExportBlobs(c *call) error {
	list, err := a.services.Query.Blobs(c.ctx, c.by(), c.ids[0], c.ids[1])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return namedList(c, list, (*admitto.Blob).Key, func(b *admitto.Blob) any { return c.blobRecord(c.ids[0], b) })
}

// getApplicationExportBlob answers GET /applications/{id}/exports/{id}/blobs/{blob}.
func (a *API) getApplicationExportBlob(c *call) error {
	b, err := a.services.Query.Blob(c.ctx, c.by(), c.ids[0], c.ids[1], c.name)
	return c.answerFile(b.File, err, web.Attachment)
}
