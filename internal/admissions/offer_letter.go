package admissions

import (
	"bytes"
	"context"
	"errors"
	"fmt"

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
		head, err := tx.Letterhead(letterhead)
		if admitto.KindOf(err) == admitto.NotFound {
			return admitto.Refuse(admitto.InvalidParameter, "offer.letterhead", "", message.Of("no-such-letterhead", letterhead))
		}
		if err != nil {
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
		if err := notNow(append(p.offer.LetterFaults(&kind), markerFaults(letter, values)...)); err != nil {
			return err
		}
		rendered, err := letter.Render(values)
		p.Letter = pdf.Letter{Letterhead: head.Name, Institution: values[mail.InstitutionName], Language: letter.Language,
			To: values[mail.ApplicantName], Subject: rendered.Subject, Text: rendered.Text, Written: tx.Now().Std().In(s.core.Settings().Instance.Timezone)}
		p.letterhead, p.offerVersion, p.applicationSeen, p.applicant = head.ID, p.offer.RowVersion, d.RowVersion, d.Applicant
		return err
	})
	return p, err
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
