package store

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"

	"github.com/admitto/admitto/store/db"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one numbered step of the schema. It never changes once it was released: the checksum of
// what was applied is kept and compared.
type migration struct {
	name     string // 0001_core
	text     string
	checksum string
}

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
		list = append(list, migration{name, d.ddl(string(text)), hex.EncodeToString(sum[:])})
	}
	return list, nil
}

// Migrate brings the database to the schema of this binary and answers the names of the steps it took;
// with dryRun it only tells which are missing. Each step is one transaction; several instances may call it
// at once. A database that is newer than the binary, or whose applied steps differ, is an error.
func (s *Store) Migrate(ctx context.Context, dryRun bool) (steps []string, err error) {
	list, err := s.dialect.migrations()
	if err != nil {
		return nil, err
	}
	if dryRun {
		err = s.Read(ctx, func(tx *Tx) error {
			missing, err := tx.missing(list)
			for _, m := range missing {
				steps = append(steps, m.name)
			}
			return err
		})
		return steps, err
	}
	for {
		var taken string
		err := s.Write(ctx, func(tx *Tx) error {
			if err := tx.lockMigrations(); err != nil {
				return err
			}
			taken = ""
			missing, err := tx.missing(list)
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

// Ready answers nil when the database is reachable and has exactly the schema of this binary.
func (s *Store) Ready(ctx context.Context) error {
	missing, err := s.Migrate(ctx, true)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("the database lacks the migrations %s", strings.Join(missing, ", "))
	}
	return err
}

func (tx *Tx) missing(list []migration) ([]migration, error) {
	applied, err := tx.applied()
	if err == nil && len(applied) > 0 {
		err = tx.whole()
	}
	if err != nil {
		return nil, err
	}
	for i, a := range applied {
		switch {
		case i >= len(list):
			return nil, fmt.Errorf("the database has migration %s, which this binary does not know: it was made by a newer release", a.name)
		case a.name != list[i].name || a.checksum != list[i].checksum:
			return nil, fmt.Errorf("migration %s of the database is not the %s of this binary", a.name, list[i].name)
		}
	}
	return list[len(applied):], nil
}

func (tx *Tx) applied() (list []migration, err error) {
	exists, err := tx.hasTable("migration")
	if err != nil || !exists {
		return nil, err
	}
	err = each(tx.Query("SELECT name, checksum FROM migration ORDER BY name"), func(r *db.Rows) {
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
		_, err = tx.Exec("CREATE TABLE migration (name text PRIMARY KEY, checksum text NOT NULL, applied bigint NOT NULL)")
		if err != nil {
			return err
		}
	}
	if err := tx.Script(m.text); err != nil {
		return fmt.Errorf("migration %s: %w", m.name, err)
	}
	_, err = tx.Exec("INSERT INTO migration (name, checksum, applied) VALUES ($1, $2, $3)", m.name, m.checksum, tx.Now())
	return err
}

// hasTable tells whether the table exists in the present schema.
func (tx *Tx) hasTable(name string) (bool, error) {
	sql := "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1"
	if tx.dialect.engine == db.PostgreSQL {
		sql = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1"
	}
	n, err := tx.number(sql, name)
	return n > 0, err
}
