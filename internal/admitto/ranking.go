package admitto

import (
	"cmp"
	"slices"
)

// RankingEntry is an offer in a ranking (resources.md 23). RankOffers sets Position, Rank and InQuota.
type RankingEntry struct {
	Offer, Application, Applicant, Course int64
	Priority                              int
	Type, TypeConfirmed                   int64  // TypeConfirmed 0: no letter was sent
	Ranked                                Ranked // of the type
	Decision                              Decision
	Status                                ApplicationStatus // of the application
	Auto, Extra                           *Hundredths
	Position                              int
	Rank                                  int // 0: it does not compete
	InQuota                               bool
}

// Total is the score that counts: auto and extra, a missing one as 0; nil without either.
func (e *RankingEntry) Total() *Hundredths {
	if e.Auto == nil && e.Extra == nil {
		return nil
	}
	var total Hundredths
	for _, part := range []*Hundredths{e.Auto, e.Extra} {
		if part != nil {
			total += *part
		}
	}
	return &total
}

// competes reports whether the entry has a rank.
func (e *RankingEntry) competes() bool {
	return e.Decision != DecisionDeclined && e.Ranked != RankedEliminated && e.Status != Withdrawn && e.Status != Closed
}

// compareEntries orders entries: the higher total first and none last, then by priority, application and offer.
func compareEntries(a, b *RankingEntry) int {
	x, y := a.Total(), b.Total()
	switch {
	case x != nil && y != nil:
		if c := cmp.Compare(*y, *x); c != 0 {
			return c
		}
	case x != nil:
		return -1
	case y != nil:
		return 1
	}
	return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Application, b.Application),
		cmp.Compare(a.Offer, b.Offer))
}

// RankOffers puts the members of a ranking in order and numbers them. Those who are in quota by their type take
// places whatever their rank; the places left go to the pending ones in the order of ranks. A nil quota has room
// for everybody who competes.
func RankOffers(entries []RankingEntry, quota *int64) {
	slices.SortFunc(entries, func(a, b RankingEntry) int { return compareEntries(&a, &b) })
	rank, taken := 0, int64(0)
	for i := range entries {
		e := &entries[i]
		e.Position, e.Rank, e.InQuota = i+1, 0, false
		if !e.competes() {
			continue
		}
		rank++
		e.Rank = rank
		e.InQuota = quota == nil || e.Ranked == RankedInQuota
		if e.InQuota {
			taken++
		}
	}
	if quota == nil {
		return
	}
	for i := range entries {
		if e := &entries[i]; e.Rank > 0 && e.Ranked == RankedPending && taken < *quota {
			e.InQuota = true
			taken++
		}
	}
}

// Ranking orders the offers of courses (resources.md 23).
type Ranking struct {
	ID                int64
	Name              string
	Created, Modified Time
	Term              int64
	Courses           []int64
	Filters           RankingFilters
	Quota             *int64
}

// RankedStatuses are the current statuses of applications whose offers are in rankings.
func RankedStatuses() []ApplicationStatus {
	return []ApplicationStatus{Submitted, Reopened, Withdrawn, Closed}
}

// RankingFilters restrict the members of a ranking; empty is no restriction.
type RankingFilters struct {
	Intakes      []int64  `json:"intakes"`
	Citizenships []string `json:"citizenships"`
	Flags        []int64  `json:"flags"`
	Statuses     []string `json:"statuses"`
}
