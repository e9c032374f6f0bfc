package accounts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/netip"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// SignIn is what somebody gives who wants to be let in.
type SignIn struct {
	Email, Password string
	Code            string     // of the second factor, or a recovery code; "" when it was not asked for yet
	Network         netip.Addr // where it comes from
}

// SignedIn is who was let in.
type SignedIn struct {
	Account                int64
	NeedsSecondFactorSetup bool   // the instance requires a second factor, and there is none yet
	Step                   string // of a refusal by code-needed: what SignInByCode is given
	ByRecoveryCode         bool   // a recovery code was used up; RecoveryCodes are left
	RecoveryCodes          int64
}

// maxPassword is how many bytes of a password are looked at.
const maxPassword = 1024

// spareHash is compared where there is no account, so that the time does not tell.
var spareHash = sync.OnceValue(func() string { return seal.HashPassword("") })

// SignInStaff lets an administrator in (lifecycle.md 12.1). Whatever is wrong with address and password, answer and
// time are the same. The codes of its refusals: sign-in-wrong; sign-in-throttled, with RetryAfter; code-needed, when
// all is right but the code of the second factor is missing; code-wrong. Every attempt is written to the access log.
func (s *Service) SignInStaff(ctx context.Context, in SignIn) (who SignedIn, err error) {
	email := text.EmailKey(in.Email)
	err = s.withSlot(ctx, func() error {
		var a store.StaffAccount
		var try attempt
		var now admitto.Time
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			now = tx.Now()
			if a, err = tx.StaffAccountByEmail(email); err != nil && admitto.KindOf(err) != admitto.NotFound {
				return err
			}
			if try, err = beginAttempt(tx, Administration, email, in.Network); err == nil && try.until != 0 {
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
		right := samePassword(a.Password, in.Password)
		// What was decided is kept whatever becomes of the request.
		who, err = s.finishSignIn(context.WithoutCancel(ctx), &a, in, try, right)
		return err
	})
	return who, err
}

// samePassword reports whether a password is the one of a hash; it takes as long where there is none.
func samePassword(hash, password string) bool {
	known := hash != "" && len(password) <= maxPassword
	if !known {
		hash, password = spareHash(), ""
	}
	return seal.CheckPassword(hash, text.Password(password)) && known
}

// finishSignIn decides about an attempt whose password is right or not.
func (s *Service) finishSignIn(ctx context.Context, seen *store.StaffAccount, in SignIn, try attempt,
	right bool) (who SignedIn, err error) {
	var refused error
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		who, refused = SignedIn{}, nil
		a, err := tx.LockStaffAccount(seen.ID)
		if err != nil && admitto.KindOf(err) != admitto.NotFound {
			return err
		}
		refuse := func(as admitto.LoginResult, why error) error {
			refused = why
			return s.logSignIn(tx, &a, in.Network, as)
		}
		if !right || a.Password != seen.Password {
			return refuse(admitto.LoginWrongPassword, wrongSignIn())
		}
		if barred := s.barred(tx, &a); barred != "" {
			return refuse(barred, wrongSignIn())
		}
		if a.SecondFactor != nil && in.Code == "" {
			// Nothing was wrong; it is not logged as an attempt before the code is there.
			refused = admitto.Refuse(admitto.NotPermitted, "", "code-needed", message.Of("code-needed"))
			if who.Step, err = s.sealStep(&a, tx.Now()); err != nil {
				return err
			}
			return tx.DeleteSignInFailure(try.failure)
		}
		if a.SecondFactor != nil {
			if used, err := s.useCode(tx, &a, in.Code); err != nil {
				return err
			} else if !used {
				return refuse(admitto.LoginWrongCode, admitto.Refuse(admitto.NotPermitted, "administrator.code", "code-wrong",
					message.Of("code-wrong")))
			}
		}
		who, err = s.letIn(tx, &a, try, in.Network)
		return err
	})
	return who, cmp.Or(err, refused)
}

func wrongSignIn() error {
	return admitto.Refuse(admitto.NotPermitted, "", "sign-in-wrong", message.Of("sign-in-wrong"))
}

// logSignIn writes an attempt to the access log, with the first role of the administrator.
func (s *Service) logSignIn(tx *store.Tx, a *store.StaffAccount, network netip.Addr, result admitto.LoginResult) error {
	login := &admitto.Login{Logged: tx.Now(), Administrator: a.ID, Result: result}
	if network.IsValid() {
		login.IP = network.Unmap().WithZone("").String()
	}
	roles, err := tx.RolesOf([]int64{a.ID})
	if err != nil {
		return err
	}
	if own := roles[a.ID]; len(own) > 0 {
		login.Role, login.RoleName = own[0].ID, own[0].Name
	}
	_, err = tx.InsertLogin(login)
	return err
}

// Logins reads a page of the sign-ins of administrators, and how many match (resources.md 24.15).
func (s *Service) Logins(ctx context.Context, by admitto.Caller, q admitto.PageQuery) (list []admitto.Login,
	total int64, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return list, total, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, total, err = tx.Logins(q)
		return err
	})
	return list, total, err
}

// sealedStep is the purpose under which it is sealed what the first step of a sign-in proved, and stepLasts how long
// that counts.
const (
	sealedStep = "first step of a sign-in"
	stepLasts  = 5 * admitto.Minute
)

// SecondStep is what somebody gives whose password was right.
type SecondStep struct {
	Step    string // SignedIn.Step of the first step
	Code    string // of the second factor, or a recovery code
	Network netip.Addr
}

// firstStep is what the first step of a sign-in proved: that somebody knows the password of an account.
type firstStep struct {
	Account  int64
	Until    admitto.Time
	Password [32]byte // hash of the hash: the step ends when the password changes
}

func (s *Service) sealStep(a *store.StaffAccount, now admitto.Time) (string, error) {
	plain, err := json.Marshal(firstStep{a.ID, now + stepLasts, sha256.Sum256([]byte(a.Password))})
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(s.key.Seal(sealedStep, plain)), nil
}

// openStep reads what a first step proved; ok is false for what none of this instance made.
func (s *Service) openStep(text string) (f firstStep, ok bool) {
	if len(text) > 1000 {
		return firstStep{}, false
	}
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return firstStep{}, false
	}
	plain, err := s.key.Open(sealedStep, sealed)
	if err != nil || json.Unmarshal(plain, &f) != nil {
		return firstStep{}, false
	}
	return f, true
}

// SignInByCode is the second step of SignInStaff: it takes the code that code-needed asked for, without the password.
// The codes of its refusals: sign-in-over, when the first step does not count any more; sign-in-throttled; code-wrong.
func (s *Service) SignInByCode(ctx context.Context, in SecondStep) (who SignedIn, err error) {
	step, known := s.openStep(in.Step)
	var refused error
	// What was decided is kept whatever becomes of the request.
	err = s.core.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		who, refused = SignedIn{}, stepOver()
		if !known || tx.Now() >= step.Until {
			return nil
		}
		a, err := tx.LockStaffAccount(step.Account)
		if admitto.KindOf(err) == admitto.NotFound {
			return nil
		}
		if err != nil {
			return err
		}
		if sha256.Sum256([]byte(a.Password)) != step.Password || s.barred(tx, &a) != "" {
			return nil
		}
		try, err := beginAttempt(tx, Administration, a.EmailKey, in.Network)
		if err != nil {
			return err
		}
		if try.until != 0 {
			refused = try.refused(tx.Now())
			return s.logSignIn(tx, &a, in.Network, admitto.LoginBlocked)
		}
		if a.SecondFactor != nil {
			used, err := s.useCode(tx, &a, in.Code)
			if err != nil {
				return err
			}
			if !used {
				refused = admitto.Refuse(admitto.NotPermitted, "administrator.code", "code-wrong", message.Of("code-wrong"))
				return s.logSignIn(tx, &a, in.Network, admitto.LoginWrongCode)
			}
		}
		refused = nil
		if who, err = s.letIn(tx, &a, try, in.Network); err == nil && a.SecondFactor != nil && isRecoveryCode(in.Code) {
			who.ByRecoveryCode = true
			who.RecoveryCodes, err = tx.RecoveryCodesLeft(a.ID)
		}
		return err
	})
	return who, cmp.Or(err, refused)
}

// letIn ends an attempt with success.
func (s *Service) letIn(tx *store.Tx, a *store.StaffAccount, try attempt,
	network netip.Addr) (who SignedIn, err error) {
	if err := errors.Join(tx.DeleteSignInFailure(try.failure), tx.SignedInStaff(a.ID)); err != nil {
		return who, err
	}
	m, err := s.member(tx, a)
	if err != nil {
		return who, err
	}
	who = SignedIn{Account: a.ID, NeedsSecondFactorSetup: m.NeedsSecondFactor}
	return who, s.logSignIn(tx, a, network, admitto.LoginSuccess)
}

func stepOver() error {
	return admitto.Refuse(admitto.NotPermitted, "", "sign-in-over", message.Of("sign-in-over"))
}
