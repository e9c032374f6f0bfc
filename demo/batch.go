package demo

import (
	"context"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/store"
)

// batch is what one transaction stores. It is made before the transaction begins, since that may run twice.
type batch struct {
	keys         []admitto.Key
	trackers     []admitto.Tracker
	applicants   []store.BulkApplicant
	associations []admitto.TrackerAssociation
	notes        []store.BulkNote
	emails       []admitto.Email
	happened     []*happening // in the order of time
}

func (b *batch) full() bool { return len(b.applicants) >= applicantsAtOnce || b.fullOfEvents() }

func (b *batch) fullOfEvents() bool { return len(b.happened) >= happeningsAtOnce }

// happen puts something whose moment has come into the batch, and gives its row an ID.
func (w *world) happen(h *happening) {
	b := &w.batch
	switch {
	case h.tracker != nil:
		b.trackers = append(b.trackers, *h.tracker)
	case h.association != nil:
		b.associations = append(b.associations, *h.association)
	case h.note != nil:
		w.noteID++
		h.note.ID = w.noteID
		b.notes = append(b.notes, *h.note)
	case h.email != nil:
		w.emailID++
		h.email.ID = w.emailID
		b.emails = append(b.emails, *h.email)
	}
	b.happened = append(b.happened, h)
}

// store writes the batch in one transaction and begins a new one.
func (w *world) store(ctx context.Context, s *store.Store) error {
	b := &w.batch
	err := s.Write(ctx, func(tx *store.Tx) error {
		for i := range b.keys {
			// A hash to which no text is known, so the key opens nothing even if it were in force.
			if _, err := tx.InsertKey(&b.keys[i], [32]byte{31: byte(i)}); err != nil {
				return err
			}
		}
		for _, step := range []func() error{
			func() error { return tx.InsertTrackers(b.trackers) },
			func() error { return tx.InsertApplicants(b.applicants) },
			func() error { return tx.InsertTrackerAssociations(b.associations) },
			func() error { return tx.InsertNotes(b.notes) },
			func() error { return tx.InsertEmails(b.emails) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		for _, h := range b.happened {
			if h.event.Pattern != "" {
				tx.RecordAt(h.at, h.actor, h.event)
			}
		}
		return nil
	})
	w.batch = batch{}
	return err
}
