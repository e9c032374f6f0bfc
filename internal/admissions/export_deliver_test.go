package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// PostMessage queues an applicant-message, with everything a mail can have.
func (o *Office) PostMessage(ctx context.Context, applicant, invoice int64, key string, files ...admitto.File) (email int64, err error) {
	err = o.write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(applicant)
		if err != nil {
			return err
		}
		email, err = o.post(tx, posting{template: "applicant-message", applicant: &a, application: 9, invoice: invoice, key: key, files: files})
		return err
	})
	return email, err
}
