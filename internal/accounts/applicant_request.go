package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/text"
)

const (
	requestGivenUp = 24 * admitto.Hour   // how long a request that cannot be settled is tried again
	requestRetry   = 30 * admitto.Second // and how long it waits between
	resendSlack    = 10 * admitto.Second // how late a request may be settled without holding back the next
	ResendPause    = 60 * admitto.Second // between two mails with links to one address
	LinksPerHour   = 5                   // for one address
)

// errUndecided says that an address is about to be taken by a creation that waits for its mail.
var errUndecided = errors.New("a creation of this address is under way")

// SettleRequests does what people asked for who are not signed in: it registers applicants and queues the mails with
// links. It returns how many requests were settled. Any number of instances may call it at any time.
func (s *Service) SettleRequests(ctx context.Context, by admitto.Caller) (settled int, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return settled, err
	}
	for {
		var rows []store.OutboxRow
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			rows, _, err = tx.LeaseOutbox(store.MailRequest, 1, tx.Now(), tx.Now()+requestRetry)
			return err
		})
		if err != nil || len(rows) == 0 {
			return settled, err
		}
		done, err := s.settle(ctx, &rows[0])
		if err != nil {
			return settled, err
		}
		if done {
			settled++
		}
	}
}

// settle does what one request asks for, and takes it out of the outbox with it. One that fails waits until its lease
// ends.
func (s *Service) settle(ctx context.Context, row *store.OutboxRow) (done bool, err error) {
	var r mailRequest
	plain, err := s.key.Open(notify.SealedMail, row.Sealed)
	if err == nil {
		err = json.Unmarshal(plain, &r)
	}
	if err != nil {
		// Cannot happen while the instance key is the one the database remembers; leave the row alone.
		s.log.Error("a request for a mail cannot be opened", "outbox", row.ID, "cause", err)
		return false, s.notify.Postpone(ctx, notify.MailLease{Outbox: row.ID, Lease: row.Lease}, requestGivenUp)
	}
	if r.Register != nil && r.Register.Replaces != nil {
		if err := s.takeBack(ctx, r.Register); err != nil {
			return false, err
		}
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		done = false
		hold := func() error { return s.holdRequest(tx, row) }
		work := s.sendLink
		if r.Register != nil {
			work = s.register
		}
		if err := work(tx, &r, hold); err != nil {
			return err
		}
		done = true
		return tx.DeleteOutbox(row.ID)
	})
	switch {
	case errors.Is(err, errNotHeld):
		return false, nil
	case errors.Is(err, errUndecided), errors.Is(err, db.ErrUnique):
		// Somebody else takes the address just now: look again when the lease ends.
		if s.core.Now() < row.Created+requestGivenUp {
			return false, nil
		}
		s.log.Warn("a request for a mail was given up", "outbox", row.ID, "cause", err)
		return false, s.core.Write(ctx, func(tx *store.Tx) error { return tx.DeleteOutbox(row.ID) })
	}
	return done, err
}

// takeBack hides the registration that another one from the same browser replaces, with its address and its link; it is
// erased soon after. One that somebody has used meanwhile, or that has the same address, stays.
func (s *Service) takeBack(ctx context.Context, r *Registration) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, emailKey, found, err := tx.LockRegistration(r.Replaces)
		switch {
		case err != nil || !found:
			return err
		case emailKey == text.EmailKey(r.Email):
			return tx.SetUnconfirmed(a.ID, r.Proof) // the browser has another value now
		}
		return tx.HideApplicant(&a, 0)
	})
}

// errNotHeld undoes what was done for a request that another instance has taken over.
var errNotHeld = errors.New("the lease is another's")

// holdRequest keeps a request from being taken over by others until the transaction ends.
func (s *Service) holdRequest(tx *store.Tx, row *store.OutboxRow) error {
	held, err := tx.HoldsLease(row.ID, row.Lease)
	if err == nil && !held {
		err = errNotHeld
	}
	return err
}

// register makes the applicant of a registration, or sends a link to who has the address. It calls hold where the order
// of locks has the outbox.
func (s *Service) register(tx *store.Tx, request *mailRequest, hold func() error) error {
	r := request.Register
	tracker, err := s.holdTracker(tx, r.Tracker)
	if err != nil {
		return err
	}
	key := text.EmailKey(r.Email)
	holder, state, err := tx.ApplicantByEmail(key)
	switch {
	case err != nil:
		return err
	case state == admitto.ApplicantPending:
		return errUndecided
	case holder != 0:
		return s.sendLink(tx, &mailRequest{Email: r.Email, Next: r.Next, RequestID: r.RequestID,
			Held: request.Held}, hold)
	}
	a := admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantPending, Registered: tx.Now(),
		Name: admitto.Name{Given: r.Given, Family: r.Family}, Email: r.Email, Citizenship: r.Citizenship}
	current, err := currentConsents(tx, r.Consents)
	if err != nil {
		return err
	}
	if err := hold(); err != nil {
		return err
	}
	pending, err := tx.InsertApplicant(&a, key)
	if err != nil {
		return err
	}
	// As all who become visible, so that the order of IDs is the order of commits.
	if a.ID, _, err = tx.ActivateApplicant(pending, true); err != nil {
		return err
	}
	a.State = admitto.ApplicantLive
	actor := admitto.Actor{Kind: admitto.ByApplicant, ID: a.ID, RequestID: r.RequestID}
	tx.Record(actor, admitto.Event{Pattern: admitto.ApplicantRegistered, Links: admitto.Links{Applicant: a.ID}})
	if err := tx.SetUnconfirmed(a.ID, r.Proof); err != nil {
		return err
	}
	if err := tx.SetPreferences(a.ID, r.Language, ""); err != nil {
		return err
	}
	if tracker != 0 {
		if _, err := tx.AssignTracker(a.ID, tracker); err != nil {
			return err
		}
		tx.Record(actor, admitto.Event{Pattern: admitto.TrackerAssigned, Links: admitto.Links{Applicant: a.ID,
			Tracker: tracker}})
	}
	for _, c := range current {
		if err := decideConsent(tx, actor, a.ID, c); err != nil {
			return err
		}
	}
	return s.mailLink(tx, &a, mail.KindApplicantWelcomeRegister, r.Next)
}

// decideConsent stores a decision on a consent whose version is locked.
func decideConsent(tx *store.Tx, actor admitto.Actor, applicant int64, c ConsentAnswer) error {
	event, decision := admitto.ConsentAccepted, "Accept"
	if !c.Accept {
		event, decision = admitto.ConsentRejected, "Reject"
	}
	if err := tx.DecideConsent(applicant, c.Consent, decision, c.Version); err != nil {
		return err
	}
	tx.Record(actor, admitto.Event{Pattern: event, Bind: []string{strconv.FormatInt(c.Consent, 10)},
		Links: admitto.Links{Applicant: applicant}})
	return nil
}

// holdTracker finds the tracker with a code and keeps it from being deleted; 0 when there is none.
func (s *Service) holdTracker(tx *store.Tx, code string) (int64, error) {
	if code == "" {
		return 0, nil
	}
	ids, err := tx.TrackerIDsByCode([]string{code})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = tx.HoldTracker(ids[0])
	if admitto.KindOf(err) == admitto.NotFound {
		return 0, nil
	}
	return ids[0], err
}

// sendLink queues the mail that somebody asked for by an address: nothing when nobody has it, or when it was asked for
// too often. It calls hold where the order of locks has the outbox.
func (s *Service) sendLink(tx *store.Tx, r *mailRequest, hold func() error) error {
	id, state, err := tx.ApplicantByEmail(text.EmailKey(r.Email))
	switch {
	case err != nil:
		return err
	case id == 0:
		return hold()
	case state == admitto.ApplicantPending:
		return errUndecided
	}
	a, err := tx.LockApplicantAccount(id)
	if err != nil {
		return err
	}
	if err := hold(); err != nil {
		return err
	}
	last, err := tx.LastSignInLink(id)
	pause := ResendPause
	if !r.Held {
		pause -= resendSlack
	}
	if err != nil || last > tx.Now()-pause {
		return err // the last link works: the form was sent twice
	}
	until, err := tx.TakeHourly("link "+strconv.FormatInt(id, 10), LinksPerHour)
	if err != nil || until != 0 {
		return err
	}
	switch {
	case a.State == admitto.ApplicantBlocked:
		return s.mailBlocked(tx, &a.Applicant)
	case r.Again && a.Unconfirmed:
		return s.mailLink(tx, &a.Applicant, mail.KindApplicantWelcomeRegister, r.Next)
	}
	return s.mailLink(tx, &a.Applicant, mail.KindApplicantSigninLink, r.Next)
}

// maxNext is how long the address of a page may be to which a link leads on, in bytes.
const maxNext = 1000

// mailLink makes a new link of an applicant, which ends all earlier ones and leads on to the page next, and queues the
// mail that carries it.
func (s *Service) mailLink(tx *store.Tx, a *admitto.Applicant, kind mail.Kind, next string) error {
	link, expires, err := s.newLink(tx, a.ID, kind, next)
	if err != nil {
		return err
	}
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: kind, Applicant: a, Values: mail.Values{
		mail.ApplicantSigninLink: link, mail.ApplicantSigninExpires: s.zoned(expires)}})
	return err
}

// newLink makes a link to sign in for a kind of mail, which leads on to the page next; "" for none.
func (s *Service) newLink(tx *store.Tx, applicant int64, kind mail.Kind,
	next string) (link string, expires admitto.Time, err error) {
	expires = tx.Now() + admitto.Time(s.core.Settings().Signin.WelcomeLinkDays)*admitto.Day
	if kind == mail.KindApplicantSigninLink {
		expires = tx.Now() + admitto.Time(s.core.Settings().Signin.LinkMinutes)*admitto.Minute
	}
	if err := tx.EndSignInLinks(applicant); err != nil {
		return "", 0, err
	}
	if len(next) > maxNext {
		next = ""
	}
	token, hash := seal.NewToken()
	return s.core.Links().SignIn(token, next), expires, tx.InsertSignInToken(applicant, hash, expires)
}

// mailBlocked tells an applicant whom staff blocked why no link comes.
func (s *Service) mailBlocked(tx *store.Tx, a *admitto.Applicant) error {
	kind, rendered, err := s.notify.Notice(tx, mail.NoticeBlocked, a)
	if err != nil {
		return err
	}
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: kind, Applicant: a, Rendered: &rendered})
	return err
}

// zoned is how mails show a time.
func (s *Service) zoned(t admitto.Time) mail.ZonedTime {
	return mail.ZonedTime{At: t, Zone: s.core.Settings().Instance.Timezone}
}
