package dump

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A line of a backup is read as it was written, or refused.
func FuzzArchiveRow(f *testing.F) {
	for _, line := range []string{`["",null,true,""]`, `["\u0000\"\\é",-1,false,"AP//"]`, `["a,]",1`, `[`, `["\`,
		`[null,null,null,null]`} {
		f.Add(line)
	}
	table := &Table{Name: "t", Columns: []Column{{"a", "text"}, {"b", "bigint"}, {"c", "boolean"}, {"d", "bytea"}}}
	f.Fuzz(func(t *testing.T, line string) {
		row, err := parseRow(nil, []byte(line), table)
		if err == nil && len(row) != 4 {
			t.Fatalf("%q has %d values", line, len(row))
		}
		if !utf8.ValidString(line) {
			return
		}
		// Any text comes back as it was.
		written := string(appendJSONText(nil, []byte(line)))
		row, err = parseRow(nil, []byte("["+written+",1,null,null]"), table)
		if err != nil || row[0] != line || strings.ContainsAny(written, "\n\r") {
			t.Fatalf("%q was written %s and read %v, %v", line, written, row, err)
		}
	})
}
