package admissions

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Chance is something that staff or the applicant may do with an application, and what speaks against it now.
type Chance struct {
	Event       admitto.ApplicationEvent
	NeedsReason bool
	Faults      []admitto.Fault // none: it is possible
	Overridable bool            // a reason sets all faults aside
}

// Possible reports whether it can be done now, if need be with a reason.
func (c *Chance) Possible() bool { return len(c.Faults) == 0 || c.Overridable }

// chances are the events that staff cause by hand, in the order in which pages offer them.
func chances() []admitto.ApplicationEvent {
	return []admitto.ApplicationEvent{admitto.Submit, admitto.Reopen, admitto.ExtendDeadline, admitto.LiftExpiry,
		admitto.ChangeFreeze, admitto.ChangeSilence, admitto.Withdraw, admitto.UndoWithdrawal, admitto.Close,
		admitto.UndoClosing}
}

// ownChances are those of the applicant.
func ownChances() []admitto.ApplicationEvent {
	return []admitto.ApplicationEvent{admitto.ContentSaved, admitto.Submit, admitto.Reopen, admitto.Withdraw,
		admitto.UndoWithdrawal, admitto.Close, admitto.UndoClosing}
}

// Chances asks of everything that staff, or the applicant, may do with an application whether the status and the guards
// allow it now (screens.md A12, P08). Nothing is locked: each use case asks again. Errors: not-found.
func (s *Service) Chances(ctx context.Context, by usecase.Caller, application int64) (list []Chance, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return nil, err
	}
	events, actor := chances(), admitto.Actor{Kind: admitto.ByAdministrator}
	if by.Actor.Kind == admitto.ByApplicant {
		events, actor = ownChances(), by.Actor
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list = nil
		if err := usecase.SeesApplication(tx, by.Caller, application); err != nil {
			return err
		}
		d := &usecase.LockedApplication{Actor: actor}
		if d.ApplicationCase, d.Applicant, err = tx.ApplicationCase(application); err != nil {
			return err
		}
		q := &question{}
		if q.courses, err = coursesByPriority(tx, application); err != nil {
			return err
		}
		for _, event := range events {
			c, err := s.chance(tx, d, event, q)
			if err != nil {
				return err
			}
			list = append(list, c)
		}
		return nil
	})
	return list, err
}

// chance asks the table and the guards about one event.
func (s *Service) chance(tx *store.Tx, d *usecase.LockedApplication, event admitto.ApplicationEvent,
	q *question) (c Chance, err error) {
	c.Event = event
	step, err := admitto.ApplicationStep(event, d.Status, d.Actor.Kind)
	if err != nil {
		c.Faults = faultsIn(err)
		return c, nil
	}
	c.NeedsReason, c.Overridable = step.NeedsReason, true
	for _, guard := range step.AllGuards(d.Actor.Kind) {
		failed, err := s.ask(tx, d, guard, q)
		if err != nil {
			return c, err
		}
		c.Faults = append(c.Faults, failed...)
		c.Overridable = c.Overridable && (len(failed) == 0 || slices.Contains(step.Override, guard))
	}
	return c, nil
}
