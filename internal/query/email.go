package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Emails lists the mails to an applicant by ID (resources.md 3.7); not-found without the applicant.
func (s *Service) Emails(ctx context.Context, by admitto.Caller, applicant int64) (list []admitto.Email, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return list, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		list, err = tx.EmailsOf(applicant)
		return err
	})
	return list, err
}

// Email reads one mail to an applicant; not-found as well when it went to somebody else.
func (s *Service) Email(ctx context.Context, by admitto.Caller, applicant, id int64) (e admitto.Email, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return e, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		e, err = tx.Email(applicant, id)
		return err
	})
	return e, err
}

// EmailAttachments lists what is known of the files that went with a mail, by ID; not-found without the
// applicant or the mail.
func (s *Service) EmailAttachments(ctx context.Context, by admitto.Caller, applicant, email int64) (list []admitto.File,
	err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return list, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		if _, err := tx.Email(applicant, email); err != nil {
			return err
		}
		list, err = tx.EmailAttachments(email)
		return err
	})
	return list, err
}

// EmailAttachment reads what is known of one file that went with a mail; not-found as well when it went with
// another.
func (s *Service) EmailAttachment(ctx context.Context, by admitto.Caller, applicant, email, id int64) (f admitto.File,
	err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return f, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		if _, err := tx.Email(applicant, email); err != nil {
			return err
		}
		f, err = tx.EmailAttachment(email, id)
		return err
	})
	return f, err
}
