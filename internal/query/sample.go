package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// SampleIDs finds what the examples of the documentation are about. Errors: not-found, as long as there is not enough.
func (s *Service) SampleIDs(ctx context.Context, by admitto.Caller) (sampleIDs admitto.SampleIDs, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return sampleIDs, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		sampleIDs, err = tx.SampleIDs()
		return err
	})
	return sampleIDs, err
}
