package store_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"pgregory.net/rapid"
)

// plainTask is a task as a scan of all tables finds it.
type plainTask struct {
	id, term, template, course int64
	status, deadline           string
	committed, resolved        bool
	courses                    []int64 // of the application
}

// newTasks gives the tasks of a crowd deadlines, courses and what was done, and returns those that lists show.
func newTasks(t *testing.T, s *store.Store) (list []plainTask) {
	t.Helper()
	newCrowd(t, s, 400)
	rnd := rand.New(rand.NewPCG(7, 8))
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		sql := sqltest.In(tx)
		var ids []int64
		r := sql.Query("SELECT id FROM task ORDER BY id")
		for r.Next() {
			ids = append(ids, r.Int64(0))
		}
		if err := r.Close(); err != nil {
			return err
		}
		for _, id := range ids {
			deadline, course, committed := admitto.Date{}, int64(0), admitto.Time(0)
			if rnd.IntN(4) > 0 {
				deadline = admitto.Date{Year: 2027, Month: 5, Day: uint8(1 + rnd.IntN(9))}
			}
			if rnd.IntN(5) == 0 {
				course = 1 + rnd.Int64N(4)
			}
			if rnd.IntN(2) == 0 {
				committed = 5
			}
			if _, err := sql.Exec("UPDATE task SET deadline = $2, course_id = $3, committed = $4 WHERE id = $1", id, deadline,
				nullID(course),
				committed); err != nil {
				return err
			}
		}
		return tx.RecountCounters()
	})
	if err == nil {
		err = s.Write(t.Context(), (*store.Tx).Analyze)
	}
	if err != nil {
		t.Fatal(err)
	}
	return scannedTasks(t, s)
}

// scannedTasks are the tasks that lists show, by ID.
func scannedTasks(t *testing.T, s *store.Store) (list []plainTask) {
	t.Helper()
	err := s.Read(t.Context(), func(tx *store.Tx) error {
		sql := sqltest.In(tx)
		courses := map[int64][]int64{}
		r := sql.Query("SELECT application_id, course_id FROM application_course")
		for r.Next() {
			courses[r.Int64(0)] = append(courses[r.Int64(0)], r.Int64(1))
		}
		if err := r.Close(); err != nil {
			return err
		}
		r = sql.Query(`SELECT k.id, a.academic_term_id, k.template_id, coalesce(k.course_id, 0), k.status, coalesce(k.deadline, ''),
			CASE WHEN k.committed IS NULL THEN 0 ELSE 1 END, CASE WHEN k.resolved IS NULL THEN 0 ELSE 1 END, a.id FROM task k
			JOIN application a ON a.id = k.application_id WHERE a.visible AND k.trashed IS NULL ORDER BY k.id`)
		for r.Next() {
			list = append(list, plainTask{id: r.Int64(0), term: r.Int64(1), template: r.Int64(2), course: r.Int64(3),
				status:   r.Text(4),
				deadline: r.Text(5), committed: r.Int64(6) == 1, resolved: r.Int64(7) == 1, courses: courses[r.Int64(8)]})
		}
		return r.Close()
	})
	if err != nil || len(list) < 50 {
		t.Fatal(len(list), err)
	}
	return list
}

// matches reports whether a query finds the task.
func (k *plainTask) matches(q *admitto.TaskQuery) bool {
	ofCourse := func(course int64) bool {
		return slices.Contains(k.courses, course) && (k.course == 0 || k.course == course)
	}
	due := func(d admitto.Date) string { return d.String() }
	return (q.TermIDs == nil || slices.Contains(q.TermIDs, k.term)) &&
		(q.Templates == nil || slices.Contains(q.Templates, k.template)) &&
		(q.Statuses == nil || slices.Contains(q.Statuses, k.status)) && (q.HandedIn == nil || *q.HandedIn == k.committed) &&
		(q.Resolved == nil || *q.Resolved == k.resolved) && (q.Courses == nil || slices.ContainsFunc(q.Courses, ofCourse)) &&
		(q.DeadlineFrom.IsZero() || k.deadline != "" && k.deadline >= due(q.DeadlineFrom)) &&
		(q.DeadlineTo.IsZero() || k.deadline != "" && k.deadline <= due(q.DeadlineTo)) &&
		(!q.Overdue || k.deadline != "" && k.deadline < due(q.Today) && !k.resolved)
}

func drawnTaskQuery(r *rapid.T) (q admitto.TaskQuery) {
	ids := func(name string, most int64) []int64 {
		if rapid.Bool().Draw(r, name+" asked") {
			return nil
		}
		return rapid.SliceOfNDistinct(rapid.Int64Range(1, most), 1, 3, rapid.ID[int64]).Draw(r, name)
	}
	truth := func(name string) *bool {
		if rapid.IntRange(0, 2).Draw(r, name+" asked") > 0 {
			return nil
		}
		yes := rapid.Bool().Draw(r, name)
		return &yes
	}
	day := func(name string) admitto.Date {
		if rapid.IntRange(0, 2).Draw(r, name+" asked") > 0 {
			return admitto.Date{}
		}
		return admitto.Date{Year: 2027, Month: 5, Day: uint8(rapid.IntRange(1, 10).Draw(r, name))}
	}
	q = admitto.TaskQuery{TermIDs: ids("terms", termCount), Templates: ids("templates", 3), Courses: ids("courses", 6),
		DeadlineFrom: day("from"), DeadlineTo: day("to"), HandedIn: truth("handed in"), Resolved: truth("resolved"),
		Overdue: rapid.IntRange(0, 3).Draw(r, "overdue") == 0, Today: admitto.Date{Year: 2027, Month: 5, Day: 5}}
	if rapid.Bool().Draw(r, "by status") {
		q.Statuses = rapid.SliceOfNDistinct(rapid.SampledFrom(append(slices.Clone(taskWords), "Lost")), 1, 3,
			rapid.ID[string]).Draw(r, "statuses")
	}
	return q
}

// A list of tasks has what a scan of all tables finds, in its order, however it is read, and so has its count.
func TestTaskLists(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		all := newTasks(t, s)
		for _, narrow := range []int64{0, 30, 20_000} {
			undo := store.SetNarrowest(narrow)
			rapid.Check(t, func(r *rapid.T) {
				q := drawnTaskQuery(r)
				var want []int64
				found := slices.Clone(all)
				found = slices.DeleteFunc(found, func(k plainTask) bool { return !k.matches(&q) })
				var ascending []int64
				for i := range found {
					ascending = append(ascending, found[i].id)
				}
				page := admitto.BrowsePage{Rows: rapid.SampledFrom([]int{7, 1000}).Draw(r, "rows"),
					Descending: rapid.Bool().Draw(r, "descending"),
					Skip:       rapid.SampledFrom([]int64{0, 7, 14}).Draw(r, "skip")}
				due := func(k plainTask) string { return cmp.Or(k.deadline, "9999-12-31") }
				order := func(a, b plainTask) int {
					n := cmp.Or(cmp.Compare(due(a), due(b)), cmp.Compare(a.id, b.id))
					if page.Descending {
						return -n
					}
					return n
				}
				slices.SortFunc(found, order)
				pivot, before, after := rapid.SampledFrom(all).Draw(r, "pivot"), int64(0), int64(0)
				for i := range found {
					switch n := order(found[i], pivot); {
					case n < 0:
						before = found[i].id
					case n > 0 && after == 0:
						after = found[i].id
					}
				}
				for i := range found[min(len(found), int(page.Skip)):] {
					if k := found[int(page.Skip)+i]; i < page.Rows {
						want = append(want, k.id)
					}
				}
				err := s.Read(t.Context(), func(tx *store.Tx) error {
					got, err := tx.ListTasks(q, page)
					if err != nil {
						return err
					}
					shown := page.Skip + int64(len(want))
					if !slices.Equal(got.IDs, want) || got.More != (int64(len(found)) > shown) || len(want) > 0 &&
						got.Total.N != int64(len(found)) {
						return fmt.Errorf("found %v of %+v, more %t, want %v of %d", got.IDs, got.Total, got.More, want, len(found))
					}
					previous, next, err := tx.TaskNeighbours(q, page.Descending, pivot.id)
					if err != nil || previous != before || next != after {
						return fmt.Errorf("%d stands between %d and %d, want %d and %d: %w", pivot.id, previous, next, before, after, err)
					}
					total, err := tx.CountListedTasks(q)
					if err != nil || total.N != int64(len(found)) || total.More {
						return fmt.Errorf("counted %+v, want %d: %w", total, len(found), err)
					}
					for after, more := int64(0), true; more; {
						var ids []int64
						if ids, more, err = tx.SelectTasks(q, after, 9); err != nil || len(ids) > len(ascending) ||
							!slices.Equal(ids, ascending[:len(ids)]) ||
							more != (len(ids) < len(ascending)) {
							return fmt.Errorf("selected %v after %d, want %v: %w", ids, after, ascending, err)
						}
						if ascending = ascending[len(ids):]; more {
							after = ids[len(ids)-1]
						}
					}
					return nil
				})
				if err != nil {
					r.Fatalf("%+v\n%v", q, err)
				}
			})
			undo()
		}
	})
}

// What is kept of each cell is what a scan counts, and what the list of the cell has, whatever happens to tasks and to
// the applications that they belong to.
func TestTaskCells(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		defer store.KeepNarrowest()()
		all := newTasks(t, s)
		same := func(step string) {
			t.Helper()
			counted := map[string]int64{}
			for _, k := range scannedTasks(t, s) {
				counted[fmt.Sprint(k.term, k.template, k.committed, k.resolved, k.status)]++
			}
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				cells, err := tx.TaskCells(0)
				if len(cells) != len(counted) {
					t.Errorf("%s: %d cells, a scan finds %d", step, len(cells), len(counted))
				}
				for _, c := range cells {
					key := fmt.Sprint(c.Term, c.Template, c.HandedIn, c.Resolved, c.Status)
					list, err := tx.ListTasks(admitto.TaskQuery{TermIDs: []int64{c.Term}, Templates: []int64{c.Template},
						Statuses: []string{c.Status},
						HandedIn: &c.HandedIn, Resolved: &c.Resolved}, admitto.BrowsePage{Rows: 1})
					if c.N != counted[key] || list.Total.N != c.N || err != nil {
						t.Errorf("%s: %s has %d tasks, the list %d, a scan %d: %v", step, key, c.N, list.Total.N, counted[key], err)
					}
				}
				if err == nil {
					err = tx.VerifyCounters()
				}
				return err
			})
			if err != nil {
				t.Errorf("%s: %v", step, err)
			}
		}
		change := func(step string, fn func(tx *store.Tx) error) {
			t.Helper()
			if err := s.Write(t.Context(), fn); err != nil {
				t.Fatal(step, err)
			}
			same(step)
		}
		same("as it was")
		of := func(tx *store.Tx, id int64) (k admitto.TaskCase, err error) {
			r := sqltest.In(tx).Query("SELECT application_id FROM task WHERE id = $1", id)
			for r.Next() {
				k.Application = r.Int64(0)
			}
			if err = r.Close(); err == nil {
				k, err = tx.TaskCase(k.Application, id)
			}
			return k, err
		}
		first, second := all[0].id, all[len(all)/2].id
		for _, step := range []struct {
			name string
			set  func(k *admitto.TaskCase)
		}{
			{"status", func(k *admitto.TaskCase) { k.Status = "a: new one" }},
			{"handed in", func(k *admitto.TaskCase) { k.Committed = 7 }},
			{"resolved", func(k *admitto.TaskCase) { k.Resolved = 7 }},
			{"trashed", func(k *admitto.TaskCase) { k.Trashed = 7 }},
			{"restored", func(k *admitto.TaskCase) { k.Trashed = 0 }},
		} {
			change(step.name, func(tx *store.Tx) error {
				for _, id := range []int64{first, second, second} { // changed twice, it is counted once
					k, err := of(tx, id)
					if err != nil {
						return err
					}
					if step.set(&k); k.ID == second {
						k.Resolved = 9
					}
					if err := tx.SaveTask(&k); err != nil {
						return err
					}
				}
				return nil
			})
		}
		change("new and gone", func(tx *store.Tx) error {
			k, err := of(tx, first)
			if err != nil {
				return err
			}
			k.Trashed, k.Resolved = 0, 0
			for range 3 {
				if k.ID, err = tx.InsertTask(&k); err != nil {
					return err
				}
			}
			if err := tx.DeleteTask(k.ID); err != nil {
				return err
			}
			return tx.DeleteTask(second)
		})
		var person admitto.Applicant
		change("hidden", func(tx *store.Tx) error {
			k, err := of(tx, first)
			if err != nil {
				return err
			}
			r := sqltest.In(tx).Query("SELECT applicant_id FROM application WHERE id = $1", k.Application)
			for r.Next() {
				person.ID = r.Int64(0)
			}
			if err := r.Close(); err != nil {
				return err
			}
			if person, err = tx.LockApplicant(person.ID); err != nil {
				return err
			}
			return tx.HideApplicant(&person, 0)
		})
		if found := scannedTasks(t, s); slices.ContainsFunc(found, func(k plainTask) bool { return k.id == first }) {
			t.Error("the task of a hidden applicant is there")
		}
		change("shown", func(tx *store.Tx) error {
			return tx.ShowApplicant(&store.Deleted{Applicant: person, StateBefore: person.State}, person.Email, person.Email,
				person.Reference)
		})
	})
}

// A list of tasks and the counts of the matrix read kept counts and a part of an index, whatever the size of the
// tables.
func TestTaskPlans(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		defer store.KeepNarrowest()()
		newTasks(t, s)
		yes := true
		page := admitto.BrowsePage{Rows: 5}
		scan := regexp.MustCompile(`(?m)(^SCAN (t|c|tally|task|application|a)\b(?:.*USING (?:COVERING )?INDEX task_due)?|Seq Scan on (task|application|tally|application_course)\b)`)
		for name, q := range map[string]admitto.TaskQuery{
			"all": {}, "term": {TermIDs: []int64{1}}, "class": {Templates: []int64{1}}, "status": {Statuses: []string{"Open"}},
			"cell":     {TermIDs: []int64{1}, Templates: []int64{1}, Statuses: []string{"Open"}},
			"deadline": {TermIDs: []int64{1}, DeadlineTo: admitto.Date{Year: 2027, Month: 5, Day: 3}},
			"overdue":  {Overdue: true, Today: admitto.Date{Year: 2027, Month: 5, Day: 3}},
			"course":   {Courses: []int64{3}}, "courses": {TermIDs: []int64{1}, Courses: []int64{3, 4}},
			"handed in": {HandedIn: &yes}, "three": {TermIDs: []int64{1}, Courses: []int64{3}, HandedIn: &yes},
		} {
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				if s.Shared() {
					// A planner that knows tables to be small reads them as a whole.
					if err := sqltest.In(tx).Script("SET LOCAL enable_seqscan = off"); err != nil {
						return err
					}
				}
				plans, err := tx.Plans(func() error {
					if _, err := tx.TaskCells(1); err != nil {
						return err
					}
					found, err := tx.ListTasks(q, page)
					if err != nil {
						return err
					}
					if _, err = tx.ListedTasks(found.IDs); err == nil && len(found.IDs) > 0 {
						_, _, err = tx.TaskNeighbours(q, false, found.IDs[0])
					}
					return err
				})
				for _, p := range plans {
					if strings.Contains(p.SQL, "FROM academic_term") {
						continue // there are few terms
					}
					for _, step := range scan.FindAllString(p.Steps, -1) {
						if !regexp.MustCompile(`INDEX task_due`).MatchString(step) {
							t.Errorf("%s: %s\n%s", name, p.SQL, p.Steps)
						}
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(name, err)
			}
		}
	})
}
