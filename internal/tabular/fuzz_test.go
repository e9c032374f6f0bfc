package tabular_test

import (
	"encoding/csv"
	"strings"
	"testing"
)

// FuzzCells: no cell gets out of its place, for the strict reader nor for that of the standard library.
func FuzzCells(f *testing.F) {
	for _, seed := range []string{"", "a,b", `"`, "\"\r\n=1+1,\"", "=cmd|'/c calc'!A1", "a\rb", "\xff", "\n"} {
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		text := write(t, [][]string{{first, second}, {second}})
		rows, err := parse(text)
		if err != nil || len(rows) != 2 || len(rows[0]) != 2 || len(rows[1]) != 1 || rows[0][0] != first ||
			rows[0][1] != second || rows[1][0] != second {
			t.Fatalf("%q and %q became %q: %v", first, second, text, err)
		}
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = -1
		if others, err := r.ReadAll(); err != nil || len(others) != 2 || len(others[0]) != 2 || len(others[1]) != 1 {
			t.Fatalf("%q is %q to others: %v", text, others, err)
		}
	})
}
