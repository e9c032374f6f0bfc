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

// Fault is why a table cannot be read.
type Fault int

// The faults.
const (
	NoText    Fault = iota + 1 // neither UTF-8 nor UTF-16 with a byte order mark
	BadQuotes                  // a quote that is not closed, or in the middle of a cell
	TooMany                    // more rows than are taken
	TooWide                    // more cells in a row than are taken
	NoRows                     // not even heads
)

// ReadError says where a table cannot be read.
type ReadError struct {
	Fault Fault
	Line  int // 0 for the file as a whole
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("tabular: fault %d in line %d", e.Fault, e.Line)
}

// Read reads a table as spreadsheets write it: UTF-8 with or without a byte order mark, or UTF-16 with one; cells
// between commas, semicolons or tabs, whichever the first line has most of. The first record are the heads. Rows whose
// cells are all empty are left out, and the space around cells, too. It takes at most rows below the heads, each of at
// most width cells. Errors are of type *ReadError.
func Read(content []byte, rows, width int) ([]Record, error) {
	text, ok := textOf(content)
	if !ok {
		return nil, &ReadError{Fault: NoText}
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = separator(text), -1
	var list []Record
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
			return nil, &ReadError{Fault: BadQuotes, Line: line}
		}
		line, _ := r.FieldPos(0)
		if len(cells) > width {
			return nil, &ReadError{Fault: TooWide, Line: line}
		}
		empty := true
		for i, cell := range cells {
			cells[i] = strings.TrimSpace(lineBreaks.Replace(cell))
			empty = empty && cells[i] == ""
		}
		if empty {
			continue
		}
		if len(list) > rows {
			return nil, &ReadError{Fault: TooMany, Line: line}
		}
		list = append(list, Record{Line: line, Cells: cells})
	}
	if len(list) == 0 {
		return nil, &ReadError{Fault: NoRows}
	}
	return list, nil
}

// lineBreaks are those of cells.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// textOf is the text of a file; ok is false for other encodings.
func textOf(content []byte) (text string, ok bool) {
	big, little := bytes.HasPrefix(content, []byte{0xfe, 0xff}), bytes.HasPrefix(content, []byte{0xff, 0xfe})
	if big || little {
		if len(content)%2 != 0 {
			return "", false
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
		return text, !strings.ContainsRune(text, 0)
	}
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	return string(content), utf8.Valid(content) && !bytes.ContainsRune(content, 0)
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
