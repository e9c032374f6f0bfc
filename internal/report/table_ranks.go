package report

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// ranks are the places of offers in the rankings. A ranking is calculated when a page first has an offer that may
// compete in it: all members of it are read for that.
type ranks struct {
	rankings []admitto.Ranking
	done     []bool
	of       map[int64][]place // by offer, in the order of the rankings
}

type place struct{ ranking, rank int } // ranking is its place among the rankings

func readRanks(tx *store.Tx) (*ranks, error) {
	list, err := tx.Rankings(nil, nil)
	return &ranks{rankings: list, done: make([]bool, len(list)), of: map[int64][]place{}}, err
}

// fill calculates what the offers of a page still need.
func (k *ranks) fill(tx *store.Tx, page []tableRow) error {
	courses, terms := map[int64]bool{}, map[int64]bool{}
	for i := range page {
		r := &page[i]
		terms[r.app.Term] = true
		if r.offer != nil {
			courses[r.offer.Course] = true
		}
		for j := range r.offers {
			courses[r.offers[j].Course] = true
		}
	}
	for i := range k.rankings {
		of := &k.rankings[i]
		within := len(of.Courses) == 0 || slices.ContainsFunc(of.Courses, func(id int64) bool { return courses[id] })
		if k.done[i] || !within || of.Term != 0 && !terms[of.Term] {
			continue
		}
		entries, err := tx.RankingMembers(of)
		if err != nil {
			return err
		}
		k.done[i] = true
		admitto.RankOffers(entries, of.Quota)
		for _, e := range entries {
			if e.Rank == 0 {
				continue
			}
			places := append(k.of[e.Offer], place{i, e.Rank})
			slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.ranking, b.ranking) })
			k.of[e.Offer] = places
		}
	}
	return nil
}
