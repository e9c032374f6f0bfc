package api

import (
	"bytes"
	"io"

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
