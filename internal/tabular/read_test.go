package tabular_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

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
	for name, c := range map[string]struct {
		text      string
		encoding  tabular.Encoding
		separator rune
	}{
		"plain": {plain, tabular.UTF8, ','}, "mark": {"\uFEFF" + plain, tabular.UTF8, ','},
		"little": {inUTF16(plain, false), tabular.UTF16, ','}, "big": {inUTF16(plain, true), tabular.UTF16, ','},
		"semicolons": {"id;name\n1;\"Physics, \"\"applied\"\"\"\n;\n2;\"two\nlines\"\n", tabular.UTF8, ';'},
		"tabs":       {"id\tname\n 1 \t\"Physics, \"\"applied\"\"\"\n\n2\t\"two\nlines\"", tabular.UTF8, '\t'},
	} {
		got, err := tabular.Read([]byte(c.text), bounds)
		if diff := cmp.Diff(tabular.Table{Records: want, Encoding: c.encoding, Separator: c.separator},
			got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

// What spreadsheets write that are not asked for Unicode is read as its bytes are meant there.
func TestReadWindows1252(t *testing.T) {
	got, err := tabular.Read([]byte("name;fee\nK\xf6ln, \x84Stra\xdfe\x93;5 \x80\n"), bounds)
	want := tabular.Table{Encoding: tabular.Windows1252, Separator: ';', Records: []tabular.Record{
		{Line: 1, Cells: []string{"name", "fee"}}, {Line: 2, Cells: []string{"Köln, „Straße“", "5 €"}}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// The apostrophe that keeps a spreadsheet from calculating is no part of the cell.
func TestReadUnmarked(t *testing.T) {
	got, err := tabular.Read([]byte("'=a,'+1,'-,'@x,''=,'tis,'\n"), tabular.Bounds{Rows: 1, Width: 7, Cell: 5})
	want := []string{"=a", "+1", "-", "@x", "''=", "'tis", "'"}
	if err != nil || len(got.Records) != 1 || cmp.Diff(want, got.Records[0].Cells) != "" {
		t.Error(got, err)
	}
}

// bounds are those of the tests.
var bounds = tabular.Bounds{Rows: 10, Width: 5, Cell: 40}

func TestReadRefuses(t *testing.T) {
	lines := func(n int) string { return "id\n" + strings.Repeat("1\n", n) }
	for _, c := range []struct {
		text  string
		fault tabular.Fault
		line  int
	}{
		{"", tabular.NoRows, 0}, {"\uFEFF\r\n\r\n", tabular.NoRows, 0}, {",,\n,", tabular.NoRows, 0},
		{"id\nK\x81ln\n", tabular.NoText, 0}, {"id\nK\xf6ln\x02\n", tabular.NoText, 0}, {"id\n\x00\n", tabular.NoText, 0},
		{"\xff\xfea", tabular.NoText, 0},
		{"id,name\n1,\"open\n2,x\n", tabular.BadQuotes, 2}, {"id,name\n1,mid\"dle\n", tabular.BadQuotes, 2},
		{lines(11), tabular.TooMany, 12}, {"a,b,c,d,e,f\n", tabular.TooWide, 1},
		{"id\n1\n" + strings.Repeat("é", 41) + "\n", tabular.LongCell, 3}, {"PK\x03\x04\x14\x00\xa0", tabular.NoText, 0},
	} {
		_, err := tabular.Read([]byte(c.text), bounds)
		var got *tabular.ReadError
		if !errors.As(err, &got) || got.Fault != c.fault || got.Line != c.line {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	for _, text := range []string{lines(10), "id\n" + strings.Repeat("é\n", 10), "id\n" + strings.Repeat("é", 40)} {
		if _, err := tabular.Read([]byte(text), bounds); err != nil {
			t.Errorf("%q: %v", text, err)
		}
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
		"\"", "a\n\"\r\n\"", "=1\n", "'=1,''+\n", "K\xf6ln\n", "\x81", strings.Repeat("x\n", 30)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		most := tabular.Bounds{Rows: 20, Width: 8, Cell: 30}
		table, err := tabular.Read([]byte(text), most)
		list := table.Records
		var reason *tabular.ReadError
		if err != nil {
			if !errors.As(err, &reason) || reason.Fault == 0 {
				t.Fatal(err)
			}
			return
		}
		if len(list) == 0 || len(list) > 21 || table.Encoding == "" || !strings.ContainsRune(",;\t", table.Separator) {
			t.Fatal(table)
		}
		var out strings.Builder
		w := tabular.NewWriter(&out)
		heads := strings.Fields("a b c d e f g h")
		for _, cells := range append([][]string{heads}, cellsOf(list)...) {
			for _, cell := range cells {
				if !utf8.ValidString(cell) || utf8.RuneCountInString(cell) > 30 {
					t.Fatalf("%q", cell)
				}
			}
			if err := w.Row(cells); err != nil || len(cells) > 8 {
				t.Fatal(cells, err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		again, err := tabular.Read([]byte(out.String()), tabular.Bounds{Rows: 30, Width: 8, Cell: 30})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cellsOf(list), cellsOf(again.Records)[1:]); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	})
}
