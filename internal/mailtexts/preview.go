package mailtexts

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Draft is a text that somebody types, and for whom it is shown: an applicant, or with 0 one who does not exist.
type Draft struct {
	Edit
	Applicant int64
}

// Preview is a mail as its recipient would read it.
type Preview struct {
	Person   admitto.Applicant
	Language string // of the letter of an offer type
	Subject  []mail.Piece
	Letter   []mail.Passage
	Mail     mail.Rendered // the zero one while a marker lacks its value
	Faults   []admitto.Fault
}

// PreviewText makes the mail of a text that somebody types; nothing is stored or sent. What the caller may not see of
// the applicant is invented, and so are links and passwords. Errors: not-found; invalid-parameter for an applicant whom
// there is not.
func (s *Service) PreviewText(ctx context.Context, by admitto.Caller, d Draft) (p Preview, err error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return p, err
	}
	kind, err := s.known(d.Code, d.Language)
	if err != nil {
		return p, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		p, err = s.preview(tx, by, kind, d)
		return err
	})
	return p, err
}

// SendTest queues the mail of a text that somebody types to that person, as PreviewText shows it, and returns the
// address. Errors: as PreviewText, and invalid-parameter for a text that may not be saved.
func (s *Service) SendTest(ctx context.Context, by usecase.Caller, d Draft) (to string, err error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return "", err
	}
	kind, err := s.known(d.Code, d.Language)
	if err != nil {
		return "", err
	}
	if err := d.checked(kind); err != nil {
		return "", err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		me, err := tx.Administrator(by.Actor.ID)
		if err != nil {
			return err
		}
		p, err := s.preview(tx, by.Caller, kind, d)
		if err != nil {
			return err
		}
		address, err := text.EmailASCII(me.Email)
		if err != nil {
			return err
		}
		to = me.Email
		_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: kind, Rendered: &p.Mail,
			To: &mail.Address{Name: me.Name, Email: address}})
		return err
	})
	return to, err
}

func (s *Service) preview(tx *store.Tx, by admitto.Caller, kind mail.Kind, d Draft) (p Preview, err error) {
	values, err := s.values(tx, by, kind, d, &p.Person)
	if err != nil {
		return p, err
	}
	err = s.fill(&p, mail.Template{Kind: kind, Subject: d.Subject, Body: d.Body}, d.Language, values, d.checked(kind))
	return p, err
}

// fill puts the values into the text of a preview, and says what was found wrong with it.
func (s *Service) fill(p *Preview, t mail.Template, language string, values mail.Values, found error) error {
	t = s.notify.InLanguage(t, language)
	p.Subject, p.Letter = t.Pieces(values)
	if found != nil {
		refused, ok := errors.AsType[*admitto.Error](found)
		if !ok || refused.Kind != admitto.InvalidParameter {
			return found
		}
		p.Faults = refused.Faults
		return nil
	}
	rendered, err := t.Render(values)
	p.Mail = rendered
	return err
}

// values are what the markers of a preview stand for.
func (s *Service) values(tx *store.Tx, by admitto.Caller, kind mail.Kind, d Draft,
	person *admitto.Applicant) (mail.Values, error) {
	zone := s.core.Settings().Instance.Timezone
	values := mail.Invented(d.Language, tx.Now(), zone)
	s.putLinks(values, kind)
	*person = mail.InventedPerson(d.Language)
	if by.Actor.Kind == admitto.ByAdministrator {
		if name, err := editor(tx, by.Actor.ID); err != nil {
			return nil, err
		} else if name != "" {
			values[mail.AdminName] = name
		}
	}
	real := mail.Values{}
	if d.Applicant != 0 {
		if err := by.Needs(admitto.ApplicantsView); err != nil {
			return nil, err
		}
		a, err := tx.Applicant(d.Applicant)
		if admitto.KindOf(err) == admitto.NotFound {
			return nil, admitto.Refuse(admitto.InvalidParameter, "page.template.applicant", "",
				message.Of("no-such-applicant", d.Applicant))
		}
		if err != nil {
			return nil, err
		}
		*person = a
		if real, err = s.ofApplicant(tx, by, kind, a.ID); err != nil {
			return nil, err
		}
	}
	maps.Copy(values, s.notify.ApplicantMarkers(person, tx.Now()))
	maps.Copy(values, real)
	// Only what a mail of the kind would have: anything else is shown as unknown.
	allowed := kind.Markers()
	for _, m := range allowed {
		if _, known := values[m]; !known {
			values[m] = "…" // nobody has invented one yet
		}
	}
	maps.DeleteFunc(values, func(m mail.Marker, _ any) bool { return !slices.Contains(allowed, m) })
	return values, nil
}

// putLinks puts in where links would lead; none of them opens anything.
func (s *Service) putLinks(values mail.Values, kind mail.Kind) {
	links := s.core.Links()
	const token = "example"
	values[mail.ApplicationLink] = links.Application(mail.InventedID)
	values[mail.OfferLink] = links.Offer(mail.InventedID)
	values[mail.InvoiceLink] = links.Invoice(mail.InventedID)
	values[mail.TaskLink] = links.Task(mail.InventedID)
	values[mail.BatchLink] = links.Batch(mail.InventedID)
	values[mail.SheetLink] = links.Scoring(mail.InventedID)
	values[mail.PrivacyLink] = links.OwnData()
	values[mail.ApplicantSigninLink] = links.SignIn(token, "")
	values[mail.ApplicantEmailLink] = links.EmailChange(token)
	switch kind {
	case mail.KindAdminPasswordReset:
		values[mail.AdminLink] = links.StaffReset(token)
	case mail.KindAdminEmailChange:
		values[mail.AdminLink] = links.StaffEmail(token)
	default:
		values[mail.AdminLink] = links.StaffInvitation(token)
	}
}

// ofApplicant are what a mail may say of the newest application of an applicant, of an offer, a task and an invoice, as
// far as the caller may see them.
func (s *Service) ofApplicant(tx *store.Tx, by admitto.Caller, kind mail.Kind, applicant int64) (mail.Values, error) {
	values, allowed := mail.Values{}, kind.Markers()
	if by.Has(admitto.AccountingView) && slices.Contains(allowed, mail.InvoiceNumber) {
		invoices, err := tx.InvoicesOf([]int64{applicant})
		if err != nil {
			return nil, err
		}
		if list := invoices[applicant]; len(list) > 0 {
			maps.Copy(values, s.billing.InvoiceMarkers(&list[len(list)-1]))
		}
	}
	if !by.Has(admitto.ApplicationsView) || !slices.Contains(allowed, mail.ApplicationID) {
		return values, nil
	}
	ids, err := tx.ApplicationsOf(applicant)
	if err != nil || len(ids) == 0 {
		return values, err
	}
	d := &usecase.LockedApplication{Actor: by.Actor}
	id := ids[len(ids)-1]
	if d.ApplicationCase, d.Applicant, err = tx.ApplicationCase(id); err != nil {
		return nil, err
	}
	own, err := s.admissions.ApplicationMarkers(tx, d)
	if err != nil {
		return nil, err
	}
	maps.Copy(values, own)
	values[mail.DeadlineMeaning] = admissions.DeadlineMarker(d.Status)
	if by.Has(admitto.OffersView) && slices.Contains(allowed, mail.OfferType) {
		offers, err := tx.OffersOf([]int64{id})
		if err != nil {
			return nil, err
		}
		if list := offers[id]; len(list) > 0 {
			at := max(slices.IndexFunc(list, func(o admitto.Offer) bool { return o.Confirmed != 0 }), 0)
			if own, err = s.admissions.OfferMarkers(tx, d, &list[at]); err != nil {
				return nil, err
			}
			maps.Copy(values, own)
			offer, err := tx.OfferCaseByID(list[at].ID)
			if err != nil {
				return nil, err
			}
			values[mail.OfferDecision] = admissions.DecisionMarker(offer.Decision, offer.Origin)
		}
	}
	if slices.Contains(allowed, mail.TaskTitle) {
		tasks, err := tx.TasksOf([]int64{id})
		if err != nil {
			return nil, err
		}
		if list := tasks[id]; len(list) > 0 {
			if own, err = s.admissions.TaskMarkers(tx, d, list[len(list)-1].ID); err != nil {
				return nil, err
			}
			maps.Copy(values, own)
		}
	}
	return values, nil
}

// PreviewLetter makes the letter of an offer type to somebody invented who reads a language, "" for the first
// (screens.md A43); nothing is stored or sent.
func (s *Service) PreviewLetter(ctx context.Context, by admitto.Caller, of admitto.OfferType, reads string) (p Preview,
	err error) {
	if err := by.Needs(admitto.OfferTypesEdit); err != nil {
		return p, err
	}
	said := of.In(reads)
	p.Language = of.LetterLanguage(said.Comments, reads, s.notify.Language())
	letter := mail.Template{Kind: mail.KindOfferLetter, Subject: said.Subject, Body: said.Comments}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		values, err := s.values(tx, by, letter.Kind, Draft{Edit: Edit{Language: p.Language}}, &p.Person)
		if err != nil {
			return err
		}
		values[mail.OfferType] = cmp.Or(said.PublicTitle, of.Title)
		return s.fill(&p, letter, p.Language, values, letter.Check())
	})
	return p, err
}
