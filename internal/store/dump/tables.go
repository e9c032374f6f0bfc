package dump

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
)

// Table is a table as backups and copies see it (cli.md): the same on both engines. Columns that are computed
// from others are not among its columns.
type Table struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
	Key     []string `json:"key"` // the columns of its primary key, which its rows are sorted by
}

// Column is a column with its type: bigint, text, boolean or bytea.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// onlyHere tells which tables are no part of a backup, since what they hold is true of this database only: the steps
// that its schema has taken, which restoring takes itself, the quotas and uses of the last hour, who is signed in or
// tries to be, how far its journal was checked, files with the data of one person, which are gone after days, how
// instances, jobs and backups went, and what triggers, a job and readers make of the rest again.
func onlyHere(table string) bool {
	switch table {
	case "data_export", "hourly_use", "journal_check", "migration", "quota", "quota_passed", "sent_form", "session",
		"setup_token", "sign_in_failure", "stash", "stash_file", "stash_part", "search_due", "applicant_search",
		"applicant_word", "kept_numbers", "own_data_export", "instance_report", "job_outcome", "backup_seen":
		return true
	}
	return false
}

// Tables lists all tables that belong into a backup, from the catalogue of the engine. A table comes after
// those that it refers to. A table without a primary key, with a column of another type than the four, or in a
// circle of references is an error: its rows could not be moved.
func Tables(tx *store.Tx) ([]Table, error) {
	byName, err := catalogue(tx)
	if err != nil {
		return nil, err
	}
	refersTo, err := references(tx)
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
	var list []Table
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
			return nil, fmt.Errorf("the tables refer to each other in a circle; these are in order: %d of %d",
				len(list),
				len(names))
		}
	}
	for _, t := range list {
		if err := t.movable(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (t *Table) movable() error {
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
		FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND substr(m.name, 1,
			7) <> 'sqlite_' ORDER BY m.name, c.cid`
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
func catalogue(tx *store.Tx) (map[string]Table, error) {
	text := sqliteColumns
	if sql(tx).Engine() == db.PostgreSQL {
		text = postgresColumns
	}
	type part struct {
		name  string
		place int64
	}
	tables, keys := map[string]Table{}, map[string][]part{}
	err := each(sql(tx).Query(text), func(r *db.Rows) {
		name := r.Text(0)
		t := tables[name]
		t.Name = name
		if kind := r.Text(2); r.Int64(3) == 0 {
			if kind == "integer" { // what SQLite calls the IDs
				kind = "bigint"
			}
			t.Columns = append(t.Columns, Column{r.Text(1), kind})
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
func references(tx *store.Tx) (map[string][]string, error) {
	text := sqliteReferences
	if sql(tx).Engine() == db.PostgreSQL {
		text = postgresReferences
	}
	all := map[string][]string{}
	err := each(sql(tx).Query(text), func(r *db.Rows) { all[r.Text(0)] = append(all[r.Text(0)], r.Text(1)) })
	return all, err
}

// LastIDs returns for each table whose IDs come from a sequence the highest that was ever given out, 0 for none.
func LastIDs(tx *store.Tx) (map[string]int64, error) {
	text := `SELECT m.name, coalesce(s.seq, 0) FROM sqlite_schema m LEFT JOIN sqlite_sequence s ON s.name = m.name
		WHERE m.type = 'table' AND upper(m.sql) LIKE '%AUTOINCREMENT%'`
	if sql(tx).Engine() == db.PostgreSQL {
		text = `SELECT c.relname, coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass), 0)
			FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relkind = 'r' AND n.nspname = current_schema() AND a.attidentity <> ''`
	}
	last := map[string]int64{}
	err := each(sql(tx).Query(text), func(r *db.Rows) { last[r.Text(0)] = r.Int64(1) })
	for table := range last {
		var highest int64
		if err == nil {
			highest, err = number(tx, "SELECT coalesce(max(id), 0) FROM "+quoted(table))
		}
		last[table] = max(last[table], highest)
	}
	return last, err
}

// CountRows counts the rows of a table.
func CountRows(tx *store.Tx, table string) (int64, error) {
	return number(tx, "SELECT count(*) FROM "+quoted(table))
}

// HoldStill keeps everybody from changing the tables until this transaction ends, so that nothing is missing in a
// copy of them. On SQLite the lock of the data folder does that. It must be the first statement of the transaction.
func HoldStill(tx *store.Tx, tables []Table) error {
	if sql(tx).Engine() != db.PostgreSQL {
		return nil
	}
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = quoted(t.Name)
	}
	return sql(tx).Script("LOCK TABLE " + strings.Join(names, ", ") + " IN SHARE MODE")
}

// Clear takes all rows out of the tables of a database that is marked by Prepare, the mark among them, and returns the
// files that were noted as loose. It is the beginning of the transaction that fills them.
func Clear(tx *store.Tx, tables []Table) (loose []string, err error) {
	since, err := tx.Restoring()
	if err != nil {
		return nil, err
	}
	if since == "" {
		return nil, errors.New("the database is not prepared to be restored")
	}
	if loose, err = tx.AllLooseFiles(); err != nil {
		return nil, err
	}
	for _, t := range slices.Backward(tables) {
		// The journal refuses a DELETE even when it has no rows.
		filled, err := number(tx, "SELECT count(*) FROM (SELECT 1 FROM "+quoted(t.Name)+" LIMIT 1) t")
		if err == nil && filled > 0 {
			_, err = sql(tx).Exec("DELETE FROM " + quoted(t.Name))
		}
		if err != nil {
			return nil, err
		}
	}
	return loose, nil
}

// RaiseIDs moves the sequence of each table to the ID that is given and further, so that the next one is above.
func RaiseIDs(tx *store.Tx, last map[string]int64, further int64) error {
	for table, id := range last {
		if id += further; id == 0 {
			continue // PostgreSQL has no sequence at 0
		}
		if err := tx.SkipIDs(table, id); err != nil {
			return err
		}
	}
	return nil
}

// Verify recounts the counters and checks the whole journal; what does not fit is the error.
func Verify(tx *store.Tx) error {
	if err := tx.VerifyCounters(); err != nil {
		return err
	}
	broken, reason, err := tx.VerifyJournal(1, 0, func(int64) {})
	if err == nil && broken != 0 {
		err = fmt.Errorf("the journal is broken at record %d: %s", broken, reason)
	}
	return err
}

// quoted is a name of the catalogue as it stands in SQL.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
