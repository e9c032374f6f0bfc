package accounts

import (
	"context"
	"crypto/subtle"
	"encoding/base32"
	"image"
	"strings"
	"unicode"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"
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

// isRecoveryCode reports whether a code is longer than those of an app.
func isRecoveryCode(typed string) bool { return len(plainCode(typed)) > 6 }

// useCode uses a code of the second factor up, or a recovery code; false when it is neither, or was used before.
func (s *Service) useCode(tx *store.Tx, a *store.StaffAccount, typed string) (bool, error) {
	code := plainCode(typed)
	if isRecoveryCode(typed) {
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

// BegunSecondFactor returns the second factor that BeginSecondFactor made and that no code has confirmed yet; found is
// false without one.
func (s *Service) BegunSecondFactor(ctx context.Context, by admitto.Caller) (f NewSecondFactor, found bool, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return f, false, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, err := tx.StaffAccount(by.Actor.ID)
		if err != nil || a.SecondFactorNew == nil {
			return err
		}
		secret, err := s.key.Open(sealedFactor, a.SecondFactorNew)
		if err != nil {
			return err
		}
		random, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(string(secret))
		if err != nil {
			return err
		}
		key, err := totp.Generate(totp.GenerateOpts{Issuer: s.core.Settings().Instance.Name, AccountName: a.Email,
			Secret: random, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		f, found = NewSecondFactor{Secret: string(secret)}, true
		if err == nil {
			f.URI = key.URL()
		}
		return err
	})
	return f, found, err
}

// Squares are the rows of the QR code of the second factor; true is dark.
func (f NewSecondFactor) Squares() ([][]bool, error) {
	key, err := otp.NewKeyFromURL(f.URI)
	if err != nil {
		return nil, err
	}
	const smallest, largest, step = 21, 177, 4 // squares a side, by the version of the code
	var code image.Image
	for side := smallest; side <= largest; side += step {
		if code, err = key.Image(side, side); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	box := code.Bounds()
	rows := make([][]bool, box.Dy())
	for y := range rows {
		rows[y] = make([]bool, box.Dx())
		for x := range rows[y] {
			r, _, _, _ := code.At(box.Min.X+x, box.Min.Y+y).RGBA()
			rows[y][x] = r < 0x8000
		}
	}
	return rows, nil
}

// SealedAs is under what a row is sealed that accounts keep; "" for one of others.
func SealedAs(r store.SealedRow) string {
	switch r.Table {
	case "administrator":
		return sealedFactor
	case "stash", "stash_file", "stash_part":
		return stashPurpose(Area(r.Area), r.Account)
	case "sent_form":
		return sentPurpose(SentForm{Area: r.Area, Account: r.Account})
	}
	return ""
}
