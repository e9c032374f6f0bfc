package maintenance

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
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
	return s.ChangeSettings(ctx, by, nil, config.Change{Name: name, Value: value})
}

// ChangeSettings is ChangeSetting of several at once, all of them or none, with one fault for each that is refused. The
// version that the caller has seen, if any, is that of SettingStates of the names shown.
func (s *Service) ChangeSettings(ctx context.Context, by usecase.Caller, shown []string,
	changes ...config.Change) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		if err := lockLogo(tx, changes); err != nil {
			return err
		}
		if err := tx.LockOrder(); err != nil { // one after the other, since settings are checked together
			return err
		}
		sealed, err := tx.SavedSettings()
		if err != nil {
			return err
		}
		saved, err := OpenSettings(sealed, s.key)
		if err != nil {
			return err
		}
		next, refused := s.core.Settings().SaveAll(saved, changes...)
		if err := by.Together(by.Sees(versionOf(sealed, shown)), refusedSettings(refused)); err != nil {
			return err
		}
		for _, c := range changes {
			if was, had := saved[c.Name]; had == (c.Value != nil) && was == next[c.Name] {
				continue
			}
			if c.Value == nil {
				err = tx.ForgetSetting(c.Name)
			} else {
				err = tx.SaveSetting(c.Name, sealSetting(s.key, c.Name, *c.Value), by.Actor)
			}
			if err == nil && c.Name == config.LogoSetting {
				err = changeLogo(tx, saved[c.Name], next[c.Name])
			}
			if err != nil {
				return err
			}
			tx.Record(by.Actor, admitto.Event{Pattern: admitto.SettingChanged, Bind: []string{c.Name},
				Details: settingDetails(c.Name, saved, next)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.refreshSettings(ctx)
}

// SettingState is a setting with its value, and when and by whom what is saved of it was changed.
type SettingState struct {
	config.Setting
	Value   config.Value
	Saved   bool
	Changed admitto.Time  // 0 when nothing is saved
	By      admitto.Actor // who changed it
}

// SettingStates returns the named settings in their order, and the version of what is saved of them: another one as
// soon as any is changed. A name that is none is left out.
func (s *Service) SettingStates(ctx context.Context, by admitto.Caller, names ...string) (list []SettingState,
	version int64, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return nil, 0, err
	}
	var saved map[string]string
	var changes map[string]store.SettingChange
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if saved, err = tx.SavedSettings(); err == nil {
			changes, err = tx.SettingChanges()
		}
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	if err := s.refreshSettings(ctx); err != nil { // the former settings stay, which is what is shown then
		s.log.WarnContext(ctx, "settings", "error", err)
	}
	now := s.core.Settings()
	for _, name := range names {
		row, found := config.Find(name)
		value, right := now.Value(name)
		if !found || !right {
			continue
		}
		_, has := saved[name]
		list = append(list, SettingState{Setting: row, Value: value, Saved: has, Changed: changes[name].At,
			By: changes[name].By})
	}
	return list, versionOf(saved, names), nil
}

// versionOf is a number made of what is saved of the names, secrets as they are sealed.
func versionOf(saved map[string]string, names []string) int64 {
	hash := sha256.New()
	for _, name := range names {
		value, has := saved[name]
		hash.Write(fmt.Appendf(nil, "%q %t %q\n", name, has, value))
	}
	return int64(binary.BigEndian.Uint64(hash.Sum(nil))>>1) | 1 // never 0, which is no version
}

// refusedSettings says why settings are not saved, each with a fault of its own.
func refusedSettings(refused []*config.Refusal) error {
	if len(refused) == 0 {
		return nil
	}
	all := &admitto.Error{}
	for i, r := range refused {
		one, ok := errors.AsType[*admitto.Error](refusedSetting(r))
		if !ok { // not reached: it makes one of each
			continue
		}
		if i == 0 {
			*all = *one
			continue
		}
		all.Faults = append(all.Faults, one.Faults...)
	}
	return all
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
	err := s.core.Read(ctx, func(tx *store.Tx) error {
		now, err := tx.KeyFingerprint()
		if err == nil && now != "" && !s.key.Use(now) {
			err = errLacksKey
		}
		if err == nil {
			saved, err = savedSettings(tx, s.key)
		}
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

// settingDetails are the values of a setting before and after a change, those of its default where nothing is saved.
// Secrets have none, and the logo, which is a file.
func settingDetails(name string, before, after map[string]string) []admitto.Detail {
	row, _ := config.Find(name)
	if row.Secret || name == config.LogoSetting {
		return nil
	}
	value := func(saved map[string]string) string {
		if text, ok := saved[name]; ok {
			return text
		}
		return row.Default
	}
	return []admitto.Detail{{Path: name, Old: value(before), New: value(after)}}
}

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
