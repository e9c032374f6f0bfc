package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
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
		e, err = readEmail(tx, by, applicant, id)
		return err
	})
	return e, err
}

// readEmail is a mail to an applicant that the caller may read; not-found for others (admitto.MailsSeen).
func readEmail(tx *store.Tx, by admitto.Caller, applicant, id int64) (admitto.Email, error) {
	e, err := tx.Email(applicant, id)
	if err == nil && !by.Mails().Has(&e) {
		return admitto.Email{}, &admitto.Error{Kind: admitto.NotFound}
	}
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
		if _, err := readEmail(tx, by, applicant, email); err != nil {
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
		if _, err := readEmail(tx, by, applicant, email); err != nil {
			return err
		}
		f, err = tx.EmailAttachment(email, id)
		return err
	})
	return f, err
}

// EmailPage lists the mails to an applicant, the newest first, and counts them, for staff and the applicant; not-found
// without the applicant.
func (s *Service) EmailPage(ctx context.Context, by admitto.Caller, applicant int64, limit,
	offset int) (list []admitto.Email,
	total int64, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return nil, 0, err
	}
	err = s.core.BelowApplicant(ctx, applicant, func(tx *store.Tx) error {
		list, total, err = tx.EmailPage(store.EmailQuery{Applicant: applicant, Seen: by.Mails(), Limit: limit,
			Offset: offset})
		return err
	})
	return list, total, err
}

// ApplicationEmails lists the mails about an application, the newest first, and counts them; for those who may see the
// applicant also the mails that are about no application. Not-found without the application.
func (s *Service) ApplicationEmails(ctx context.Context, by admitto.Caller, application int64, limit,
	offset int) (list []admitto.Email,
	total int64, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, _, err := tx.ApplicationCase(application)
		if err != nil {
			return err
		}
		list, total, err = tx.EmailPage(store.EmailQuery{Applicant: a.Applicant, About: application,
			General: by.Has(admitto.ApplicantsView), Seen: by.Mails(), Limit: limit, Offset: offset})
		return err
	})
	return list, total, err
}

// ApplicationEmail reads one of the mails of ApplicationEmails and what is known of the files that went with it;
// not-found as well when it is not among them.
func (s *Service) ApplicationEmail(ctx context.Context, by admitto.Caller, application, id int64) (e admitto.Email,
	files []admitto.File, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return e, nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, _, err := tx.ApplicationCase(application)
		if err != nil {
			return err
		}
		if e, err = readEmail(tx, by, a.Applicant, id); err != nil {
			return err
		}
		if e.Application != application && (e.Application != 0 || !by.Has(admitto.ApplicantsView)) {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		files, err = tx.EmailAttachments(id)
		return err
	})
	return e, files, err
}

// NextTry returns when a mail that waits is tried again at the earliest, 0 for one that does not wait.
func (s *Service) NextTry(ctx context.Context, by admitto.Caller, email int64) (admitto.Time, error) {
	if err := by.NeedsAny(admitto.ApplicantsView, admitto.ApplicationsView); err != nil {
		return 0, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Time, error) { return tx.NextTryOf(email) })
}

// FailedEmails lists the mails that were given up, the last of them first, with the names of their applicants, and
// counts them.
func (s *Service) FailedEmails(ctx context.Context, by admitto.Caller, limit, offset int) (list []admitto.Email,
	names map[int64]string, total int64, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return nil, nil, 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if total, err = tx.FailedEmails(by.Mails()); err != nil {
			return err
		}
		if list, err = tx.FailedEmailPage(by.Mails(), limit, offset); err != nil {
			return err
		}
		var ids []int64
		for i := range list {
			ids = append(ids, list[i].Applicant)
		}
		names, err = tx.NamesOfApplicants(unique(ids))
		return err
	})
	return list, names, total, err
}
