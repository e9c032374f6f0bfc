package store_test

import (
	"regexp"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// A page of the journal walks the index of its filter; what no index leads to stays within the bounds of IDs.
func TestJournalPlans(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			for n := range int64(3000) {
				actor := admitto.Actor{Kind: admitto.ByKey, ID: 1 + n%50}
				switch n % 3 {
				case 0:
					actor.Kind = admitto.ByAdministrator
				case 1:
					actor = admitto.System()
				}
				pattern := admitto.EventKinds()[n%60].Pattern
				tx.Record(actor, admitto.Event{Pattern: pattern,
					Links: admitto.Links{Applicant: 1 + n%300, Application: 1 + n%600}})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			return sqltest.In(tx).Script("ANALYZE journal")
		}); err != nil {
			t.Fatal(err)
		}
		events := []admitto.EventFilter{{Pattern: admitto.ApplicationCreated}}
		one := []int64{3}
		scan := regexp.MustCompile(`(?m)(^SCAN j\b|Seq Scan on journal\b)`)
		for name, c := range map[string]struct {
			q     admitto.JournalQuery
			index string
			looks bool
		}{
			"nothing":     {admitto.JournalQuery{}, `PRIMARY KEY|journal_pkey`, false},
			"range":       {admitto.JournalQuery{FromID: 5, ToID: 50}, `PRIMARY KEY|journal_pkey`, false},
			"times":       {admitto.JournalQuery{FromTime: 5, ToTime: 1 << 60}, `PRIMARY KEY|journal_pkey`, false},
			"event":       {admitto.JournalQuery{Events: events}, "journal_pattern", false},
			"applicant":   {admitto.JournalQuery{ApplicantIDs: one}, "journal_applicant", false},
			"application": {admitto.JournalQuery{ApplicationIDs: one}, "journal_application", false},
			"applicant and actor": {admitto.JournalQuery{ApplicantIDs: one, ActorKind: admitto.BySystem}, "journal_applicant",
				false},
			"administrator": {admitto.JournalQuery{ActorKind: admitto.ByAdministrator, ActorID: 2}, "journal_administrator",
				false},
			"key": {admitto.JournalQuery{ActorKind: admitto.ByKey, ActorID: 2}, "journal_api_key", false},
			"key and event": {admitto.JournalQuery{ActorKind: admitto.ByKey, ActorID: 2, Events: events}, "journal_api_key",
				true},
			"system":          {admitto.JournalQuery{ActorKind: admitto.BySystem}, `PRIMARY KEY|journal_pkey`, true},
			"term":            {admitto.JournalQuery{TermIDs: one}, `PRIMARY KEY|journal_pkey`, true},
			"term and events": {admitto.JournalQuery{TermIDs: one, Events: events}, "journal_pattern", true},
		} {
			c.q.NewestFirst, c.q.Limit = true, 50
			if c.q.LooksThrough() != c.looks {
				t.Errorf("%s: looks through %v", name, !c.looks)
			}
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				if s.Shared() { // a planner that knows tables to be small reads and sorts them as a whole
					if err := sqltest.In(tx).Script("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; " +
						"SET LOCAL enable_bitmapscan = off"); err != nil {
						return err
					}
				}
				plans, err := tx.Plans(func() error {
					_, err := tx.EachRecord(c.q, func(*admitto.Record) error { return nil })
					return err
				})
				last := plans[len(plans)-1]
				if !regexp.MustCompile(c.index).MatchString(last.Steps) || scan.MatchString(last.Steps) {
					t.Errorf("%s: %s\n%s", name, last.SQL, last.Steps)
				}
				return err
			})
			if err != nil {
				t.Fatal(name, err)
			}
		}
	})
}
