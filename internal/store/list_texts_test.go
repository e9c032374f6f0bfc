package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
)

// The text of a statement depends on whether a filter names one thing, some or many, and never on how many: each text
// is parsed and kept by each connection to the database, and SQLite refuses conditions that are nested too deeply.
func TestTextsOfFilters(t *testing.T) {
	ids := func(n int) []int64 {
		list := make([]int64, n)
		for i := range list {
			list[i] = int64(i + 1)
		}
		return list
	}
	words := func(n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint("W", i)
		}
		return list
	}
	events := func(n int) []admitto.EventFilter {
		list := make([]admitto.EventFilter, n)
		for i := range list {
			list[i] = admitto.EventFilter{Pattern: admitto.EmailSent, Bind: []string{fmt.Sprint(i)}}
		}
		return list
	}
	// Patterns, and others with their values.
	mixed := func(n int) []admitto.EventFilter {
		return append(events(n), admitto.EventFilter{Pattern: admitto.TrackerAssigned},
			admitto.EventFilter{Pattern: admitto.TrackerUnassigned})
	}
	applicants := func(q admitto.ApplicantQuery) func(*store.Tx) error {
		q.Limit = 100
		return func(tx *store.Tx) error {
			_, err := tx.EachApplicant(q, func(*admitto.Applicant) error { return nil })
			_, e := tx.CountApplicants(q)
			return errors.Join(err, e)
		}
	}
	applications := func(q admitto.ApplicationQuery) func(*store.Tx) error {
		q.Limit = 100
		return func(tx *store.Tx) error {
			_, err := tx.EachApplication(q, func(*admitto.Application) error { return nil })
			_, e := tx.CountApplications(q)
			_, f := tx.CountOfferRows(q)
			return errors.Join(err, e, f)
		}
	}
	invoices := func(q admitto.InvoiceQuery) func(*store.Tx) error {
		q.Limit = 100
		return func(tx *store.Tx) error {
			_, err := tx.EachInvoice(q, func([]admitto.Invoice) error { return nil })
			_, e := tx.CountInvoices(q)
			return errors.Join(err, e)
		}
	}
	records := func(q admitto.JournalQuery) func(*store.Tx) error {
		q.Limit = 100
		return func(tx *store.Tx) error {
			_, err := tx.EachRecord(q, func(*admitto.Record) error { return nil })
			_, e := tx.CountRecords(q)
			return errors.Join(err, e)
		}
	}
	filters := map[string]func(n int) func(*store.Tx) error{
		"addresses": func(n int) func(*store.Tx) error { return applicants(admitto.ApplicantQuery{EmailKeys: words(n)}) },
		"citizenships": func(n int) func(*store.Tx) error {
			return applicants(admitto.ApplicantQuery{Citizenships: words(n)})
		},
		"trackers": func(n int) func(*store.Tx) error { return applicants(admitto.ApplicantQuery{TrackerIDs: ids(n)}) },
		"codes": func(n int) func(*store.Tx) error {
			return applicants(admitto.ApplicantQuery{TrackerCodeIDs: ids(n)})
		},
		"applicants": func(n int) func(*store.Tx) error {
			return applications(admitto.ApplicationQuery{Applicants: ids(n)})
		},
		"flags":   func(n int) func(*store.Tx) error { return applications(admitto.ApplicationQuery{Flags: ids(n)}) },
		"courses": func(n int) func(*store.Tx) error { return applications(admitto.ApplicationQuery{Courses: ids(n)}) },
		"course types": func(n int) func(*store.Tx) error {
			return applications(admitto.ApplicationQuery{CourseTypes: words(n)})
		},
		"offer types": func(n int) func(*store.Tx) error {
			return applications(admitto.ApplicationQuery{OfferTypes: ids(n)})
		},
		"decisions": func(n int) func(*store.Tx) error {
			return applications(admitto.ApplicationQuery{OfferDecisions: words(n)})
		},
		"terms": func(n int) func(*store.Tx) error { return applications(admitto.ApplicationQuery{TermIDs: ids(n)}) },
		"years": func(n int) func(*store.Tx) error { return applications(admitto.ApplicationQuery{Years: ids(n)}) },
		"statuses and flags": func(n int) func(*store.Tx) error {
			return applications(admitto.ApplicationQuery{Statuses: words(n), Flags: ids(n)})
		},
		"statuses": func(n int) func(*store.Tx) error {
			return applications(admitto.ApplicationQuery{Statuses: words(n)})
		},
		"series": func(n int) func(*store.Tx) error { return invoices(admitto.InvoiceQuery{SerieIDs: ids(n)}) },
		"currencies": func(n int) func(*store.Tx) error {
			return invoices(admitto.InvoiceQuery{Currencies: words(n)})
		},
		"invoices of": func(n int) func(*store.Tx) error {
			return invoices(admitto.InvoiceQuery{Applicants: ids(n)})
		},
		"events":              func(n int) func(*store.Tx) error { return records(admitto.JournalQuery{Events: events(n)}) },
		"events and patterns": func(n int) func(*store.Tx) error { return records(admitto.JournalQuery{Events: mixed(n)}) },
		"events of": func(n int) func(*store.Tx) error {
			return records(admitto.JournalQuery{Events: mixed(n), ApplicationIDs: ids(n)})
		},
		"records of": func(n int) func(*store.Tx) error { return records(admitto.JournalQuery{ApplicantIDs: ids(n)}) },
	}
	apptest.Size(onSQLite, onEach)(t, func(t *testing.T, s *store.Store) {
		for name, filter := range filters {
			texts := map[string]int{}
			for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 17, 25, 31, 32, 33, 34, 500, 998, 1500, 10_000} {
				err := s.Write(t.Context(), func(tx *store.Tx) error {
					if n == 1 {
						tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailSent,
							Bind: []string{"0"}}) // so that there is something to look for
					}
					return nil
				})
				if err == nil {
					err = s.Read(t.Context(), func(tx *store.Tx) error {
						plans, err := tx.Plans(func() error { return filter(n)(tx) })
						for _, p := range plans {
							texts[p.SQL] = max(texts[p.SQL], n)
						}
						return err
					})
				}
				if err != nil {
					t.Errorf("%s, %d items: %.300s", name, n, err)
				}
			}
			most := 0
			for sql := range texts {
				most = max(most, len(sql))
			}
			// A list has a text for one value and one for several, of which SQLite has five, and one for many; so has a count.
			// Next to them stand those that resolve years, read counters and the head of the journal.
			if len(texts) > 14 || s.Shared() && len(texts) > 9 || most > 14_000 {
				t.Errorf("%s: %d texts of up to %d bytes", name, len(texts), most)
			}
		}
	})
}
