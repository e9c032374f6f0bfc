package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// SampleIDs finds what the examples of the documentation are about. Errors: not-found, as long as there is not enough.
func (o *Office) SampleIDs(ctx context.Context, by admitto.Caller) (s admitto.SampleIDs, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return s, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		s, err = tx.SampleIDs()
		return err
	})
	return s, err
}
