package leads

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// changing runs a change of a locked import, and wakes the runner when there is something to do then.
func (s *Service) changing(ctx context.Context, by usecase.Caller, id int64,
	change func(tx *store.Tx, i *admitto.LeadImport) error) error {
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		i, _, err := tx.LockLeadImport(id)
		if err != nil {
			return err
		}
		if err := by.Sees(i.RowVersion); err != nil {
			return err
		}
		if err := change(tx, &i); err != nil {
			return err
		}
		i.RowVersion++
		return tx.SaveLeadImport(&i)
	})
	if err == nil {
		s.wake()
	}
	return err
}

// Start begins to make leads of the good rows (screens.md A36), or goes on with that. Errors: not-found;
// changed-meanwhile; not-allowed-now unless what comes of each row is known, and some of it is good.
func (s *Service) Start(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return err
	}
	return s.changing(ctx, by, id, func(tx *store.Tx, i *admitto.LeadImport) error {
		if err := ofState(i, admitto.ImportReady, admitto.ImportStopped); err != nil {
			return err
		}
		if i.Counts[admitto.LeadNew]+i.Counts[admitto.LeadKnown] == 0 {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("import-nothing"))
		}
		if i.State == admitto.ImportReady {
			i.Started = tx.Now()
		}
		i.State, i.StartedBy, i.Ended, i.Why = admitto.ImportRunning, by.Actor.ID, 0, nil
		return nil
	})
}

// Stop ends an import between two parts of its rows; Start goes on with it. Errors: not-found; not-allowed-now.
func (s *Service) Stop(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return err
	}
	return s.changing(ctx, by, id, func(tx *store.Tx, i *admitto.LeadImport) error {
		if err := ofState(i, admitto.ImportRunning); err != nil {
			return err
		}
		i.State, i.Ended = admitto.ImportStopped, tx.Now()
		return nil
	})
}

// Discard removes an import of which nothing was done, with its rows. Errors: not-found; not-allowed-now.
func (s *Service) Discard(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		i, _, err := tx.LockLeadImport(id)
		if err != nil {
			return err
		}
		if err := ofState(&i, admitto.ImportUploaded, admitto.ImportChecking, admitto.ImportReady); err != nil {
			return err
		}
		return tx.DeleteLeadImport(id)
	})
}

// undoUntil is until when an import can be undone.
func (s *Service) undoUntil(i *admitto.LeadImport) admitto.Time {
	if i.Ended == 0 {
		return 0
	}
	return i.Ended + admitto.Time(s.core.Settings().Batch.UndoDays)*admitto.Day
}

// Undo deletes the leads whom an import has made and who never signed in, within batch.undo_days (screens.md A36); they
// wait in the recovery list as others who are deleted. Errors: not-found; not-allowed-now.
func (s *Service) Undo(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return err
	}
	return s.changing(ctx, by, id, func(tx *store.Tx, i *admitto.LeadImport) error {
		if err := ofState(i, admitto.ImportStopped, admitto.ImportFinished); err != nil {
			return err
		}
		if tx.Now() >= s.undoUntil(i) {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("import-undo-over"))
		}
		i.State, i.UndoneBy, i.Line = admitto.ImportUndoing, by.Actor.ID, 0
		return nil
	})
}

// Tidy removes what is kept no longer: imports that nobody has started for Kept, and the rows of those that ended as
// long ago, and cannot be undone any more.
func (s *Service) Tidy(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	long := max(admitto.Time(s.core.Settings().Batch.UndoDays)*admitto.Day, Kept)
	for {
		var n int64
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			n, err = tx.TidyLeadImports(tx.Now()-Kept, tx.Now()-long)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}
