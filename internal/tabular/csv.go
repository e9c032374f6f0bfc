// Package tabular writes tables as CSV by RFC 4180: comma, CRLF, UTF-8 without byte order mark, every cell
// exactly as its value. It reads those that spreadsheets write. It is a leaf and depends on the standard library only.
package tabular

import (
	"io"
	"strings"
)

// flushAt is how many bytes are collected before they are written on.
const flushAt = 32 << 10

// Writer writes rows to an io.Writer as they come, so that a table may be of any size. The writer of
// encoding/csv is not used, since it turns the line breaks inside of cells into CRLF. After an error every
// further call answers it. A Writer belongs to one goroutine.
type Writer struct {
	to  io.Writer
	buf []byte
	err error
}

// NewWriter makes a Writer; Flush must be called at the end.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Row writes one row. An empty cell is null.
func (w *Writer) Row(cells []string) error {
	if w.err != nil {
		return w.err
	}
	for i, cell := range cells {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = appendCell(w.buf, cell)
	}
	if len(cells) == 1 && cells[0] == "" {
		w.buf = append(w.buf, '"', '"') // an empty line would be no row to many readers
	}
	w.buf = append(w.buf, '\r', '\n')
	if len(w.buf) < flushAt {
		return nil
	}
	return w.Flush()
}

// appendCell quotes a cell where it must be.
func appendCell(dst []byte, cell string) []byte {
	if isPlain(cell) {
		return append(dst, cell...)
	}
	dst = append(dst, '"')
	for {
		before, after, found := strings.Cut(cell, `"`)
		dst = append(dst, before...)
		if !found {
			return append(dst, '"')
		}
		dst = append(dst, '"', '"')
		cell = after
	}
}

// isPlain reports whether a cell needs no quotes. strings.ContainsAny would make a set of the four bytes for each cell.
func isPlain(cell string) bool {
	for i := range len(cell) {
		switch cell[i] {
		case ',', '"', '\r', '\n':
			return false
		}
	}
	return true
}

// Flush writes on what is collected.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.to.Write(w.buf)
		w.buf = w.buf[:0]
	}
	return w.err
}
