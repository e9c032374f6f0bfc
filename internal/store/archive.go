package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/store/db"
)

// ArchiveTable is a table as backups and copies see it (cli.md): the same on both engines. Columns that are computed
// from others are not among its columns.
type ArchiveTable struct {
	Name    string          `json:"name"`
	Columns []ArchiveColumn `json:"columns"`
	Key     []string        `json:"key"` // the columns of its primary key, which its rows are sorted by
}

// ArchiveColumn is a column with its type: bigint, text, boolean or bytea.
type ArchiveColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// onlyHere tells which tables are no part of a backup, since what they hold is true of this database only: the steps
// that its schema has taken, which restoring takes itself, and the quotas of the last hour.
func onlyHere(table string) bool {
	return table == "migration" || table == "quota" || table == "quota_passed"
}

// ArchiveTables lists all tables that belong into a backup, from the catalogue of the engine. A table comes after
// those that it refers to. A table without a primary key, with a column of another type than the four, or in a
// circle of references is an error: its rows could not be moved.
func (tx *Tx) ArchiveTables() ([]ArchiveTable, error) {
	byName, err := tx.catalogue()
	if err != nil {
		return nil, err
	}
	refersTo, err := tx.references()
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(byName))
	for name := range byName {
		if !onlyHere(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var list []ArchiveTable
	done := map[string]bool{}
	for len(list) < len(names) {
		before := len(list)
		for _, name := range names {
			if done[name] || slices.ContainsFunc(refersTo[name], func(other string) bool { return !done[other] }) {
				continue
			}
			done[name] = true
			list = append(list, byName[name])
		}
		if len(list) == before {
			return nil, fmt.Errorf("the tables refer to each other in a circle; these are in order: %d of %d", len(list), len(names))
		}
	}
	for _, t := range list {
		if err := t.movable(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (t *ArchiveTable) movable() error {
	if len(t.Key) == 0 {
		return fmt.Errorf("table %s has no primary key", t.Name)
	}
	for _, c := range t.Columns {
		switch c.Type {
		case "bigint", "text", "boolean", "bytea":
		default:
			return fmt.Errorf("column %s of table %s is a %s", c.Name, t.Name, c.Type)
		}
	}
	return nil
}

// The catalogue as rows of table, column, type, whether it is computed, and its place in the primary key from 1.
const (
	sqliteColumns = `SELECT m.name, c.name, lower(c.type), CASE WHEN c.hidden = 0 THEN 0 ELSE 1 END, c.pk
		FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_' ORDER BY m.name, c.cid`
	postgresColumns = `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attgenerated = '' THEN 0 ELSE 1 END,
		coalesce(array_position(k.conkey, a.attnum), 0)
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
		LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
		WHERE c.relkind = 'r' AND n.nspname = current_schema() AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`
	sqliteReferences   = `SELECT m.name, f."table" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`
	postgresReferences = `SELECT c.relname, r.relname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
		JOIN pg_class r ON r.oid = k.confrelid JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE k.contype = 'f' AND n.nspname = current_schema()`
)

// catalogue reads all tables of the schema by name.
func (tx *Tx) catalogue() (map[string]ArchiveTable, error) {
	sql := sqliteColumns
	if tx.dialect.engine == db.PostgreSQL {
		sql = postgresColumns
	}
	type part struct {
		name  string
		place int64
	}
	tables, keys := map[string]ArchiveTable{}, map[string][]part{}
	err := each(tx.Query(sql), func(r *db.Rows) {
		name := r.Text(0)
		t := tables[name]
		t.Name = name
		if kind := r.Text(2); r.Int64(3) == 0 {
			if kind == "integer" { // what SQLite calls the IDs
				kind = "bigint"
			}
			t.Columns = append(t.Columns, ArchiveColumn{r.Text(1), kind})
		}
		if place := r.Int64(4); place > 0 {
			keys[name] = append(keys[name], part{r.Text(1), place})
		}
		tables[name] = t
	})
	for name, parts := range keys {
		slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.place, b.place) })
		t := tables[name]
		for _, p := range parts {
			t.Key = append(t.Key, p.name)
		}
		tables[name] = t
	}
	return tables, err
}

// references tells for each table which others it refers to.
func (tx *Tx) references() (map[string][]string, error) {
	sql := sqliteReferences
	if tx.dialect.engine == db.PostgreSQL {
		sql = postgresReferences
	}
	all := map[string][]string{}
	err := each(tx.Query(sql), func(r *db.Rows) { all[r.Text(0)] = append(all[r.Text(0)], r.Text(1)) })
	return all, err
}

// LastIDs gives for each table whose IDs come from a sequence the highest that was ever given out, 0 for none.
func (tx *Tx) LastIDs() (map[string]int64, error) {
	sql := `SELECT m.name, coalesce(s.seq, 0) FROM sqlite_schema m LEFT JOIN sqlite_sequence s ON s.name = m.name
		WHERE m.type = 'table' AND upper(m.sql) LIKE '%AUTOINCREMENT%'`
	if tx.dialect.engine == db.PostgreSQL {
		sql = `SELECT c.relname, coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass), 0)
			FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relkind = 'r' AND n.nspname = current_schema() AND a.attidentity <> ''`
	}
	last := map[string]int64{}
	err := each(tx.Query(sql), func(r *db.Rows) { last[r.Text(0)] = r.Int64(1) })
	for table := range last {
		var highest int64
		if err == nil {
			highest, err = tx.number("SELECT coalesce(max(id), 0) FROM " + quoted(table))
		}
		last[table] = max(last[table], highest)
	}
	return last, err
}

// CountRows counts the rows of a table.
func (tx *Tx) CountRows(table string) (int64, error) {
	return tx.number("SELECT count(*) FROM " + quoted(table))
}

// KeyFingerprint gives the fingerprint of the instance key that this database belongs to, "" when it knows none yet.
func (tx *Tx) KeyFingerprint() (string, error) { return tx.InstanceFact(instanceKeyFact) }

// HoldStill keeps everybody from changing the tables until this transaction ends, so that nothing is missing in a
// copy of them. On SQLite the lock of the data folder does that. It must be the first statement of the transaction.
func (tx *Tx) HoldStill(tables []ArchiveTable) error {
	if tx.dialect.engine != db.PostgreSQL {
		return nil
	}
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = quoted(t.Name)
	}
	return tx.Script("LOCK TABLE " + strings.Join(names, ", ") + " IN SHARE MODE")
}

// ReferredFiles gives the hashes of all files that the database refers to, each once, by hash. Tables that an older
// schema does not have yet refer to nothing.
func (tx *Tx) ReferredFiles() (list []string, err error) {
	for _, table := range []string{"document", "offer_attachment", "email_attachment", "applicant_photo", "export_blob"} {
		exists, err := tx.hasTable(table)
		if err == nil && exists {
			err = each(tx.Query("SELECT DISTINCT hash FROM "+table), func(r *db.Rows) { list = append(list, r.Text(0)) })
		}
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

// filesSent gives the hashes of what was attached to letters as they were sent.
func (tx *Tx) filesSent() (list []string, err error) {
	var bad error
	err = each(tx.Query("SELECT attachments FROM offer_confirmation WHERE attachments <> '[]'"), func(r *db.Rows) {
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

// quoted is a name of the catalogue as it stands in SQL.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
