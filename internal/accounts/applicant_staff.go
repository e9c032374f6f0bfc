package accounts

import (
	"context"
	"errors"

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

// AddedApplicant is an applicant whom staff add by hand (screens.md A09). Texts are in the form that they were typed
// in.
type AddedApplicant struct {
	Given, Family, Email, Phone string
	Citizenship                 string // or ""
	Tracker                     int64  // 0: none
	Note                        string // or ""
	Welcome                     bool   // send the welcome mail
}

// AddApplicant makes a lead of somebody whom staff collected (lifecycle.md 2.2), and returns the ID. The welcome mail
// leaves soon after. Errors: invalid-parameter; already-exists, with the ID of who has the address.
func (s *Service) AddApplicant(ctx context.Context, by usecase.Caller, in AddedApplicant) (id int64, err error) {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return 0, err
	}
	a := admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantPending, Lead: true}
	if err := in.read(&a); err != nil {
		return 0, err
	}
	var card welcomeCard
	if in.Welcome {
		if card, err = s.importCard(ctx); err != nil {
			return 0, err
		}
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if id, err = s.insertAdded(tx, by, in, a); err != nil {
			return err
		}
		if in.Welcome {
			made := a
			made.ID, made.State = id, admitto.ApplicantLive
			if err := s.mailImported(tx, &made, &card); err != nil {
				return err
			}
		}
		return by.Made(tx, id)
	})
	if errors.Is(err, db.ErrUnique) {
		return 0, addressInUse(0) // taken in the same time
	}
	return id, err
}

// read brings what was typed into its normal form. All faults are found.
func (in *AddedApplicant) read(a *admitto.Applicant) error {
	edit := ApplicantEdit{Given: &in.Given, Family: &in.Family, Phone: &in.Phone}
	if in.Citizenship != "" {
		edit.Citizenship = &in.Citizenship
	}
	var refusal *admitto.Error
	if _, err := edit.apply(a); !errors.As(err, &refusal) {
		refusal = &admitto.Error{Kind: admitto.InvalidParameter}
	}
	var err error
	if a.Email, err = text.Email(in.Email); err != nil {
		refusal.Faults = append(refusal.Faults, admitto.Fault{Path: "applicant.email", Text: message.From(err)})
	}
	if in.Note, err = text.Multiline(in.Note, 0, 2048); err != nil {
		refusal.Faults = append(refusal.Faults, admitto.Fault{Path: "applicant.note", Text: message.From(err)})
	}
	if len(refusal.Faults) > 0 {
		return refusal
	}
	return nil
}

// insertAdded makes the applicant with tracker and note.
func (s *Service) insertAdded(tx *store.Tx, by usecase.Caller, in AddedApplicant, a admitto.Applicant) (id int64,
	err error) {
	if in.Tracker != 0 {
		if err := tx.HoldTracker(in.Tracker); admitto.KindOf(err) == admitto.NotFound {
			return 0, admitto.Refuse(admitto.InvalidParameter, "applicant.tracker", "",
				message.Of("no-such-tracker", in.Tracker))
		} else if err != nil {
			return 0, err
		}
	}
	key := text.EmailKey(a.Email)
	switch holder, state, err := tx.ApplicantByEmail(key); {
	case err != nil:
		return 0, err
	case state == admitto.ApplicantPending:
		return 0, &admitto.Error{Kind: admitto.Unavailable, RetryAfter: 5, Text: message.Of("creation-under-way")}
	case holder != 0:
		return 0, addressInUse(holder)
	}
	a.Registered = tx.Now()
	if id, err = tx.InsertApplicant(&a, key); err != nil {
		return 0, err
	}
	if id, _, err = tx.ActivateApplicant(id, true); err != nil {
		return 0, err
	}
	of := admitto.Links{Applicant: id}
	tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantWasCollected, Links: of})
	if in.Tracker != 0 {
		if _, err := tx.AssignTracker(id, in.Tracker); err != nil {
			return 0, err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.TrackerAssigned, Links: admitto.Links{Applicant: id,
			Tracker: in.Tracker}})
	}
	if in.Note != "" {
		_, err := tx.InsertNote(id, &admitto.Note{Created: tx.Now(), Colour: admitto.Colours[0], Text: in.Note})
		if err != nil {
			return 0, err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.NoteAddedToApplicant, Links: of})
	}
	return id, nil
}

// importCard makes the welcome mail of who was collected by staff ready before the transaction that queues it: its
// text, and a password when the text shows one.
func (s *Service) importCard(ctx context.Context) (card welcomeCard, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		card.template, err = s.notify.Template(tx, mail.KindApplicantWelcomeImports, s.notify.Language())
		return err
	})
	if err == nil {
		s.addPassword(&card)
	}
	return card, err
}

// mailImported queues the welcome mail of who was collected by staff.
func (s *Service) mailImported(tx *store.Tx, a *admitto.Applicant, card *welcomeCard) error {
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
func (s *Service) addPassword(card *welcomeCard) {
	if card.hash != "" || !card.template.Uses(mail.ApplicantPassword) {
		return
	}
	s.hashing <- struct{}{}
	defer func() { <-s.hashing }()
	card.password = seal.NewPassword()
	card.hash = s.hash(card.password)
}
