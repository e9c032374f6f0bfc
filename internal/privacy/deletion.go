package privacy

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/automation"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// DeleteApplicant puts an applicant into the recovery list (lifecycle.md 9): the applicant, all applications and
// what is below them are invisible at once, links to sign in are dead, mails on their way are dropped, and the address
// is free. Only administrators may; errors: not-permitted, not-found.
func (s *Service) DeleteApplicant(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.ApplicantsDelete); err != nil {
		return err
	}
	if err := byAdministrator(by); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(id)
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.ApplicantRow, ID: id}); err != nil {
			return err
		}
		if err := tx.HideApplicant(&a, by.Actor.ID); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantDeleted, Links: admitto.Links{Applicant: id}})
		return nil
	})
}

// RestoreApplicant takes an applicant out of the recovery list, as long as nobody has erased it. When the address was
// taken meanwhile a new one must be given; email "" keeps the old one. A reference that was taken meanwhile is
// cleared. Only administrators may; errors: not-permitted, not-found, already-exists, invalid-parameter (email).
func (s *Service) RestoreApplicant(ctx context.Context, by usecase.Caller, id int64, email string) error {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return err
	}
	if err := byAdministrator(by); err != nil {
		return err
	}
	emailKey := ""
	if email != "" {
		shown, err := text.Email(email)
		if err != nil {
			return admitto.Refuse(admitto.InvalidParameter, "applicant.email", "", message.From(err))
		}
		email, emailKey = shown, text.EmailKey(shown)
	}
	err := s.core.Write(ctx, func(tx *store.Tx) error { return s.restore(tx, by, id, email, emailKey) })
	if errors.Is(err, db.ErrUnique) { // taken in the same time
		return addressTaken(0)
	}
	return err
}

func (s *Service) restore(tx *store.Tx, by usecase.Caller, id int64, email, emailKey string) error {
	d, err := tx.LockDeleted(id)
	if err != nil {
		return err
	}
	if email == "" {
		email = d.Email
		if emailKey, err = tx.EmailKey(id); err != nil {
			return err
		}
	}
	holder, err := tx.HolderOfEmail(emailKey)
	if err != nil {
		return err
	}
	if holder != 0 {
		return addressTaken(holder)
	}
	reference := d.Reference
	if reference != "" {
		holder, err := tx.ApplicantByReference(reference)
		if err != nil {
			return err
		}
		if holder != 0 {
			reference = ""
		}
	}
	if err := tx.ShowApplicant(&d, email, emailKey, reference); err != nil {
		return err
	}
	links := admitto.Links{Applicant: id}
	restored := admitto.Event{Pattern: admitto.ApplicantRestored, Links: links}
	if email != d.Email {
		restored.Details = []admitto.Detail{{Path: "email", Old: d.Email, New: email}}
	}
	tx.Record(by.Actor, restored)
	if reference != d.Reference {
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantReferenceCleared, Links: links,
			Details: []admitto.Detail{{Path: "reference", Old: d.Reference}}})
	}
	return nil
}

func addressTaken(holder int64) error {
	return &admitto.Error{Kind: admitto.AlreadyExists, Existing: holder,
		Text: message.Of("address-taken")}
}

func byAdministrator(by usecase.Caller) error {
	if by.Actor.Kind != admitto.ByAdministrator {
		return admitto.Refused(admitto.NotPermitted, message.Of("deletion-by-administrator"))
	}
	return nil
}

// EraseDeleted erases for good the applicants that were deleted at least deletion.min_hours ago (lifecycle.md 9).
func (s *Service) EraseDeleted(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.automation.RunRule(ctx, s.erasure(s.core.Settings(), 0))
}

// nowOr is the time, without one that of the transaction.
func nowOr(at admitto.Time, tx *store.Tx) admitto.Time {
	if at == 0 {
		return tx.Now()
	}
	return at
}

func (s *Service) erasure(set *config.Settings, at admitto.Time) automation.Rule {
	long := admitto.Time(set.Deletion.MinHours) * admitto.Hour
	return automation.Rule{Name: "erase", Mode: set.Rules.ErasureMode, Due: automation.Found, People: true,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return tx.DeletedBefore(after, nowOr(at, tx)-long)
		},
		Act: func(tx *store.Tx, c store.Candidate) error {
			d, err := tx.LockDeleted(c.Record)
			if err != nil || d.Deleted > tx.Now()-long {
				return err
			}
			return s.erase(tx, admitto.System(), &d)
		}}
}

// EraseUnused erases registrations that nobody has used for rules.unconfirmed_after_days and that hold nothing, without
// recovery (lifecycle.md 9).
func (s *Service) EraseUnused(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.automation.RunRule(ctx, s.unconfirmed(s.core.Settings(), 0))
}

func (s *Service) unconfirmed(set *config.Settings, at admitto.Time) automation.Rule {
	long := admitto.Time(set.Rules.UnconfirmedAfterDays) * admitto.Day
	return automation.Rule{Name: "erase-unused", Mode: set.Rules.UnconfirmedMode, Due: automation.Found, People: true,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return tx.UnusedRegistrations(after, nowOr(at, tx)-long)
		},
		Act: func(tx *store.Tx, c store.Candidate) error {
			a, err := tx.LockApplicant(c.Record)
			if err != nil {
				return err
			}
			if unused, err := tx.IsUnusedRegistration(a.ID, tx.Now()-long); err != nil || !unused {
				return err
			}
			if err := tx.HideApplicant(&a, 0); err != nil {
				return err
			}
			d, err := tx.LockDeleted(a.ID)
			if err != nil {
				return err
			}
			return s.erase(tx, admitto.System(), &d)
		}}
}

// EraseTakenBack erases registrations that were taken back by who made them, since their address was wrong (screens.md
// P03), without recovery.
func (s *Service) EraseTakenBack(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	var ids []int64
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		ids, err = tx.TakenBackRegistrations()
		return err
	})
	for _, id := range ids {
		if err != nil {
			break
		}
		err = s.core.Write(ctx, func(tx *store.Tx) error {
			d, err := tx.LockDeleted(id)
			switch {
			case admitto.KindOf(err) == admitto.NotFound:
				return nil // somebody else was quicker
			case err != nil:
				return err
			}
			return s.erase(tx, admitto.System(), &d)
		})
	}
	return err
}

// erase removes everything there is about an applicant. What stays are numbers: the journal without its details, the
// purge list, the register of invoices, and detached invoices with the name of their payer.
func (s *Service) erase(tx *store.Tx, by admitto.Actor, d *store.Deleted) error {
	applications, err := tx.ApplicationsToErase(d.ID)
	if err != nil {
		return err
	}
	invoices, err := tx.InvoicesToErase(d.ID)
	if err != nil {
		return err
	}
	if err := s.keys.ForgetAnswersAbout(tx, d.ID); err != nil {
		return err
	}
	if err := tx.LoosenFilesOf(d.ID); err != nil {
		return err
	}
	tx.Record(by, admitto.Event{Pattern: admitto.ApplicantErased, Links: admitto.Links{Applicant: d.ID}})
	for _, i := range invoices {
		change, pattern := tx.DeleteInvoice, admitto.InvoiceDeleted
		if i.Kept {
			change, pattern = tx.DetachInvoice, admitto.InvoiceDetached
		}
		if err := change(i.Links.Invoice); err != nil {
			return err
		}
		tx.Record(by, admitto.Event{Pattern: pattern, Links: i.Links})
	}
	entry := admitto.PurgedResource{Object: d.ID, Type: admitto.PurgedApplicant, Created: d.Registered,
		ForgetRequested: d.ForgetRequested, Marked: d.Deleted, MarkedBy: d.DeletedBy, Purged: tx.Now()}
	if err := tx.InsertPurged(&entry); err != nil {
		return err
	}
	for i := range applications {
		entry.Object, entry.Type, entry.Created = applications[i].ID, admitto.PurgedApplication, applications[i].Created
		if err := tx.InsertPurged(&entry); err != nil {
			return err
		}
	}
	if err := tx.ForgetDetails(d.ID); err != nil { // with the head of the journal, so that the rest is locked before
		return err
	}
	return tx.EraseApplicant(d.ID)
}
