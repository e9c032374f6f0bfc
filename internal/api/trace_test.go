package api_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// accounts are tables that requests write whatever they are answered: when a key was last used, quotas, and the
// calls of Idempotency-Key.
var accounts = []string{"api_key", "quota", "quota_window", "idempotency", "job_run", "sqlite_sequence", "sqlite_stat1"}

// leavesNoTrace fails the test when the calls in do change a row of any table or a stored file.
func (s *service) leavesNoTrace(t testing.TB, do func()) {
	t.Helper()
	before := s.rows(t)
	do()
	after := s.rows(t)
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if before[table] != after[table] {
			t.Fatalf("table %s was changed:\n%s", table, difference(before[table], after[table]))
		}
	}
}

// rows returns the content of every table as text.
func (s *service) rows(t testing.TB) map[string]string {
	t.Helper()
	content := map[string]string{}
	err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		texts := func(sql string, args ...any) (list []string, err error) {
			rows := sqltest.In(tx).Query(sql, args...)
			for rows.Next() {
				list = append(list, rows.Text(0))
			}
			return list, rows.Close()
		}
		names, columns := "SELECT name FROM sqlite_schema WHERE type = 'table'", "SELECT name FROM pragma_table_info($1)"
		cell := func(name string) string { return `quote("` + name + `")` }
		if s.store.Shared() {
			names = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
			columns = "SELECT column_name::text FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
			cell = func(name string) string { return `coalesce("` + name + `"::text, 'NULL')` }
		}
		tables, err := texts(names)
		if err != nil {
			return err
		}
		for _, table := range tables {
			if slices.Contains(accounts, table) {
				continue
			}
			list, err := texts(columns, table)
			if err != nil {
				return err
			}
			cells := make([]string, len(list))
			for i, name := range list {
				cells[i] = cell(name)
			}
			rows, err := texts("SELECT " + strings.Join(cells, " || ',' || ") + ` AS line FROM "` + table + `"`)
			if err != nil {
				return err
			}
			slices.Sort(rows)
			content[table] = strings.Join(rows, "\n")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// difference returns the lines that only one of the texts has.
func difference(before, after string) string {
	var out []string
	old, new := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, line := range old {
		if !slices.Contains(new, line) {
			out = append(out, "- "+line)
		}
	}
	for _, line := range new {
		if !slices.Contains(old, line) {
			out = append(out, "+ "+line)
		}
	}
	return strings.Join(out, "\n")
}

func TestLeavesNoTrace(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		before := s.rows(t)
		s.leavesNoTrace(t, func() {
			s.get("/api/v10/applicants").want(t, 200)
			s.postForm("/api/v10/applicants/trackers", "code=x").want(t, 400)
		})
		s.postForm("/api/v10/applicants/trackers", "code=fair").want(t, 201)
		after := s.rows(t)
		if before["tracker"] == after["tracker"] || before["journal"] == after["journal"] || before["offer_type"] == "" {
			t.Fatal("a change was not seen")
		}
	})
}
