package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// SampleIDs finds what the examples of the documentation are about. Errors: not-found, as long as there is not enough.
func (o *Office) SampleIDs(ctx context.Context) (s admitto.SampleIDs, err error) {
	err = o.read(ctx, func(tx *store.Tx) error {
		s, err = tx.SampleIDs()
		return err
	})
	return s, err
}
