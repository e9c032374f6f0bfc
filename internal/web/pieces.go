package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// pieceSize is the unit that answers are built, counted and sent in.
const pieceSize = 64 << 10

type piece [pieceSize]byte

// errClosed answers a Write after Close or Release.
var errClosed = errors.New("web: the answer is already closed")

// Pieces is one answer: written whole, closed, and only then sent, so that a failure midway is a clean
// error and never an answer that looks complete. It belongs to one goroutine.
type Pieces struct {
	budget *Budget
	key    int64  // who it is counted for
	small  bool   // it has no builder's place and may have one piece
	wanted string // the encoding asked for
	above  int64  // compress only above so many bytes
	used   string // the encoding in use

	gzip *gzip.Writer
	zstd *zstd.Encoder

	pieces []*piece
	size   int64 // bytes in pieces
	closed bool  // the builder's place is given back

	outgrown bool // a small answer that would need more than a piece
}

// errOutgrown ends the building of an answer that must be small and is not.
var errOutgrown = errors.New("web: the answer needs its turn")

// fill lets build write the answer and closes it; it is released on the way out of anything else.
func (p *Pieces) fill(build func(*Pieces) error) error {
	whole := false
	defer func() {
		if !whole {
			p.Release()
		}
	}()
	err := build(p)
	if err == nil {
		err = p.Close()
	}
	if p.outgrown { // whatever became of the error on its way
		return errOutgrown
	}
	whole = err == nil
	return err
}

// Write appends b, compressed if asked. It fails only after Close or Release, or when the compressor
// does; it never waits.
func (p *Pieces) Write(b []byte) (int, error) {
	if p.closed {
		return 0, errClosed
	}
	if p.used == "" && p.wanted != "" && p.size+int64(len(b)) > p.above {
		if err := p.compressLate(); err != nil {
			return 0, err
		}
	}
	switch p.used {
	case "gzip":
		return p.gzip.Write(b)
	case "zstd":
		return p.zstd.Write(b)
	}
	return p.append(b)
}

// WriteString is Write for a string.
func (p *Pieces) WriteString(s string) (int, error) {
	if p.wanted != "" || p.closed {
		return p.Write([]byte(s))
	}
	return appendTo(p, s)
}

// append copies b behind what is there.
func (p *Pieces) append(b []byte) (int, error) { return appendTo(p, b) }

func appendTo[T string | []byte](p *Pieces, b T) (int, error) {
	if p.small && p.size+int64(len(b)) > pieceSize {
		p.outgrown = true
		return 0, errOutgrown
	}
	n := len(b)
	for len(b) > 0 {
		m := copy(p.room(), b)
		b = b[m:]
		p.size += int64(m)
	}
	return n, nil
}

// room returns the free part of the last piece, of a new one if that is full.
func (p *Pieces) room() []byte {
	if p.size == int64(len(p.pieces))*pieceSize {
		p.pieces = append(p.pieces, p.budget.take(p.key))
	}
	return p.pieces[len(p.pieces)-1][p.size%pieceSize:]
}

// compressLate begins to compress what was written uncompressed so far, which is at most one piece.
func (p *Pieces) compressLate() error {
	early, n := p.pieces, p.size
	p.pieces, p.size = nil, 0
	p.compress()
	if n == 0 {
		return nil
	}
	defer p.budget.give(p.key, early[0])
	_, err := p.Write(early[0][:n])
	return err
}

// compress takes a compressor from the pool. They are made to be cheap: one goroutine (the caller's),
// the fastest level, a small window. The compressors of the pool keep their memory between answers.
func (p *Pieces) compress() {
	p.used = p.wanted
	sink := pieceSink{p}
	switch p.used {
	case "gzip":
		w, ok := p.budget.gzip.Get().(*gzip.Writer)
		if !ok {
			w, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for an unknown level only
		}
		w.Reset(sink)
		p.gzip = w
	case "zstd":
		w, ok := p.budget.zstd.Get().(*zstd.Encoder)
		if !ok {
			w, _ = zstd.NewWriter(nil, // fails for options out of range only
				zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
				zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
		}
		w.Reset(sink)
		p.zstd = w
	}
}

// pieceSink is where a compressor writes to.
type pieceSink struct{ p *Pieces }

func (s pieceSink) Write(b []byte) (int, error) { return s.p.append(b) }

// Close ends the answer: the compression is finished and the builder's place given back, so that the
// next answer is built while this one is sent. Closing again does nothing.
func (p *Pieces) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	if !p.small {
		defer p.budget.leave()
	}
	var err error
	switch p.used {
	case "gzip":
		if err = p.gzip.Close(); err == nil {
			p.gzip.Reset(io.Discard) // a compressor in the pool must not hold this answer
			p.budget.gzip.Put(p.gzip)
		}
	case "zstd":
		if err = p.zstd.Close(); err == nil {
			p.zstd.Reset(nil)
			p.budget.zstd.Put(p.zstd)
		}
	}
	p.gzip, p.zstd = nil, nil
	if err != nil {
		return fmt.Errorf("web: compressing an answer: %w", err)
	}
	return nil
}

// Len returns the bytes to send, after Close: what Content-Length says.
func (p *Pieces) Len() int64 { return p.size }

// Encoding returns how the answer is compressed, after Close: "", "gzip" or "zstd".
func (p *Pieces) Encoding() string { return p.used }

// SendTo sends the closed answer as the body of w and hands each piece back as it goes; status and
// headers are the caller's. The chain cuts off a client that takes nothing or too little; the error is that of the
// deadline then (os.ErrDeadlineExceeded with HTTP/1). After an error there is nothing left to do for the caller: the
// connection or the stream is broken. Len is 0 afterwards.
func (p *Pieces) SendTo(w http.ResponseWriter) error {
	if !p.closed {
		return errors.New("web: an answer must be closed before it is sent")
	}
	defer p.Release()
	for p.size > 0 {
		next := p.pieces[0]
		n := min(p.size, pieceSize)
		if _, err := w.Write(next[:n]); err != nil {
			return fmt.Errorf("web: sending an answer: %w", err)
		}
		p.pieces[0] = nil
		p.pieces = p.pieces[1:]
		p.size -= n
		p.budget.give(p.key, next)
	}
	return nil
}

// Release frees whatever the answer still holds. It may be called at any time and any number of
// times; an answer that was not closed is dropped.
func (p *Pieces) Release() {
	for _, piece := range p.pieces {
		p.budget.give(p.key, piece)
	}
	p.pieces, p.size = nil, 0
	if !p.closed {
		// A compressor in the middle of something (or of a panic) is not worth keeping.
		p.closed, p.gzip, p.zstd = true, nil, nil
		if !p.small {
			p.budget.leave()
		}
	}
}
