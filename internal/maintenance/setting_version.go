package maintenance

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// SettingVersions counts, for each list of settings, the versions there have been of them: 1, and one more with every
// change that was saved.
func (s *Service) SettingVersions(ctx context.Context, by admitto.Caller, lists ...[]string) (versions []int64,
	err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		versions = make([]int64, len(lists))
		for i, names := range lists {
			q := admitto.JournalQuery{}
			for _, name := range names {
				q.Events = append(q.Events, admitto.EventFilter{Pattern: admitto.SettingChanged, Bind: []string{name}})
			}
			var changes int64
			if len(names) > 0 {
				if changes, err = tx.CountRecords(q); err != nil {
					return err
				}
			}
			versions[i] = 1 + changes
		}
		return nil
	})
	return versions, err
}
