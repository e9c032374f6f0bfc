package store_test

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
)

// Every filter of institutions and courses is answered by an index, whatever the size of the tables. Asked of
// SQLite, which plans by the shape of a statement; PostgreSQL scans tables as small as those of a test.
func TestCatalogueFiltersUseIndexes(t *testing.T) {
	s, err := store.Open(t.Context(), "sqlite:"+t.TempDir()+"/test.db", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	words, ids := []string{"A", "B"}, []int64{1, 2}
	for name, q := range map[string]func(*store.Tx) error{
		"institutions by status": func(tx *store.Tx) error {
			_, err := tx.Institutions(admitto.InstitutionQuery{Statuses: words})
			return err
		},
		"institutions by mode": func(tx *store.Tx) error {
			_, err := tx.Institutions(admitto.InstitutionQuery{Modes: words})
			return err
		},
		"institutions by country": func(tx *store.Tx) error {
			_, err := tx.Institutions(admitto.InstitutionQuery{Countries: words})
			return err
		},
		"courses by institution": func(tx *store.Tx) error {
			_,
				err := tx.Courses(admitto.CourseQuery{Institutions: ids})
			return err
		},
		"courses by status": func(tx *store.Tx) error {
			_,
				err := tx.Courses(admitto.CourseQuery{Statuses: words})
			return err
		},
		"courses by type": func(tx *store.Tx) error {
			_,
				err := tx.Courses(admitto.CourseQuery{Types: words})
			return err
		},
		"courses by mode": func(tx *store.Tx) error {
			_,
				err := tx.Courses(admitto.CourseQuery{Modes: words})
			return err
		},
		"courses by code": func(tx *store.Tx) error {
			_,
				err := tx.Courses(admitto.CourseQuery{Codes: words})
			return err
		},
		"departments":             func(tx *store.Tx) error { _, err := tx.Departments(1); return err },
		"intakes of courses":      func(tx *store.Tx) error { _, err := tx.IntakesOf(ids); return err },
		"deadlines of intakes":    func(tx *store.Tx) error { _, err := tx.DeadlinesOf(ids); return err },
		"reasons of types":        func(tx *store.Tx) error { _, err := tx.ReasonsOf(ids); return err },
		"roles of administrators": func(tx *store.Tx) error { _, err := tx.RolesOf(ids); return err },
	} {
		t.Run(name, func(t *testing.T) {
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				plans, err := tx.Plans(func() error { return q(tx) })
				for _, p := range plans {
					for line := range strings.SplitSeq(p.Steps, "\n") {
						if strings.Contains(line, "SCAN") && !strings.Contains(line, "json_each") {
							t.Errorf("%s\n%s", p.SQL, p.Steps)
						}
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
