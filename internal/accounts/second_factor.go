package accounts

import (
	"crypto/subtle"
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

// sealedFactor is the purpose under which secrets of second factors are sealed.
const sealedFactor = "second factor"

// Codes change with every step, and one step before and after the current one is taken (RFC 6238).
const (
	codeStep  = 30 * admitto.Second
	codeDrift = 1
)

// stepOfCode finds the step whose code was given, 0 for none.
func stepOfCode(secret, code string, now admitto.Time) (step int64) {
	current := int64(now / codeStep)
	for at := current - codeDrift; at <= current+codeDrift; at++ {
		want, err := hotp.GenerateCodeCustom(secret, uint64(at), hotp.ValidateOpts{Digits: otp.DigitsSix,
			Algorithm: otp.AlgorithmSHA1})
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step = at
		}
	}
	return step
}

// plainCode is a code as it was typed without what makes it easier to read.
func plainCode(typed string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' {
			return -1
		}
		return unicode.ToUpper(r)
	}, typed)
}

// useCode uses a code of the second factor up, or a recovery code; false when it is neither, or was used before.
func (s *Service) useCode(tx *store.Tx, a *store.StaffAccount, typed string) (bool, error) {
	code := plainCode(typed)
	if len(code) > 6 {
		return tx.UseRecoveryCode(a.ID, seal.TokenHash(code))
	}
	secret, err := s.key.Open(sealedFactor, a.SecondFactor)
	if err != nil {
		return false, err
	}
	step := stepOfCode(string(secret), code, tx.Now())
	if step == 0 {
		return false, nil
	}
	return tx.UseSecondFactorStep(a.ID, step)
}
