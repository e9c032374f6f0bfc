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
		versions = make([]SettingVersion, len(lists))
		for i, names := range lists {
			versions[i].Number = 1
			q := admitto.JournalQuery{NewestFirst: true, Limit: 1}
			for _, name := range names {
				q.Events = append(q.Events, admitto.EventFilter{Pattern: admitto.SettingChanged, Bind: []string{name}})
			}
			if len(names) == 0 {
				continue
			}
			changes, err := tx.CountRecords(q)
			if err != nil {
				return err
			}
			versions[i].Number += changes
			if _, err = tx.EachRecord(q, func(r *admitto.Record) error {
				versions[i].Since = r.Logged
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return versions, err
}
