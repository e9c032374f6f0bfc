package store_test

import (
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// The counts of the filter pane are those of the lists with the term and that one filter.
func TestPaneCounts(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		newCrowd(t, s, 400)
		err := s.Read(t.Context(), func(tx *store.Tx) error {
			for term := int64(0); term <= termCount; term++ {
				same := func(what string, n int64, filter func(q *admitto.ApplicationQuery)) {
					q := admitto.Browse{Page: admitto.BrowsePage{Rows: 1}}
					if term != 0 {
						q.TermIDs = []int64{term}
					}
					filter(&q.ApplicationQuery)
					list, err := tx.BrowseApplications(q, true)
					exact, err2 := tx.CountExactly(q.ApplicationQuery)
					if err != nil || err2 != nil || list.Total.N != n || exact != n {
						t.Errorf("term %d, %s: %d, the list has %d, counted %d: %v %v", term, what, n, list.Total.N, exact, err, err2)
					}
				}
				statuses, err := tx.StatusCounts(term)
				if err != nil {
					return err
				}
				for _, status := range admitto.ApplicationStatuses() {
					same(string(status), statuses[status], func(q *admitto.ApplicationQuery) { q.Statuses = []string{string(status)} })
				}
				yes, today := true, admitto.Date{Year: 2026, Month: 6, Day: 1}
				expired, err := tx.ExpiredCount(term, today, tx.Now())
				if err != nil {
					return err
				}
				same("expired", expired, func(q *admitto.ApplicationQuery) { q.Expired, q.Today, q.Now = &yes, today, tx.Now() })
				frozen, err := tx.FrozenCount(term)
				if err != nil {
					return err
				}
				same("frozen", frozen, func(q *admitto.ApplicationQuery) { q.Frozen = &yes })
				offers, err := tx.OfferCounts(term)
				if err != nil || len(offers) == 0 {
					t.Errorf("no offers: %v", err)
				}
				for _, o := range offers {
					yes, no := true, false
					one := []int64{o.Type}
					same("unconfirmed", o.Unconfirmed, func(q *admitto.ApplicationQuery) {
						q.OfferTypes, q.OfferAsConfirmed = one,
							&no
					})
					same("confirmed", o.Confirmed, func(q *admitto.ApplicationQuery) { q.OfferTypes, q.OfferAsConfirmed = one, &yes })
					same("final", o.Final, func(q *admitto.ApplicationQuery) {
						q.OfferTypes, q.OfferDecisions = one,
							[]string{"Final"}
					})
					same("declined", o.Declined, func(q *admitto.ApplicationQuery) {
						q.OfferTypes, q.OfferDecisions = one,
							[]string{"Declined"}
					})
				}
				countries, err := tx.CitizenshipCounts(term)
				for _, c := range countries {
					same("citizenship", c.N, func(q *admitto.ApplicationQuery) { q.Citizenships = []string{c.Code} })
				}
				if err != nil {
					return err
				}
				people, err := tx.CountApplicantsIn(term)
				if err != nil || term == 0 {
					continue
				}
				list, err := tx.BrowseApplicants(admitto.BrowseApplicants{ApplicantQuery: admitto.ApplicantQuery{
					ApplicantFilter: admitto.ApplicantFilter{InTerm: term}}, Page: admitto.BrowsePage{Rows: 1}}, true)
				if err != nil || list.Total.N != people {
					t.Errorf("term %d has %d applicants, the list %d: %v", term, people, list.Total.N, err)
				}
			}
			for _, run := range []func() error{
				func() error { _, err := tx.InvoicesOverdue(admitto.Date{Year: 2030, Month: 1, Day: 1}); return err },
				func() error { _, err := tx.InvoicesWithSurplus(); return err },
				func() error { _, err := tx.TasksHandedIn(); return err },
				func() error { _, err := tx.FailedEmails(admitto.EveryMail()); return err },
				func() error { _, err := tx.OpenSheets(); return err },
				func() error {
					_, err := tx.DecisionDeadlines(1, admitto.Date{Year: 2020, Month: 1, Day: 1},
						admitto.Date{Year: 2030, Month: 1, Day: 1})
					return err
				},
				func() error {
					_, err := tx.InvoiceDeadlines(admitto.Date{Year: 2020, Month: 1, Day: 1},
						admitto.Date{Year: 2030, Month: 1, Day: 1})
					return err
				},
			} {
				if err := run(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
