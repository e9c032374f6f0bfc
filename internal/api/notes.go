package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
)

// listApplicantNotes answers GET /applicants/{id}/notes.
func (a *API) listApplicantNotes(c *call) error {
	list, err := a.services.Query.ApplicantNotes(c.ctx, c.by(), c.ids[0])
	return c.notes(list, err)
}

// listApplicationOfferNotes answers GET /applications/{id}/offers/{id}/notes.
func (a *API) listApplicationOfferNotes(c *call) error {
	list, err := a.services.Query.OfferNotes(c.ctx, c.by(), c.ids[0], c.ids[1])
	return c.notes(list, err)
}

// notes answers a collection of notes; in the versions before it the active notes as one text, "" for none
// (resources.md 0.6).
func (c *call) notes(list []admitto.Note, err error) error {
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	if !c.version.Has(version.NotesCollection) {
		return c.joinedNotes(list)
	}
	return smallList(c, list, func(n *admitto.Note) int64 { return n.ID }, noteRecord)
}

// noteWire is a note (resources.md 0.6).
type noteWire struct {
	ID        int64        `wire:"id"`
	Created   admitto.Time `wire:"created"`
	Removed   admitto.Time `wire:"removed"`
	Colour    string       `wire:"colour"`
	Pinned    bool         `wire:"pinned"`
	Collapsed bool         `wire:"collapsed"`
	Notes     string       `wire:"notes"`
}

func noteRecord(n *admitto.Note) any {
	return &noteWire{n.ID, n.Created, n.Removed, string(n.Colour), n.Pinned, n.Collapsed, n.Text}
}
