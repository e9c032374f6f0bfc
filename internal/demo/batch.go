package demo

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
)

// batch is what one transaction stores. It is made before the transaction begins, since that may run twice.
type batch struct {
	catalogue    *catalogue // in the first one only
	trackers     []admitto.Tracker
	applicants   []load.ApplicantRow
	associations []admitto.TrackerAssociation
	notes        []load.NoteRow
	emails       []admitto.Email
	attachments  []admitto.File // of mails

	consents     []admitto.ConsentDecision
	wishes       []admitto.Wish
	photos       []admitto.File
	matriculated []load.MatriculationRow
	applications []admitto.Application
	contents     []load.ContentRow
	courses      []load.CourseRow
	flags        []admitto.FlagAssociation
	tasks        []admitto.TaskCase
	causes       []admitto.RuleAction // what has made tasks of its own accord
	documents    []load.DocumentRow
	offers       []load.OfferRow
	offerFiles   []admitto.File
	letters      []admitto.Letter
	scores       []admitto.Score
	exports      []admitto.Export
	blobs        []admitto.Blob
	studyPlans   []admitto.StudyPlan
	invoices     []admitto.Invoice
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

// happen puts something whose time has come into the batch, and numbers its row.
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
		if h.email.about != nil {
			h.email.Application = h.email.about.row.ID
		}
		if at := h.email.Delivered; at != 0 && at < w.ends-30*admitto.Day {
			h.email.Read = at + admitto.Hour // what came lately is not read yet
		}
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
	if h.email != nil {
		h.event.Links.Email = h.email.ID
	}
	if h.actor.Kind == admitto.ByAdministrator {
		h.event.Links.Administrator = h.actor.ID
	}
	b.happened = append(b.happened, record{h.at, h.actor, h.event})
}

// sequence returns the IDs of a table.
type sequence int64

func (s *sequence) next() int64 {
	*s++
	return int64(*s)
}

// sequences are the highest IDs given so far.
type sequences struct {
	note, email, emailAttachment, wish, application, task, document, offer, offerFile, letter, score, export, studyPlan,
	invoice,
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
			func() error { return load.Trackers(tx, b.trackers) },
			func() error { return load.Applicants(tx, b.applicants) },
			func() error { return load.TrackerAssociations(tx, b.associations) },
			func() error { return load.Emails(tx, b.emails) },
			func() error { return load.EmailAttachments(tx, b.attachments) },
			func() error { return load.ConsentDecisions(tx, b.consents) },
			func() error { return load.Wishes(tx, b.wishes) },
			func() error { return load.Photos(tx, b.photos) },
			func() error { return load.SetMatriculations(tx, b.matriculated) },
			func() error { return load.Applications(tx, b.applications) },
			func() error { return load.ApplicationCourses(tx, b.courses) },
			func() error { return load.FlagAssociations(tx, b.flags) },
			func() error { return load.Tasks(tx, b.tasks) },
			func() error { return load.RuleActions(tx, b.causes) },
			func() error { return load.Documents(tx, b.documents) },
			func() error { return load.Contents(tx, b.contents) },
			func() error { return load.Offers(tx, b.offers) },
			func() error { return load.OfferAttachments(tx, b.offerFiles) },
			func() error { return load.Letters(tx, b.letters) },
			func() error { return load.Notes(tx, b.notes) },
			func() error { return load.Scores(tx, b.scores) },
			func() error { return load.Exports(tx, b.exports) },
			func() error { return load.Blobs(tx, b.blobs) },
			func() error { return load.StudyPlans(tx, b.studyPlans) },
			func() error { return load.Invoices(tx, b.invoices) },
			func() error { return tx.InsertNumbers(b.numbers, nil) },
			func() error { return load.Transactions(tx, b.transactions) },
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
