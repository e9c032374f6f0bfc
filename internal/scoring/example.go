package scoring

import (
	"context"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Example is what criteria make of the scores of one application.
type Example struct {
	Application, Offer int64               // 0: the course has no offer yet
	Before             *admitto.Hundredths // the automatic score that is stored
	Auto               *admitto.Hundredths
	Explained          admitto.Explanation
}

// ExampleOf calculates the automatic score that an offer for a course would have by some criteria; nothing is stored.
// application 0 is one of those with the most points. Errors: not-found without the course; invalid-parameter as
// SetCriteria, and for an application without an offer for the course.
func (s *Service) ExampleOf(ctx context.Context, by admitto.Caller, course int64, lines []NewCriterion,
	application int64) (e Example, err error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return e, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		_, version, err := tx.Criteria(course)
		if err != nil {
			return err
		}
		list, err := criteriaOf(tx, lines)
		if err != nil {
			return err
		}
		var found bool
		if e.Application, e.Offer, found, err = tx.OfferWithScores(course, application); err != nil || !found {
			return err
		}
		offers, err := tx.OffersOf([]int64{e.Application})
		if err != nil {
			return err
		}
		scores, err := tx.ScoresOf([]int64{e.Application})
		if err != nil {
			return err
		}
		for i := range offers[e.Application] {
			if o := &offers[e.Application][i]; o.ID == e.Offer {
				e.Before = o.ScoreAuto
			}
		}
		e.Auto, e.Explained = admitto.AutoScore(version, list, scoreOn(e.Offer, scores[e.Application]))
		return nil
	})
	return e, err
}

// Progress is how many offers a course has, and how many of their scores wait to be calculated by new criteria.
type Progress struct{ Offers, Left int64 }

// CriteriaProgress returns how far the calculation by the criteria of a course is.
func (s *Service) CriteriaProgress(ctx context.Context, by admitto.Caller, course int64) (p Progress, err error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return p, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		p.Offers, p.Left, err = tx.CountStaleScores(course)
		return err
	})
	return p, err
}

// waiting are courses whose criteria were changed here. What a crash leaves of them RecalculateStale finds.
type waiting struct {
	wake    chan struct{}
	mu      sync.Mutex
	courses []int64
}

func (w *waiting) add(course int64) {
	w.mu.Lock()
	w.courses = append(w.courses, course)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *waiting) take() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.courses
	w.courses = nil
	return list
}

// CriteriaWaiting can be read from when criteria were changed.
func (s *Service) CriteriaWaiting() <-chan struct{} { return s.waiting.wake }

// FollowSheet lets a job calculate the automatic scores again that count a sheet by percent, after its range changed.
func (s *Service) FollowSheet(ctx context.Context, by admitto.Caller, sheet int64) error {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return err
	}
	return s.core.Read(ctx, func(tx *store.Tx) error {
		courses, err := tx.PercentOf(sheet)
		for _, course := range courses {
			s.waiting.add(course)
		}
		return err
	})
}

// RecalculateWaiting brings the automatic scores of courses up to the criteria that were changed on this instance.
func (s *Service) RecalculateWaiting(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return err
	}
	for _, course := range s.waiting.take() {
		if _, err := s.RecalculateCourse(ctx, by, course); err != nil {
			return err
		}
	}
	return nil
}
