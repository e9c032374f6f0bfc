package demo_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto"
	"github.com/admitto/admitto/demo"
	"github.com/admitto/admitto/store"
	"github.com/admitto/admitto/store/db"
	"github.com/admitto/admitto/store/db/dbtest"
)

// open gives a migrated store.
func open(t testing.TB, url string, opts db.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	return s
}

func fill(t testing.TB, s *store.Store, applicants int, seed uint64) {
	t.Helper()
	if err := demo.Fill(t.Context(), s, demo.Options{Applicants: applicants, Seed: seed}); err != nil {
		t.Fatal(err)
	}
}

// filled gives a store on SQLite with invented data.
func filled(t *testing.T, applicants int, seed uint64) *store.Store {
	t.Helper()
	s := open(t, "sqlite:"+filepath.Join(t.TempDir(), "test.db"), db.Options{})
	fill(t, s, applicants, seed)
	return s
}

func read(t testing.TB, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Read(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// columns are all columns of all tables that are filled, with how each is read: i integer, b boolean, t text
// and x bytes. Both engines are read alike, so that their dumps can be compared.
var columns = map[string]string{
	"applicant": `id:i type:t state:t visible:b lead:b registered:i given:t middle:t family:t parent:t legal:t email:t email_key:t phone:t
		skype:t reference:t matriculation:t citizenship:t address:t vatin:t password:t password_temporary:b`,
	"tracker":           "id:i created:i code:t code_key:t notes:t percent:i amount:i currency:t",
	"applicant_tracker": "tracker_id:i applicant_id:i assigned:i",
	"note":              "id:i applicant_id:i created:i removed:i colour:t pinned:b collapsed:b text:t",
	"email":             "id:i applicant_id:i inserted:i delivered:i failed:i opened:i from_name:t from_email:t subject:t message:t",
	"api_key": `id:i label:t owner:t scope:t operations:t hash:x created:i expires:i revoked:i last_used:i per_minute:i
		per_hour:i`,
	"journal": `id:i logged:i pattern:t bind:t actor:t actor_id:i request_id:t administrator_id:i applicant_id:i application_id:i
		course_id:i institution_id:i invoice_id:i offer_id:i document_id:i flag_id:i tracker_id:i detail_hash:t hash:t`,
	"journal_detail": "journal_id:i salt:x payload:t",
	"journal_head":   "one:i id:i logged:i hash:t",
	"tally":          "family:t facet:t block:i n:i low:i high:i",
	"instance":       "name:t value:t",
}

// dump gives a hash over all rows of each table.
func dump(t *testing.T, s *store.Store) map[string]string {
	t.Helper()
	hashes := map[string]string{}
	read(t, s, func(tx *store.Tx) error {
		for table, text := range columns {
			var names, kinds []string
			for _, column := range strings.Fields(text) {
				name, kind, _ := strings.Cut(column, ":")
				names, kinds = append(names, name), append(kinds, kind)
			}
			order := strings.Join(names[:min(3, len(names))], ", ") // holds the primary key of every table
			rows := tx.Query("SELECT " + strings.Join(names, ", ") + " FROM " + table + " ORDER BY " + order)
			sum, n := sha256.New(), 0
			for ; rows.Next(); n++ {
				for i, kind := range kinds {
					var v any
					switch {
					case rows.Null(i):
					case kind == "i":
						v = rows.Int64(i)
					case kind == "b":
						v = rows.Bool(i)
					default:
						v = rows.Bytes(i)
					}
					fmt.Fprintf(sum, "%v|", v)
				}
			}
			if err := rows.Close(); err != nil {
				return err
			}
			hashes[table] = fmt.Sprintf("%d rows, %x", n, sum.Sum(nil))
		}
		return nil
	})
	return hashes
}

// same fails for tables that differ.
func same(t *testing.T, a, b map[string]string) {
	t.Helper()
	for table := range columns {
		if a[table] != b[table] {
			t.Errorf("table %s: %s and %s", table, a[table], b[table])
		}
	}
}

func TestColumnsAreComplete(t *testing.T) {
	// A column that a later migration adds must not slip through the comparison of dumps.
	read(t, filled(t, 0, 1), func(tx *store.Tx) error {
		for table, text := range columns {
			rows := tx.Query("SELECT count(*) FROM pragma_table_xinfo($1)", table)
			rows.Next()
			if n := len(strings.Fields(text)); rows.Int64(0) != int64(n) {
				t.Errorf("table %s has %d columns, the test knows %d", table, rows.Int64(0), n)
			}
			if err := rows.Close(); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestSameSeedSameData(t *testing.T) {
	for _, n := range []int{0, 1, 2500} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			want := dump(t, filled(t, n, 7))
			dbtest.Each(t, func(t *testing.T, url string, opts db.Options) {
				// Another clock must change nothing.
				opts.Clock = func() admitto.Time { return admitto.TimeOf(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)) }
				s := open(t, url, opts)
				fill(t, s, n, 7)
				same(t, want, dump(t, s))
			})
		})
	}
}

func TestOtherSeedOtherData(t *testing.T) {
	a, b := dump(t, filled(t, 50, 1)), dump(t, filled(t, 50, 2))
	for _, table := range []string{"applicant", "email", "journal", "tracker"} {
		if a[table] == b[table] {
			t.Errorf("table %s is the same for both seeds", table)
		}
	}
}

func TestVerifiesOnBothEngines(t *testing.T) {
	for _, n := range []int{0, 1, 2500} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, url string, opts db.Options) {
				s := open(t, url, opts)
				var told []int
				err := demo.Fill(t.Context(), s, demo.Options{Applicants: n, Seed: 3, Progress: func(done, total int) {
					if total != n {
						t.Errorf("Progress is told a total of %d, want %d", total, n)
					}
					told = append(told, done)
				}})
				if err != nil {
					t.Fatal(err)
				}
				if len(told) == 0 || told[len(told)-1] != n {
					t.Errorf("Progress was told %v, want %d at the end", told, n)
				}
				read(t, s, func(tx *store.Tx) error {
					id, reason, err := tx.VerifyJournal(1, 0, func(int64) {})
					if id != 0 || err != nil {
						t.Errorf("VerifyJournal: record %d %s, %v", id, reason, err)
					}
					if count, err := tx.CountApplicants(admitto.ApplicantQuery{}); count != int64(n) || err != nil {
						t.Errorf("CountApplicants: %d, %v; want %d", count, err, n)
					}
					return tx.VerifyTallies()
				})
				nextIDs(t, s, n)
			})
		})
	}
}

// nextIDs checks that what is inserted after the filling gets the IDs that follow.
func nextIDs(t *testing.T, s *store.Store, n int) {
	t.Helper()
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		a := admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantLive, Registered: tx.Now(), Email: "new@example.org"}
		applicant, err := tx.InsertApplicant(&a, "new@example.org")
		if err != nil {
			return err
		}
		tracker, _, err := tx.InsertTracker(&admitto.Tracker{Created: tx.Now(), Code: "NEW"})
		if err != nil {
			return err
		}
		email, err := tx.InsertEmail(&admitto.Email{Applicant: applicant, Inserted: tx.Now()})
		if err != nil {
			return err
		}
		if applicant != int64(n+1) || tracker != 26 || email != int64(n+1) {
			t.Errorf("next IDs: applicant %d, tracker %d, e-mail %d; want %d, 26, %d", applicant, tracker, email, n+1, n+1)
		}
		_, err = tx.InsertNote(applicant, &admitto.Note{Created: tx.Now(), Colour: "Yellow", Text: "new"})
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSequencesNeverGoBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, opts db.Options) {
		s := open(t, url, opts)
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			for i := range 9 { // creations that failed leave nothing but used up IDs
				a := admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantPending, Registered: 1, Email: "a@example.org"}
				id, err := tx.InsertApplicant(&a, fmt.Sprint(i))
				if err != nil {
					return err
				}
				if _, err := tx.RemovePendingApplicant(id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		fill(t, s, 2, 1)
		err = s.Write(t.Context(), func(tx *store.Tx) error {
			id, err := tx.InsertApplicant(&admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantLive, Registered: 1}, "new")
			if id < 10 {
				t.Errorf("the next ID is %d, want one above the 9 used up", id)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestRefusesWhatIsNotEmpty(t *testing.T) {
	refused := func(t *testing.T, s *store.Store, says string) {
		t.Helper()
		err := demo.Fill(t.Context(), s, demo.Options{Applicants: 1})
		if admitto.KindOf(err) != admitto.NotAllowedNow || !strings.Contains(err.Error(), says) {
			t.Errorf("Fill: %v; want a refusal that says %q", err, says)
		}
	}
	for name, prepare := range map[string]func(tx *store.Tx) error{
		"applicant": func(tx *store.Tx) error {
			_, err := tx.InsertApplicant(&admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantPending, Registered: 1}, "a@example.org")
			return err
		},
		"tracker": func(tx *store.Tx) error {
			_, _, err := tx.InsertTracker(&admitto.Tracker{Created: 1, Code: "OLD"})
			return err
		},
		"journal": func(tx *store.Tx) error {
			tx.Record(admitto.System(), admitto.Event{Pattern: admitto.KeyCreated, Bind: []string{"1"}})
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, url string, opts db.Options) {
				s := open(t, url, opts)
				if err := s.Write(t.Context(), prepare); err != nil {
					t.Fatal(err)
				}
				refused(t, s, "not empty")
			})
		})
	}
	t.Run("filled", func(t *testing.T) { refused(t, filled(t, 0, 1), "not empty") })
	t.Run("half filled", func(t *testing.T) {
		s := open(t, "sqlite:"+filepath.Join(t.TempDir(), "test.db"), db.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		err := demo.Fill(ctx, s, demo.Options{Applicants: 5000, Progress: func(int, int) { cancel() }})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("Fill: %v, want that it was cancelled", err)
		}
		refused(t, s, "Remove the data folder")
	})
	t.Run("negative", func(t *testing.T) {
		s := open(t, "sqlite:"+filepath.Join(t.TempDir(), "test.db"), db.Options{})
		if err := demo.Fill(t.Context(), s, demo.Options{Applicants: -1}); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Errorf("Fill: %v, want invalid-parameter", err)
		}
	})
}
