package api

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/text"
)

// What only versions 1 to 5 have, before the change notesCollection: the notes on something are one text. Each caller
// has one guard, "if !c.version.Has(version.NotesCollection)"; the writes are the rows before(version.NotesCollection)
// of the table, the fields those with the tag until:"5". Below, what the versions 4 and 5 have between the changes
// offerOutcomes and ownStatuses: applications that read what their offers came to.

// noteSeparator stands between notes where they are one text (resources.md 0.6).
const noteSeparator = " -- "

// joinedNotes answers the active notes as one text.
func (c *call) joinedNotes(list []admitto.Note) error {
	var texts []string
	for i := range list {
		if list[i].Removed == 0 {
			texts = append(texts, list[i].Text)
		}
	}
	joined := strings.Join(texts, noteSeparator)
	return c.object(&joined)
}

// setJoinedNotes fills the field that holds the notes of an offer.
func (w *offerWire) setJoinedNotes(o *admitto.Offer, with *offerParts) {
	if with != nil {
		w.JoinedNotes = wire.Nullable(strings.Join(with.Notes[o.ID], noteSeparator))
	}
}

// setJoinedNotes fills the field that holds the notes of an applicant.
func (w *applicantWire) setJoinedNotes(a *admitto.Applicant, with *query.ApplicantParts) {
	w.JoinedNotes = wire.Nullable(strings.Join(with.Notes[a.ID], noteSeparator))
}

// outcomes are what applications read as next to their statuses in the versions 4 and 5 (resources.md 6.2), before the
// change ownStatuses.
func outcomes() []admitto.StatusText {
	return []admitto.StatusText{{Name: admitto.Accepted, Title: "Accepted", Colour: "#43A047",
		Verbose: "Submitted, and an offer was accepted"},
		{Name: admitto.Rejected, Title: "Rejected", Colour: "#E53935", Verbose: "Every offer was answered with a refusal"}}
}

// withOutcomes puts the outcomes behind Submitted.
func withOutcomes(v version.Number, list []admitto.StatusText) []admitto.StatusText {
	if !v.Has(version.OfferOutcomes) {
		return list
	}
	at := slices.IndexFunc(list, func(s admitto.StatusText) bool { return s.Name == admitto.Submitted })
	return slices.Insert(list, at+1, outcomes()...)
}

// addOutcomes lets byStatuses take the names of the outcomes.
func addOutcomes(v version.Number, meaning map[string]string) {
	if !v.Has(version.OfferOutcomes) {
		return
	}
	for _, o := range outcomes() {
		meaning[strings.ToLower(string(o.Name))] = string(o.Name)
	}
}

// addNoteText answers PATCH …/notes of the versions in which notes are one text.
func (c *call) addNoteText() error {
	on := c.noteOn()
	if _, err := c.api.services.Query.Notes(c.ctx, c.by(), on); err != nil {
		return err
	}
	s, wrongText := c.noteText()
	colour, wrongColour := c.noteQuery()
	if err := allFaults(wrongText, wrongColour); err != nil {
		return err
	}
	_, err := c.api.services.Admissions.AddNote(c.ctx, c.caller(), on, s, colour)
	return c.done(err)
}

// replaceNotes answers PUT …/notes of the versions in which notes are one text; null or "" removes all.
func (c *call) replaceNotes() error {
	on := c.noteOn()
	if _, err := c.api.services.Query.Notes(c.ctx, c.by(), on); err != nil {
		return err
	}
	s, wrongText := c.textOrNull(func(s string) (string, error) { return text.Multiline(s, 0, maxNotes) })
	colour, wrongColour := c.noteQuery()
	err := allFaults(wrongText, wrongColour)
	if err == nil {
		err = c.api.services.Admissions.ReplaceNotes(c.ctx, c.caller(), on, s, colour, noteSeparator)
	}
	return c.done(err)
}

// addApplicantNoteText answers PATCH /applicants/{id}/notes where notes are one text.
func (*API) addApplicantNoteText(c *call) error { return c.addNoteText() }

// addApplicationOfferNoteText answers PATCH /applications/{id}/offers/{id}/notes where notes are one text.
func (*API) addApplicationOfferNoteText(c *call) error { return c.addNoteText() }

// replaceApplicantNotes answers PUT /applicants/{id}/notes.
func (*API) replaceApplicantNotes(c *call) error { return c.replaceNotes() }

// replaceApplicationOfferNotes answers PUT /applications/{id}/offers/{id}/notes.
func (*API) replaceApplicationOfferNotes(c *call) error { return c.replaceNotes() }
