package admissions

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
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
	ruleKeys           = "keys"
)

// MarkInactive makes drafts Inactive whose content nobody has saved for rules.inactive_after_days (lifecycle.md T5);
// the first time that happens to an application the applicant is told.
func (o *Office) MarkInactive(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	idle := admitto.Time(o.Settings().Rules.InactiveAfterDays) * admitto.Day
	return o.runRule(ctx, rule{ruleInactive,
		func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return tx.DraftsUntouched(after, tx.Now()-idle)
		},
		func(tx *store.Tx, c store.Candidate) error {
			d, err := lockApplication(tx, bySystem(), c.Record)
			if err != nil || d.Status != admitto.Draft || d.Revised > tx.Now()-idle {
				return err
			}
			if faults, err := o.closedFaults(tx, d); err != nil || len(faults) > 0 {
				return err
			}
			// The time of the last save is the occurrence: a draft that was worked on again may rest again.
			if first, err := tx.ClaimRuleAction(ruleInactive, d.ID, strconv.FormatInt(int64(d.Revised), 10)); err != nil || !first {
				return err
			}
			return o.rest(tx, d)
		}})
}

// rest makes a draft Inactive.
func (o *Office) rest(tx *store.Tx, d *dossier) error {
	if err := tx.SetInactive(d.ID); err != nil {
		return err
	}
	d.Status = admitto.Inactive
	d.record(tx, admitto.ApplicationStatusChanged, string(admitto.Inactive))
	if first, err := tx.ClaimRuleAction(ruleInactiveMail, d.ID, "once"); err != nil || !first {
		return err
	}
	return o.remind(tx, d, "application-inactive-reminder", "once", nil)
}

// remind mails a reminder about an application with the markers of group p and more.
func (o *Office) remind(tx *store.Tx, d *dossier, template, occurrence string, more map[string]string) error {
	values, err := o.applicationMarkers(tx, d)
	if err != nil {
		return err
	}
	for name, value := range more {
		values[name] = value
	}
	if values["application-Missing"] == "" {
		values["application-Missing"] = "nothing"
	}
	_, err = o.post(tx, posting{template: template, applicant: &d.Applicant, application: d.ID, values: values,
		key: mailKey(template, d.ID, occurrence)})
	return err
}

// mailKey names a mail by its template, its subject and the occurrence (lifecycle.md 8.1).
func mailKey(template string, record int64, occurrence string) string {
	return template + "/" + strconv.FormatInt(record, 10) + "/" + occurrence
}

// TellExpired records, once for each end, that the grace day of an application's term is over (lifecycle.md T14).
// Being expired itself is computed wherever it is asked.
func (o *Office) TellExpired(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return o.runRule(ctx, rule{ruleExpire,
		func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return tx.JustExpired(after, ruleExpire, o.dayOf(tx.Now()))
		},
		func(tx *store.Tx, c store.Candidate) error {
			d, err := lockApplication(tx, bySystem(), c.Record)
			if err != nil {
				return err
			}
			if expired, err := o.isExpired(tx, d); err != nil || !expired {
				return err
			}
			occurrence, err := tx.ExpiryOf(d.ID)
			if err != nil {
				return err
			}
			if first, err := tx.ClaimRuleAction(ruleExpire, d.ID, occurrence); err != nil || !first {
				return err
			}
			d.record(tx, admitto.ApplicationExpired)
			return nil
		}})
}

// LapseInvoices lapses the automatic invoices that nobody has paid for and that have lost their reason: their
// application is Closed, expired, or Withdrawn and past the undo window (lifecycle.md 11.1).
func (o *Office) LapseInvoices(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	undo := admitto.Time(o.Settings().Withdrawal.UndoMinutes) * admitto.Minute
	return o.runRule(ctx, rule{"lapse",
		func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return tx.Lapsing(after, tx.Now()-undo, o.dayOf(tx.Now()))
		},
		func(tx *store.Tx, c store.Candidate) error {
			d, err := lockApplication(tx, bySystem(), c.Record)
			if err != nil {
				return err
			}
			gone := d.Status == admitto.Closed || d.Status == admitto.Withdrawn && d.Withdrawn <= tx.Now()-undo
			if !gone {
				if gone, err = o.isExpired(tx, d); err != nil || !gone {
					return err
				}
			}
			// Lapsing looks for invoices that are not lapsed, so it needs no mark to happen once.
			return o.lapseInvoices(tx, admitto.System(), d.ID)
		}})
}
