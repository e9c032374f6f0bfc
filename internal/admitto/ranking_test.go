package admitto_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

func TestRankOffers(t *testing.T) {
	score := func(n int64) *admitto.Hundredths { h := admitto.Hundredths(n); return &h }
	places := func(n int64) *int64 { return &n }
	pending := func(offer, application int64, priority int, auto *admitto.Hundredths) admitto.RankingEntry {
		return admitto.RankingEntry{Offer: offer, Application: application, Priority: priority, Auto: auto,
			Ranked: admitto.RankedPending, Decision: admitto.DecisionNone, Status: admitto.Submitted}
	}
	but := func(e admitto.RankingEntry, change func(*admitto.RankingEntry)) admitto.RankingEntry {
		change(&e)
		return e
	}
	taken := func(e *admitto.RankingEntry) { e.Ranked = admitto.RankedInQuota }
	for _, row := range []struct {
		name    string
		entries []admitto.RankingEntry
		quota   *int64
		want    string // offer/rank, + for a place, in order
	}{
		{"none", nil, places(1), ""},
		{"higher first, none last", []admitto.RankingEntry{pending(1, 1, 1, nil), pending(2, 2, 1, score(0)),
			pending(3, 3, 1, score(1)),
			pending(4, 4, 1, score(-100))}, nil, "3/1+ 2/2+ 4/3+ 1/4+"},
		{"extra counts", []admitto.RankingEntry{pending(1, 1, 1, score(8000)),
			but(pending(2, 2, 1, nil), func(e *admitto.RankingEntry) { e.Extra = score(8001) }),
			but(pending(3, 3, 1, score(9000)),
				func(e *admitto.RankingEntry) { e.Extra = score(-1000) })}, places(9), "2/1+ 1/2+ 3/3+"},
		{"ties", []admitto.RankingEntry{pending(4, 2, 1, score(5)), pending(3, 2, 1, score(5)), pending(2, 1, 2, score(5)),
			pending(9, 1, 1, score(5))},
			places(0), "9/1 3/2 4/3 2/4"},
		{"places are taken whatever the rank", []admitto.RankingEntry{pending(1, 1, 1, score(9)), pending(2, 2, 1, score(8)),
			but(pending(3, 3, 1, nil), taken)}, places(2), "1/1+ 2/2 3/3+"},
		{"more by type than places", []admitto.RankingEntry{pending(1, 1, 1, score(9)),
			but(pending(2, 2, 1, score(8)), taken),
			but(pending(3, 3, 1, nil), taken)}, places(1), "1/1 2/2+ 3/3+"},
		{"who does not compete has a position and no rank", []admitto.RankingEntry{
			but(pending(1, 1, 1, score(9)), func(e *admitto.RankingEntry) { e.Decision = admitto.DecisionDeclined }),
			but(pending(2, 2, 1, score(8)), func(e *admitto.RankingEntry) { e.Ranked = admitto.RankedEliminated }),
			but(pending(3, 3, 1, score(7)), func(e *admitto.RankingEntry) { e.Status = admitto.Withdrawn }),
			but(pending(4, 4, 1, score(6)),
				func(e *admitto.RankingEntry) { e.Status = admitto.Closed; e.Ranked = admitto.RankedInQuota }),
			but(pending(5, 5, 1, score(5)),
				func(e *admitto.RankingEntry) { e.Status = admitto.Reopened; e.Decision = admitto.DecisionFinal })},
			places(1), "1/0 2/0 3/0 4/0 5/1+"},
	} {
		for range 5 {
			rand.Shuffle(len(row.entries), func(i, j int) { row.entries[i], row.entries[j] = row.entries[j], row.entries[i] })
			list := slices.Clone(row.entries)
			admitto.RankOffers(list, row.quota)
			var got []string
			for i, e := range list {
				place := fmt.Sprintf("%d/%d", e.Offer, e.Rank)
				if e.InQuota {
					place += "+"
				}
				if e.Position != i+1 {
					place += "!"
				}
				got = append(got, place)
			}
			if strings.Join(got, " ") != row.want {
				t.Errorf("%s: %v, want %s", row.name, got, row.want)
			}
		}
	}
}
