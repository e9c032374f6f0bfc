package api

import (
	"encoding/json"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
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

// exportWire is a package of an application for another system (resources.md 9).
type exportWire struct {
	ID        int64         `wire:"id"`
	Exported  admitto.Time  `wire:"exported"`
	Processed admitto.Time  `wire:"processed"`
	Cancelled admitto.Time  `wire:"cancelled"`
	Offer     wire.Link     `wire:"offer"`
	Profile   exportProfile `wire:"profile"`
	Blobs     wire.Link     `wire:"blobs"`
}

type exportProfile struct {
	Code    string        `wire:"code"`
	Name    string        `wire:"name"`
	Adapter exportAdapter `wire:"adapter"`
}

type exportAdapter struct {
	Adapter string          `wire:"adapter"`
	Fields  json.RawMessage `wire:"fields"` // an object even when empty
}

func exportRecord(e *admitto.Export) any {
	fields := e.Profile.Fields
	if fields == nil {
		fields = map[string]string{}
	}
	return &exportWire{ID: e.ID, Exported: e.Exported, Processed: e.Processed, Cancelled: e.Cancelled,
		Offer: wire.LinkTo("/applications/{}/offers/{}", e.Application, e.Offer),
		Profile: exportProfile{e.Profile.Code, e.Profile.Name,
			exportAdapter{e.Profile.Adapter, wire.AppendJSON(nil, fields)}},
		Blobs: wire.LinkTo("/applications/{}/exports/{}/blobs", e.Application, e.ID)}
}

// blobWire is a downloadable file of an export (resources.md 9).
type blobWire struct {
	Blob     string       `wire:"blob"`
	Uploaded admitto.Time `wire:"uploaded"`
	Name     string       `wire:"name"`
	MIME     string       `wire:"mime"`
	Size     string       `wire:"size"`
	Expires  admitto.Time `wire:"expires"`
	Path     string       `wire:"path"`
}

// blobRecord is a file of an export of the application. Its name is part of the path, which a link cannot hold.
func (c *call) blobRecord(application int64, b *admitto.Blob) any {
	key := b.Key()
	return &blobWire{key, b.Uploaded, b.Name, b.MIME, strconv.FormatInt(b.Size, 10), b.Expires,
		c.prefix + "/applications/" + strconv.FormatInt(application, 10) + "/exports/" + strconv.FormatInt(b.Owner,
			10) + "/blobs/" + key}
}
