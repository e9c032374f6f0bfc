package storetest

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/dump"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// Every table of the schema is in a backup, or is one of the few that are true of one database only.
func testArchiveTables(t *testing.T, e *env) {
	e.migrate(t)
	e.write(t, func(tx *store.Tx) error { // also one that nobody has thought of
		return sqltest.In(tx).Script("CREATE TABLE afterthought (n bigint NOT NULL PRIMARY KEY, tracker_id bigint REFERENCES tracker (id))")
	})
	e.read(t, func(tx *store.Tx) error {
		var all []string
		rows := sqltest.In(tx).Query(e.pick("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
			"SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"))
		for rows.Next() {
			all = append(all, rows.Text(0))
		}
		if err := rows.Close(); err != nil {
			return err
		}
		tables, err := dump.Tables(tx)
		if err != nil {
			return err
		}
		var withFiles []string
		var kept []string
		for _, table := range tables {
			kept = append(kept, table.Name)
			for _, c := range table.Columns {
				if c.Name == "hash" && c.Type == "text" {
					withFiles = append(withFiles, table.Name)
				}
				if table.Name == "applicant" && c.Name == "visible" {
					t.Error("a column that is computed is among those that are stored")
				}
			}
		}
		left := slices.DeleteFunc(all, func(name string) bool { return slices.Contains(kept, name) })
		slices.Sort(left)
		const signedIn = " sent_form session setup_token sign_in_failure stash stash_file stash_part"
		const searched = "applicant_search applicant_word backup_seen data_export hourly_use instance_report job_outcome " +
			"journal_check kept_numbers "
		want := searched + "migration own_data_export " + e.pick("search_due",
			"quota quota_passed search_due") + signedIn
		if want != strings.Join(left, " ") {
			t.Errorf("not in a backup: %v, want %s", left, want)
		}
		for _, pair := range [][2]string{{"applicant", "application"}, {"application", "offer"}, {"offer", "note"},
			{"tracker", "afterthought"}} {
			if slices.Index(kept, pair[0]) > slices.Index(kept, pair[1]) {
				t.Errorf("%s comes after %s, which refers to it", pair[0], pair[1])
			}
		}
		// Where a hash is that of a file, ReferredFiles must know; the journal's are its own.
		slices.Sort(withFiles)
		if want := "applicant_photo document email_attachment export_blob journal journal_head loose_file offer_attachment"; strings.Join(withFiles, " ") != want {
			t.Errorf("tables with a hash: %v, want %s; has ReferredFiles all of them?", withFiles, want)
		}
		return nil
	})
}

// While a transaction holds the tables still, nobody else writes on PostgreSQL; what it reads then is all there is.
func testHoldStill(t *testing.T, e *env) {
	e.migrate(t)
	var tables []dump.Table
	e.read(t, func(tx *store.Tx) (err error) {
		tables, err = dump.Tables(tx)
		return err
	})
	e.tracker(t, "BEFORE")
	e.read(t, func(tx *store.Tx) error {
		if err := dump.HoldStill(tx, tables); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(e.ctx, 200*time.Millisecond)
		defer cancel()
		err := e.Write(ctx, func(tx *store.Tx) error {
			_, _, err := tx.InsertTracker(&admitto.Tracker{Created: epoch, Code: "DURING"})
			return err
		})
		if e.Shared() && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("somebody could write: %v", err)
		}
		n, err := dump.CountRows(tx, "tracker")
		if e.Shared() && n != 1 {
			t.Errorf("%d trackers", n)
		}
		return err
	})
	e.tracker(t, "AFTER")
}

// Rows come back as they were, and their lines are the same on both engines, in the same order.
func testArchiveRows(t *testing.T, e *env) {
	e.migrate(t)
	lines := []string{
		`["",null,null,null]`,
		`["\u0001\u001f\u000a\"\\/",-9223372036854775808,false,""]`,
		`["A,]",9223372036854775807,true,"AP//"]`,
		`["Z",0,true,"AA=="]`,
		`["a",1,false,null]`,
		`["é\u0009",2,null,null]`,
		`["😀",3,null,null]`,
	}
	table := &dump.Table{Name: "odd", Key: []string{"a"}, Columns: []dump.Column{
		{Name: "a", Type: "text"}, {Name: "b", Type: "bigint"}, {Name: "c", Type: "boolean"}, {Name: "d",
			Type: "bytea"}}}
	e.write(t, func(tx *store.Tx) error {
		if err := sqltest.In(tx).Script("CREATE TABLE odd (a text PRIMARY KEY, b bigint, c boolean, d bytea)"); err != nil {
			return err
		}
		n, err := dump.Load(tx, table, linesOf(lines...))
		if n != int64(len(lines)) {
			t.Errorf("%d rows, want %d", n, len(lines))
		}
		return err
	})
	e.read(t, func(tx *store.Tx) error {
		var got []string
		for line, err := range dump.Rows(tx, table) {
			if err != nil {
				return err
			}
			got = append(got, string(line))
		}
		if !slices.Equal(got, lines) {
			t.Errorf("got\n%q, want\n%q", got, lines)
		}
		tables, err := dump.Tables(tx)
		for _, c := range tables {
			if c.Name == "odd" && (!slices.Equal(c.Columns, table.Columns) || !slices.Equal(c.Key, table.Key)) {
				t.Errorf("the catalogue says %+v", c)
			}
		}
		return err
	})
	for _, wrong := range []string{``, `[`, `[]`, `{}`, `["x"]`, `["x",1,true,null,null]`, `["x","1",true,null]`,
		`["x",1,1,null]`,
		`["x",1,true,"%"]`, `["x,1,true,null]`, `["x" 1,true,null]`, `["x",99999999999999999999,true,null]`,
		`[1,1,true,null]`} {
		err := e.Write(e.ctx, func(tx *store.Tx) error {
			_, err := dump.Load(tx, table, linesOf(wrong))
			return err
		})
		if err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
	broken := errors.New("broken")
	e.fails(t, broken, func(tx *store.Tx) error {
		_, err := dump.Load(tx, table, func(yield func([]byte, error) bool) { yield(nil, broken) })
		return err
	})
}

func linesOf(lines ...string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, line := range lines {
			if !yield([]byte(line), nil) {
				return
			}
		}
	}
}
