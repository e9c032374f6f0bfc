package storetest

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

func testMigrations(t *testing.T, e *env) {
	missing, err := e.Migrate(e.ctx, true)
	if err != nil || len(missing) == 0 {
		t.Fatalf("dry run on an empty database: %v, %v", missing, err)
	}
	if err := e.Ready(e.ctx); err == nil || !strings.Contains(err.Error(), missing[0]) {
		t.Errorf("Ready on an empty database: %v", err)
	}
	if again, err := e.Migrate(e.ctx, true); err != nil || !slices.Equal(again, missing) {
		t.Errorf("the dry run changed something: %v, %v", again, err)
	}
	taken, err := e.Migrate(e.ctx, false)
	if err != nil || !slices.Equal(taken, missing) || !slices.IsSorted(taken) {
		t.Fatalf("took %v, %v, want %v", taken, err, missing)
	}
	for _, dryRun := range []bool{true, false} {
		if taken, err := e.Migrate(e.ctx, dryRun); err != nil || len(taken) > 0 {
			t.Errorf("a second time it took %v, %v", taken, err)
		}
	}
	if err := e.Ready(e.ctx); err != nil {
		t.Error(err)
	}
	if ahead, err := e.Ahead(e.ctx); err != nil || len(ahead) > 0 {
		t.Errorf("ahead of itself by %v, %v", ahead, err)
	}
	e.read(t, func(tx *store.Tx) error {
		n, err := number(tx, "SELECT count(*) FROM migration WHERE applied > 0")
		if n != int64(len(missing)) {
			t.Errorf("%d steps are remembered, want %d", n, len(missing))
		}
		return err
	})
}

func testMigrateConcurrently(t *testing.T, e *env) {
	other := e.open(t) // as another instance
	missing, err := e.Migrate(e.ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	var mutex sync.Mutex
	var all []string
	together(t, 4, func(i int) error {
		s := e.Store
		if i%2 == 1 {
			s = other
		}
		taken, err := s.Migrate(e.ctx, false)
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, taken...)
		return err
	})
	if slices.Sort(all); !slices.Equal(all, missing) {
		t.Errorf("took %v, want each of %v once", all, missing)
	}
	if err := e.Ready(e.ctx); err != nil {
		t.Error(err)
	}
}

func testForeignSchema(t *testing.T, e *env) {
	e.migrate(t)
	for _, c := range []struct{ name, sql, want string }{
		{"changed step", "UPDATE migration SET checksum = 'other' WHERE name = '0001_core'", "0001_core"},
		{"renamed step", "UPDATE migration SET name = '0000_other' WHERE name = '0001_core'", "0000_other"},
		{"newer database", "INSERT INTO migration (name, checksum, applied, needs) VALUES ('9999_later', 'x', 1, '9999_later')", "newer release"},
		{"newer by two", `INSERT INTO migration (name, checksum, applied, needs) VALUES ('9998_later', 'x', 1, ''), ('9999_latest', 'x', 1, '9998_later')`,
			"newer release has brought the database to migration 9999_latest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			back := e.steps(t)
			e.write(t, func(tx *store.Tx) error { return sqltest.In(tx).Script(c.sql) })
			for _, dryRun := range []bool{true, false} {
				if steps, err := e.Migrate(e.ctx, dryRun); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("dry run %v: got %v, %v, want an error about %q", dryRun, steps, err, c.want)
				}
			}
			if err := e.Ready(e.ctx); err == nil {
				t.Error("Ready is content")
			}
			e.write(t, func(tx *store.Tx) error { return sqltest.In(tx).Script("DELETE FROM migration; " + back) })
		})
	}
	if err := e.Ready(e.ctx); err != nil {
		t.Error(err)
	}
}

// steps returns the SQL that fills the table of migrations as it is now.
func (e *env) steps(t *testing.T) string {
	t.Helper()
	var list []string
	e.read(t, func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT name, checksum, needs FROM migration")
		for rows.Next() {
			list = append(list, "INSERT INTO migration (name, checksum, applied, needs) VALUES ('"+rows.Text(0)+"', '"+
				rows.Text(1)+"', 1, '"+rows.Text(2)+"')")
		}
		return rows.Close()
	})
	return strings.Join(list, ";")
}

// testNewerSchema is an old binary on a database to which a newer release has added what every release, or one that
// knows 0007_needs, can work next to.
func testNewerSchema(t *testing.T, e *env) {
	e.migrate(t)
	e.write(t, func(tx *store.Tx) error {
		return sqltest.In(tx).Script(`INSERT INTO migration (name, checksum, applied, needs) VALUES ('9998_added', 'x', 1, ''), ('9999_later', 'x', 1, '0007_needs');
			ALTER TABLE tracker ADD COLUMN later text NOT NULL DEFAULT ''`)
	})
	for _, dryRun := range []bool{true, false} {
		if steps, err := e.Migrate(e.ctx, dryRun); err != nil || len(steps) > 0 {
			t.Errorf("dry run %v: got %v, %v", dryRun, steps, err)
		}
	}
	if err := e.Ready(e.ctx); err != nil {
		t.Error(err)
	}
	if ahead, err := e.Ahead(e.ctx); err != nil || !slices.Equal(ahead, []string{"9998_added", "9999_later"}) {
		t.Errorf("ahead by %v, %v", ahead, err)
	}
	if err := e.open(t).Prepare(e.ctx, 1<<10, nil); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("it would take the rows of a schema that it does not know: %v", err)
	}
}
