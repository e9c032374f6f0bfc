package admissions

import (
	"context"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// AtOnce is how many applications a change of flags or officers may name: it is made at once, without a preview, and
// can be taken back (lifecycle.md 11.3). Each application has its own transaction.
const AtOnce = 50

// Nobody is the officer of an application that nobody works on.
const Nobody = 0

// FlagApplications sets a flag on applications, or takes it off, and returns those that it changed: the others have
// been so before, or are gone.
func (s *Service) FlagApplications(ctx context.Context, by usecase.Caller, applications []int64, flag int64,
	set bool) (changed []int64, err error) {
	if err := by.Needs(admitto.FlagsEdit); err != nil {
		return nil, err
	}
	if err := atOnce(len(applications)); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		flags, err := tx.Flags()
		if err == nil && !slices.ContainsFunc(flags, func(f admitto.Flag) bool { return f.ID == flag }) {
			err = admitto.Refuse(admitto.InvalidParameter, "", "", message.Of("batch-no-flag"))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, id := range applications {
		was := false
		pattern, change := admitto.ApplicationFlagged, (*store.Tx).SetFlag
		if !set {
			pattern, change = admitto.ApplicationUnflagged, (*store.Tx).RemoveFlag
		}
		err := s.changeFlag(ctx, by, id, flag, pattern, func(tx *store.Tx) (bool, error) {
			var err error
			was, err = change(tx, id, flag)
			return was, err
		})
		if admitto.KindOf(err) == admitto.NotFound {
			continue
		}
		if err != nil {
			return changed, err
		}
		if was {
			changed = append(changed, id)
		}
	}
	return changed, nil
}

func atOnce(n int) error {
	if n > AtOnce {
		return admitto.Refuse(admitto.InvalidParameter, "", "", message.Of("too-many-at-once", AtOnce))
	}
	return nil
}

// OfficerChange is an application with the officer that it is to have.
type OfficerChange struct {
	Application, Officer int64 // Nobody: it is given back
	// Unless is not nil for a change that is made only where the application has this officer.
	Unless *int64
}

// SetOfficers lets administrators work on applications, and returns the changes that it made, as they would be taken
// back. Who may only view applications takes those that nobody has, and gives back their own (lifecycle.md 12.1).
// Applications that are gone are left out, and so are those with another officer than the change wants.
func (s *Service) SetOfficers(ctx context.Context, by usecase.Caller, changes []OfficerChange) (made []OfficerChange,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, err
	}
	if err := atOnce(len(changes)); err != nil {
		return nil, err
	}
	for _, c := range changes {
		before, changed := int64(0), false
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			before, changed, err = s.setOfficer(tx, by, c)
			return err
		})
		if admitto.KindOf(err) == admitto.NotFound {
			continue
		}
		if err != nil {
			return made, err
		}
		if changed {
			officer := c.Officer
			made = append(made, OfficerChange{Application: c.Application, Officer: before, Unless: &officer})
		}
	}
	return made, nil
}

func (s *Service) setOfficer(tx *store.Tx, by usecase.Caller, c OfficerChange) (before int64, changed bool, err error) {
	d, err := usecase.LockApplication(tx, by, c.Application)
	if err != nil {
		return 0, false, err
	}
	if before, err = tx.OfficerOf(c.Application); err != nil || before == c.Officer || c.Unless != nil &&
		*c.Unless != before {
		return before, false, err
	}
	own := by.Actor.Kind == admitto.ByAdministrator
	taken := own && before == Nobody && c.Officer == by.Actor.ID
	given := own && c.Officer == Nobody && before == by.Actor.ID
	if !taken && !given {
		if err := by.Needs(admitto.ApplicationsEdit); err != nil {
			return before, false, err
		}
	}
	bind := "none"
	if c.Officer != Nobody {
		bind = strconv.FormatInt(c.Officer, 10)
		if err := s.core.MayBeOfficer(tx, c.Officer, ""); err != nil {
			return before, false, err
		}
	}
	d.Record(tx, admitto.ApplicationOfficerSet, bind)
	return before, true, tx.SetOfficer(c.Application, c.Officer)
}
