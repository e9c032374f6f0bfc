package automation

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// mostPreviewed is how many records a preview lists.
const mostPreviewed = 50

// Resting are the drafts that MarkInactive would make Inactive now.
type Resting struct {
	List  []store.RestingDraft // the first of them
	Total int64
}

// PreviewInactive reads which drafts MarkInactive would make Inactive now if rules.inactive_after_days were days; it
// changes nothing.
func (s *Service) PreviewInactive(ctx context.Context, by admitto.Caller, days int) (r Resting, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return r, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		r.List, r.Total, err = tx.RestingDrafts(ruleInactive, tx.Now()-admitto.Time(days)*admitto.Day, s.core.DayOf(tx.Now()),
			mostPreviewed)
		return err
	})
	return r, err
}
