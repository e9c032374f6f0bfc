package api

import (
	"bytes"
	"io"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/web"
)

// getApplicationPdf answers GET /applications/{id}/pdf (resources.md 11).
func (a *API) getApplicationPdf(c *call) error {
	f, data, err := a.services.Query.Printout(c.ctx, c.by(), c.ids[0])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	c.w.Header().Set("X-Count", "1")
	return c.fileBytes(&f, inMemory{bytes.NewReader(data)}, web.Inline)
}

// inMemory is a file that nobody needs to close.
type inMemory struct{ io.ReadSeeker }

func (inMemory) Close() error { return nil }

// letterheadWire is a letterhead (resources.md 24.10).
type letterheadWire struct {
	ID       int64        `wire:"id"`
	Name     string       `wire:"name"`
	Created  admitto.Time `wire:"created"`
	Modified admitto.Time `wire:"modified"`
}

func letterheadRecord(l *admitto.Letterhead) any {
	return &letterheadWire{l.ID, l.Name, l.Created, l.Modified}
}

// listLetterheads answers GET /letterheads.
func (a *API) listLetterheads(c *call) error {
	list, err := a.services.Query.Letterheads(c.ctx, c.by())
	return wholeList(c, list, err, func(l *admitto.Letterhead) int64 { return l.ID }, letterheadRecord)
}

// getLetterhead answers GET /letterheads/{id}.
func (a *API) getLetterhead(c *call) error {
	l, err := a.services.Query.Letterhead(c.ctx, c.by(), c.ids[0])
	return wholeRecord(c, l, err, letterheadRecord)
}
