package dump

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
)

// Rows returns the rows of a table in the order of its primary key, each as one line of JSON, a list of the values
// of its columns: numbers, texts, true and false, null; bytes are base64. Both engines give the same lines for the
// same rows, so lines can be compared by their hash. A line is valid until the next. On PostgreSQL no other statement
// may run meanwhile. Text that is not UTF-8 is an error, since it could not come back as it was.
func Rows(tx *store.Tx, t *Table) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		rows := sql(tx).Query(selectAll(tx, t))
		defer rows.Close()
		var line []byte
		for rows.Next() {
			var err error
			if line, err = appendRow(line[:0], rows, t); err != nil {
				yield(nil, err)
				return
			}
			if !yield(line, nil) {
				return
			}
		}
		if err := rows.Close(); err != nil {
			yield(nil, err)
		}
	}
}

func selectAll(tx *store.Tx, t *Table) string {
	var columns, order []string
	isText := map[string]bool{}
	for _, c := range t.Columns {
		columns = append(columns, quoted(c.Name))
		isText[c.Name] = c.Type == "text"
	}
	for _, name := range t.Key {
		by := quoted(name)
		if isText[name] && sql(tx).Engine() == db.PostgreSQL {
			by += ` COLLATE "C"` // by bytes, as SQLite does
		}
		order = append(order, by)
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM " + quoted(t.Name) + " ORDER BY " + strings.Join(order, ", ")
}

func appendRow(dst []byte, r *db.Rows, t *Table) ([]byte, error) {
	dst = append(dst, '[')
	for i, c := range t.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case r.Null(i):
			dst = append(dst, "null"...)
		case c.Type == "bigint":
			dst = strconv.AppendInt(dst, r.Int64(i), 10)
		case c.Type == "boolean":
			dst = strconv.AppendBool(dst, r.Bool(i))
		case c.Type == "bytea":
			dst = append(dst, '"')
			dst = base64.StdEncoding.AppendEncode(dst, r.Raw(i))
			dst = append(dst, '"')
		default:
			text := r.Raw(i)
			if !utf8.Valid(text) {
				return dst, fmt.Errorf("table %s: a text in column %s is not UTF-8", t.Name, c.Name)
			}
			dst = appendJSONText(dst, text)
		}
	}
	return append(dst, ']'), nil
}

// appendJSONText writes as little with a backslash as JSON allows, so that there is one way to write a text.
func appendJSONText(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i, c := range text {
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[from:i]...)
		if from = i + 1; c < 0x20 {
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		} else {
			dst = append(dst, '\\', c)
		}
	}
	return append(append(dst, text[from:]...), '"')
}

// Load puts rows into a table, in the lines of Rows, and tells how many. An error among the lines ends it.
func Load(tx *store.Tx, t *Table, lines iter.Seq2[[]byte, error]) (n int64, err error) {
	var columns, values []string
	for i, c := range t.Columns {
		columns, values = append(columns, quoted(c.Name)), append(values, fmt.Sprintf("$%d", i+1))
	}
	var row []any
	failed := sql(tx).Bulk("INSERT INTO "+quoted(t.Name)+" ("+strings.Join(columns, ", ")+") VALUES ("+strings.Join(values,
		", ")+")",
		func(yield func([]any) bool) {
			for line, e := range lines {
				if err = e; err == nil {
					row, err = parseRow(row[:0], line, t)
				}
				if err != nil || !yield(row) {
					return
				}
				n++
			}
		})
	if err == nil {
		err = failed
	}
	return n, err
}

var errRow = errors.New("a row is not a list of the values of its columns")

// parseRow reads what appendRow has written, and nothing else.
func parseRow(dst []any, line []byte, t *Table) ([]any, error) {
	wrong := func() ([]any, error) { return nil, fmt.Errorf("table %s: %w", t.Name, errRow) }
	if len(line) < 2 || line[0] != '[' || line[len(line)-1] != ']' {
		return wrong()
	}
	rest := line[1 : len(line)-1]
	for i, c := range t.Columns {
		if i > 0 {
			if len(rest) == 0 || rest[0] != ',' {
				return wrong()
			}
			rest = rest[1:]
		}
		end := endOfValue(rest)
		value, err := parseValue(rest[:end], c.Type)
		if err != nil {
			return wrong()
		}
		dst = append(dst, value)
		rest = rest[end:]
	}
	if len(rest) > 0 {
		return wrong()
	}
	return dst, nil
}

// endOfValue finds the comma behind the first value, or the end.
func endOfValue(text []byte) int {
	inText := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case c == ',' && !inText:
			return i
		}
	}
	return len(text)
}

func parseValue(text []byte, kind string) (any, error) {
	if string(text) == "null" {
		return nil, nil
	}
	switch kind {
	case "bigint":
		return strconv.ParseInt(string(text), 10, 64)
	case "boolean":
		switch string(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, errRow
	}
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if kind == "bytea" {
		data, err := base64.StdEncoding.DecodeString(s)
		if data == nil {
			data = []byte{} // empty bytes are not NULL
		}
		return data, err
	}
	return s, nil
}
