package admissions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// letterTries is how often a letter is made again because the offer was changed while it was made.
const letterTries = 5

// CreateLetter makes a PDF of the letter as the working copy of an offer says, on a letterhead, and attaches it to the
// offer as Letter-<letter id>.pdf (resources.md 24.10). Nothing is sent.
//
// Errors: not-found; invalid-parameter (letterhead) for an unknown letterhead; not-allowed-now with all of letter-empty
// and marker-unresolved; unavailable when the offer is changed again and again meanwhile.
func (s *Service) CreateLetter(ctx context.Context, by usecase.Caller, application, id,
	letterhead int64) (l admitto.Letter, err error) {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return l, err
	}
	for range letterTries {
		paper, err := s.paper(ctx, application, id, letterhead)
		if err != nil {
			return l, err
		}
		var b bytes.Buffer
		if err := s.printer.WriteLetter(&b, &paper.Letter); err != nil {
			return l, fmt.Errorf("letter of offer %d: %w", id, err)
		}
		file, err := s.files.KeepFile(ctx, "letter.pdf", "application/pdf", b.Bytes())
		if err != nil {
			return l, err
		}
		l, err = s.attachLetter(ctx, by, application, paper, file)
		if err == nil {
			return l, nil
		}
		s.files.DropFile(ctx, file.Hash)
		if !errors.Is(err, errOutdated) {
			return l, err
		}
	}
	return l, &admitto.Error{Kind: admitto.Unavailable, RetryAfter: 1,
		Text: message.Of("offer-being-changed")}
}

// errOutdated says that a letter was made of what is no longer so.
var errOutdated = errors.New("the offer was changed while its letter was made")

// paper is a letter to print, and the row versions of what it was made of.
type paper struct {
	pdf.Letter
	letterhead                    int64
	offer                         admitto.Offer
	offerVersion, applicationSeen int64
	applicant                     admitto.Applicant
}

// paper reads everything that the letter shows. Nothing stays locked while it is printed.
func (s *Service) paper(ctx context.Context, application, id, letterhead int64) (p paper, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		d := &usecase.LockedApplication{}
		if d.ApplicationCase, d.Applicant, err = tx.ApplicationCase(application); err != nil {
			return err
		}
		if p.offer, err = tx.Offer(application, id); err != nil {
			return err
		}
		if err := p.sheet(tx, letterhead); err != nil {
			return err
		}
		kind, err := tx.OfferType(p.offer.Type)
		if err != nil {
			return err
		}
		letter, values, err := s.letterOf(tx, d, &p.offer, &kind)
		if err != nil {
			return err
		}
		rendered, unresolved, err := fillLetter(letter, values)
		if err != nil {
			return err
		}
		if err := notNow(append(p.offer.LetterFaults(&kind), unresolved...)); err != nil {
			return err
		}
		s.write(&p.Letter, &letter, values, &rendered, tx.Now())
		p.offerVersion, p.applicationSeen, p.applicant = p.offer.RowVersion, d.RowVersion, d.Applicant
		return nil
	})
	return p, err
}

// sheet takes a letterhead. Errors: invalid-parameter (letterhead) for an unknown one.
func (p *paper) sheet(tx *store.Tx, letterhead int64) error {
	head, err := tx.Letterhead(letterhead)
	if admitto.KindOf(err) == admitto.NotFound {
		return admitto.Refuse(admitto.InvalidParameter, "offer.letterhead", "", message.Of("no-such-letterhead", letterhead))
	}
	if err != nil {
		return err
	}
	p.letterhead, p.Head, p.Foot = head.ID, head.Head, head.Foot
	p.Logo, err = tx.LetterheadLogo(letterhead)
	return err
}

// write puts a letter on its sheet.
func (s *Service) write(l *pdf.Letter, t *mail.Template, values mail.Values, r *mail.Rendered, at admitto.Time) {
	l.Language, l.Subject, l.Text = t.Language, r.Subject, r.Text
	l.Institution, l.To = t.Value(values, mail.InstitutionName), t.Value(values, mail.ApplicantName)
	l.Written = at.Std().In(s.core.Settings().Instance.Timezone)
	l.Day = mail.WriteDay(t.Language, admitto.DateOf(l.Written))
}

// OwnLetter makes a PDF of the letter that was sent last for an offer, for its applicant (screens.md P16): on the
// letterhead of the last letter that staff had made by then, else on the first one. Nothing is stored. Errors:
// not-found, also before a letter was sent.
func (s *Service) OwnLetter(ctx context.Context, by admitto.Caller, id int64) (name string, data []byte, err error) {
	if err := by.ApplicantOnly(); err != nil {
		return "", nil, err
	}
	var p paper
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		p = paper{}
		offer, err := tx.OfferCaseByID(id)
		if err != nil {
			return err
		}
		if err := usecase.SeesApplication(tx, by, offer.Application); err != nil {
			return err
		}
		if offer.Confirmed == 0 {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		sent, err := tx.LastLetter(&offer)
		if err != nil {
			return err
		}
		head, err := sentOn(tx, &sent)
		if err != nil {
			return err
		}
		if err := p.sheet(tx, head); err != nil {
			return err
		}
		d := &usecase.LockedApplication{Actor: by.Actor}
		if d.ApplicationCase, d.Applicant, err = tx.ApplicationCase(offer.Application); err != nil {
			return err
		}
		kind, err := tx.OfferType(sent.Type)
		if err != nil {
			return err
		}
		letter, values, err := s.letterOf(tx, d, &offer.Offer, &kind)
		s.write(&p.Letter, &letter, values, &mail.Rendered{Subject: sent.Subject, Text: sent.Body}, sent.Confirmed)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	if err := s.printer.WriteLetter(&b, &p.Letter); err != nil {
		return "", nil, fmt.Errorf("letter of offer %d: %w", id, err)
	}
	return fmt.Sprintf("letter-%d.pdf", id), b.Bytes(), nil
}

// sentOn is the letterhead of a letter that was sent.
func sentOn(tx *store.Tx, sent *admitto.Confirmation) (head int64, err error) {
	made, err := tx.OfferLetters(sent.Offer)
	if err != nil {
		return 0, err
	}
	for i := range made {
		if made[i].Rendered <= sent.Confirmed {
			head = made[i].Letterhead
		}
	}
	if head != 0 {
		return head, nil
	}
	all, err := tx.Letterheads()
	if err != nil || len(all) == 0 {
		return 0, err
	}
	return all[0].ID, nil
}

// attachLetter stores letter and attachment, if what the letter shows is still so.
func (s *Service) attachLetter(ctx context.Context, by usecase.Caller, application int64, p paper,
	file admitto.File) (l admitto.Letter, err error) {
	err = s.changeOffer(ctx, by, application, p.offer.ID, nil, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		if offer.RowVersion != p.offerVersion || d.RowVersion != p.applicationSeen || d.Applicant != p.applicant {
			return errOutdated
		}
		l = admitto.Letter{Offer: offer.ID, Letterhead: p.letterhead, Rendered: tx.Now()}
		if by.Actor.Kind == admitto.ByAdministrator {
			l.Administrator = by.Actor.ID
		}
		l, file, err = tx.InsertLetter(l, file, func(letter int64) string { return fmt.Sprintf("Letter-%d.pdf", letter) })
		if err != nil {
			return err
		}
		if err := s.files.FileKept(tx, file.Hash); err != nil {
			return err
		}
		if err := tx.TouchOffer(offer.ID); err != nil {
			return err
		}
		for _, pattern := range []admitto.Pattern{admitto.OfferLetterGenerated, admitto.OfferAttachmentAdded} {
			tx.Record(by.Actor, admitto.Event{Pattern: pattern, Links: offer.Links()})
		}
		return by.Made(tx, l.ID)
	})
	return l, err
}

// OfferPreview is the letter of an offer that confirming its working copy would send now, and what that would do.
type OfferPreview struct {
	Offer    admitto.OfferCase // its policy and deadline are those that confirming would fix
	Type     admitto.OfferType
	Person   admitto.Applicant
	Language string // of the letter
	Subject  []mail.Piece
	Letter   []mail.Passage
	Text     string          // as the mail has it; "" while a marker lacks its value
	Faults   []admitto.Fault // what speaks against confirming
	Frozen   bool            // the application is frozen already
	Same     bool            // it is what the last letter was made of: confirming sends nothing
	Files    []admitto.File
	Tasks    []string // titles of those that the confirmation makes
	Deadline admitto.DeadlineRule
	Place    int64 // of the course that it would take, 0 when none is counted
	Quota    int64
}

// PreviewOffer makes the letter of an offer as its working copy says with what somebody types (lifecycle.md O5, O6).
// Nothing is stored. Errors: not-found; invalid-parameter as EditOffer.
func (s *Service) PreviewOffer(ctx context.Context, by admitto.Caller, id int64, edit OfferEdit) (p OfferPreview,
	err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return p, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		p = OfferPreview{}
		if p.Offer, err = tx.OfferCaseByID(id); err != nil {
			return err
		}
		d := &usecase.LockedApplication{Actor: by.Actor}
		if d.ApplicationCase, d.Applicant, err = tx.ApplicationCase(p.Offer.Application); err != nil {
			return err
		}
		former, err := tx.OfferType(p.Offer.Type)
		if err != nil {
			return err
		}
		next, err := takenType(tx, former, edit.Type)
		if err != nil {
			return err
		}
		language, err := s.core.LanguageOf(tx, d.Applicant.ID)
		if err != nil {
			return err
		}
		edit.apply(&p.Offer, &former, &next, language)
		return s.preview(tx, d, &p)
	})
	return p, err
}

// preview asks what confirming the offer of p would do.
func (s *Service) preview(tx *store.Tx, d *usecase.LockedApplication, p *OfferPreview) (err error) {
	c := confirming{service: s, d: d, offer: &p.Offer}
	if p.Faults, err = c.ask(tx); err != nil {
		return err
	}
	if p.Same, err = c.unchanged(tx); err != nil {
		return err
	}
	p.Type, p.Person, p.Files, p.Language, p.Frozen = c.kind, d.Applicant, c.files, c.letter.Language, d.Frozen != 0
	p.Subject, p.Letter = c.letter.Pieces(c.values)
	p.Text = c.filled.Text
	p.Deadline, p.Offer.DecisionPolicy, p.Offer.DecisionDeadline = c.rule, c.policy, c.until
	if p.Tasks, err = causedTasks(tx, d, p.Offer.Course, p.Type.ID); err != nil {
		return err
	}
	return placeOf(tx, d.Term, p)
}

// causedTasks are the titles of the tasks that causeTasks would make of a confirmation.
func causedTasks(tx *store.Tx, d *usecase.LockedApplication, course, offerType int64) (titles []string, err error) {
	templates, err := tx.TaskTemplatesFor("confirmed")
	if err != nil {
		return nil, err
	}
	for i := range templates {
		p := &templates[i]
		if len(p.OfferTypes) > 0 && !slices.Contains(p.OfferTypes, offerType) {
			continue
		}
		before, err := hasMade(tx, d, p)
		if err != nil {
			return nil, err
		}
		if before {
			continue
		}
		for _, c := range tasksOf(p, []int64{course}) {
			made, err := tx.CountRuleActions(admitto.TaskCause, d.ID, []string{admitto.TaskOccurrence(p.ID, c)})
			if err != nil {
				return nil, err
			}
			if made == 0 {
				titles = append(titles, p.Title)
			}
		}
	}
	return titles, nil
}

// placeOf counts the place of its course that an offer in the quota takes, where the course has a number of places.
func placeOf(tx *store.Tx, term int64, p *OfferPreview) error {
	if p.Type.Ranking != admitto.RankedInQuota {
		return nil
	}
	course, err := tx.Course(p.Offer.Course)
	if err != nil || course.Quota == nil {
		return err
	}
	taken, err := tx.PlacesTaken(course.ID, term, p.Offer.ID)
	p.Place, p.Quota = taken+1, *course.Quota
	return err
}
