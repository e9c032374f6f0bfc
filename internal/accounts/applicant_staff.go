package accounts

import (
	"context"
	"errors"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// SendSignInLink has a link to sign in sent to an applicant (screens.md A08). Errors: not-found; not-allowed-now for an
// account that staff blocked.
func (s *Service) SendSignInLink(ctx context.Context, by usecase.Caller, applicant int64) error {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(applicant)
		if err != nil {
			return err
		}
		if a.State == admitto.ApplicantBlocked {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("signing-in-stopped"))
		}
		if err := s.mailLink(tx, &a, mail.KindApplicantSigninLink, ""); err != nil {
			return err
		}
		return by.Done(tx)
	})
}

// BlockApplicant stops an applicant from signing in (lifecycle.md 2.1): sessions and links end. What is so already
// stays so. Errors: not-found.
func (s *Service) BlockApplicant(ctx context.Context, by usecase.Caller, applicant int64) error {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return err
	}
	return s.setState(ctx, by, applicant, admitto.ApplicantBlocked, admitto.ApplicantWasBlocked)
}

// UnblockApplicant lets a blocked applicant sign in again. What is so already stays so. Errors: not-found.
func (s *Service) UnblockApplicant(ctx context.Context, by usecase.Caller, applicant int64) error {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return err
	}
	return s.setState(ctx, by, applicant, admitto.ApplicantLive, admitto.ApplicantWasUnblocked)
}

func (s *Service) setState(ctx context.Context, by usecase.Caller, applicant int64, state admitto.ApplicantState,
	event admitto.Pattern) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicantAccount(applicant)
		if err != nil {
			return err
		}
		if err := by.Sees(a.RowVersion); err != nil || a.State == state {
			return err
		}
		if err := tx.SetApplicantState(applicant, state); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: event, Links: admitto.Links{Applicant: applicant}})
		if state == admitto.ApplicantBlocked {
			err := errors.Join(tx.EndSignInLinks(applicant), tx.DropEmailChange(applicant),
				endSessions(tx, applicant, [32]byte{}))
			if err != nil {
				return err
			}
		}
		return by.Done(tx)
	})
}

// AddedApplicant is an applicant whom staff add by hand (screens.md A09) or import (A36). Texts are in the form that
// they were typed in.
type AddedApplicant struct {
	Given, Family, Email, Phone string
	Citizenship                 string // or ""
	Trackers                    []int64
	Consents                    []ConsentAnswer // given elsewhere, as staff say
	Note                        string          // or ""
	Welcome                     bool            // send the welcome mail
}

// Lead is somebody to be collected whose values are in their normal form.
type Lead struct {
	admitto.Applicant
	added AddedApplicant
}

// Lead brings the values into their normal form. Errors: invalid-parameter, with all faults.
func (in AddedApplicant) Lead() (l Lead, err error) {
	l = Lead{Applicant: admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantPending, Lead: true}, added: in}
	edit := ApplicantEdit{Given: &in.Given, Family: &in.Family, Phone: &in.Phone}
	if in.Citizenship != "" {
		edit.Citizenship = &in.Citizenship
	}
	var refusal *admitto.Error
	if _, err := edit.apply(&l.Applicant); !errors.As(err, &refusal) {
		refusal = &admitto.Error{Kind: admitto.InvalidParameter}
	}
	if l.Email, err = text.Email(in.Email); err != nil {
		refusal.Faults = append(refusal.Faults, admitto.Fault{Path: "applicant.email", Text: message.From(err)})
	}
	if l.added.Note, err = text.Multiline(in.Note, 0, 2048); err != nil {
		refusal.Faults = append(refusal.Faults, admitto.Fault{Path: "applicant.note", Text: message.From(err)})
	}
	if len(refusal.Faults) > 0 {
		return l, refusal
	}
	return l, nil
}

// EmailKey is the normal form of the address.
func (l *Lead) EmailKey() string { return text.EmailKey(l.Email) }

// AddApplicant makes a lead of somebody whom staff collected (lifecycle.md 2.2), and returns the ID. The welcome mail
// leaves soon after. Errors: invalid-parameter; already-exists, with the ID of who has the address.
func (s *Service) AddApplicant(ctx context.Context, by usecase.Caller, in AddedApplicant) (id int64, err error) {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return 0, err
	}
	lead, err := in.Lead()
	if err != nil {
		return 0, err
	}
	var card *WelcomeCard
	if in.Welcome {
		made, err := s.importCard(ctx)
		if err != nil {
			return 0, err
		}
		card = &made
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if id, err = s.Collect(tx, by, &lead, card); err != nil {
			return err
		}
		return by.Made(tx, id)
	})
	if errors.Is(err, db.ErrUnique) {
		return 0, addressInUse(0) // taken in the same time
	}
	return id, err
}

// Collect makes an applicant of a lead, with trackers, consents and note, and queues the welcome mail on a card; nil
// for none. Several of one transaction have the same trackers and consents. Errors: invalid-parameter for a tracker
// that is not there; already-exists; unavailable while another creation of the address is undecided.
func (s *Service) Collect(tx *store.Tx, by usecase.Caller, l *Lead, card *WelcomeCard) (id int64, err error) {
	for _, tracker := range l.added.Trackers {
		if err := tx.HoldTracker(tracker); admitto.KindOf(err) == admitto.NotFound {
			return 0, admitto.Refuse(admitto.InvalidParameter, "applicant.tracker", "",
				message.Of("no-such-tracker", tracker))
		} else if err != nil {
			return 0, err
		}
	}
	key := l.EmailKey()
	switch holder, state, err := tx.ApplicantByEmail(key); {
	case err != nil:
		return 0, err
	case state == admitto.ApplicantPending:
		return 0, &admitto.Error{Kind: admitto.Unavailable, RetryAfter: 5, Text: message.Of("creation-under-way")}
	case holder != 0:
		return 0, addressInUse(holder)
	}
	current, err := currentConsents(tx, l.added.Consents)
	if err != nil {
		return 0, err
	}
	a := l.Applicant
	a.Registered = tx.Now()
	if id, err = tx.InsertApplicant(&a, key); err != nil {
		return 0, err
	}
	if id, _, err = tx.ActivateApplicant(id, true); err != nil {
		return 0, err
	}
	a.ID, a.State = id, admitto.ApplicantLive
	of := admitto.Links{Applicant: id}
	tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantWasCollected, Links: of})
	for _, tracker := range l.added.Trackers {
		if _, err := tx.AssignTracker(id, tracker); err != nil {
			return 0, err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.TrackerAssigned, Links: admitto.Links{Applicant: id,
			Tracker: tracker}})
	}
	for _, c := range current {
		if err := decideConsent(tx, by.Actor, id, c); err != nil {
			return 0, err
		}
	}
	if note := l.added.Note; note != "" {
		_, err := tx.InsertNote(id, &admitto.Note{Created: tx.Now(), Colour: admitto.Colours[0], Text: note})
		if err != nil {
			return 0, err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.NoteAddedToApplicant, Links: of})
	}
	if card != nil {
		return id, s.mailImported(tx, &a, card)
	}
	return id, nil
}

// currentConsents are those of the answers, by consent ID, that are about the current text of a consent, which stays
// that until the transaction ends. The others are asked about after the sign-in.
func currentConsents(tx *store.Tx, answers []ConsentAnswer) (current []ConsentAnswer, err error) {
	for _, c := range answers {
		version, err := tx.LockConsent(c.Consent)
		if err != nil && admitto.KindOf(err) != admitto.NotFound {
			return nil, err
		}
		if c.Version != 0 && version == c.Version {
			current = append(current, c)
		}
	}
	return current, nil
}

// WelcomeCards makes the welcome mails of so many leads ready before the transaction that collects them.
func (s *Service) WelcomeCards(ctx context.Context, by admitto.Caller, n int) ([]WelcomeCard, error) {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return nil, err
	}
	first, err := s.importTemplate(ctx)
	if err != nil {
		return nil, err
	}
	cards := make([]WelcomeCard, n)
	var hashing sync.WaitGroup
	for i := range cards {
		cards[i] = first
		hashing.Go(func() { s.addPassword(&cards[i]) })
	}
	hashing.Wait()
	return cards, nil
}

// importCard makes the welcome mail of who was collected by staff ready before the transaction that queues it: its
// text, and a password when the text shows one.
func (s *Service) importCard(ctx context.Context) (WelcomeCard, error) {
	card, err := s.importTemplate(ctx)
	if err == nil {
		s.addPassword(&card)
	}
	return card, err
}

// importTemplate is a card without a password.
func (s *Service) importTemplate(ctx context.Context) (card WelcomeCard, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		card.template, err = s.notify.Template(tx, mail.KindApplicantWelcomeImports, s.notify.Language())
		return err
	})
	return card, err
}

// mailImported queues the welcome mail of who was collected by staff.
func (s *Service) mailImported(tx *store.Tx, a *admitto.Applicant, card *WelcomeCard) error {
	link, expires, err := s.newLink(tx, a.ID, card.template.Kind, "")
	if err != nil {
		return err
	}
	values := mail.Values{mail.ApplicantSigninLink: link, mail.ApplicantSigninExpires: s.zoned(expires),
		mail.ApplicantPassword: card.password}
	if card.hash != "" {
		if err := tx.SetPassword(a.ID, card.hash, true); err != nil {
			return err
		}
	} else {
		// The text was another when the password was made ready: the person chooses one by the link.
		values[mail.ApplicantPassword] = ""
	}
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: card.template.Kind, Applicant: a, Values: values})
	return err
}

// addPassword makes a password when the text of a card shows one.
func (s *Service) addPassword(card *WelcomeCard) {
	if card.hash != "" || !card.template.Uses(mail.ApplicantPassword) {
		return
	}
	s.hashing <- struct{}{}
	defer func() { <-s.hashing }()
	card.password = seal.NewPassword()
	card.hash = s.hash(card.password)
}
