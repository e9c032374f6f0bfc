package scoring

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Within returns a Service whose use cases are parts of a transaction; see usecase.Core.
func (s *Service) Within(tx *store.Tx) *Service {
	part := *s
	part.core = s.core.Within(tx)
	return &part
}

// mayPut refuses sheets whose scores the caller may not change.
func mayPut(by admitto.Caller, t *admitto.Scoresheet) error {
	if t.Confirmed != 0 && !by.Has(admitto.ScorersEdit) {
		return sheetConfirmed()
	}
	return nil
}

// mayScore refuses to change something of a score on a sheet that others score.
func mayScore(by admitto.Caller, t *admitto.Scoresheet, changed admitto.ScoreFields) error {
	if changed == 0 || t.TakesFrom(by) {
		return nil
	}
	return admitto.Refused(admitto.NotAllowedNow, message.Of("sheet-of-others"))
}

// MissingOn returns what of an application is not on a sheet yet: 0 for the application itself, or the IDs of its
// offers on a sheet for offers.
func MissingOn(tx *store.Tx, t *admitto.Scoresheet, application int64) (missing []int64, err error) {
	subjects := []int64{0}
	if t.ByOffer {
		subjects = nil
		offers, err := tx.OffersOf([]int64{application})
		if err != nil {
			return nil, err
		}
		for _, o := range offers[application] {
			subjects = append(subjects, o.ID)
		}
	}
	for _, offer := range subjects {
		_, found, err := tx.ScoreOn(t, application, offer)
		if err != nil {
			return nil, err
		}
		if !found {
			missing = append(missing, offer)
		}
	}
	return missing, nil
}

// PutOnSheet puts an application, or offers of it, on a sheet without points; what is on it stays as it is. What the
// sheet demands is asked where points are given. Errors: not-found, not-allowed-now on a confirmed sheet.
func (s *Service) PutOnSheet(ctx context.Context, by usecase.Caller, sheet, application int64, offers []int64) error {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return err
	}
	return s.onSheet(ctx, by, sheet, application, offers, func(tx *store.Tx, d *usecase.LockedApplication,
		t *admitto.Scoresheet, found bool, score *admitto.Score) error {
		if found {
			return nil
		}
		score.Scoresheet, score.Application = t.ID, application
		return s.saveScore(tx, d, t, &admitto.Score{}, score, by.Has(admitto.ScorersEdit))
	})
}

// TakeOffSheet takes scores off a sheet that nobody has given points, comments or details. Errors: not-found,
// not-allowed-now on a confirmed sheet and where something was given.
func (s *Service) TakeOffSheet(ctx context.Context, by usecase.Caller, sheet, application int64, offers []int64) error {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return err
	}
	return s.onSheet(ctx, by, sheet, application, offers, func(tx *store.Tx, d *usecase.LockedApplication,
		_ *admitto.Scoresheet, found bool, score *admitto.Score) error {
		if !found {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		if !score.IsEmpty() {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("score-given"))
		}
		if err := tx.LockOrder(); err != nil {
			return err
		}
		if err := tx.DeleteScore(score); err != nil {
			return err
		}
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.ScoreRemoved, Links: scoreLinks(d, score)})
		return nil
	})
}

// onSheet does something with the scores that offers of an application have on a sheet, or the application (offer 0).
func (s *Service) onSheet(ctx context.Context, by usecase.Caller, sheet, application int64, offers []int64,
	each func(tx *store.Tx, d *usecase.LockedApplication, t *admitto.Scoresheet, found bool,
		score *admitto.Score) error) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.Scoresheet(sheet)
		if err == nil {
			err = mayPut(by.Caller, &t)
		}
		if err != nil {
			return err
		}
		d, err := usecase.LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		for _, offer := range offers {
			score, found, err := tx.ScoreOn(&t, application, offer)
			if err != nil {
				return err
			}
			score.Offer = offer
			if err := each(tx, d, &t, found, &score); err != nil {
				return err
			}
		}
		return nil
	})
}
