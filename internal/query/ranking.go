package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Rankings lists the rankings by ascending ID that are restricted to one of the courses and one of the terms,
// or not at all (resources.md 23); a nil list is no condition.
func (s *Service) Rankings(ctx context.Context, by admitto.Caller, courses, terms []int64) (list []admitto.Ranking,
	err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.Ranking, error) {
		return tx.Rankings(courses,
			terms)
	})
}

// Ranking reads one ranking, or answers NotFound.
func (s *Service) Ranking(ctx context.Context, by admitto.Caller, id int64) (k admitto.Ranking, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return k, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Ranking, error) { return tx.Ranking(id) })
}

// RankingSizes counts the entries of rankings, no further than most + 1 of each.
func (s *Service) RankingSizes(ctx context.Context, by admitto.Caller, list []admitto.Ranking,
	most int) (sizes map[int64]int64, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		sizes = map[int64]int64{}
		for i := range list {
			if sizes[list[i].ID], err = tx.CountRankingMembers(&list[i], most); err != nil {
				return err
			}
		}
		return nil
	})
	return sizes, err
}

// RankingEntries computes the entries of a ranking from what is stored now, in the order of ranks; not-found
// without the ranking. The number of statements does not depend on the number of entries.
func (s *Service) RankingEntries(ctx context.Context, by admitto.Caller, id int64) (entries []admitto.RankingEntry,
	err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return entries, err
	}
	var k admitto.Ranking
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if k, err = tx.Ranking(id); err != nil {
			return err
		}
		entries, err = tx.RankingMembers(&k)
		return err
	})
	admitto.RankOffers(entries, k.Quota)
	return entries, err
}

// Criteria returns the criteria by which the offers of a course get their automatic score, in order, and how often they
// were changed; not-found without the course.
func (s *Service) Criteria(ctx context.Context, by admitto.Caller, course int64) (list []admitto.Criterion,
	version int64, err error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return list, version, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, version, err = tx.Criteria(course)
		return err
	})
	return list, version, err
}

// CriteriaOfCourses is how many criteria each course has; courses without any are not in it.
func (s *Service) CriteriaOfCourses(ctx context.Context, by admitto.Caller) (map[int64]int64, error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).CriteriaOfCourses)
}
