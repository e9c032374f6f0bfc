package scoring

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// RecalculateScores computes the automatic score of every offer of an application again from the scores of the
// application, those of the offer, and the criteria of the course (lifecycle.md 7), and records the ones that changed.
// The caller holds the lock of the application.
func (s *Service) RecalculateScores(tx *store.Tx, actor admitto.Actor, application int64) error {
	offers, err := tx.OffersOf([]int64{application})
	if err != nil || len(offers[application]) == 0 {
		return err
	}
	scores, err := tx.ScoresOf([]int64{application})
	if err != nil {
		return err
	}
	for i := range offers[application] {
		offer := &offers[application][i]
		criteria, version, err := tx.Criteria(offer.Course)
		if err != nil {
			return err
		}
		if err := s.saveAutoScore(tx, actor, offer, version, criteria, scores[application]); err != nil {
			return err
		}
	}
	return nil
}

// scoreOn finds the score that an offer has on a sheet among those of its application, nil for none.
func scoreOn(offer int64, scores []admitto.Score) func(sheet *admitto.Scoresheet) *admitto.Score {
	return func(sheet *admitto.Scoresheet) *admitto.Score {
		of := int64(0)
		if sheet.ByOffer {
			of = offer
		}
		for i := range scores {
			if scores[i].Scoresheet == sheet.ID && scores[i].Offer == of {
				return &scores[i]
			}
		}
		return nil
	}
}

// saveAutoScore computes and stores the automatic score of one offer. When only the way to the same value is another,
// the explanation is stored, but nothing has changed that anybody is told of.
func (s *Service) saveAutoScore(tx *store.Tx, actor admitto.Actor, offer *admitto.Offer, version int64,
	criteria []admitto.Criterion,
	scores []admitto.Score) error {
	auto, explained := admitto.AutoScore(version, criteria, scoreOn(offer.ID, scores))
	if sameScore(auto, offer.ScoreAuto) {
		return tx.SetScoreExplained(offer.ID, version, explained.JSON())
	}
	if err := tx.SetAutoScore(offer.ID, auto, version, explained.JSON()); err != nil {
		return err
	}
	tx.Record(admitto.Actor{Kind: admitto.BySystem, RequestID: actor.RequestID, Batch: actor.Batch},
		admitto.Event{Pattern: admitto.OfferScoreCalculated,
			Links: offer.Links(), Details: []admitto.Detail{{Path: "score/auto", Old: scoreText(offer.ScoreAuto),
				New: scoreText(auto)}}})
	return nil
}

func sameScore(a, b *admitto.Hundredths) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

func scoreText(h *admitto.Hundredths) string {
	if h == nil {
		return ""
	}
	return h.String()
}

// recalculatedAtOnce is how many applications are looked up at once when the criteria of a course have changed. Each
// is then locked and recalculated in a transaction of its own, so that nobody waits long for one of them.
const recalculatedAtOnce = 256

// RecalculateCourse brings the automatic scores of a course up to its current criteria and answers how many
// applications were looked at. What an earlier run left undone is done by the next.
func (s *Service) RecalculateCourse(ctx context.Context, by admitto.Caller, course int64) (done int, err error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return done, err
	}
	for after := int64(0); ; {
		var page []int64
		err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
			page, err = tx.StaleScores(course, after, recalculatedAtOnce)
			return err
		})
		if err != nil || len(page) == 0 {
			return done, err
		}
		for _, application := range page {
			err := s.core.Write(ctx, func(tx *store.Tx) error {
				if _, _, err := tx.LockApplication(application); err != nil {
					return err
				}
				return s.RecalculateScores(tx, by.Actor, application)
			})
			if err != nil && admitto.KindOf(err) != admitto.NotFound { // somebody deleted the applicant meanwhile
				return done, err
			}
			done, after = done+1, application
		}
	}
}

// RecalculateStale finishes what a crash may have left of changed criteria, for all courses.
func (s *Service) RecalculateStale(ctx context.Context, by admitto.Caller) (done int, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return done, err
	}
	var courses []int64
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		courses, err = tx.CoursesWithCriteria()
		return err
	})
	for _, course := range courses {
		n, failed := s.RecalculateCourse(ctx, by, course)
		if done += n; failed != nil {
			return done, failed
		}
	}
	return done, err
}
