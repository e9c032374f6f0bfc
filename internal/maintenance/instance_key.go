package maintenance

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"slices"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
)

// errLacksKey tells a service that it was started before the key was there that seals now.
var errLacksKey = errors.New("the instance key was changed, and this service has not got the new one: give it both keys and start it again")

// ChangeKey lets another key seal, on every instance within a second; this one must have both. What was sealed before
// is opened with the former one until EndKeyChange.
func (s *Service) ChangeKey(ctx context.Context, by admitto.Caller, to string) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	if !slices.Contains(s.key.Fingerprints(), to) {
		return errLacksKey
	}
	if err := s.core.Write(ctx, func(tx *store.Tx) error { return tx.ChangeKey(to) }); err != nil {
		return err
	}
	s.key.Use(to)
	return nil
}

// SealAgain seals everything that is kept under the key that seals now, and tells how much was sealed under the former
// one; lost opens with neither. It may be interrupted and called again.
func (s *Service) SealAgain(ctx context.Context, by admitto.Caller) (done, lost int, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return 0, 0, err
	}
	again := func(purpose string, sealed []byte) (fresh []byte, lost bool) {
		fresh, err := s.key.Again(purpose, sealed)
		return fresh, err != nil
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		done, lost = 0, 0
		saved, err := tx.SavedSettings()
		if err != nil {
			return err
		}
		for name, text := range saved {
			if row, _ := config.Find(name); !row.Secret {
				continue
			}
			sealed, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				continue // OpenSettings says so
			}
			fresh, gone := again(settingPurpose(name), sealed)
			if gone {
				lost++
			}
			if fresh != nil {
				done++
				if err := tx.SealSetting(name, text, base64.StdEncoding.EncodeToString(fresh)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return done, lost, err
	}
	rows, gone, err := s.db.SealAgain(ctx, func(r store.SealedRow) ([]byte, bool) {
		return again(cmp.Or(accounts.SealedAs(r), notify.SealedMail), r.Sealed)
	})
	return done + rows, lost + gone, err
}

// EndKeyChange says that nothing is sealed under the former key any more.
func (s *Service) EndKeyChange(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.ForgetFormerKey() })
}
