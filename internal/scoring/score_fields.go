package scoring

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ChangeScore writes the given fields of a score (resources.md 20.4 and 24.13). Errors: not-found for the sheet or the
// score, invalid-parameter with a fault for each field that the sheet does not take or that must have a value,
// not-allowed-now on a confirmed sheet and on one that others score.
func (s *Service) ChangeScore(ctx context.Context, by usecase.Caller, sheet, id int64, change ScoreChange) error {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return err
	}
	return s.changeScore(ctx, by, sheet, id, change, nil)
}

// ClearScore makes one field of a score empty. Errors: those of ChangeScore; not-found also when it is empty already,
// and not-allowed-now when the sheet demands a value.
func (s *Service) ClearScore(ctx context.Context, by usecase.Caller, sheet, id int64, field admitto.ScoreFields,
	scorers bool) error {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return err
	}
	return s.changeScore(ctx, by, sheet, id, ScoreChange{Fields: field, Scorers: scorers},
		func(t *admitto.Scoresheet, score *admitto.Score) error {
			if score.Text(field) == "" {
				return &admitto.Error{Kind: admitto.NotFound}
			}
			return nil
		})
}

// changeScore changes a score; found, when set, is asked with the current one and may end the change. Clearing what
// must have a value is then a matter of the state, since there is no value that could be blamed.
func (s *Service) changeScore(ctx context.Context, by usecase.Caller, sheet, id int64, change ScoreChange,
	found func(*admitto.Scoresheet, *admitto.Score) error) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.Scoresheet(sheet)
		if err != nil {
			return err
		}
		named, err := tx.Score(&t, id)
		if err != nil {
			return err
		}
		d, err := usecase.LockApplication(tx, by, named.Application)
		if err != nil {
			return err
		}
		old, err := tx.Score(&t, id) // as it is under the lock of its application
		if err == nil && found != nil {
			err = found(&t, &old)
		}
		if err != nil {
			return err
		}
		score := old
		score.Take(change.Fields, &change.Values)
		faults := t.ScoreFaults(&score, change.Fields, change.judged())
		var wrong error
		if len(faults) > 0 && found == nil {
			wrong = &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		if err := by.Together(wrong, by.SeesRow(tx, admitto.Row{Kind: admitto.ScoreRow, ID: id})); err != nil {
			return err
		}
		if len(faults) > 0 {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("score-field-needed", change.Fields))
		}
		if err := mayScore(by.Caller, &t, score.Differs(&old)); err != nil {
			return err
		}
		if err := by.Checked(); err != nil {
			return err
		}
		return s.saveScore(tx, d, &t, &old, &score, change.Scorers)
	})
}
