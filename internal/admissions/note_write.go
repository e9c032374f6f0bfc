package admissions

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// NoteOn names what notes are on: an applicant, or an offer of an application.
type NoteOn struct{ Applicant, Application, Offer int64 }

// viewing is the permission to read the notes.
func (on NoteOn) viewing() admitto.Permission {
	if on.Offer != 0 {
		return admitto.OffersView
	}
	return admitto.ApplicantsView
}

// editing is the permission to write the notes.
func (on NoteOn) editing() admitto.Permission {
	if on.Offer != 0 {
		return admitto.OffersEdit
	}
	return admitto.ApplicantsEdit
}

// row names the notes as what is edited as one.
func (on NoteOn) row() admitto.Row {
	if on.Offer != 0 {
		return admitto.Row{Kind: admitto.OfferNotesRow, ID: on.Offer}
	}
	return admitto.Row{Kind: admitto.ApplicantNotesRow, ID: on.Applicant}
}

// notePad is what a use case needs of the notes on something that it has locked.
type notePad struct {
	actor admitto.Actor
	links admitto.Links
	offer int64
	notes []admitto.Note // by age, those taken off the card included
}

// openNotes locks what the notes are on, and reads them.
func (o *Office) openNotes(tx *store.Tx, by Caller, on NoteOn) (p *notePad, err error) {
	p = &notePad{actor: by.Actor, offer: on.Offer, links: admitto.Links{Applicant: on.Applicant}}
	if on.Offer == 0 {
		if _, err := tx.LockApplicant(on.Applicant); err != nil {
			return nil, err
		}
		p.notes, err = tx.NotesOfApplicant(on.Applicant)
		return p, err
	}
	d, err := lockApplication(tx, by, on.Application)
	if err != nil {
		return nil, err
	}
	offer, err := tx.LockOffer(on.Application, on.Offer)
	if err != nil {
		return nil, err
	}
	p.links = d.links()
	p.links.Course, p.links.Offer = offer.Course, offer.ID
	p.notes, err = tx.NotesOfOffer(on.Offer)
	return p, err
}

// record writes the event, of notes on an applicant or on an offer, that changed a note from one text to another.
func (p *notePad) record(tx *store.Tx, onApplicant, onOffer admitto.Pattern, note int64, was, is string) {
	pattern := onApplicant
	if p.offer != 0 {
		pattern = onOffer
	}
	tx.Record(p.actor, admitto.Event{Pattern: pattern, Links: p.links,
		Details: []admitto.Detail{{Path: "notes/" + strconv.FormatInt(note, 10), Old: was, New: is}}})
}

func (p *notePad) visible() (list []admitto.Note) {
	for _, n := range p.notes {
		if n.Removed == 0 {
			list = append(list, n)
		}
	}
	return list
}

func (p *notePad) add(tx *store.Tx, text string, colour admitto.Colour) (n admitto.Note, err error) {
	n = admitto.Note{Created: tx.Now(), Colour: colour, Text: text}
	if n.Colour == "" {
		n.Colour = admitto.Colours[0]
	}
	if p.offer != 0 {
		n.ID, err = tx.InsertOfferNote(p.offer, &n)
	} else {
		n.ID, err = tx.InsertNote(p.links.Applicant, &n)
	}
	if err == nil {
		p.record(tx, admitto.NoteAddedToApplicant, admitto.NoteAddedToOffer, n.ID, "", text)
	}
	return n, err
}

func (p *notePad) removeVisible(tx *store.Tx) error {
	for _, n := range p.visible() {
		if err := tx.RemoveNote(n.ID); err != nil {
			return err
		}
		p.record(tx, admitto.NoteOnApplicantRemoved, admitto.NoteOnOfferRemoved, n.ID, n.Text, "")
	}
	return nil
}

// AddNote adds a note, Yellow without a colour (resources.md 0.6). Errors: not-found.
func (o *Office) AddNote(ctx context.Context, by Caller, on NoteOn, text string, colour admitto.Colour) (n admitto.Note, err error) {
	if err := by.Needs(on.editing()); err != nil {
		return n, err
	}
	err = o.write(ctx, func(tx *store.Tx) error {
		p, err := o.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, on.row()); err != nil {
			return err
		}
		if n, err = p.add(tx, text, colour); err != nil {
			return err
		}
		return by.Made(tx, n.ID)
	})
	return n, err
}

// ReplaceNotes takes all notes off the card and writes one, or none when text is "" (resources.md 0.6). Writing what
// the notes say already, put together with the separator, changes nothing. Errors: not-found.
func (o *Office) ReplaceNotes(ctx context.Context, by Caller, on NoteOn, text string, colour admitto.Colour, separator string) error {
	if err := by.Needs(on.editing()); err != nil {
		return err
	}
	return o.write(ctx, func(tx *store.Tx) error {
		p, err := o.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, on.row()); err != nil {
			return err
		}
		joined, sameColour := "", true
		for i, n := range p.visible() {
			if i > 0 {
				joined += separator
			}
			joined += n.Text
			sameColour = sameColour && (colour == "" || n.Colour == colour)
		}
		if joined == text && sameColour {
			return nil
		}
		if err := p.removeVisible(tx); err != nil || text == "" {
			return err
		}
		_, err = p.add(tx, text, colour)
		return err
	})
}

// RemoveNotes takes all notes off the card; not-found also when there are none.
func (o *Office) RemoveNotes(ctx context.Context, by Caller, on NoteOn) error {
	if err := by.Needs(on.editing()); err != nil {
		return err
	}
	return o.write(ctx, func(tx *store.Tx) error {
		p, err := o.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		if len(p.visible()) == 0 {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		if err := by.SeesRow(tx, on.row()); err != nil {
			return err
		}
		return p.removeVisible(tx)
	})
}

// EditNote replaces the text of a note, and its colour unless that is "". Errors: not-found, also for a note that was
// taken off the card.
func (o *Office) EditNote(ctx context.Context, by Caller, on NoteOn, id int64, text string, colour admitto.Colour) error {
	if err := by.Needs(on.editing()); err != nil {
		return err
	}
	return o.write(ctx, func(tx *store.Tx) error {
		p, err := o.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		n, err := found(p.visible(), nil, func(n *admitto.Note) bool { return n.ID == id })
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.NoteRow, ID: id}); err != nil {
			return err
		}
		if colour == "" {
			colour = n.Colour
		}
		if n.Text == text && n.Colour == colour {
			return nil
		}
		if err := tx.EditNote(id, text, colour); err != nil {
			return err
		}
		p.record(tx, admitto.NoteOnApplicantEdited, admitto.NoteOnOfferEdited, id, n.Text, text)
		return nil
	})
}

// Notes lists notes by age, those taken off the card included; not-found without what they are on.
func (o *Office) Notes(ctx context.Context, by admitto.Caller, on NoteOn) ([]admitto.Note, error) {
	if err := by.Needs(on.viewing()); err != nil {
		return nil, err
	}
	if on.Offer != 0 {
		return o.OfferNotes(ctx, by, on.Application, on.Offer)
	}
	return o.ApplicantNotes(ctx, by, on.Applicant)
}

// Note reads one note, also one taken off the card; not-found as well when it is on something else.
func (o *Office) Note(ctx context.Context, by admitto.Caller, on NoteOn, id int64) (admitto.Note, error) {
	if err := by.Needs(on.viewing()); err != nil {
		return admitto.Note{}, err
	}
	list, err := o.Notes(ctx, by, on)
	return found(list, err, func(n *admitto.Note) bool { return n.ID == id })
}
