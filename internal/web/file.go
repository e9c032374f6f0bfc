package web

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/text"
)

// How a client is to take a file (resources.md 0.7).
const (
	Attachment = "attachment"
	Inline     = "inline"
)

// File is what ServeFile says about bytes.
type File struct {
	Name        string // as it was uploaded; it is made safe
	Type        string // media type; what is none is sent as bytes
	Disposition string // Attachment or Inline
	Tag         string // the ETag, in quotes
	Modified    time.Time
	Label       string // for the log, such as "file 7"
}

// What ServeFile refuses.
var (
	ErrRange        = errors.New("web: the file does not have the bytes of the header Range")
	ErrPrecondition = errors.New("web: the file is not the one that the request names")
)

// ServeFile answers r with bytes, in full or in ranges, with validators; they are never compressed. It closes content.
// An error, one of ErrRange and ErrPrecondition, comes before anything was sent. When reading fails midway, the handler
// ends by a panic with http.ErrAbortHandler, so that the answer does not look whole.
func ServeFile(w http.ResponseWriter, r *http.Request, f File, content io.ReadSeekCloser) error {
	read := &fileContent{bytes: content}
	defer read.Close()
	h := w.Header()
	cache := h.Values("Cache-Control")
	h.Set("Content-Type", mediaType(f.Type))
	h.Set("Content-Disposition", ContentDisposition(f.Disposition, f.Name))
	h.Set("ETag", f.Tag)
	writer := &fileWriter{ResponseWriter: w}
	http.ServeContent(writer, fileRequest(r), "", f.Modified, read)
	if writer.refused != 0 {
		h["Cache-Control"] = cache // ServeContent takes it off
	}
	if err := read.failure(); err != nil && writer.refused == 0 {
		if r.Context().Err() == nil {
			InfoOf(r.Context()).Problem = fmt.Errorf("%s: %w", f.Label, err)
		}
		panic(http.ErrAbortHandler)
	}
	switch writer.refused {
	case 0:
		return nil
	case http.StatusRequestedRangeNotSatisfiable:
		return ErrRange
	case http.StatusPreconditionFailed:
		return ErrPrecondition
	}
	return fmt.Errorf("web: %s was refused with status %d", f.Label, writer.refused)
}

// mediaType returns a type that is safe to send; what is none is bytes.
func mediaType(stored string) string {
	if _, _, err := mime.ParseMediaType(stored); err != nil {
		return "application/octet-stream"
	}
	return stored
}

// fileRequest is the request as ServeContent is to see it: a Range of another unit, or one that is malformed,
// is as if it were not there (RFC 9110, 14.2).
func fileRequest(r *http.Request) *http.Request {
	given := r.Header.Values("Range")
	if len(given) == 0 {
		return r
	}
	r = r.Clone(r.Context())
	r.Header.Del("Range")
	if ranges := byteRanges(strings.Join(given, ",")); ranges != "" {
		r.Header.Set("Range", ranges)
	}
	return r
}

// maxRanges bounds what one request may pick out of a file; who asks for more gets the whole.
const maxRanges = 64

// byteRanges returns the header Range in the form that ServeContent reads, "" when it is to be ignored.
func byteRanges(header string) string {
	unit, list, found := strings.Cut(header, "=")
	if !found || !strings.EqualFold(textproto.TrimString(unit), "bytes") {
		return ""
	}
	var ranges []string
	for item := range strings.SplitSeq(list, ",") {
		if item = textproto.TrimString(item); item == "" {
			continue // RFC 9110, 5.6.1: empty elements do not count
		}
		first, last, found := strings.Cut(item, "-")
		from, fromErr := position(first)
		to, toErr := position(last)
		if !found || fromErr != nil || toErr != nil || from < 0 && to < 0 || from >= 0 && to >= 0 && from > to {
			return ""
		}
		if from < 0 && to == 0 {
			from, to = farthest, -1 // the last 0 bytes are bytes that no file has
		}
		ranges = append(ranges, positionText(from)+"-"+positionText(to))
	}
	if len(ranges) == 0 || len(ranges) > maxRanges {
		return ""
	}
	return "bytes=" + strings.Join(ranges, ",")
}

// farthest is a position behind the end of every file.
const farthest = 1<<62 - 1

// position reads a position of a range, -1 when it is left out; one that no number holds is the farthest.
func position(digits string) (int64, error) {
	if digits == "" {
		return -1, nil
	}
	if strings.Trim(digits, "0123456789") != "" {
		return 0, errors.New("not a position")
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > farthest {
		return farthest, nil
	}
	return n, nil
}

func positionText(n int64) string {
	if n < 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// ContentDisposition names a file for clients old and new (RFC 6266): in ASCII, and in full by RFC 8187.
func ContentDisposition(disposition, name string) string {
	name = text.SafeName(name)
	var fallback, full strings.Builder
	for _, r := range name {
		if r >= utf8.RuneSelf {
			r = '_'
		}
		fallback.WriteRune(r)
	}
	for _, b := range []byte(name) {
		if isAttrChar(b) {
			full.WriteByte(b)
		} else {
			fmt.Fprintf(&full, "%%%02X", b)
		}
	}
	return disposition + `; filename="` + fallback.String() + `"; filename*=UTF-8''` + full.String()
}

// isAttrChar reports what stands for itself in an extended value (RFC 8187, 3.2.1).
func isAttrChar(b byte) bool {
	return '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z' ||
		strings.IndexByte("!#$&+-.^_`|~", b) >= 0
}

// fileWriter keeps the refusals of ServeContent back, so that the site answers them in its form.
type fileWriter struct {
	http.ResponseWriter
	refused int // the status
}

func (w *fileWriter) WriteHeader(status int) {
	if status >= 400 {
		w.refused = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *fileWriter) Write(b []byte) (int, error) {
	if w.refused != 0 {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// fileContent remembers that reading failed, which ServeContent does not tell. For several ranges that reads in
// a goroutine of its own, which may outlive the answer; hence the lock.
type fileContent struct {
	mu     sync.Mutex
	bytes  io.ReadSeekCloser
	err    error
	closed bool
}

func (f *fileContent) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0, io.ErrClosedPipe
	}
	n, err := f.bytes.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

func (f *fileContent) Seek(offset int64, whence int) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0, io.ErrClosedPipe
	}
	at, err := f.bytes.Seek(offset, whence)
	if err != nil {
		f.err = err
	}
	return at, err
}

func (f *fileContent) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.bytes.Close() // nothing was written
}

func (f *fileContent) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
