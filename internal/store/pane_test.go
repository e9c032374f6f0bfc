package store_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// The counts of the filter pane, and a list of terms and a status, read counters and the rows of one page, whatever the
// size of the tables.
func TestPanePlans(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		defer store.KeepNarrowest()()
		newCrowd(t, s, 400)
		today := admitto.Date{Year: 2026, Month: 6, Day: 1}
		page := admitto.BrowsePage{Rows: 50}
		scan := regexp.MustCompile(`(?m)(^SCAN (a|x|o|tally|application|offer|applicant|h|s)\b|Seq Scan on (application|offer|tally|applicant|applicant_search)\b)`)
		for name, run := range map[string]func(*store.Tx) error{
			"statuses": func(tx *store.Tx) error { _, err := tx.StatusCounts(1); return err },
			"all":      func(tx *store.Tx) error { _, err := tx.StatusCounts(0); return err },
			"expired":  func(tx *store.Tx) error { _, err := tx.ExpiredCount(0, today, tx.Now()); return err },
			"frozen":   func(tx *store.Tx) error { _, err := tx.FrozenCount(1); return err },
			"offers":   func(tx *store.Tx) error { _, err := tx.OfferCounts(1); return err },
			"list of a status": func(tx *store.Tx) error {
				q := admitto.ApplicationQuery{Statuses: []string{"Draft"}}
				_, err := tx.BrowseApplications(admitto.Browse{ApplicationQuery: q, Page: page}, true)
				return err
			},
			"list of a term and a status": func(tx *store.Tx) error {
				q := admitto.ApplicationQuery{TermIDs: []int64{1}, Statuses: []string{"Draft"}}
				_, err := tx.BrowseApplications(admitto.Browse{ApplicationQuery: q, Page: page}, true)
				return err
			},
			// SQLite believed the index of officers to be empty and walked it for each row.
			"list of an officer and a course": func(tx *store.Tx) error {
				q := admitto.ApplicationQuery{Courses: []int64{1}, BrowseFilter: admitto.BrowseFilter{Officers: []int64{1}}}
				_, err := tx.BrowseApplications(admitto.Browse{ApplicationQuery: q, Page: page}, true)
				return err
			},
			"search": func(tx *store.Tx) error { _, err := tx.FindApplicants([]string{"an", "be"}, 11); return err },
		} {
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				if s.Shared() {
					// A planner that knows tables to be small reads them as a whole.
					if err := sqltest.In(tx).Script("SET LOCAL enable_seqscan = off"); err != nil {
						return err
					}
				}
				plans, err := tx.Plans(func() error { return run(tx) })
				for _, p := range plans {
					if scan.MatchString(p.Steps) {
						t.Errorf("%s: %s\n%s", name, p.SQL, p.Steps)
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

// Indexing everybody at once writes the same as indexing those that are due.
func TestIndexEverybody(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		newCrowd(t, s, 400)
		all := func() (rows []string) {
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				for _, sql := range []string{`SELECT applicant_id, name_key, person_key, phone_key, email_key, CASE WHEN twin THEN 'twin' ELSE '' END
					FROM applicant_search ORDER BY applicant_id`, "SELECT applicant_id, word, '', '', '', '' FROM applicant_word ORDER BY applicant_id, word",
					"SELECT applicant_id, 'due', '', '', '', '' FROM search_due"} {
					r := sqltest.In(tx).Query(sql)
					for r.Next() {
						rows = append(rows, fmt.Sprint(r.Int64(0), r.Text(1), "|", r.Text(2), "|", r.Text(3), "|", r.Text(4), "|",
							r.Text(5)))
					}
					if err := r.Close(); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil || len(rows) == 0 {
				t.Fatal(err)
			}
			return rows
		}
		before := all()
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			return sqltest.In(tx).Script(`DELETE FROM applicant_word; INSERT INTO search_due (applicant_id) VALUES (1);
				UPDATE applicant_search SET name_key = '', person_key = '', phone_key = '', email_key = '', twin = FALSE`)
		})
		if err == nil {
			err = s.IndexEverybody(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if after := all(); !reflect.DeepEqual(before, after) {
			t.Errorf("%d rows were written one by one, %d at once:\n%.2000s\n%.2000s", len(before), len(after),
				fmt.Sprint(before), fmt.Sprint(after))
		}
	})
}

// When an applicant gets or loses a telephone number, those who share one are marked, few or many.
func TestTwinsFollowTheirKeys(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		newCrowd(t, s, 30)
		rnd := rand.New(rand.NewPCG(7, 9))
		for round := range apptest.Size(30, 200) {
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				for range 1 + rnd.IntN(3) {
					phone := fmt.Sprint("+372 555 000", rnd.IntN(4))
					if rnd.IntN(4) == 0 {
						phone = ""
					}
					if _, err := sqltest.In(tx).Exec("UPDATE applicant SET phone = $2, state = $3 WHERE id = $1", 1+rnd.Int64N(30),
						phone, []string{"live", "live", "blocked", "pending"}[rnd.IntN(4)]); err != nil {
						return err
					}
				}
				return nil
			})
			if err == nil {
				err = s.IndexApplicants(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			err = s.Read(t.Context(), func(tx *store.Tx) error {
				rows := sqltest.In(tx).Query(`SELECT s.applicant_id, s.twin FROM applicant_search s JOIN applicant a ON a.id = s.applicant_id
					WHERE s.twin <> (a.visible AND EXISTS (SELECT 1 FROM applicant_search o JOIN applicant b ON b.id = o.applicant_id
					WHERE b.visible AND b.id <> a.id AND (o.phone_key = s.phone_key AND o.phone_key <> ''
					OR o.person_key = s.person_key AND o.person_key <> '')))`)
				for rows.Next() {
					t.Errorf("round %d: applicant %d is marked %v", round, rows.Int64(0), rows.Bool(1))
				}
				return rows.Close()
			})
			if err != nil {
				t.Fatal(err)
			}
			if t.Failed() {
				return
			}
		}
	})
}

// Applicants who are erased while they are indexed do not stop the others from being indexed.
func TestIndexWhileOthersErase(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		newCrowd(t, s, 400)
		script := func(sql string) error {
			return s.Write(t.Context(), func(tx *store.Tx) error { return sqltest.In(tx).Script(sql) })
		}
		if err := script("DELETE FROM applicant_word; INSERT INTO search_due (applicant_id) SELECT id FROM applicant"); err != nil {
			t.Fatal(err)
		}
		var erased sync.WaitGroup
		erased.Go(func() {
			for n := range 100 {
				if err := script(fmt.Sprintf("DELETE FROM applicant WHERE id = %d", n*4+1)); err != nil {
					t.Error(err)
				}
			}
		})
		if err := s.IndexApplicants(t.Context()); err != nil {
			t.Error(err)
		}
		erased.Wait()
	})
}
