package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ApplicationScores lists the scores of an application over all scoresheets, by ID (resources.md 11);
// not-found without the application.
func (s *Service) ApplicationScores(ctx context.Context, by admitto.Caller, application int64) (list []admitto.Score,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplication(application); err != nil {
			return err
		}
		all, err := tx.ScoresOf([]int64{application})
		list = all[application]
		return err
	})
	return list, err
}

// Scoresheets lists all scoresheets by ascending ID (resources.md 20.2).
func (s *Service) Scoresheets(ctx context.Context, by admitto.Caller) (list []admitto.Scoresheet, err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Scoresheets)
}

// Scoresheet reads one scoresheet, or answers NotFound.
func (s *Service) Scoresheet(ctx context.Context, by admitto.Caller, id int64) (scoresheet admitto.Scoresheet,
	err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit); err != nil {
		return scoresheet, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Scoresheet, error) { return tx.Scoresheet(id) })
}

// Score reads one score of a scoresheet; not-found without the sheet, or when the score is not on it.
func (s *Service) Score(ctx context.Context, by admitto.Caller, sheet, id int64) (score admitto.Score, err error) {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return score, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		parent, err := tx.Scoresheet(sheet)
		if err != nil {
			return err
		}
		score, err = tx.Score(&parent, id)
		return err
	})
	return score, err
}

// Scores lists the scores of a sheet by ascending ID (resources.md 20.3); not-found without the sheet.
func (s *Service) Scores(ctx context.Context, by admitto.Caller, q admitto.ScoreQuery) (*usecase.List[admitto.Score],
	error) {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return nil, err
	}
	return usecase.ListOf(ctx, s.core, func(tx *store.Tx) (usecase.Source[admitto.Score], error) {
		sheet, err := tx.Scoresheet(q.Scoresheet)
		return usecase.Source[admitto.Score]{After: q.After, Limit: int64(q.Limit),
			Each:  func(each func(*admitto.Score) error) (bool, error) { return tx.EachScore(&sheet, q, each) },
			Count: func() (int64, error) { return tx.CountScores(q) },
			End:   func() (int64, error) { return tx.ScoresEnd(q) }}, err
	}), nil
}
