package store_test

import (
	"regexp"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
)

// What hangs on applicants and applications is found by an index, whatever the size of the tables.
func TestHangingPlans(t *testing.T) {
	storetest.Migrated.Each(t, func(t *testing.T, url string, o db.Options) {
		s, err := store.Open(t.Context(), url, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ids := []int64{1, 2}
		ignore := func(_ any, err error) error {
			if admitto.KindOf(err) == admitto.NotFound {
				return nil // nothing is there; the statement ran all the same
			}
			return err
		}
		// The small tables of templates and profiles may be read whole.
		scan := regexp.MustCompile(`(?m)(^SCAN (d|a|t|e|x|wish|consent_decision|email_attachment|export_blob|applicant_photo)\b|Seq Scan on (document|application_course|score|invoice|note|journal|offer|application|task|email|wish|consent_decision|email_attachment|export|export_blob|applicant_photo)\b)`)
		for name, q := range map[string]func(*store.Tx) error{
			"documents":               func(tx *store.Tx) error { return ignore(tx.DocumentsOf(ids)) },
			"document":                func(tx *store.Tx) error { return ignore(tx.Document(1, 1)) },
			"documents of applicants": func(tx *store.Tx) error { return ignore(tx.DocumentsOfApplicants(ids)) },
			"document of applicant":   func(tx *store.Tx) error { return ignore(tx.DocumentOfApplicant(1, 1)) },
			"photo":                   func(tx *store.Tx) error { return ignore(tx.Photo(1)) },
			"tasks":                   func(tx *store.Tx) error { return ignore(tx.TasksOf(ids)) },
			"tasks of an applicant": func(tx *store.Tx) error {
				_, _, err := tx.TasksOfApplicant(1, admitto.Date{}, 50, 0)
				return err
			},
			"open tasks": func(tx *store.Tx) error { return ignore(tx.OpenTasks(1, admitto.Date{})) },
			"task":       func(tx *store.Tx) error { return ignore(tx.Task(1, 1)) },
			"emails":     func(tx *store.Tx) error { return ignore(tx.EmailsOf(1)) },
			"email":      func(tx *store.Tx) error { return ignore(tx.Email(1, 1)) },
			"emails of a card": func(tx *store.Tx) error {
				_, _, err := tx.EmailPage(store.EmailQuery{Applicant: 1, About: 1, General: true,
					Seen: admitto.EveryMail(), Limit: 50})
				return err
			},
			"failed emails":     func(tx *store.Tx) error { return ignore(tx.FailedEmailPage(admitto.EveryMail(), 50, 0)) },
			"email by its ID":   func(tx *store.Tx) error { return ignore(tx.EmailByID(1)) },
			"email attachments": func(tx *store.Tx) error { return ignore(tx.EmailAttachments(1)) },
			"email attachment":  func(tx *store.Tx) error { return ignore(tx.EmailAttachment(1, 1)) },
			"consents":          func(tx *store.Tx) error { return ignore(tx.ConsentsOf(ids)) },
			"wishes":            func(tx *store.Tx) error { return ignore(tx.WishesOf(ids)) },
			"exports":           func(tx *store.Tx) error { return ignore(tx.ExportsOf(1)) },
			"export":            func(tx *store.Tx) error { return ignore(tx.Export(1, 1)) },
			"counts of a card":  func(tx *store.Tx) error { return ignore(tx.CardCounts(1, 1, admitto.EveryMail())) },
			"blobs":             func(tx *store.Tx) error { return ignore(tx.BlobsOf(1, 1)) },
		} {
			t.Run(name, func(t *testing.T) {
				err := s.Read(t.Context(), func(tx *store.Tx) error {
					if s.Shared() {
						// A planner that knows the tables to be empty would scan them all.
						if err := sqltest.In(tx).Query("SELECT set_config('enable_seqscan', 'off', true)").Close(); err != nil {
							return err
						}
					}
					plans, err := tx.Plans(func() error { return q(tx) })
					for _, p := range plans {
						if scan.MatchString(p.Steps) {
							t.Errorf("%s\n%s", p.SQL, p.Steps)
						}
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}
