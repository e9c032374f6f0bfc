package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Rankings lists the rankings by ascending ID that are restricted to one of the courses and one of the terms,
// or not at all (resources.md 23); a nil list is no condition.
func (o *Office) Rankings(ctx context.Context, by admitto.Caller, courses, terms []int64) (list []admitto.Ranking, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return list, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		list, err = tx.Rankings(courses, terms)
		return err
	})
	return list, err
}

// Ranking reads one ranking, or answers NotFound.
func (o *Office) Ranking(ctx context.Context, by admitto.Caller, id int64) (k admitto.Ranking, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return k, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		k, err = tx.Ranking(id)
		return err
	})
	return k, err
}

// RankingEntries computes the entries of a ranking from what is stored now, in the order of ranks; not-found
// without the ranking. The number of statements does not depend on the number of entries.
func (o *Office) RankingEntries(ctx context.Context, by admitto.Caller, id int64) (entries []admitto.RankingEntry, err error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return entries, err
	}
	var k admitto.Ranking
	err = o.read(ctx, func(tx *store.Tx) error {
		if k, err = tx.Ranking(id); err != nil {
			return err
		}
		entries, err = tx.RankingMembers(&k)
		return err
	})
	admitto.RankOffers(entries, k.Quota)
	return entries, err
}
