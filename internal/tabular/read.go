package tabular

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Record is a row of a table that was read.
type Record struct {
	Line  int // of the file, from 1
	Cells []string
}

// Encoding is how the text of a file was written.
type Encoding string

// The encodings.
const (
	UTF8        Encoding = "UTF-8"
	UTF16       Encoding = "UTF-16"
	Windows1252 Encoding = "Windows-1252"
)

// Table is a table that was read, and how it was written.
type Table struct {
	Records   []Record
	Encoding  Encoding
	Separator rune
}

// Bounds are how much of a table is taken: rows below the heads, cells of a row, characters of a cell.
type Bounds struct{ Rows, Width, Cell int }

// Fault is why a table cannot be read.
type Fault int

// The faults.
const (
	NoText    Fault = iota + 1 // in none of the encodings
	BadQuotes                  // a quote that is not closed, or in the middle of a cell
	TooMany                    // more rows than are taken
	TooWide                    // more cells in a row than are taken
	NoRows                     // not even heads
	LongCell                   // more characters in a cell than are taken
)

// ReadError says where a table cannot be read.
type ReadError struct {
	Fault Fault
	Line  int // 0 for the file as a whole
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("tabular: fault %d in line %d", e.Fault, e.Line)
}

// Read reads a table as spreadsheets write it: UTF-8 with or without a byte order mark, UTF-16 with one, or
// Windows-1252; cells between commas, semicolons or tabs, whichever the first line has most of. The first record are
// the heads. Rows whose cells are all empty are left out, and the space around cells, too; so is the apostrophe that
// files for spreadsheets have before what these would take for a formula. Errors are of type *ReadError.
func Read(content []byte, most Bounds) (t Table, err error) {
	text, encoding := textOf(content)
	if encoding == "" {
		return t, &ReadError{Fault: NoText}
	}
	t.Encoding, t.Separator = encoding, separator(text)
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = t.Separator, -1
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			line := 0
			if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
				line = wrong.StartLine
			}
			return t, &ReadError{Fault: BadQuotes, Line: line}
		}
		line, _ := r.FieldPos(0)
		if len(cells) > most.Width {
			return t, &ReadError{Fault: TooWide, Line: line}
		}
		empty := true
		for i, cell := range cells {
			cells[i] = unmarked(strings.TrimSpace(lineBreaks.Replace(cell)))
			if len(cells[i]) > most.Cell && utf8.RuneCountInString(cells[i]) > most.Cell {
				return t, &ReadError{Fault: LongCell, Line: line}
			}
			empty = empty && cells[i] == ""
		}
		if empty {
			continue
		}
		if len(t.Records) > most.Rows {
			return t, &ReadError{Fault: TooMany, Line: line}
		}
		t.Records = append(t.Records, Record{Line: line, Cells: cells})
	}
	if len(t.Records) == 0 {
		return t, &ReadError{Fault: NoRows}
	}
	return t, nil
}

// unmarked is a cell without the apostrophe before what would be a formula.
func unmarked(cell string) string {
	if rest, marked := strings.CutPrefix(cell, "'"); marked && rest != "" && strings.ContainsRune("=+-@",
		rune(rest[0])) {
		return rest
	}
	return cell
}

// lineBreaks are those of cells.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// textOf is the text of a file and its encoding; "" for another one.
func textOf(content []byte) (text string, encoding Encoding) {
	big, little := bytes.HasPrefix(content, []byte{0xfe, 0xff}), bytes.HasPrefix(content, []byte{0xff, 0xfe})
	switch {
	case bytes.ContainsRune(content, 0) && !big && !little:
		return "", ""
	case big || little:
		return utf16Text(content, little)
	case utf8.Valid(content):
		return string(bytes.TrimPrefix(content, []byte("\uFEFF"))), UTF8
	}
	return windowsText(content)
}

// utf16Text is the text of a file in UTF-16.
func utf16Text(content []byte, little bool) (text string, encoding Encoding) {
	if len(content)%2 != 0 {
		return "", ""
	}
	units := make([]uint16, 0, len(content)/2)
	for i := 2; i < len(content); i += 2 {
		unit := uint16(content[i])<<8 | uint16(content[i+1])
		if little {
			unit = unit<<8 | unit>>8
		}
		units = append(units, unit)
	}
	text = string(utf16.Decode(units))
	if strings.ContainsRune(text, 0) {
		return "", ""
	}
	return text, UTF16
}

// windows1252 are the characters of the bytes 80 to 9F; the other bytes are the characters of their number. A space
// stands for a byte that is none.
const windows1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"

// windowsText is the text of a file in Windows-1252, as spreadsheets write it that are not asked for another encoding.
func windowsText(content []byte) (text string, encoding Encoding) {
	high := []rune(windows1252)
	var out strings.Builder
	out.Grow(len(content) + len(content)/8)
	for _, b := range content {
		c := rune(b)
		if b >= 0x80 && b < 0xa0 {
			c = high[b-0x80]
		}
		if c == ' ' && b != ' ' || c < ' ' && b != '\t' && b != '\n' && b != '\r' {
			return "", ""
		}
		out.WriteRune(c)
	}
	return out.String(), Windows1252
}

// separator is what stands between the cells of the first line.
func separator(text string) rune {
	line, _, _ := strings.Cut(text, "\n")
	best, most := ',', strings.Count(line, ",")
	for _, other := range []rune{';', '\t'} {
		if n := strings.Count(line, string(other)); n > most {
			best, most = other, n
		}
	}
	return best
}
