package store_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
	"pgregory.net/rapid"
)

// intakeDay is the time around which the applications of these tests are created.
const intakeDay = 1_780_000_000 * admitto.Second

// campus is a set of applications as it should be in the store.
type campus struct {
	applications []*filed // by ID, the invisible ones too
}

// filed is an application with what lists look through.
type filed struct {
	admitto.Application
	year    int64
	visible bool
	flags   []int64
	courses []enrolled
	offers  []offered
}

type enrolled struct {
	course, intake, institution int64
	kind                        string
}

type offered struct {
	id, course, institution, kind int64
	decision                      string
	confirmed                     bool
}

// How many there are of each; IDs count from 1.
const (
	termCount        = 6
	courseCount      = 40
	intakeCount      = 5
	institutionCount = 4
	flagCount        = 40
	eliminates       = 4 // the type of offers that does, as seeded
)

var (
	courseKinds = []string{"BA", "MA", "PhD"}
	appStatuses = []admitto.ApplicationStatus{admitto.Blank, admitto.Draft, admitto.Submitted, admitto.Submitted,
		admitto.Withdrawn, admitto.Closed}
	appDecisions = []string{"None", "None", "Final", "Declined"}
)

// newCampus invents n applications.
func newCampus(n int) *campus {
	rnd := rand.New(rand.NewPCG(7, uint64(n)))
	c := &campus{}
	for i := range n {
		f := &filed{visible: rnd.IntN(10) > 0}
		f.ID, f.Applicant, f.Term = int64(2*i+1+rnd.IntN(2)), int64(i/2+1), int64(i%2*3+1+rnd.IntN(3))
		f.year = 2024 + (f.Term-1)/2
		f.Status = appStatuses[rnd.IntN(len(appStatuses))]
		if rnd.IntN(500) == 0 {
			f.Status = admitto.Reopened
		}
		f.Created = intakeDay + admitto.Time(i)*admitto.Minute + admitto.Time(rnd.Int64N(int64(admitto.Day)))
		f.Revised = f.Created + admitto.Time(rnd.Int64N(int64(9*admitto.Day)))
		if f.Status != admitto.Blank && f.Status != admitto.Draft {
			f.Submitted = f.Created + admitto.Time(rnd.Int64N(int64(5*admitto.Day)))
		}
		for range rnd.IntN(4) {
			if flag := 1 + min(rnd.Int64N(flagCount), rnd.Int64N(flagCount)); !slices.Contains(f.flags, flag) {
				f.flags = append(f.flags, flag)
			}
		}
		for range rnd.IntN(4) {
			e := enrolled{1 + min(rnd.Int64N(courseCount), rnd.Int64N(courseCount)), rnd.Int64N(intakeCount + 1), 0, ""}
			e.institution, e.kind = e.course%institutionCount+1, courseKinds[e.course%3]
			if slices.ContainsFunc(f.courses, func(x enrolled) bool { return x.course == e.course }) {
				continue
			}
			f.courses = append(f.courses, e)
			// Offers without a submission do not come about, but a filter must not rely on that.
			if f.Submitted != 0 && rnd.IntN(4) > 0 || rnd.IntN(10) == 0 {
				f.offers = append(f.offers, offered{int64(4*i + len(f.offers) + 1), e.course, e.institution,
					1 + min(rnd.Int64N(5), rnd.Int64N(5), rnd.Int64N(5), rnd.Int64N(5)),
					appDecisions[rnd.IntN(len(appDecisions))], rnd.IntN(5) == 0})
			}
		}
		if i%25 == 0 { // answered with a refusal
			for j := range f.offers {
				f.offers[j].kind, f.offers[j].confirmed = eliminates, true
			}
		}
		c.applications = append(c.applications, f)
	}
	return c
}

// store puts all of it into a fresh database.
func (c *campus) store(t *testing.T, s *store.Store) {
	t.Helper()
	bulk := func(tx *store.Tx, sql string, rows iter.Seq[[]any]) {
		if err := sqltest.In(tx).Bulk(sql, rows); err != nil {
			t.Fatal(sql, err)
		}
	}
	numbers := func(n int, row func(i int64) []any) iter.Seq[[]any] {
		return func(yield func([]any) bool) {
			for i := range int64(n) {
				if !yield(row(i + 1)) {
					return
				}
			}
		}
	}
	perApplication := func(rows func(f *filed, yield func(...any))) iter.Seq[[]any] {
		return func(yield func([]any) bool) {
			for _, f := range c.applications {
				rows(f, func(row ...any) { yield(row) })
			}
		}
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		bulk(tx, `INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES ($1, 'live', FALSE, 1, $2, $2)`,
			numbers(len(c.applications)/2+1, func(i int64) []any { return []any{i, fmt.Sprint(i, "@example.org")} }))
		bulk(tx, "INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES ($1, $2, 'T', 1, '2026-01-01', '2026-01-01', '2026-01-01')",
			numbers(termCount, func(i int64) []any { return []any{i, 2024 + (i-1)/2} }))
		bulk(tx, "INSERT INTO institution (id, status, mode, name) VALUES ($1, 'Online', 'Internal', 'I')",
			numbers(institutionCount-1, func(i int64) []any { return []any{i + 1} }))
		bulk(tx, "INSERT INTO course (id, status, updated, institution_id, name) VALUES ($1, 'Online', 1, 1, 'C')",
			numbers(courseCount, func(i int64) []any { return []any{i} }))
		bulk(tx, "INSERT INTO intake (id, name, policy, academic_term_id) VALUES ($1, 'I', 'None', 1)",
			numbers(intakeCount, func(i int64) []any { return []any{i} }))
		bulk(tx, "INSERT INTO flag (id, created, name, name_key) VALUES ($1, 1, $2, $2)",
			numbers(flagCount, func(i int64) []any { return []any{i, fmt.Sprint(i)} }))
		bulk(tx, `INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted, visible)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, perApplication(func(f *filed, yield func(...any)) {
			yield(f.ID, f.Applicant, f.Term, string(f.Status), f.Created, f.Revised, f.Submitted, f.visible)
		}))
		bulk(tx, "INSERT INTO application_flag (flag_id, application_id, assigned) VALUES ($1, $2, 1)",
			perApplication(func(f *filed, yield func(...any)) {
				for _, flag := range f.flags {
					yield(flag, f.ID)
				}
			}))
		bulk(tx, `INSERT INTO application_course (application_id, course_id, intake_id, institution_id, course_type, priority, added)
			VALUES ($1, $2, $3, $4, $5, 1, 1)`, perApplication(func(f *filed, yield func(...any)) {
			for _, e := range f.courses {
				yield(f.ID, e.course, nullID(e.intake), e.institution, e.kind)
			}
		}))
		bulk(tx, `INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id, decision, confirmed,
			type_confirmed_id) VALUES ($1, $2, $3, $4, $5, 1, 1, $6, $7, $8, $9)`, perApplication(func(f *filed, yield func(...any)) {
			for _, o := range f.offers {
				confirmed, as := admitto.Time(0), int64(0)
				if o.confirmed {
					confirmed, as = intakeDay, o.kind
				}
				yield(o.id, f.ID, f.Applicant, o.course, o.institution, o.kind, o.decision, confirmed, nullID(as))
			}
		}))
		return nil
	})
	for _, step := range []func(*store.Tx) error{(*store.Tx).RecountCounters, (*store.Tx).Analyze} {
		if err == nil {
			err = s.Write(t.Context(), step)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func nullID(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

// among reports whether a list filter is met.
func among[T comparable](list []T, v T) bool { return list == nil || slices.Contains(list, v) }

// reads is what the status of an application reads as.
func (f *filed) reads(byOutcome bool) admitto.ApplicationStatus {
	final := func(o offered) bool { return o.decision == "Final" }
	open := func(o offered) bool { return !o.confirmed || o.kind != eliminates }
	switch {
	case !byOutcome:
	case f.Status == admitto.Submitted && slices.ContainsFunc(f.offers, final):
		return admitto.Accepted
	case (f.Status == admitto.Submitted || f.Status == admitto.Closed) && f.offers != nil &&
		!slices.ContainsFunc(f.offers, open):
		return admitto.Rejected
	}
	return f.Status
}

// match is what a query means.
func match(q *admitto.ApplicationQuery, f *filed) bool {
	offerFilter := q.OfferTypes != nil || q.OfferDecisions != nil || q.OfferInstitutions != nil ||
		q.OfferConfirmed != nil && *q.OfferConfirmed
	courseFilter := q.Courses != nil || q.CourseIntakes != nil || q.CourseInstitutions != nil || q.CourseTypes != nil
	isConfirmed := func(o offered) bool { return o.confirmed }
	return f.visible && f.ID >= q.FromID && (q.ToID == 0 || f.ID <= q.ToID) &&
		(q.FromTime == 0 || f.Created >= q.FromTime) && (q.ToTime == 0 || f.Created <= q.ToTime) &&
		f.Created >= q.CreatedSince && f.Revised >= q.RevisedSince && (q.SubmittedSince == 0 ||
		f.Submitted >= q.SubmittedSince) &&
		among(q.TermIDs, f.Term) && among(q.Years, f.year) && among(q.Applicants, f.Applicant) &&
		among(q.Statuses, string(f.reads(q.ByOutcome))) &&
		(q.Flags == nil || slices.ContainsFunc(f.flags, func(id int64) bool { return slices.Contains(q.Flags, id) })) &&
		(!courseFilter || slices.ContainsFunc(f.courses, func(e enrolled) bool {
			return among(q.Courses, e.course) && among(q.CourseIntakes, e.intake) &&
				among(q.CourseInstitutions, e.institution) && among(q.CourseTypes, e.kind)
		})) &&
		(!offerFilter || f.Submitted != 0 && slices.ContainsFunc(f.offers, func(o offered) bool {
			return among(q.OfferTypes, o.kind) && among(q.OfferDecisions, o.decision) &&
				among(q.OfferInstitutions, o.institution) &&
				(q.OfferConfirmed == nil || !*q.OfferConfirmed || o.confirmed)
		})) &&
		(q.OfferConfirmed == nil || *q.OfferConfirmed || !slices.ContainsFunc(f.offers, isConfirmed))
}

// drawQuery makes a query in which every filter is there one time in six.
func (c *campus) drawQuery(r *rapid.T) (q admitto.ApplicationQuery) {
	with := func(name string) bool { return rapid.IntRange(0, 5).Draw(r, "with "+name) == 0 }
	ids := func(name string, highest int64) []int64 {
		if !with(name) {
			return nil
		}
		list := []int64{}
		for i := range rapid.SampledFrom([]int{0, 1, 1, 1, 2, 2, 3, 4, 33}).Draw(r, "number of "+name) {
			if i > 4 {
				list = append(list, highest+int64(i)) // exists nowhere
			} else if id := rapid.Int64Range(1, highest+1).Draw(r, name); !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
		return list
	}
	words := func(name string, set []string) []string {
		if !with(name) {
			return nil
		}
		return rapid.SliceOfNDistinct(rapid.SampledFrom(set), 0, 2, rapid.ID[string]).Draw(r, name)
	}
	any := rapid.SampledFrom(c.applications)
	instant := func(name string, of func(*filed) admitto.Time) admitto.Time {
		if !with(name) {
			return 0
		}
		return of(any.Draw(r, name)) + admitto.Time(rapid.Int64Range(-1, 1).Draw(r, "beside"))
	}
	created := func(f *filed) admitto.Time { return f.Created }
	q.FromTime, q.ToTime, q.CreatedSince = instant("from", created), instant("to", created), instant("created", created)
	q.RevisedSince = instant("revised", func(f *filed) admitto.Time { return f.Revised })
	q.SubmittedSince = instant("submitted", func(f *filed) admitto.Time { return max(f.Submitted, 2) })
	if with("from ID") {
		q.FromID = any.Draw(r, "from ID").ID
	}
	if with("to ID") {
		q.ToID = any.Draw(r, "to ID").ID
	}
	q.TermIDs, q.Applicants, q.Flags = ids("terms", termCount), ids("applicants",
		int64(len(c.applications)/2)), ids("flags", flagCount)
	if with("years") {
		q.Years = rapid.SliceOfNDistinct(rapid.Int64Range(2023, 2027), 1, 3, rapid.ID[int64]).Draw(r, "years")
	}
	q.Courses, q.CourseIntakes, q.CourseInstitutions = ids("courses", courseCount), ids("intakes",
		intakeCount), ids("institutions", institutionCount)
	q.CourseTypes = words("course types", courseKinds)
	q.OfferTypes, q.OfferInstitutions = ids("types", 5), ids("offer institutions", institutionCount)
	q.OfferDecisions = words("decisions", []string{"None", "Final", "Declined"})
	if with("confirmed") {
		confirmed := rapid.Bool().Draw(r, "confirmed")
		q.OfferConfirmed = &confirmed
	}
	statuses := []string{"Blank", "Draft", "Submitted", "Withdrawn", "Closed", "Reopened", ""}
	if q.ByOutcome = rapid.Bool().Draw(r, "by outcome"); q.ByOutcome {
		statuses = append(statuses, "Accepted", "Rejected", "Accepted", "Rejected")
		if rapid.Bool().Draw(r, "some outcomes") {
			q.Statuses = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Submitted", "Accepted", "Rejected", "Closed"}), 1, 4,
				rapid.ID[string]).Draw(r, "outcomes")
		}
	}
	if q.Statuses == nil {
		q.Statuses = words("statuses", statuses)
	}
	if with("after") {
		q.After = any.Draw(r, "after").ID
	}
	q.Limit = rapid.SampledFrom([]int{1, 2, 5, 20, 1000, 3000}).Draw(r, "limit")
	return q
}

// Random queries find what filtering in memory finds.
func TestApplicationLists(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		c := newCampus(1500)
		c.store(t, s)
		rapid.Check(t, func(r *rapid.T) {
			q := c.drawQuery(r)
			var want []int64
			status := map[int64]admitto.ApplicationStatus{}
			count, more := int64(0), false
			for _, f := range c.applications {
				if !match(&q, f) {
					continue
				}
				count++
				if f.ID <= q.After {
					continue
				}
				if len(want) == q.Limit {
					more = true
					continue
				}
				want = append(want, f.ID)
				status[f.ID] = f.reads(q.ByOutcome)
			}
			var got, paged []int64
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				n, err := tx.CountApplications(q)
				if err != nil || n != count {
					r.Errorf("counted %d, want %d: %v", n, count, err)
				}
				left, err := tx.EachApplication(q, func(a *admitto.Application) error {
					if got = append(got, a.ID); a.Status != status[a.ID] {
						r.Errorf("%d reads %s, want %s", a.ID, a.Status, status[a.ID])
					}
					return nil
				})
				if err != nil || left != more || !slices.Equal(got, want) {
					r.Errorf("got %v, more %v, %v\nwant %v, %v", got, left, err, want, more)
				}
				left, err = tx.ApplicationPages(q, func(page []admitto.Application) error {
					for _, a := range page {
						paged = append(paged, a.ID)
					}
					return nil
				})
				if err != nil || left != more || !slices.Equal(paged, want) {
					r.Errorf("pages: got %v, more %v, %v\nwant %v, %v", paged, left, err, want, more)
				}
				return nil
			})
			if err != nil {
				r.Fatal(err)
			}
		})
	})
}

// onEach runs a test on a seeded store of each engine.
func onEach(t *testing.T, test func(t *testing.T, s *store.Store)) {
	seeded.Each(t, opened(test))
}

// onSQLite is onEach for one engine, in the short size of what loads many rows.
func onSQLite(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Run("sqlite", func(t *testing.T) { opened(test)(t, seeded.File(t), db.Options{CheckLocks: true}) })
}

// opened makes a test of a store one of a database.
func opened(test func(t *testing.T, s *store.Store)) func(t *testing.T, url string, o db.Options) {
	return func(t *testing.T, url string, o db.Options) {
		s, err := store.Open(t.Context(), url, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		test(t, s)
	}
}
