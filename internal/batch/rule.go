package batch

import (
	"context"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
)

// ruleActions are those that time rules prepare and a person releases (lifecycle.md 11.1).
func ruleActions() []action {
	return []action{{name: admitto.AutoDecline, title: message.Of("batch-auto-decline"),
		sources: []admitto.BatchSource{admitto.OfOffers}, needs: []admitto.Permission{admitto.OffersEdit},
		reaches: true, byRule: true, check: noParams, change: changeUnanswered, apply: declineUnanswered,
		undo: undoUnanswered}}
}

// PrepareUnanswered seals a list of the offers that nobody has answered in time, if the rule is on and there are such.
// It waits for somebody to release it (lifecycle.md D4).
func (s *Service) PrepareUnanswered(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	if s.core.Settings().Rules.AutoDecline == config.RuleOff {
		return nil
	}
	b := admitto.Batch{Action: admitto.AutoDecline, Source: admitto.OfOffers}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		found, err := s.admissions.Unanswered(tx, 0, s.core.Settings().Offers.DecisionBufferHours)
		if err != nil || len(found) == 0 {
			return err
		}
		b.RuleVersion, _, err = tx.SettingVersion(config.RuleOfJob(admitto.AutoDecline).Settings())
		if err == nil {
			b.ID, err = tx.InsertBatch(&b, &admitto.BatchSelection{Unanswered: true})
		}
		return err
	})
	if err == nil && b.ID != 0 {
		_, err = s.sealHere(ctx, by, b.ID, false)
	}
	return err
}

// changeUnanswered leaves out offers that may not be declined, with all reasons.
func changeUnanswered(w *work, id int64) (c admitto.BatchRecord, err error) {
	now := w.s.core.Settings()
	if now.Rules.AutoDecline == config.RuleOff {
		return c, left(message.Of("batch-rule-off"))
	}
	u, err := w.admissions.LookUnanswered(w.tx, w.by, id, now.Offers.DecisionBufferHours, w.prepared)
	c = admitto.BatchRecord{Record: id, Applicant: u.Applicant, Version: u.RowVersion, Was: notSet, Becomes: set}
	return c, tells(&c)(u.Letter, err)
}

// declineUnanswered declines an offer, once for each deadline.
func declineUnanswered(w *work, c *admitto.BatchRecord) error {
	o, err := w.tx.OfferCaseByID(c.Record)
	if err != nil {
		return err
	}
	w.tx.UnderRule(w.version)
	first, err := w.tx.ClaimRuleAction(admitto.AutoDecline, o.ID, o.DecisionDeadline.String())
	if err != nil {
		return err
	}
	if !first {
		return changedSince()
	}
	return w.admissions.DeclineUnanswered(w, w.by, o.Application, o.ID)
}

// undoUnanswered puts an offer back to no answer, if it is still declined as the batch did it.
func undoUnanswered(w *work, c *admitto.BatchRecord) error {
	o, err := w.tx.OfferCaseByID(c.Record)
	switch {
	case err != nil:
		return err
	case o.Origin != admitto.DeadlinePassed || o.RowVersion != c.Version+1:
		return changedSince()
	case w.preview:
		return nil
	}
	return w.admissions.SetDecision(w, w.by, o.Application, o.ID, admissions.DecisionChange{Decision: admitto.DecisionNone,
		Reason: message.Of("batch-undo-reason", w.batch).String()})
}
