package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// SchemaStep is a migration that a database has taken, with the checksum of its text.
type SchemaStep struct {
	Name     string `json:"name"`
	Checksum string `json:"checksum"`
}

// EngineName names the engine, as CheckSteps takes it.
func (s *Store) EngineName() string { return s.db.Engine().String() }

// SchemaSteps returns the migrations that this database has taken, in order.
func (tx *Tx) SchemaSteps() (steps []SchemaStep, err error) {
	applied, err := tx.applied()
	for _, m := range applied {
		steps = append(steps, SchemaStep{m.name, m.checksum})
	}
	return steps, err
}

// CheckSteps reports whether this binary knows the schema of a backup from the engine, by the steps it has taken, and
// how many steps it lacks. The error says why not: it is newer, or of another product.
func CheckSteps(engine string, steps []SchemaStep) (lacks int, err error) {
	origin := db.SQLite
	switch engine {
	case db.SQLite.String():
	case db.PostgreSQL.String():
		origin = db.PostgreSQL
	default:
		return 0, fmt.Errorf("the backup is of an engine %.40q, which this binary does not know", engine)
	}
	list, err := dialectOf(origin).migrations()
	if err != nil {
		return 0, err
	}
	for i, step := range steps {
		switch {
		case i >= len(list):
			return 0, fmt.Errorf("the backup has migration %.80s, which this binary does not know: it was made by a newer release", step.Name)
		case step.Name != list[i].name || step.Checksum != list[i].checksum:
			return 0, fmt.Errorf("migration %.80s of the backup is not the %s of this binary", step.Name, list[i].name)
		}
	}
	if len(steps) == 0 {
		return 0, errors.New("the backup has no schema")
	}
	return len(list) - len(steps), nil
}

// restoringFact marks a database that is being restored, and says since when.
const restoringFact = "restoring"

// Restoring returns since when the database is being restored, "" when it is not.
func (tx *Tx) Restoring() (since string, err error) { return tx.InstanceFact(restoringFact) }

// whole refuses a database that restoring has left half way.
func (tx *Tx) whole() error {
	since, err := tx.InstanceFact(restoringFact)
	if err == nil && since != "" {
		err = admitto.Errorf(admitto.NotAllowedNow,
			"This instance is half restored (begun %s). Run admitto restore again, or admitto copy "+
				"if it was to be a copy: it empties the instance and starts again.", since)
	}
	return err
}

// Prepare makes an empty database ready for the rows of a backup whose schema has the steps: it brings the schema
// there, marks the database as half restored, and notes the files that will be stored as loose, so that those of a
// restore that never comes to its end are removed some day. A database is empty when it has no tables, only what the
// first start puts there, or the mark of an earlier Prepare; another is refused with admitto.NotAllowedNow.
func (s *Store) Prepare(ctx context.Context, steps int, files []string) error {
	list, err := s.dialect.migrations()
	if err != nil {
		return err
	}
	if steps > len(list) {
		return errors.New("what is to be brought here has a newer schema than this binary: use the newer release")
	}
	return s.Write(ctx, func(tx *Tx) error {
		if err := tx.lockMigrations(); err != nil {
			return err
		}
		applied, err := tx.applied()
		if err != nil {
			return err
		}
		if err := tx.mayReplace(len(applied) > 0); err != nil {
			return err
		}
		if len(applied) > steps {
			return admitto.Errorf(admitto.NotAllowedNow,
				"The database has a newer schema than the backup already. Give an older backup a database without "+
					"tables: another data folder, or on PostgreSQL another schema.")
		}
		for i, m := range list[:steps] {
			switch {
			case i >= len(applied):
				err = tx.apply(m)
			case applied[i].name != m.name || applied[i].checksum != m.checksum:
				err = fmt.Errorf("migration %s of the database is not the %s of this binary", applied[i].name, m.name)
			}
			if err != nil {
				return err
			}
		}
		if err := tx.SetInstanceFact(restoringFact, tx.Now().String()); err != nil {
			return err
		}
		return tx.noteLoose(files)
	})
}

// mayReplace refuses a database in which something is that nobody may lose.
func (tx *Tx) mayReplace(hasTables bool) error {
	if !hasTables {
		return nil
	}
	since, err := tx.InstanceFact(restoringFact)
	if err != nil || since != "" {
		return err
	}
	blank, err := tx.Blank()
	if err == nil && !blank {
		err = admitto.Errorf(admitto.NotAllowedNow,
			"The database is not empty: it holds applicants, trackers or journal records already. "+
				"Restore into an empty instance: choose a new data folder or schema.")
	}
	return err
}

// noteLoose notes files as loose unless they are noted already. Schemas from before that table are left alone.
func (tx *Tx) noteLoose(files []string) error {
	if exists, err := tx.hasTable("loose_file"); err != nil || !exists {
		return err
	}
	now := tx.Now()
	return tx.sql.Bulk("INSERT INTO loose_file (hash, since) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
		func(yield func([]any) bool) {
			for _, hash := range files {
				if !yield([]any{hash, now}) {
					return
				}
			}
		})
}

// AllLooseFiles returns the hashes of all files that are noted as loose; none with a schema from before that table.
func (tx *Tx) AllLooseFiles() (list []string, err error) {
	if exists, err := tx.hasTable("loose_file"); err != nil || !exists {
		return nil, err
	}
	err = each(tx.query("SELECT hash FROM loose_file ORDER BY hash"), func(r *db.Rows) { list = append(list, r.Text(0)) })
	return list, err
}

// KeepLoose notes those files as loose that the database does not refer to: what an earlier restore has left.
func (tx *Tx) KeepLoose(loose []string, has func(hash string) bool) error {
	return tx.noteLoose(slices.DeleteFunc(loose, has))
}

// ReferredFiles returns the hashes of all files that the database refers to, each once, by hash. Tables that an older
// schema does not have yet refer to nothing.
func (tx *Tx) ReferredFiles() (list []string, err error) {
	for _, table := range []string{"document", "offer_attachment", "email_attachment", "applicant_photo", "export_blob"} {
		exists, err := tx.hasTable(table)
		if err == nil && exists {
			err = each(tx.query("SELECT DISTINCT hash FROM "+table), func(r *db.Rows) { list = append(list, r.Text(0)) })
		}
		if err != nil {
			return nil, err
		}
	}
	if exists, err := tx.hasTable("setting"); err != nil {
		return nil, err
	} else if exists {
		err := each(tx.query("SELECT value FROM setting WHERE name = 'portal.logo'"), func(r *db.Rows) {
			if hash, _, named := strings.Cut(r.Text(0), "."); named {
				list = append(list, hash)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	if exists, err := tx.hasTable("offer_confirmation"); err != nil {
		return nil, err
	} else if exists {
		sent, err := tx.filesSent()
		if err != nil {
			return nil, err
		}
		list = append(list, sent...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// filesSent returns the hashes of what was attached to letters as they were sent.
func (tx *Tx) filesSent() (list []string, err error) {
	var bad error
	err = each(tx.query("SELECT attachments FROM offer_confirmation WHERE attachments <> '[]'"), func(r *db.Rows) {
		var files []confirmedFile
		if e := json.Unmarshal(r.Raw(0), &files); e != nil {
			bad = errors.Join(bad, fmt.Errorf("the attachments of a confirmed offer cannot be read: %w", e))
		}
		for _, f := range files {
			list = append(list, f.Hash)
		}
	})
	return list, errors.Join(err, bad)
}

// KeyFingerprint returns the fingerprint of the instance key that this database belongs to, "" when it knows none yet.
func (tx *Tx) KeyFingerprint() (string, error) { return tx.InstanceFact(instanceKeyFact) }
