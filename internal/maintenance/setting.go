package maintenance

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ChangeSetting saves a setting in the database, from where it reaches all instances; a nil value takes away what is
// saved. InvalidParameter says why it is
// refused: the name, the value, or a stronger source that has the setting. What changes nothing is not journaled.
func (s *Service) ChangeSetting(ctx context.Context, by usecase.Caller, name string, value *string) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockOrder(); err != nil { // one after the other, since settings are checked together
			return err
		}
		saved, err := savedSettings(tx, s.key)
		if err != nil {
			return err
		}
		next, err := s.core.Settings().Save(saved, name, value)
		if err != nil {
			return refusedSetting(err)
		}
		if maps.Equal(saved, next) {
			return nil
		}
		if value == nil {
			err = tx.ForgetSetting(name)
		} else {
			err = tx.SaveSetting(name, sealSetting(s.key, name, *value), by.Actor)
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.SettingChanged, Bind: []string{name}})
		return err
	})
	if err != nil {
		return err
	}
	return s.refreshSettings(ctx)
}

// refusedSetting says why a setting is not saved.
func refusedSetting(err error) error {
	r, ok := errors.AsType[*config.Refusal](err)
	if !ok {
		return err
	}
	var text message.Text
	switch r.Reason {
	case config.NoSetting:
		text = message.Of("setting-unknown", r.Name)
		if r.Near != "" {
			text = message.Of("setting-misspelt", r.Name, r.Near)
		}
	case config.OutsideOnly:
		text = message.Of("setting-outside-only", r.Name)
	case config.Fixed:
		text = message.Of("setting-fixed", r.Name, r.Origin)
	case config.WrongValue:
		text = message.Of("setting-value", r.Name, r.Value, r.Detail, r.Want)
	case config.Together:
		text = message.Of("settings-together", r.Detail)
	}
	return admitto.Refuse(admitto.InvalidParameter, admitto.Path(r.Name), "", text)
}

// RefreshSettings makes the settings of this instance follow what is saved in the database. A job calls it every
// second. Its error is given once for the same saved values, and the former settings stay.
func (s *Service) RefreshSettings(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.refreshSettings(ctx)
}

func (s *Service) refreshSettings(ctx context.Context) error {
	var saved map[string]string
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		saved, err = savedSettings(tx, s.key)
		return err
	})
	if err != nil {
		return err
	}
	if err := s.live.Refresh(saved); err != nil {
		return fmt.Errorf("the saved settings do not go with this instance, whose former ones stay: %w", err)
	}
	return nil
}

// savedSettings reads what is saved, secrets unsealed.
func savedSettings(tx *store.Tx, key seal.Key) (map[string]string, error) {
	saved, err := tx.SavedSettings()
	if err != nil {
		return nil, err
	}
	return OpenSettings(saved, key)
}

func settingPurpose(name string) string { return "setting " + name }

// sealSetting is a value as it is saved: a secret only sealed.
func sealSetting(key seal.Key, name, value string) string {
	if row, _ := config.Find(name); !row.Secret {
		return value
	}
	return base64.StdEncoding.EncodeToString(key.Seal(settingPurpose(name), []byte(value)))
}

// OpenSettings unseals the secrets among saved settings.
func OpenSettings(saved map[string]string, key seal.Key) (map[string]string, error) {
	opened := maps.Clone(saved)
	for name, text := range saved {
		if row, _ := config.Find(name); !row.Secret {
			continue
		}
		sealed, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, errors.New(name + ", saved in the database, is not sealed")
		}
		plain, err := key.Open(settingPurpose(name), sealed)
		if err != nil {
			return nil, fmt.Errorf("%s, saved in the database: %w", name, err)
		}
		opened[name] = string(plain)
	}
	return opened, nil
}
