package db_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{
		"", "mysql://u:secret@host/db", "secret", "oracle:secret", "sqlite:", "sqlite::memory:", "sqlite:file:x?mode=memory",
		"sqlite://x/y",
		"postgres://u:secret@host:wrongport/db", "postgres://u:se%zzsecret@host/db",
		"postgres://u:secret@host/db?sslmode=wrong",
		"sqlite:" + filepath.Join(t.TempDir(), "missing", "missing", "x.db"),
	} {
		d, err := db.Open(t.Context(), url, db.Options{})
		if err == nil {
			_ = d.Close()
		}
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
	start := time.Now()
	_, err := db.Open(t.Context(), "postgres://u:secret@127.0.0.1:1/db?sslmode=disable", db.Options{})
	wantUnavailable(t, err)
	if strings.Contains(err.Error(), "secret") || time.Since(start) > 5*time.Second {
		t.Error(err)
	}
}

func TestFileMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "admitto.db")
	d, err := db.Open(t.Context(), "sqlite:"+path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(t.Context(), func(tx *db.Tx) error { return tx.Script("CREATE TABLE a (b text)") }); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, path + "-wal": 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("the log was not folded back")
	}
}

func TestSettings(t *testing.T) {
	e := open(t, "sqlite:"+filepath.Join(t.TempDir(), "x.db"), db.Options{})
	check := func(cache, readOnly int64) func(tx *db.Tx) error {
		return func(tx *db.Tx) error {
			for name, want := range map[string]int64{
				"synchronous": 2, "foreign_keys": 1, "trusted_schema": 0, "temp_store": 2, "journal_size_limit": 64 << 20,
				"cache_size": cache, "query_only": readOnly,
			} {
				if got, err := number(tx, "PRAGMA "+name); got != want || err != nil {
					t.Errorf("%s is %d, want %d (%v)", name, got, want, err)
				}
			}
			mode, err := texts(tx, "PRAGMA journal_mode")
			if len(mode) != 1 || mode[0] != "wal" {
				t.Errorf("journal_mode is %q", mode)
			}
			return err
		}
	}
	e.write(t, check(-8192, 0))
	e.read(t, check(-2048, 1))
}

// TestBrokenConnection ends the server's side of every connection, as a restart does.
func TestBrokenConnection(t *testing.T) {
	url, ok := dbtest.Postgres(t)
	if !ok {
		t.Skip("PostgreSQL is missing: install it (apt-get install postgresql) or set ADMITTO_TEST_POSTGRES")
	}
	e := open(t, url, db.Options{Readers: 2})
	other := open(t, url, db.Options{Readers: 1})
	err := e.Write(e.ctx, func(tx *db.Tx) error {
		pid, err := number(tx, "SELECT pg_backend_pid()")
		if err != nil {
			return err
		}
		other.write(t, func(tx *db.Tx) error { return tx.Query("SELECT pg_terminate_backend($1)", pid).Close() })
		_, err = number(tx, "SELECT 1")
		wantUnavailable(t, err)
		return err
	})
	wantUnavailable(t, err)
	e.read(t, func(tx *db.Tx) error { _, err := number(tx, "SELECT 1"); return err })
}

func FuzzRewrite(f *testing.F) {
	for _, s := range []string{
		"SELECT $1", "$2$1", "'$1'", "'it''s $1' || $1", `"a$1" = $1`, "-- $1\n$1", "/* $1 */ $1", "a$1", "`$1`", "$x", "$",
		"'$1", "/*$1",
		"é$1", "1$1", "$1a", "--", "-$1", "a/$1/b", "?", "'?'", "x'00'$1",
	} {
		f.Add(s)
	}
	// The same rules once more, as a pattern: what is left alone, or a parameter.
	pattern := regexp.MustCompile(`(?s)'[^']*(?:'|\z)|"[^"]*(?:"|\z)|` + "`[^`]*(?:`|\\z)" +
		`|--[^\n]*|/\*.*?(?:\*/|\z)|[0-9A-Za-z_\x{80}-\x{10FFFF}][0-9A-Za-z_$\x{80}-\x{10FFFF}]*|\$[0-9]|\?`)
	f.Fuzz(func(t *testing.T, sql string) {
		got, err := db.Rewrite(sql)
		sql = strings.ToValidUTF8(sql, "é") // the pattern knows no other text
		if valid, _ := db.Rewrite(sql); valid != got && strings.ToValidUTF8(got, "é") != valid {
			t.Fatalf("%q and %q differ", got, valid)
		}
		question := false
		want := pattern.ReplaceAllStringFunc(sql, func(s string) string {
			question = question || s == "?"
			if s[0] == '$' {
				return "?" + s[1:]
			}
			return s
		})
		if (err != nil) != question {
			t.Fatalf("%q: %v", sql, err)
		}
		if err == nil && strings.ToValidUTF8(got, "é") != want {
			t.Fatalf("%q: got %q, want %q", sql, got, want)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	urls := map[string]string{"sqlite": "sqlite:" + filepath.Join(b.TempDir(), "scan.db")}
	if url, ok := dbtest.Postgres(b); ok {
		urls["postgres"] = url
	}
	for name, url := range urls {
		d, err := db.Open(b.Context(), url, db.Options{})
		if err != nil {
			b.Fatal(err)
		}
		err = d.Write(b.Context(), func(tx *db.Tx) error {
			if err := tx.Script("DROP TABLE IF EXISTS scan; CREATE TABLE scan (id bigint PRIMARY KEY, a bigint, t1 bigint, t2 bigint, b boolean," +
				" d text, s1 text, s2 text, s3 text, s4 text, s5 text, s6 text)"); err != nil {
				return err
			}
			return tx.Bulk("INSERT INTO scan VALUES ($1, $1, $2, $2, true, '2026-03-01', $3, $3, 'open', 'CZ', '', $4)",
				func(yield func([]any) bool) {
					for i := range 16_384 {
						if !yield([]any{i, 1_772_355_600_000_000 + i, "Surname Lastname", "applicant@example.org"}) {
							return
						}
					}
				})
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Read(b.Context(), func(tx *db.Tx) error {
					rows, n := tx.Query("SELECT * FROM scan WHERE id >= $1 ORDER BY id", 0), 0
					for rows.Next() {
						n++
						for i := range 4 {
							rows.Int64(i)
						}
						rows.Bool(4)
						rows.Date(5)
						for i := 6; i < 12; i++ {
							rows.Text(i)
						}
					}
					if n != 16_384 {
						b.Errorf("%d rows", n)
					}
					return rows.Close()
				}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/one", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Read(b.Context(), func(tx *db.Tx) error {
					_, err := texts(tx, "SELECT s1 FROM scan WHERE id = $1", 77)
					return err
				}); err != nil {
					b.Fatal(err)
				}
			}
		})
		if err := d.Close(); err != nil {
			b.Error(err)
		}
	}
}
