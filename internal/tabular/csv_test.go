package tabular_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/tabular"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// parse reads CSV as strictly as RFC 4180 says: no bare quotes, CRLF after every row, nothing else outside of
// quotes.
func parse(text string) (rows [][]string, err error) {
	for text != "" {
		row := []string{}
		for more := true; more; {
			var cell strings.Builder
			if strings.HasPrefix(text, `"`) {
				text = text[1:]
				for {
					before, after, found := strings.Cut(text, `"`)
					if !found {
						return nil, errors.New("a quote is not closed")
					}
					cell.WriteString(before)
					text = after
					if !strings.HasPrefix(text, `"`) {
						break
					}
					cell.WriteByte('"')
					text = text[1:]
				}
			} else {
				end := strings.IndexAny(text, ",\r\n\"")
				if end < 0 {
					return nil, errors.New("the last row has no end")
				}
				cell.WriteString(text[:end])
				text = text[end:]
			}
			row = append(row, cell.String())
			switch {
			case strings.HasPrefix(text, ","):
				text = text[1:]
			case strings.HasPrefix(text, "\r\n"):
				text, more = text[2:], false
			default:
				return nil, errors.New("a cell ends in the wrong way")
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func write(t rapid.TB, rows [][]string) string {
	var b strings.Builder
	w := tabular.NewWriter(&b)
	for _, row := range rows {
		if err := w.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCells(t *testing.T) {
	for _, row := range []struct {
		cells []string
		want  string
	}{
		{[]string{"a", "b"}, "a,b\r\n"},
		{[]string{"", ""}, ",\r\n"},
		{[]string{""}, "\"\"\r\n"},
		{[]string{"a,b"}, "\"a,b\"\r\n"},
		{[]string{`say "hi"`}, "\"say \"\"hi\"\"\"\r\n"},
		{[]string{"one\ntwo", "one\rtwo", "one\r\ntwo"}, "\"one\ntwo\",\"one\rtwo\",\"one\r\ntwo\"\r\n"},
		{[]string{"=1+1", "@x", "-2", "+3", "\tx", " x "}, "=1+1,@x,-2,+3,\tx, x \r\n"},
		{[]string{"Žižek", "x;y", "'"}, "Žižek,x;y,'\r\n"},
		{[]string{`"`}, "\"\"\"\"\r\n"},
	} {
		if got := write(t, [][]string{row.cells}); got != row.want {
			t.Errorf("%q: %q, want %q", row.cells, got, row.want)
		}
	}
}

// A strict reader gets back what was written, whatever the cells are.
func TestEverythingComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.OneOf(rapid.StringOfN(rapid.SampledFrom([]rune("a\",\r\n ;=é")), 0, 6, -1), rapid.String())
		rows := rapid.SliceOf(rapid.SliceOfN(cell, 1, 5)).Draw(t, "rows")
		got, err := parse(write(t, rows))
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) == 0 {
			rows = nil
		}
		if diff := cmp.Diff(rows, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestErrorStays(t *testing.T) {
	broken := errors.New("broken")
	w := tabular.NewWriter(failing{broken})
	if err := w.Row([]string{strings.Repeat("x", 1<<20)}); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if err := w.Row([]string{"y"}); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if err := w.Flush(); !errors.Is(err, broken) {
		t.Fatal(err)
	}
}
