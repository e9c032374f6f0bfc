package api_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// accounts are tables that requests write whatever they are answered: when a key was last used, quotas, the
// calls of Idempotency-Key; and the queue of the words that applicants are found by.
var accounts = []string{"api_key", "quota", "quota_window", "idempotency", "job_run", "job_outcome", "journal_check",
	"search_due"}

// leavesNoTrace fails the test when the calls in do change a row of any table or a stored file.
func (s *service) leavesNoTrace(t testing.TB, do func()) {
	t.Helper()
	before := s.rows(t)
	do()
	after := s.rows(t)
	both := maps.Clone(before)
	maps.Copy(both, after)
	for _, table := range slices.Sorted(maps.Keys(both)) {
		if before[table] != after[table] {
			t.Fatalf("table %s was changed:\n%s", table, difference(before[table], after[table]))
		}
	}
}

// rows returns the content of every table that has rows as text.
func (s *service) rows(t testing.TB) map[string]string {
	t.Helper()
	return s.contents(t, accounts...)
}

// contents returns the content of every table that has rows as text, but for some. One statement reads them all, and
// none where nothing was written since, as tests compare them around every request that is refused.
func (s *service) contents(t testing.TB, without ...string) map[string]string {
	t.Helper()
	lines := s.read
	if now := s.commits(t); now == "" || now != s.readAt {
		lines = s.lines(t)
		s.read, s.readAt = lines, now
	}
	content := map[string]string{}
	for table, list := range lines {
		if !slices.Contains(without, table) {
			content[table] = list
		}
	}
	return content
}

// commits is another text after every transaction that has written to the database, whichever connection it was on, and
// "" where that cannot be had. It is the head of the index of SQLite's log, where each commit is counted.
func (s *service) commits(t testing.TB) string {
	t.Helper()
	path, ok := strings.CutPrefix(s.url, "sqlite:")
	if !ok {
		return ""
	}
	f, err := os.Open(path + "-shm")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head := make([]byte, 48)
	if _, err := f.ReadAt(head, 0); err != nil {
		t.Fatal(err)
	}
	return string(head)
}

// lines reads all rows of the database, those of each table in their order as text.
func (s *service) lines(t testing.TB) map[string]string {
	t.Helper()
	lines := map[string][]string{}
	err := s.store.Read(context.Background(), func(tx *store.Tx) (err error) {
		if s.everyRow == "" {
			if s.everyRow, err = everyRow(tx, s.store.Shared()); err != nil {
				return err
			}
		}
		rows := sqltest.In(tx).Query(s.everyRow)
		for rows.Next() {
			table := rows.Text(0)
			lines[table] = append(lines[table], rows.Text(1))
		}
		return rows.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	content := map[string]string{}
	for table, list := range lines {
		slices.Sort(list)
		content[table] = strings.Join(list, "\n")
	}
	return content
}

// everyRow is the statement that returns every row of every table as text, with the name of its table before it.
func everyRow(tx *store.Tx, shared bool) (string, error) {
	texts := func(sql string, args ...any) (list []string, err error) {
		rows := sqltest.In(tx).Query(sql, args...)
		for rows.Next() {
			list = append(list, rows.Text(0))
		}
		return list, rows.Close()
	}
	names := "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1"
	if shared {
		names = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
	}
	tables, err := texts(names)
	if err != nil {
		return "", err
	}
	for i, name := range tables {
		line := "t::text"
		if !shared {
			columns, err := texts("SELECT name FROM pragma_table_info($1)", name)
			if err != nil {
				return "", err
			}
			line = `quote("` + strings.Join(columns, `") || ',' || quote("`) + `")`
		}
		tables[i] = "SELECT '" + name + "', " + line + ` FROM "` + name + `" t`
	}
	return strings.Join(tables, " UNION ALL "), nil
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
	onEach(t, func(t *testing.T, s *service) {
		before := s.rows(t)
		s.leavesNoTrace(t, func() {
			s.get("/api/v10/applicants").want(t, 200)
			s.postForm("/api/v10/applicants/trackers", "code=x").want(t, 400)
		})
		s.postForm("/api/v10/applicants/trackers", "code=fair").want(t, 201)
		after := s.rows(t)
		if before["tracker"] == after["tracker"] || before["journal"] == after["journal"] ||
			before["offer_type"] == "" {
			t.Fatal("a change was not seen")
		}
	})
}

// What contents returns is never older than what was written last, by whatever connection.
func TestContentsAreFresh(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		other, err := store.Open(t.Context(), s.url, s.db)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		for i, by := range []*store.Store{s.store, other, s.store} {
			before := s.contents(t)
			if again := s.contents(t); !maps.Equal(before, again) {
				t.Errorf("%d: it changes by itself", i)
			}
			err := by.Write(t.Context(), func(tx *store.Tx) error {
				_, err := sqltest.In(tx).Exec("UPDATE api_key SET label = $1", fmt.Sprint("name ", i))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if after := s.contents(t); before["api_key"] == after["api_key"] {
				t.Errorf("%d: what was written is not seen", i)
			}
		}
	})
}
