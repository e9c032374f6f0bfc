package admissions

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// notePad is what a use case needs of the notes on something that it has locked.
type notePad struct {
	actor admitto.Actor
	links admitto.Links
	offer int64
	notes []admitto.Note // by age, those taken off the card included
}

// openNotes locks what the notes are on, and reads them.
func (s *Service) openNotes(tx *store.Tx, by usecase.Caller, on usecase.NoteOn) (p *notePad, err error) {
	p = &notePad{actor: by.Actor, offer: on.Offer, links: admitto.Links{Applicant: on.Applicant}}
	if on.Offer == 0 {
		if _, err := tx.LockApplicant(on.Applicant); err != nil {
			return nil, err
		}
		p.notes, err = tx.NotesOfApplicant(on.Applicant)
		return p, err
	}
	d, err := usecase.LockApplication(tx, by, on.Application)
	if err != nil {
		return nil, err
	}
	offer, err := tx.LockOffer(on.Application, on.Offer)
	if err != nil {
		return nil, err
	}
	p.links = d.Links()
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
	tx.Record(p.actor, admitto.Event{Pattern: pattern, Links: p.linksOf(note),
		Details: []admitto.Detail{{Path: "notes/" + strconv.FormatInt(note, 10), Old: was, New: is}}})
}

// linksOf names what an event about one of the notes concerns.
func (p *notePad) linksOf(note int64) admitto.Links {
	links := p.links
	links.Note = note
	return links
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
func (s *Service) AddNote(ctx context.Context, by usecase.Caller, on usecase.NoteOn, text string,
	colour admitto.Colour) (n admitto.Note, err error) {
	if err := by.Needs(on.Editing()); err != nil {
		return n, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		p, err := s.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, on.Row()); err != nil {
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
func (s *Service) ReplaceNotes(ctx context.Context, by usecase.Caller, on usecase.NoteOn, text string,
	colour admitto.Colour, separator string) error {
	if err := by.Needs(on.Editing()); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		p, err := s.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, on.Row()); err != nil {
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
func (s *Service) RemoveNotes(ctx context.Context, by usecase.Caller, on usecase.NoteOn) error {
	if err := by.Needs(on.Editing()); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		p, err := s.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		if len(p.visible()) == 0 {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		if err := by.SeesRow(tx, on.Row()); err != nil {
			return err
		}
		return p.removeVisible(tx)
	})
}

// EditNote replaces the text of a note, and its colour unless that is "". Errors: not-found, also for a note that was
// taken off the card.
func (s *Service) EditNote(ctx context.Context, by usecase.Caller, on usecase.NoteOn, id int64, text string,
	colour admitto.Colour) error {
	if err := by.Needs(on.Editing()); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		p, err := s.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		n, err := usecase.Found(p.visible(), nil, func(n *admitto.Note) bool { return n.ID == id })
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

// RemoveNote takes one note off the card. Errors: not-found, also for a note that was taken off before.
func (s *Service) RemoveNote(ctx context.Context, by usecase.Caller, on usecase.NoteOn, id int64) error {
	if err := by.Needs(on.Editing()); err != nil {
		return err
	}
	return s.changeNote(ctx, by, on, id, func(tx *store.Tx, p *notePad, n *admitto.Note) error {
		if n.Removed != 0 {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		p.record(tx, admitto.NoteOnApplicantRemoved, admitto.NoteOnOfferRemoved, id, n.Text, "")
		return tx.RemoveNote(id)
	})
}

// RestoreNote puts a note back on the card; one that is there stays so. Errors: not-found.
func (s *Service) RestoreNote(ctx context.Context, by usecase.Caller, on usecase.NoteOn, id int64) error {
	if err := by.Needs(on.Editing()); err != nil {
		return err
	}
	return s.changeNote(ctx, by, on, id, func(tx *store.Tx, p *notePad, n *admitto.Note) error {
		if n.Removed == 0 {
			return nil
		}
		p.record(tx, admitto.NoteOnApplicantRestored, admitto.NoteOnOfferRestored, id, "", n.Text)
		return tx.RestoreNote(id)
	})
}

// PinNote makes a note stand before all others, or not any more; what is so already stays so. Errors: not-found, also
// for a note that was taken off the card.
func (s *Service) PinNote(ctx context.Context, by usecase.Caller, on usecase.NoteOn, id int64, pinned bool) error {
	if err := by.Needs(on.Editing()); err != nil {
		return err
	}
	return s.markNote(ctx, by, on, id, "pinned", pinned, func(n *admitto.Note) bool { return n.Pinned },
		(*store.Tx).PinNote)
}

// CollapseNote shows the first words of a note alone, or all of it; what is so already stays so. Errors: not-found,
// also for a note that was taken off the card.
func (s *Service) CollapseNote(ctx context.Context, by usecase.Caller, on usecase.NoteOn, id int64,
	collapsed bool) error {
	if err := by.Needs(on.Editing()); err != nil {
		return err
	}
	return s.markNote(ctx, by, on, id, "collapsed", collapsed, func(n *admitto.Note) bool { return n.Collapsed },
		(*store.Tx).CollapseNote)
}

// markNote gives a note on the card a mark or takes it, unless it is so already.
func (s *Service) markNote(ctx context.Context, by usecase.Caller, on usecase.NoteOn, id int64, mark string, has bool,
	is func(*admitto.Note) bool, set func(*store.Tx, int64, bool) error) error {
	return s.changeNote(ctx, by, on, id, func(tx *store.Tx, p *notePad, n *admitto.Note) error {
		if n.Removed != 0 {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		if is(n) == has {
			return nil
		}
		p.recordMark(tx, id, mark, has)
		return set(tx, id, has)
	})
}

// recordMark writes the event that a note has a mark now, or has it no more.
func (p *notePad) recordMark(tx *store.Tx, id int64, mark string, has bool) {
	pattern := admitto.NoteOnApplicantEdited
	if p.offer != 0 {
		pattern = admitto.NoteOnOfferEdited
	}
	tx.Record(p.actor, admitto.Event{Pattern: pattern, Links: p.linksOf(id), Details: []admitto.Detail{{
		Path: "notes/" + strconv.FormatInt(id, 10) + "/" +
			mark, Old: strconv.FormatBool(!has), New: strconv.FormatBool(has)}}})
}

// changeNote finds one of the notes, those taken off the card included, and changes it.
func (s *Service) changeNote(ctx context.Context, by usecase.Caller, on usecase.NoteOn, id int64,
	change func(*store.Tx, *notePad, *admitto.Note) error) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		p, err := s.openNotes(tx, by, on)
		if err != nil {
			return err
		}
		n, err := usecase.Found(p.notes, nil, func(n *admitto.Note) bool { return n.ID == id })
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.NoteRow, ID: id}); err != nil {
			return err
		}
		return change(tx, p, &n)
	})
}
