package automation

import (
	"context"
	"maps"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// The names of the rules in the table of what they have done.
const (
	ruleInactive       = "inactive"
	ruleInactiveMail   = "inactive-mail"
	ruleExpire         = "expire"
	ruleDraft          = "remind-draft"
	ruleReopened       = "remind-reopened"
	ruleReopenedNumber = "remind-reopened-number"
	ruleDecision       = "remind-decision"
	ruleInvoice        = "remind-invoice"
	ruleTask           = "remind-task"
	ruleLapse          = "lapse"
)

// MarkInactive makes drafts Inactive whose content nobody has saved for rules.inactive_after_days (lifecycle.md T5);
// the first time that happens to an application the applicant is told.
func (s *Service) MarkInactive(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.inactive(s.core.Settings(), admitto.Date{}))
}

func (s *Service) inactive(set *config.Settings, _ admitto.Date) Rule {
	idle := admitto.Time(set.Rules.InactiveAfterDays) * admitto.Day
	return Rule{Name: ruleInactive, Mode: set.Rules.InactiveMode,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return tx.DraftsUntouched(after, tx.Now()-idle)
		},
		Act: func(tx *store.Tx, c store.Candidate) error {
			d, err := usecase.LockApplication(tx, bySystem(), c.Record)
			if err != nil || d.Status != admitto.Draft || d.Revised > tx.Now()-idle {
				return err
			}
			if faults, err := s.admissions.ClosedFaults(tx, d); err != nil || len(faults) > 0 {
				return err
			}
			// The time of the last save is the occurrence: a draft that was worked on again may rest again.
			if first, err := tx.ClaimRuleAction(ruleInactive, d.ID, strconv.FormatInt(int64(d.Revised), 10)); err != nil ||
				!first {
				return err
			}
			return s.rest(tx, d)
		}}
}

// rest makes a draft Inactive.
func (s *Service) rest(tx *store.Tx, d *usecase.LockedApplication) error {
	if err := tx.SetInactive(d.ID); err != nil {
		return err
	}
	d.Status = admitto.Inactive
	d.Record(tx, admitto.ApplicationStatusChanged, string(admitto.Inactive))
	if first, err := tx.ClaimRuleAction(ruleInactiveMail, d.ID, "once"); err != nil || !first {
		return err
	}
	return s.remind(tx, d, mail.KindApplicationInactiveReminder, "once", nil)
}

// remind mails a reminder about an application with the markers of group p and more.
func (s *Service) remind(tx *store.Tx, d *usecase.LockedApplication, template mail.Kind, occurrence string,
	more mail.Values) error {
	values, err := s.admissions.ApplicationMarkers(tx, d)
	if err != nil {
		return err
	}
	maps.Copy(values, more)
	if missing, ok := values[mail.ApplicationMissing].(mail.Lines); ok && len(missing) == 0 {
		values[mail.ApplicationMissing] = message.Of("mail-nothing-missing")
	}
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: template, Applicant: &d.Applicant, Application: d.ID,
		Values: values,
		Record: d.ID, Occurrence: occurrence})
	return err
}

// TellExpired records, once for each end, that the grace day of an application's term is over (lifecycle.md T14).
// Being expired itself is computed wherever it is asked.
func (s *Service) TellExpired(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.expiry(s.core.Settings(), admitto.Date{}))
}

// expiry is the rule as it is on a day; without one on that of its run.
func (s *Service) expiry(set *config.Settings, day admitto.Date) Rule {
	return Rule{Name: ruleExpire, Mode: set.Rules.ExpiryMode, Due: Found,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			if day.IsZero() {
				return tx.JustExpired(after, ruleExpire, s.core.Today(tx))
			}
			return tx.JustExpired(after, ruleExpire, day)
		},
		Act: func(tx *store.Tx, c store.Candidate) error {
			d, err := usecase.LockApplication(tx, bySystem(), c.Record)
			if err != nil {
				return err
			}
			if expired, err := s.admissions.IsExpired(tx, d); err != nil || !expired {
				return err
			}
			occurrence, err := tx.ExpiryOf(d.ID)
			if err != nil {
				return err
			}
			if first, err := tx.ClaimRuleAction(ruleExpire, d.ID, occurrence); err != nil || !first {
				return err
			}
			d.Record(tx, admitto.ApplicationExpired)
			return nil
		}}
}

// CountUnanswered keeps how many offers the rule of automatic declining concerns now. It declines none: the batch
// that is prepared of them waits for somebody to release it.
func (s *Service) CountUnanswered(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.unanswered(s.core.Settings(), admitto.Date{}))
}

func (s *Service) unanswered(set *config.Settings, _ admitto.Date) Rule {
	buffer := set.Offers.DecisionBufferHours
	return Rule{Name: admitto.AutoDecline, Mode: set.Rules.AutoDecline,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return s.admissions.Unanswered(tx, after, buffer)
		},
		Due: func(tx *store.Tx, c store.Candidate) (bool, error) {
			_, err := s.admissions.LookUnanswered(tx, bySystem(), c.Record, buffer, tx.Now())
			if admitto.KindOf(err) == admitto.NotAllowedNow {
				return false, nil
			}
			return err == nil, err
		}}
}

// LapseInvoices lapses the automatic invoices that nobody has paid for and that have lost their reason: their
// application is Closed, expired, or Withdrawn and past the undo window (lifecycle.md 11.1).
func (s *Service) LapseInvoices(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.lapse(s.core.Settings(), admitto.Date{}))
}

func (s *Service) lapse(set *config.Settings, _ admitto.Date) Rule {
	undo := admitto.Time(set.Withdrawal.UndoMinutes) * admitto.Minute
	return Rule{Name: ruleLapse, Mode: set.Rules.LapseMode,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return tx.Lapsing(after, tx.Now()-undo, s.core.DayOf(tx.Now()))
		},
		Act: func(tx *store.Tx, c store.Candidate) error {
			d, err := usecase.LockApplication(tx, bySystem(), c.Record)
			if err != nil {
				return err
			}
			gone := d.Status == admitto.Closed || d.Status == admitto.Withdrawn && d.Withdrawn <= tx.Now()-undo
			if !gone {
				if gone, err = s.admissions.IsExpired(tx, d); err != nil || !gone {
					return err
				}
			}
			// Lapsing looks for invoices that are not lapsed, so it needs no mark to happen once.
			return s.billing.LapseInvoices(tx, admitto.System(), d.ID)
		}}
}
