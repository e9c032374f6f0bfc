package api

import (
	"encoding/json"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

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
		c.prefix + "/applications/" + strconv.FormatInt(application, 10) + "/exports/" + strconv.FormatInt(b.Owner, 10) + "/blobs/" + key}
}
