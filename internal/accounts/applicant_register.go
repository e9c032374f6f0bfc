package accounts

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"net/netip"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// Registration is what somebody says who registers (screens.md P03).
type Registration struct {
	Given, Family string
	Email         string
	Citizenship   string // or ""
	// the code of the address /r/{code}; "" without one. One that is not there (any more) does nothing
	Tracker   string
	Consents  []ConsentAnswer
	Language  string     // of the page
	Proof     []byte     // the hash of a value that only this browser has; nil for none
	Replaces  []byte     // the Proof of the registration whose address was wrong; nil for none
	Next      string     // the page where one wanted to go, to which the link leads on; "" for none
	Network   netip.Addr `json:"-"` // where it comes from
	RequestID string
}

// ConsentAnswer is a decision about a consent whose text was shown in a version.
type ConsentAnswer struct {
	Consent int64
	Version int64
	Accept  bool
}

// Most consents that a registration answers.
const maxConsentAnswers = 100

// Register takes a registration (lifecycle.md 2.2). What comes of it is for the owner of the address alone: the
// applicant is there and the welcome mail is on its way soon after, or a link to sign in when somebody has the address.
// So the answer, and how long it takes, are the same. Errors: invalid-parameter for the values; unavailable, with the
// time to wait, for more registrations from the network address than signin.register_per_hour.
//
// held is when a mail was asked for that holds back this one, 0 for none: ResendPause has to pass between two to one
// address, which are the same where nobody has it.
func (s *Service) Register(ctx context.Context, r Registration) (held admitto.Time, err error) {
	if err := r.Check(); err != nil {
		return 0, err
	}
	r.Consents = r.Consents[:min(len(r.Consents), maxConsentAnswers)]
	slices.SortFunc(r.Consents, func(a, b ConsentAnswer) int { return int(a.Consent - b.Consent) })
	network := networkOf(r.Network)
	return s.ask(ctx, &mailRequest{Register: &r}, r.Email, func(tx *store.Tx) error {
		until, err := tx.TakeHourly("register "+network, s.core.Settings().Signin.RegisterPerHour)
		if err != nil || until == 0 {
			return err
		}
		return s.tooOften(tx.Now(), until)
	})
}

// Check brings the values into their normal form. Errors: invalid-parameter, with all that cannot be taken.
func (r *Registration) Check() error {
	var faults []admitto.Fault
	check := func(path admitto.Path, value *string, rule func(string) (string, error)) {
		normal, err := rule(*value)
		if err != nil {
			faults = append(faults, admitto.Fault{Path: path, Text: message.From(err)})
		}
		*value = normal
	}
	check("applicant.given", &r.Given, nameRule(0))
	check("applicant.family", &r.Family, nameRule(1))
	check("applicant.email", &r.Email, text.Email)
	if r.Citizenship != "" {
		check("applicant.citizenship", &r.Citizenship, text.Country)
	}
	if len(faults) > 0 {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return nil
}

// MostName is how many characters each part of a name has at most.
const MostName = 50

// nameRule is the form of a part of a name.
func nameRule(least int) func(string) (string, error) {
	return func(value string) (string, error) { return text.Line(value, least, MostName) }
}

// tooOften says until when something cannot be done again.
func (s *Service) tooOften(now, until admitto.Time) error {
	at := until.Std().In(s.core.Settings().Instance.Timezone).Add(time.Minute - time.Nanosecond).Truncate(time.Minute)
	return &admitto.Error{Kind: admitto.Unavailable, RetryAfter: int((until - now + admitto.Second - 1) / admitto.Second),
		Text: message.Of("registrations-too-many", message.Time{At: at, Layout: "15:04 MST"})}
}

// RequestSignInLink has a link to sign in sent to an address, if somebody has it (lifecycle.md 2.3); the newest one
// works. The answer, and how long it takes, do not depend on that. Errors: invalid-parameter for what is no address.
//
// The link leads on to the page next of the portal, "" for none, in whichever browser it is opened. held is that of
// Register.
func (s *Service) RequestSignInLink(ctx context.Context, email, next, requestID string) (held admitto.Time, err error) {
	return s.requestLink(ctx, mailRequest{Email: email, Next: next, RequestID: requestID})
}

// ResendRegistration has the welcome mail of a registration sent again with a new link, or a link to sign in to who has
// signed in before. Answer and errors are those of RequestSignInLink.
func (s *Service) ResendRegistration(ctx context.Context, email, next, requestID string) (held admitto.Time,
	err error) {
	return s.requestLink(ctx, mailRequest{Email: email, Next: next, RequestID: requestID, Again: true})
}

func (s *Service) requestLink(ctx context.Context, r mailRequest) (held admitto.Time, err error) {
	if r.Email, err = text.Email(r.Email); err != nil {
		return 0, admitto.Refuse(admitto.InvalidParameter, "applicant.email", "", message.From(err))
	}
	return s.ask(ctx, &r, r.Email, nil)
}

// mailRequest is the sealed content of a row of the outbox that stands for what somebody asked for who is not signed
// in.
type mailRequest struct {
	Register  *Registration // or else a link
	Email     string
	Next      string // where one wanted to go
	RequestID string
	Again     bool
	Held      bool // ResendPause had not passed
}

// ask queues a request for a mail to an address, if before does not refuse. held is that of Register.
func (s *Service) ask(ctx context.Context, r *mailRequest, email string,
	before func(*store.Tx) error) (held admitto.Time, err error) {
	address := seal.TokenHash(text.EmailKey(email)) // nobody is to read who has no account
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if before != nil {
			if err := before(tx); err != nil {
				return err
			}
		}
		until, err := tx.TakeWithin("mail "+hex.EncodeToString(address[:]), 1, ResendPause)
		if err != nil {
			return err
		}
		held = max(until-ResendPause, 0)
		r.Held = held != 0
		plain, err := json.Marshal(r)
		if err != nil {
			return err
		}
		_, err = tx.QueueMail(&store.OutboxRow{Kind: store.MailRequest, Created: tx.Now(),
			Sealed: s.key.Seal(notify.SealedMail, plain)})
		return err
	})
	if err == nil {
		s.wake()
	}
	return held, err
}

func (s *Service) wake() {
	select {
	case s.asked <- struct{}{}:
	default: // it is awake already
	}
}

// RequestsWaiting returns a channel that is filled when somebody has asked this instance for a mail.
func (s *Service) RequestsWaiting() <-chan struct{} { return s.asked }
