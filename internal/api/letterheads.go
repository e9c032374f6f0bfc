package api

import "github.com/admitto/admitto/internal/admitto"

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
