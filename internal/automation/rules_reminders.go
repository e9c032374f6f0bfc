package automation

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// The reminders take the day they were due for. One that was missed for more than a day is not made up for
// (lifecycle.md 11.2), since the next run is for the next day.

// RemindDrafts reminds applicants, daily from rules.draft_reminder_before_days before their deadline on, to submit
// applications that are Draft, Blank or Inactive (lifecycle.md 8.3).
func (s *Service) RemindDrafts(ctx context.Context, by admitto.Caller, day admitto.Date) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.draftReminder(s.core.Settings(), day))
}

func (s *Service) draftReminder(set *config.Settings, day admitto.Date) Rule {
	statuses := []string{string(admitto.Blank), string(admitto.Draft), string(admitto.Inactive)}
	return Rule{Name: ruleDraft, Mode: set.Rules.DraftReminderMode, Mail: mail.KindApplicationDraftReminder,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) { return tx.Unsubmitted(after, statuses) },
		Act: func(tx *store.Tx, c store.Candidate) error {
			d, wanted, err := s.openForReminder(tx, c.Record)
			if err != nil || !wanted || !slices.Contains(statuses, string(d.Status)) {
				return err
			}
			deadline, err := s.nextDeadline(tx, d, day)
			if err != nil || deadline.IsZero() || daysBetween(day, deadline) > set.Rules.DraftReminderBeforeDays {
				return err
			}
			if first, err := tx.ClaimRuleAction(ruleDraft, d.ID, day.String()); err != nil || !first {
				return err
			}
			return s.remind(tx, d, mail.KindApplicationDraftReminder, day.String(),
				mail.Values{mail.IntakeDeadline: deadline})
		}}
}

// nextDeadline returns the first deadline, from the day on, of the courses of an application that holds for the
// applicant; unset when there is none.
func (s *Service) nextDeadline(tx *store.Tx, d *usecase.LockedApplication, day admitto.Date) (next admitto.Date,
	err error) {
	courses, err := tx.CoursesOfApplications([]int64{d.ID})
	if err != nil {
		return next, err
	}
	regions, err := tx.Regions()
	if err != nil {
		return next, err
	}
	extensions, err := tx.DeadlineExtensions(d.ID)
	if err != nil {
		return next, err
	}
	for _, course := range courses[d.ID] {
		if course.Intake == 0 {
			continue
		}
		intake, err := tx.Intake(course.Intake)
		if err != nil {
			return next, err
		}
		active := intake.DeadlineFor(d.Applicant.Citizenship, regions, extensions[course.Intake],
			s.core.Settings().Instance.Timezone)
		if active.Stops() && !active.Day.Before(day) && (next.IsZero() || active.Day.Before(next)) {
			next = active.Day
		}
	}
	return next, nil
}

// RemindReopened reminds applicants to submit a reopened application again that they have not edited for
// rules.reopened_reminder_after_days: every so many days, and a few times at most.
func (s *Service) RemindReopened(ctx context.Context, by admitto.Caller, day admitto.Date) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.reopenedReminder(s.core.Settings(), day))
}

func (s *Service) reopenedReminder(all *config.Settings, day admitto.Date) Rule {
	set := all.Rules
	return Rule{Name: ruleReopened, Mode: set.ReopenedReminderMode, Mail: mail.KindApplicationReopenedReminder,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) {
			return tx.Unsubmitted(after, []string{string(admitto.Reopened)})
		},
		Act: func(tx *store.Tx, c store.Candidate) error {
			d, wanted, err := s.openForReminder(tx, c.Record)
			if err != nil || !wanted || d.Status != admitto.Reopened {
				return err
			}
			quiet := daysBetween(s.core.DayOf(max(d.Reopened, d.Revised)), day) - set.ReopenedReminderAfterDays
			if quiet < 0 || quiet%max(set.ReopenedReminderEveryDays, 1) != 0 {
				return nil
			}
			// Editing between reminders does not raise how many there are at most.
			numbers := make([]string, set.ReopenedReminderMax)
			for i := range numbers {
				numbers[i] = fmt.Sprintf("%d/%d", d.Reopened, i+1)
			}
			done, err := tx.CountRuleActions(ruleReopenedNumber, d.ID, numbers)
			if err != nil || int(done) >= len(numbers) {
				return err
			}
			if first, err := tx.ClaimRuleAction(ruleReopened, d.ID, day.String()); err != nil || !first {
				return err
			}
			if first, err := tx.ClaimRuleAction(ruleReopenedNumber, d.ID, numbers[done]); err != nil || !first {
				return err
			}
			return s.remind(tx, d, mail.KindApplicationReopenedReminder, day.String(), nil)
		}}
}

// RemindDecisions reminds applicants to answer an offer: weekly for some time after it was confirmed, and shortly
// before the deadline (lifecycle.md 8.3). After a Required deadline no answer is taken, so nobody is asked for one.
func (s *Service) RemindDecisions(ctx context.Context, by admitto.Caller, day admitto.Date) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.decisionReminder(s.core.Settings(), day))
}

func (s *Service) decisionReminder(all *config.Settings, day admitto.Date) Rule {
	set := all.Rules
	return Rule{Name: ruleDecision, Mode: set.DecisionReminderMode, Mail: mail.KindOfferDecisionReminder,
		Find: (*store.Tx).Undecided,
		Act: func(tx *store.Tx, c store.Candidate) error {
			d, wanted, err := s.openForReminder(tx, c.Application)
			if err != nil || !wanted {
				return err
			}
			offer, err := tx.LockOffer(d.ID, c.Record)
			if err != nil || offer.Confirmed == 0 || offer.Decision != admitto.DecisionNone || offer.DecisionPolicy == "None" {
				return err
			}
			passed := daysBetween(s.core.DayOf(offer.Confirmed), day)
			left := daysBetween(day, offer.DecisionDeadline)
			weekly := passed > 0 && passed <= set.DecisionReminderMaxDays && passed%max(set.DecisionReminderEveryDays, 1) == 0
			if hasEnd := !offer.DecisionDeadline.IsZero(); hasEnd {
				weekly = weekly && (left >= 0 || offer.DecisionPolicy != "Required") || passed > 0 &&
					left == set.DecisionReminderBeforeDays
			}
			if !weekly {
				return nil
			}
			if first, err := tx.ClaimRuleAction(ruleDecision, offer.ID, day.String()); err != nil || !first {
				return err
			}
			values, err := s.admissions.OfferMarkers(tx, d, &offer.Offer)
			if err != nil {
				return err
			}
			if values[mail.OfferDecisionDeadline] == "" {
				values[mail.OfferDecisionDeadline] = "none"
			}
			_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindOfferDecisionReminder, Applicant: &d.Applicant,
				Application: d.ID,
				Values:      values, Record: offer.ID, Occurrence: day.String()})
			return err
		}}
}

// RemindInvoices reminds payers once, rules.invoice_reminder_before_days before the deadline, of invoices that are
// not collected and whose reminder is switched on.
func (s *Service) RemindInvoices(ctx context.Context, by admitto.Caller, day admitto.Date) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.invoiceReminder(s.core.Settings(), day))
}

func (s *Service) invoiceReminder(set *config.Settings, day admitto.Date) Rule {
	deadline := day.AddDays(set.Rules.InvoiceReminderBeforeDays)
	return Rule{Name: ruleInvoice, Mode: set.Rules.InvoiceReminderMode, Mail: mail.KindInvoiceReminder,
		Find: func(tx *store.Tx, after int64) ([]store.Candidate, error) { return tx.DueForReminder(after, deadline) },
		Act: func(tx *store.Tx, c store.Candidate) error {
			owner, err := tx.InvoiceOwner(c.Record)
			if err != nil {
				return err
			}
			applicant, err := tx.LockApplicant(owner)
			if err != nil {
				return err
			}
			if due, err := tx.RemindInvoice(c.Record); err != nil || !due {
				return err
			}
			if first, err := tx.ClaimRuleAction(ruleInvoice, c.Record, "once"); err != nil || !first {
				return err
			}
			invoice, err := tx.Invoice(c.Record)
			if err != nil {
				return err
			}
			tx.Record(admitto.System(), admitto.Event{Pattern: admitto.InvoiceReminded,
				Links: admitto.Links{Applicant: invoice.Applicant,
					Application: invoice.Application, Course: invoice.Course, Invoice: invoice.ID}})
			_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindInvoiceReminder, Applicant: &applicant,
				Application: invoice.Application, Values: s.billing.InvoiceMarkers(&invoice), Record: invoice.ID,
				Occurrence: "once"})
			return err
		}}
}

// RemindTasks reminds applicants of open tasks whose status asks for it: every so many days, for so long
// (lifecycle.md K6). A reminder that is late by more than a day is skipped.
func (s *Service) RemindTasks(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.RunRule(ctx, s.taskReminder(s.core.Settings(), admitto.Date{}))
}

func (s *Service) taskReminder(set *config.Settings, _ admitto.Date) Rule {
	return Rule{Name: ruleTask, Mode: set.Rules.TaskReminderMode, Mail: mail.KindTaskReminder,
		Find: (*store.Tx).TasksToRemind,
		Act: func(tx *store.Tx, c store.Candidate) error {
			d, wanted, err := s.openForReminder(tx, c.Application)
			if err != nil || !wanted {
				return err
			}
			r, found, err := tx.TaskReminderOf(c.Record)
			if err != nil || !found || tx.Now() < r.Since {
				return err
			}
			number := (tx.Now() - r.Since) / (admitto.Time(r.Every) * admitto.Day)
			due := r.Since + number*admitto.Time(r.Every)*admitto.Day
			if number < 1 || tx.Now()-due > admitto.Day || r.Max > 0 && due > r.Since+admitto.Time(r.Max)*admitto.Day {
				return nil
			}
			occurrence := strconv.FormatInt(int64(due), 10)
			if first, err := tx.ClaimRuleAction(ruleTask, c.Record, occurrence); err != nil || !first {
				return err
			}
			if err := tx.RemindTask(c.Record); err != nil {
				return err
			}
			tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskReminded, Links: d.TaskLinks(c.Record)})
			values, err := s.admissions.TaskMarkers(tx, d, c.Record)
			if err != nil {
				return err
			}
			_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindTaskReminder, Applicant: &d.Applicant,
				Application: d.ID,
				Values:      values, Record: c.Record, Occurrence: occurrence})
			return err
		}}
}

// daysBetween counts the days from one day to a later one; below 0 when it is earlier.
func daysBetween(from, to admitto.Date) int {
	return int(admitto.TimeOf(to.In(time.UTC)).Unix()/86400 - admitto.TimeOf(from.In(time.UTC)).Unix()/86400)
}
