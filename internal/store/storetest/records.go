package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// chronicle is a journal as it should be, with what it is looked through by.
type chronicle struct {
	records []admitto.Record
	term    map[int64]int64 // of each application
	year    map[int64]int64 // of each term
	events  []admitto.EventFilter
}

// chronicle records n random events about the applicants and makes applications for them.
func (e *env) chronicle(t *testing.T, n, applicants, applications, terms int) *chronicle {
	t.Helper()
	rnd := rand.New(rand.NewPCG(4, uint64(n)))
	c := &chronicle{term: map[int64]int64{}, year: map[int64]int64{}}
	e.write(t, func(tx *store.Tx) error {
		for id := range int64(terms) {
			c.year[id+1] = 2026 - id/2
			if _, err := sqltest.In(tx).Exec("INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES ($1, $2, 'x', 1, '', '', '')",
				id+1, c.year[id+1]); err != nil {
				return err
			}
		}
		for i := range applicants {
			if _, err := insert(tx, 1_000_000+i, admitto.ApplicantLive); err != nil {
				return err
			}
		}
		first, err := number(tx, "SELECT min(id) FROM applicant")
		if err != nil {
			return err
		}
		return sqltest.In(tx).Bulk(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES ($1, $2, $3, 'Closed', 1, 1)`,
			func(yield func([]any) bool) {
				for i := range applications {
					id := int64(i + 1)
					c.term[id] = 1 + min(rnd.Int64N(int64(terms)), rnd.Int64N(int64(terms)))
					if !yield([]any{id, first + rnd.Int64N(int64(applicants)), c.term[id]}) {
						return
					}
				}
			})
	})
	e.write(t, (*store.Tx).RecountCounters)
	patterns := []admitto.Pattern{admitto.EmailSent, admitto.EmailSent, admitto.TrackerAssigned, admitto.TrackerAssigned,
		admitto.ApplicantReferenceSet,
		admitto.KeyCreated, "Application status was changed: ?"}
	c.events = append(c.events, admitto.EventFilter{Pattern: "Applicant was erased"},
		admitto.EventFilter{Pattern: admitto.EmailSent, Bind: []string{"none"}})
	at := epoch
	for done := 0; done < n; {
		e.write(t, func(tx *store.Tx) error {
			for end := min(n, done+500); done < end; done++ {
				event := admitto.Event{Pattern: patterns[rnd.IntN(len(patterns))]}
				if event.Pattern[len(event.Pattern)-1] == '?' {
					event.Bind = []string{fmt.Sprint("<v> ", rnd.IntN(12))}
				}
				if !slices.ContainsFunc(c.events, func(f admitto.EventFilter) bool {
					return f.Pattern == event.Pattern && slices.Equal(f.Bind, event.Bind)
				}) {
					c.events = append(c.events, admitto.EventFilter{Pattern: event.Pattern, Bind: event.Bind},
						admitto.EventFilter{Pattern: event.Pattern})
				}
				if rnd.IntN(4) > 0 {
					event.Links.Applicant = 1 + rnd.Int64N(int64(applicants))
				}
				if applications > 0 && rnd.IntN(3) == 0 {
					event.Links.Application = 1 + rnd.Int64N(int64(applications))
				}
				at += admitto.Time(rnd.Int64N(int64(admitto.Hour))) - 10*admitto.Minute
				tx.RecordAt(at, admitto.System(), event)
			}
			return nil
		})
	}
	c.records = e.records(t)
	if len(c.records) != n {
		t.Fatalf("%d records, want %d", len(c.records), n)
	}
	return c
}

// matches is what the query means.
func (c *chronicle) matches(q *admitto.JournalQuery, r *admitto.Record) bool {
	has := func(list []int64, id int64) bool { return list == nil || id != 0 && slices.Contains(list, id) }
	term := c.term[r.Links.Application]
	return r.ID >= q.FromID && (q.ToID == 0 || r.ID <= q.ToID) && (q.FromTime == 0 || r.Logged >= q.FromTime) &&
		(q.ToTime == 0 || r.Logged <= q.ToTime) &&
		has(q.ApplicantIDs, r.Links.Applicant) && has(q.ApplicationIDs, r.Links.Application) && has(q.TermIDs, term) &&
		has(q.Years, c.year[term]) &&
		(q.Events == nil || slices.ContainsFunc(q.Events, func(f admitto.EventFilter) bool {
			return f.Pattern == r.Pattern && (f.Bind == nil || slices.Equal(f.Bind, r.Bind))
		}))
}

func (c *chronicle) drawQuery(r *rapid.T) (q admitto.JournalQuery) {
	with := func(name string) bool { return rapid.IntRange(0, 2).Draw(r, "with "+name) == 0 }
	ids := func(name string, most int) []int64 {
		n := rapid.SampledFrom([]int{0, 1, 1, 1, 2, 3, 5, 32, 33, 100}).Draw(r, "number of "+name)
		return rapid.SliceOfN(rapid.Int64Range(1, int64(most)), n, n).Draw(r, name)
	}
	id := rapid.Int64Range(1, int64(len(c.records))+20)
	instant := rapid.Custom(func(r *rapid.T) admitto.Time {
		return rapid.SampledFrom(c.records).Draw(r, "record").Logged + rapid.SampledFrom([]admitto.Time{0, 0, -1, 1,
			-300 * admitto.Day, 300 * admitto.Day}).Draw(r, "off by")
	})
	if with("first ID") {
		q.FromID = id.Draw(r, "first ID")
	}
	if with("last ID") {
		q.ToID = rapid.OneOf(id, rapid.Just[int64](1<<63-1)).Draw(r, "last ID")
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
	if with("events") {
		n := rapid.SampledFrom([]int{0, 1, 1, 2, 5, 32, 33, 50}).Draw(r, "number of events")
		q.Events = rapid.SliceOfN(rapid.SampledFrom(c.events), n, n).Draw(r, "events")
	}
	if with("applicants") {
		q.ApplicantIDs = ids("applicants", 60)
	}
	if with("applications") {
		q.ApplicationIDs = ids("applications", 90)
	}
	if with("terms") {
		q.TermIDs = ids("terms", 12)
	}
	if with("years") {
		q.Years = rapid.SliceOfN(rapid.Int64Range(2019, 2027), 0, 4).Draw(r, "years")
	}
	q.NewestFirst = rapid.Bool().Draw(r, "newest first")
	q.Limit = rapid.OneOf(rapid.IntRange(1, 20), rapid.Just(5000)).Draw(r, "limit")
	return q
}

func testRecords(t *testing.T, e *env) {
	e.migrate(t)
	c := e.chronicle(t, 2500, 50, 80, 10)
	rapid.Check(t, func(r *rapid.T) {
		q := c.drawQuery(r)
		var want []admitto.Record
		var count int64
		for _, record := range c.records {
			if !c.matches(&q, &record) {
				continue
			}
			count++
			if q.After == 0 || q.NewestFirst && record.ID < q.After || !q.NewestFirst && record.ID > q.After {
				want = append(want, record)
			}
		}
		if q.NewestFirst {
			slices.Reverse(want)
		}
		wantMore := len(want) > q.Limit
		want = want[:min(len(want), q.Limit)]
		err := e.Read(e.ctx, func(tx *store.Tx) error {
			var got []admitto.Record
			more, err := tx.EachRecord(q, func(record *admitto.Record) error {
				got = append(got, *record)
				return nil
			})
			if err != nil {
				return err
			}
			if diff := cmp.Diff(want, got); diff != "" || more != wantMore {
				r.Errorf("query %+v: more %v, want %v, %s", q, more, wantMore, diff)
			}
			n, err := tx.CountRecords(q)
			if n != count {
				r.Errorf("query %+v: counted %d, want %d", q, n, count)
			}
			return err
		})
		if err != nil {
			r.Fatal(err)
		}
	})
}
