package db

import (
	"fmt"
	"unsafe"

	"github.com/admitto/admitto/internal/admitto"
)

// cursor walks the rows of one statement of a driver. Columns count from 0; NULL reads as zero and nil.
type cursor interface {
	next() (bool, error)
	null(i int) bool
	int64(i int) int64
	// raw is valid until next or close.
	raw(i int) []byte
	// close ends the use of the statement; it is called once.
	close() error
}

// Rows are the rows of a Query:
//
//	rows := tx.Query("SELECT id, name FROM programme WHERE id > $1", after)
//	for rows.Next() {
//		list = append(list, programme{rows.Int64(0), rows.Text(1)})
//	}
//	return list, rows.Close()
//
// Columns count from 0; a column that does not exist may panic. NULL reads as the zero value of each type.
// A value that does not have the type asked for reads as zero, ends the rows, and Err and Close tell.
type Rows struct {
	tx     *Tx
	sql    string
	cursor cursor
	err    error
	closed bool
	arena  arena
}

// Next goes to the next row and reports whether there is one. After the last row the statement is closed.
func (r *Rows) Next() bool {
	if r.closed || r.err != nil {
		return false
	}
	more, err := r.cursor.next()
	if err != nil {
		r.err = r.tx.fail(r.sql, err)
		return false
	}
	if !more {
		_ = r.Close()
	}
	return more
}

// Fail ends the rows with an error about what one of them holds, unless they ended with another before.
func (r *Rows) Fail(err error) {
	if r.err == nil {
		r.err = r.tx.fail(r.sql, err)
	}
}

// Err is the first error of the statement or of reading its rows.
func (r *Rows) Err() error { return r.err }

// Close ends the statement and returns its first error. It may be called at any time and more than once. On
// PostgreSQL it must be called before the next statement of the Tx, unless Next has returned false.
func (r *Rows) Close() error {
	if r.closed {
		return r.err
	}
	r.closed = true
	r.tx.forget(r)
	if err := r.cursor.close(); err != nil && r.err == nil {
		r.err = r.tx.fail(r.sql, err)
	}
	return r.err
}

// Null reports whether the column is NULL.
func (r *Rows) Null(i int) bool { return r.cursor.null(i) }

// Int64 reads an integer of any width.
func (r *Rows) Int64(i int) int64 { return r.cursor.int64(i) }

// Bool reads a boolean.
func (r *Rows) Bool(i int) bool { return r.cursor.int64(i) != 0 }

// Time reads a time from its microseconds.
func (r *Rows) Time(i int) admitto.Time { return admitto.Time(r.cursor.int64(i)) }

// Text reads text. The strings of neighbouring rows share memory in chunks of up to 64 KiB, so the one who
// keeps a few of very many for long should clone them.
func (r *Rows) Text(i int) string { return r.arena.string(r.cursor.raw(i)) }

// Bytes reads bytes, or text as bytes, into memory of their own; nil for NULL.
func (r *Rows) Bytes(i int) []byte {
	b := r.cursor.raw(i)
	if len(b) == 0 && r.cursor.null(i) {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}

// Raw reads text or bytes without a copy: they are valid until the next call of Next or Close and must
// not be changed.
func (r *Rows) Raw(i int) []byte { return r.cursor.raw(i) }

// Date reads a date from its text YYYY-MM-DD.
func (r *Rows) Date(i int) admitto.Date {
	b := r.cursor.raw(i)
	if len(b) == 0 {
		return admitto.Date{}
	}
	// The conversion does not allocate: ParseDate keeps the string only in the error, which %q copied.
	d, err := admitto.ParseDate(unsafe.String(&b[0], len(b)))
	if err != nil {
		r.Fail(fmt.Errorf("column %d does not hold a date", i))
	}
	return d
}

// The chunks of an arena begin small, so that one row does not cost much, and double.
const (
	firstChunk = 1 << 10
	lastChunk  = 64 << 10
)

// arena makes strings without an allocation for each. Bytes that were handed out are never written again.
type arena struct {
	free []byte // the unused rest of the newest chunk
	size int    // of the newest chunk
}

func (a *arena) string(b []byte) string {
	n := len(b)
	if n == 0 {
		return ""
	}
	if n > len(a.free) {
		if n > lastChunk/4 {
			return string(b) // long text would leave too much of the chunk before it unused
		}
		a.size = max(firstChunk, min(2*a.size, lastChunk))
		for a.size < 4*n {
			a.size *= 2
		}
		a.free = make([]byte, a.size)
	}
	copy(a.free, b)
	s := unsafe.String(&a.free[0], n)
	a.free = a.free[n:]
	return s
}
