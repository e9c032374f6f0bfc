package privacy

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// mostDecisions is how many decisions on consents an export lists, the newest.
const mostDecisions = 1000

// words are the names of what records of people refer to.
type words struct {
	courses, terms, types, publicTitles, flags, trackers, sheets map[int64]string
}

// readWords reads them, those of the institution in the language of the person (lifecycle.md R11).
func readWords(tx *store.Tx, lang string) (w words, err error) {
	courses, err := tx.Courses(admitto.CourseQuery{})
	if w.courses, err = usecase.Named(courses, err, func(c *admitto.Course) (int64, string) {
		name, _ := c.NameIn(lang)
		return c.ID, name
	}); err != nil {
		return w, err
	}
	terms, err := tx.Terms()
	if w.terms, err = usecase.Named(terms, err, func(t *admitto.Term) (int64, string) {
		name, _ := t.NameIn(lang)
		return t.ID, name
	}); err != nil {
		return w, err
	}
	types, err := tx.OfferTypes()
	if w.types, err = usecase.Named(types, err, func(t *admitto.OfferType) (int64, string) {
		return t.ID,
			t.Title
	}); err != nil {
		return w, err
	}
	if w.publicTitles, err = usecase.Named(types, err, func(t *admitto.OfferType) (int64, string) {
		title, _ := t.PublicTitleIn(lang)
		return t.ID, title
	}); err != nil {
		return w, err
	}
	flags, err := tx.Flags()
	if w.flags, err = usecase.Named(flags, err, func(f *admitto.Flag) (int64, string) {
		return f.ID,
			f.Name
	}); err != nil {
		return w, err
	}
	trackers, err := tx.Trackers()
	if w.trackers, err = usecase.Named(trackers, err,
		func(t *admitto.Tracker) (int64, string) { return t.ID, t.Code }); err != nil {
		return w, err
	}
	sheets, err := tx.Scoresheets()
	w.sheets, err = usecase.Named(sheets, err, func(s *admitto.Scoresheet) (int64, string) { return s.ID, s.Name })
	return w, err
}

// read reads all of it in one transaction, so that it is of one time.
func (d *personalData) read(tx *store.Tx, applicant int64) error {
	account, err := tx.ApplicantAccount(applicant)
	if err != nil {
		return err
	}
	d.Applicant, d.SignedIn, d.Language = account.Applicant, account.SignedIn, account.Language
	w, err := readWords(tx, d.reads)
	if err != nil {
		return err
	}
	if d.in.classes, err = tx.Classificators(); err != nil {
		return err
	}
	for _, read := range []func(*store.Tx, *words, int64) error{d.readPerson, d.readMails, d.readApplications,
		d.readSessions, d.readEvents} {
		if err := read(tx, &w, applicant); err != nil {
			return err
		}
	}
	if d.own {
		d.hideFromApplicant()
	}
	return nil
}

func (d *personalData) readPerson(tx *store.Tx, w *words, applicant int64) error {
	photo, err := tx.Photo(applicant)
	if err == nil {
		f := d.file("photo", &photo)
		d.Photo = &f
	} else if admitto.KindOf(err) != admitto.NotFound {
		return err
	}
	if d.Notes, err = tx.NotesOfApplicant(applicant); err != nil {
		return err
	}
	trackers, err := tx.TrackersOf([]int64{applicant})
	if err != nil {
		return err
	}
	for _, t := range trackers[applicant] {
		d.Trackers = append(d.Trackers, named[admitto.TrackerAssociation]{w.trackers[t.Tracker], t})
	}
	if err := d.readImports(tx, applicant); err != nil {
		return err
	}
	if d.Consents, err = tx.ConsentHistory(applicant, mostDecisions); err != nil {
		return err
	}
	wishes, err := tx.WishesOf([]int64{applicant})
	for _, wish := range wishes[applicant] {
		d.Wishes = append(d.Wishes, named[admitto.Wish]{w.courses[wish.Course], wish})
	}
	if err != nil {
		return err
	}
	invoices, err := tx.InvoicesOf([]int64{applicant})
	if err != nil {
		return err
	}
	d.Invoices = invoices[applicant]
	var ids []int64
	for i := range d.Invoices {
		ids = append(ids, d.Invoices[i].ID)
	}
	versions, err := tx.InvoiceVersions(ids)
	for i := range d.Invoices {
		d.Invoices[i].Versions = versions[d.Invoices[i].ID]
	}
	return err
}

// readImports reads the rows of files about the applicant, which are kept for some time.
func (d *personalData) readImports(tx *store.Tx, applicant int64) error {
	imports, rows, err := tx.LeadRowsOf(applicant)
	for n, row := range rows {
		if err != nil {
			return err
		}
		i := &imports[n]
		data := importData{Uploaded: i.Uploaded, File: i.Name, Basis: i.Options.Basis, Line: row.Line}
		for column, cell := range row.Cells {
			head := ""
			if column < len(i.Heads) {
				head = i.Heads[column]
			}
			data.Cells = append(data.Cells, cellData{head, cell})
		}
		d.Imports = append(d.Imports, data)
	}
	return err
}

func (d *personalData) readMails(tx *store.Tx, _ *words, applicant int64) error {
	list, err := tx.EmailsOf(applicant)
	if err != nil {
		return err
	}
	for _, e := range list {
		mail := emailData{Email: e}
		if e.HasAttachments {
			attached, err := tx.EmailAttachments(e.ID)
			if err != nil {
				return err
			}
			mail.Attachments = d.filesIn("e-mails", attached)
		}
		d.Emails = append(d.Emails, mail)
	}
	return nil
}

func (d *personalData) readApplications(tx *store.Tx, w *words, applicant int64) error {
	ids, err := tx.ApplicationsOf(applicant)
	if err != nil || len(ids) == 0 {
		return err
	}
	if d.Accesses, err = tx.AccessesOf(ids); err != nil {
		return err
	}
	courses, err := tx.CoursesOfApplications(ids)
	if err != nil {
		return err
	}
	flags, err := tx.FlagsOfApplications(ids)
	if err != nil {
		return err
	}
	documents, err := tx.DocumentsOf(ids)
	if err != nil {
		return err
	}
	scores, err := tx.ScoresOf(ids)
	if err != nil {
		return err
	}
	questions, err := tx.Questions()
	if err != nil {
		return err
	}
	for _, id := range ids {
		a := applicationData{Documents: d.filesIn("documents", documents[id])}
		if a.ApplicationCase, _, err = tx.ApplicationCase(id); err != nil {
			return err
		}
		a.TermName = w.terms[a.Term]
		if a.Form, err = tx.ApplicationContent(id); err != nil {
			return err
		}
		if d.own {
			a.Form.Extras = admitto.AnswersIn(d.reads, questions, a.Form.Extras)
		}
		for _, c := range courses[id] {
			a.Courses = append(a.Courses, named[admitto.ApplicationCourse]{w.courses[c.Course], c})
		}
		for _, f := range flags[id] {
			a.Flags = append(a.Flags, named[admitto.FlagAssociation]{w.flags[f.Flag], f})
		}
		for _, s := range scores[id] {
			a.Scores = append(a.Scores, named[admitto.Score]{w.sheets[s.Scoresheet], s})
		}
		if a.Tasks, err = tx.TaskCasesOf(id); err != nil {
			return err
		}
		if a.StudyPlans, err = tx.StudyPlansOfApplication(id); err != nil {
			return err
		}
		if a.Receipts, err = tx.Receipts(id); err != nil {
			return err
		}
		if a.Offers, err = d.offers(tx, w, id); err != nil {
			return err
		}
		d.Applications = append(d.Applications, a)
	}
	return nil
}

func (d *personalData) offers(tx *store.Tx, w *words, application int64) (list []offerData, err error) {
	offers, err := tx.OffersOf([]int64{application})
	if err != nil {
		return nil, err
	}
	for _, o := range offers[application] {
		data := offerData{CourseName: w.courses[o.Course], TypeTitle: w.types[o.Type],
			TypeConfirmedTitle: w.types[o.TypeConfirmed], Offer: o}
		if d.own && o.Confirmed != 0 {
			data.TypeConfirmedTitle = w.publicTitles[o.TypeConfirmed]
		} else if !d.own {
			var attached []admitto.File
			attached, err = tx.OfferAttachments(o.ID)
			data.Attachments = d.filesIn("offers", attached)
		}
		if err != nil {
			return nil, err
		}
		letters, err := tx.SentLetters(o.ID)
		if err != nil {
			return nil, err
		}
		for _, l := range letters {
			letter := letterData{Confirmation: l.Confirmation, Attachments: d.filesIn("letters/"+strconv.FormatInt(l.ID, 10),
				l.Attachments)}
			letter.Email = l.Email.ID
			data.Letters = append(data.Letters, letter)
		}
		if data.Notes, err = tx.NotesOfOffer(o.ID); err != nil {
			return nil, err
		}
		list = append(list, data)
	}
	return list, nil
}

func (d *personalData) readSessions(tx *store.Tx, _ *words, applicant int64) error {
	list, err := tx.SessionsOf("portal", applicant)
	for _, s := range list {
		d.Sessions = append(d.Sessions, sessionData{s.Begun, s.Seen, s.Agent})
	}
	return err
}

// readEvents reads what happened, the newest first, with the values that changed.
func (d *personalData) readEvents(tx *store.Tx, _ *words, applicant int64) error {
	var ids []int64
	more, err := tx.EachRecord(admitto.JournalQuery{ApplicantIDs: []int64{applicant}, NewestFirst: true,
		Limit: mostHappened},
		func(r *admitto.Record) error {
			if d.own && r.Actor.Kind != admitto.ByApplicant {
				return nil
			}
			if r.DetailHash != "" {
				ids = append(ids, r.ID)
			}
			d.WhatHappened = append(d.WhatHappened, eventData{ID: r.ID, Logged: r.Logged, Event: r.Filled(),
				By: string(r.Actor.Kind), Application: r.Links.Application})
			return nil
		})
	d.MoreHappened = more
	if err != nil || len(ids) == 0 {
		return err
	}
	details, err := tx.DetailsOf(ids)
	for i := range d.WhatHappened {
		d.WhatHappened[i].Changed = details[d.WhatHappened[i].ID]
	}
	return err
}
