package db_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/admitto/admitto/internal/store/db"
)

const familySchema = `
	-- a comment; with a semicolon and an 'apostrophe
	CREATE TABLE parent (id bigint PRIMARY KEY, name text NOT NULL UNIQUE, age bigint CHECK (age >= 0)); /* and; another */
	CREATE TABLE child (id bigint PRIMARY KEY, parent bigint REFERENCES parent DEFERRABLE INITIALLY IMMEDIATE, note text DEFAULT ';');
	CREATE TABLE late (id bigint PRIMARY KEY, parent bigint REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
	INSERT INTO parent VALUES (1, 'Ada', 36);;
	-- the end`

func testConstraints(t *testing.T, e *env) {
	e.script(t, familySchema)
	kinds := []error{db.ErrUnique, db.ErrForeignKey, db.ErrCheck, db.ErrNotNull}
	for _, c := range []struct {
		sql  string
		want error
	}{
		{"INSERT INTO parent VALUES (1, 'other', 1)", db.ErrUnique},
		{"INSERT INTO parent VALUES (2, 'Ada', 1)", db.ErrUnique},
		{"INSERT INTO parent VALUES (2, 'Eve', -1)", db.ErrCheck},
		{"INSERT INTO parent VALUES (2, NULL, 1)", db.ErrNotNull},
		{"INSERT INTO child (id, parent) VALUES (1, 99)", db.ErrForeignKey},
		{"INSERT INTO late VALUES (1, 99)", db.ErrForeignKey}, // told by the commit
	} {
		for name, use := range map[string]func(tx *db.Tx) error{
			"exec":  func(tx *db.Tx) error { _, err := tx.Exec(c.sql); return err },
			"query": func(tx *db.Tx) error { return tx.Query(c.sql + " RETURNING id").Close() },
			"bulk":  func(tx *db.Tx) error { return tx.Bulk(c.sql, slices.Values([][]any{{}})) },
			"loop": func(tx *db.Tx) error {
				rows := tx.Query(c.sql + " RETURNING id")
				for rows.Next() {
					rows.Int64(0)
				}
				return rows.Err()
			},
		} {
			err := e.Write(e.ctx, use)
			for _, kind := range kinds {
				if errors.Is(err, kind) != (kind == c.want) {
					t.Errorf("%s %s: got %v, want %v", name, c.sql, err, c.want)
				}
			}
		}
	}
	if e.count(t, "parent") != 1 || e.count(t, "child") != 0 || e.count(t, "late") != 0 {
		t.Error("something was committed")
	}
}

func testNoValuesInErrors(t *testing.T, e *env) {
	e.script(t, familySchema)
	const secret = "Passport 4711"
	for _, use := range []func(tx *db.Tx) error{
		func(tx *db.Tx) error {
			return tx.Bulk("INSERT INTO parent VALUES ($1, $2, 0)", slices.Values([][]any{{7, secret}, {8, secret}}))
		},
		func(tx *db.Tx) error {
			_, err := tx.Exec("INSERT INTO parent VALUES ($1, $2, $3)", 7, secret, -1)
			return err
		},
		func(tx *db.Tx) error { return tx.Query("SELECT id FROM nowhere WHERE x = $1", secret).Close() },
		func(tx *db.Tx) error {
			_, err := tx.Exec("INSERT INTO parent VALUES ($1, $2, $3, $4)", 7, secret, 1, secret)
			return err
		},
		func(tx *db.Tx) error {
			if e.Engine() == db.SQLite {
				return errors.New("SQLite compares anything")
			}
			return tx.Query("SELECT id FROM parent WHERE id = $1", secret).Close()
		},
		func(tx *db.Tx) error {
			if e.Engine() == db.SQLite {
				return errors.New("SQLite casts anything")
			}
			return tx.Query("SELECT CAST(CAST($1 AS text) AS bigint)", secret).Close()
		},
	} {
		if err := e.Write(e.ctx, use); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("got %v, want an error without the value", err)
		}
	}
	err := e.Read(e.ctx, func(tx *db.Tx) error { return tx.Query("SELECT *\n\tFROM   missing_table WHERE a = 1").Close() })
	if err == nil || !strings.Contains(err.Error(), "“SELECT * FROM missing_table WHERE a = 1”") {
		t.Errorf("%v does not name the statement", err)
	}
}

func testReturning(t *testing.T, e *env) {
	e.script(t, familySchema)
	e.write(t, func(tx *db.Tx) error {
		if n, err := number(tx, "INSERT INTO parent VALUES ($1, $2, $3) RETURNING id", 5, "Bob", 4); n != 5 || err != nil {
			t.Error(n, err)
		}
		// It runs even when nobody looks at the rows.
		return tx.Query("INSERT INTO parent VALUES (6, 'Cy', 4), (7, 'Di', 4) RETURNING id").Close()
	})
	if n := e.count(t, "parent"); n != 4 {
		t.Errorf("%d rows", n)
	}
}

func testAffected(t *testing.T, e *env) {
	e.script(t, familySchema)
	e.write(t, func(tx *db.Tx) error {
		for _, c := range []struct {
			sql  string
			want int64
		}{
			{"INSERT INTO parent VALUES (2, 'b', 1), (3, 'c', 1)", 2},
			{"UPDATE parent SET age = age + 1", 3},
			{"UPDATE parent SET age = age + 1 WHERE id = 99", 0},
			{"INSERT INTO parent VALUES (2, 'x', 1) ON CONFLICT DO NOTHING", 0},
			{"DELETE FROM parent WHERE id > 1", 2},
		} {
			if n, err := tx.Exec(c.sql); n != c.want || err != nil {
				t.Errorf("%s: %d, %v", c.sql, n, err)
			}
		}
		return nil
	})
}

func testBulk(t *testing.T, e *env) {
	e.script(t, familySchema)
	row := make([]any, 2) // used again for every row
	rows := func(from, to int) func(func([]any) bool) {
		return func(yield func([]any) bool) {
			for i := from; i < to; i++ {
				row[0], row[1] = i, fmt.Sprint("name ", i)
				if !yield(row) {
					return
				}
			}
		}
	}
	e.write(t, func(tx *db.Tx) error {
		if err := tx.Bulk("INSERT INTO parent VALUES ($1, $2, $1)", rows(10, 5010)); err != nil {
			return err
		}
		if err := tx.Bulk("INSERT INTO parent VALUES ($1, $2, $1)", rows(0, 0)); err != nil {
			return err
		}
		return tx.Bulk("UPDATE parent SET name = $2 || '!' WHERE id = $1", rows(10, 1010))
	})
	e.read(t, func(tx *db.Tx) error {
		n, err := number(tx, "SELECT count(*) FROM parent WHERE name = 'name ' || CAST(id AS text)")
		if n != 4000 {
			t.Errorf("%d rows are as inserted", n)
		}
		return err
	})
	if err := e.Write(e.ctx, func(tx *db.Tx) error {
		return tx.Bulk("INSERT INTO parent VALUES ($1, $2, $1)", rows(3000, 6000))
	}); !errors.Is(err, db.ErrUnique) {
		t.Error(err)
	}
	if n := e.count(t, "parent"); n != 5001 {
		t.Errorf("%d rows", n)
	}
}

// Of rows with much in them only a few are held at once.
func testBulkOfMuch(t *testing.T, e *env) {
	e.script(t, "CREATE TABLE much (id bigint PRIMARY KEY, content bytea)")
	const rows, size = 40, 1 << 20
	var given []weak.Pointer[byte]
	held := 0
	e.write(t, func(tx *db.Tx) error {
		return tx.Bulk("INSERT INTO much VALUES ($1, $2)", func(yield func([]any) bool) {
			for i := range rows {
				content := make([]byte, size)
				given = append(given, weak.Make(&content[0]))
				if !yield([]any{i, content}) {
					return
				}
			}
			runtime.GC()
			for _, p := range given {
				if p.Value() != nil {
					held++
				}
			}
		})
	})
	if n := e.count(t, "much"); n != rows || held > rows/2 {
		t.Errorf("%d rows, of which %d were held at the end", n, held)
	}
}

func testScript(t *testing.T, e *env) {
	e.script(t, "")
	e.script(t, " -- nothing\n;")
	e.script(t, familySchema)
	if err := e.Write(e.ctx, func(tx *db.Tx) error {
		return tx.Script("INSERT INTO parent VALUES (8, 'h', 1); INSERT INTO parent VALUES (1, 'again', 1); INSERT INTO parent VALUES (9, 'i', 1)")
	}); !errors.Is(err, db.ErrUnique) {
		t.Error(err)
	}
	if n := e.count(t, "parent"); n != 1 {
		t.Errorf("%d rows", n)
	}
	if e.Engine() == db.SQLite {
		e.script(t, `CREATE TRIGGER tr AFTER INSERT ON parent BEGIN DELETE FROM child; DELETE FROM late; END; INSERT INTO parent VALUES (4, 'd', 1)`)
		if err := e.Read(e.ctx, func(tx *db.Tx) error { return tx.Query(`SELECT "no such column"`).Close() }); err == nil {
			t.Error("a double-quoted string passed")
		}
	}
}

func testNestedRows(t *testing.T, e *env) {
	const sql = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < CAST($1 AS bigint)) SELECT n FROM c"
	sum := int64(0)
	err := e.Read(e.ctx, func(tx *db.Tx) error {
		for range 2 { // the second time with the statements of the first
			outer := tx.Query(sql, 3)
			for outer.Next() {
				middle := tx.Query(sql, outer.Int64(0))
				for middle.Next() {
					inner := tx.Query(sql, middle.Int64(0))
					for inner.Next() {
						sum += inner.Int64(0)
					}
					if err := inner.Close(); err != nil {
						return err
					}
				}
				if err := middle.Close(); err != nil {
					return err
				}
			}
			if err := outer.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	if e.Engine() == db.SQLite {
		if err != nil || sum != 2*(1+1+3+1+3+6) {
			t.Error(sum, err)
		}
	} else if err == nil || !strings.Contains(err.Error(), "must be closed first") {
		t.Error("PostgreSQL must refuse: ", err)
	}
	// Rows that nobody closed do not harm the connection.
	for range 20 {
		e.read(t, func(tx *db.Tx) error { tx.Query(sql, 100).Next(); return nil })
	}
}

func testStatements(t *testing.T, e *env) {
	e.script(t, familySchema)
	before := e.Statements()
	e.write(t, func(tx *db.Tx) error {
		tx.Now()
		if _, err := tx.Exec("UPDATE parent SET age = 1"); err != nil {
			return err
		}
		if _, err := texts(tx, "SELECT name FROM parent"); err != nil {
			return err
		}
		if err := tx.Bulk("INSERT INTO child (id, parent) VALUES ($1, 1)",
			slices.Values([][]any{{1}, {2}, {3}})); err != nil {
			return err
		}
		return tx.Script("DELETE FROM child; DELETE FROM late")
	})
	if n := e.Statements() - before; n != 4 {
		t.Errorf("%d statements, want 4", n)
	}
}

func testManyTexts(t *testing.T, e *env) {
	e.read(t, func(tx *db.Tx) error {
		held := tx.Query("SELECT 1 UNION ALL SELECT 2")
		if !held.Next() {
			t.Fatal(held.Err())
		}
		if e.Engine() == db.PostgreSQL {
			if err := held.Close(); err != nil {
				return err
			}
		}
		for i := range 3 * db.StatementLimit {
			if n, err := number(tx, fmt.Sprintf("SELECT CAST($1 AS bigint) + %d", i), 1); n != int64(i+1) || err != nil {
				t.Fatal(n, err)
			}
		}
		if e.Engine() == db.SQLite && (!held.Next() || held.Int64(0) != 2) {
			t.Error("the statement in use was dropped: ", held.Err())
		}
		return held.Close()
	})
}
