package web

import (
	"io"
	"net/http"
	"time"
)

// stallTime is how long a client may take or send nothing before it is cut off.
const stallTime = 30 * time.Second

// The rate that a client must take an answer at: slowest on average, beyond the first graceTime (conventions.md 5). A
// client that takes a little now and then would hold the memory of its answers for hours.
const (
	graceTime = 10 * time.Second
	slowest   = 16 << 10 // bytes a second
)

// answer is the ResponseWriter inside the chain. It remembers what the log needs, and returns every write
// a deadline of its own: the server has no write timeout, for a big answer may take long, but a client
// that takes nothing must not hold its memory and its goroutine for ever.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
	now     func() time.Time
	waited  time.Duration // for the client, in all writes together; a handler that rests is not the client's fault
	http2   bool
	secure  bool // the request is HTTPS
	status  int  // 0 until the answer begins
	bytes   int64
}

func newAnswer(w http.ResponseWriter, r *http.Request, stall time.Duration, now func() time.Time) *answer {
	a := &answer{ResponseWriter: w, control: http.NewResponseController(w), stall: stall, now: now,
		http2: r.ProtoMajor >= 2}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &body{ReadCloser: r.Body, answer: a}
		if !a.http2 {
			a.readBy(stall)
		}
	}
	return a
}

// baseHeaders leaves only what every answer carries; the chain calls it before the handler, and again
// when a panic made the handler's own headers void.
func (a *answer) baseHeaders(requestID string) {
	h := a.Header()
	clear(h)
	h["X-Request-Id"] = []string{requestID}
	h["X-Content-Type-Options"] = []string{"nosniff"}
	if a.secure {
		h["Strict-Transport-Security"] = []string{"max-age=31536000"}
	}
}

// Unwrap lets http.ResponseController through.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write cuts big slices up, so that the deadline counts from the last piece taken.
func (a *answer) Write(b []byte) (n int, err error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	for {
		part := b[n:min(n+pieceSize, len(b))]
		a.writeBy(a.room(len(part)))
		begun := a.now()
		m, err := a.ResponseWriter.Write(part)
		a.waited += a.now().Sub(begun)
		n += m
		a.bytes += int64(m)
		if err != nil || n >= len(b) {
			if a.http2 {
				// There the deadline ends the stream even while nothing is being written, as when a
				// handler that streams rests between two parts.
				a.writeBy(0)
			}
			return n, err
		}
	}
}

// FlushError is for http.ResponseController; it sends what is buffered, within the same deadline.
func (a *answer) FlushError() error {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.writeBy(a.room(0))
	begun := a.now()
	err := a.control.Flush()
	a.waited += a.now().Sub(begun)
	if a.http2 {
		a.writeBy(0)
	}
	return err
}

// finish is called when the handler is done; what net/http still buffers has a deadline too. An answer that is known
// to be complete leaves before the chain writes its log.
func (a *answer) finish() {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.writeBy(a.room(0))
	if _, complete := a.Header()["Content-Length"]; complete || a.status == http.StatusNoContent {
		_ = a.control.Flush() // the client is gone, or a recorder of tests has nothing to flush
	}
}

// room is how long the client may take for the next bytes.
func (a *answer) room(bytes int) time.Duration {
	earned := graceTime + time.Duration(a.bytes+int64(bytes))*time.Second/slowest
	return max(min(a.stall, earned-a.waited), time.Millisecond) // 0 would be no deadline
}

// The deadlines are not supported by the recorders of tests, hence no look at errors.

func (a *answer) writeBy(d time.Duration) { a.control.SetWriteDeadline(a.deadline(d)) }
func (a *answer) readBy(d time.Duration)  { a.control.SetReadDeadline(a.deadline(d)) }

func (a *answer) deadline(d time.Duration) time.Time {
	if d == 0 {
		return time.Time{}
	}
	return a.now().Add(d)
}

// body is the request body inside the chain: the one who sends nothing for stallTime is cut off. With
// HTTP/1 the deadline also stands between reads, because net/http itself reads what a handler left
// over before it answers; with HTTP/2 it would end the stream of a handler that rests.
type body struct {
	io.ReadCloser
	answer *answer
}

func (b *body) Read(p []byte) (int, error) {
	b.answer.readBy(b.answer.stall)
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF || b.answer.http2 {
		b.answer.readBy(0)
	}
	return n, err
}
