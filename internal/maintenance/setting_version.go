package maintenance

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// SettingVersion is a version of a list of settings.
type SettingVersion struct {
	Number int64        // 1, and one more with every change that was saved
	Since  admitto.Time // when it was saved; 0 for the first
}

// SettingVersions returns the version that counts of each list of settings. One of no settings has one version.
func (s *Service) SettingVersions(ctx context.Context, by admitto.Caller, lists ...[]string) (versions []SettingVersion,
	err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		versions = nil
		for _, names := range lists {
			number, since, err := tx.SettingVersion(names)
			if err != nil {
				return err
			}
			versions = append(versions, SettingVersion{number, since})
		}
		return nil
	})
	return versions, err
}
