package api

import (
	"strings"

	"github.com/admitto/admitto"
)

// listApplicantNotes answers GET /applicants/{id}/notes.
func (a *API) listApplicantNotes(c *call) error {
	list, err := a.office.ApplicantNotes(c.ctx, c.ids[0])
	return c.notes(list, err)
}

// listApplicationOfferNotes answers GET /applications/{id}/offers/{id}/notes.
func (a *API) listApplicationOfferNotes(c *call) error {
	list, err := a.office.OfferNotes(c.ctx, c.ids[0], c.ids[1])
	return c.notes(list, err)
}

// notes answers a collection of notes; in the versions before it the notes in force as one text, "" for none
// (resources.md 0.6).
func (c *call) notes(list []admitto.Note, err error) error {
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	if c.version.has(notesCollection) {
		return smallList(c, list, func(n *admitto.Note) int64 { return n.ID }, noteRecord)
	}
	var texts []string
	for i := range list {
		if list[i].Removed == 0 {
			texts = append(texts, list[i].Text)
		}
	}
	joined := strings.Join(texts, noteSeparator)
	return c.object(&joined)
}
