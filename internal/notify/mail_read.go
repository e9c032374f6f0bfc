package notify

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// MarkRead notes that an applicant has read a mail to them (screens.md P20). It is no event of the journal: nothing of
// the mail changes. A mail to somebody else stays as it is.
func (s *Service) MarkRead(ctx context.Context, by admitto.Caller, email int64) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.MarkEmailRead(by.Applicant, email) })
}
