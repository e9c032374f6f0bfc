package store

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

// lastOfFirst is the last migration of the first release. Those up to it may do everything, since nothing is older.
const lastOfFirst = "0006_lens"

// Comments, and the values of texts, do nothing; names in a schema of ours are plain.
var (
	sqlComment = regexp.MustCompile(`(?m)--.*$`)
	sqlText    = regexp.MustCompile(`'[^']*'`)
	newTable   = regexp.MustCompile(`CREATE (?:UNLOGGED )?TABLE (\w+)`)
	onTable    = regexp.MustCompile(`(?:CREATE UNIQUE INDEX \w+ ON|ALTER TABLE) (\w+)`)
	reference  = regexp.MustCompile(`REFERENCES (\w+)[^,;]*`)
)

// breaks tells what in the text of a migration an instance of the release before could not live with, "" when there is
// nothing that a machine can find.
func breaks(text string) string {
	text = sqlText.ReplaceAllString(sqlComment.ReplaceAllString(text, ""), "''")
	text = strings.ToUpper(strings.Join(strings.Fields(text), " "))
	fresh := map[string]bool{}
	for _, match := range newTable.FindAllStringSubmatch(text, -1) {
		fresh[match[1]] = true
	}
	for statement := range strings.SplitSeq(text, ";") {
		has := func(words string) bool { return regexp.MustCompile(`\b(?:` + words + `)\b`).MatchString(statement) }
		for _, match := range reference.FindAllStringSubmatch(statement, -1) {
			if !fresh[match[1]] && !strings.Contains(match[0], "ON DELETE") {
				return "an old release can no longer delete what is referred to without ON DELETE: " + match[0]
			}
		}
		on := onTable.FindStringSubmatch(statement)
		switch old := on != nil && !fresh[on[1]]; {
		case has("DROP|RENAME|TRUNCATE|DELETE FROM"):
			return "takes away what an old release needs: " + statement
		case has("RAISE|OR REPLACE"):
			return "refuses or changes what an old release does: " + statement
		case old && has("ALTER COLUMN"):
			return "changes a column: " + statement
		case old && has("UNIQUE|CHECK|CONSTRAINT|PRIMARY KEY|FOREIGN KEY"):
			return "constrains the rows of an old release: " + statement
		case old && has("NOT NULL") && !has("DEFAULT|GENERATED"):
			return "wants a value that an old release does not give: " + statement
		}
	}
	return ""
}

func TestBreaks(t *testing.T) {
	for _, text := range []string{
		"DROP TABLE note", "ALTER TABLE note DROP COLUMN text", "alter table note\n rename text TO body",
		"DROP INDEX note_applicant",
		"ALTER TABLE note ALTER COLUMN pinned SET NOT NULL",
		"ALTER TABLE note ALTER pinned TYPE bigint, ALTER COLUMN text TYPE bytea",
		"ALTER TABLE note ADD COLUMN author text NOT NULL",
		"ALTER TABLE note ADD author bigint NOT NULL CHECK (author > 0) DEFAULT 1",
		"CREATE TABLE other (id bigint); ALTER TABLE note ADD CONSTRAINT c CHECK (id > 0)",
		"CREATE UNIQUE INDEX note_text ON note (text)",
		"CREATE TABLE other (id {serial}, note_id bigint NOT NULL REFERENCES note (id));",
		"DELETE FROM note WHERE removed > 0",
		"CREATE TRIGGER t BEFORE UPDATE ON note BEGIN SELECT RAISE(ABORT, 'no'); END",
		"CREATE OR REPLACE FUNCTION journal_inserts_only() …",
		"ALTER TABLE note ADD COLUMN author bigint REFERENCES administrator (id)",
	} {
		if breaks(text) == "" {
			t.Errorf("an old release was to live with: %s", text)
		}
	}
	for _, text := range []string{
		"CREATE TABLE other (id {serial}, note_id bigint NOT NULL UNIQUE REFERENCES note (id) ON DELETE CASCADE, CHECK (id > 0))",
		"CREATE TABLE other (id {serial}); CREATE UNIQUE INDEX other_id ON other (id); ALTER TABLE other ADD COLUMN a text NOT NULL",
		"ALTER TABLE note ADD COLUMN author text NOT NULL DEFAULT ''; -- DROP it some day\nUPDATE note SET author = 'DROP'",
		"ALTER TABLE note ADD COLUMN author bigint REFERENCES administrator (id) ON DELETE SET NULL; CREATE INDEX note_author ON note (author)",
		"ALTER TABLE note ADD COLUMN long boolean NOT NULL GENERATED ALWAYS AS (length(text) > 80) STORED",
	} {
		if reason := breaks(text); reason != "" {
			t.Errorf("%s: %s", text, reason)
		}
	}
}

// harmless tells why a migration in which breaks finds something needs nothing all the same.
func harmless(name string) string {
	return map[string]string{
		"0011_details":  "it refuses what no release does; testInsertsOnly of storetest erases as they do",
		"0012_removing": "it refuses to store bytes in the moments in which a newer instance removes the same ones; sent again they are taken",
	}[name]
}

// Instances of the release before go on next to a new one, and it may be started again, unless a migration says that
// they cannot. So what they cannot live with must be said.
func TestMigrationsLetOldReleasesLive(t *testing.T) {
	paths, err := filepath.Glob("migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	marked := regexp.MustCompile(`(?im)^\s*--\s*needs\b.*$`)
	numbered := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		number, _, _ := strings.Cut(name, "_")
		if other, taken := numbered[number]; taken && other != name {
			t.Errorf("%s and %s have the same number", other, name)
		}
		numbered[number] = name
		need := needsOf(string(text))
		for _, line := range marked.FindAllString(string(text), -1) {
			if line != needsMark+need {
				t.Errorf("%s: the line %q is not read; it is to be %q and the name of one migration", path, line, needsMark)
			}
		}
		if _, err := os.Stat("migrations/" + need + ".sql"); need != "" &&
			(err != nil || need > name || need <= lastOfFirst) {
			t.Errorf("%s needs %s, which is no migration after %s up to itself", path, need, lastOfFirst)
		}
		if reason := breaks(string(text)); name > lastOfFirst && need == "" && reason != "" && harmless(name) == "" {
			t.Errorf("%s %s\nDo it in two releases (CONTRIBUTING.md, A migration), or say that earlier releases must stop: %s%s",
				path, reason, needsMark, name)
		}
	}
	if first, _ := os.ReadFile("migrations/0001_core.sql"); breaks(string(first)) != "" || len(paths) < 11 {
		t.Errorf("%d migrations were found, and the first, which only makes tables, breaks: %s", len(paths),
			breaks(string(first)))
	}
}

// newer is the list of a later release, which has two more steps; the second needs what is given.
func newer(t *testing.T, s *Store, needs string) []migration {
	t.Helper()
	list, err := s.dialect.migrations()
	if err != nil {
		t.Fatal(err)
	}
	return append(slices.Clone(list),
		migration{name: "9998_added", text: "ALTER TABLE tracker ADD COLUMN later text NOT NULL DEFAULT ''", checksum: "a"},
		migration{name: "9999_later", text: "CREATE TABLE later (id bigint PRIMARY KEY)", checksum: "b", needs: needs})
}

// A newer release migrates and says what its steps need; older ones read that in the database.
func TestOldNextToNew(t *testing.T) {
	for needs, older := range map[string]struct{ fine, betweenFine bool }{
		"":           {true, true},
		"0007_needs": {true, true},
		"9998_added": {false, true},
		"9999_later": {false, false},
	} {
		t.Run("needs "+needs, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
				s := opened(t, url, o)
				if _, err := s.Migrate(t.Context(), false); err != nil {
					t.Fatal(err)
				}
				list := newer(t, s, needs)
				if steps, err := s.migrate(t.Context(), list); err != nil || len(steps) != 2 {
					t.Fatal(steps, err)
				}
				_, between, err := s.compare(t.Context(), list[:len(list)-1])
				if (err == nil) != older.betweenFine || err == nil && !slices.Equal(between, []string{"9999_later"}) {
					t.Errorf("the release between is behind by %v, %v", between, err)
				}
				if err := s.Ready(t.Context()); (err == nil) != older.fine || err != nil &&
					!strings.Contains(err.Error(), "9999_later, which this binary cannot work with") {
					t.Errorf("the old release is ready: %v", err)
				}
				if steps, err := s.migrate(t.Context(), list); err != nil || len(steps) != 0 {
					t.Errorf("the new release took %v, %v", steps, err)
				}
			})
		})
	}
}

func opened(t *testing.T, url string, o db.Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// A migration that waits for a long read gives way to those who wait behind it, and comes to its end after the read.
func TestMigrationGivesWay(t *testing.T) {
	url, o := dbtest.Schema(t)
	s := opened(t, url, o)
	if _, err := s.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	migrated := make(chan error, 1)
	count := func(tx *Tx) error { _, err := tx.number("SELECT count(*) FROM tracker"); return err }
	err := s.Read(ctx, func(tx *Tx) error {
		if err := count(tx); err != nil {
			return err
		}
		go func() {
			_, err := s.migrate(ctx, newer(t, s, ""))
			migrated <- err
		}()
		for waiting := int64(0); waiting == 0; {
			err := s.Read(ctx, func(tx *Tx) (err error) {
				waiting, err = tx.number("SELECT count(*) FROM pg_locks WHERE relation = to_regclass('tracker') AND NOT granted")
				return err
			})
			if err != nil {
				return err
			}
		}
		return s.Read(ctx, count) // behind the migration, which waits for the read around
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Error(err)
	}
}
