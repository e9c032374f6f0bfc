package tabular_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/tabular"
)

func inUTF16(text string, big bool) string {
	out := []byte{0xff, 0xfe}
	if big {
		out = []byte{0xfe, 0xff}
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		low, high := byte(unit), byte(unit>>8)
		if big {
			low, high = high, low
		}
		out = append(out, low, high)
	}
	return string(out)
}

func TestRead(t *testing.T) {
	const plain = "id,name\r\n1,\"Physics, \"\"applied\"\"\"\r\n\r\n2,\"two\r\nlines\"\r\n"
	want := []tabular.Record{{Line: 1, Cells: []string{"id", "name"}},
		{Line: 2, Cells: []string{"1", `Physics, "applied"`}},
		{Line: 4, Cells: []string{"2", "two\nlines"}}}
	for name, text := range map[string]string{
		"plain": plain, "mark": "\uFEFF" + plain, "little": inUTF16(plain, false), "big": inUTF16(plain, true),
		"semicolons": "id;name\n1;\"Physics, \"\"applied\"\"\"\n;\n2;\"two\nlines\"\n",
		"tabs":       "id\tname\n 1 \t\"Physics, \"\"applied\"\"\"\n\n2\t\"two\nlines\"",
	} {
		got, err := tabular.Read([]byte(text), 10, 5)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	lines := func(n int) string { return "id\n" + strings.Repeat("1\n", n) }
	for _, c := range []struct {
		text  string
		fault tabular.Fault
		line  int
	}{
		{"", tabular.NoRows, 0}, {"\uFEFF\r\n\r\n", tabular.NoRows, 0}, {",,\n,", tabular.NoRows, 0},
		{"id\nK\xf6ln\n", tabular.NoText, 0}, {"id\n\x00\n", tabular.NoText, 0}, {"\xff\xfea", tabular.NoText, 0},
		{"id,name\n1,\"open\n2,x\n", tabular.BadQuotes, 2}, {"id,name\n1,mid\"dle\n", tabular.BadQuotes, 2},
		{lines(11), tabular.TooMany, 12}, {"a,b,c,d,e,f\n", tabular.TooWide, 1},
	} {
		_, err := tabular.Read([]byte(c.text), 10, 5)
		var got *tabular.ReadError
		if !errors.As(err, &got) || got.Fault != c.fault || got.Line != c.line {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	if list, err := tabular.Read([]byte(lines(10)), 10, 5); err != nil || len(list) != 11 {
		t.Error(len(list), err)
	}
}

func cellsOf(list []tabular.Record) (cells [][]string) {
	for _, record := range list {
		cells = append(cells, record.Cells)
	}
	return cells
}

// FuzzRead: whatever a file has, the answer is rows within the bounds or a reason, and what Writer wrote is read as it
// was.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"", "a,b\n1,2", "a;b\n\"1;\"\"2\"\"\";x", "\uFEFFid\n", "\xff\xfea\x00", "\xfe\xff\x00a",
		"a\tb",
		"\"", "a\n\"\r\n\"", "=1\n", strings.Repeat("x\n", 30)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := tabular.Read([]byte(text), 20, 8)
		var reason *tabular.ReadError
		if err != nil {
			if !errors.As(err, &reason) || reason.Fault == 0 {
				t.Fatal(err)
			}
			return
		}
		if len(list) == 0 || len(list) > 21 {
			t.Fatal(len(list))
		}
		var out strings.Builder
		w := tabular.NewWriter(&out)
		heads := strings.Fields("a b c d e f g h")
		for _, cells := range append([][]string{heads}, cellsOf(list)...) {
			if err := w.Row(cells); err != nil || len(cells) > 8 {
				t.Fatal(cells, err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		again, err := tabular.Read([]byte(out.String()), 30, 8)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cellsOf(list), cellsOf(again)[1:]); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	})
}
