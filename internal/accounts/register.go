package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

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

// NewApplicant is what a caller says of an applicant to create. Texts are in their normal form.
type NewApplicant struct {
	Name          admitto.Name
	Email         string
	Citizenship   string
	Phone         string
	Skype         string
	Notes         string
	Reference     string
	Matriculation string
	Tracker       int64 // 0: none
}

// waitingMail is the sealed content of an outbox row: the mail, and what is recorded when it has left.
type waitingMail struct {
	Message      mail.Message
	Stored       admitto.Email // the copy without secrets
	Actor        admitto.Actor
	Events       []admitto.Event // links to the applicant are filled in when the ID is final
	EmailKey     string          // normal form of the applicant's address
	FixedID      bool            // the mail names the applicant's ID
	Hook         json.RawMessage `json:"Repeat"` // what the caller's hook goes on with
	TemplateCode string
}

// CreateApplicant creates an applicant and answers its ID after the mail server took the welcome mail,
// which carries the sign-in data (the specification's POST /applicants; lifecycle.md 8.2, W1 to W5).
//
// Errors: invalid-parameter for a reference in use or an unknown tracker; already-exists, with the ID of the
// holder, for an address in use; mail-refused when the mail server refuses or is silent, and then nothing
// remains; unavailable while another creation of the same address is undecided.
//
// Once begun, the work is finished also when ctx is cancelled, for a mail may be on its way; only the waiting
// for another creation ends with ctx.
func (s *Service) CreateApplicant(ctx context.Context, by usecase.Caller, in NewApplicant) (int64, error) {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return 0, err
	}
	lasting := context.WithoutCancel(ctx)
	emailKey := text.EmailKey(in.Email)
	deadline := time.Now().Add(s.core.Settings().Mail.SyncTimeout)
	var card WelcomeCard
	for {
		err := s.prepareCard(lasting, in, emailKey, &card)
		if err == nil {
			var row pendingApplicant
			if row, err = s.reserveApplicant(lasting, by, in, emailKey, &card); err == nil {
				return s.deliverWelcome(lasting, row)
			}
		}
		var busy *undecidedError
		if !errors.As(err, &busy) {
			return 0, err
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if time.Now().After(deadline) {
			return 0, &admitto.Error{Kind: admitto.Unavailable, RetryAfter: 5,
				Text: message.Of("address-being-created")}
		}
		s.creating.Wait(ctx)
	}
}

// undecidedError says that somebody else is creating the same address.
type undecidedError struct{}

func (*undecidedError) Error() string { return "another creation of this address is under way" }

// CheckApplicant returns the faults of a new applicant that only the database knows, so that they can be told
// together with all others.
func (s *Service) CheckApplicant(ctx context.Context, by admitto.Caller, in NewApplicant) (faults []admitto.Fault,
	err error) {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return faults, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.Fault,
		error) {
		return s.applicantFaults(tx, in, text.EmailKey(in.Email))
	})
}

func (s *Service) applicantFaults(tx *store.Tx, in NewApplicant, emailKey string) (faults []admitto.Fault, err error) {
	if in.Reference != "" {
		holder, err := tx.ApplicantByReference(in.Reference)
		if err != nil {
			return nil, err
		}
		// Sent again for the same person it is the address that is refused, with 409.
		same, _, err := tx.ApplicantByEmail(emailKey)
		if err != nil {
			return nil, err
		}
		if holder != 0 && holder != same {
			faults = append(faults, usecase.ReferenceInUse())
		}
	}
	if in.Tracker != 0 {
		_, err := tx.Tracker(in.Tracker)
		if admitto.KindOf(err) == admitto.NotFound {
			faults = append(faults, admitto.Fault{Path: "applicant.tracker", Text: message.Of("no-such-tracker", in.Tracker)})
		} else if err != nil {
			return nil, err
		}
	}
	return faults, nil
}

// pendingApplicant is an applicant who waits for the mail.
type pendingApplicant struct {
	notify.MailLease
	applicant int64
	waiting   waitingMail
	begun     *notify.Begun // the conversation about the mail
}

// WelcomeCard is what is made ready for a welcome mail before the transaction that stores it.
type WelcomeCard struct {
	template       mail.Template
	password, hash string // unless the template shows none
}

// prepareCard fills in the card, unless the applicant cannot be created. It hashes the password, which takes longer
// than anything else here, while nobody waits for this call.
func (s *Service) prepareCard(ctx context.Context, in NewApplicant, emailKey string, card *WelcomeCard) error {
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if err := s.mayRegister(tx, in, emailKey); err != nil {
			return err
		}
		card.template, err = s.notify.Template(tx, mail.KindApplicantWelcomeAPI, s.notify.Language())
		return err
	})
	if err == nil {
		s.addPassword(card)
	}
	return err
}

// mayRegister refuses what cannot be created: for its values, or because somebody has the address.
func (s *Service) mayRegister(tx *store.Tx, in NewApplicant, emailKey string) error {
	faults, err := s.applicantFaults(tx, in, emailKey)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	holder, state, err := tx.ApplicantByEmail(emailKey)
	switch {
	case err != nil:
		return err
	case state == admitto.ApplicantPending:
		return &undecidedError{}
	case holder != 0:
		return addressInUse(holder)
	}
	return nil
}

// reserveApplicant is W1 and W2: everything is checked and stored, but the applicant is not visible yet. Meanwhile the
// mail server hears of the mail, up to its last byte (W3): that waits until all this is on disk.
func (s *Service) reserveApplicant(ctx context.Context, by usecase.Caller, in NewApplicant, emailKey string,
	card *WelcomeCard) (r pendingApplicant, err error) {
	if _, err := text.EmailASCII(in.Email); err != nil {
		return r, admitto.Refuse(admitto.InvalidParameter, "applicant.email", "", message.From(err))
	}
	var begun *notify.Begun
	err = s.core.Write(ctx, func(tx *store.Tx) (err error) {
		begun.Drop() // that of a run which did not hold
		begun = nil
		if err := s.mayRegister(tx, in, emailKey); err != nil {
			return err
		}
		a := admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantPending, Lead: true, Registered: tx.Now(),
			Name: in.Name, Email: in.Email, Phone: in.Phone, Skype: in.Skype, Reference: in.Reference,
			Matriculation: in.Matriculation, Citizenship: in.Citizenship}
		if a.ID, err = tx.InsertApplicant(&a, emailKey); err != nil {
			return err
		}
		events := []admitto.Event{{Pattern: admitto.ApplicantWasCollected}}
		if in.Tracker != 0 {
			if err := tx.AssignTrackerPending(a.ID, in.Tracker); err != nil {
				return err
			}
			events = append(events, admitto.Event{Pattern: admitto.TrackerAssigned, Links: admitto.Links{Tracker: in.Tracker}})
		}
		if in.Notes != "" {
			if _, err := tx.InsertNote(a.ID, &admitto.Note{Created: tx.Now(), Colour: admitto.Colours[0],
				Text: in.Notes}); err != nil {
				return err
			}
			events = append(events, admitto.Event{Pattern: admitto.NoteAddedToApplicant})
		}
		waiting, err := s.welcome(tx, &a, card)
		if err != nil {
			return err
		}
		begun = s.notify.Begin(ctx, &waiting.Message)
		waiting.Actor, waiting.Events, waiting.EmailKey = by.Actor, events, emailKey
		if waiting.Hook, err = by.Waits(tx); err != nil {
			return err
		}
		plain, err := json.Marshal(waiting)
		if err != nil {
			return err
		}
		outbox, err := tx.InsertOutbox(&store.OutboxRow{Kind: store.WelcomeSync,
			Template: mail.KindApplicantWelcomeAPI.Code(), Applicant: a.ID,
			Created: tx.Now(), Sealed: s.key.Seal(notify.SealedMail, plain), LeaseUntil: tx.Now() + s.notify.LeaseTime()})
		if err != nil {
			return err
		}
		r = pendingApplicant{MailLease: notify.MailLease{Outbox: outbox, Lease: 1}, applicant: a.ID, waiting: waiting,
			begun: begun}
		return nil
	})
	if err != nil {
		begun.Drop()
	}
	if errors.Is(err, db.ErrUnique) || errors.Is(err, db.ErrForeignKey) {
		// Somebody was quicker: the address or the reference was taken, the tracker deleted. Look again.
		return r, &undecidedError{}
	}
	return r, err
}

func addressInUse(holder int64) error {
	return &admitto.Error{Kind: admitto.AlreadyExists, Existing: holder,
		Text: message.Of("applicant-exists")}
}

// welcome renders the welcome mail and its stored copy, and makes the sign-in data it carries.
func (s *Service) welcome(tx *store.Tx, a *admitto.Applicant, card *WelcomeCard) (w waitingMail, err error) {
	token, hash := seal.NewToken()
	expires := tx.Now() + admitto.Time(s.core.Settings().Signin.WelcomeLinkDays)*admitto.Day
	if err := tx.InsertSignInToken(a.ID, hash, expires); err != nil {
		return w, err
	}
	values := mail.Values{mail.ApplicantSigninLink: s.core.Links().SignIn(token, ""),
		mail.ApplicantSigninExpires: s.zoned(expires)}
	if card.hash != "" {
		values[mail.ApplicantPassword] = card.password
		if err := tx.SetPassword(a.ID, card.hash, true); err != nil {
			return w, err
		}
	}
	w.FixedID, w.TemplateCode = card.template.Uses(mail.ApplicantID), mail.KindApplicantWelcomeAPI.Code()
	w.Message, w.Stored, err = s.notify.Compose(tx, card.template, notify.OutgoingMail{Applicant: a, Values: values})
	return w, err
}

// deliverWelcome is W3 to W5: the mail leaves and the applicant appears, or nothing remains.
func (s *Service) deliverWelcome(ctx context.Context, r pendingApplicant) (int64, error) {
	defer s.creating.Decided()
	refused := r.begun.Finish()
	if refused == nil {
		id, held, err := s.welcomeLeft(ctx, r)
		if err != nil || held {
			return id, err
		}
	} else {
		held, err := s.welcomeRefused(ctx, r)
		if err != nil {
			return 0, err
		}
		if held {
			return 0, welcomeNotTaken(refused)
		}
	}
	return s.outcomeOf(ctx, r)
}

// welcomeLeft is W4. held is false when the row is no longer under this lease.
func (s *Service) welcomeLeft(ctx context.Context, r pendingApplicant) (id int64, held bool, err error) {
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if held, err = tx.HoldsLease(r.Outbox, r.Lease); err != nil || !held {
			return err
		}
		if err := tx.DeleteOutbox(r.Outbox); err != nil {
			return err
		}
		w := r.waiting
		var found bool
		if id, found, err = tx.ActivateApplicant(r.applicant, !w.FixedID); err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("outbox row %d waits for applicant %d, who is not pending", r.Outbox, r.applicant)
		}
		w.Stored.Applicant, w.Stored.Delivered = id, tx.Now()
		if err := tx.KeepEmail(&w.Stored); err != nil {
			return err
		}
		for _, e := range w.Events {
			if tracker := e.Links.Tracker; tracker != 0 {
				set, err := tx.TrackersOf([]int64{id})
				if err != nil {
					return err
				}
				if !slices.ContainsFunc(set[id], func(a admitto.TrackerAssociation) bool { return a.Tracker == tracker }) {
					continue // the tracker was deleted while the mail was on its way
				}
			}
			e.Links.Applicant = id
			tx.Record(w.Actor, e)
		}
		tx.Record(admitto.Actor{Kind: admitto.BySystem, RequestID: w.Actor.RequestID},
			admitto.Event{Pattern: admitto.EmailSent,
				Bind: []string{w.TemplateCode}, Links: admitto.Links{Applicant: id}})
		hook, err := s.resume(w.Hook)
		if err != nil {
			return err
		}
		caller := usecase.Caller{Hook: hook}
		return caller.Made(tx, id)
	})
	return id, held, err
}

// welcomeRefused is W5. held is false when the row is no longer under this lease.
func (s *Service) welcomeRefused(ctx context.Context, r pendingApplicant) (held bool, err error) {
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if held, err = tx.HoldsLease(r.Outbox, r.Lease); err != nil || !held {
			return err
		}
		_, err := tx.RemovePendingApplicant(r.applicant) // takes token, note, tracker and outbox row along
		return err
	})
	return held, err
}

// outcomeOf tells what became of a creation that another instance has taken over.
func (s *Service) outcomeOf(ctx context.Context, r pendingApplicant) (id int64, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		holder, state, err := tx.ApplicantByEmail(r.waiting.EmailKey)
		switch {
		case err != nil:
			return err
		case state == "":
			return &admitto.Error{Kind: admitto.MailRefused, Text: message.Of("welcome-not-taken")}
		case state == admitto.ApplicantPending:
			return &admitto.Error{Kind: admitto.Unavailable, RetryAfter: 5,
				Text: message.Of("creation-under-way")}
		}
		id = holder
		return nil
	})
	return id, err
}
