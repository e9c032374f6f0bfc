package query

import (
	"context"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Numbers are the four numbers of a term. The lists behind them: applicants InTerm; applications of the term with
// Unsubmitted, with SubmittedOnce, with the decision Final. Before is a week ago, nil when nobody counted then.
type Numbers struct {
	store.Snapshot
	Before *store.Snapshot
	At     admitto.Time // when it was counted
}

// Unsubmitted are the statuses of applications that nobody has submitted yet.
func Unsubmitted() []string {
	return []string{string(admitto.Blank), string(admitto.Draft), string(admitto.Inactive)}
}

// numbersOf counts the numbers of a term.
func (s *Service) numbersOf(tx *store.Tx, term int64) (n store.Snapshot, err error) {
	if n.Applicants, err = tx.CountApplicantsIn(term); err != nil {
		return n, err
	}
	funnel, err := s.funnelOf(tx, term)
	if err != nil {
		return n, err
	}
	n.Submitted = funnel.Submitted
	if n.Unsubmitted, err = s.countOf(tx, term, func(q *admitto.ApplicationQuery) {
		q.Statuses = Unsubmitted()
	}); err == nil {
		n.Final = funnel.Final
	}
	return n, err
}

// countOf counts the applications of a term that a filter selects.
func (s *Service) countOf(tx *store.Tx, term int64, filter func(*admitto.ApplicationQuery)) (int64, error) {
	q := admitto.ApplicationQuery{}
	if term != 0 {
		q.TermIDs = []int64{term}
	}
	filter(&q)
	s.prepare(tx, &q)
	return tx.CountExactly(q)
}

// Numbers returns the four numbers of a term, 0 being all.
func (s *Service) Numbers(ctx context.Context, by admitto.Caller, term int64) (n Numbers, err error) {
	if err := by.Needs(admitto.ReportsView); err != nil {
		return n, err
	}
	var counted Numbers
	counted, n.At, err = shared(ctx, s, fmt.Sprint("numbers ", term), func(tx *store.Tx) (n Numbers, err error) {
		if n.Snapshot, err = s.numbersOf(tx, term); err == nil {
			n.Before, err = tx.SnapshotOf(term, s.core.Today(tx).AddDays(-7))
		}
		return n, err
	})
	counted.At = n.At
	return counted, err
}

// SaveSnapshots stores the numbers of all terms as those of the day.
func (s *Service) SaveSnapshots(ctx context.Context, by admitto.Caller, day admitto.Date) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	counted := map[int64]store.Snapshot{}
	err := s.core.Read(ctx, func(tx *store.Tx) error {
		terms, err := tx.Terms()
		for _, t := range terms {
			if err == nil {
				counted[t.ID], err = s.numbersOf(tx, t.ID)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		for term, n := range counted {
			if err := tx.SaveSnapshot(term, day, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// Funnel counts the applications of a term. The lists behind it: all of the term; with SubmittedOnce; with InQuota;
// with the decision Final; of these, with Matriculated.
type Funnel struct {
	All, Submitted, InQuota, Final, Matriculated int64
	At                                           admitto.Time
}

func (s *Service) funnelOf(tx *store.Tx, term int64) (f Funnel, err error) {
	yes := true
	final := []string{string(admitto.DecisionFinal)}
	for _, step := range []struct {
		to     *int64
		filter func(*admitto.ApplicationQuery)
	}{
		{&f.All, func(*admitto.ApplicationQuery) {}},
		{&f.Submitted, func(q *admitto.ApplicationQuery) { q.SubmittedOnce = &yes }},
		{&f.InQuota, func(q *admitto.ApplicationQuery) { q.InQuota = true }},
		{&f.Final, func(q *admitto.ApplicationQuery) { q.OfferDecisions = final }},
		{&f.Matriculated, func(q *admitto.ApplicationQuery) { q.OfferDecisions, q.Matriculated = final, &yes }},
	} {
		if *step.to, err = s.countOf(tx, term, step.filter); err != nil {
			return f, err
		}
	}
	return f, nil
}

// Funnel returns the funnel of a term, 0 being all.
func (s *Service) Funnel(ctx context.Context, by admitto.Caller, term int64) (Funnel, error) {
	if err := by.Needs(admitto.ReportsView); err != nil {
		return Funnel{}, err
	}
	f, at, err := shared(ctx, s, fmt.Sprint("funnel ", term),
		func(tx *store.Tx) (Funnel, error) { return s.funnelOf(tx, term) })
	f.At = at
	return f, err
}

// PerDay is how many applications were created and submitted on each of so many days, the last being today.
type PerDay struct {
	Days               []admitto.Date
	Created, Submitted []int64
	At                 admitto.Time
}

// PerDay returns the applications of a term by day, for the last 30 or 90 days.
func (s *Service) PerDay(ctx context.Context, by admitto.Caller, term int64, days int) (PerDay, error) {
	if err := by.Needs(admitto.ReportsView); err != nil {
		return PerDay{}, err
	}
	if days != 90 {
		days = 30
	}
	p, at, err := shared(ctx, s, fmt.Sprint("days ", term, " ", days), func(tx *store.Tx) (p PerDay, err error) {
		first := s.core.Today(tx).AddDays(1 - days)
		place := map[admitto.Date]int{}
		for i := range days {
			day := first.AddDays(i)
			place[day] = i
			p.Days = append(p.Days, day)
		}
		p.Created, p.Submitted = make([]int64, days), make([]int64, days)
		since := tx.Now() - admitto.Time(days+1)*admitto.Day
		for _, line := range []struct {
			submitted bool
			counts    []int64
		}{{false, p.Created}, {true, p.Submitted}} {
			err := tx.EachSince(line.submitted, term, since, func(t admitto.Time) {
				if i, shown := place[s.core.DayOf(t)]; shown {
					line.counts[i]++
				}
			})
			if err != nil {
				return p, err
			}
		}
		return p, nil
	})
	p.At = at
	return p, err
}

// Citizenships are the most frequent citizenships among the applications of a term, and how many others there are. The
// list behind each: Citizenships.
type Citizenships struct {
	Top    []store.CodeCount
	Others int64
	At     admitto.Time
}

// shownCitizenships is how many stand for themselves.
const shownCitizenships = 15

// Citizenships returns the citizenships of a term, 0 being all.
func (s *Service) Citizenships(ctx context.Context, by admitto.Caller, term int64) (c Citizenships, err error) {
	if err := by.Needs(admitto.ReportsView); err != nil {
		return c, err
	}
	list, at, err := shared(ctx, s, fmt.Sprint("citizenships ", term), func(tx *store.Tx) ([]store.CodeCount, error) {
		return tx.CitizenshipCounts(term)
	})
	c.At, c.Top = at, slices.Clone(list[:min(len(list), shownCitizenships)])
	for _, other := range list[len(c.Top):] {
		c.Others += other.N
	}
	return c, err
}

// OffersByType returns the applications of a term by the types of their offers; see BrowseCounts.
func (s *Service) OffersByType(ctx context.Context, by admitto.Caller,
	term int64) ([]store.OfferCount, admitto.Time, error) {
	if err := by.Needs(admitto.OffersView); err != nil {
		return nil, 0, err
	}
	return shared(ctx, s, fmt.Sprint("offers ", term),
		func(tx *store.Tx) ([]store.OfferCount, error) { return tx.OfferCounts(term) })
}

// StatusCount is how many applications have a status.
type StatusCount struct {
	Status admitto.ApplicationStatus
	N      int64
}

// PaneCounts are the counts of the filter pane of the applications browser. The list behind a status: the term and
// Statuses; behind the marks: Expired, Frozen; behind those of a type of offers: OfferTypes with OfferAsConfirmed false
// or true, or with OfferDecisions.
type PaneCounts struct {
	Statuses        []StatusCount // all, in their order
	Expired, Frozen int64
	Offers          []store.OfferCount // of the types in use; without offers-view none
}

// BrowseCounts counts the applications of a term for the filter pane, whatever else is filtered; term 0 is all. The
// store keeps all of them.
func (s *Service) BrowseCounts(ctx context.Context, by admitto.Caller, term int64) (c PaneCounts, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return c, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		c, err = s.countPane(tx, term, by.Has(admitto.OffersView))
		return err
	})
	return c, err
}

func (s *Service) countPane(tx *store.Tx, term int64, offers bool) (c PaneCounts, err error) {
	byStatus, err := tx.StatusCounts(term)
	if err != nil {
		return c, err
	}
	for _, status := range admitto.ApplicationStatuses() {
		c.Statuses = append(c.Statuses, StatusCount{status, byStatus[status]})
	}
	if c.Expired, err = tx.ExpiredCount(term, s.core.Today(tx), tx.Now()); err != nil {
		return c, err
	}
	if c.Frozen, err = tx.FrozenCount(term); err != nil || !offers {
		return c, err
	}
	c.Offers, err = tx.OfferCounts(term)
	return c, err
}
