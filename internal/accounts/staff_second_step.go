package accounts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/netip"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

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
		who, err = s.letIn(tx, &a, try, in.Network)
		return err
	})
	return who, cmp.Or(err, refused)
}

// letIn ends an attempt with success.
func (s *Service) letIn(tx *store.Tx, a *store.StaffAccount, try attempt, network netip.Addr) (who SignedIn, err error) {
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
