package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// people is a population as it should be in the store.
type people struct {
	visible  []*someone // by ID
	trackers []int64    // deleted ones too
	lastID   int64
}

type someone struct {
	admitto.Applicant
	emailKey string
	trackers map[int64]bool
}

var citizenships = []string{"", "EE", "FI", "LV", "TR", "UA", "DE", "NG", "GE", "IN", "PK", "US"}

// populate fills the store with n random applicants in all states, changes some and returns what is visible.
func (e *env) populate(t *testing.T, n, trackers int) *people {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	p := &people{}
	var pending []*someone
	for i := range trackers {
		p.trackers = append(p.trackers, e.tracker(t, fmt.Sprint("T", i)))
	}
	for at := 0; at < n; {
		e.write(t, func(tx *store.Tx) error {
			for end := min(n, at+500); at < end; at++ {
				s := &someone{trackers: map[int64]bool{}}
				a, key := person(at)
				s.Applicant, s.emailKey = *a, key
				s.State = []admitto.ApplicantState{admitto.ApplicantLive, admitto.ApplicantLive, admitto.ApplicantLive,
					admitto.ApplicantLive,
					admitto.ApplicantLive, admitto.ApplicantLive, admitto.ApplicantBlocked, admitto.ApplicantPending,
					admitto.ApplicantRecovery}[rnd.IntN(9)]
				s.Citizenship = citizenships[min(rnd.IntN(len(citizenships)), rnd.IntN(len(citizenships)))]
				s.Registered = epoch + admitto.Time(at)*20*admitto.Minute + admitto.Time(rnd.Int64N(int64(2*admitto.Day)))
				if rnd.IntN(50) == 0 {
					s.Registered = epoch - admitto.Day*admitto.Time(rnd.IntN(40_000)) // brought along from elsewhere, some before 1970
				}
				id, err := tx.InsertApplicant(&s.Applicant, s.emailKey)
				if err != nil {
					return err
				}
				s.ID = id
				visible := s.State == admitto.ApplicantLive || s.State == admitto.ApplicantBlocked
				for range rnd.IntN(4) * min(1, trackers) {
					tracker := p.trackers[rnd.IntN(trackers)]
					if visible {
						_, err = tx.AssignTracker(id, tracker)
					} else {
						err = tx.AssignTrackerPending(id, tracker)
					}
					if err != nil {
						return err
					}
					s.trackers[tracker] = true
				}
				if visible {
					p.visible = append(p.visible, s)
				} else if s.State == admitto.ApplicantPending {
					pending = append(pending, s)
				}
			}
			return tx.SkipIDs("applicant", p.visible[len(p.visible)-1].ID+rnd.Int64N(2000))
		})
	}
	// Some of the pending become visible under new IDs, some trackers go.
	e.write(t, func(tx *store.Tx) error {
		for i, s := range pending {
			if i%3 == 0 {
				continue
			}
			id, _, err := tx.ActivateApplicant(s.ID, i%3 == 1)
			if err != nil {
				return err
			}
			shown, err := tx.Applicant(id)
			if err != nil {
				return err
			}
			s.ID, s.State, s.Registered = id, admitto.ApplicantLive, shown.Registered // when it became visible
			p.visible = append(p.visible, s)
		}
		for i, s := range p.visible {
			if i%7 > 0 {
				continue
			}
			for tracker := range s.trackers {
				if _, err := tx.UnassignTracker(s.ID, tracker); err != nil {
					return err
				}
				delete(s.trackers, tracker)
				break
			}
		}
		for i := 0; i < trackers; i += 10 {
			if _, err := tx.DeleteTracker(p.trackers[i]); err != nil {
				return err
			}
			for _, s := range p.visible {
				delete(s.trackers, p.trackers[i])
			}
		}
		return nil
	})
	slices.SortFunc(p.visible, func(a, b *someone) int { return int(a.ID - b.ID) })
	p.lastID = p.visible[len(p.visible)-1].ID
	e.verifyCounters(t)
	return p
}

// crowd is populate by many rows at once, for tests that need many people and not what has happened to them.
func (e *env) crowd(t *testing.T, n, trackers int) *people {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	p := &people{}
	var first int64
	e.read(t, func(tx *store.Tx) (err error) {
		first, err = number(tx, "SELECT coalesce(max(id), 0) + 1 FROM applicant")
		return err
	})
	var codes []admitto.Tracker
	for i := range int64(trackers) {
		codes = append(codes, admitto.Tracker{ID: i + 1, Created: epoch, Code: fmt.Sprint("T", i)})
		p.trackers = append(p.trackers, i+1)
	}
	var all []load.ApplicantRow
	var assigned []admitto.TrackerAssociation
	for i := range n {
		a, key := person(i)
		a.ID = first + int64(i)
		a.State = []admitto.ApplicantState{admitto.ApplicantLive, admitto.ApplicantLive, admitto.ApplicantLive,
			admitto.ApplicantPending}[rnd.IntN(4)]
		a.Citizenship = citizenships[min(rnd.IntN(len(citizenships)), rnd.IntN(len(citizenships)))]
		a.Registered = epoch + admitto.Time(i)*20*admitto.Minute + admitto.Time(rnd.Int64N(int64(2*admitto.Day)))
		if rnd.IntN(50) == 0 {
			a.Registered = epoch - admitto.Day*admitto.Time(rnd.IntN(40_000))
		}
		all = append(all, load.ApplicantRow{Applicant: *a, EmailKey: key})
		if a.State != admitto.ApplicantLive {
			continue
		}
		p.visible = append(p.visible, &someone{Applicant: *a, emailKey: key})
		for _, tracker := range rnd.Perm(trackers)[:rnd.IntN(4)] {
			assigned = append(assigned, admitto.TrackerAssociation{Tracker: p.trackers[tracker], Applicant: a.ID,
				Assigned: a.Registered})
		}
	}
	e.write(t, func(tx *store.Tx) error {
		return errors.Join(load.Trackers(tx, codes), load.Applicants(tx, all), load.TrackerAssociations(tx, assigned))
	})
	p.lastID = p.visible[len(p.visible)-1].ID
	e.verifyCounters(t)
	return p
}

// matches is what the query means.
func matches(q *admitto.ApplicantQuery, s *someone) bool {
	carries := func(ids []int64) bool {
		return ids == nil || slices.ContainsFunc(ids, func(id int64) bool { return s.trackers[id] })
	}
	return s.ID >= q.FromID && (q.ToID == 0 || s.ID <= q.ToID) && (q.FromTime == 0 || s.Registered >= q.FromTime) &&
		(q.ToTime == 0 || s.Registered <= q.ToTime) && (q.Citizenships == nil ||
		slices.Contains(q.Citizenships, s.Citizenship)) &&
		(q.EmailKeys == nil || slices.Contains(q.EmailKeys, s.emailKey)) && carries(q.TrackerIDs) && carries(q.TrackerCodeIDs)
}

// drawQuery makes a query in which every filter is there one time in three.
func (p *people) drawQuery(r *rapid.T) (q admitto.ApplicantQuery) {
	with := func(name string) bool { return rapid.IntRange(0, 2).Draw(r, "with "+name) == 0 }
	size := func(name string) int {
		return rapid.SampledFrom([]int{0, 1, 1, 1, 2, 3, 5, 31, 32, 33, 100}).Draw(r, "number of "+name)
	}
	id := rapid.Int64Range(1, p.lastID+50)
	instant := rapid.Custom(func(r *rapid.T) admitto.Time {
		at := rapid.SampledFrom(p.visible).Draw(r, "applicant").Registered
		switch rapid.IntRange(0, 4).Draw(r, "rounding") {
		case 0:
			return at - at%admitto.Day
		case 1:
			return at - at%admitto.Day - 1
		case 2:
			return at + rapid.SampledFrom([]admitto.Time{-1, 1}).Draw(r, "off by")
		}
		return at
	})
	if with("first ID") {
		q.FromID = id.Draw(r, "first ID")
	}
	if with("last ID") {
		q.ToID = rapid.OneOf(id, rapid.SampledFrom([]int64{1023, 1024, 2047, 1<<63 - 1})).Draw(r, "last ID")
	}
	if with("after") {
		q.After = rapid.OneOf(id, rapid.Just[int64](1<<63-1)).Draw(r, "after")
	}
	if with("first time") {
		q.FromTime = instant.Draw(r, "first time")
	}
	if with("last time") {
		q.ToTime = instant.Draw(r, "last time")
	}
	if with("citizenships") {
		n := size("citizenships")
		q.Citizenships = rapid.SliceOfN(rapid.SampledFrom(append(citizenships[1:], "XX")), n, n).Draw(r, "citizenships")
	}
	if rapid.IntRange(0, 5).Draw(r, "with addresses") == 0 {
		q.EmailKeys = []string{}
		for range size("addresses") {
			q.EmailKeys = append(q.EmailKeys, fmt.Sprintf("p%d@example.org",
				rapid.IntRange(0, len(p.visible)*5/4).Draw(r, "address")))
		}
	}
	trackers := rapid.OneOf(rapid.SampledFrom(p.trackers), rapid.Just[int64](9999))
	if with("trackers") {
		n := size("trackers")
		q.TrackerIDs = rapid.SliceOfN(trackers, n, n).Draw(r, "trackers")
	}
	if with("tracker codes") {
		n := size("tracker codes")
		q.TrackerCodeIDs = rapid.SliceOfN(trackers, n, n).Draw(r, "tracker codes")
	}
	q.Limit = rapid.OneOf(rapid.IntRange(1, 20), rapid.IntRange(1, len(p.visible)+1), rapid.Just(16384)).Draw(r, "limit")
	return q
}

func testLists(t *testing.T, e *env) {
	e.migrate(t)
	p := e.populate(t, 3000, 60)
	rapid.Check(t, func(r *rapid.T) {
		q := p.drawQuery(r)
		var want []admitto.Applicant
		var count int64
		for _, s := range p.visible {
			if !matches(&q, s) {
				continue
			}
			count++
			if s.ID > q.After {
				want = append(want, s.Applicant)
			}
		}
		wantMore := len(want) > q.Limit
		want = want[:min(len(want), q.Limit)]
		err := e.Read(e.ctx, func(tx *store.Tx) error {
			var got, paged []admitto.Applicant
			more, err := tx.EachApplicant(q, func(a *admitto.Applicant) error {
				got = append(got, *a)
				return nil
			})
			if err != nil {
				return err
			}
			if diff := cmp.Diff(want, got); diff != "" || more != wantMore {
				r.Errorf("query %+v: more %v, want %v, %s", q, more, wantMore, diff)
			}
			more, err = tx.ApplicantPages(q, func(page []admitto.Applicant) error {
				paged = append(paged, page...)
				return nil
			})
			if err != nil {
				return err
			}
			if diff := cmp.Diff(want, paged); diff != "" || more != wantMore {
				r.Errorf("query %+v, by pages: more %v, want %v, %s", q, more, wantMore, diff)
			}
			n, err := tx.CountApplicants(q)
			if n != count {
				r.Errorf("query %+v: counted %d, want %d", q, n, count)
			}
			return err
		})
		if err != nil {
			r.Fatal(err)
		}
	})
	// An error of the caller ends the list and comes back.
	e.read(t, func(tx *store.Tx) error {
		calls := 0
		_, err := tx.EachApplicant(admitto.ApplicantQuery{Limit: 10},
			func(*admitto.Applicant) error { calls++; return errRollback })
		if err != errRollback || calls != 1 {
			t.Errorf("%d calls, %v", calls, err)
		}
		_, err = tx.CountApplicants(admitto.ApplicantQuery{}) // its rows are closed
		return err
	})
}

// testStatements counts what a list costs: it must not grow with the rows.
func testStatements(t *testing.T, e *env) {
	e.migrate(t)
	p := e.populate(t, 1200, 30)
	cost := func(fn func(*store.Tx) error) int64 {
		before := e.Statements()
		e.read(t, fn)
		return e.Statements() - before
	}
	for name, q := range map[string]admitto.ApplicantQuery{
		"all":          {},
		"IDs":          {FromID: 5, ToID: p.lastID - 1},
		"times":        {FromTime: epoch, ToTime: epoch + 9*admitto.Day},
		"citizenships": {Citizenships: []string{"EE", "FI"}},
		"addresses":    {EmailKeys: []string{"p1@example.org", "p2@example.org"}},
		"trackers":     {TrackerIDs: p.trackers},
		"codes":        {TrackerCodeIDs: p.trackers[:2]},
	} {
		var list [2]int64
		rows := 0
		for i, limit := range []int{1, 10_000} {
			q.Limit, rows = limit, 0
			list[i] = cost(func(tx *store.Tx) error {
				_, err := tx.EachApplicant(q, func(*admitto.Applicant) error { rows++; return nil })
				return err
			})
		}
		if list[0] != list[1] || list[0] > 2 {
			t.Errorf("%s: one row takes %d statements, %d rows take %d", name, list[0], rows, list[1])
		}
		if n := cost(func(tx *store.Tx) error { _, err := tx.CountApplicants(q); return err }); n > 4 {
			t.Errorf("%s: counting takes %d statements", name, n)
		}
		pages := 0
		n := cost(func(tx *store.Tx) error {
			_, err := tx.ApplicantPages(q, func(page []admitto.Applicant) error {
				pages++
				ids := make([]int64, len(page))
				for i := range page {
					ids[i] = page[i].ID
				}
				if _, err := tx.TrackersOf(ids); err != nil {
					return err
				}
				_, err := tx.VisibleNotes(ids)
				return err
			})
			return err
		})
		if n > int64(pages)*4 {
			t.Errorf("%s: %d pages with their parts take %d statements", name, pages, n)
		}
	}
}
