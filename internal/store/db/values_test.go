package db_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

func testParameters(t *testing.T, e *env) {
	for _, c := range []struct {
		sql  string
		args []any
		want string
	}{
		{"SELECT $1::text", []any{"a"}, "a"},
		{"SELECT CAST($2 AS text) || CAST($1 AS text) || CAST($2 AS text)", []any{"a", "b"}, "bab"},
		{"SELECT CAST($3 AS text) || CAST($1 AS text) || CAST($2 AS text)", []any{"1", "2", "3"}, "312"},
		{"SELECT '$1' || CAST($1 AS text) || 'it''s $2'", []any{"-"}, "$1-it's $2"},
		{"SELECT CAST($1 AS text) AS \"a$1\" -- and $2", []any{"x"}, "x"},
		{"SELECT /* $2 ' */ CAST($1 AS text)", []any{"x"}, "x"},
		{"\n\tSELECT CAST($1 AS text)\n", []any{"x"}, "x"},
		{"SELECT CAST($1 AS text) || CAST($2 AS text) || CAST($3 AS text) || CAST($4 AS text) || CAST($5 AS text) || CAST($6 AS text)" +
			" || CAST($7 AS text) || CAST($8 AS text) || CAST($9 AS text) || CAST($10 AS text) || CAST($11 AS text)",
			[]any{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}, "abcdefghijk"},
	} {
		if strings.Contains(c.sql, "::") && e.Engine() == db.SQLite {
			continue
		}
		e.read(t, func(tx *db.Tx) error {
			got, err := texts(tx, c.sql, c.args...)
			if err == nil && (len(got) != 1 || got[0] != c.want) {
				t.Errorf("%s: got %q, want %q", c.sql, got, c.want)
			}
			return err
		})
	}
	for _, args := range [][]any{{}, {"a", "b"}} {
		if err := e.Read(e.ctx, func(tx *db.Tx) error {
			return tx.Query("SELECT CAST($1 AS text)",
				args...).Close()
		}); err == nil {
			t.Errorf("%d arguments for one parameter passed", len(args))
		}
	}
}

const valuesTable = `CREATE TABLE v (id bigint PRIMARY KEY, n bigint, small integer, b boolean, s text, d text, t bigint, raw %s)`

func (e *env) valuesTable(t *testing.T) {
	t.Helper()
	e.script(t, fmt.Sprintf(valuesTable, e.pick("blob", "bytea")))
}

func testValues(t *testing.T, e *env) {
	e.valuesTable(t)
	type row struct {
		n     int64
		small int
		b     bool
		s     string
		d     admitto.Date
		t     admitto.Time
		raw   []byte
	}
	rows := []row{
		{math.MaxInt64, math.MaxInt32, true, "plain", admitto.Date{Year: 2026, Month: 3, Day: 1}, 1_772_355_600_123_456,
			[]byte{0, 1, 255}},
		{math.MinInt64, math.MinInt32, false, "čeština, 日本語, 🎓 'quoted' \"double\" \\ %_",
			admitto.Date{Year: 1, Month: 1, Day: 1}, -1, []byte{}},
		{-1, -1, true, strings.Repeat("long ", 100_000), admitto.Date{Year: 9999, Month: 12, Day: 31}, math.MaxInt64,
			bytes.Repeat([]byte{7}, 300_000)},
		{0, 0, false, "", admitto.Date{}, math.MinInt64, nil},
		{256, 65536, false, "\n\t", admitto.Date{Year: 2024, Month: 2, Day: 29}, 1, []byte("text")},
	}
	e.write(t, func(tx *db.Tx) error {
		for i, r := range rows {
			if _, err := tx.Exec("INSERT INTO v VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", i, r.n, r.small, r.b, r.s, r.d, r.t,
				r.raw); err != nil {
				return err
			}
		}
		_, err := tx.Exec("INSERT INTO v VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", len(rows), nil, nil, nil, nil,
			admitto.Date{}, admitto.Time(0), nil)
		return err
	})
	e.read(t, func(tx *db.Tx) error {
		got := tx.Query("SELECT id, n, small, b, s, d, t, raw FROM v ORDER BY id")
		for i, want := range rows {
			if !got.Next() {
				t.Fatal("too few rows: ", got.Err())
			}
			have := row{got.Int64(1), int(got.Int64(2)), got.Bool(3), got.Text(4), got.Date(5), got.Time(6), got.Bytes(7)}
			if fmt.Sprint(have) != fmt.Sprint(want) || (have.raw == nil) != (want.raw == nil) {
				t.Errorf("row %d: got %.200v, want %.200v", i, have, want)
			}
			if string(got.Raw(4)) != want.s || !bytes.Equal(got.Raw(7), want.raw) {
				t.Errorf("row %d: raw values differ", i)
			}
			if got.Null(4) || got.Null(5) != want.d.IsZero() || got.Null(7) != (want.raw == nil) {
				t.Errorf("row %d: wrong NULLs", i)
			}
		}
		if !got.Next() {
			t.Fatal("too few rows: ", got.Err())
		}
		for i := 1; i <= 7; i++ {
			if !got.Null(i) || got.Text(i) != "" || got.Raw(i) != nil || got.Bytes(i) != nil || got.Int64(i) != 0 ||
				got.Bool(i) ||
				!got.Date(i).IsZero() || got.Time(i) != 0 {
				t.Errorf("NULL in column %d does not read as zero", i)
			}
		}
		for got.Next() {
			t.Error("too many rows")
		}
		return got.Close()
	})
}

func testOtherTypes(t *testing.T, e *env) {
	e.read(t, func(tx *db.Tx) error {
		rows := tx.Query("SELECT CAST(-42 AS bigint), 7, 1 = 1, CAST('x' AS varchar(5)), count(*), 'free' FROM (SELECT 1 AS one) AS s")
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
		if rows.Text(0) != "-42" || string(rows.Raw(1)) != "7" || !rows.Bool(2) || rows.Text(3) != "x" ||
			rows.Int64(4) != 1 || rows.Text(5) != "free" {
			t.Error("wrong", rows.Text(0), rows.Text(1), rows.Bool(2), rows.Text(3), rows.Int64(4), rows.Text(5))
		}
		return rows.Close()
	})
	if e.Engine() == db.SQLite {
		return
	}
	err := e.Read(e.ctx, func(tx *db.Tx) error {
		rows := tx.Query("SELECT sum(n) FROM (SELECT CAST(1 AS bigint) AS n) AS s")
		for rows.Next() {
			rows.Int64(0)
		}
		return rows.Close()
	})
	if err == nil || !strings.Contains(err.Error(), "cast to bigint") {
		t.Error("a numeric must ask for a cast: ", err)
	}
}

// testArena checks that strings survive the rows after them.
func testArena(t *testing.T, e *env) {
	e.valuesTable(t)
	const n = 3000
	e.write(t, func(tx *db.Tx) error {
		return tx.Bulk("INSERT INTO v (id, s) VALUES ($1, $2)", func(yield func([]any) bool) {
			for i := range n {
				if !yield([]any{i, strings.Repeat(fmt.Sprint(i, "."), i%700)}) {
					return
				}
			}
		})
	})
	e.read(t, func(tx *db.Tx) error {
		got, err := texts(tx, "SELECT s FROM v ORDER BY id")
		for i, s := range got {
			if s != strings.Repeat(fmt.Sprint(i, "."), i%700) {
				t.Fatalf("text %d was overwritten", i)
			}
		}
		if len(got) != n {
			t.Errorf("%d rows", len(got))
		}
		return err
	})
}

func testDates(t *testing.T, e *env) {
	for _, wrong := range []string{"2026-02-30", "2026-2-3", "yesterday", "2026-03-01T00:00:00"} {
		err := e.Read(e.ctx, func(tx *db.Tx) error {
			rows := tx.Query("SELECT CAST($1 AS text)", wrong)
			for rows.Next() {
				if d := rows.Date(0); !d.IsZero() {
					t.Errorf("%q reads as %v", wrong, d)
				}
			}
			return rows.Close()
		})
		if err == nil || strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: got %v, want an error without the value", wrong, err)
		}
	}
}

func testNamedTypes(t *testing.T, e *env) {
	type (
		state string
		level int8
		flag  bool
		size  uint32
	)
	e.valuesTable(t)
	e.write(t, func(tx *db.Tx) error {
		_, err := tx.Exec("INSERT INTO v (id, s, small, b, n) VALUES ($1, $2, $3, $4, $5)", size(9), state("open"), level(-3),
			flag(true),
			admitto.Hundredths(1250))
		return err
	})
	e.read(t, func(tx *db.Tx) error {
		rows := tx.Query("SELECT id, s, small, b, n FROM v")
		if !rows.Next() || rows.Int64(0) != 9 || rows.Text(1) != "open" || rows.Int64(2) != -3 || !rows.Bool(3) ||
			rows.Int64(4) != 1250 {
			t.Error("wrong row")
		}
		return rows.Close()
	})
}

func testRefusedArguments(t *testing.T, e *env) {
	e.valuesTable(t)
	for _, arg := range []any{1.5, struct{}{}, []float64{1}, map[string]int{}, uint64(math.MaxUint64), new(int)} {
		for name, use := range map[string]func(tx *db.Tx) error{
			"exec":  func(tx *db.Tx) error { _, err := tx.Exec("INSERT INTO v (id) VALUES ($1)", arg); return err },
			"query": func(tx *db.Tx) error { return tx.Query("SELECT id FROM v WHERE id = $1", arg).Close() },
			"bulk":  func(tx *db.Tx) error { return tx.Bulk("INSERT INTO v (id) VALUES ($1)", slices.Values([][]any{{arg}})) },
		} {
			if err := e.Write(e.ctx, use); err == nil || !strings.Contains(err.Error(), "parameter $1") {
				t.Errorf("%s with a %T: %v", name, arg, err)
			}
		}
	}
}

func testLists(t *testing.T, e *env) {
	e.valuesTable(t)
	words := []string{"", "a", "it's", `"double"`, `back\slash`, "comma, {brace}", "čeština", "🎓", "NULL", "<&>",
		"line\nbreak"}
	var many []int64
	for i := range int64(10_000) {
		many = append(many, i*3)
	}
	e.write(t, func(tx *db.Tx) error {
		return tx.Bulk("INSERT INTO v (id, n, s) VALUES ($1, $1, $2)", func(yield func([]any) bool) {
			for i := range 100 {
				if !yield([]any{i, words[i%len(words)] + strings.Repeat("x", i/len(words))}) {
					return
				}
			}
			for i, n := range []int64{math.MinInt64, math.MaxInt64} {
				if !yield([]any{n, fmt.Sprint("extreme", i)}) {
					return
				}
			}
		})
	})
	in := e.pick("IN (SELECT value FROM json_each($1))", "= ANY($1)")
	for _, c := range []struct {
		column string
		list   any
		want   int64
	}{
		{"n", []int64{}, 0},
		{"n", []int64(nil), 0},
		{"n", []int64{5}, 1},
		{"n", many, 34},
		{"n", []int64{math.MinInt64, math.MaxInt64, -1}, 2},
		{"s", []string{}, 0},
		{"s", []string(nil), 0},
		{"s", words, int64(len(words))},
		{"s", []string{"it's", "nothing"}, 1},
	} {
		e.read(t, func(tx *db.Tx) error {
			got, err := number(tx, "SELECT count(*) FROM v WHERE "+c.column+" "+in, c.list)
			if err == nil && got != c.want {
				t.Errorf("%s in %.60v: got %d, want %d", c.column, c.list, got, c.want)
			}
			return err
		})
	}
	e.read(t, func(tx *db.Tx) error {
		got, err := number(tx, "SELECT count(*) FROM v WHERE NOT n "+in, []int64(nil))
		if err == nil && got != 102 {
			t.Errorf("outside of no list: %d", got)
		}
		return err
	})
}
