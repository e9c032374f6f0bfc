package main

import (
	"context"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// The one who can write to the database cannot change the journal without journal verify telling where.
func TestBrokenJournal(t *testing.T) {
	for name, c := range map[string]struct{ tamper, id, says string }{
		"changed": {"UPDATE journal SET bind = '[\"7\"]' WHERE id = 2", "2", "its hash does not fit"},
		"removed": {"DELETE FROM journal WHERE id = 2", "2", "the record is missing"},
		"cut off": {"DELETE FROM journal_detail; DELETE FROM journal WHERE id = 4", "4", "the record is missing"},
		"details": {"DELETE FROM journal_detail WHERE journal_id = 4", "4", "its details are missing"},
		"head":    {"UPDATE journal_head SET hash = '" + strings.Repeat("0", 64) + "'", "4", "the head of the chain"},
	} {
		t.Run(name, func(t *testing.T) {
			data := "--data=" + newPlace(t).folder
			for range 3 {
				if code, _, stderr := call(nil, "keys", "create", "--name=x", data); code != 0 {
					t.Fatal(stderr)
				}
			}
			if code, stdout, stderr := call(nil, "journal", "verify", data); code != 0 || stdout != "" {
				t.Fatalf("status %d: %s%s", code, stdout, stderr)
			}
			s, err := store.Open(context.Background(), "sqlite:"+strings.TrimPrefix(data, "--data=")+"/admitto.db", db.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Write(context.Background(), func(tx *store.Tx) error {
				tx.Record(admitto.System(), admitto.Event{Pattern: admitto.CourseCreated,
					Details: []admitto.Detail{{Path: "name", New: "x"}}})
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			tamper := func(script string) error {
				return s.Write(context.Background(), func(tx *store.Tx) error { return sqltest.In(tx).Script(script) })
			}
			if !strings.Contains(c.tamper, "journal_head") {
				if err := tamper(c.tamper); err == nil || !strings.Contains(err.Error(), "takes inserts only") {
					t.Errorf("the trigger lets it pass: %v", err)
				}
			}
			if err := tamper("DROP TRIGGER journal_no_update; DROP TRIGGER journal_no_delete; DROP TRIGGER journal_detail_no_delete; " + c.tamper); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := call(nil, "journal", "verify", data)
			if code != 1 || stdout != c.id+"\n" || !strings.Contains(stderr, "broken at record "+c.id) ||
				!strings.Contains(stderr, c.says) {
				t.Errorf("status %d: %s%s", code, stdout, stderr)
			}
		})
	}
}

// What administrators saved is shown as such, and loses against what comes from outside; a value that does
// not fit any more is a fault that names its origin.
func TestConfigWithDatabase(t *testing.T) {
	data := "--data=" + t.TempDir()
	if code, _, stderr := call(nil, "migrate", data); code != 0 {
		t.Fatal(stderr)
	}
	s, err := store.Open(context.Background(), "sqlite:"+strings.TrimPrefix(data, "--data=")+"/admitto.db", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Write(context.Background(), func(tx *store.Tx) error {
		return sqltest.In(tx).Script("INSERT INTO setting (name, value) VALUES ('quota.per_minute', '7'), ('instance.name', 'North')")
	})
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call([]string{"ADMITTO_INSTANCE_NAME=South"}, "config", data)
	lines := map[string]string{}
	for line := range strings.Lines(stdout) {
		fields := strings.Fields(line)
		lines[fields[0]] = strings.Join(fields[1:3], " ")
	}
	if code != 0 || !strings.HasPrefix(stderr, "Database: ") || strings.Count(stderr, "\n") != 1 ||
		!strings.HasPrefix(lines["quota.per_minute"], "7 ") || strings.HasSuffix(lines["quota.per_minute"], "default") ||
		lines["instance.name"] != "South environment" {
		t.Errorf("status %d: %s%s", code, stdout, stderr)
	}
}
