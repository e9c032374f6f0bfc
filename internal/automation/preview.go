package automation

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
)

// mostPreviewed is how many records a preview lists, and mostTried how many it looks at for them.
const (
	mostPreviewed = 50
	mostTried     = 400
)

// Resting are the drafts that MarkInactive would make Inactive now.
type Resting struct {
	List  []store.RestingDraft // the first of them
	Total int64
}

// PreviewInactive reads which drafts MarkInactive would make Inactive now if rules.inactive_after_days were days; it
// changes nothing.
func (s *Service) PreviewInactive(ctx context.Context, by admitto.Caller, days int) (r Resting, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return r, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		r.List, r.Total, err = tx.RestingDrafts(ruleInactive, tx.Now()-admitto.Time(days)*admitto.Day, s.core.DayOf(tx.Now()),
			mostPreviewed)
		return err
	})
	return r, err
}

// Affected are records on which a rule would act at its next run.
type Affected struct {
	List   []store.Concerned
	People bool // its records are applicants
	// Next is the record after which the next ones are looked for; 0 when all were looked at.
	Next int64
}

// Preview tries a rule, named as its job, on the records after one: those on which it would act at the run that is due,
// if set were the settings. Each record is tried as in a run and put back, so nothing changes and nobody is written to.
// Errors: not-found for a rule that has no preview.
func (s *Service) Preview(ctx context.Context, by admitto.Caller, name string, set *config.Settings, due admitto.Time,
	after int64) (a Affected, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return a, err
	}
	rule, found := s.rule(name, set, due)
	if !found {
		return a, &admitto.Error{Kind: admitto.NotFound}
	}
	rule.Mode, a.People = config.RulePreview, rule.People
	var silenced bool
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		silenced, err = s.notify.Silenced(tx, rule.Mail)
		return err
	})
	if err != nil || silenced {
		return a, err
	}
	var hit []store.Candidate
	for tried := 0; ; {
		var page []store.Candidate
		err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
			page, err = rule.Find(tx, after)
			return err
		})
		if err != nil {
			return a, err
		}
		for _, c := range page {
			if tried++; tried > mostTried || len(hit) == mostPreviewed {
				a.Next = after
				break
			}
			after = c.Record
			acted, err := s.actOn(ctx, rule, c)
			if err != nil {
				return a, err
			}
			if acted {
				hit = append(hit, c)
			}
		}
		if len(page) == 0 || a.Next != 0 {
			break
		}
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		a.List, err = tx.Concerned(hit, rule.People)
		return err
	})
	return a, err
}

// rule finds a rule that has a preview by its name.
func (s *Service) rule(name string, set *config.Settings, due admitto.Time) (Rule, bool) {
	day := admitto.DateOf(due.Std().In(set.Instance.Timezone))
	rules := []Rule{s.inactive(set, day), s.draftReminder(set, day), s.reopenedReminder(set, day),
		s.decisionReminder(set, day), s.unanswered(set, day), s.invoiceReminder(set, day), s.taskReminder(set, day),
		s.lapse(set, day),
		s.expiry(set, day)}
	for _, other := range s.others {
		rules = append(rules, other(set, due))
	}
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}
