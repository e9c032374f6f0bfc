package api

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// The lengths of the text of a note, and of all notes as one text (resources.md 0.6).
const (
	maxNote  = 2048
	maxNotes = 16384
)

// newNoteInput is what POST …/notes takes; the colour is in the query when the body is a text.
type newNoteInput struct {
	Notes  params.Lines `name:"notes" len:"1-2048" required:"true"`
	Colour colour       `name:"colour" alias:"color"`
}

// colourInput is what the writes of notes whose body is a text take in the query.
type colourInput struct {
	Colour colour `name:"colour" alias:"color"`
}

// colour is the colour of a note; "" when not given.
type colour admitto.Colour

func (v *colour) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := a.Text()
	if err != nil {
		return err
	}
	if *v = colour(strings.TrimSpace(s)); slices.Contains(admitto.Colours[:], admitto.Colour(*v)) {
		return nil
	}
	return message.Of("not-one-of", text.Quote(s), "Yellow, Orange, Salmon, Green, Blue, Violet")
}

func (colour) Describe(*params.Place, *params.Field) *schema.Schema {
	s := &schema.Schema{Type: "string", Default: admitto.Colours[0]}
	for _, c := range admitto.Colours {
		s.Enum = append(s.Enum, c)
	}
	return s
}

// oneColour drops color when colour is given, which wins.
func oneColour(a params.Args) params.Args {
	if a["colour"] != nil {
		delete(a, "color")
	}
	return a
}

// noteOn is what the notes of the path are on.
func (c *call) noteOn() usecase.NoteOn {
	if strings.HasPrefix(c.row.path, "/applicants/") {
		return usecase.NoteOn{Applicant: c.ids[0]}
	}
	return usecase.NoteOn{Application: c.ids[0], Offer: c.ids[1]}
}

// noteQuery reads the colour in the query, "" without one.
func (c *call) noteQuery() (admitto.Colour, error) {
	list, err := c.queryArgs()
	if err != nil {
		return "", err
	}
	list.DropEmpty()
	var in colourInput
	err = c.decode(oneColour(list), &in)
	return admitto.Colour(in.Colour), err
}

// noteText reads a body that is the text of a note.
func (c *call) noteText() (string, error) {
	v, err := c.value()
	if err != nil {
		return "", err
	}
	s, ok := v.(string)
	if !ok {
		return "", params.InvalidBody("", message.Of("body-no-string"))
	}
	if s, err = text.Multiline(s, 1, maxNote); err != nil {
		return "", params.InvalidBody("", message.From(err))
	}
	return s, nil
}

// allFaults joins the refusal of a body with that of the query; one that is no list of faults goes first.
func allFaults(body, query error) error {
	both := &admitto.Error{Kind: admitto.InvalidParameter}
	for _, err := range []error{body, query} {
		var e *admitto.Error
		switch {
		case err == nil:
		case errors.As(err, &e) && len(e.Faults) > 0:
			both.Faults = append(both.Faults, e.Faults...)
		default:
			return err
		}
	}
	switch {
	case body == nil:
		return query
	case query == nil:
		return body
	}
	return both
}

// newNote reads a note to add: a JSON string, or parameters (resources.md 0.6).
func (c *call) newNote() (string, admitto.Colour, error) {
	raw, err := c.body()
	if err != nil {
		return "", "", err
	}
	if bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte{'"'}) {
		s, wrongText := c.noteText()
		colour, wrongColour := c.noteQuery()
		return s, colour, allFaults(wrongText, wrongColour)
	}
	list, err := c.creationArgs()
	if err != nil {
		return "", "", err
	}
	var in newNoteInput
	err = c.decode(oneColour(list), &in)
	return string(in.Notes), admitto.Colour(in.Colour), err
}

// addNote adds the note of the request to what the path names.
func (c *call) addNote() (n admitto.Note, err error) {
	on := c.noteOn()
	if _, err = c.api.services.Query.Notes(c.ctx, c.by(), on); err != nil {
		return n, err
	}
	s, colour, err := c.newNote()
	if err != nil {
		return n, err
	}
	return c.api.services.Admissions.AddNote(c.ctx, c.caller(), on, s, colour)
}

// createNote answers POST …/notes.
func (c *call) createNote() error {
	n, err := c.addNote()
	if err != nil {
		return err
	}
	return c.created(n.ID, noteRecord(&n))
}

// addNoteWithPlace answers PATCH …/notes of the versions with a collection: as POST, without a representation.
func (c *call) addNoteWithPlace() error {
	n, err := c.addNote()
	if err == nil {
		c.w.Header().Set("Location", c.placeBelow(n.ID))
	}
	return c.done(err)
}

// removeNotes answers DELETE …/notes.
func (c *call) removeNotes() error {
	on := c.noteOn()
	err := c.noParametersOf(func() error {
		list, err := c.api.services.Query.Notes(c.ctx, c.by(), on)
		if err == nil && !slices.ContainsFunc(list, func(n admitto.Note) bool { return n.Removed == 0 }) {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	if err == nil {
		err = c.api.services.Admissions.RemoveNotes(c.ctx, c.caller(), on)
	}
	return c.done(err)
}

// getNote answers GET …/notes/{id}.
func (c *call) getNote() error {
	n, err := c.api.services.Query.Note(c.ctx, c.by(), c.noteOn(), c.ids[len(c.ids)-1])
	return wholeRecord(c, n, err, noteRecord)
}

// setNote answers PUT …/notes/{id}: another text, and another colour when one is given.
func (c *call) setNote() error {
	on, id := c.noteOn(), c.ids[len(c.ids)-1]
	n, err := c.api.services.Query.Note(c.ctx, c.by(), on, id)
	if err == nil && n.Removed != 0 {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return err
	}
	s, wrongText := c.noteText()
	colour, wrongColour := c.noteQuery()
	if err = allFaults(wrongText, wrongColour); err == nil {
		err = c.api.services.Admissions.EditNote(c.ctx, c.caller(), on, id, s, colour)
	}
	return c.done(err)
}

// The operations on notes of applicants, and on those of offers (resources.md 0.6).

// createApplicantNote answers POST /applicants/{id}/notes.
func (*API) createApplicantNote(c *call) error { return c.createNote() }

// createApplicationOfferNote answers POST /applications/{id}/offers/{id}/notes.
func (*API) createApplicationOfferNote(c *call) error { return c.createNote() }

// addApplicantNote answers PATCH /applicants/{id}/notes.
func (*API) addApplicantNote(c *call) error { return c.addNoteWithPlace() }

// addApplicationOfferNote answers PATCH /applications/{id}/offers/{id}/notes.
func (*API) addApplicationOfferNote(c *call) error { return c.addNoteWithPlace() }

// deleteApplicantNotes answers DELETE /applicants/{id}/notes.
func (*API) deleteApplicantNotes(c *call) error { return c.removeNotes() }

// deleteApplicationOfferNotes answers DELETE /applications/{id}/offers/{id}/notes.
func (*API) deleteApplicationOfferNotes(c *call) error { return c.removeNotes() }

// getApplicantNote answers GET /applicants/{id}/notes/{id}.
func (*API) getApplicantNote(c *call) error { return c.getNote() }

// getApplicationOfferNote answers GET /applications/{id}/offers/{id}/notes/{id}.
func (*API) getApplicationOfferNote(c *call) error { return c.getNote() }

// setApplicantNote answers PUT /applicants/{id}/notes/{id}.
func (*API) setApplicantNote(c *call) error { return c.setNote() }

// setApplicationOfferNote answers PUT /applications/{id}/offers/{id}/notes/{id}.
func (*API) setApplicationOfferNote(c *call) error { return c.setNote() }
