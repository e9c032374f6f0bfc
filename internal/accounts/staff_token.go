package accounts

import (
	"context"
	"errors"
	"net/netip"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// Purpose is what a link in a mail to staff is for.
type Purpose string

// The purposes.
const (
	ForInvitation Purpose = "invite"
	ForReset      Purpose = "reset"
	ForEmail      Purpose = "email"
)

// How long links work (screens.md A03).
const (
	invitationWorks = 7 * admitto.Day
	resetWorks      = 60 * admitto.Minute
	emailWorks      = 3 * admitto.Day
)

// StaffToken is what a page may know of a link.
type StaffToken struct {
	Purpose       Purpose
	Administrator int64
	Name          string
	Email         string // where it was sent
	Works         bool   // false: it was used, or its time is over, and another one can be asked for
	Used          bool
	Settled       bool // it was used, and its address is that of the account
}

func deadStaffLink() error {
	return admitto.Refuse(admitto.NotFound, "", "link-dead", message.Of("link-dead"))
}

// tokenOf finds a link and whose it is, and refuses when there is none, or its owner may not sign in.
func (s *Service) tokenOf(tx *store.Tx, token string) (t store.AccountToken, a store.StaffAccount, err error) {
	t, found, err := tx.AccountToken(seal.TokenHash(token))
	if err == nil && !found {
		err = deadStaffLink()
	}
	if err != nil {
		return t, a, err
	}
	a, err = tx.LockStaffAccount(t.Administrator)
	if admitto.KindOf(err) == admitto.NotFound || err == nil && s.barred(tx, &a) != "" {
		err = deadStaffLink()
	}
	return t, a, err
}

// TokenState says what a link is for and whether it works. It does not use the link up. Not-found: link-dead.
func (s *Service) TokenState(ctx context.Context, token string) (state StaffToken, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		t, found, err := tx.AccountToken(seal.TokenHash(token))
		if err == nil && !found {
			err = deadStaffLink()
		}
		if err != nil {
			return err
		}
		a, err := tx.StaffAccount(t.Administrator)
		if admitto.KindOf(err) == admitto.NotFound || err == nil && s.barred(tx, &a) != "" {
			err = deadStaffLink()
		}
		used := t.Used != 0
		state = StaffToken{Purpose: Purpose(t.Purpose), Administrator: a.ID, Name: a.Name, Email: t.Email,
			Works: !used && t.Expires > tx.Now(), Used: used,
			Settled: used && Purpose(t.Purpose) == ForEmail && text.EmailKey(t.Email) == a.EmailKey}
		return err
	})
	if err != nil {
		return StaffToken{}, err
	}
	return state, nil
}

// AcceptToken uses a link of an invitation or a reset up and sets the password. A reset ends all sessions. Returns who
// may be signed in now, unless there is a second factor: then NeedsCode says so, and they sign in themselves.
// Not-found, link-dead: the link does not work.
func (s *Service) AcceptToken(ctx context.Context, token, password string) (who Accepted, err error) {
	state, err := s.TokenState(ctx, token)
	if err == nil && (!state.Works || state.Purpose == ForEmail) {
		err = deadStaffLink()
	}
	if err != nil {
		return who, err
	}
	if err := checkPassword("administrator.password", password, state.Name, state.Email); err != nil {
		return who, err
	}
	hash, err := s.hashed(ctx, password)
	if err != nil {
		return who, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		_, a, err := s.tokenOf(tx, token)
		if err != nil {
			return err
		}
		if works, err := tx.UseAccountToken(seal.TokenHash(token)); err != nil || !works {
			if err == nil {
				err = deadStaffLink()
			}
			return err
		}
		if err := s.setPassword(tx, ownActor(a.ID), &a, hash); err != nil {
			return err
		}
		m, err := s.member(tx, &a)
		if err == nil && !m.HasSecondFactor { // else they sign in themselves
			err = tx.SignedInStaff(a.ID)
		}
		who = Accepted{Account: a.ID, NeedsCode: m.HasSecondFactor, NeedsSecondFactorSetup: m.NeedsSecondFactor}
		return err
	})
	return who, err
}

// Accepted is whose password was set by a link.
type Accepted struct {
	Account                int64
	NeedsCode              bool // there is a second factor, so they sign in themselves
	NeedsSecondFactorSetup bool
}

// about is an event about an administrator or a role.
func about(pattern admitto.Pattern, id int64) admitto.Event {
	return admitto.Event{Pattern: pattern, Bind: []string{strconv.FormatInt(id, 10)}}
}

func ownActor(id int64) admitto.Actor { return admitto.Actor{Kind: admitto.ByAdministrator, ID: id} }

// hashed hashes a password when there is room for it.
func (s *Service) hashed(ctx context.Context, password string) (hash string, err error) {
	err = s.withSlot(ctx, func() error {
		hash = s.hash(text.Password(password))
		return nil
	})
	return hash, err
}

// setPassword stores a password, and ends all sessions and links that could set another one.
func (s *Service) setPassword(tx *store.Tx, by admitto.Actor, a *store.StaffAccount, hash string) error {
	tx.Record(by, about(admitto.StaffPasswordChanged, a.ID))
	return errors.Join(tx.SetStaffPassword(a.ID, hash),
		tx.DeleteSessions(string(Administration), a.ID, [32]byte{}),
		tx.EndAccountTokens(a.ID, string(ForInvitation)), tx.EndAccountTokens(a.ID, string(ForReset)))
}

// RequestReset sends a link by which a forgotten password is replaced; to an address that nobody has it does the same
// work and sends nothing. After so many within an hour that a sign-in would wait, nothing is sent for as long, either.
func (s *Service) RequestReset(ctx context.Context, email string, network netip.Addr) error {
	key := text.EmailKey(email)
	nobody := errors.New("nobody has the address")
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.StaffAccountByEmail(key)
		unknown := admitto.KindOf(err) == admitto.NotFound || err == nil && s.barred(tx, &a) != ""
		if err != nil && !unknown {
			return err
		}
		try, err := beginAttempt(tx, resets, key, network)
		if err != nil {
			return err
		}
		if unknown {
			a = store.StaffAccount{Administrator: admitto.Administrator{Name: "Nobody", Email: "nobody@example.org"}}
		}
		if try.until == 0 && a.ID != 0 {
			_, err = s.sendStaffLink(tx, &a, ForReset, a.Email)
			return err
		}
		if _, err := s.queueStaffLink(tx, &a, ForReset, a.Email); err != nil {
			return err
		}
		return nobody // nothing leaves
	})
	if !errors.Is(err, nobody) {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		_, err := beginAttempt(tx, resets, key, network)
		return err
	})
}

// resets counts links like failures of an area of its own.
const resets Area = "reset"

// NewLinkFor sends another link in the place of one that does not work any more, to the same address.
func (s *Service) NewLinkFor(ctx context.Context, token string, network netip.Addr) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		t, a, err := s.tokenOf(tx, token)
		if err != nil {
			return err
		}
		try, err := beginAttempt(tx, resets, a.EmailKey, network)
		if err != nil || try.until != 0 {
			return err
		}
		purpose := Purpose(t.Purpose)
		if purpose == ForInvitation && a.Password != "" {
			purpose = ForReset
		}
		if purpose != ForEmail && text.EmailKey(t.Email) != a.EmailKey {
			return deadStaffLink() // the address is another by now
		}
		_, err = s.sendStaffLink(tx, &a, purpose, t.Email)
		return err
	})
}

// newStaffLink makes a link for an administrator; former ones for the purpose end.
func (s *Service) newStaffLink(tx *store.Tx, a *store.StaffAccount, purpose Purpose,
	email string) (link string, err error) {
	token, hash := seal.NewToken()
	works := map[Purpose]admitto.Time{ForInvitation: invitationWorks, ForReset: resetWorks, ForEmail: emailWorks}[purpose]
	err = tx.InsertAccountToken(hash, &store.AccountToken{Purpose: string(purpose), Administrator: a.ID, Email: email,
		Expires: tx.Now() + works})
	return s.staffLinkOf(purpose, token), err
}

func (s *Service) staffLinkOf(purpose Purpose, token string) string {
	links := s.core.Links()
	switch purpose {
	case ForInvitation:
		return links.StaffInvitation(token)
	case ForReset:
		return links.StaffReset(token)
	}
	return links.StaffEmail(token)
}

// sendStaffLink makes a link and mails it.
func (s *Service) sendStaffLink(tx *store.Tx, a *store.StaffAccount, purpose Purpose,
	email string) (link string, err error) {
	if link, err = s.newStaffLink(tx, a, purpose, email); err != nil {
		return "", err
	}
	return link, s.mailStaffLink(tx, a, purpose, email, link)
}

// queueStaffLink is the work of sendStaffLink for nobody.
func (s *Service) queueStaffLink(tx *store.Tx, a *store.StaffAccount, purpose Purpose,
	email string) (link string, err error) {
	token, _ := seal.NewToken()
	link = s.staffLinkOf(purpose, token)
	return link, s.mailStaffLink(tx, a, purpose, email, link)
}

func (s *Service) mailStaffLink(tx *store.Tx, a *store.StaffAccount, purpose Purpose, email, link string) error {
	to, err := text.EmailASCII(email)
	if err != nil {
		return admitto.Refuse(admitto.InvalidParameter, "administrator.email", "", message.From(err))
	}
	kind := map[Purpose]mail.Kind{ForInvitation: mail.KindAdminInvite, ForReset: mail.KindAdminPasswordReset,
		ForEmail: mail.KindAdminEmailChange}[purpose]
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: kind, To: &mail.Address{Name: a.Name, Email: to},
		Values: mail.Values{mail.AdminName: a.Name, mail.AdminLink: link}})
	return err
}
