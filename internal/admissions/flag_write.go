package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// CreateFlag makes a flag (resources.md 6.1); already-exists, with the ID of the holder, when the name is in use
// without regard to letter case.
func (s *Service) CreateFlag(ctx context.Context, by usecase.Caller, name string) (f admitto.Flag, err error) {
	if err := by.Needs(admitto.FlagsEdit); err != nil {
		return f, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		f = admitto.Flag{Created: tx.Now(), Name: name}
		id, created, err := tx.InsertFlag(&f)
		if err != nil {
			return err
		}
		if !created {
			return &admitto.Error{Kind: admitto.AlreadyExists, Existing: id,
				Text: message.Of("flag-exists")}
		}
		f.ID = id
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.FlagCreated, Links: admitto.Links{Flag: id}})
		return by.Made(tx, id)
	})
	return f, err
}

// DeleteFlag deletes a flag and takes it off all applications; not-found when there is none.
func (s *Service) DeleteFlag(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.FlagsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockFlag(id); err != nil {
			return err
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.FlagRow, ID: id}); err != nil {
			return err
		}
		if err := tx.DeleteFlag(id); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.FlagDeleted, Links: admitto.Links{Flag: id}})
		return nil
	})
}

// SetFlag sets a flag on an application, in every status (resources.md 5.4); doing it again changes nothing. Errors:
// not-found for either.
func (s *Service) SetFlag(ctx context.Context, by usecase.Caller, application, flag int64) error {
	if err := by.Needs(admitto.FlagsEdit); err != nil {
		return err
	}
	return s.changeFlag(ctx, by, application, flag, admitto.ApplicationFlagged, func(tx *store.Tx) (bool, error) {
		return tx.SetFlag(application, flag)
	})
}

// RemoveFlag takes a flag off an application; not-found when it is not set.
func (s *Service) RemoveFlag(ctx context.Context, by usecase.Caller, application, flag int64) error {
	if err := by.Needs(admitto.FlagsEdit); err != nil {
		return err
	}
	return s.changeFlag(ctx, by, application, flag, admitto.ApplicationUnflagged, func(tx *store.Tx) (bool, error) {
		was, err := tx.RemoveFlag(application, flag)
		if err == nil && !was {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return was, err
	})
}

func (s *Service) changeFlag(ctx context.Context, by usecase.Caller, application, flag int64, event admitto.Pattern,
	change func(*store.Tx) (bool, error)) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		if err := tx.HoldFlag(flag); err != nil { // a flag that is gone is set on nothing
			return err
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.AssignedFlagRow, ID: flag, Of: application}); err != nil {
			return err
		}
		changed, err := change(tx)
		if changed {
			links := d.Links()
			links.Flag = flag
			tx.Record(by.Actor, admitto.Event{Pattern: event, Links: links})
		}
		return err
	})
}
