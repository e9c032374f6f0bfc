package accounts

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"net/netip"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
)

// EditOwnName changes the own name.
func (s *Service) EditOwnName(ctx context.Context, by usecase.Caller, name string) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	name, err := text.Line(name, 1, 100)
	if err != nil {
		return admitto.Refuse(admitto.InvalidParameter, "administrator.name", "", message.From(err))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.own(tx, by)
		if err != nil || a.Name == name {
			return err
		}
		a.Name = name
		tx.Record(by.Actor, about(admitto.StaffEdited, a.ID))
		return tx.EditStaff(&a)
	})
}

// own locks the account of the caller.
func (s *Service) own(tx *store.Tx, by usecase.Caller) (a store.StaffAccount, err error) {
	if a, err = tx.LockStaffAccount(by.Actor.ID); err != nil {
		return a, err
	}
	return a, by.Sees(a.RowVersion)
}

// ChangeOwnEmail mails a link to a new address, which counts when the link is used; the former address is told. An
// address that another administrator has is refused.
func (s *Service) ChangeOwnEmail(ctx context.Context, by usecase.Caller, email string) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	email, err := text.Email(email)
	if err != nil {
		return admitto.Refuse(admitto.InvalidParameter, "administrator.email", "", message.From(err))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := freeAddress(tx, text.EmailKey(email), by.Actor.ID); err != nil {
			return err
		}
		a, err := s.own(tx, by)
		if err != nil || a.Email == email {
			return err
		}
		tx.Record(by.Actor, about(admitto.StaffEdited, a.ID))
		_, err = s.sendStaffLink(tx, &a, ForEmail, email)
		return err
	})
}

// ConfirmStaffEmail uses a link to a new address up: the address is that of the account from now on, and the former one
// is told. Not-found, link-dead: the link does not work.
func (s *Service) ConfirmStaffEmail(ctx context.Context, token string) error {
	state, err := s.TokenState(ctx, token)
	if err == nil && (!state.Works || state.Purpose != ForEmail) {
		err = deadStaffLink()
	}
	if err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockStaffAddresses(); err != nil {
			return err
		}
		t, a, err := s.tokenOf(tx, token)
		if err != nil {
			return err
		}
		if err := freeAddress(tx, text.EmailKey(t.Email), a.ID); err != nil {
			return err
		}
		if works, err := tx.UseAccountToken(seal.TokenHash(token)); err != nil || !works {
			if err == nil {
				err = deadStaffLink()
			}
			return err
		}
		if err := s.mailStaffLink(tx, &a, ForEmail, a.Email, s.core.Links().Home()); err != nil {
			return err
		}
		tx.Record(ownActor(a.ID), about(admitto.StaffEdited, a.ID))
		return errors.Join(tx.SetStaffEmail(a.ID, t.Email, text.EmailKey(t.Email)),
			tx.EndAccountTokens(a.ID, string(ForReset)))
	})
}

// ChangeOwnPassword sets another password and ends all other sessions; keep is the ID of the current one.
func (s *Service) ChangeOwnPassword(ctx context.Context, by usecase.Caller, password, keep string) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	m, err := s.StaffMember(ctx, by.Actor.ID)
	if err != nil {
		return err
	}
	if err := checkPassword("administrator.password", password, m.Name, m.Email); err != nil {
		return err
	}
	hash, err := s.hashed(ctx, password)
	if err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.own(tx, by)
		if err != nil {
			return err
		}
		if err := s.endOthers(tx, a.ID, keep); err != nil {
			return err
		}
		tx.Record(by.Actor, about(admitto.StaffPasswordChanged, a.ID))
		return errors.Join(tx.SetStaffPassword(a.ID, hash), tx.EndAccountTokens(a.ID, string(ForReset)))
	})
}

// NewSecondFactor is a second factor that is to be confirmed by a code.
type NewSecondFactor struct {
	Secret string // to be typed into an app
	URI    string // the same as an address, for a QR code
}

// BeginSecondFactor makes a second factor, which counts when ConfirmSecondFactor has had a code of it.
func (s *Service) BeginSecondFactor(ctx context.Context, by usecase.Caller) (f NewSecondFactor, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return f, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.own(tx, by)
		if err != nil {
			return err
		}
		key, err := totp.Generate(totp.GenerateOpts{Issuer: s.core.Settings().Instance.Name, AccountName: a.Email,
			Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		if err != nil {
			return err
		}
		f = NewSecondFactor{Secret: key.Secret(), URI: key.URL()}
		return tx.SetNewSecondFactor(a.ID, s.key.Seal(sealedFactor, []byte(f.Secret)))
	})
	return f, err
}

// The recovery codes: how many there are, and how many bytes each has.
const (
	recoveryCodes = 10
	recoveryBytes = 10
)

// ConfirmSecondFactor makes the second factor count that was begun, and returns the recovery codes, this once.
// Not-allowed-now, code-wrong: the code is not one of it.
func (s *Service) ConfirmSecondFactor(ctx context.Context, by usecase.Caller,
	code string) (recovery []string, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return nil, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.own(tx, by)
		if err != nil {
			return err
		}
		if a.SecondFactorNew == nil {
			return wrongCode()
		}
		secret, err := s.key.Open(sealedFactor, a.SecondFactorNew)
		if err != nil {
			return err
		}
		step := stepOfCode(string(secret), plainCode(code), tx.Now())
		if step == 0 {
			return wrongCode()
		}
		tx.Record(by.Actor, about(admitto.StaffSecondFactorChanged, a.ID))
		if err := tx.SetSecondFactor(a.ID, a.SecondFactorNew, step); err != nil {
			return err
		}
		recovery, err = s.newRecoveryCodes(tx, a.ID)
		return err
	})
	return recovery, err
}

func wrongCode() error {
	return admitto.Refuse(admitto.NotPermitted, "administrator.code", "code-wrong", message.Of("code-wrong"))
}

// newRecoveryCodes puts new codes in the place of the former ones.
func (s *Service) newRecoveryCodes(tx *store.Tx, id int64) (codes []string, err error) {
	var hashes [][32]byte
	for range recoveryCodes {
		var random [recoveryBytes]byte
		rand.Read(random[:])
		code := base32.StdEncoding.EncodeToString(random[:]) // 16 characters
		hashes = append(hashes, seal.TokenHash(code))
		codes = append(codes, code[:4]+"-"+code[4:8]+"-"+code[8:12]+"-"+code[12:])
	}
	return codes, tx.SetRecoveryCodes(id, hashes)
}

// RecoveryCodesLeft returns how many of the own recovery codes can still be used, of how many that are made at once.
func (s *Service) RecoveryCodesLeft(ctx context.Context, by admitto.Caller) (left, of int64, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return 0, recoveryCodes, err
	}
	left, err = usecase.Get(ctx, s.core, func(tx *store.Tx) (int64, error) { return tx.RecoveryCodesLeft(by.Actor.ID) })
	return left, recoveryCodes, err
}

// NewRecoveryCodes makes recovery codes in the place of the former ones, and returns them, this once.
func (s *Service) NewRecoveryCodes(ctx context.Context, by usecase.Caller) (codes []string, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return nil, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.own(tx, by)
		if err != nil {
			return err
		}
		if a.SecondFactor == nil {
			return admitto.Refuse(admitto.NotAllowedNow, "", "no-second-factor", message.Of("no-second-factor"))
		}
		tx.Record(by.Actor, about(admitto.StaffSecondFactorChanged, a.ID))
		codes, err = s.newRecoveryCodes(tx, a.ID)
		return err
	})
	return codes, err
}

// RemoveSecondFactor takes the own second factor away, with its recovery codes.
func (s *Service) RemoveSecondFactor(ctx context.Context, by usecase.Caller) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.own(tx, by)
		if err != nil || a.SecondFactor == nil {
			return err
		}
		return s.dropSecondFactor(tx, by.Actor, a.ID)
	})
}

// SetPreferences keeps how the caller likes the pages.
func (s *Service) SetPreferences(ctx context.Context, by usecase.Caller, p Preferences) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	if len(p.Language) > 35 || !slices.Contains([]string{"", "light", "dark"}, p.Scheme) ||
		!slices.Contains([]string{"", "comfortable"}, p.Density) {
		return admitto.Refuse(admitto.InvalidParameter, "preferences", "", message.Of("no-preference"))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		return tx.SetStaffPreferences(by.Actor.ID, p.Language, p.Scheme, p.Density, p.Shortcuts, p.Term)
	})
}

// Proof is what somebody gives to prove again who they are: either of the two.
type Proof struct {
	Password, Code string
	Network        netip.Addr
}

// ProveIdentity checks the caller's password, or a code of the second factor. Its refusals are those of SignInStaff.
// The page notes the time in the session.
func (s *Service) ProveIdentity(ctx context.Context, by usecase.Caller, in Proof) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	if _, err := s.StaffMember(ctx, by.Actor.ID); err != nil {
		return err
	}
	return s.withSlot(ctx, func() error {
		var a store.StaffAccount
		var try attempt
		var now admitto.Time
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			now = tx.Now()
			if a, err = tx.StaffAccount(by.Actor.ID); err != nil {
				return err
			}
			if try, err = beginAttempt(tx, Administration, a.EmailKey, in.Network); err == nil && try.until != 0 {
				err = s.logSignIn(tx, &a, in.Network, admitto.LoginBlocked)
			}
			return err
		})
		if err != nil {
			return err
		}
		if try.until != 0 {
			return try.refused(now)
		}
		right := in.Code == "" && samePassword(a.Password, in.Password)
		var refused error
		err = s.core.Write(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
			refused = nil
			if in.Code != "" && a.SecondFactor != nil {
				if right, err = s.useCode(tx, &a, in.Code); err != nil {
					return err
				}
			}
			if right {
				return tx.DeleteSignInFailure(try.failure)
			}
			if in.Code != "" {
				refused = wrongCode()
				return s.logSignIn(tx, &a, in.Network, admitto.LoginWrongCode)
			}
			refused = wrongSignIn()
			return s.logSignIn(tx, &a, in.Network, admitto.LoginWrongPassword)
		})
		return errors.Join(err, refused)
	})
}

// StaffSession is a session as lists show it.
type StaffSession struct {
	ID          string // SessionID of its values
	Begun, Seen admitto.Time
	Agent       string
}

// sessionsOf returns the sessions of an administrator that still count, the last used first.
func (s *Service) sessionsOf(tx *store.Tx, id int64) (list []StaffSession, err error) {
	kept, err := tx.SessionsOf(string(Administration), id)
	return s.liveSessions(tx, kept), err
}

// liveSessions are those of the sessions that have not ended by themselves.
func (s *Service) liveSessions(tx *store.Tx, kept []store.Session) (list []StaffSession) {
	for i := range kept {
		if k := &kept[i]; within(s.core, Administration, k, tx.Now()) {
			list = append(list, StaffSession{ID: sessionID(k.Hash), Begun: k.Begun, Seen: k.Seen, Agent: k.Agent})
		}
	}
	return list
}

// OwnSessions returns the sessions of the caller, the last used first.
func (s *Service) OwnSessions(ctx context.Context, by admitto.Caller) (list []StaffSession, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]StaffSession, error) { return s.sessionsOf(tx, by.Actor.ID) })
}

// EndSession ends a session of the caller. One that is not there any more is no error.
func (s *Service) EndSession(ctx context.Context, by usecase.Caller, session string) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		return s.endThose(tx, by.Actor.ID, func(id string) bool { return id == session })
	})
}

// EndOtherSessions ends all sessions of the caller but one.
func (s *Service) EndOtherSessions(ctx context.Context, by usecase.Caller, keep string) error {
	if err := by.AdministratorOnly(); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error { return s.endOthers(tx, by.Actor.ID, keep) })
}

func (s *Service) endOthers(tx *store.Tx, account int64, keep string) error {
	return s.endThose(tx, account, func(id string) bool { return id != keep })
}

func (s *Service) endThose(tx *store.Tx, account int64, end func(id string) bool) error {
	kept, err := tx.SessionsOf(string(Administration), account)
	if err != nil {
		return err
	}
	for i := range kept {
		if end(sessionID(kept[i].Hash)) {
			if err := tx.DeleteSession(string(Administration), kept[i].Hash); err != nil {
				return err
			}
		}
	}
	return nil
}
