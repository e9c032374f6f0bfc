package accounts

import (
	"context"
	"encoding/base32"
	"image"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

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
