package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// SampleIDs finds what the examples of the documentation are about. Errors: not-found, as long as there is not enough.
func (s *Service) SampleIDs(ctx context.Context, by admitto.Caller) (sampleIDs admitto.SampleIDs, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return sampleIDs, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).SampleIDs)
}
