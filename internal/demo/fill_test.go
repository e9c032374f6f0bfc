package demo_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/demo"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
)

// seeded is the database of a new instance.
var seeded = storetest.Seeded(nil, "University", 2026)

// template returns the database of a new instance in which fill has put more.
func template(fill func(ctx context.Context, s *store.Store) error) *dbtest.Template {
	return storetest.Filled(nil, func(ctx context.Context, s *store.Store) error {
		if err := s.Seed(ctx, "University", 2026); err != nil {
			return err
		}
		return fill(ctx, s)
	})
}

// open returns the store of a copy of a template.
func open(t testing.TB, url string, opts db.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// made is the day on which the data of the tests are made, unless they say another.
func made() admitto.Date {
	return admitto.DateOf(time.Date(2026, time.October, 3, 0, 0, 0, 0, time.UTC))
}

func fill(t testing.TB, s *store.Store, applicants int, seed uint64) {
	t.Helper()
	if err := demo.Fill(t.Context(), s, demo.Options{Day: made(), Applicants: applicants, Seed: seed}); err != nil {
		t.Fatal(err)
	}
}

var demos sync.Map // from the size and the seed of invented data to their template

// demoOf returns the template with invented data, which the tests that read the same data share.
func demoOf(applicants int, seed uint64) *dbtest.Template {
	made := template(func(ctx context.Context, s *store.Store) error {
		return demo.Fill(ctx, s, demo.Options{Day: made(), Applicants: applicants, Seed: seed})
	})
	shared, _ := demos.LoadOrStore([2]uint64{uint64(applicants), seed}, made)
	return shared.(*dbtest.Template)
}

// filled returns a store on SQLite with invented data.
func filled(t *testing.T, applicants int, seed uint64) *store.Store {
	t.Helper()
	return open(t, demoOf(applicants, seed).File(t), db.Options{})
}

func read(t testing.TB, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Read(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// schema returns all columns of the tables that are compared with how each is read: i integer, b boolean, t text and x
// bytes. Both engines are read alike, so that their dumps can be compared.
func schema(t *testing.T) map[string][]string {
	t.Helper()
	columns := map[string][]string{}
	kinds := map[string]string{"bigint": "i", "integer": "i", "boolean": "b", "text": "t", "bytea": "x"}
	s := open(t, seeded.File(t), db.Options{})
	for table := range families {
		read(t, s, func(tx *store.Tx) error {
			rows := sqltest.In(tx).Query("SELECT name, lower(type) FROM pragma_table_xinfo($1)", table)
			for rows.Next() {
				kind := kinds[strings.Fields(rows.Text(1))[0]]
				if kind == "" {
					t.Fatalf("%s.%s is of type %s", table, rows.Text(0), rows.Text(1))
				}
				columns[table] = append(columns[table], kind+rows.Text(0))
			}
			return rows.Close()
		})
	}
	return columns
}

// dump returns a hash over all rows of each table.
func dump(t *testing.T, s *store.Store) map[string]string {
	t.Helper()
	hashes := map[string]string{}
	for table, columns := range schema(t) {
		names := make([]string, len(columns))
		for i, c := range columns {
			names[i] = c[1:]
		}
		var lines []string
		read(t, s, func(tx *store.Tx) error {
			rows := sqltest.In(tx).Query("SELECT " + strings.Join(names, ", ") + " FROM " + table)
			for rows.Next() {
				var line []byte
				for i, c := range columns {
					switch {
					case rows.Null(i):
					case c[0] == 'i':
						line = strconv.AppendInt(line, rows.Int64(i), 10)
					case c[0] == 'b':
						line = strconv.AppendBool(line, rows.Bool(i))
					default:
						line = append(line, rows.Bytes(i)...)
					}
					line = append(line, '|')
				}
				lines = append(lines, string(line))
			}
			return rows.Close()
		})
		slices.Sort(lines) // the engines sort texts in different ways
		hashes[table] = fmt.Sprintf("%d rows, %x", len(lines), sha256.Sum256([]byte(strings.Join(lines, "\n"))))
	}
	return hashes
}

// same fails for tables that differ.
func same(t *testing.T, a, b map[string]string) {
	t.Helper()
	for table := range families {
		if a[table] != b[table] {
			t.Errorf("table %s: %s and %s", table, a[table], b[table])
		}
	}
}

func TestSameSeedSameData(t *testing.T) {
	for _, n := range []int{0, 1, apptest.Size(300, 2500)} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			want := dump(t, filled(t, n, 7))
			seeded.Each(t, func(t *testing.T, url string, opts db.Options) {
				// Another clock must change nothing when the day is given.
				opts.Clock = func() admitto.Time { return admitto.TimeOf(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)) }
				opts.Again = nil // nobody else is there, and each run draws other data
				s := open(t, url, opts)
				fill(t, s, n, 7)
				same(t, want, dump(t, s))
			})
		})
	}
}

// The day is that of the clock when nobody gives one: the same data at any hour of it, others on the day after.
func TestSameDaySameData(t *testing.T) {
	at := func(instant time.Time) map[string]string {
		s := open(t, seeded.File(t), db.Options{Clock: func() admitto.Time { return admitto.TimeOf(instant) }})
		if err := demo.Fill(t.Context(), s, demo.Options{Applicants: 60, Seed: 7}); err != nil {
			t.Fatal(err)
		}
		return dump(t, s)
	}
	morning := at(time.Date(2029, 2, 28, 0, 0, 0, 0, time.UTC))
	same(t, morning, at(time.Date(2029, 2, 28, 23, 59, 59, 0, time.UTC)))
	after := at(time.Date(2029, 3, 1, 0, 0, 0, 0, time.UTC))
	for _, table := range []string{"applicant", "application", "journal"} {
		if morning[table] == after[table] {
			t.Errorf("table %s is the same on the day after", table)
		}
	}
}

func TestOtherSeedOtherData(t *testing.T) {
	a, b := dump(t, filled(t, 50, 1)), dump(t, filled(t, 50, 2))
	for _, table := range []string{"applicant", "email", "journal", "tracker", "application", "offer", "document", "score",
		"invoice"} {
		if a[table] == b[table] {
			t.Errorf("table %s is the same for both seeds", table)
		}
	}
}

func TestVerifiesOnBothEngines(t *testing.T) {
	for _, n := range []int{0, 1, apptest.Size(300, 2500)} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			seeded.Each(t, func(t *testing.T, url string, opts db.Options) {
				s := open(t, url, opts)
				var told []int
				err := demo.Fill(t.Context(), s, demo.Options{Day: made(), Applicants: n, Seed: 3, Progress: func(done, total int) {
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
					return tx.VerifyCounters()
				})
				nextIDs(t, s, n)
			})
		})
	}
}

// nextIDs checks that what is inserted after the filling gets the IDs that follow.
func nextIDs(t *testing.T, s *store.Store, n int) {
	t.Helper()
	emails := numbers(t, s, "SELECT max(id) FROM email")[0][0]
	if n > 0 {
		n += 5 // those who were erased had the IDs behind
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		a := admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantLive, Registered: tx.Now(),
			Email: "new@example.org"}
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
		if applicant != int64(n+1) || tracker != 26 || email != emails+1 {
			t.Errorf("next IDs: applicant %d, tracker %d, e-mail %d; want %d, 26, %d", applicant, tracker, email, n+1, emails+1)
		}
		_, err = tx.InsertNote(applicant, &admitto.Note{Created: tx.Now(), Colour: "Yellow", Text: "new"})
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSequencesNeverGoBack(t *testing.T) {
	seeded.Each(t, func(t *testing.T, url string, opts db.Options) {
		s := open(t, url, opts)
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			for i := range 9 { // creations that failed leave nothing but used up IDs
				a := admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantPending, Registered: 1,
					Email: "a@example.org"}
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
			id, err := tx.InsertApplicant(&admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantLive, Registered: 1},
				"new")
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
		err := demo.Fill(t.Context(), s, demo.Options{Day: made(), Applicants: 1})
		if admitto.KindOf(err) != admitto.NotAllowedNow || !strings.Contains(err.Error(), says) {
			t.Errorf("Fill: %v; want a refusal that says %q", err, says)
		}
	}
	for name, prepare := range map[string]func(tx *store.Tx) error{
		"applicant": func(tx *store.Tx) error {
			_, err := tx.InsertApplicant(&admitto.Applicant{Type: admitto.Natural, State: admitto.ApplicantPending,
				Registered: 1}, "a@example.org")
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
			seeded.Each(t, func(t *testing.T, url string, opts db.Options) {
				s := open(t, url, opts)
				if err := s.Write(t.Context(), prepare); err != nil {
					t.Fatal(err)
				}
				refused(t, s, "not empty")
			})
		})
	}
	t.Run("filled", func(t *testing.T) { refused(t, filled(t, people, seed), "not empty") })
	t.Run("half filled", func(t *testing.T) {
		s := open(t, seeded.File(t), db.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		err := demo.Fill(ctx, s, demo.Options{Day: made(), Applicants: 2500, Progress: func(int, int) { cancel() }})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("Fill: %v, want that it was cancelled", err)
		}
		refused(t, s, "Remove the data folder")
	})
	t.Run("negative", func(t *testing.T) {
		s := open(t, seeded.File(t), db.Options{})
		if err := demo.Fill(t.Context(), s, demo.Options{Applicants: -1}); admitto.KindOf(err) != admitto.InvalidParameter {
			t.Errorf("Fill: %v, want invalid-parameter", err)
		}
	})
}
