package demo

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// batch is what one transaction stores. It is made before the transaction begins, since that may run twice.
type batch struct {
	catalogue    *catalogue // in the first one only
	trackers     []admitto.Tracker
	applicants   []store.BulkApplicant
	associations []admitto.TrackerAssociation
	notes        []store.BulkNote
	emails       []admitto.Email
	attachments  []admitto.File // of mails

	consents     []admitto.ConsentDecision
	wishes       []admitto.Wish
	photos       []admitto.File
	matriculated []store.BulkMatriculation
	applications []admitto.Application
	contents     []store.BulkContent
	courses      []store.BulkCourse
	flags        []admitto.FlagAssociation
	tasks        []store.BulkTask
	documents    []store.BulkDocument
	offers       []store.BulkOffer
	offerFiles   []admitto.File
	letters      []admitto.Letter
	scores       []admitto.Score
	exports      []admitto.Export
	blobs        []store.BulkBlob
	studyPlans   []admitto.StudyPlan
	invoices     []admitto.InvoiceCase
	numbers      []store.InvoiceNumber
	transactions []admitto.Transaction
	happened     []record // in the order of time
	files        []madeFile
	done         int // how many of all applicants are in the database once it is stored
}

// record is a journal record to be.
type record struct {
	at    admitto.Time
	actor admitto.Actor
	event admitto.Event
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
		h.note.ID = w.last.note.next()
		b.notes = append(b.notes, *h.note)
	case h.email != nil:
		h.email.ID = w.last.email.next()
		b.emails = append(b.emails, h.email.Email)
		if f := h.email.attachment; f != nil {
			file := *f
			file.ID, file.Owner, file.Uploaded = w.last.emailAttachment.next(), h.email.ID, h.email.Inserted
			b.attachments = append(b.attachments, file)
		}
	}
	if h.rows != nil {
		h.rows()
	}
	if h.event.Pattern == "" {
		return
	}
	if h.about != nil {
		h.event.Links = h.about.links()
	}
	if h.complete != nil {
		h.complete(&h.event)
	}
	if h.actor.Kind == admitto.ByAdministrator {
		h.event.Links.Administrator = h.actor.ID
	}
	b.happened = append(b.happened, record{h.at, h.actor, h.event})
}

// sequence gives the IDs of a table.
type sequence int64

func (s *sequence) next() int64 {
	*s++
	return int64(*s)
}

// sequences are the highest IDs given so far.
type sequences struct {
	note, email, emailAttachment, wish, application, task, document, offer, offerFile, letter, score, export, studyPlan, invoice,
	transaction sequence
}

// store writes the batch in one transaction, the files before it.
func (b *batch) store(ctx context.Context, s *store.Store, files Files) error {
	if files != nil {
		for _, f := range b.files {
			if err := files.PutFile(ctx, f.hash, f.data); err != nil {
				return err
			}
		}
	}
	return s.Write(ctx, func(tx *store.Tx) error {
		if b.catalogue != nil {
			if err := b.catalogue.store(tx); err != nil {
				return err
			}
		}
		for _, step := range []func() error{
			func() error { return tx.InsertTrackers(b.trackers) },
			func() error { return tx.InsertApplicants(b.applicants) },
			func() error { return tx.InsertTrackerAssociations(b.associations) },
			func() error { return tx.InsertEmails(b.emails) },
			func() error { return tx.InsertEmailAttachments(b.attachments) },
			func() error { return tx.InsertConsentDecisions(b.consents) },
			func() error { return tx.InsertWishes(b.wishes) },
			func() error { return tx.InsertPhotos(b.photos) },
			func() error { return tx.SetMatriculations(b.matriculated) },
			func() error { return tx.InsertApplications(b.applications) },
			func() error { return tx.InsertApplicationCourses(b.courses) },
			func() error { return tx.InsertFlagAssociations(b.flags) },
			func() error { return tx.InsertTasks(b.tasks) },
			func() error { return tx.InsertDocuments(b.documents) },
			func() error { return tx.InsertContents(b.contents) },
			func() error { return tx.InsertOffers(b.offers) },
			func() error { return tx.InsertOfferAttachments(b.offerFiles) },
			func() error { return tx.InsertLetters(b.letters) },
			func() error { return tx.InsertNotes(b.notes) },
			func() error { return tx.InsertScores(b.scores) },
			func() error { return tx.InsertExports(b.exports) },
			func() error { return tx.InsertBlobs(b.blobs) },
			func() error { return tx.InsertStudyPlans(b.studyPlans) },
			func() error { return tx.InsertInvoices(b.invoices) },
			func() error { return tx.InsertNumbers(b.numbers, nil) },
			func() error { return tx.InsertTransactions(b.transactions) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		for i := range b.happened {
			r := &b.happened[i]
			tx.RecordAt(r.at, r.actor, r.event)
		}
		return nil
	})
}
