package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// countedBase is what the applications, scores and invoices of these tests hang on.
const countedBase = `INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (1, 2026, 'A', 1, '', '', ''),
		(2, 2026, 'B', 1, '', '', ''), (3, 2027, 'C', 1, '', '', '');
	INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale) VALUES (1, 1, 'A', 'x', 'Application', 0, 10, 0),
		(2, 1, 'B', 'x', 'Application', 0, 10, 0);
	INSERT INTO invoice_series (id, name, format) VALUES (1, 'A', '%inc%')`

var countedStatuses = []admitto.ApplicationStatus{admitto.Blank, admitto.Draft, admitto.Submitted, admitto.Inactive,
	admitto.Closed}

// folder is what one writer works on; nobody else does.
type folder struct {
	people, hidden, invoices []int64
	applications             []int64 // of people
	applicant                map[int64]int64
	scored                   map[[2]int64]bool
}

func (f *folder) clone() *folder {
	c := &folder{slices.Clone(f.people), slices.Clone(f.hidden), slices.Clone(f.invoices), slices.Clone(f.applications),
		map[int64]int64{}, map[[2]int64]bool{}}
	for id, applicant := range f.applicant {
		c.applicant[id] = applicant
	}
	for key := range f.scored {
		c.scored[key] = true
	}
	return c
}

// testCountsConcurrently lets eight writers change applications, scores and invoices, each its own.
func testCountsConcurrently(t *testing.T, e *env) {
	e.migrate(t)
	e.write(t, func(tx *store.Tx) error { return sqltest.In(tx).Script(countedBase) })
	const writers = 8
	together(t, writers, func(w int) error {
		rnd := rand.New(rand.NewPCG(uint64(w), 3))
		before := &folder{applicant: map[int64]int64{}, scored: map[[2]int64]bool{}}
		for step := range e.size.Steps {
			seed := rnd.Uint64()
			var after *folder
			err := e.Write(e.ctx, func(tx *store.Tx) error {
				after = before.clone() // the transaction may run again
				rnd := rand.New(rand.NewPCG(seed, 4))
				for n, action := range drawActions(rnd) {
					if err := after.change(tx, rnd, action, w*e.size.Steps*3+step*3+n); err != nil {
						return err
					}
				}
				if rnd.IntN(10) == 0 {
					return errRollback
				}
				return nil
			})
			switch {
			case err == nil:
				before = after
			case !errors.Is(err, errRollback):
				return fmt.Errorf("writer %d, step %d: %w", w, step, err)
			}
		}
		return nil
	})
	e.verifyCounters(t)
	e.read(t, func(tx *store.Tx) error { return countsAreTrue(t, tx, 0, 0) })
}

// drawActions draws what one transaction does, in the order of the locks that change takes: applicants first, one at
// most, then the series of invoices, then the order of commits.
func drawActions(rnd *rand.Rand) []int {
	actions := make([]int, 1+rnd.IntN(3))
	for i := range actions {
		actions[i] = rnd.IntN(20)
		if i > 0 && actions[i] >= 15 {
			actions[i] -= 5
		}
	}
	slices.SortFunc(actions, func(a, b int) int { return b - a })
	return actions
}

// change does one thing: what is drawn, or nothing if there is nothing to do it to.
func (f *folder) change(tx *store.Tx, rnd *rand.Rand, action, n int) error {
	pick := func(from []int64) (int, int64) {
		i := rnd.IntN(len(from))
		return i, from[i]
	}
	status := countedStatuses[rnd.IntN(len(countedStatuses))]
	switch {
	case action < 6 || action < 13 && len(f.applications) == 0:
		applicant, err := insert(tx, n, admitto.ApplicantLive)
		for term := range rnd.Int64N(4) {
			if err == nil {
				var id int64
				id, err = tx.InsertApplication(&admitto.Application{Applicant: applicant, Term: term + 1, Status: status,
					Created: epoch, Revised: epoch})
				f.applications, f.applicant[id] = append(f.applications, id), applicant
			}
		}
		f.people = append(f.people, applicant)
		return err
	case action < 8:
		_, id := pick(f.applications)
		return tx.SaveApplication(&admitto.ApplicationCase{Application: admitto.Application{ID: id, Status: status}})
	case action < 9:
		_, id := pick(f.applications)
		return tx.ContentRevised(id, status)
	case action < 10:
		_, id := pick(f.applications)
		return tx.SetInactive(id)
	case action < 13:
		_, id := pick(f.applications)
		key := [2]int64{id, 1 + rnd.Int64N(2)}
		if f.scored[key] {
			return nil
		}
		f.scored[key] = true
		_, err := tx.InsertScore(&admitto.Score{Scoresheet: key[1], Application: id})
		return err
	case action < 15:
		return f.bill(tx, rnd)
	case action < 18 && len(f.people) == 0:
		return nil
	case action < 18:
		i, applicant := pick(f.people)
		f.people, f.hidden = slices.Delete(f.people, i, i+1), append(f.hidden, applicant)
		f.applications = slices.DeleteFunc(f.applications, func(id int64) bool { return f.applicant[id] == applicant })
		a, err := tx.LockApplicant(applicant)
		if err == nil {
			err = tx.HideApplicant(&a, 0)
		}
		return err
	case len(f.hidden) == 0:
		return nil
	}
	i, applicant := pick(f.hidden)
	f.hidden = slices.Delete(f.hidden, i, i+1)
	if rnd.IntN(2) == 0 {
		return tx.EraseApplicant(applicant)
	}
	return f.show(tx, applicant)
}

// show takes an applicant out of the recovery list.
func (f *folder) show(tx *store.Tx, applicant int64) error {
	d, err := tx.LockDeleted(applicant)
	if err == nil {
		err = tx.ShowApplicant(&d, d.Email, d.Email, "")
	}
	f.people = append(f.people, applicant)
	for id, owner := range f.applicant {
		if owner == applicant {
			f.applications = append(f.applications, id)
		}
	}
	slices.Sort(f.applications) // the next choice does not depend on the order of the map
	return err
}

// bill issues an invoice, or deletes one.
func (f *folder) bill(tx *store.Tx, rnd *rand.Rand) error {
	if len(f.invoices) > 0 && rnd.IntN(3) == 0 {
		i := rnd.IntN(len(f.invoices))
		id := f.invoices[i]
		f.invoices = slices.Delete(f.invoices, i, i+1)
		return tx.DeleteInvoice(id)
	}
	if _, err := tx.LockSeries(1); err != nil {
		return err
	}
	if err := tx.LockOrder(); err != nil {
		return err
	}
	id, err := tx.InsertInvoice(&admitto.Invoice{Type: "Invoice", Number: "1", Series: admitto.Series{ID: 1},
		Issued:   epoch,
		Deadline: admitto.DateOf(epoch.Std()), Currency: "EUR", Items: []admitto.InvoiceItem{{Item: "x", Price: 100,
			Qty: 100}}, Total: 100})
	f.invoices = append(f.invoices, id)
	return err
}

// countsAreTrue compares the counts of lists between two IDs (0: no bound) with counting the rows.
func countsAreTrue(t *testing.T, tx *store.Tx, from, to int64) error {
	type counted struct {
		name  string
		count func() (int64, error)
		sql   string
	}
	list := []counted{
		{"applications", func() (int64, error) {
			return tx.CountApplications(admitto.ApplicationQuery{FromID: from,
				ToID: to})
		},
			"FROM application a WHERE a.visible"},
		{"applications of two terms", func() (int64, error) {
			return tx.CountApplications(admitto.ApplicationQuery{FromID: from, ToID: to, TermIDs: []int64{3, 1, 77}})
		}, "FROM application a WHERE a.visible AND a.academic_term_id IN (1, 3)"},
		{"applications of a year", func() (int64, error) {
			return tx.CountApplications(admitto.ApplicationQuery{FromID: from, ToID: to, Years: []int64{2026}})
		}, "FROM application a WHERE a.visible AND a.academic_term_id IN (1, 2)"},
		{"applications of two statuses", func() (int64, error) {
			return tx.CountApplications(admitto.ApplicationQuery{FromID: from, ToID: to,
				Statuses: []string{"Draft", "Submitted", "Unheard"}})
		}, "FROM application a WHERE a.visible AND a.status IN ('Draft', 'Submitted')"},
		{"applications of a term and a status", func() (int64, error) {
			return tx.CountApplications(admitto.ApplicationQuery{FromID: from, ToID: to, TermIDs: []int64{2},
				Statuses: []string{"Draft"}})
		}, "FROM application a WHERE a.visible AND a.academic_term_id = 2 AND a.status = 'Draft'"},
		{"scores of a sheet", func() (int64, error) {
			return tx.CountScores(admitto.ScoreQuery{Scoresheet: 2, FromID: from, ToID: to})
		},
			"FROM score a JOIN application p ON p.id = a.application_id WHERE p.visible AND a.scoresheet_id = 2"},
		{"invoices", func() (int64, error) { return tx.CountInvoices(admitto.InvoiceQuery{FromID: from, ToID: to}) },
			"FROM invoice a WHERE TRUE"},
	}
	for _, c := range list {
		got, err := c.count()
		if err != nil {
			return err
		}
		want, err := number(tx, "SELECT count(*) "+c.sql+" AND a.id >= $1 AND a.id <= $2", from, cmp.Or(to, 1<<62))
		if err != nil {
			return err
		}
		if got != want {
			t.Errorf("%s from %d to %d: %d, there are %d", c.name, from, to, got, want)
		}
		if from == 0 && to == 0 && want == 0 {
			t.Errorf("there are no %s", c.name)
		}
	}
	return nil
}

// testCountsInRanges counts between IDs that lie in the middle of blocks and at their ends.
func testCountsInRanges(t *testing.T, e *env) {
	e.migrate(t)
	e.write(t, func(tx *store.Tx) error { return sqltest.In(tx).Script(countedBase) })
	rnd := rand.New(rand.NewPCG(5, 5))
	var people []load.ApplicantRow
	var applications []admitto.Application
	var scores []admitto.Score
	var invoices []admitto.Invoice
	const last = 40_000
	for id := int64(1); id < last; id += 1 + rnd.Int64N(30) {
		a, key := person(int(id))
		a.ID = id
		people = append(people, load.ApplicantRow{Applicant: *a, EmailKey: key})
		applications = append(applications, admitto.Application{ID: id, Applicant: id, Term: 1 + rnd.Int64N(3),
			Created: epoch, Revised: epoch,
			Status: countedStatuses[rnd.IntN(len(countedStatuses))]})
		scores = append(scores, admitto.Score{ID: last - id, Scoresheet: 1 + rnd.Int64N(2), Application: id})
		invoices = append(invoices, admitto.Invoice{ID: id, Series: admitto.Series{ID: 1}, Issued: epoch,
			Deadline: admitto.DateOf(epoch.Std())})
	}
	e.write(t, func(tx *store.Tx) error {
		return errors.Join(load.Applicants(tx, people), load.Applications(tx, applications), load.Scores(tx, scores),
			load.Invoices(tx, invoices))
	})
	e.write(t, func(tx *store.Tx) error {
		for i := 3; i < len(people); i += 9 {
			if err := tx.HideApplicant(&people[i].Applicant, 0); err != nil {
				return err
			}
		}
		return nil
	})
	e.verifyCounters(t)
	e.read(t, func(tx *store.Tx) error {
		ends := []int64{0, 1, 2, 1022, 1023, 1024, 1025, 2047, 2048, 20_479, 20_480, last - 1, last, 1<<63 - 1}
		for range 20 {
			ends = append(ends, rnd.Int64N(last))
		}
		for range 5 * e.size.Steps / 2 {
			if err := countsAreTrue(t, tx, ends[rnd.IntN(len(ends))], ends[rnd.IntN(len(ends))]); err != nil {
				return err
			}
		}
		return countsAreTrue(t, tx, 0, 0)
	})
	// What Recount makes of nothing, and of what is wrong, is true.
	for _, spoil := range []string{"DELETE FROM tally", "UPDATE tally SET n = n + 1",
		"UPDATE tally SET low = low + 1 WHERE family = 'score'"} {
		e.trial(t, func(tx *store.Tx) error {
			if err := sqltest.In(tx).Script(spoil); err != nil {
				return err
			}
			if err := tx.VerifyCounters(); err == nil {
				t.Errorf("%s is not seen", spoil)
			}
			if err := tx.RecountCounters(); err != nil {
				return err
			}
			return tx.VerifyCounters()
		})
	}
}
