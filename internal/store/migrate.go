package store

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/store/db"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one numbered step of the schema. It never changes once it was released: the checksum of
// what was applied is kept and compared.
type migration struct {
	name     string // 0001_core
	text     string
	checksum string
	// needs is what a binary that does not know the step must know to work next to it: "" is nothing, as with a step
	// that only adds; else the name of an earlier step, or that of the step itself when no earlier release may. The
	// database keeps it, so that an old binary can tell.
	needs string
}

// needsMark begins the line of a migration that says what it needs: "-- needs: 0007_needs".
const needsMark = "-- needs: "

// migrations lists the steps of the engine in order. A file NNNN_name.<engine>.sql is the part of step
// NNNN_name that only this engine has, and runs after the common part.
func (d dialect) migrations() ([]migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted by name
	if err != nil {
		return nil, err
	}
	var list []migration
	for _, file := range names {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "migrations/"), ".sql")
		if strings.Contains(name, ".") { // the part of one engine
			continue
		}
		text, err := fs.ReadFile(migrationFiles, file)
		if err != nil {
			return nil, err
		}
		if own, err := fs.ReadFile(migrationFiles, "migrations/"+name+"."+d.suffix()+".sql"); err == nil {
			text = append(append(text, '\n'), own...)
		}
		sum := sha256.Sum256(text)
		list = append(list, migration{name, d.ddl(string(text)), hex.EncodeToString(sum[:]), needsOf(string(text))})
	}
	return list, nil
}

// needsOf reads what a migration needs from its text.
func needsOf(text string) string {
	for line := range strings.Lines(text) {
		if name, found := strings.CutPrefix(line, needsMark); found {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// Migrate brings the database to the schema of this binary and answers the names of the steps it took;
// with dryRun it only tells which are missing. Each step is one transaction; several instances may call it
// at once, also next to instances of an earlier release. A database whose applied steps differ is an error, and so is
// one that is newer unless this binary can work next to what is new (Ahead).
func (s *Store) Migrate(ctx context.Context, dryRun bool) (steps []string, err error) {
	list, err := s.dialect.migrations()
	if err != nil {
		return nil, err
	}
	if dryRun {
		steps, _, err = s.compare(ctx, list)
		return steps, err
	}
	return s.migrate(ctx, list)
}

// migrate takes the steps of the list that are missing.
func (s *Store) migrate(ctx context.Context, list []migration) (steps []string, err error) {
	for {
		var taken string
		err := s.Write(ctx, func(tx *Tx) error {
			if err := tx.lockMigrations(); err != nil {
				return err
			}
			taken = ""
			missing, _, err := tx.compare(list)
			if err != nil || len(missing) == 0 {
				return err
			}
			taken = missing[0].name
			return tx.apply(missing[0])
		})
		if err != nil || taken == "" {
			return steps, err
		}
		steps = append(steps, taken)
	}
}

// Ready answers nil when the database is reachable and has a schema that this binary can work with: its own, or a
// newer one that lets it.
func (s *Store) Ready(ctx context.Context) error {
	missing, err := s.Migrate(ctx, true)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("the database lacks the migrations %s: run admitto migrate", strings.Join(missing, ", "))
	}
	return err
}

// Ahead names the steps that a newer release has taken in the database and that this binary can work next to.
func (s *Store) Ahead(ctx context.Context) (steps []string, err error) {
	list, err := s.dialect.migrations()
	if err == nil {
		_, steps, err = s.compare(ctx, list)
	}
	return steps, err
}

// compare names the steps that are missing in the database and those that it is ahead.
func (s *Store) compare(ctx context.Context, list []migration) (missing, ahead []string, err error) {
	err = s.Read(ctx, func(tx *Tx) error {
		steps, newer, err := tx.compare(list)
		for _, m := range steps {
			missing = append(missing, m.name)
		}
		ahead = newer
		return err
	})
	return missing, ahead, err
}

// compare returns the steps of the list that the database lacks, and those that it has beyond the list. The error says
// why a binary with the list cannot work with the database.
func (tx *Tx) compare(list []migration) (missing []migration, ahead []string, err error) {
	applied, err := tx.applied()
	if err == nil && len(applied) > 0 {
		err = tx.whole()
	}
	if err != nil {
		return nil, nil, err
	}
	known := min(len(applied), len(list))
	for i, a := range applied[:known] {
		if a.name != list[i].name || a.checksum != list[i].checksum {
			return nil, nil, fmt.Errorf("migration %s of the database is not the %s of this binary", a.name, list[i].name)
		}
	}
	if len(applied) > known {
		ahead, err = tx.newerSteps(list, applied[known:])
	}
	return list[known:], ahead, err
}

// newerSteps returns the names of the steps that a newer release has taken, unless one of them needs what a binary with
// the list does not know.
func (tx *Tx) newerSteps(list, newer []migration) (names []string, err error) {
	needs := map[string]string{}
	err = each(tx.query("SELECT name, needs FROM migration"), func(r *db.Rows) { needs[r.Text(0)] = r.Text(1) })
	if err != nil {
		return nil, err
	}
	for _, m := range newer {
		need := needs[m.name]
		if need != "" && !slices.ContainsFunc(list, func(known migration) bool { return known.name == need }) {
			return nil, fmt.Errorf("a newer release has brought the database to migration %s, which this binary cannot work with: "+
				"start the newer release", m.name)
		}
		names = append(names, m.name)
	}
	return names, nil
}

func (tx *Tx) applied() (list []migration, err error) {
	exists, err := tx.hasTable("migration")
	if err != nil || !exists {
		return nil, err
	}
	err = each(tx.query("SELECT name, checksum FROM migration ORDER BY name"), func(r *db.Rows) {
		list = append(list, migration{name: r.Text(0), checksum: r.Text(1)})
	})
	return list, err
}

func (tx *Tx) apply(m migration) error {
	exists, err := tx.hasTable("migration")
	if err != nil {
		return err
	}
	if !exists {
		_, err = tx.exec("CREATE TABLE migration (name text PRIMARY KEY, checksum text NOT NULL, applied bigint NOT NULL)")
		if err != nil {
			return err
		}
	}
	if err := tx.sql.Script(m.text); err != nil {
		return fmt.Errorf("migration %s: %w", m.name, err)
	}
	_, err = tx.exec("INSERT INTO migration (name, checksum, applied) VALUES ($1, $2, $3)", m.name, m.checksum, tx.Now())
	if err == nil && m.needs != "" { // the column came with 0007_needs
		_, err = tx.exec("UPDATE migration SET needs = $2 WHERE name = $1", m.name, m.needs)
	}
	return err
}

// hasTable reports whether the table exists in the current schema.
func (tx *Tx) hasTable(name string) (bool, error) {
	sql := "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1"
	if tx.dialect.engine == db.PostgreSQL {
		sql = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1"
	}
	n, err := tx.number(sql, name)
	return n > 0, err
}
